"""The web server: pages, a live stream for each, and a JSON API. ``docs/architecture.md`` describes its design."""
