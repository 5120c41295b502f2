"""What is learned and measured of Shanghaien beyond a game at the table: many rounds solved at a time."""
