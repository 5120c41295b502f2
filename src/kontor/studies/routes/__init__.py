"""Routes of reviews, the analysis board and puzzles."""
