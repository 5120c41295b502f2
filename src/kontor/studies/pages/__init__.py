"""What the templates of studies get."""
