"""Lists of tables, and seeks: where people find a game."""
