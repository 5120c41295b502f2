"""How strong players are: fitted anew from all rated games, whatever order they were played in."""

from kontor.ratings.games import RatedGames
from kontor.ratings.plackett_luce import Ratings, fit

__all__ = ["RatedGames", "Ratings", "fit"]
