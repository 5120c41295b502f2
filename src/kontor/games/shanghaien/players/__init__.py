"""Computer players of Shanghaien."""
