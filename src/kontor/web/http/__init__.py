"""What speaks HTTP: the application, its middleware, sessions, limits, faults."""
