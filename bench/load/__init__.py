"""Clients of a running server, as many as are asked for: what it bears, and how quick it stays. See README.md."""
