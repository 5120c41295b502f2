"""Clients of a running server: how much load it bears, and how fast it responds. See README.md."""
