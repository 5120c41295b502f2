"""Challenges: a table with a seat that is kept for somebody, who accepts, declines, or proposes other terms."""
