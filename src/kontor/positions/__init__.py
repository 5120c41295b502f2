"""Judged positions: decisions out of machine games, with what each move is worth by two independent judgements; a
file of them, and a scorer for anybody's player.

Start with ``values`` (what a file holds), then ``making`` and ``scoring``. Each game that has them brings a
``PositionsAdapter``.
"""
