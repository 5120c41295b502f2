"""Games looked at apart from playing: reviews, the analysis board, puzzles, as pages."""
