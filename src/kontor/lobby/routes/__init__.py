"""Routes of the lobby: pages and the API."""
