"""Strengths of players, fitted to all rated games at once; the order in which they were played does not matter."""

from kontor.ratings.games import RatedGames
from kontor.ratings.plackett_luce import Ratings, fit

__all__ = ["RatedGames", "Ratings", "fit"]
