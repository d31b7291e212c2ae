"""OASR: the text boundary of a speech engine."""

__version__ = "0.1.0"
