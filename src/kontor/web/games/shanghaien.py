"""The tavern of Shanghaien: what its templates show, from a view, and the move that a form means.

Everything is seen from one side (Y2): whoever reads is *mine*, below and red with an anchor; the other is *theirs*,
above and blue with a wheel. A spectator looks over the shoulder of the first captain. The values here are plain; the
templates loop over them, and each sentence is already said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from kontor.game import OVER, Event, Refusal, Value
from kontor.shanghaien import SHANGHAIEN, Move, View
from kontor.shanghaien import words as said
from kontor.shanghaien.components import (
    JOKER,
    NATIONS,
    ROUNDS,
    ROW,
    TRICKS,
    VALUES,
    Card,
    End,
    Nation,
    Trick,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.shanghaien.rules import deal_out
from kontor.shanghaien.scoring import Crew, comparisons, totals
from kontor.shanghaien.state import Award, Both, Dice, Joker, Nudge, Number, Place, Reroll, Roll, Shanghai
from kontor.words import Words

NAME: Final = SHANGHAIEN.name

Side = Literal["mine", "theirs"]
Seen = tuple[int, Event, View, View]
"""A step as one reader knows it: its number, the event, and the views before and after."""

# ------------------------------------------------------------------------------------------------- moves as fields


def field_of(move: Move) -> str:
    """A move as the value of the field ``move``: ``place:5``, ``joker:nudge:F``."""
    match move:
        case Number(one_at):
            return f"number:{one_at}"
        case Place(die):
            return f"place:{die}"
        case Joker(trick, nation):
            return f"joker:{trick}:{nation}"
        case Nudge(die, to):
            return f"nudge:{die}:{to}"
        case _:
            return type(move).__name__.lower()


_DICE: Final = range(1, ROW + 1)

_ALL_MOVES: Final[tuple[Move, ...]] = (
    *(Roll(), Shanghai(), Both(), Reroll(), Number("left"), Number("right")),
    *[Place(die) for die in _DICE],
    *[Nudge(die, to) for die in _DICE for to in _DICE],
    *[Joker(trick, nation) for trick in TRICKS for nation in NATIONS],
)
_MOVES: Final[dict[str, Move]] = {field_of(move): move for move in _ALL_MOVES}
"""All that the field ``move`` can say; whether it is legal now is not asked here."""


def move_of(form: Mapping[str, str]) -> Move:
    """The move that a form means. Raises Refusal."""
    move = _MOVES.get(form.get("move", ""))
    if move is None:
        raise Refusal("S4", "That is no move of Shanghaien.")
    return move


# ---------------------------------------------------------------------------------------------- what is on the table


class Choice(Value, frozen=True):
    """A button: the value of its field ``move``, and what it says."""

    value: str
    text: str


class Face(Value, frozen=True):
    """A card as it is drawn: a sailor has a nation and a value, a dirty trick its dice trick."""

    text: str
    nation: Nation | None = None
    value: int = 0
    trick: Trick | None = None


class Lane(Value, frozen=True):
    """The dice of one player on one card. ``new`` are those that came since the reader's last move."""

    side: Side
    dice: int
    new: int
    text: str
    tally: int | None = None
    """The number that decided the card: dice, or ``by_pips`` those of the neighbouring cards. ``more``: it won."""
    by_pips: bool = False
    more: bool = False


class Stand(Value, frozen=True):
    """A card of the row with its dice; afterwards, who got it."""

    place: int
    face: Face
    number: int | None
    theirs: Lane
    mine: Lane
    lit: Side | None = None
    """Whose die just rolled would go here."""
    landing: Choice | None = None
    taker: Literal["mine", "theirs", "nobody"] | None = None
    why: str = ""


class Settled(Value, frozen=True):
    """A finished round: who got which card, and by which numbers (Y4)."""

    round: int
    title: str
    stands: tuple[Stand, ...]


class Plate(Value, frozen=True):
    """A player: the dice in the supply, the trick cards in hand, the captain, and the points so far."""

    side: Side
    name: str
    you: bool
    supply: int
    supply_text: str
    tricks: tuple[Face, ...]
    tricks_text: str
    at_row: bool
    captain_text: str
    to_move: bool
    points: str


class Rolled(Value, frozen=True):
    """One of the two dice just rolled, with what it can do."""

    place: int
    pips: int
    side: Side
    text: str
    choice: Choice | None


