"""Computer players of Der fliegende Holländer."""
