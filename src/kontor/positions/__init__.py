"""Judged positions: decisions out of machine games, with what each move is worth by two independent judgements.

They are written to a file, and a scorer measures any player by it. Start with ``values`` (what a file holds), then
``making`` and ``scoring``. Each game that has them brings a ``PositionsAdapter``.
"""
