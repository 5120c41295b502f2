"""Der fliegende Holländer and all its parts: ``plugin`` names them, ``rules`` is the game itself."""
