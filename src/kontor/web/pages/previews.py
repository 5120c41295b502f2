"""Previews that chats and other sites show beside a link to us (Open Graph).

They name no person and are the same for all readers. Of a table without spectators they show only the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from kontor.web.adapter import web_adapters
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
    return Preview(words.say("Kontor: good games with friends"), description, f"{base}/", image_of(pages, base, ""))


def image_of(pages: Pages, base: str, game: str) -> str:
    """Return the address of the game's own image if it has one, else of the general one."""
    own = f"{game}-preview.png"
    return base + pages.assets.address(own if pages.has(own) else "preview.png")
