"""Records that people bring: verified, kept for them, replayed and reviewed, and shared if they wish."""
