"""Texts of notifications, in the reader's language: the game, who moved or won, and a link."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Final

from kontor.endings import describe_early_end
from kontor.game import Value
from kontor.notifying.due_rows import EndedGame, Notification, TablePost, WaitingTable
from kontor.notifying.values import WayKind, WebhookForm
from kontor.people.texts import name_said
from kontor.players.levels import marked, seat_name
from kontor.tables.values import Mail, MailLink
from kontor.words import Words

TitleOf = Callable[[str], str]
"""Returns the title of a game, by its name."""

_DAYS: Final = 48
"""From this many hours on, the remaining time is given in days."""

_MOST_LISTED: Final[dict[WayKind, int]] = {"discord": 12, "push": 4}
"""The most tables that a summary lists where messages are short; it counts the others.

Discord takes 2,000 characters, Web Push 4 KB. Mails and webhooks list all.
"""


class TablePostText(Value, frozen=True):
    """A post to the webhook of a table, in the form that its receiver takes."""

    form: WebhookForm
    mention: str
    """The id of the person to mention; empty if nobody is mentioned."""
    seat: int | None
    """The seat to move; None at the end."""
    state: str
    """The state that it tells, by which it is told once."""


class Message(Value, frozen=True):
    """A notification as it is sent.

    ``id`` stays the same in every attempt. Notifications of which only the last matters share a ``topic``.
    """

    id: str
    occasion: str
    address: str
    secret: str
    mail: Mail
    game: str = ""
    table: str = ""
    topic: str = ""
    waiting: int | None = None
    """At how many tables it is the person's turn, for the badge of the app; None if unknown."""
    post: TablePostText | None = None
    """The post to the webhook of a table; None for all other messages."""


@cache
def _words(language: str) -> Words:
    return Words(language)


def message_of(notification: Notification, base: str, title_of: TitleOf, stop: str) -> Message:
    """Return a notification as a message in the person's language.

    ``base`` is the server's address, ``stop`` the token by which the person can end the way.
    """
    words = _words(notification.language)
    table = notification.table
    played = table.game if table else notification.wanted
    game = title_of(played) if played else ""
    subject, paragraphs = _describe(words, notification, game)
    links = _links(words, notification, base, title_of)
    link, label = _link(words, notification, base)
    footer = (
        words.say(
            "You get this because you asked Kontor to tell you: {settings}",
            settings=f"{base}/you?open=notifications#notifications",
        ),
        words.say("Stop these messages: {link}", link=f"{base}/unsubscribe/{stop}"),
    )
    mail = Mail(
        *(notification.address, subject, paragraphs, label, link, footer),
        unsubscribe=f"{base}/unsubscribe/{stop}",
        links=links,
    )
    occasion = notification.due.occasion
    topic = table.id if table and occasion in ("turn", "round", "reminder") else notification.due.id
    return Message(
        notification.due.id,
        occasion,
        notification.address,
        notification.secret,
        mail,
        played,
        table.id if table else "",
        topic,
        notification.waiting,
    )


def table_message(post: TablePost, base: str, title_of: TitleOf) -> Message:
    """Return a post to the webhook of a table as a message; ``base`` is the server's address."""
    words, game = _words(post.language), title_of(post.game)
    paragraphs = _paragraphs(*_describe_result(words, post.ending)) if post.ending else ()
    if post.mover:
        subject = words.say("{name} is to move: {game}", name=post.mover, game=game)
    else:
        subject = words.say("The game is over: {game}", game=game)
    mail = Mail("", subject, paragraphs, url=f"{base}/tables/{post.table}")
    text = TablePostText(post.form, post.mention, post.seat, post.state)
    # A later try may tell a later state. A receiver that drops ids it has seen must take it for another message.
    id_ = sha256(f"{post.due.id} {post.state}".encode()).hexdigest()[:32]
    return Message(id_, "table", post.address, post.secret, mail, post.game, post.table, post=text)


def mail_message(id_: str, mail: Mail) -> Message:
    """Return the message for a mail whose text is complete already."""
    return Message(id_, "mail", mail.to, "", mail, topic=id_)


def _link(words: Words, notification: Notification, base: str) -> tuple[str, str]:
    """Return where the message leads, and the label of the link."""
    occasion, table = notification.due.occasion, notification.table
    if occasion in ("challenge", "counter"):
        return f"{base}/", words.say("To the challenge")
    if occasion == "message":
        return f"{base}/messages/{notification.conversation}", words.say("Read the message")
    if occasion == "place":
        return f"{base}/tournaments/{notification.tournament}", words.say("To the tournament")
    if table is not None:
        return f"{base}/tables/{table.id}", words.say("To the table")
    return f"{base}/", words.say("To the lobby") if occasion == "followed" else words.say("To my tables")


