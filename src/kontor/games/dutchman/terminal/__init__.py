"""Der fliegende Holländer at a terminal: ``board`` draws, ``asking`` asks for moves and holds the adapter."""
