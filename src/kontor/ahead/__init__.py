"""Moves that people give before it is their turn; they are played at once when it comes."""
