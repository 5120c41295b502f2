"""Kontor: Der fliegende Holländer and Shanghaien, as rules engines, at the terminal, and as records."""
