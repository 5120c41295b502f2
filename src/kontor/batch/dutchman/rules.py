"""The rules of Der fliegende Holländer once more, for one game, ``rows[game]``: a row of whole numbers (``layout``).

They take it that what they are told is legal; ``is_legal`` and ``can_happen`` say whether it is.
"""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Rows, Words
from kontor.batch.compiled import below, below_wide, lowest, one_of, ones, whole, within
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
    NAME,
    NONE,
    PAID,
    PASS,
    PILE,
    PROPOSE,
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
from kontor.batch.dutchman.places import (
    ACCEPTED,
    ACTED,
    ACTIONS,
    AGREED_ON,
    ASKED,
    AT_LEAST,
    AT_MOST,
    BARGAINING,
    BOX,
    BROKE,
    CAME_FROM,
    CASH_OF,
    CHESTS,
    CIRCLE,
    CIRCLES,
    COLOURS,
    COUNTER,
    DID_KONTOR,
    DID_LAY,
    DID_PASS,
    DID_SMITH,
    DIE_SIDES,
    DUCATS,
    DUE_ACTION,
    DUE_AGAIN,
    DUE_ANSWER,
    DUE_DEAL,
    DUE_LUCKY,
    DUE_NAME,
    DUE_OVER,
    DUE_PROPOSE,
    DUE_PUT,
    DUE_ROLLING,
    DUE_SAIL,
    DUE_SHARE,
    DUE_SHOW,
    DUE_SHUFFLE,
    DUE_STARTER,
    DUTCHMAN,
    EARNED_BY,
    EARNER,
    GOLD,
    HAPPENED,
    HELD,
    HORSESHOES,
    IN_ORDER,
    IN_PILE,
    KINDS,
    KNOWN_GOLD,
    KNOWN_SILVER,
    KONTOR_OF,
    LAID,
    LAIN_GOLD,
    LAIN_IN,
    LAIN_SEAT,
    LAIN_SILVER,
    LAY_GOLD,
    LAY_SILVER,
    LAYS_SEEN,
    LUCKY,
    MIDDLE_GOLD,
    MIDDLE_KNOWN_GOLD,
    MIDDLE_KNOWN_SILVER,
    MIDDLE_SILVER,
    MOVERS,
    MOVING,
    NAMED,
    NAMES,
    NEAREST,
    ONES,
    OPTION_HOLLAND,
    OPTION_STARTER,
    ORDER,
    OUT_GOLD,
    OUT_SILVER,
    PAID_BY,
    PAIR_ONE,
    PAIR_OTHER,
    PAIRS,
    PILE_OF,
    PLAYERS,
    PROPOSED,
    PROPOSED_TO,
    PUT_BY,
    QUEUE,
    QUEUED,
    RACK_GOLD,
    RACK_SILVER,
    READING,
    REVEALS,
    ROLLED,
    ROLLED_FOR_IT,
    ROLLED_SEAT,
    ROLLS,
    ROUND,
    SET_UP,
    SHARED_EACH,
    SHARED_LEFT,
    SHARES_OF,
    SHIP,
    SILVER_NUMBERS,
    SILVERS,
    SMITH_OF,
    STEP,
    STONES,
    TENS,
    TIE,
    TIED,
    TOP,
    VALUE,
    WAITING,
    WAYS_FROM,
    WENT_BANKRUPT,
    WIDTH,
)
from kontor.dutchman.components import CARDS, CASH, EXCHANGED, FEW, FIRST_CHEST, LAST_CHEST, RACK, SHARES

# ------------------------------------------------------------------------------------------- small things


@within
def mover_of(rows: Rows, game: int) -> int:
    """Who is first of those still to act."""
    return whole(rows[game, QUEUE + rows[game, QUEUED] - rows[game, WAITING]])


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
    return whole(ones(np.uint64(bits)))


@within
def horseshoes_in(rows: Rows, game: int, gold: int, silver: int) -> int:
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
def fields_ahead(rows: Rows, game: int) -> np.uint64:
    """Where the Dutchman may sail: a bit for each field (H8)."""
    bits = rows[game, WAYS_FROM + rows[game, DUTCHMAN]]
    back = rows[game, CAME_FROM]
    if back != NONE:
        bits &= ~(1 << back)
    return np.uint64(bits)


