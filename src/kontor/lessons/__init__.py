"""Rule books and lessons, as pages."""
