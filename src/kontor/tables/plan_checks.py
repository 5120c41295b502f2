"""Checks of the plan of a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from kontor import records
from kontor.decoding import misfit
from kontor.errors import BadPlan
from kontor.fair import commitment
from kontor.game import AnyGame, BadOptions, Refusal
from kontor.players import has_judge, is_benchmark_player, player_named
from kontor.plugins import game_named
from kontor.records import Header
from kontor.tables.clocks import check_pace
from kontor.tables.values import Plan


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """A plan that can be played. ``options`` are the game's options as the text of a record."""

    plan: Plan
    game: AnyGame
    options: str


def check(plan: Plan) -> CheckedPlan:
    """Return the checked plan. Raises BadPlan, or BadOptions with the rule of the game."""
    options, plan = plan.options, _convert(replace(plan, options=None), Plan)
    game = game_named(plan.game)
    options = _convert(options, game.options)
    game.start(options)
    count = game.seats(options)
    if len(plan.seats) != count:
        reason = "The game has {count} seats, not {given}."
        raise BadPlan("", reason, count=count, given=len(plan.seats))
    check_pace(plan.pace)
    check_machine(plan.game, plan.takeover)
    if plan.hints and not has_judge(plan.game):
        raise BadPlan("", "There are no hints in a game of {game}.", game=plan.game)
    _check_seats(plan)
    _check_header(game, options, count)
    text = msgspec.json.encode(msgspec.to_builtins(options, order="deterministic")).decode()
    return CheckedPlan(plan, game, text)


def _convert(value: Any, kind: Any) -> Any:
    """Return the value as it would be read from JSON; Python does not check its types. Raises BadPlan."""
    try:
        return msgspec.convert(msgspec.to_builtins(value), kind)
    except msgspec.ValidationError as error:
        raise BadPlan("", "This table cannot be opened: {error}.", error=misfit(error)) from error
    except (TypeError, UnicodeError) as error:  # UnicodeError: lone surrogates
        raise BadPlan("", "This table cannot be opened.") from error


def check_machine(game: str, player: str) -> None:
    """Raise BadOptions unless the game has this computer player, and it may sit at a table.

    Benchmark players may not: they would keep others waiting for as long as somebody likes.
    """
    player_named(game, player)
    if is_benchmark_player(game, player):
        reason = "“{name}” is for measuring other players; it cannot sit at a table."
        raise BadPlan("", reason, name=player)


def _check_seats(plan: Plan) -> None:
    kinds = Counter(seat.kind for seat in plan.seats)
    if kinds["me"] > 1:
        raise BadPlan("", "You can take only one seat; others on your device need names of their own.")
    if kinds["here"] and not kinds["me"]:
        raise BadPlan("", "Others can play on your device only if you are at the table too.")
    for seat in plan.seats:
        if seat.kind == "machine":
            check_machine(plan.game, seat.player)
        elif seat.player:
            raise BadPlan("", "A computer player needs a seat of its own.")
        if seat.kind == "here" and not seat.name:
            raise BadPlan("", "Everyone else on your device needs a name.")


def _check_header(game: AnyGame, options: Any, count: int) -> None:
    """Raise BadPlan or BadOptions unless a record can hold the options.

    A chart can bring texts of its own, and the texts of a record are restricted.
    """
    some = ("x",) * count
    header = Header(records.VERSION, game.name, game.version, options, some, some, some, commitment(b""))
    try:
        records.decode(records.encode_line(header))
    except BadOptions:
        raise
    except UnicodeError as error:
        raise BadPlan("", "The options contain characters that cannot be used.") from error
    except Refusal as refused:
        raise BadPlan(refused.rule, refused.reason, **refused.details) from refused