@within
def _ways_to_pay(rows: Rows, game: int) -> int:
    """In how many ways the tied players can divide their cash (H9)."""
    total = whole(0)
    others = whole(rows[game, TIE]) - 1
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
def few_moves(rows: Rows, game: int) -> tuple[int, np.uint64]:
    """The legal moves but for lays and proposals: the first number of their kind, and bits from there."""
    step = rows[game, STEP]
    if step == DUE_ACTION:
        seat = mover_of(rows, game)
        bits = (rows[game, KONTOR_OF + seat] > 0) << KONTOR | (rows[game, SMITH_OF + seat] > 0) << SMITH
        if horseshoes_in(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat) < FEW:
            bits |= 1 << PASS
        return 0, np.uint64(bits)
    if step == DUE_PUT:
        shares = SHARES_OF + COLOURS * mover_of(rows, game)
        bits = 0
        for pair in range(PAIRS):
            one = rows[game, shares + PAIR_ONE[pair]]
            other = rows[game, shares + PAIR_OTHER[pair]]
            if one and other and (one > 1 or PAIR_ONE[pair] != PAIR_OTHER[pair]):
                bits |= 1 << pair
        return PUT, np.uint64(bits)
    if step == DUE_SAIL:
        return SAIL, fields_ahead(rows, game)
    if step == DUE_NAME:
        return NAME, fields_ahead(rows, game)
    if step == DUE_PROPOSE:
        return 0, np.uint64(1 << WITHHOLD)
    if step == DUE_ANSWER:
        return 0, np.uint64(1 << ACCEPT | 1 << DECLINE)
    if step == DUE_AGAIN:
        return 0, np.uint64(1 << PASS)
    if step == DUE_SHOW:
        shares = SHARES_OF + COLOURS * mover_of(rows, game)
        bits = 1 << KEEP
        for colour in range(COLOURS):
            if rows[game, shares + colour]:
                bits |= 1 << (SHOW + colour)
        return 0, np.uint64(bits)
    return 0, np.uint64(0)


@within
def many_moves(rows: Rows, game: int) -> int:
    """How many lays or proposals there are."""
    step = rows[game, STEP]
    if step in (DUE_ACTION, DUE_AGAIN):
        return _lay_count(rows, game, mover_of(rows, game))
    if step == DUE_PROPOSE:
        return whole(ones(fields_ahead(rows, game))) * _ways_to_pay(rows, game)
    return 0


@within
def _lay_number(rows: Rows, game: int, number: int) -> int:
    """The action of the lay with a number from 0, in their order."""
    seat = mover_of(rows, game)
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
        for _ in range(whole(ones(gold)) - rest):
            gold &= gold - np.uint64(1)
        chosen = GOLD - whole(lowest(gold))
    return LAY + scale * chosen + digits


