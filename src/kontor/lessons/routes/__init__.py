"""Routes of rule books and lessons."""
