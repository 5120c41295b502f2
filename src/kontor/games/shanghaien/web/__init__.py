"""Shanghaien in the browser: ``adapter`` names the parts; a view becomes what templates need, and a form a move."""
