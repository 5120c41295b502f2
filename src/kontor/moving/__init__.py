"""Choices of people about their own moves: the tables at which they confirm each of them."""
