"""How a database came to be as it is, step by step. A step that has been published is never changed."""
