"""A server: all features put together, its processes started, watched, measured and ended."""
