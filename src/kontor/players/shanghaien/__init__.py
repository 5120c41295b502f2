"""Machine players of Shanghaien."""
