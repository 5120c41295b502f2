"""Shanghaien for programs that learn: by numbered steps."""
