"""The games that come with Kontor, each a plug-in (``kontor.plugins``): nothing outside its folder knows it."""
