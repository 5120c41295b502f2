"""Input of strangers: everything that could mean something, and everything that could do harm."""

from random import Random
from typing import Any, Final

import msgspec
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from kontor.game import CHANCE, AnyGame
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.plugins import game_named
from profiles import PROFILE, scale_examples

OPTIONS: Final[dict[str, Any]] = {
    "shanghaien": ShanghaienOptions(),
    "dutchman": DutchmanOptions(players=3, circles=2),
}


def with_examples(examples: int) -> settings:
    return settings(
        max_examples=scale_examples(examples),
        derandomize=PROFILE != "thorough",
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


ODD_TEXT: Final = (
    *("", " ", "\x00", "\r\n", "\r", "\n\ndata: x", "\u2028", "\u2029", "\x85", "\x1b[31m", "\ufeff", "\ufffe"),
    *("\u202eevil", "\u2066\u2069", "\u200b", "\u200d", "\u00ad", "a\u0301\u0301\u0301", "\u0661", "\ud800"),
    *(
        "<script>alert(1)</script>",
        "</textarea><svg onload=alert(1)>",
        "\"'><img src=x onerror=alert(1)>",
        "&lt;b&gt;",
    ),
    *("{name}", "{0}", "{", "}", "{name.__class__}", "%(name)s", "%s%n", "{{ 7 * 7 }}", "{% raw %}", "${7*7}"),
    *(
        "'; DROP TABLE people; --", '" OR 1=1', "\\", "..", "../../etc/passwd", "/", "//elsewhere.example",
        "javascript:0",
    ),
    *("NaN", "Infinity", "-0", "1e999", "0x10", "null", "true", "[]", "9" * 5000, "a" * 5000),
)  # fmt: skip
"""Texts that have done harm somewhere."""

texts = st.one_of(st.sampled_from(ODD_TEXT), st.text(max_size=40))

numbers = st.one_of(
    st.integers(-3, 70),
    st.sampled_from([2**31, 2**31 - 1, 2**63, -(2**63), 2**64, 10**30, -1, 0]),
    st.floats(allow_nan=False, allow_infinity=False),
)

scalars = st.one_of(st.none(), st.booleans(), numbers, texts)

anything = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
"""Any JSON."""


@st.composite
def damage(draw: st.DrawFn, straight: Any) -> Any:
    """Draw valid input with an error in it: another value, a field too many or too few, or nested once more."""
    choice = draw(st.integers(0, 9))
    if choice == 0:
        return draw(anything)
    if isinstance(straight, dict) and straight:
        changed = dict(straight)
        name = draw(st.sampled_from(sorted(changed)))
        if choice == 1:
            del changed[name]
        elif choice == 2:
            changed[draw(texts)] = draw(anything)
        elif choice == 3:
            changed[name] = draw(anything)
        else:
            changed[name] = draw(damage(changed[name]))
        return changed
    if isinstance(straight, list) and straight and choice > 2:
        changed_list = list(straight)
        at = draw(st.integers(0, len(changed_list) - 1))
        if choice == 3:
            del changed_list[at]
        elif choice == 4:
            changed_list *= draw(st.sampled_from([2, 50]))
        else:
            changed_list[at] = draw(damage(changed_list[at]))
        return changed_list
    return draw(scalars) if choice < 8 else [straight]


def moves_of_every_kind(game: AnyGame, options: Any) -> list[dict[str, Any]]:
    examples: dict[str, dict[str, Any]] = {}
    for seed in range(6):
        random, state = Random(seed), game.start(options)
        for _ in range(400):
            if state.mover == CHANCE:
                state = game.play(state, game.chance(state).draw(random.randrange))
                continue
            if state.mover < CHANCE:
                break
            moves = game.moves(state)
            for at in {0, len(moves) - 1, random.randrange(len(moves))}:
                plain = msgspec.json.decode(msgspec.json.encode(moves[at]))
                examples.setdefault(plain["move"], plain)
            state = game.play(state, moves[random.randrange(len(moves))])
    return [examples[kind] for kind in sorted(examples)]


MOVES: Final = {name: moves_of_every_kind(game_named(name), options) for name, options in OPTIONS.items()}
