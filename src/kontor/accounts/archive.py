"""The data that a person can download: a ZIP of JSON, which ``docs/own-data.csv`` explains."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from typing import Any, Final, Protocol
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec

from kontor.accounts.own_data import Export
from kontor.errors import NotNow, Unreadable
from kontor.notifying.ways import Ways
from kontor.puzzles import progress
from kontor.records import encode
from kontor.studies.solving import Solving
from kontor.tables.reading import TableQueries
from kontor.words import Words, mark

FORMAT: Final = 1

_EXPLAINED: Final = {
    "person.json": mark("person.json: your name, your browsers, programs and passkeys, and how you are notified."),
    "tables.json": mark("tables.json: the tables you opened or sat at, as you see them."),
    "puzzles.json": mark("puzzles.json: how you solved puzzles, your level and your last answers."),
    "chat.json": mark("chat.json: what you wrote in the chat."),
    "messages.json": mark("messages.json: the messages that you wrote and received."),
    "notes.json": mark("notes.json: your private notes about tables."),
    "moves_ahead.json": mark("moves_ahead.json: the moves that you have given ahead and that are not played yet."),
    "ratings.json": mark("ratings.json: your ratings, their history, and what you show to others."),
    "tournaments.json": mark("tournaments.json: the tournaments you opened or took part in."),
    "records": mark("records: your finished games. “kontor replay” shows them."),
    "own_records": mark("own_records: the records you brought, and own_records.json: their names and links."),
}


class PersonDataSources(Protocol):
    """Parts of a server that hold the data of a person."""

    @property
    def export(self) -> Export:
        """Return the data of accounts, tables, ratings and tournaments."""

    @property
    def ways(self) -> Ways:
        """Return the settings of notifications."""

    @property
    def solving(self) -> Solving:
        """Return the progress with puzzles."""

    @property
    def tables(self) -> TableQueries:
        """Return the tables, for the records of finished games."""


def pack_data(words: Words, sources: PersonDataSources, person: str) -> bytes:
    """Return a person's data as a ZIP. Raises NotAllowed."""
    own = sources.export.of(person)
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", "\n".join([*map(words.say, _EXPLAINED.values()), ""]))
        person_data = {
            "format": FORMAT,
            "name": own.name,
            "created": own.created,
            "recovery_code": own.recovery_code,
            "mail": own.mail,
            "sessions": own.sessions,
            "passkeys": own.passkeys,
            "blocked": own.blocked,
            "reports": own.reports,
            "following": own.following,
            "challenges": own.challenges,
            "holidays": own.holidays,
            "clubs": own.clubs,
            "table_webhooks": own.table_webhooks,
            "writers": own.writers,
            "own_moves": own.own_moves,
            "seasons": own.seasons,
            "notifications": sources.ways.of(person),
        }
        archive.writestr("person.json", _json(person_data))
        archive.writestr("tables.json", _json(own.tables))
        archive.writestr("chat.json", _json(own.talk))
        archive.writestr("messages.json", _json(own.messages))
        archive.writestr("notes.json", _json(own.notes))
        archive.writestr("moves_ahead.json", _json(own.moves_ahead))
        archive.writestr("puzzles.json", _json(progress.decode(sources.solving.of(person))))
        ratings = {"profile": own.profile, "ratings": own.ratings, "curve": own.curve, "reviewed": own.reviewed}
        archive.writestr("ratings.json", _json(ratings))
        archive.writestr("tournaments.json", _json(own.tournaments))
        archive.writestr("own_records.json", _json([record for record, _ in own.records]))
        for record, data in own.records:
            archive.writestr(f"own_records/{record.id}.jsonl", data)
        for info in own.tables:
            if info.status == "over" and info.may_watch:
                # This version may not know the rules of the game, or other tables with the same dice still play.
                with suppress(Unreadable, NotNow):
                    archive.writestr(f"records/{info.id}.jsonl", encode(sources.tables.record(info.id)))
    return file.getvalue()


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)
