"""Kontor: sea-going board games as rules engines, at a table in the browser, at the terminal, and as records."""
