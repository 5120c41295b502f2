"""Der fliegende Holländer, with all that it brings: ``plugin`` names the parts, ``rules`` is the game itself."""
