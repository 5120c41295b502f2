"""Choices of people about their own moves: where they confirm each, and whether the only one is played for them."""
