"""What the templates of tables get, and the stream that keeps a page up to date."""
