"""Properties of every game of Der fliegende Holländer, tested on random games."""
