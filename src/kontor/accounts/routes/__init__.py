"""Routes of accounts: pages and the API."""
