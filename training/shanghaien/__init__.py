"""Training for Shanghaien: many rounds solved at a time."""
