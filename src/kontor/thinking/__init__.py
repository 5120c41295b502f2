"""Worker processes for computer players and judges, so that their thinking never delays the server.

:class:`Thinkers` takes tasks and returns futures; :mod:`kontor.thinking.turn_tasks` defines the tasks.
"""

from kontor.thinking.thinkers import NoAnswer, Thinkers, Thinking

__all__ = ["NoAnswer", "Thinkers", "Thinking"]
