"""Pictures in the rules: the real components, drawn by the board's own templates."""

from __future__ import annotations

from typing import Any, Final

from kontor.games.shanghaien.rules import SHANGHAIEN, State
from kontor.games.shanghaien.rules.components import NATIONS, Nation
from kontor.games.shanghaien.web import examples
from kontor.games.shanghaien.web.board import context
from kontor.words import Words

NAMES: Final = ("Anna", "Bernd")


def pictures(words: Words) -> dict[str, Any]:
    """Return the scenes of the pictures by name, seen from Anna's seat."""

    def scene(state: State, **more: Any) -> dict[str, Any]:
        view = SHANGHAIEN.view(state, examples.ANNA)
        return {**context(words, NAMES, view, SHANGHAIEN.moves(state)), **more}

    return {
        "cards": {"cards": ("A1", "S3", "both")},
        "numbering": scene(examples.numbering()),
        "from-left": scene(examples.numbered(left=True)),
        "from-right": scene(examples.numbered(left=False)),
        "dealt": scene(examples.dealt()),
        "before-tricks": scene(examples.before_tricks()),
        **{name: scene(use.after) for name, use in examples.tricks().items()},
        "joker-helps": _crews(scene(examples.joined("S")), "S"),
        "joker-hurts": _crews(scene(examples.joined("T")), "T"),
        "last-round": scene(examples.final()),
        "final": _crews(scene(examples.final()), *NATIONS),
        "spent": scene(examples.joined("S")),
        "hand": scene(examples.rolled()),
        "score": scene(examples.halfway()),
    }


def _crews(scene: dict[str, Any], *nations: Nation) -> dict[str, Any]:
    """Return the scene with those of these nations that a crew has."""
    crews = scene["view"].crews
    return {**scene, "nations": tuple(one for one in nations if any(one in crew.nations for crew in crews))}
