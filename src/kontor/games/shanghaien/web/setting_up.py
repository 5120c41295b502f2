"""The form for setting up a position of Shanghaien.

Cards that are nowhere in it are shuffled: as many as the round needs are still to come, the others left the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from msgspec import convert

from kontor.game import Refusal
from kontor.games.shanghaien.analysis import Setup, setup_of
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, View
from kontor.games.shanghaien.rules.components import NATIONS, ROUNDS, ROW, TRICKS, VALUES, Card, Trick, whole_deck
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from kontor.games.shanghaien.rules.state import Numbers
from kontor.games.shanghaien.words import card, nation, trick
from kontor.web.adapter import PositionForm, SettingUp
from kontor.words import Words

_SAILORS: Final = tuple(dict.fromkeys(f"{nation}{value}" for nation in NATIONS for value in VALUES))
_CARDS: Final[tuple[Card, ...]] = (*_SAILORS, *TRICKS)
_MOST_DICE: Final = 30
"""The most characters read from a field of dice."""


def _choices(words: Words, form: Mapping[str, str]) -> dict[str, Any]:
    return {
        "cards": {which: card(words, which) for which in _CARDS},
        "nations": {which: nation(words, which) for which in NATIONS},
        "values": tuple(dict.fromkeys(VALUES)),
        "tricks": {which: trick(words, which) for which in TRICKS},
        "rounds": range(1, ROUNDS + 1),
        "places": range(ROW),
    }


def _count(form: Mapping[str, str], name: str) -> int:
    given = form.get(name, "").strip() or "0"
    if not (given.isascii() and given.isdigit() and len(given) < 3):
        raise Refusal("S2", "How many cards there are is a whole number.")
    return int(given)


def _seat(form: Mapping[str, str], name: str) -> int:
    return int(form.get(name) == "1")


def _dice(form: Mapping[str, str], name: str) -> list[int]:
    """Return the numbers of a field of dice, sorted; it is written as ``1 3 3`` or ``133``. Raises Refusal."""
    given = form.get(name, "").replace(",", " ")[:_MOST_DICE]
    dice = [*"".join(given.split())]
    if not all("1" <= die <= str(ROW) for die in dice):
        raise Refusal("S6", "“{given}” are not dice: write numbers from 1 to 6.", given=given)
    return sorted(map(int, dice))


def _read_placed(form: Mapping[str, str], name: str) -> Numbers:
    dice = _dice(form, name)
    placed: Numbers = convert([dice.count(number) for number in range(1, ROW + 1)], Numbers)
    return placed


def _crew(form: Mapping[str, str], seat: int, tricks: list[Trick]) -> Crew:
    """Return a crew. Jokers are taken from ``tricks``, the trick cards that are nowhere else. Raises Refusal."""
    sailors = tuple(which for which in _SAILORS for _ in range(_count(form, f"crew{seat}-{which}")))
    held = tuple(sorted(which for which in TRICKS for _ in range(_count(form, f"crew{seat}-{which}"))))
    jokers = []
    for sailors_of in NATIONS:
        for _ in range(_count(form, f"crew{seat}-joker-{sailors_of}")):
            if not tricks:
                raise Refusal("S2", "There are only eight trick cards.")
            jokers.append(LaidJoker(tricks.pop(), sailors_of))
    return Crew(sailors, tuple(jokers), held)


def _position(form: Mapping[str, str]) -> PositionForm:
    options = Options()
    deck = whole_deck(options.tricks)
    row = tuple(which for place in range(ROW) if (which := form.get(f"row{place}", "")) in _CARDS)
    round_ = _count(form, "round")
    # Jokers are taken from the trick cards that neither captain holds.
    rest: list[Trick] = []
    for trick_card in TRICKS:
        held = _count(form, f"crew0-{trick_card}") + _count(form, f"crew1-{trick_card}")
        rest += [trick_card] * (deck.count(trick_card) - row.count(trick_card) - held)
    crews = _crew(form, 0, rest), _crew(form, 1, rest)
    left = Counter(deck)
    left.subtract(
        [
            *row,
            *(which for crew in crews for which in (*crew.sailors, *crew.tricks)),
            *(joker.trick for crew in crews for joker in crew.jokers),
        ]
    )
    loose = sorted(left.elements())
    gone = len(loose) - (len(deck) - ROW * (round_ if row else round_ - 1))
    if gone < 0:
        raise Refusal(
            "S3", "In round {round} {count} cards are still to come.", round=round_, count=len(loose) - gone
        )
    dice = _dice(form, "roll")
    if dice and len(dice) != 2:
        raise Refusal("S6", "Two dice are rolled, and then placed.")
    luck = Random(f"{sorted(form.items())}")
    starter, turn = _seat(form, "starts"), _seat(form, "turn")
    one_at = form.get("one_at")
    setup = Setup(
        round=round_,
        starter=starter,
        turn=turn if row else starter,
        step=("place" if dice else "turn") if row else "row",
        row=row,
        one_at="left" if one_at == "left" else "right" if one_at == "right" else None,
        placed=(_read_placed(form, "placed0"), _read_placed(form, "placed1")),
        roll=(dice[0], dice[1]) if dice else None,
        spent=(form.get("spent0") == "yes", form.get("spent1") == "yes"),
        crews=crews,
        gone=tuple(sorted(luck.sample(loose, gone))),
    )
    return PositionForm(options, setup)


def _fields(view: View) -> dict[str, str]:
    """Return the fields of the form for a position; in this game every seat sees all of it."""
    setup = setup_of(SHANGHAIEN.imagine(view, Random(0).randrange))
    if setup is None:
        return {}
    fields = {
        "round": str(setup.round),
        "starts": str(setup.starter),
        "turn": str(setup.turn),
        "one_at": setup.one_at or "",
        "roll": " ".join(map(str, setup.roll or ())),
        **{f"row{place}": which for place, which in enumerate(setup.row)},
    }
    for seat in (0, 1):
        crew, numbers = setup.crews[seat], setup.placed[seat]
        fields[f"placed{seat}"] = " ".join(str(at + 1) for at, count in enumerate(numbers) for _ in range(count))
        fields |= {f"spent{seat}": "yes"} if setup.spent[seat] else {}
        counted = Counter((*crew.sailors, *crew.tricks, *(f"joker-{joker.nation}" for joker in crew.jokers)))
        fields |= {f"crew{seat}-{which}": str(count) for which, count in counted.items()}
    return fields


SETTING_UP: Final = SettingUp(_position, _fields, _choices)
