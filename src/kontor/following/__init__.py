"""Following people: whom one follows, what they do just now in public, and news of it."""
