"""Attacks on what Kontor promises, tried against a server of one's own."""