def _describe(words: Words, notification: Notification, game: str) -> tuple[str, tuple[str, ...]]:
    """Return the subject, and the paragraphs of the text."""
    table, name = notification.table, notification.moved
    if notification.due.occasion in ("followed", "challenge", "counter", "declined", "message"):
        return _describe_person(words, notification, game)
    time_left = "" if table is None else _time_left(words, table)
    match notification.due.occasion:
        case "turn":
            moved = words.say("{name} has moved.", name=name) if name else ""
            return words.say("Your turn: {game}", game=game), _paragraphs(
                moved, words.say("It is your turn."), time_left
            )
        case "round":
            ready = words.say("A round of the tournament “{name}” has begun: your table is ready.", name=name)
            return words.say("Your table is ready: {game}", game=game), _paragraphs(ready, time_left)
        case "place":
            free = words.say("A place in the tournament “{name}” is yours: someone has left it.", name=name)
            return words.say("You are in: {name}", name=name), (free,)
        case "reminder" if table is not None and table.left is None:
            waits = words.say("The others have been waiting for your move for days.")
            soon = words.say("In two days they may claim the win, or bring in a computer player in your place.")
            return words.say("Your game is waiting for you: {game}", game=game), _paragraphs(waits, soon)
        case "reminder":
            waits = words.say("The others are waiting for your move.")
            return words.say("Your time is running out: {game}", game=game), _paragraphs(waits, time_left)
        case "over":
            result = _describe_ending(words, notification.ending) if notification.ending else ()
            see = words.say("See how it ended.")
            return words.say("The game is over: {game}", game=game), _paragraphs(*result, see)
        case "stood in":
            sits = words.say("Your time ran out, so a computer player is standing in for you. You can come back.")
            return words.say("A computer player stands in for you: {game}", game=game), (sits,)
        case "invited":
            asks = (
                words.say("{name} would like to play again. Your seat is kept for you.", name=name)
                if name
                else words.say("Your seat is kept for you.")
            )
            return words.say("A rematch: {game}", game=game), (asks,)
        case "daily":
            count = len(notification.tables)
            subject = words.count("A game is waiting for you", "{n} games are waiting for you", count)
            more = count - len(_listed_tables(notification))
            return subject, (words.count("… and one more.", "… and {n} more.", more),) if more else ()
    works = words.say("This is how Kontor will tell you that it is your turn.")
    return words.say("Kontor can reach you"), (works,)


def _describe_person(words: Words, notification: Notification, game: str) -> tuple[str, tuple[str, ...]]:
    """Return the subject and the paragraphs of news about a followed person, of a challenge, or of a message."""
    name = name_said(words, notification.moved)
    match notification.due.occasion:
        case "followed" if notification.table is None:
            now = words.say("You follow {name}, who is looking for someone to play with right now.", name=name)
            return words.say("{name} is looking for a game: {game}", name=name, game=game), (now,)
        case "followed":
            free = words.say("You follow {name}, who has just opened a table with a free seat.", name=name)
            return words.say("{name} has opened a table: {game}", name=name, game=game), (free,)
        case "challenge":
            answer = words.say("Accept, decline, or propose other terms. The challenge stands for a week.")
            return words.say("{name} challenges you: {game}", name=name, game=game), (answer,)
        case "message":
            answer = words.say("Read it and answer in Kontor.")
            return words.say("{name} has written to you", name=name), (answer,)
        case "counter":
            answer = words.say("Instead of your challenge, {name} proposes other terms.", name=name)
            return words.say("{name} proposes other terms: {game}", name=name, game=game), (answer,)
    return words.say("{name} has declined your challenge", name=name), (words.say("Perhaps another time."),)


def _describe_result(words: Words, ending: EndedGame) -> tuple[str, ...]:
    """Return the players and the result of a game, for others."""
    names = _names_of(words, ending)
    if ending.early:
        return (describe_early_end(words, names, ending.early),)
    winners = [names[seat] for seat in ending.winners]
    if len(winners) > 1:
        return (words.say("{names} share the win.", names=words.all_of(winners)),)
    return (words.say("{name} has won.", name=winners[0]),) if winners else ()


def _names_of(words: Words, ending: EndedGame) -> list[str]:
    return [
        marked(seat_name(words, name, player)) if player else name_said(words, name) for name, player in ending.names
    ]


def _describe_ending(words: Words, ending: EndedGame) -> tuple[str, ...]:
    """Return who has won, and against whom the person has played."""
    names = _names_of(words, ending)
    others = [name for seat, name in enumerate(names) if seat not in ending.own]
    opponents = words.say("Your opponents: {names}.", names=words.all_of(others)) if len(others) > 1 else ""
    if ending.early:
        return describe_early_end(words, names, ending.early), opponents
    if len(ending.winners) > 1:
        winners = words.all_of([names[seat] for seat in ending.winners])
        return words.say("{names} share the win.", names=winners), opponents
    (winner,) = ending.winners
    if winner in ending.own:
        against = words.say("You have won against {names}.", names=words.all_of(others))
        return (against if others else words.say("You have won."),)
    return words.say("{name} has won.", name=names[winner]), opponents


def _listed_tables(notification: Notification) -> tuple[WaitingTable, ...]:
    """Return the tables that a summary lists."""
    return notification.tables[: _MOST_LISTED.get(notification.kind)]


def _links(words: Words, notification: Notification, base: str, title_of: TitleOf) -> tuple[MailLink, ...]:
    """Return a line for each table that a summary lists."""
    return tuple(
        MailLink(_listed(words, table, title_of), f"{base}/tables/{table.id}")
        for table in _listed_tables(notification)
    )


def _paragraphs(*sentences: str) -> tuple[str, ...]:
    return (" ".join(filter(None, sentences)),)


def _listed(words: Words, table: WaitingTable, title_of: TitleOf) -> str:
    game, time_left = title_of(table.game), _time_left(words, table)
    return words.say("{game}: {left}", game=game, left=time_left) if time_left else game


def _time_left(words: Words, table: WaitingTable) -> str:
    if table.left is None:
        return ""
    if table.left >= _DAYS:
        return words.count("You have one day left.", "You have {n} days left.", table.left // 24)
    return words.count("You have one hour left.", "You have {n} hours left.", table.left)
