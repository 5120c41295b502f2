"""Acts about people, kept for the operator's account: by ids alone, without names or secrets."""

from __future__ import annotations

import logging
from typing import Final, Literal

from sqlalchemy import Connection, insert, select

from kontor.accounts.values import ActInfo
from kontor.storage.ids import new_id
from kontor.storage.schema import acts
from kontor.storage.stored_times import datetime_of
from kontor.storage.transactions import Change

_LOG = logging.getLogger(__name__)

OPERATOR: Final = "operator"

Act = Literal["leave", "delete", "rename", "suspend", "restore", "merge", "report", "handle", "code", "close"]

_MOST: Final = 1000


def note(change: Change, actor: str, act: Act, person: str) -> None:
    """Store and log an act of the operator or a person about a person, in the transaction in which it is done."""
    new = {"id": new_id(), "at": change.now, "actor": actor, "act": act, "person": person}
    change.db.execute(insert(acts).values(new))
    _LOG.info("an act about a person", extra={"act": act, "actor": actor, "person": person})


def acts_of(db: Connection, person: str | None = None) -> tuple[ActInfo, ...]:
    """Return the last acts, about one person or about all, newest first."""
    query = select(acts).order_by(acts.c.at.desc(), acts.c.id).limit(_MOST)
    if person is not None:
        query = query.where(acts.c.person == person)
    return tuple([ActInfo(datetime_of(row.at), row.actor, row.act, row.person) for row in db.execute(query)])
