"""The server in the browser: pages, a live stream for each, and a JSON API. ``docs/architecture.md`` says how."""
