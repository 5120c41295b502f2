"""The rules of Der fliegende Holländer once more, as kernels over rows of whole numbers (``layout``).

The parts work on one game, ``rows[game]``, and take it that what they are told is legal. The kernels go through the
games from ``start`` to ``stop``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Longs, Rows, Seats, Words
from kontor.batch.compiled import below, below_wide, compiled, lowest, luck_of, one_of, ones, whole, within
from kontor.batch.dutchman import layout
from kontor.batch.dutchman.layout import (
    ACCEPT,
    AGREED,
    BANKRUPT,
    DECLINE,
    EARNED,
    FIELDS,
    KEEP,
    KONTOR,
    LAY,
    LAY_COLUMN,
    LAYOUT,
    NAME,
    NONE,
    OPTIONS,
    OUTCOME,
    PAID,
    PASS,
    PILE,
    PROPOSE,
    PROPOSE_COLUMN,
    PUT,
    REVEALED,
    ROLLED_FOR,
    SAIL,
    SAILED,
    SHARED,
    SHOW,
    SMITH,
    UNDECIDED,
    WAYS,
    WITHHOLD,
)
from kontor.dutchman import components
from kontor.dutchman.components import CARDS, CASH, EXCHANGED, FEW, FIRST_CHEST, LAST_CHEST, RACK, SHARES
from kontor.game import CHANCE, OVER

(
    _STARTER, _DEAL, _LUCKY, _ACTION, _PUT, _SHARE, _SAIL, _NAME, _PROPOSE, _ANSWER, _AGAIN, _ROLLING, _SHOW, _SHUFFLE,
    _OVER,
) = range(len(layout.STEPS))  # fmt: skip
_DID_KONTOR, _DID_SMITH, _DID_LAY, _DID_PASS = range(len(layout.ACTIONS))

PLAYERS: Final = LAYOUT.at("players")
CIRCLES: Final = LAYOUT.at("circles")
SHIP: Final = LAYOUT.at("ship")
WAYS_FROM: Final = LAYOUT.at("ways")
STEP: Final = LAYOUT.at("step")
WAITING: Final = LAYOUT.at("waiting")
QUEUE: Final = LAYOUT.at("queue")
QUEUED: Final = LAYOUT.at("queued")
CASH_OF: Final = LAYOUT.at("cash")
KONTOR_OF: Final = LAYOUT.at("kontor")
SMITH_OF: Final = LAYOUT.at("smith")
SHARES_OF: Final = LAYOUT.at("shares")
RACK_GOLD: Final = LAYOUT.at("rack_gold")
RACK_SILVER: Final = LAYOUT.at("rack_silver")
LAY_GOLD: Final = LAYOUT.at("lay_gold")
LAY_SILVER: Final = LAYOUT.at("lay_silver")
LAID: Final = LAYOUT.at("laid")
KNOWN_GOLD: Final = LAYOUT.at("known_gold")
KNOWN_SILVER: Final = LAYOUT.at("known_silver")
AT_LEAST: Final = LAYOUT.at("at_least")
AT_MOST: Final = LAYOUT.at("at_most")
WENT_BANKRUPT: Final = LAYOUT.at("bankrupt")
ROUND: Final = LAYOUT.at("round")
ORDER: Final = LAYOUT.at("order")
IN_ORDER: Final = LAYOUT.at("in_order")
ACTIONS: Final = LAYOUT.at("actions")
ACTED: Final = LAYOUT.at("acted")
LUCKY: Final = LAYOUT.at("lucky")
DUTCHMAN: Final = LAYOUT.at("dutchman")
CAME_FROM: Final = LAYOUT.at("came_from")
STONES: Final = LAYOUT.at("stones")
COUNTER: Final = LAYOUT.at("counter")
IN_PILE: Final = LAYOUT.at("in_pile")
TOP: Final = LAYOUT.at("top")
PILE_OF: Final = LAYOUT.at("pile")
PUT_BY: Final = LAYOUT.at("put_by")
MIDDLE_GOLD: Final = LAYOUT.at("middle_gold")
MIDDLE_SILVER: Final = LAYOUT.at("middle_silver")
MIDDLE_KNOWN_GOLD: Final = LAYOUT.at("middle_known_gold")
MIDDLE_KNOWN_SILVER: Final = LAYOUT.at("middle_known_silver")
OUT_GOLD: Final = LAYOUT.at("out_gold")
OUT_SILVER: Final = LAYOUT.at("out_silver")
REVEALS: Final = LAYOUT.at("reveals")
NEAREST: Final = LAYOUT.at("nearest")
LAYS_SEEN: Final = LAYOUT.at("lays")
LAIN_IN: Final = LAYOUT.at("lain_in")
LAIN_SEAT: Final = LAYOUT.at("lain_seat")
LAIN_GOLD: Final = LAYOUT.at("lain_gold")
LAIN_SILVER: Final = LAYOUT.at("lain_silver")
READING: Final = LAYOUT.at("reading")
BARGAINING: Final = LAYOUT.at("bargaining")
TIED: Final = LAYOUT.at("tied")
TIE: Final = LAYOUT.at("tie")
NAMED: Final = LAYOUT.at("named")
NAMES: Final = LAYOUT.at("names")
CIRCLE: Final = LAYOUT.at("circle")
ASKED: Final = LAYOUT.at("asked")
PROPOSED: Final = LAYOUT.at("proposed")
PROPOSED_TO: Final = LAYOUT.at("proposed_to")
DUCATS: Final = LAYOUT.at("ducats")
ACCEPTED: Final = LAYOUT.at("accepted")
ROLLS: Final = LAYOUT.at("rolls")
ROLLED_SEAT: Final = LAYOUT.at("rolled_seat")
ROLLED: Final = LAYOUT.at("rolled")
HAPPENED: Final = LAYOUT.at("happened")
SHARED_EACH: Final = LAYOUT.at("shared_each")
SHARED_LEFT: Final = LAYOUT.at("shared_left")
ROLLED_FOR_IT: Final = LAYOUT.at("rolled_for")
AGREED_ON: Final = LAYOUT.at("agreed")
MOVERS: Final = LAYOUT.at("movers")
MOVING: Final = LAYOUT.at("moving")
VALUE: Final = LAYOUT.at("value")
HELD: Final = LAYOUT.at("held")
PAID_BY: Final = LAYOUT.at("paid")
BROKE: Final = LAYOUT.at("broke")
EARNER: Final = LAYOUT.at("earner")
EARNED_BY: Final = LAYOUT.at("earned")
OPTION_STARTER: Final = OPTIONS.at("starter")
OPTION_HOLLAND: Final = OPTIONS.at("holland")
SET_UP: Final = OPTIONS.at("starter")
"""The first so many numbers of the options stand in the row, too."""

WIDTH: Final = LAYOUT.width
COLOURS: Final = len(components.COLOURS)
SILVERS: Final = len(layout.SILVERS)
GOLD: Final = layout.GOLD
BOX: Final = len(components.HORSESHOES)

CHESTS: Final = np.array(components.CHESTS, np.int32)
TENS: Final = np.array(components.TENS, np.int32)
ONES: Final = np.array(components.ONES, np.int32)
HORSESHOES: Final = np.array(components.HORSESHOES, np.int32)
KINDS: Final = np.array(
    [layout.kind_of(horseshoe) if horseshoe in components.HORSESHOES else NONE for horseshoe in range(256)], np.int32
)
"""The kind of a horseshoe by its number: 0 to 3 silver, then gold; NONE where there is no such horseshoe."""
SILVER_NUMBERS: Final = np.array(layout.SILVERS, np.int32)
PAIR_ONE: Final = np.array([one for one, _ in layout.PAIRS], np.int32)
PAIR_OTHER: Final = np.array([other for _, other in layout.PAIRS], np.int32)
PAIRS: Final = len(layout.PAIRS)
NOTHING: Final = 255
DIE_SIDES: Final = len(components.TENS)


# ------------------------------------------------------------------------------------------- small things


@within
def _mover(rows: Rows, game: int) -> int:
    """Who is first of those still to act."""
    return rows[game, QUEUE + rows[game, QUEUED] - rows[game, WAITING]]


@within
def _queue(rows: Rows, game: int, first: int, many: int) -> None:
    """Those whose seats begin at ``first`` are to act."""
    for place in range(many):
        rows[game, QUEUE + place] = rows[game, first + place]
    rows[game, QUEUED] = many
    rows[game, WAITING] = many


@within
def _nobody(rows: Rows, game: int, step: int) -> None:
    """Chance is to act, or nobody any more."""
    rows[game, STEP] = step
    rows[game, QUEUED] = 0
    rows[game, WAITING] = 0


@within
def _golden(bits: int) -> int:
    """How many golden horseshoes these are."""
    return ones(np.uint64(bits))


@within
def _how_many(rows: Rows, game: int, gold: int, silver: int) -> int:
    """How many horseshoes lie together."""
    many = whole(_golden(rows[game, gold]))
    for kind in range(SILVERS):
        many += rows[game, silver + kind]
    return many


@within
def _pour(rows: Rows, game: int, gold: int, silver: int, to_gold: int, to_silver: int) -> None:
    """Horseshoes go to others, and none stay."""
    rows[game, to_gold] |= rows[game, gold]
    rows[game, gold] = 0
    for kind in range(SILVERS):
        rows[game, to_silver + kind] += rows[game, silver + kind]
        rows[game, silver + kind] = 0


@within
def _add(rows: Rows, game: int, gold: int, silver: int, horseshoe: int) -> None:
    """A horseshoe, by its number, goes to others."""
    kind = KINDS[horseshoe]
    if kind < SILVERS:
        rows[game, silver + kind] += 1
    else:
        rows[game, gold] |= 1 << (kind - SILVERS)


@within
def _ahead(rows: Rows, game: int) -> np.uint64:
    """Where the Dutchman may sail: a bit for each field (H8)."""
    bits = rows[game, WAYS_FROM + rows[game, DUTCHMAN]]
    back = rows[game, CAME_FROM]
    if back != NONE:
        bits &= ~(1 << back)
    return np.uint64(bits)


@within
def _ways_to_pay(rows: Rows, game: int) -> int:
    """In how many ways the tied players can divide their cash (H9)."""
    total = 0
    others = rows[game, TIE] - 1
    for place in range(others + 1):
        total += rows[game, CASH_OF + rows[game, TIED + place]]
    return _divisions(total, others)


@within
def _divisions(total: int, others: int) -> int:
    """In how many ways ducats can be divided among somebody and so many others."""
    ways = whole(1)
    for other in range(1, others + 1):
        ways = ways * (total + other) // other
    return ways


@within
def _lay_count(rows: Rows, game: int, seat: int) -> int:
    """How many different lays there are (H6c)."""
    many = whole(_golden(rows[game, RACK_GOLD + seat])) + 1
    for kind in range(SILVERS):
        many *= rows[game, RACK_SILVER + SILVERS * seat + kind] + 1
    return many - 1


# ------------------------------------------------------------------------------------------------ legal moves


@within
def _few(rows: Rows, game: int) -> tuple[int, np.uint64]:
    """The legal moves but for lays and proposals: the first number of their kind, and bits from there."""
    step = rows[game, STEP]
    if step == _ACTION:
        seat = _mover(rows, game)
        bits = (rows[game, KONTOR_OF + seat] > 0) << KONTOR | (rows[game, SMITH_OF + seat] > 0) << SMITH
        if _how_many(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat) < FEW:
            bits |= 1 << PASS
        return 0, np.uint64(bits)
    if step == _PUT:
        shares = SHARES_OF + COLOURS * _mover(rows, game)
        bits = 0
        for pair in range(PAIRS):
            one = rows[game, shares + PAIR_ONE[pair]]
            other = rows[game, shares + PAIR_OTHER[pair]]
            if one and other and (one > 1 or PAIR_ONE[pair] != PAIR_OTHER[pair]):
                bits |= 1 << pair
        return PUT, np.uint64(bits)
    if step == _SAIL:
        return SAIL, _ahead(rows, game)
    if step == _NAME:
        return NAME, _ahead(rows, game)
    if step == _PROPOSE:
        return 0, np.uint64(1 << WITHHOLD)
    if step == _ANSWER:
        return 0, np.uint64(1 << ACCEPT | 1 << DECLINE)
    if step == _AGAIN:
        return 0, np.uint64(1 << PASS)
    if step == _SHOW:
        shares = SHARES_OF + COLOURS * _mover(rows, game)
        bits = 1 << KEEP
        for colour in range(COLOURS):
            if rows[game, shares + colour]:
                bits |= 1 << (SHOW + colour)
        return 0, np.uint64(bits)
    return 0, np.uint64(0)


@within
def _many(rows: Rows, game: int) -> int:
    """How many lays or proposals there are."""
    step = rows[game, STEP]
    if step in (_ACTION, _AGAIN):
        return _lay_count(rows, game, _mover(rows, game))
    if step == _PROPOSE:
        return whole(ones(_ahead(rows, game))) * _ways_to_pay(rows, game)
    return 0


@within
def _lay_number(rows: Rows, game: int, number: int) -> int:
    """The action of the lay with a number from 0, in their order."""
    seat = _mover(rows, game)
    silver = RACK_SILVER + SILVERS * seat
    rest = number + 1
    digits = 0
    scale = 1
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        there = rows[game, silver + kind] + 1
        digits += scale * (rest % there)
        rest //= there
        scale *= 4 if kind % 2 == 0 else 14
    gold = np.uint64(rows[game, RACK_GOLD + seat])
    chosen = 0
    if rest:
        for _ in range(_golden(gold) - rest):
            gold &= gold - np.uint64(1)
        chosen = GOLD - whole(lowest(gold))
    return LAY + scale * chosen + digits


@within
def _proposal_number(rows: Rows, game: int, number: int) -> int:
    """The action of the proposal with a number from 0, in their order."""
    ways = _ways_to_pay(rows, game)
    to = _ahead(rows, game)
    for _ in range(number // ways):
        to &= to - np.uint64(1)
    return PROPOSE + WAYS * whole(lowest(to)) + number % ways


@within
def _nth(rows: Rows, game: int, number: int) -> int:
    """The legal action with a number from 0."""
    base, bits = _few(rows, game)
    few = whole(ones(bits))
    if number >= few:
        if rows[game, STEP] == _PROPOSE:
            return _proposal_number(rows, game, number - few)
        return _lay_number(rows, game, number - few)
    for _ in range(number):
        bits &= bits - np.uint64(1)
    return base + whole(lowest(bits))


@within
def _is_legal(rows: Rows, game: int, action: int) -> bool:
    step = rows[game, STEP]
    if action >= PROPOSE:
        to, way = divmod(action - PROPOSE, WAYS)
        return (
            step == _PROPOSE
            and to < FIELDS
            and ((_ahead(rows, game) >> np.uint64(to)) & np.uint64(1)) != 0
            and way < _ways_to_pay(rows, game)
        )
    if action >= LAY:
        return (step in (_ACTION, _AGAIN)) and action > LAY and _has(rows, game, action - LAY)
    base, bits = _few(rows, game)
    return action >= base and action - base < 64 and ((bits >> np.uint64(action - base)) & np.uint64(1)) != 0


@within
def _has(rows: Rows, game: int, lay: int) -> bool:
    """Whether the mover has the horseshoes of a lay."""
    seat = _mover(rows, game)
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = 4 if kind % 2 == 0 else 14
        if lay % base > rows[game, RACK_SILVER + SILVERS * seat + kind]:
            return False
        lay //= base
    return lay == 0 or (rows[game, RACK_GOLD + seat] >> (GOLD - lay)) & 1 != 0


# ------------------------------------------------------------------------------------------------ setting up


@within
def _begin(rows: Rows, game: int, options: Rows) -> None:
    """The state before the first outcome (H4)."""
    for place in range(WIDTH):
        rows[game, place] = 0
    for place in range(SET_UP):
        rows[game, PLAYERS + place] = options[place]
    players = options[0]
    starter = options[OPTION_STARTER]
    rows[game, STEP] = _STARTER if starter == NONE else _DEAL
    _first(rows, game, 0 if starter == NONE else starter)
    rows[game, ROUND] = 1
    rows[game, DUTCHMAN] = options[OPTION_HOLLAND]
    rows[game, CAME_FROM] = NONE
    rows[game, COUNTER] = FIRST_CHEST
    for colour in range(COLOURS):
        rows[game, STONES + colour] = FIRST_CHEST
    for seat in range(players):
        rows[game, CASH_OF + seat] = CASH
        rows[game, KONTOR_OF + seat] = CARDS
        rows[game, SMITH_OF + seat] = CARDS
        for colour in range(COLOURS):
            rows[game, AT_MOST + COLOURS * seat + colour] = min(SHARES, players - 1)


@within
def _first(rows: Rows, game: int, starter: int) -> None:
    """The order of play, clockwise from the starter (H5)."""
    players = rows[game, PLAYERS]
    for place in range(players):
        rows[game, ORDER + place] = (starter + place) % players
    rows[game, IN_ORDER] = players


@within
def _dealt(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """Shares and horseshoes are dealt (H4)."""
    players = rows[game, PLAYERS]
    shares = COLOURS * (players - 1)
    for place in range(shares):
        share = told[at, place]
        if place < SHARES * players:
            rows[game, SHARES_OF + COLOURS * (place // SHARES) + share] += 1
        else:
            rows[game, PILE_OF + place - SHARES * players] = share
            rows[game, PUT_BY + place - SHARES * players] = NONE
    rows[game, IN_PILE] = shares - SHARES * players
    for place in range(BOX):
        horseshoe = told[at, shares + place]
        if place < RACK * players:
            seat = place // RACK
            _add(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat, horseshoe)
        elif place < (RACK + 1) * players:
            _add(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, horseshoe)
        else:
            _add(rows, game, OUT_GOLD, OUT_SILVER, horseshoe)
    rows[game, STEP] = _LUCKY


# ---------------------------------------------------------------------------------------------------- actions


@within
def _chosen(rows: Rows, game: int, action: int) -> None:
    """Somebody has chosen what to do in this round (H6)."""
    rows[game, ACTIONS + rows[game, ACTED]] = action
    rows[game, ACTED] += 1


@within
def _kontor(rows: Rows, game: int, seat: int) -> None:
    """H6a: the top two shares of the pile are taken."""
    rows[game, KONTOR_OF + seat] -= 1
    _chosen(rows, game, _DID_KONTOR)
    for _ in range(EXCHANGED):
        rows[game, SHARES_OF + COLOURS * seat + rows[game, PILE_OF + rows[game, TOP]]] += 1
        rows[game, TOP] = (rows[game, TOP] + 1) % PILE
        rows[game, IN_PILE] -= 1
    most = rows[game, PLAYERS] - 1
    for colour in range(COLOURS):
        place = AT_MOST + COLOURS * seat + colour
        rows[game, place] = min(rows[game, place] + EXCHANGED, most)
    rows[game, STEP] = _PUT


@within
def _put(rows: Rows, game: int, seat: int, pair: int) -> None:
    """H6a: two shares go under the pile."""
    _put_under(rows, game, seat, PAIR_ONE[pair], seat)
    _put_under(rows, game, seat, PAIR_OTHER[pair], seat)
    for colour in range(COLOURS):
        place = COLOURS * seat + colour
        rows[game, AT_LEAST + place] = max(rows[game, AT_LEAST + place] - EXCHANGED, 0)
        rows[game, AT_MOST + place] = min(rows[game, AT_MOST + place], SHARES)
    _after_action(rows, game)


@within
def _put_under(rows: Rows, game: int, seat: int, colour: int, by: int) -> None:
    place = (rows[game, TOP] + rows[game, IN_PILE]) % PILE
    rows[game, SHARES_OF + COLOURS * seat + colour] -= 1
    rows[game, PILE_OF + place] = colour
    rows[game, PUT_BY + place] = by
    rows[game, IN_PILE] += 1


@within
def _lay(rows: Rows, game: int, seat: int, lay: int) -> None:
    """H6c, H10: horseshoes are laid face down; ``lay`` is the number of the action from LAY."""
    rows[game, LAID + seat] = 1
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = 4 if kind % 2 == 0 else 14
        rows[game, LAY_SILVER + SILVERS * seat + kind] = lay % base
        rows[game, RACK_SILVER + SILVERS * seat + kind] -= lay % base
        lay //= base
    gold = 0 if lay == 0 else 1 << (GOLD - lay)
    rows[game, LAY_GOLD + seat] = gold
    rows[game, RACK_GOLD + seat] ^= gold
    if rows[game, STEP] == _ACTION:
        _chosen(rows, game, _DID_LAY)
    _after_action(rows, game)


@within
def _after_action(rows: Rows, game: int) -> None:
    """The next player chooses or lays. After the last one the smiths share the middle (H6b), and all lays are
    revealed."""
    rows[game, WAITING] -= 1
    again = rows[game, STEP] == _AGAIN
    if rows[game, WAITING]:
        rows[game, STEP] = _AGAIN if again else _ACTION
        return
    if not again:
        smiths = _smiths(rows, game)
        middle = _how_many(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
        if smiths > 1 and middle >= smiths:
            _nobody(rows, game, _SHARE)
            return
        if smiths == 1 and middle:
            _take_all(rows, game, middle)
    _reveal(rows, game, again)


@within
def _smiths(rows: Rows, game: int) -> int:
    """How many played a Smith card in this round."""
    smiths = 0
    for place in range(rows[game, ACTED]):
        smiths += rows[game, ACTIONS + place] == _DID_SMITH
    return smiths


@within
def _take_all(rows: Rows, game: int, middle: int) -> None:
    """H6b: one smith takes all, and everybody saw what is known of the middle go to that rack."""
    place = 0
    while rows[game, ACTIONS + place] != _DID_SMITH:
        place += 1
    seat = rows[game, ORDER + place]
    _pour(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat)
    _pour(rows, game, MIDDLE_KNOWN_GOLD, MIDDLE_KNOWN_SILVER, KNOWN_GOLD + seat, KNOWN_SILVER + SILVERS * seat)
    _shared(rows, game, middle, 0)


@within
def _shared(rows: Rows, game: int, each: int, left: int) -> None:
    rows[game, HAPPENED] |= SHARED
    rows[game, SHARED_EACH] = each
    rows[game, SHARED_LEFT] = left


@within
def _share(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """H6b: several smiths share the middle; what is told goes part after part, in the order of play."""
    middle = _how_many(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
    each = middle // _smiths(rows, game)
    rows[game, MIDDLE_GOLD] = 0
    rows[game, MIDDLE_KNOWN_GOLD] = 0
    for kind in range(SILVERS):
        rows[game, MIDDLE_SILVER + kind] = 0
        rows[game, MIDDLE_KNOWN_SILVER + kind] = 0
    number = 0
    for place in range(rows[game, ACTED]):
        if rows[game, ACTIONS + place] == _DID_SMITH:
            seat = rows[game, ORDER + place]
            for _ in range(each):
                _add(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat, told[at, number])
                number += 1
    _shared(rows, game, each, middle - number)
    while number < middle:
        _add(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, told[at, number])
        number += 1
    _reveal(rows, game, False)


# --------------------------------------------------------------------------------------------------- steering


@within
def _reading(rows: Rows, game: int, seat: int) -> int:
    """H7: the best reading of a lay. Twenties and tens make every twentieth number between minus and plus their sum
    (every fortieth without a ten), ones and twos every second (every fourth without a one): the highest coarse sum
    that the fine ones can bring down to the lucky number, and then the best fine sum."""
    silver = LAY_SILVER + SILVERS * seat
    gold = rows[game, LAY_GOLD + seat]
    golden = 21 + whole(lowest(np.uint64(gold))) if gold else 0
    coarse = 20 * rows[game, silver] + 10 * rows[game, silver + 1]
    coarse_step = 20 if rows[game, silver + 1] else 40
    fine = 2 * rows[game, silver + 2] + rows[game, silver + 3]
    fine_step = 2 if rows[game, silver + 3] else 4
    room = rows[game, LUCKY] - golden
    limit = room + fine
    if limit < -coarse:
        return 0
    best = coarse if limit >= coarse else limit - (limit + coarse) % coarse_step
    limit = room - best
    best += fine if limit >= fine else limit - (limit + fine) % fine_step
    return max(best + golden, 0)


@within
def _reveal(rows: Rows, game: int, again: bool) -> None:
    """H8: all lays are turned over; the horseshoes go to the middle. Nobody laid: they roll for it (H10, H10b)."""
    who = TIED if again else ORDER
    contenders = rows[game, TIE] if again else rows[game, IN_ORDER]
    best = 0
    nearest = 0
    many = 0
    for place in range(contenders):
        seat = rows[game, who + place]
        if rows[game, LAID + seat]:
            many += 1
            reading = _reading(rows, game, seat)
            if reading > best:
                best = reading
                nearest = 0
            if reading == best:
                nearest |= 1 << seat
            _turn_over(rows, game, seat, reading)
    rows[game, BARGAINING] = 0
    if not many:
        _queue(rows, game, who, contenders)
        rows[game, ROLLS] = 0
        rows[game, STEP] = _ROLLING
        return
    rows[game, NEAREST + rows[game, REVEALS]] = nearest
    rows[game, REVEALS] += 1
    rows[game, HAPPENED] |= REVEALED
    tie = 0
    for place in range(contenders):
        seat = rows[game, who + place]
        if (nearest >> seat) & 1:
            rows[game, QUEUE + tie] = seat
            tie += 1
    rows[game, QUEUED] = tie
    rows[game, WAITING] = tie
    if tie == 1:
        rows[game, STEP] = _SAIL
        return
    for place in range(tie):
        rows[game, TIED + place] = rows[game, QUEUE + place]
    rows[game, TIE] = tie
    rows[game, BARGAINING] = 1
    rows[game, NAMES] = 0
    rows[game, CIRCLE] = 1
    rows[game, ASKED] = 0
    rows[game, PROPOSED] = 0
    rows[game, ACCEPTED] = 0
    rows[game, STEP] = _NAME


@within
def _turn_over(rows: Rows, game: int, seat: int, reading: int) -> None:
    """A lay is seen by all, and goes to the middle."""
    lain = rows[game, LAYS_SEEN]
    rows[game, LAYS_SEEN] = lain + 1
    gold = rows[game, LAY_GOLD + seat]
    rows[game, LAIN_IN + lain] = rows[game, REVEALS]
    rows[game, LAIN_SEAT + lain] = seat
    rows[game, READING + lain] = reading
    rows[game, LAIN_GOLD + lain] = whole(lowest(np.uint64(gold))) + 1 if gold else 0
    rows[game, KNOWN_GOLD + seat] &= ~gold
    rows[game, MIDDLE_GOLD] |= gold
    rows[game, MIDDLE_KNOWN_GOLD] |= gold
    rows[game, LAY_GOLD + seat] = 0
    for kind in range(SILVERS):
        silver = SILVERS * seat + kind
        laid = rows[game, LAY_SILVER + silver]
        rows[game, LAIN_SILVER + SILVERS * lain + kind] = laid
        rows[game, KNOWN_SILVER + silver] = max(rows[game, KNOWN_SILVER + silver] - laid, 0)
        rows[game, MIDDLE_SILVER + kind] += laid
        rows[game, MIDDLE_KNOWN_SILVER + kind] += laid
        rows[game, LAY_SILVER + silver] = 0
    rows[game, LAID + seat] = 0


@within
def _sail_to(rows: Rows, game: int, to: int, by: int, many: int) -> None:
    """The Dutchman moves; those who moved it begin at ``by``."""
    for place in range(many):
        rows[game, MOVERS + place] = rows[game, by + place]
    rows[game, MOVING] = many
    rows[game, CAME_FROM] = rows[game, DUTCHMAN]
    rows[game, DUTCHMAN] = to
    rows[game, BARGAINING] = 0
    rows[game, HAPPENED] |= SAILED
    colour = rows[game, SHIP + to]
    if colour != NONE:
        _meet_ship(rows, game, colour)
    else:
        _queue(rows, game, MOVERS, many)
        rows[game, STEP] = _SHOW


# ---------------------------------------------------------------------------------------------------- agreeing


@within
def _name(rows: Rows, game: int, to: int) -> None:
    """H9: a destination is named."""
    tie = rows[game, TIE]
    rows[game, NAMED + rows[game, NAMES]] = to
    rows[game, NAMES] += 1
    rows[game, WAITING] -= 1
    if rows[game, WAITING]:
        return
    same = True
    for place in range(tie):
        same = same and rows[game, NAMED + place] == to
    if same:
        for place in range(tie):
            rows[game, AGREED_ON + place] = 0
        rows[game, HAPPENED] |= AGREED
        _sail_to(rows, game, to, TIED, tie)
    elif rows[game, CIRCLES] == 0:
        _lay_again(rows, game)
    else:
        _queue(rows, game, TIED, tie)
        rows[game, STEP] = _PROPOSE


@within
def _propose(rows: Rows, game: int, to: int) -> None:
    """H9: a proposal, whose ducats stand in the row; the others answer, round the table from the proposer."""
    tie = rows[game, TIE]
    asked = rows[game, ASKED]
    rows[game, PROPOSED] = 1
    rows[game, PROPOSED_TO] = to
    rows[game, ACCEPTED] = 0
    for place in range(tie - 1):
        rows[game, QUEUE + place] = rows[game, TIED + (asked + 1 + place) % tie]
    rows[game, QUEUED] = tie - 1
    rows[game, WAITING] = tie - 1
    rows[game, STEP] = _ANSWER


@within
def _write_way(rows: Rows, game: int, way: int) -> None:
    """The ducats of the way to pay with a number: of what is left, each in turn has as few as the number allows."""
    tie = rows[game, TIE]
    left = 0
    for place in range(tie):
        left += rows[game, CASH_OF + rows[game, TIED + place]]
    for place in range(tie - 1):
        others = tie - 1 - place
        ways = _divisions(left, others)
        # The most ducats for which fewer ways come before than the number says.
        low = 0
        high = left
        while low < high:
            middle = (low + high + 1) // 2
            if ways - _divisions(left - middle, others) <= way:
                low = middle
            else:
                high = middle - 1
        way -= ways - _divisions(left - low, others)
        left -= low
        rows[game, DUCATS + place] = low - rows[game, CASH_OF + rows[game, TIED + place]]
    rows[game, DUCATS + tie - 1] = left - rows[game, CASH_OF + rows[game, TIED + tie - 1]]


@within
def _accept(rows: Rows, game: int) -> None:
    rows[game, ACCEPTED] += 1
    rows[game, WAITING] -= 1
    if rows[game, WAITING]:
        return
    tie = rows[game, TIE]
    for place in range(tie):
        ducats = rows[game, DUCATS + place]
        rows[game, CASH_OF + rows[game, TIED + place]] += ducats
        rows[game, AGREED_ON + place] = ducats
    rows[game, HAPPENED] |= AGREED
    _sail_to(rows, game, rows[game, PROPOSED_TO], TIED, tie)


@within
def _next_proposal(rows: Rows, game: int) -> None:
    """The next of the tied players may propose; after the last circle there is a deciding round (H10)."""
    tie = rows[game, TIE]
    asked = rows[game, ASKED] + 1
    circle = rows[game, CIRCLE]
    if asked == tie:
        asked = 0
        circle += 1
    rows[game, PROPOSED] = 0
    rows[game, ACCEPTED] = 0
    if circle > rows[game, CIRCLES]:
        _lay_again(rows, game)
        return
    rows[game, ASKED] = asked
    rows[game, CIRCLE] = circle
    _queue(rows, game, TIED + asked, tie - asked)
    rows[game, STEP] = _PROPOSE


@within
def _lay_again(rows: Rows, game: int) -> None:
    """H10: a deciding round."""
    _queue(rows, game, TIED, rows[game, TIE])
    rows[game, HAPPENED] |= UNDECIDED
    rows[game, STEP] = _AGAIN


@within
def _roll_for_it(rows: Rows, game: int, total: int) -> None:
    """H10a: the highest sum moves the Dutchman; equal ones roll again."""
    rolls = rows[game, ROLLS] + 1
    rows[game, ROLLED_SEAT + rolls - 1] = _mover(rows, game)
    rows[game, ROLLED + rolls - 1] = total
    rows[game, ROLLS] = rolls
    rows[game, WAITING] -= 1
    if rows[game, WAITING]:
        return
    best = 0
    highest = 0
    for place in range(rolls):
        if rows[game, ROLLED + place] > best:
            best = rows[game, ROLLED + place]
            highest = 0
        if rows[game, ROLLED + place] == best:
            rows[game, QUEUE + highest] = rows[game, ROLLED_SEAT + place]
            highest += 1
    rows[game, QUEUED] = highest
    rows[game, WAITING] = highest
    rows[game, HAPPENED] |= ROLLED_FOR
    rows[game, ROLLED_FOR_IT] = rolls
    if highest == 1:
        rows[game, STEP] = _SAIL
    else:
        rows[game, ROLLS] = 0


# --------------------------------------------------------------------------------------------- after the move


@within
def _meet_ship(rows: Rows, game: int, colour: int) -> None:
    """H11: everybody with shares in the ship pays; then the stones move on."""
    value = CHESTS[rows[game, STONES + colour]]
    broke = 0
    for seat in range(rows[game, PLAYERS]):
        count = rows[game, SHARES_OF + COLOURS * seat + colour]
        pays = count * value
        if pays > rows[game, CASH_OF + seat]:
            pays = rows[game, CASH_OF + seat]
            broke |= 1 << seat
        rows[game, HELD + seat] = count
        rows[game, PAID_BY + seat] = pays
        rows[game, CASH_OF + seat] -= pays
        rows[game, AT_LEAST + COLOURS * seat + colour] = count
        rows[game, AT_MOST + COLOURS * seat + colour] = count
    rows[game, VALUE] = value
    rows[game, HAPPENED] |= PAID
    for other in range(COLOURS):
        rows[game, STONES + other] += 1
    rows[game, STONES + colour] = FIRST_CHEST
    rows[game, COUNTER] += 1
    if broke:
        _go_bankrupt(rows, game, broke)
    if rows[game, COUNTER] == LAST_CHEST or (broke and _still_in(rows, game) <= 1):
        _nobody(rows, game, _OVER)
    elif broke:
        _nobody(rows, game, _SHUFFLE)
    else:
        _next_round(rows, game)


@within
def _go_bankrupt(rows: Rows, game: int, broke: int) -> None:
    """H11: shares to the Kontor pile, horseshoes to the middle, cards out of the game."""
    rows[game, HAPPENED] |= BANKRUPT
    rows[game, BROKE] = broke
    for seat in range(rows[game, PLAYERS]):
        if (broke >> seat) & 1:
            for colour in range(COLOURS):
                while rows[game, SHARES_OF + COLOURS * seat + colour]:
                    _put_under(rows, game, seat, colour, NONE)
                rows[game, AT_LEAST + COLOURS * seat + colour] = 0
                rows[game, AT_MOST + COLOURS * seat + colour] = 0
            _pour(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat, MIDDLE_GOLD, MIDDLE_SILVER)
            _pour(
                rows, game, KNOWN_GOLD + seat, KNOWN_SILVER + SILVERS * seat, MIDDLE_KNOWN_GOLD, MIDDLE_KNOWN_SILVER
            )
            rows[game, CASH_OF + seat] = 0
            rows[game, KONTOR_OF + seat] = 0
            rows[game, SMITH_OF + seat] = 0
            rows[game, WENT_BANKRUPT + seat] = rows[game, ROUND]
    for place in range(PILE):
        rows[game, PUT_BY + place] = NONE


@within
def _still_in(rows: Rows, game: int) -> int:
    """How many are not bankrupt."""
    many = 0
    for seat in range(rows[game, PLAYERS]):
        many += rows[game, WENT_BANKRUPT + seat] == 0
    return many


@within
def _next_round(rows: Rows, game: int) -> None:
    """The next player to the left starts; the bankrupt are passed over (H5)."""
    first = rows[game, ORDER]
    many = 0
    for place in range(rows[game, IN_ORDER]):
        seat = rows[game, ORDER + place + 1] if place + 1 < rows[game, IN_ORDER] else first
        if rows[game, WENT_BANKRUPT + seat] == 0:
            rows[game, ORDER + many] = seat
            many += 1
    rows[game, IN_ORDER] = many
    rows[game, ROUND] += 1
    rows[game, ACTED] = 0
    rows[game, LUCKY] = 0
    rows[game, REVEALS] = 0
    rows[game, LAYS_SEEN] = 0
    rows[game, ROLLS] = 0
    _nobody(rows, game, _LUCKY)


@within
def _show(rows: Rows, game: int, seat: int, colour: int) -> None:
    """H12: the bank pays the value of the share; everybody has seen it."""
    ducats = CHESTS[rows[game, STONES + colour]]
    rows[game, CASH_OF + seat] += ducats
    place = AT_LEAST + COLOURS * seat + colour
    rows[game, place] = max(1, rows[game, place])
    rows[game, HAPPENED] |= EARNED
    rows[game, EARNER] = seat
    rows[game, EARNED_BY] = ducats
    _after_showing(rows, game)


@within
def _after_showing(rows: Rows, game: int) -> None:
    rows[game, WAITING] -= 1
    if not rows[game, WAITING]:
        _next_round(rows, game)


@within
def _act(rows: Rows, game: int, action: int) -> None:
    """The mover does something legal."""
    rows[game, HAPPENED] = 0
    seat = _mover(rows, game)
    if action >= PROPOSE:
        _write_way(rows, game, (action - PROPOSE) % WAYS)
        _propose(rows, game, (action - PROPOSE) // WAYS)
    elif action >= LAY:
        _lay(rows, game, seat, action - LAY)
    elif action >= NAME:
        _name(rows, game, action - NAME)
    elif action >= SAIL:
        _sail_to(rows, game, action - SAIL, QUEUE, 1)
    elif action >= PUT:
        _put(rows, game, seat, action - PUT)
    elif action >= SHOW:
        _show(rows, game, seat, action - SHOW)
    elif action == KEEP:
        _after_showing(rows, game)
    elif action == ACCEPT:
        _accept(rows, game)
    elif action in (DECLINE, WITHHOLD):
        _next_proposal(rows, game)
    elif action == KONTOR:
        _kontor(rows, game, seat)
    else:
        if action == SMITH:
            rows[game, SMITH_OF + seat] -= 1
        if rows[game, STEP] == _ACTION:
            _chosen(rows, game, _DID_SMITH if action == SMITH else _DID_PASS)
        _after_action(rows, game)


# ------------------------------------------------------------------------------------------------------ chance


@within
def _is_chance(rows: Rows, game: int) -> bool:
    step = rows[game, STEP]
    return step <= _LUCKY or step in (_SHARE, _ROLLING, _SHUFFLE)


@within
def _draw(rows: Rows, game: int, luck: Words, told: Bytes) -> None:
    """Chance acts: what it does is written into the first row of ``told``, and happens."""
    step = rows[game, STEP]
    if step in (_LUCKY, _ROLLING):
        sides = below(luck, game, DIE_SIDES * DIE_SIDES)
        told[0, 0] = TENS[sides // DIE_SIDES]
        told[0, 1] = ONES[sides % DIE_SIDES]
    elif step == _STARTER:
        told[0, 0] = below(luck, game, rows[game, PLAYERS])
    elif step == _DEAL:
        shares = COLOURS * (rows[game, PLAYERS] - 1)
        for place in range(shares):
            told[0, place] = place % COLOURS
        for place in range(BOX):
            told[0, shares + place] = HORSESHOES[place]
        _shuffle(luck, game, told, 0, shares)
        _shuffle(luck, game, told, shares, BOX)
    elif step == _SHARE:
        _shuffle(luck, game, told, 0, _write_middle(rows, game, told))
    else:
        for place in range(rows[game, IN_PILE]):
            told[0, place] = rows[game, PILE_OF + (rows[game, TOP] + place) % PILE]
        _shuffle(luck, game, told, 0, rows[game, IN_PILE])
    _happen(rows, game, told, 0)


@within
def _shuffle(luck: Words, game: int, told: Bytes, first: int, many: int) -> None:
    """Fisher and Yates."""
    for back in range(many - 1):
        place = many - 1 - back
        other = below(luck, game, place + 1)
        kept = told[0, first + place]
        told[0, first + place] = told[0, first + other]
        told[0, first + other] = kept


@within
def _write_middle(rows: Rows, game: int, told: Bytes) -> int:
    """The horseshoes in the middle by their numbers; how many they are."""
    many = 0
    for gold in range(GOLD):
        if (rows[game, MIDDLE_GOLD] >> gold) & 1:
            told[0, many] = 21 + gold
            many += 1
    for kind in range(SILVERS):
        for _ in range(rows[game, MIDDLE_SILVER + kind]):
            told[0, many] = SILVER_NUMBERS[kind]
            many += 1
    return many


@within
def _happen(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """What is told in a row of outcomes happens."""
    rows[game, HAPPENED] = 0
    step = rows[game, STEP]
    if step == _LUCKY:
        rows[game, LUCKY] = whole(told[at, 0]) + told[at, 1]
        _queue(rows, game, ORDER, rows[game, IN_ORDER])
        rows[game, STEP] = _ACTION
    elif step == _ROLLING:
        _roll_for_it(rows, game, whole(told[at, 0]) + told[at, 1])
    elif step == _STARTER:
        _first(rows, game, told[at, 0])
        rows[game, STEP] = _DEAL
    elif step == _DEAL:
        _dealt(rows, game, told, at)
    elif step == _SHARE:
        _share(rows, game, told, at)
    else:
        for place in range(rows[game, IN_PILE]):
            rows[game, PILE_OF + (rows[game, TOP] + place) % PILE] = told[at, place]
        _next_round(rows, game)


@within
def _can_happen(rows: Rows, game: int, told: Bytes) -> bool:
    """Whether it is chance's turn, and what is told is among what it can do."""
    step = rows[game, STEP]
    if step == _STARTER:
        return told[game, 0] < rows[game, PLAYERS]
    if step in (_LUCKY, _ROLLING):
        return _on_die(TENS, told[game, 0]) and _on_die(ONES, told[game, 1])
    if step == _DEAL:
        shares = COLOURS * (rows[game, PLAYERS] - 1)
        for colour in range(COLOURS):
            if _count(told, game, 0, shares, colour) != rows[game, PLAYERS] - 1:
                return False
        for place in range(BOX):
            if _count(told, game, shares, BOX, HORSESHOES[place]) != _count_of(HORSESHOES, HORSESHOES[place]):
                return False
        return True
    if step == _SHARE:
        middle = _how_many(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
        for kind in range(SILVERS):
            if _count(told, game, 0, middle, SILVER_NUMBERS[kind]) != rows[game, MIDDLE_SILVER + kind]:
                return False
        for gold in range(GOLD):
            if _count(told, game, 0, middle, 21 + gold) != (rows[game, MIDDLE_GOLD] >> gold) & 1:
                return False
        return True
    if step != _SHUFFLE:
        return False
    for colour in range(COLOURS):
        there = 0
        for place in range(rows[game, IN_PILE]):
            there += rows[game, PILE_OF + (rows[game, TOP] + place) % PILE] == colour
        if _count(told, game, 0, rows[game, IN_PILE], colour) != there:
            return False
    return True


@within
def _on_die(die: Ints, number: int) -> bool:
    found = False
    for side in range(DIE_SIDES):
        found = found or die[side] == number
    return found


@within
def _count(told: Bytes, game: int, first: int, many: int, number: int) -> int:
    """How often a number stands among so many of an outcome."""
    count = 0
    for place in range(first, first + many):
        count += told[game, place] == number
    return count


@within
def _count_of(numbers: Ints, number: int) -> int:
    count = 0
    for place in range(len(numbers)):
        count += numbers[place] == number
    return count


# ----------------------------------------------------------------------------------------------------- the end


@within
def _score(rows: Rows, game: int, points: Ints, winners: Flags) -> None:
    """H13: cash plus the value of the shares; the richest of those not bankrupt win, or of the last to go bankrupt."""
    players = rows[game, PLAYERS]
    latest = 0
    lasting = _still_in(rows, game)
    for seat in range(players):
        points[seat] = rows[game, CASH_OF + seat]
        for colour in range(COLOURS):
            points[seat] += rows[game, SHARES_OF + COLOURS * seat + colour] * CHESTS[rows[game, STONES + colour]]
        latest = max(latest, rows[game, WENT_BANKRUPT + seat])
    wanted = 0 if lasting else latest
    best = 0
    for seat in range(players):
        if rows[game, WENT_BANKRUPT + seat] == wanted:
            best = max(best, points[seat])
    over = rows[game, STEP] == _OVER
    for seat in range(players):
        winners[seat] = over and rows[game, WENT_BANKRUPT + seat] == wanted and points[seat] == best


@within
def _act_at_random(rows: Rows, game: int, luck: Words) -> None:
    """The mover does something legal, all of it equally likely. A proposal is made without its number."""
    base, bits = _few(rows, game)
    few = whole(ones(bits))
    many = _many(rows, game)
    if not many:
        _act(rows, game, base + one_of(luck, game, bits))
        return
    number = below_wide(luck, game, few + many)
    if number < few or rows[game, STEP] != _PROPOSE:
        _act(rows, game, _nth(rows, game, number))
    else:
        rows[game, HAPPENED] = 0
        _divide_at_random(rows, game, luck)
        _propose(rows, game, one_of(luck, game, _ahead(rows, game)))


@within
def _divide_at_random(rows: Rows, game: int, luck: Words) -> None:
    """All ways to divide the cash of the tied players are equally likely: bars are put between the ducats, each in a
    place of its own, and what lies between two bars is a player's."""
    tie = rows[game, TIE]
    total = 0
    for place in range(tie):
        total += rows[game, CASH_OF + rows[game, TIED + place]]
    for bar in range(tie - 1):
        # The places taken before, in order; the new one is counted among those that are free.
        free = below(luck, game, total + tie - 1 - bar)
        at = 0
        while at < bar and rows[game, DUCATS + at] <= free:
            free += 1
            at += 1
        for after in range(bar - at):
            rows[game, DUCATS + bar - after] = rows[game, DUCATS + bar - after - 1]
        rows[game, DUCATS + at] = free
    before = -1
    for place in range(tie):
        bar = rows[game, DUCATS + place] if place < tie - 1 else total + tie - 1
        rows[game, DUCATS + place] = bar - before - 1 - rows[game, CASH_OF + rows[game, TIED + place]]
        before = bar


@within
def _play_out(rows: Rows, game: int, luck: Words, told: Bytes) -> int:
    """Random legal moves to the end; how many they were."""
    decisions = 0
    while rows[game, STEP] != _OVER:
        if _is_chance(rows, game):
            _draw(rows, game, luck, told)
        else:
            _act_at_random(rows, game, luck)
            decisions += 1
    return decisions


# ------------------------------------------------------------------------------------------------- kernels


@compiled
def reset(rows: Rows, luck: Words, options: Rows, seed: np.uint64, first: int, start: int, stop: int) -> None:
    """Games begin anew, with the luck of a seed; the number of the first game of the batch is ``first``."""
    for game in range(start, stop):
        _begin(rows, game, options)
        luck[game] = luck_of(seed, np.uint64(first + game))


@compiled
def restart(rows: Rows, which: Flags, options: Rows, start: int, stop: int) -> None:
    """Some of the games begin anew, and their luck goes on."""
    for game in range(start, stop):
        if which[game]:
            _begin(rows, game, options)


@compiled
def illegal(rows: Rows, actions: Longs, start: int, stop: int) -> int:
    """The first game in which the action is not legal, or −1; an action of −1 is nothing."""
    for game in range(start, stop):
        action = actions[game]
        if action < -1 or (action >= 0 and not _is_legal(rows, game, action)):
            return game
    return -1


@compiled
def step(rows: Rows, actions: Longs, start: int, stop: int) -> None:
    """Each game's mover does what ``actions`` says, which is legal."""
    for game in range(start, stop):
        if actions[game] >= 0:
            _act(rows, game, actions[game])


@compiled
def draw(rows: Rows, luck: Words, start: int, stop: int) -> None:
    """Chance acts in every game in which it is due, until a seat is to move."""
    told = np.empty((1, OUTCOME), np.uint8)
    for game in range(start, stop):
        while _is_chance(rows, game):
            _draw(rows, game, luck, told)


@compiled
def draw_once(rows: Rows, luck: Words, which: Flags, start: int, stop: int) -> None:
    """Chance acts once, in some of the games in which it is due."""
    told = np.empty((1, OUTCOME), np.uint8)
    for game in range(start, stop):
        if which[game] and _is_chance(rows, game):
            _draw(rows, game, luck, told)


@compiled
def impossible(rows: Rows, outcomes: Bytes, start: int, stop: int) -> int:
    """The first game in which the outcome cannot happen, or −1; one that begins with 255 is nothing."""
    for game in range(start, stop):
        if outcomes[game, 0] != NOTHING and not _can_happen(rows, game, outcomes):
            return game
    return -1


@compiled
def give(rows: Rows, outcomes: Bytes, start: int, stop: int) -> None:
    """Chance does what ``outcomes`` says, which can happen."""
    for game in range(start, stop):
        if outcomes[game, 0] != NOTHING:
            _happen(rows, game, outcomes, game)


@compiled
def legal(rows: Rows, mask: Flags, start: int, stop: int) -> None:
    """Which columns of the mask are legal in each game."""
    for game in range(start, stop):
        mask[game] = False
        base, bits = _few(rows, game)
        while bits:
            mask[game, base + whole(lowest(bits))] = True
            bits &= bits - np.uint64(1)
        if _many(rows, game):
            mask[game, PROPOSE_COLUMN if rows[game, STEP] == _PROPOSE else LAY_COLUMN] = True


@compiled
def choices(rows: Rows, counts: Longs, start: int, stop: int) -> None:
    """How many moves are legal in each game."""
    for game in range(start, stop):
        _, bits = _few(rows, game)
        counts[game] = whole(ones(bits)) + _many(rows, game)


@compiled
def nth(rows: Rows, which: Longs, actions: Longs, start: int, stop: int) -> None:
    """The legal action with a number from 0, in the order of the actions; −1 where ``which`` is below 0."""
    for game in range(start, stop):
        actions[game] = _nth(rows, game, which[game]) if which[game] >= 0 else -1


@compiled
def movers(rows: Rows, seats: Seats, start: int, stop: int) -> None:
    """The seat to move, CHANCE or OVER."""
    for game in range(start, stop):
        if rows[game, STEP] == _OVER:
            seats[game] = OVER
        else:
            seats[game] = CHANCE if _is_chance(rows, game) else _mover(rows, game)


@compiled
def score(rows: Rows, points: Ints, winners: Flags, start: int, stop: int) -> None:
    """The points of all seats if the games ended now, and who has won."""
    for game in range(start, stop):
        _score(rows, game, points[game], winners[game])


@compiled
def play_out(rows: Rows, luck: Words, decisions: Ints, start: int, stop: int) -> None:
    """Random legal moves from where the games stand to their end; how many they were."""
    told = np.empty((1, OUTCOME), np.uint8)
    for game in range(start, stop):
        decisions[game] = _play_out(rows, game, luck, told)


@compiled
def roll_out(
    options: Rows,
    seed: np.uint64,
    first: int,
    points: Ints,
    winners: Flags,
    decisions: Ints,
    start: int,
    stop: int,
) -> None:
    """Whole games with random legal moves, one after the other in one row."""
    rows = np.empty((1, WIDTH), np.int32)
    luck = np.empty(1, np.uint64)
    told = np.empty((1, OUTCOME), np.uint8)
    for game in range(start, stop):
        _begin(rows, 0, options)
        luck[0] = luck_of(seed, np.uint64(first + game))
        decisions[game] = _play_out(rows, 0, luck, told)
        _score(rows, 0, points[game], winners[game])
