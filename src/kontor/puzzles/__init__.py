"""Puzzles: decisions out of machine games with a clear best move, and how well a person solves them.

Start with ``values`` (what a puzzle is), then ``making``, ``checking`` and ``rating``. Each game brings a
``PuzzleAdapter`` and its puzzles, a line of JSON each, in ``puzzles.jsonl``.
"""
