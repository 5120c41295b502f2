"""Vector environments: step by step equal to the single ones in observations, legal steps and rewards."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import kontor.environments.gymnasium  # noqa: F401
from batch.groups import OF_STEPS
from kontor.batch import SKIP, Batch
from kontor.batch.step_batch import StepBatch
from kontor.batch.stepping import ANEW, BEGUN, ENDED, ILLEGAL, LOOK, PLAYING
from kontor.environments.encoders import ActionEncoder, Position
from kontor.environments.functional import FunctionalEnv
from kontor.environments.vector import VectorSeat
from kontor.game import OVER, BadOptions
from kontor.games.dutchman.rules import Options as DutchmanOptions

from .walks import FORMS, name_of

pytestmark = OF_STEPS

IDS = ["kontor/Shanghaien-v1", "kontor/Dutchman-v1"]


class Followed:
    """Games of a vector environment, and the same games in the rules engine and in batches of whole moves.

    Their luck is the same.
    """

    def __init__(self, encoder: ActionEncoder, games: int, seed: int) -> None:
        self.encoder = encoder
        self.steps = StepBatch(encoder.game, encoder.options, games, seed=seed)
        self.moves = Batch(encoder.game, encoder.options, games, seed=seed)
        self.moves.draw()
        self.positions = [Position(encoder, self.moves.state(game)) for game in range(games)]
        self.compare()

    def play(self, steps: Any) -> None:
        self.steps.step(steps)
        actions = np.full(self.steps.games, SKIP, np.int64)
        engine: dict[int, Any] = {}
        for game, position in enumerate(self.positions):
            if steps[game] == SKIP:
                continue
            after = position.after(int(steps[game]))
            if after.begun:
                self.positions[game] = after
            else:
                actions[game] = self.moves.action(game, after.action)
                engine[game] = after.state
        self.moves.step(actions)
        for game, state in engine.items():
            assert self.moves.state(game) == state
        self.moves.draw()
        for game in engine:
            self.positions[game] = Position(self.encoder, self.moves.state(game))
        self.compare()

    def compare(self) -> None:
        steps, seats = self.steps, self.encoder.seats
        assert np.array_equal(steps.rows, self.moves.rows)
        for game, position in enumerate(self.positions):
            assert tuple(steps.begun[game]["steps"][: steps.begun[game]["count"]]) == position.begun
            assert steps.movers[game] == position.mover
            assert np.array_equal(steps.masks[game], position.mask())
            assert np.array_equal(steps.observations[game], position.observation(max(position.mover, 0)))
            assert steps.ended[game] == (ENDED if position.mover == OVER else PLAYING)
            assert np.array_equal(steps.rewards[game], np.array(position.returns(), np.float32))
        other = np.array([(position.mover + 1) % seats for position in self.positions], np.int8)
        for seen, position, seat in zip(steps.observe(other), self.positions, other, strict=True):
            assert np.array_equal(seen, position.observation(int(seat)))


@pytest.mark.parametrize("encoder", FORMS, ids=name_of)
def test_every_step_is_that_of_the_single_environment(encoder: ActionEncoder) -> None:
    followed, random = Followed(encoder, 3, seed=5), np.random.default_rng(8)
    longest = 0
    while (followed.steps.movers >= 0).any():
        followed.play(followed.steps.sample(random))
        longest = max(longest, int(followed.steps.begun["count"].max()))
    assert longest >= (4 if encoder.game.name == "dutchman" else 0)
    assert longest <= BEGUN["steps"].shape[0]


@pytest.mark.extended  # in the usual run sampled steps of whole games are compared
@pytest.mark.long
def test_exactly_the_legal_steps_are_taken() -> None:
    """Check each number, legal or not, at all kinds of decisions, also within moves."""
    for encoder in (FORMS[0], FORMS[2]):
        games = StepBatch(encoder.game, encoder.options, 12, seed=2)
        random = np.random.default_rng(3)
        for _ in range(40):
            games.step(games.sample(random))
        for step in [*range(-9, -3), *range(encoder.actions + 3), 2**40]:
            tried = games.copy()
            tried.step(np.full(12, step))
            legal = [0 <= step < encoder.actions and bool(games.masks[game, step]) for game in range(12)]
            assert [tried.ended[game] != ILLEGAL for game in range(12)] == legal
            for game in np.flatnonzero(np.logical_not(legal)):
                assert tried.rewards[game, games.movers[game]] == -1
                assert tried.rewards[game].sum() == -1
                assert tried.rows[game] == games.rows[game]


def test_nothing_of_a_begun_move_is_told_to_others() -> None:
    """Check that hidden things stay hidden.

    What others see is the same before and after the steps that only begin a move.
    """
    encoder = FORMS[3]
    games, random = StepBatch(encoder.game, encoder.options, 16, seed=4), np.random.default_rng(5)
    begun = 0
    for _ in range(120):
        steps = games.sample(random)
        others = (np.maximum(games.movers, 0) + 1) % encoder.seats
        before = games.observe(others)
        games.step(steps)
        same = games.begun["count"] > 0
        begun += int(same.sum())
        assert np.array_equal(before[same], games.observe(others)[same])
    assert begun > 100


def test_a_game_that_is_over_stays_so_until_it_begins_anew() -> None:
    env, random = FunctionalEnv("shanghaien"), np.random.default_rng(1)
    state = first = env.init(seed=1, games=4)
    copy = state.observation.copy()
    while not state.terminated.any():
        state = env.step(state, env.sample(state, random))
    assert np.array_equal(first.observation, copy)
    over = int(np.flatnonzero(state.terminated)[0])
    assert abs(state.rewards[over]).sum() in (0, 2)
    again = env.step(state, np.where(state.terminated, 0, -1))
    assert again.rewards[over].tolist() == [0, 0]
    assert again.terminated[over]
    anew = env.step(again, np.where(state.terminated, ANEW, SKIP), donate=True)
    assert anew is again
    assert not anew.terminated[over]
    assert anew.legal_action_mask[over].any()
    looked = env.step(anew, np.full(4, LOOK))
    assert np.array_equal(looked.observation, anew.observation)
    assert looked.rows.base is None
    assert env.observe(anew, 1).shape == (4, *env.observation_shape)


@pytest.mark.parametrize("cores", [1, 2])
def test_the_same_seed_gives_the_same_games_on_any_cores(cores: int) -> None:
    def play(games: int, first: int) -> Any:
        batch = StepBatch(FORMS[0].game, FORMS[0].options, games, seed=7, first=first, cores=cores)
        for _ in range(60):
            batch.step(batch.masks.argmax(axis=1).astype(np.int64))
        return batch.observations

    assert np.array_equal(play(9, 0)[4:], play(5, 4))


# ------------------------------------------------------------------------------------------------- Gymnasium


def vector(name: str, envs: int = 6, **more: Any) -> VectorSeat:
    made = gymnasium.make_vec(name, num_envs=envs, **more)
    assert isinstance(made, VectorSeat)
    return made


def legal(env: VectorSeat, random: np.random.Generator) -> Any:
    masks = env.action_masks().astype(bool)
    return np.array([random.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@pytest.mark.parametrize("name", IDS)
def test_a_vector_environment_has_the_spaces_of_the_single_one(name: str) -> None:
    env, single = vector(name), gymnasium.make(name)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    assert env.observation_space == batch_space(single.observation_space, 6)
    assert env.action_space == batch_space(single.action_space, 6)
    (seen, _), (again, _) = env.reset(seed=3), env.reset(seed=3)
    assert seen in env.observation_space
    assert all(np.array_equal(seen[part], again[part]) for part in seen)
    other, _ = env.reset(seed=4)
    assert not np.array_equal(seen["observation"], other["observation"])


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_games_begin_anew_as_each_mode_says(name: str, mode: AutoresetMode) -> None:
    env, random = vector(name, autoreset_mode=mode, seat=[0, 1, 0, 1, 0, 1]), np.random.default_rng(6)
    assert env.metadata["autoreset_mode"] == mode
    seen, _ = env.reset(seed=6)
    ended, before = 0, np.zeros(6, bool)
    for _ in range(220):
        assert seen in env.observation_space
        playing = seen["action_mask"].any(axis=1)
        seen, rewards, over, cut, infos = env.step(legal(env, random))
        assert (rewards[~over] == 0).all()
        assert not cut.any()
        if mode == AutoresetMode.NEXT_STEP:
            assert not (over & before).any()
            assert (playing == ~before).all()
        if mode == AutoresetMode.SAME_STEP:
            assert playing.all()
            for game in np.flatnonzero(over):
                assert not infos["final_obs"][game]["action_mask"].any()
                assert infos["_final_obs"][game]
        if mode == AutoresetMode.DISABLED and over.any():
            seen, _ = env.reset(options={"reset_mask": over})
        before, ended = over, ended + int(over.sum())
    assert ended >= 6


def test_the_learner_sits_in_its_seat_and_others_play_at_random_or_by_a_policy() -> None:
    """Check that a policy of first legal steps wins some games on every seat, and sees its own cash first."""

    def first(seen: dict[str, Any]) -> Any:
        return seen["action_mask"].argmax(axis=1)

    for opponents in ("random", first):
        seats = [0, 1, 2, 3] * 4
        env = vector("kontor/Dutchman-v1", 16, seat=seats, opponents=opponents, autoreset_mode="Disabled", copy=False)
        seen, _ = env.reset(seed=2)
        won, most = np.zeros(16), np.zeros(16)
        for _ in range(400):
            assert (
                env._batch.movers[seen["action_mask"].any(axis=1)] == np.array(seats)[env._batch.movers >= 0]
            ).all()
            seen, rewards, over, _, _ = env.step(first(seen))
            won += rewards
            most = np.maximum(most, env._batch.rewards.max(axis=1))
            if over.all():
                break
        assert over.all()
        assert (most > 0).all()
        assert ((won == 0) | (won == most)).all()
        looked = env._batch.observe(np.array(seats, np.int8))
        assert np.array_equal(seen["observation"], looked)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_gymnasiums_own_wrappers_work_on_it(mode: AutoresetMode) -> None:
    """Check that Gymnasium counts whole games as they were played."""
    inner = vector("kontor/Shanghaien-v1", autoreset_mode=mode)
    env = gymnasium.wrappers.vector.DictInfoToList(gymnasium.wrappers.vector.RecordEpisodeStatistics(inner))
    env.reset(seed=4)
    random, returns, rewarded = np.random.default_rng(4), [], []
    for _ in range(160):
        _, rewards, over, _, infos = env.step(legal(inner, random))
        rewarded += rewards[over].tolist()
        returns += [info["episode"]["r"] for info, ended in zip(infos, over, strict=True) if ended]
    assert returns == rewarded
    assert len(rewarded) >= 6


@pytest.mark.parametrize(
    "wrong",
    [{"seat": 2}, {"seat": -1}, {"opponents": "greedy"}, {"game": "chess"}, {"options": DutchmanOptions(players=7)}],
)
def test_a_vector_environment_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        VectorSeat(2, **{"game": "dutchman" if "options" in wrong else "shanghaien", **wrong})
