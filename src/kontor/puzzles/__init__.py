"""Puzzles: decisions out of machine games whose best move is clear, what each move is worth, and how well one solves.

Start with ``values`` (what a puzzle is), then ``making``, ``checking`` and ``rating``. Each game brings a
``PuzzleAdapter`` and its puzzles, a line of JSON each, in ``puzzles.jsonl``.
"""
