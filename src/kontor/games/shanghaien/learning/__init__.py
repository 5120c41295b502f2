"""Learning and measurements in Shanghaien beyond a game at the table: many rounds solved at a time."""
