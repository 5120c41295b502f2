"""My side of the bar: what I rolled, the tricks I could use, and the bell."""

from __future__ import annotations

from collections import Counter

from kontor.game import OVER, Value
from kontor.games.shanghaien import words as said
from kontor.games.shanghaien.rules import Move
from kontor.games.shanghaien.rules.components import JOKER, TRICKS, Nation, Trick
from kontor.games.shanghaien.rules.play import deal_out
from kontor.games.shanghaien.rules.state import Both, Joker, Nudge, Place, Reroll, Roll, Shanghai
from kontor.games.shanghaien.web.moves import Choice, field_of
from kontor.games.shanghaien.web.reader import Reader, Side
from kontor.games.shanghaien.web.row import Stand, dealt


class Rolled(Value, frozen=True):
    """One of the two dice just rolled, with what it can do."""

    place: int
    pips: int
    side: Side
    text: str
    choice: Choice | None


class Joining(Value, frozen=True):
    """What a joker would make of one nation."""

    choice: Choice
    nation: Nation
    text: str


class Nudged(Value, frozen=True):
    """What a nudge would make of one die."""

    choice: Choice
    side: Side
    die: int
    to: int
    text: str


class TrickCard(Value, frozen=True):
    """Trick cards of one kind in the reader's hand, with two halves (Y5)."""

    trick: Trick
    count: int
    upper: str
    upper_why: str
    """Why the half cannot be played now; empty where it can be. So for the lower one."""
    lower: str
    lower_why: str
    jokers: tuple[Joining, ...]
    changes: tuple[Nudged, ...]
    play: Choice | None


class Ending(Value, frozen=True):
    """What shanghaiing now would bring."""

    choice: Choice
    forced: bool
    stands: tuple[Stand, ...]


def asks(reader: Reader) -> str:
    """One short line beside the choices; the headline of the page says the rest."""
    view, words = reader.view, reader.words
    if view.mover == OVER or not reader.moves:
        return words.say("{name} is thinking.", name=reader.names[view.mover]) if view.mover >= 0 else ""
    if view.step == "both":
        return words.say("Where is the 1? Then both dice are placed.")
    if view.step == "place":
        if not view.one_at:
            return words.say("Where is the 1? Choose a captain.")
        return words.say("Which die is placed?")
    if Roll() not in reader.moves:
        return words.say("Fewer than two dice left: the round ends.")
    return words.say("Roll, or end the round?") if len(reader.moves) > 1 else ""


def rolled(reader: Reader) -> list[Rolled]:
    view = reader.view
    if not view.roll:
        return []
    side = reader.side(view.turn)
    found = []
    for place, die in enumerate(view.roll, 1):
        text, choice = "", None
        if view.one_at:
            card = said.card(reader.words, said.card_at(view, die))
            text = reader.words.say("The {die} would go to {card}.", die=die, card=card)
            if view.roll[0] != view.roll[1] or place == 1:
                sentence = reader.words.say("Place the {die} on {card}", die=die, card=card)
                choice = reader.choice(Place(die), sentence)
        found.append(Rolled(place, die, side, text, choice))
    return found


def no_trick(reader: Reader) -> str:
    """Why the reader can play no trick at all now (S8); empty if they can."""
    view = reader.view
    if view.spent[reader.me]:
        return reader.words.say("You have used your trick of this round.")
    if view.mover != view.seat or view.step != "place":
        return reader.words.say("Tricks are played directly after your own roll.")
    return ""


def hand(reader: Reader) -> list[TrickCard]:
    """The reader's trick cards, one of each kind, with what each half can do now, or why it cannot."""
    words, why = reader.words, no_trick(reader)
    no_sailors = "" if reader.view.crews[reader.me].nations else words.say("You have no sailors yet.")
    tricks = Counter(reader.view.crews[reader.me].tricks)
    lower = {
        "nudge": words.say("Nudge one die by 1"),
        "both": words.say("Place both dice"),
        "reroll": words.say("Roll both again"),
    }
    plays: dict[Trick, Move] = {"both": Both(), "reroll": Reroll()}
    return [
        TrickCard(
            trick=trick,
            count=tricks[trick],
            upper=words.say("Joker: two more sailors"),
            upper_why=why or no_sailors,
            lower=lower[trick],
            lower_why=why,
            jokers=tuple(
                _joining(reader, move) for move in reader.moves if isinstance(move, Joker) and move.trick == trick
            ),
            changes=tuple(
                _nudged(reader, move) for move in reader.moves if isinstance(move, Nudge) and trick == "nudge"
            ),
            play=reader.choice(plays[trick], lower[trick]) if trick in plays else None,
        )
        for trick in TRICKS
        if tricks[trick]
    ]


def _joining(reader: Reader, move: Joker) -> Joining:
    crew, words = reader.view.crews[reader.me], reader.words
    name = said.nation(words, move.nation)
    now = crew.strength(move.nation)
    text = words.say("{nation}: {now} become {then}", nation=name, now=now, then=now + JOKER)
    theirs = reader.view.crews[1 - reader.me].strength(move.nation)
    against = words.say("{name} has {strength}", name=reader.names[1 - reader.me], strength=theirs)
    return Joining(Choice(field_of(move), text), move.nation, against)


def _nudged(reader: Reader, move: Nudge) -> Nudged:
    words = reader.words
    text = words.say("The {die} becomes a {to}", die=move.die, to=move.to)
    card = said.card(words, said.card_at(reader.view, move.to)) if reader.view.one_at else ""
    return Nudged(Choice(field_of(move), text), "mine", move.die, move.to, card)


def ending(reader: Reader) -> Ending | None:
    view = reader.view
    choice = reader.choice(Shanghai(), reader.words.say("Shanghai: end round {round}", round=view.round))
    if choice is None:
        return None
    cards = view.row if view.one_at == "left" else view.row[::-1]
    return Ending(choice, Roll() not in reader.moves, tuple(dealt(reader, deal_out(cards, view.placed), "left")))
