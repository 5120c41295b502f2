"""Clients of a running house, as many as are asked for: what it bears, and how quick it stays. See README.md."""
