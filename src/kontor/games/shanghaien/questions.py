"""Texts that a player of Shanghaien can type for a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS
from kontor.games.shanghaien.rules.state import Both, Joker, Move, Nudge, Number, Place, Reroll, Roll, Shanghai
from kontor.games.shanghaien.rules.view import View
from kontor.questions import Choice, Question
from kontor.words import Words


def question(words: Words, names: Sequence[str], view: View, moves: Sequence[Move]) -> Question[Move]:
    """Return the question for a move; the rules may refuse the answer."""
    tricks = len(set(view.crews[view.mover].tricks))
    choices = [Choice(move, _forms(words, move, tricks)) for move in moves]
    others = [Choice(move, _forms(words, move, 1)) for move in _every_move() if move not in moves]
    hint = _hint(words, moves)
    if len(choices) == 1:  # then Enter is enough
        choices = [Choice(choices[0].value, (*choices[0].forms, ""))]
        hint = words.say("Enter or {move}", move=hint)
    return Question(hint, choices, others)


def _every_move() -> Iterator[Move]:
    """Yield every possible move, so that the rules can say why it is not legal now."""
    yield from (Roll(), Shanghai(), Number("left"), Number("right"), Both(), Reroll())
    for die in range(1, ROW + 1):
        yield Place(die)
        yield from (Nudge(die, die + 1), Nudge(die, die - 1))
    yield from (Joker(trick, nation) for trick in TRICKS for nation in NATIONS)


def _forms(words: Words, move: Move, tricks: int) -> tuple[str, ...]:
    """Return what can be typed for a move; ``tricks`` is the number of kinds of trick cards in hand."""
    match move:
        case Roll():
            return (words.say("roll"),)
        case Shanghai():
            return (words.say("shanghai"),)
        case Number(end):
            return (words.say("left") if end == "left" else words.say("right"),)
        case Place(die):
            return (str(die), words.say("place {die}", die=die), words.say("place the {die}", die=die))
        case Joker(trick, nation):
            crew = (phrases.nation(words, nation), phrases.letter(words, nation))
            alone = [words.say("joker {nation}", nation=name) for name in crew]
            kinds = (phrases.trick(words, trick), trick)  # the name of a card need not be on every keyboard: “±1”
            with_card = [
                words.say("joker {nation} {trick}", nation=name, trick=kind) for name in crew for kind in kinds
            ]
            return (*alone, *with_card) if tricks < 2 else tuple(with_card)
        case Nudge(die, to):
            return _nudge_forms(words, die, to)
        case Both():
            return (words.say("both"),)
        case Reroll():
            return (words.say("reroll"),)


def _nudge_forms(words: Words, die: int, to: int) -> tuple[str, ...]:
    sign, way = ("+", words.say("up")) if to > die else ("-", words.say("down"))
    changes = (f"{die} {to}", f"{die} {way}", f"{die}{sign}", f"{die} {sign}", f"{die}{sign}1")
    return (
        *(words.say("nudge {nudges}", nudges=change) for change in changes),
        f"{die}{sign}",
        f"{die}{sign}1",
        f"{die} {way}",
    )


def _hint(words: Words, moves: Sequence[Move]) -> str:
    """Return a hint at what can be typed, kind by kind."""
    parts = [_forms(words, move, 1)[0] for move in moves if isinstance(move, Roll | Shanghai | Number | Place)]
    nations = dict.fromkeys(move.nation for move in moves if isinstance(move, Joker))
    if nations:
        parts.append(
            words.say("joker {nations}", nations=" ".join(phrases.letter(words, nation) for nation in nations))
        )
    nudges = [f"{move.die}{'+' if move.to > move.die else '-'}" for move in moves if isinstance(move, Nudge)]
    if nudges:
        parts.append(words.say("nudge {nudges}", nudges=" ".join(nudges)))
    parts += [_forms(words, move, 1)[0] for move in moves if isinstance(move, Both | Reroll)]
    return " · ".join(parts)
