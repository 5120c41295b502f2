"""Previews that chats and other sites show beside a link to a table or a seat.

They name no person and are the same for all readers. Of a table without spectators they show only the game.
"""

from __future__ import annotations

from kontor.tables.values import TableInfo
from kontor.web.adapter import adapter_of
from kontor.web.pages.previews import Preview, image_of
from kontor.web.pages.render import Pages
from kontor.words import Words


def of_table(words: Words, pages: Pages, info: TableInfo, base: str) -> Preview:
    """Return the preview of a table: the game and, if spectators are allowed, how it stands."""
    description = _game(words, info)
    if info.watch:
        description = words.say("{first} {second}", first=_state(words, info), second=description)
    title = adapter_of(info.game).title
    return Preview(f"{title} – Kontor", description, f"{base}/tables/{info.id}", image_of(pages, base, info.game))


def of_invitation(words: Words, pages: Pages, info: TableInfo, seat: int, url: str, base: str) -> Preview:
    """Return the preview of a seat; if it is taken, only the game."""
    title, description = adapter_of(info.game).title, _game(words, info)
    if info.seats[seat].taken:
        return Preview(f"{title} – Kontor", description, url, image_of(pages, base, info.game))
    reserved = words.say("{first} {second}", first=words.say("A seat is kept for you."), second=description)
    return Preview(words.say("A seat for you – {game}", game=title), reserved, url, image_of(pages, base, info.game))


def _game(words: Words, info: TableInfo) -> str:
    adapter = adapter_of(info.game)
    return words.say("{first} {second}", first=words.say(adapter.invitation), second=words.say(adapter.summary))


def _state(words: Words, info: TableInfo) -> str:
    if info.status == "playing":
        return words.say("A game is being played here: you can watch.")
    if info.status == "over":
        return words.say("The game is over.")
    if any(seat.kind == "open" and not seat.taken for seat in info.seats):
        return words.say("A seat is waiting for you at this table.")
    return words.say("The game has not begun yet.")
