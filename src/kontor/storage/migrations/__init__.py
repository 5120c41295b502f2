"""The migrations of the database, in order. A published one is never changed."""
