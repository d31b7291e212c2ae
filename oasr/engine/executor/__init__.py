"""Requests to outputs: what runs models, strategies and the detokenizer."""
