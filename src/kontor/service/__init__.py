"""All features of a server together, without HTTP, and what runs beside them: computer players, upkeep, copies.

Start with :class:`TableService`, which is all that a client needs; ``docs/architecture.md`` describes its structure.
"""

from kontor.errors import (
    BadCode,
    BadInvitation,
    BadLink,
    BadName,
    BadPasskey,
    BadPlan,
    BadText,
    Conflict,
    Malformed,
    NoHint,
    NoSeat,
    NoTable,
    NotAllowed,
    NotNow,
    NotYourTurn,
    SeatTaken,
    StoodIn,
    TooMany,
    Unreadable,
)
from kontor.lobby.values import FoundTables, Lobby, TableFilter
from kontor.people.people import SESSION_DAYS
from kontor.people.values import Person, Scope, SessionInfo
from kontor.service.hints import Hint, Hints
from kontor.service.machines import Machines
from kontor.service.service import TableService
from kontor.storage.errors import (
    CannotOpen,
    InUse,
    NewerDatabase,
    NoAddress,
    NoDriver,
    NotADatabase,
    StorageFailure,
    Unwritable,
)
from kontor.tables.stored_results import StoredHint, StoredReview
from kontor.tables.table_views import TableView
from kontor.tables.values import (
    ChatLine,
    FairDiceInfo,
    Pace,
    Plan,
    SeatInfo,
    SeatPlan,
    SeatView,
    Share,
    TableInfo,
    VisibleStep,
)

__all__ = [
    "SESSION_DAYS",
    "BadCode",
    "BadInvitation",
    "BadLink",
    "BadName",
    "BadPasskey",
    "BadPlan",
    "BadText",
    "CannotOpen",
    "ChatLine",
    "Conflict",
    "FairDiceInfo",
    "FoundTables",
    "Hint",
    "Hints",
    "InUse",
    "Lobby",
    "Machines",
    "Malformed",
    "NewerDatabase",
    "NoAddress",
    "NoDriver",
    "NoHint",
    "NoSeat",
    "NoTable",
    "NotADatabase",
    "NotAllowed",
    "NotNow",
    "NotYourTurn",
    "Pace",
    "Person",
    "Plan",
    "Scope",
    "SeatInfo",
    "SeatPlan",
    "SeatTaken",
    "SeatView",
    "SessionInfo",
    "Share",
    "StoodIn",
    "StorageFailure",
    "StoredHint",
    "StoredReview",
    "TableFilter",
    "TableInfo",
    "TableService",
    "TableView",
    "TooMany",
    "Unreadable",
    "Unwritable",
    "VisibleStep",
]
