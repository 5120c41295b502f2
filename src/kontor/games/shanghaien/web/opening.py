"""Opening a table of Shanghaien: who sits where, and the options that the form means."""

from __future__ import annotations

from typing import Any, Final

from kontor.game import BadOptions
from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.components import TRICKS, TrickCounts
from kontor.games.shanghaien.words import TRICK_MEANINGS
from kontor.web.adapter import Chair, Opening
from kontor.web.forms import Form
from kontor.words import Words


def _options(form: Form, players: int) -> Options:
    if players != 2:
        raise BadOptions("", "Shanghaien is for two.")
    usual = TrickCounts()
    first = form.get("first_trick", "")
    return Options(
        tricks=TrickCounts(**{trick: form.number(f"tricks-{trick}", getattr(usual, trick)) for trick in TRICKS}),
        starter=form.starter(),
        first_trick=first if first in TRICKS else None,
    )


def _choices(words: Words) -> dict[str, Any]:
    usual = TrickCounts()
    return {"tricks": {trick: (words.say(TRICK_MEANINGS[trick]), getattr(usual, trick)) for trick in TRICKS}}


def _fields(options: Options) -> dict[str, str]:
    """Return the fields of the form that mean these options."""
    fields = {f"tricks-{trick}": str(getattr(options.tricks, trick)) for trick in TRICKS}
    starter = "" if options.starter is None else str(options.starter)
    return fields | {"starter": starter, "first_trick": options.first_trick or ""}


OPENING: Final = Opening((Chair(2, "friend"),), may_lack=False, options=_options, choices=_choices, fields=_fields)
