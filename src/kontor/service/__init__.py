"""All features of a server together, without HTTP, and what runs beside them: computer players, upkeep, copies.

Start with :class:`TableService`, which is all that a client needs; ``docs/architecture.md`` describes its structure.
"""

from kontor.service.hints import Hint, Hints
from kontor.service.machines import Machines
from kontor.service.service import TableService

__all__ = ["Hint", "Hints", "Machines", "TableService"]