class Rail(Value, frozen=True):
    """One way to number the row: where the 1 is, and the numbers from left to right (Y3)."""

    end: Literal["left", "right"]
    choice: Choice
    numbers: tuple[tuple[int, bool], ...]


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
    lower: str
    jokers: tuple[Joining, ...]
    changes: tuple[Nudged, ...]
    play: Choice | None


class Ending(Value, frozen=True):
    """What shanghaiing now would bring."""

    choice: Choice
    forced: bool
    stands: tuple[Stand, ...]


class Cell(Value, frozen=True):
    """A player's sailors of a nation, and what they score as things stand."""

    strength: int
    points: int
    text: str


class Line(Value, frozen=True):
    """A line of the ledger (Y6)."""

    key: str
    name: str
    nation: Nation | None
    theirs: Cell
    mine: Cell
    cards: int
    worth: int
    to_come: str
    why: str


class Gang(Value, frozen=True):
    """The sailors of one nation in a crew, with the jokers laid there."""

    nation: Nation
    name: str
    faces: tuple[Face, ...]
    strength: int


class Company(Value, frozen=True):
    """A crew, for the overview (Y7)."""

    side: Side
    title: str
    gangs: tuple[Gang, ...]
    tricks: tuple[Face, ...]
    empty: str


class Coming(Value, frozen=True):
    """The cards of a nation, or the tricks, with those still to come (Y7)."""

    name: str
    nation: Nation | None
    faces: tuple[tuple[Face, bool], ...]
    text: str


class Board(Value, frozen=True):
    """The whole table."""

    mood: Literal["mine", "theirs", "over", "chance"]
    round: int
    rounds: int
    round_text: str
    theirs: Plate
    mine: Plate
    stands: tuple[Stand, ...]
    rails: tuple[Rail, ...]
    settled: Settled | None
    asks: str
    rolled: tuple[Rolled, ...]
    thrown: bool
    """Whether they were rolled since the reader's last move."""
    roll: Choice | None
    ending: Ending | None
    hand: tuple[TrickCard, ...]
    left: int
    left_text: str
    ledger: tuple[Line, ...]
    sums: Line
    crews: tuple[Company, ...]
    coming: tuple[Coming, ...]
    over: str
    winner: Side | None


# ------------------------------------------------------------------------------------------------------ the context


def context(
    words: Words, names: Sequence[str], view: View, moves: Sequence[Move], events: Sequence[Seen] = ()
) -> dict[str, Any]:
    """What ``table/shanghaien/board.html`` needs. ``moves`` are those of the reader: none while the other moves."""
    return {"board": _Reader(words, names, view, moves, events).board()}