@within
def _proposal_number(rows: Rows, game: int, number: int) -> int:
    """The action of the proposal with a number from 0, in their order."""
    ways = _ways_to_pay(rows, game)
    to = fields_ahead(rows, game)
    for _ in range(number // ways):
        to &= to - np.uint64(1)
    return PROPOSE + WAYS * whole(lowest(to)) + number % ways


@within
def nth_move(rows: Rows, game: int, number: int) -> int:
    """The legal action with a number from 0."""
    base, bits = few_moves(rows, game)
    few = whole(ones(bits))
    if number >= few:
        if rows[game, STEP] == DUE_PROPOSE:
            return _proposal_number(rows, game, number - few)
        return _lay_number(rows, game, number - few)
    for _ in range(number):
        bits &= bits - np.uint64(1)
    return base + whole(lowest(bits))


@within
def is_legal(rows: Rows, game: int, action: int) -> bool:
    step = rows[game, STEP]
    if action >= PROPOSE:
        to, way = divmod(action - PROPOSE, WAYS)
        return (
            step == DUE_PROPOSE
            and to < FIELDS
            and ((fields_ahead(rows, game) >> np.uint64(to)) & np.uint64(1)) != 0
            and way < _ways_to_pay(rows, game)
        )
    if action >= LAY:
        return (step in (DUE_ACTION, DUE_AGAIN)) and action > LAY and _has(rows, game, action - LAY)
    base, bits = few_moves(rows, game)
    return action >= base and action - base < 64 and ((bits >> np.uint64(action - base)) & np.uint64(1)) != 0


@within
def _has(rows: Rows, game: int, lay: int) -> bool:
    """Whether the mover has the horseshoes of a lay."""
    seat = mover_of(rows, game)
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = 4 if kind % 2 == 0 else 14
        if lay % base > rows[game, RACK_SILVER + SILVERS * seat + kind]:
            return False
        lay //= base
    return lay == 0 or (rows[game, RACK_GOLD + seat] >> (GOLD - lay)) & 1 != 0


# ------------------------------------------------------------------------------------------------ setting up


@within
def begin(rows: Rows, game: int, options: Rows) -> None:
    """The state before the first outcome (H4)."""
    for place in range(WIDTH):
        rows[game, place] = 0
    for place in range(SET_UP):
        rows[game, PLAYERS + place] = options[place]
    players = options[0]
    starter = options[OPTION_STARTER]
    rows[game, STEP] = DUE_STARTER if starter == NONE else DUE_DEAL
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
    players = whole(rows[game, PLAYERS])
    for place in range(players):
        rows[game, ORDER + place] = (starter + place) % players
    rows[game, IN_ORDER] = players


@within
def _dealt(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """Shares and horseshoes are dealt (H4)."""
    players = whole(rows[game, PLAYERS])
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
    rows[game, STEP] = DUE_LUCKY


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
    _chosen(rows, game, DID_KONTOR)
    for _ in range(EXCHANGED):
        rows[game, SHARES_OF + COLOURS * seat + rows[game, PILE_OF + rows[game, TOP]]] += 1
        rows[game, TOP] = (rows[game, TOP] + 1) % PILE
        rows[game, IN_PILE] -= 1
    most = rows[game, PLAYERS] - 1
    for colour in range(COLOURS):
        place = AT_MOST + COLOURS * seat + colour
        rows[game, place] = min(rows[game, place] + EXCHANGED, most)
    rows[game, STEP] = DUE_PUT


@within
def _put(rows: Rows, game: int, seat: int, pair: int) -> None:
    """H6a: two shares go under the pile."""
    _put_under(rows, game, seat, whole(PAIR_ONE[pair]), seat)
    _put_under(rows, game, seat, whole(PAIR_OTHER[pair]), seat)
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
    if rows[game, STEP] == DUE_ACTION:
        _chosen(rows, game, DID_LAY)
    _after_action(rows, game)


@within
def _after_action(rows: Rows, game: int) -> None:
    """The next player chooses or lays. After the last one the smiths share the middle (H6b), and all lays are
    revealed."""
    rows[game, WAITING] -= 1
    again = rows[game, STEP] == DUE_AGAIN
    if rows[game, WAITING]:
        rows[game, STEP] = DUE_AGAIN if again else DUE_ACTION
        return
    if not again:
        smiths = _smiths(rows, game)
        middle = horseshoes_in(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
        if smiths > 1 and middle >= smiths:
            _nobody(rows, game, DUE_SHARE)
            return
        if smiths == 1 and middle:
            _take_all(rows, game, middle)
    _reveal(rows, game, again)


@within
def _smiths(rows: Rows, game: int) -> int:
    """How many played a Smith card in this round."""
    smiths = 0
    for place in range(rows[game, ACTED]):
        smiths += rows[game, ACTIONS + place] == DID_SMITH
    return smiths


@within
def _take_all(rows: Rows, game: int, middle: int) -> None:
    """H6b: one smith takes all, and everybody saw what is known of the middle go to that rack."""
    place = 0
    while rows[game, ACTIONS + place] != DID_SMITH:
        place += 1
    seat = whole(rows[game, ORDER + place])
    _pour(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat)
    _pour(rows, game, MIDDLE_KNOWN_GOLD, MIDDLE_KNOWN_SILVER, KNOWN_GOLD + seat, KNOWN_SILVER + SILVERS * seat)
    _shared(rows, game, middle, whole(0))


@within
def _shared(rows: Rows, game: int, each: int, left: int) -> None:
    rows[game, HAPPENED] |= SHARED
    rows[game, SHARED_EACH] = each
    rows[game, SHARED_LEFT] = left


@within
def _share(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """H6b: several smiths share the middle; what is told goes part after part, in the order of play."""
    middle = horseshoes_in(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
    each = middle // _smiths(rows, game)
    rows[game, MIDDLE_GOLD] = 0
    rows[game, MIDDLE_KNOWN_GOLD] = 0
    for kind in range(SILVERS):
        rows[game, MIDDLE_SILVER + kind] = 0
        rows[game, MIDDLE_KNOWN_SILVER + kind] = 0
    number = 0
    for place in range(rows[game, ACTED]):
        if rows[game, ACTIONS + place] == DID_SMITH:
            seat = whole(rows[game, ORDER + place])
            for _ in range(each):
                _add(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat, told[at, number])
                number += 1
    _shared(rows, game, each, middle - number)
    while number < middle:
        _add(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, told[at, number])
        number += 1
    _reveal(rows, game, bool(0))


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
    return whole(max(best + golden, 0))


@within
def _reveal(rows: Rows, game: int, again: bool) -> None:
    """H8: all lays are turned over; the horseshoes go to the middle. Nobody laid: they roll for it (H10, H10b)."""
    who = TIED if again else ORDER
    contenders = whole(rows[game, TIE] if again else rows[game, IN_ORDER])
    best = 0
    nearest = 0
    many = 0
    for place in range(contenders):
        seat = whole(rows[game, who + place])
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
        rows[game, STEP] = DUE_ROLLING
        return
    rows[game, NEAREST + rows[game, REVEALS]] = nearest
    rows[game, REVEALS] += 1
    rows[game, HAPPENED] |= REVEALED
    tie = 0
    for place in range(contenders):
        seat = whole(rows[game, who + place])
        if (nearest >> seat) & 1:
            rows[game, QUEUE + tie] = seat
            tie += 1
    rows[game, QUEUED] = tie
    rows[game, WAITING] = tie
    if tie == 1:
        rows[game, STEP] = DUE_SAIL
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
    rows[game, STEP] = DUE_NAME


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
    colour = whole(rows[game, SHIP + to])
    if colour != NONE:
        _meet_ship(rows, game, colour)
    else:
        _queue(rows, game, MOVERS, many)
        rows[game, STEP] = DUE_SHOW


# ---------------------------------------------------------------------------------------------------- agreeing


@within
def _name(rows: Rows, game: int, to: int) -> None:
    """H9: a destination is named."""
    tie = whole(rows[game, TIE])
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
        rows[game, STEP] = DUE_PROPOSE


@within
def _propose(rows: Rows, game: int, to: int) -> None:
    """H9: a proposal, whose ducats stand in the row; the others answer, round the table from the proposer."""
    tie = whole(rows[game, TIE])
    asked = rows[game, ASKED]
    rows[game, PROPOSED] = 1
    rows[game, PROPOSED_TO] = to
    rows[game, ACCEPTED] = 0
    for place in range(tie - 1):
        rows[game, QUEUE + place] = rows[game, TIED + (asked + 1 + place) % tie]
    rows[game, QUEUED] = tie - 1
    rows[game, WAITING] = tie - 1
    rows[game, STEP] = DUE_ANSWER


@within
def _write_way(rows: Rows, game: int, way: int) -> None:
    """The ducats of the way to pay with a number: of what is left, each in turn has as few as the number allows."""
    tie = whole(rows[game, TIE])
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
    tie = whole(rows[game, TIE])
    for place in range(tie):
        ducats = rows[game, DUCATS + place]
        rows[game, CASH_OF + rows[game, TIED + place]] += ducats
        rows[game, AGREED_ON + place] = ducats
    rows[game, HAPPENED] |= AGREED
    _sail_to(rows, game, whole(rows[game, PROPOSED_TO]), TIED, tie)


@within
def _next_proposal(rows: Rows, game: int) -> None:
    """The next of the tied players may propose; after the last circle there is a deciding round (H10)."""
    tie = whole(rows[game, TIE])
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
    rows[game, STEP] = DUE_PROPOSE


@within
def _lay_again(rows: Rows, game: int) -> None:
    """H10: a deciding round."""
    _queue(rows, game, TIED, whole(rows[game, TIE]))
    rows[game, HAPPENED] |= UNDECIDED
    rows[game, STEP] = DUE_AGAIN


@within
def _roll_for_it(rows: Rows, game: int, total: int) -> None:
    """H10a: the highest sum moves the Dutchman; equal ones roll again."""
    rolls = rows[game, ROLLS] + 1
    rows[game, ROLLED_SEAT + rolls - 1] = mover_of(rows, game)
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
        rows[game, STEP] = DUE_SAIL
    else:
        rows[game, ROLLS] = 0


# --------------------------------------------------------------------------------------------- after the move


@within
def _meet_ship(rows: Rows, game: int, colour: int) -> None:
    """H11: everybody with shares in the ship pays; then the stones move on."""
    value = CHESTS[rows[game, STONES + colour]]
    broke = whole(0)
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
        _nobody(rows, game, DUE_OVER)
    elif broke:
        _nobody(rows, game, DUE_SHUFFLE)
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
                    _put_under(rows, game, seat, colour, whole(NONE))
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
    _nobody(rows, game, DUE_LUCKY)


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
def act(rows: Rows, game: int, action: int) -> None:
    """The mover does something legal."""
    rows[game, HAPPENED] = 0
    seat = mover_of(rows, game)
    if action >= PROPOSE:
        _write_way(rows, game, (action - PROPOSE) % WAYS)
        _propose(rows, game, (action - PROPOSE) // WAYS)
    elif action >= LAY:
        _lay(rows, game, seat, action - LAY)
    elif action >= NAME:
        _name(rows, game, action - NAME)
    elif action >= SAIL:
        _sail_to(rows, game, action - SAIL, QUEUE, whole(1))
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
        if rows[game, STEP] == DUE_ACTION:
            _chosen(rows, game, DID_SMITH if action == SMITH else DID_PASS)
        _after_action(rows, game)


# ------------------------------------------------------------------------------------------------------ chance


@within
def is_chance(rows: Rows, game: int) -> bool:
    step = rows[game, STEP]
    return step <= DUE_LUCKY or step in (DUE_SHARE, DUE_ROLLING, DUE_SHUFFLE)


@within
def chance_acts(rows: Rows, game: int, luck: Words, told: Bytes) -> None:
    """Chance acts: what it does is written into the first row of ``told``, and happens."""
    step = rows[game, STEP]
    if step in (DUE_LUCKY, DUE_ROLLING):
        sides = below(luck, game, DIE_SIDES * DIE_SIDES)
        told[0, 0] = TENS[sides // DIE_SIDES]
        told[0, 1] = ONES[sides % DIE_SIDES]
    elif step == DUE_STARTER:
        told[0, 0] = below(luck, game, whole(rows[game, PLAYERS]))
    elif step == DUE_DEAL:
        shares = COLOURS * whole(rows[game, PLAYERS] - 1)
        for place in range(shares):
            told[0, place] = place % COLOURS
        for place in range(BOX):
            told[0, shares + place] = HORSESHOES[place]
        _shuffle(luck, game, told, whole(0), shares)
        _shuffle(luck, game, told, shares, BOX)
    elif step == DUE_SHARE:
        _shuffle(luck, game, told, whole(0), _write_middle(rows, game, told))
    else:
        for place in range(rows[game, IN_PILE]):
            told[0, place] = rows[game, PILE_OF + (rows[game, TOP] + place) % PILE]
        _shuffle(luck, game, told, whole(0), whole(rows[game, IN_PILE]))
    happen(rows, game, told, whole(0))


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
def happen(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """What is told in a row of outcomes happens."""
    rows[game, HAPPENED] = 0
    step = rows[game, STEP]
    if step == DUE_LUCKY:
        rows[game, LUCKY] = whole(told[at, 0]) + told[at, 1]
        _queue(rows, game, ORDER, whole(rows[game, IN_ORDER]))
        rows[game, STEP] = DUE_ACTION
    elif step == DUE_ROLLING:
        _roll_for_it(rows, game, whole(told[at, 0]) + told[at, 1])
    elif step == DUE_STARTER:
        _first(rows, game, whole(told[at, 0]))
        rows[game, STEP] = DUE_DEAL
    elif step == DUE_DEAL:
        _dealt(rows, game, told, at)
    elif step == DUE_SHARE:
        _share(rows, game, told, at)
    else:
        for place in range(rows[game, IN_PILE]):
            rows[game, PILE_OF + (rows[game, TOP] + place) % PILE] = told[at, place]
        _next_round(rows, game)


@within
def can_happen(rows: Rows, game: int, told: Bytes) -> bool:
    """Whether it is chance's turn, and what is told is among what it can do."""
    step = rows[game, STEP]
    if step == DUE_STARTER:
        return bool(told[game, 0] < rows[game, PLAYERS])
    if step in (DUE_LUCKY, DUE_ROLLING):
        return _on_die(TENS, told[game, 0]) and _on_die(ONES, told[game, 1])
    if step == DUE_DEAL:
        shares = COLOURS * whole(rows[game, PLAYERS] - 1)
        for colour in range(COLOURS):
            if _count(told, game, whole(0), shares, colour) != rows[game, PLAYERS] - 1:
                return False
        for place in range(BOX):
            if _count(told, game, shares, BOX, whole(HORSESHOES[place])) != _count_of(HORSESHOES, HORSESHOES[place]):
                return False
        return True
    if step == DUE_SHARE:
        middle = horseshoes_in(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
        for kind in range(SILVERS):
            if _count(told, game, whole(0), middle, whole(SILVER_NUMBERS[kind])) != rows[game, MIDDLE_SILVER + kind]:
                return False
        for gold in range(GOLD):
            if _count(told, game, whole(0), middle, 21 + gold) != (rows[game, MIDDLE_GOLD] >> gold) & 1:
                return False
        return True
    if step != DUE_SHUFFLE:
        return False
    for colour in range(COLOURS):
        there = 0
        for place in range(rows[game, IN_PILE]):
            there += rows[game, PILE_OF + (rows[game, TOP] + place) % PILE] == colour
        if _count(told, game, whole(0), whole(rows[game, IN_PILE]), colour) != there:
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
def score_of(rows: Rows, game: int, points: Ints, winners: Flags) -> None:
    """H13: cash plus the value of the shares; the richest of those not bankrupt win, or else of the last to go so."""
    players = whole(rows[game, PLAYERS])
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
    over = rows[game, STEP] == DUE_OVER
    for seat in range(players):
        winners[seat] = over and rows[game, WENT_BANKRUPT + seat] == wanted and points[seat] == best


@within
def _act_at_random(rows: Rows, game: int, luck: Words) -> None:
    """The mover does something legal, all of it equally likely. A proposal is made without its number."""
    base, bits = few_moves(rows, game)
    few = whole(ones(bits))
    many = many_moves(rows, game)
    if not many:
        act(rows, game, base + one_of(luck, game, bits))
        return
    number = below_wide(luck, game, few + many)
    if number < few or rows[game, STEP] != DUE_PROPOSE:
        act(rows, game, nth_move(rows, game, number))
    else:
        rows[game, HAPPENED] = 0
        divide_at_random(rows, game, luck)
        _propose(rows, game, one_of(luck, game, fields_ahead(rows, game)))


@within
def divide_at_random(rows: Rows, game: int, luck: Words) -> None:
    """All ways to divide the cash of the tied players are equally likely: bars are put between the ducats, each in a
    place of its own, and what lies between two bars is a player's."""
    tie = whole(rows[game, TIE])
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
def play_on(rows: Rows, game: int, luck: Words, told: Bytes) -> int:
    """Random legal moves to the end; how many they were."""
    decisions = 0
    while rows[game, STEP] != DUE_OVER:
        if is_chance(rows, game):
            chance_acts(rows, game, luck, told)
        else:
            _act_at_random(rows, game, luck)
            decisions += 1
    return decisions
