"""What a decode family asks of a model, and recorded scores in its place."""
