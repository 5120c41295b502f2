"""Previews that chats and other sites show beside a link to us (Open Graph).

They name no person and are the same for all readers. Of a table without spectators they show only the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from kontor.tables.values import TableInfo
from kontor.tournaments.values import TournamentInfo
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.render import Pages
from kontor.words import Words


@dataclass(frozen=True)
class Preview:
    """A preview. Its two addresses are absolute, because other sites read them."""

    title: str
    description: str
    url: str
    image: str


def of_server(words: Words, pages: Pages, base: str) -> Preview:
    """Return the preview of the lobby: the games of the server."""
    titles = words.all_of([adapter.title for adapter in web_adapters().values()])
    description = words.say(
        "{games} in the browser: with friends or computer players, live or turn-based.", games=titles
    )
    return Preview(words.say("Kontor: good games with friends"), description, f"{base}/", _image(pages, base, ""))


def of_table(words: Words, pages: Pages, info: TableInfo, base: str) -> Preview:
    """Return the preview of a table: the game and, if spectators are allowed, how it stands."""
    description = _game(words, info)
    if info.watch:
        description = words.say("{told} {more}", told=_state(words, info), more=description)
    title = adapter_of(info.game).title
    return Preview(f"{title} – Kontor", description, f"{base}/tables/{info.id}", _image(pages, base, info.game))


def of_invitation(words: Words, pages: Pages, info: TableInfo, seat: int, url: str, base: str) -> Preview:
    """Return the preview of a seat; if it is taken, only the game."""
    title, description = adapter_of(info.game).title, _game(words, info)
    if info.seats[seat].taken:
        return Preview(f"{title} – Kontor", description, url, _image(pages, base, info.game))
    reserved = words.say("{told} {more}", told=words.say("A seat is kept for you."), more=description)
    return Preview(words.say("A seat for you – {game}", game=title), reserved, url, _image(pages, base, info.game))


def of_tournament(words: Words, pages: Pages, info: TournamentInfo, base: str) -> Preview:
    """Return the preview of a tournament: the game, and how it stands.

    Its name is shown: it was chosen for all to read.
    """
    title = words.say("{name} – a tournament of {game}", name=info.name, game=adapter_of(info.game).title)
    description = words.say("A tournament is over: see how it went.")
    if info.joining:
        description = words.say("Join in: everyone plays every round.")
    elif info.status == "running":
        description = words.say("A tournament is being played here: you can watch.")
    return Preview(title, description, f"{base}/tournaments/{info.id}", _image(pages, base, info.game))


def of_puzzle(words: Words, pages: Pages, game: str, day: date | None, base: str, here: str) -> Preview:
    """Return the preview of a puzzle: the game and the day, but nothing of the answer."""
    title = adapter_of(game).title
    puzzle_title = words.say("{game}: a puzzle", game=title)
    if day:
        puzzle_title = words.say("{game}: puzzle of {day}", game=title, day=words.day(day))
    description = words.say("Find the best move: you are told what each is worth, and why.")
    return Preview(puzzle_title, description, f"{base}{here}", _image(pages, base, game))


def _game(words: Words, info: TableInfo) -> str:
    adapter = adapter_of(info.game)
    return words.say("{told} {more}", told=words.say(adapter.invitation), more=words.say(adapter.summary))


def _state(words: Words, info: TableInfo) -> str:
    if info.status == "playing":
        return words.say("A game is being played here: you can watch.")
    if info.status == "over":
        return words.say("The game is over.")
    if any(seat.kind == "open" and not seat.taken for seat in info.seats):
        return words.say("A seat is waiting for you at this table.")
    return words.say("The game has not begun yet.")


def _image(pages: Pages, base: str, game: str) -> str:
    """Return the address of the game's own image if it has one, else of the general one."""
    own = f"{game}-preview.png"
    return base + pages.assets.address(own if pages.has(own) else "preview.png")
