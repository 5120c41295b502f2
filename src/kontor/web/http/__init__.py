"""The HTTP layer: the application, its middleware, sessions, limits and error responses."""