class _Reader:
    """Whoever looks at the table."""

    def __init__(
        self, words: Words, names: Sequence[str], view: View, moves: Sequence[Move], events: Sequence[Seen]
    ) -> None:
        self.words = words
        self.names = names
        self.view = view
        self.me = view.seat or 0
        self.moves = moves if view.seat is not None and view.seat == view.mover else ()
        self.new = _new_dice(view, events)
        self.thrown = any(isinstance(event.action, Dice) for _, event, _, _ in events)

    def side(self, seat: int) -> Side:
        return "mine" if seat == self.me else "theirs"

    def seat(self, side: Side) -> int:
        return self.me if side == "mine" else 1 - self.me

    def face(self, card: Card) -> Face:
        text = said.card(self.words, card)
        if is_sailor(card):
            return Face(text, nation=nation_of(card), value=value_of(card))
        return Face(text, trick=_trick(card))

    def choice(self, move: Move, text: str) -> Choice | None:
        return Choice(field_of(move), text) if move in self.moves else None

    def board(self) -> Board:
        view = self.view
        crews = (self.company("theirs"), self.company("mine"))
        settled = self.settled()
        mood: Literal["mine", "theirs", "over", "chance"] = "chance"
        if view.mover >= 0:
            mood = self.side(view.mover)
        elif view.mover == OVER:
            mood = "over"
        winners = view.result.winners if view.result else ()
        return Board(
            mood=mood,
            round=view.round,
            rounds=ROUNDS,
            round_text=self.words.say("Round {round} of {rounds}", round=view.round, rounds=ROUNDS),
            theirs=self.plate("theirs"),
            mine=self.plate("mine"),
            stands=tuple(self.stands()),
            rails=tuple(self.rails()),
            settled=settled,
            asks=self.asks(),
            rolled=tuple(self.rolled()),
            thrown=self.thrown,
            roll=self.choice(Roll(), self.words.say("Roll two dice")),
            ending=self.ending(),
            hand=tuple(self.hand()),
            left=len(view.to_come),
            left_text=self.words.count("{n} card to come", "{n} cards to come", len(view.to_come)),
            ledger=tuple(self.ledger()),
            sums=self.sums(),
            crews=crews,
            coming=tuple(self.coming()),
            over=said.headline(self.words, self.names, view) if view.mover == OVER else "",
            winner=self.side(winners[0]) if len(winners) == 1 else None,
        )

    # ---- the row

    def stands(self) -> list[Stand]:
        """The row from left to right, with the dice on it."""
        view = self.view
        found = []
        for at, card in enumerate(view.row):
            number = {None: None, "left": at + 1, "right": ROW - at}[view.one_at]
            lit, landing = None, None
            if number and number in (view.roll or ()):
                lit = self.side(view.turn)
                landing = self.choice(Place(number), "")
            found.append(
                Stand(
                    place=at + 1,
                    face=self.face(card),
                    number=number,
                    theirs=self.lane("theirs", number),
                    mine=self.lane("mine", number),
                    lit=lit,
                    landing=landing,
                )
            )
        return found

    def lane(self, side: Side, number: int | None) -> Lane:
        seat = self.seat(side)
        dice = self.view.placed[seat][number - 1] if number else 0
        return Lane(side, dice, min(dice, self.new[seat, number or 0]), self.dice_text(seat, dice))

    def dice_text(self, seat: int, dice: int) -> str:
        if not dice:
            return ""
        return self.words.count("{name} has {n} die here.", "{name} has {n} dice here.", dice, name=self.names[seat])

    def settled(self) -> Settled | None:
        """The last round's overview, until the next roll (Y4)."""
        view = self.view
        if not view.awards or view.roll or any(map(any, view.placed)) or view.step not in ("row", "turn", "over"):
            return None
        number = view.round if view.step == "over" else view.round - 1
        title = self.words.say("Round {round} is over: who gets whom", round=number)
        return Settled(number, title, tuple(self.dealt(view.awards, view.awards_one_at)))

    def dealt(self, awards: Sequence[Award], one_at: End | None) -> list[Stand]:
        """How a row is dealt out, from left to right."""
        stands = [
            Stand(
                place=number,
                face=self.face(award.card),
                number=number,
                theirs=self.counted("theirs", award),
                mine=self.counted("mine", award),
                taker="nobody" if award.taker is None else self.side(award.taker),
                why=said.award(self.words, self.names, award),
            )
            for number, award in enumerate(awards, 1)
        ]
        return stands if one_at == "left" else stands[::-1]

    def counted(self, side: Side, award: Award) -> Lane:
        seat = self.seat(side)
        numbers = award.pips or award.dice
        tally = numbers[seat] if any(award.dice) else None
        text = self.dice_text(seat, award.dice[seat])
        return Lane(side, award.dice[seat], 0, text, tally, award.pips is not None, award.taker == seat)

    # ---- the players

    def plate(self, side: Side) -> Plate:
        view, words, seat = self.view, self.words, self.seat(side)
        name, crew = self.names[seat], view.crews[seat]
        supply = ROW - sum(view.placed[seat]) - (2 if view.roll and view.turn == seat else 0)
        if view.spent[seat]:
            captain = words.say("{name} has used the trick of this round: the captain stands at the row.", name=name)
        else:
            captain = words.say("{name} has not used a trick this round.", name=name)
        return Plate(
            side=side,
            name=name,
            you=seat == view.seat,
            supply=supply,
            supply_text=words.count("{n} die in the supply", "{n} dice in the supply", supply),
            tricks=tuple(self.face(trick) for trick in crew.tricks),
            tricks_text=words.count("{n} trick card in hand", "{n} trick cards in hand", len(crew.tricks)),
            at_row=view.spent[seat],
            captain_text=captain,
            to_move=view.mover == seat,
            points=words.count("{n} point", "{n} points", totals(view.crews)[seat]),
        )

    # ---- what can be done

    def asks(self) -> str:
        """One short line beside the choices; the headline of the page says the rest."""
        view, words = self.view, self.words
        if view.mover == OVER or not self.moves:
            return words.say("{name} is thinking.", name=self.names[view.mover]) if view.mover >= 0 else ""
        if view.step == "both":
            return words.say("Where is the 1? Then both dice are placed.")
        if view.step == "place":
            if not view.one_at:
                return words.say("Where is the 1? Choose a captain.")
            return words.say("Which die is placed?")
        if Roll() not in self.moves:
            return words.say("Fewer than two dice left: the round ends.")
        return words.say("Roll, or end the round?") if len(self.moves) > 1 else ""

    def rolled(self) -> list[Rolled]:
        view = self.view
        if not view.roll:
            return []
        side = self.side(view.turn)
        found = []
        for place, die in enumerate(view.roll, 1):
            text, choice = "", None
            if view.one_at:
                card = said.card(self.words, said.card_at(view, die))
                text = self.words.say("The {die} would go to {card}.", die=die, card=card)
                if view.roll[0] != view.roll[1] or place == 1:
                    sentence = self.words.say("Place the {die} on {card}", die=die, card=card)
                    choice = self.choice(Place(die), sentence)
            found.append(Rolled(place, die, side, text, choice))
        return found

    def rails(self) -> list[Rail]:
        """The two ways to number the row (Y3)."""
        said_by_end = {
            "left": self.words.say("The 1 is on the left"),
            "right": self.words.say("The 1 is on the right"),
        }
        found = []
        for move in self.moves:
            if isinstance(move, Number):
                numbers = _DICE if move.one_at == "left" else reversed(_DICE)
                rolled = self.view.roll or ()
                choice = Choice(field_of(move), said_by_end[move.one_at])
                found.append(Rail(move.one_at, choice, tuple((number, number in rolled) for number in numbers)))
        return found

    def hand(self) -> list[TrickCard]:
        """The reader's trick cards, one of each kind, with what each half can do now."""
        words = self.words
        tricks = Counter(self.view.crews[self.me].tricks)
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
                lower=lower[trick],
                jokers=tuple(
                    self.joining(move) for move in self.moves if isinstance(move, Joker) and move.trick == trick
                ),
                changes=tuple(
                    self.nudged(move) for move in self.moves if isinstance(move, Nudge) and trick == "nudge"
                ),
                play=self.choice(plays[trick], lower[trick]) if trick in plays else None,
            )
            for trick in TRICKS
            if tricks[trick]
        ]

    def joining(self, move: Joker) -> Joining:
        crew, words = self.view.crews[self.me], self.words
        name = said.nation(words, move.nation)
        now = crew.strength(move.nation)
        text = words.say("{nation}: {now} become {then}", nation=name, now=now, then=now + JOKER)
        theirs = self.view.crews[1 - self.me].strength(move.nation)
        against = words.say("{name} has {strength}", name=self.names[1 - self.me], strength=theirs)
        return Joining(Choice(field_of(move), text), move.nation, against)

    def nudged(self, move: Nudge) -> Nudged:
        words = self.words
        text = words.say("The {die} becomes a {to}", die=move.die, to=move.to)
        card = said.card(words, said.card_at(self.view, move.to)) if self.view.one_at else ""
        return Nudged(Choice(field_of(move), text), "mine", move.die, move.to, card)

    def ending(self) -> Ending | None:
        view = self.view
        choice = self.choice(Shanghai(), self.words.say("Shanghai: end round {round}", round=view.round))
        if choice is None:
            return None
        cards = view.row if view.one_at == "left" else view.row[::-1]
        return Ending(choice, Roll() not in self.moves, tuple(self.dealt(deal_out(cards, view.placed), "left")))

    # ---- the ledger

    def ledger(self) -> list[Line]:
        """Every nation, and the tricks: the crews, what they score, and what is still to come (Y6)."""
        words, view = self.words, self.view
        lines = []
        for row in comparisons(view.crews):
            values = [value_of(card) for card in view.to_come if is_sailor(card) and nation_of(card) == row.nation]
            lines.append(
                Line(
                    key=row.nation,
                    name=said.nation(words, row.nation),
                    nation=row.nation,
                    theirs=self.cell(row.strengths, row.points, "theirs"),
                    mine=self.cell(row.strengths, row.points, "mine"),
                    cards=len(values),
                    worth=sum(values),
                    to_come=self.still(len(values), sum(values)),
                    why=said.comparison(words, self.names, row),
                )
            )
        tricks = len(view.crews[0].tricks), len(view.crews[1].tricks)
        left = sum(not is_sailor(card) for card in view.to_come)
        why = words.say("each unused one is a point")
        theirs, mine = self.cell(tricks, tricks, "theirs"), self.cell(tricks, tricks, "mine")
        still = self.still(left, left)
        return [*lines, Line("tricks", words.say("Tricks"), None, theirs, mine, left, left, still, why)]

    def sums(self) -> Line:
        view = self.view
        points = totals(view.crews)
        worth = sum(value_of(card) if is_sailor(card) else 1 for card in view.to_come)
        theirs, mine = self.cell(points, points, "theirs"), self.cell(points, points, "mine")
        count = len(view.to_come)
        return Line("total", self.words.say("Total"), None, theirs, mine, count, worth, self.still(count, worth), "")

    def cell(self, strengths: tuple[int, int], points: tuple[int, int], side: Side) -> Cell:
        seat = self.seat(side)
        text = self.words.count("{n} point", "{n} points", points[seat])
        return Cell(strengths[seat], points[seat], text)

    def still(self, cards: int, worth: int) -> str:
        cards_text = self.words.count("{n} card", "{n} cards", cards)
        points = self.words.count("{n} point", "{n} points", worth)
        return self.words.say("{cards}, {points}", cards=cards_text, points=points)

    # ---- the overviews

    def company(self, side: Side) -> Company:
        seat = self.seat(side)
        crew = self.view.crews[seat]
        gangs = [
            Gang(nation, said.nation(self.words, nation), tuple(self.gang(crew, nation)), crew.strength(nation))
            for nation in NATIONS
            if crew.strength(nation)
        ]
        return Company(
            side=side,
            title=self.words.say("The crew of {name}", name=self.names[seat]),
            gangs=tuple(gangs),
            tricks=tuple(self.face(trick) for trick in crew.tricks),
            empty=self.words.say("Nobody has signed on yet.") if not gangs and not crew.tricks else "",
        )

    def gang(self, crew: Crew, nation: Nation) -> list[Face]:
        sailors = sorted((card for card in crew.sailors if nation_of(card) == nation), key=value_of)
        jokers = [joker for joker in crew.jokers if joker.nation == nation]
        joker_text = self.words.say("a joker, counts as {n}", n=JOKER)
        return [
            *(self.face(card) for card in sailors),
            *(Face(joker_text, trick=joker.trick) for joker in jokers),
        ]

    def coming(self) -> list[Coming]:
        """The box, card by card, and which of them are still to come (Y7)."""
        words = self.words
        left = Counter(self.view.to_come)
        found = []
        for nation in NATIONS:
            faces = _marked([self.face(f"{nation}{value}") for value in VALUES], left, nation)
            values = [str(face.value) for face, there in faces if there]
            text = words.all_of(values) if values else words.say("none")
            found.append(Coming(said.nation(words, nation), nation, tuple(faces), text))
        tricks = [
            (self.face(trick), at < left[trick])
            for trick in TRICKS
            for at in range(getattr(self.view.options.tricks, trick))
        ]
        counts = [
            words.say("{count} × {trick}", count=left[trick], trick=said.trick(words, trick))
            for trick in TRICKS
            if left[trick]
        ]
        text = words.all_of(counts) if counts else words.say("none")
        return [*found, Coming(words.say("Tricks"), None, tuple(tricks), text)]


# --------------------------------------------------------------------------------------------------------- helpers


def _trick(card: Card) -> Trick:
    """A card that is no sailor, as the name of its dice trick."""
    return next(trick for trick in TRICKS if trick == card)


def _marked(faces: Sequence[Face], left: Counter[Card], nation: Nation) -> list[tuple[Face, bool]]:
    """The cards of a nation, each with whether it is still to come; of two alike, the second goes first."""
    before: Counter[int] = Counter()
    marked = []
    for face in faces:
        marked.append((face, before[face.value] < left[f"{nation}{face.value}"]))
        before[face.value] += 1
    return marked


def _new_dice(view: View, events: Sequence[Seen]) -> Counter[tuple[int, int]]:
    """By seat and number: dice that were placed in this round since the reader's last move."""
    new: Counter[tuple[int, int]] = Counter()
    for _, _, before, after in events:
        if before.round != view.round or after.round != view.round:
            continue
        for seat in (0, 1):
            for number, (was, now) in enumerate(zip(before.placed[seat], after.placed[seat], strict=True), 1):
                if now > was and seat != view.seat:
                    new[seat, number] += now - was
    return new
