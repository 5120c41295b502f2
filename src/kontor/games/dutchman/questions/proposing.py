"""Reading of typed payments: ``Anna pays me 3``, ``I pay Anna 2``, ``Anna 3``, ``Bernd pays Anna 1, I get 2``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontor.game import IllegalMove
from kontor.questions import plainly
from kontor.words import Words


def terms_read(
    words: Words, names: Sequence[str], tied: Sequence[int], me: int, typed: str
) -> tuple[int, ...] | None:
    """Return what each of the tied players gets (or pays, below 0), or None if the text is not understood.

    Raises IllegalMove for a payment of a player who is not tied.
    """
    ducats = dict.fromkeys(tied, 0)
    parts = [part for part in re.split(r"[,;]", typed) if part.strip()]
    for part in parts:
        payment = _payment(words, names, tied, me, plainly(part).split())
        if payment is None:
            return None
        payer, receiver, sum_paid = payment
        ducats[payer] -= sum_paid
        ducats[receiver] += sum_paid
    return tuple(ducats.values()) if parts else None


def _payment(
    words: Words, names: Sequence[str], tied: Sequence[int], me: int, parts: list[str]
) -> tuple[int, int, int] | None:
    """Return payer, receiver and sum, or None if the text is not understood.

    One name alone pays me; with two tied players, ``I`` alone pays the other one.
    """
    numbers = [int(part[:6]) for part in parts if part.isascii() and part.isdigit()]
    spoken = [part for part in parts if not part.isdigit()]
    get = plainly(words.say("get"))
    pay = plainly(words.say("pay"))
    paying = next((part for part in spoken if part.startswith((get, pay))), "")
    people = []
    for part in spoken:
        if part.startswith((get, pay)) or part in _filling(words):
            continue
        seat = _person(words, names, tied, me, part)
        if seat is None:
            _refuse_others(words, names, tied, me, part)
            return None
        people.append(seat)
    if len(numbers) != 1 or not 1 <= len(people) <= 2 or len(set(people)) != len(people):
        return None
    if len(people) == 1:
        if people[0] != me and spoken[0] == paying:  # "pay Anna 3": I do
            people.insert(0, me)
        elif people[0] != me:
            people.append(me)
        elif len(tied) == 2:
            people.append(next(seat for seat in tied if seat != me))
        else:
            return None
    first, second = people
    return (second, first, numbers[0]) if paying.startswith(get) else (first, second, numbers[0])


def _refuse_others(words: Words, names: Sequence[str], tied: Sequence[int], me: int, part: str) -> None:
    """Raise IllegalMove if the text names a player who is not tied: only the tied take part in a bargain (H9)."""
    if _person(words, names, range(len(names)), me, part) is not None:
        party = words.all_of([names[seat] for seat in tied])
        raise IllegalMove("H9", "Only {names} take part in this bargain.", names=party)


def _filling(words: Words) -> set[str]:
    """Return words without a meaning for a payment."""
    return {plainly(word) for word in words.say("and to from ducat ducats for").split()}


def _person(words: Words, names: Sequence[str], tied: Sequence[int], me: int, part: str) -> int | None:
    """Return the tied player whose name begins with the text, or None unless it is exactly one."""
    if part in {plainly(word) for word in words.say("I me").split()}:
        return me
    plain_names = {seat: plainly(names[seat]).replace(" ", "") for seat in tied}
    exact = [seat for seat, name in plain_names.items() if name == part]
    matches = exact or [seat for seat, name in plain_names.items() if name.startswith(part)]
    return matches[0] if len(matches) == 1 else None
