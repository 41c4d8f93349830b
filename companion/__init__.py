"""Print-and-play workshop: card sheets from data, and helpers for the table."""

__version__ = "0.1.0"
