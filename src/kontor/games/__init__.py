"""The games that come with Kontor, each a plug-in (``kontor.plugins``): no code outside a game's folder names it."""
