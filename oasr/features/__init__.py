"""Audio as files have it, and as recognisers take it."""
