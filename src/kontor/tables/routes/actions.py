"""Actions of people at tables: the one list of them, for the forms of pages and for the calls of the API."""

from __future__ import annotations

from enum import Enum

from kontor.web.http.lanes import Lane


class TableAction(Enum):
    """Everything that people do at tables, with the form that does it, the call, and the limit it counts for.

    ``form`` is the last part of the form's address, or empty if the form is on another page; ``call`` is the method
    and the address of the API after that of the table, or empty if programs have no call of their own. ``spends`` is
    a kind of action in LIMITS.
    """

    MOVE = ("moves", "POST /moves", "move", Lane.MOVE)
    COMMAND = ("commands", "", "move", Lane.MOVE)
    UNDO = ("undo", "POST /undo", "move", Lane.MOVE)
    HINT = ("hint", "POST /hint", "hint")
    CHAT = ("chat", "POST /chat", "chat")
    SIT = ("sit", "POST /seats/{seat:int}", "join")
    SIT_ANYWHERE = ("", "POST /seats", "join")  # people follow the link of the invitation to the table
    REVEAL = ("reveal", "POST /salt", "join")
    BEGIN = ("begin", "POST /begin", "join")
    FILL = ("fill", "POST /seats/{seat:int}/machine", "join")
    FILL_REST = ("fill-rest", "", "join")
    INVITE = ("invitations", "POST /seats/{seat:int}/invitation", "join")
    INVITE_TO_TABLE = ("invitation", "POST /invitation", "join")
    CHANGE_PACE = ("pace", "", "join")
    LEAVE = ("leave", "DELETE /seats", "join")
    STAND_IN = ("stand-in", "POST /seats/{seat:int}/stand-in", "join")
    COME_BACK = ("come-back", "POST /seats/{seat:int}/come-back", "join")
    RESIGN = ("resign", "POST /seats/{seat:int}/resign", "join")
    CLAIM = ("claim", "POST /seats/{seat:int}/claim", "join")
    PROPOSE = ("propose", "POST /end", "join")
    AGREE = ("agree", "", "join")  # programs agree by the call that proposes
    DECLINE = ("decline", "DELETE /end", "join")
    GIVE_TIME = ("more-time", "POST /seats/{seat:int}/time", "join")
    PROPOSE_PAUSE = ("propose-pause", "POST /pause", "join")
    AGREE_TO_PAUSE = ("agree-pause", "", "join")  # as above
    DECLINE_PAUSE = ("decline-pause", "", "join")  # programs decline by the call that ends a pause
    END_PAUSE = ("resume", "DELETE /pause", "join")
    PROPOSE_UNDO = ("propose-undo", "POST /take-back", "join")
    AGREE_TO_UNDO = ("agree-undo", "", "join")  # programs agree by the call that proposes
    DECLINE_UNDO = ("decline-undo", "DELETE /take-back", "join")
    GIVE_AHEAD = ("give-ahead", "POST /ahead", "move")
    DROP_AHEAD = ("drop-ahead", "DELETE /ahead", "move")
    REMATCH = ("rematch", "POST /rematch", "open")
    DECLINE_REMATCH = ("no-rematch", "DELETE /rematch", "join")

    def __init__(self, form: str, call: str, spends: str, lane: Lane = Lane.ACT) -> None:
        self.form = form
        self.call = call
        self.spends = spends
        self.lane = lane
