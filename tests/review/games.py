"""Golden games as records."""

from typing import Any

from dutchman import test_golden as dutchman
from dutchman.table import NAMES as MERCHANTS
from dutchman.table import hear
from kontor.fair import commitment
from kontor.game import AnyGame
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.records import Record, Step, ended, new_header
from shanghaien import test_golden as shanghaien
from shanghaien.table import NAMES

SEED = bytes(32)


def record_game(game: AnyGame, options: Any, names: tuple[str, ...], actions: list[Any]) -> Record:
    """Return the record of a finished game, with names of seats."""
    state = game.start(options)
    steps = []
    for action in actions:
        steps.append(Step(state.mover, action))
        state = game.play(state, action)
    header = new_header(
        game,
        options,
        seats=names,
        players=("person",) * len(names),
        salts=("",) * len(names),
        commitment=commitment(SEED),
    )
    result = game.result(state)
    assert result
    return ended(Record(header, tuple(steps)), SEED, result)


def shanghaien_record(name: str) -> Record:
    """Return a golden game of Shanghaien."""
    options, actions = shanghaien.read((shanghaien.FOLDER / name).read_text(encoding="utf-8"))
    return record_game(SHANGHAIEN, options, NAMES, list(actions))


def dutchman_record(name: str) -> Record:
    """Return a golden game of the Holländer."""
    options, steps = dutchman.read((dutchman.FOLDER / name).read_text(encoding="utf-8"))
    state = DUTCHMAN.start(options)
    actions = []
    for step in steps:
        actions.append(hear(state, step))
        state = DUTCHMAN.play(state, actions[-1])
    return record_game(DUTCHMAN, options, MERCHANTS[: options.players], actions)
