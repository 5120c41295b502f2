"""Seeds that are drawn before they are needed: of a person's next table, and of each table's rematch.

The commitment to such a seed is shown before anybody asks for the table. So no request that brings a share of the
dice makes the seed that the share is mixed with. A server gains nothing by trying shares or seeds.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, select, update

from kontor.errors import NotAllowed, NotNow
from kontor.fair import commitment, new_seed
from kontor.storage.schema import people, tables, tournaments


def of_person(db: Connection, person: str) -> bytes:
    """Return the seed of the next table that the person opens. Raises NotAllowed if there is no such person."""
    seed: bytes | None = db.scalar(select(people.c.next_seed).where(people.c.id == person))
    if seed is None:
        raise NotAllowed("", "There is no player with that id.")
    return seed


def take_of_person(db: Connection, person: str, expected: str) -> bytes:
    """Return the seed of the person's next table, and draw another for the one after.

    ``expected`` is the commitment that the person was shown, or "". Raises NotNow if that was for another table.
    """
    seed = of_person(db, person)
    if expected and expected != commitment(seed):
        raise NotNow("", "You have opened another table in the meantime: reload this page.")
    db.execute(update(people).where(people.c.id == person).values(next_seed=new_seed()))
    return seed


def take_of_table(db: Connection, table: str) -> bytes:
    """Return the seed of the table's rematch, and draw another."""
    seed: bytes = db.execute(select(tables.c.next_seed).where(tables.c.id == table)).scalar_one()
    db.execute(update(tables).where(tables.c.id == table).values(of_rematch()))
    return seed


def of_rematch() -> dict[str, Any]:
    """Return the columns of ``tables`` with a new seed."""
    seed = new_seed()
    return {"next_seed": seed, "next_commitment": commitment(seed)}


def redraw(db: Connection) -> None:
    """Draw all seeds anew in a database that is a copy.

    Since the copy was made, games may have been played with the seeds in it, and those are public.
    """
    is_owner: BindParameter[str] = bindparam("of")
    owners = db.scalars(select(people.c.id)).all()
    if owners:
        drawn = [{"of": person, "next_seed": new_seed()} for person in owners]
        db.execute(update(people).where(people.c.id == is_owner), drawn)
    open_ = db.scalars(select(tournaments.c.id).where(tournaments.c.status.in_(("open", "running")))).all()
    if open_:
        seeds = {tournament: new_seed() for tournament in open_}
        drawn = [
            {"of": tournament, "seed": seed, "commitment": commitment(seed)} for tournament, seed in seeds.items()
        ]
        db.execute(update(tournaments).where(tournaments.c.id == is_owner), drawn)
    played = db.scalars(select(tables.c.id)).all()
    if played:
        db.execute(update(tables).where(tables.c.id == is_owner), [{"of": table, **of_rematch()} for table in played])
