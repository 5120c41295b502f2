"""Contexts of the templates of reviews, the analysis board and puzzles."""
