"""The house in the browser: pages, a live stream for each open page, and a JSON API. ``docs/web.md`` says how."""
