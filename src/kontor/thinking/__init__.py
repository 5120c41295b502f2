"""Thinking in processes of its own, so that whoever serves people is never kept waiting by whoever ponders.

:class:`Thinkers` are asked, and answer in a future; :mod:`kontor.thinking.turn_tasks` is what they are asked about.
"""

from kontor.thinking.thinkers import NoAnswer, Thinkers, Thinking

__all__ = ["NoAnswer", "Thinkers", "Thinking"]
