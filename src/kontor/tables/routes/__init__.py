"""Routes of tables: pages and the API."""
