"""Clubs: people who join by an invitation link, with their tournaments and the best among them."""
