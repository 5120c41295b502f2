"""The values that pages need for what a tournament's host changes: proposed pairings, corrections, the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from markupsafe import Markup

from kontor.people.texts import name_said
from kontor.tournaments.numbers import number
from kontor.tournaments.values import Correction, OrganiserChange, PairingFault, Swap, TournamentInfo, TournamentView
from kontor.web.forms import Form
from kontor.web.pages.moments import moment
from kontor.words import Words

_CORRECTABLE: Final = timedelta(days=7)


@dataclass(frozen=True)
class ProposalShown:
    """The pairing proposed for a round."""

    round: int
    boards: tuple[str, ...]
    """The names of the players of each table, or a sentence about a bye."""
    faults: tuple[str, ...]
    """Sentences about the rules that it breaks."""
    players: tuple[tuple[int, str], ...]
    """All who are paired: their numbers and names."""


@dataclass(frozen=True)
class ChangeShown:
    """A change by the host."""

    time: Markup
    text: str
    reason: str


def describe_proposal(words: Words, view: TournamentView, names: Mapping[int, str]) -> ProposalShown | None:
    """Return the pairing proposed for the next round, if there is one."""
    proposal = view.proposal
    if proposal is None:
        return None
    paired = sorted(entrant for board in proposal.boards for entrant in board)
    return ProposalShown(
        round=proposal.round,
        boards=tuple([_describe_board(words, names, board) for board in proposal.boards]),
        faults=tuple([describe_fault(words, names, fault) for fault in proposal.faults]),
        players=tuple([(entrant, names[entrant]) for entrant in paired]),
    )


def _describe_board(words: Words, names: Mapping[int, str], board: Sequence[int]) -> str:
    if len(board) == 1:
        return words.say("{name} has a bye.", name=names[board[0]])
    return " – ".join([names[entrant] for entrant in board])


def describe_fault(words: Words, names: Mapping[int, str], fault: PairingFault) -> str:
    """Return a sentence about a broken rule of pairing."""
    name = names[fault.entrants[0]]
    if fault.kind == "met":
        return words.say("{name} and {other} have met before.", name=name, other=names[fault.entrants[1]])
    if fault.kind == "bye":
        return words.say("{name} has had a bye before.", name=name)
    return words.say("{name} has the same seat too often.", name=name)


def describe_log(words: Words, view: TournamentView, names: Mapping[int, str]) -> tuple[ChangeShown, ...]:
    """Return the changes by the host, the last one first."""
    return tuple(
        [
            ChangeShown(moment(words, entry.at), _describe_entry(words, names, entry), entry.reason)
            for entry in reversed(view.log)
        ]
    )


def _describe_entry(words: Words, names: Mapping[int, str], entry: OrganiserChange) -> str:
    host = name_said(words, entry.name)
    if entry.kind == "swapped":
        one, other = (names[entrant] for entrant in entry.entrants)
        swapped = words.say(
            "{host} has swapped {one} and {other} in the pairing of round {round}.",
            host=host,
            one=one,
            other=other,
            round=entry.round,
        )
        return " ".join([swapped, *[describe_fault(words, names, fault) for fault in entry.faults]])
    return words.say(
        "{host} has corrected a result of round {round}: {after}, instead of {before}.",
        host=host,
        round=entry.round,
        after=_describe_points(words, names, entry.entrants, entry.after),
        before=" – ".join([number(words, points) for points in entry.before]),
    )


def _describe_points(words: Words, names: Mapping[int, str], entrants: Sequence[int], points: Sequence[float]) -> str:
    paired = zip(entrants, points, strict=True)
    return " – ".join([f"{names[entrant]} {number(words, share)}" for entrant, share in paired])


def can_correct(info: TournamentInfo, round_: int, now: datetime) -> bool:
    """Return True if the reader can correct results of a round, as far as a page can tell."""
    is_recent = info.ended is None or now - info.ended < _CORRECTABLE
    return info.host and info.status in ("running", "over") and is_recent and round_ >= info.round - 1


def correction_of(form: Form) -> Correction:
    """Return the correction of a result that a form means."""
    fields = [f"place-{seat}" for seat in range(6)]
    return Correction(
        round=form.number("round"),
        board=form.number("board"),
        places=tuple([form.number(field) for field in fields if field in form]),
        reason=form.get("reason", ""),
        second=form.get("second") == "yes",
    )


def swap_of(form: Form) -> Swap:
    """Return the change of the proposed pairing that a form means."""
    return Swap(
        (form.number("one"), form.number("other")), form.get("reason", ""), anyway=form.get("anyway") == "yes"
    )
