"""Contexts of the templates of tables, and the stream that keeps a page up to date."""
