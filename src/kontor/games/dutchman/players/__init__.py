"""Machine players of Der fliegende Holländer."""
