"""The gain of attackers who try seeds or shares: none, if a later share cannot be guessed."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bench.attack import grinding
from bench.attack.grinding import ATTACKS, DOUBT, FAIR, GAMES, Attack, Drawn, Gain, Luck, Server, gains, grants, main

HONEST = 300
CHEATED = 40
PLAYED = 2

CHOSEN = {
    ("early", "server, as once it was"),
    ("early", "server, last two"),
    ("early", "server, first two; a word"),
    ("strict", "… exchanging shares"),
    ("strict", "…; host without scripts"),
}
"""Attacks that choose among so many dice that it shows in a few games.

(An attacker who withholds shares chooses from at most four.)
"""


pytestmark = [pytest.mark.extended, pytest.mark.xdist_group("what is gained by grinding")]
"""One process for these tests, in which the gain is computed once."""


@pytest.fixture(scope="module")
def gains_by_attack() -> dict[tuple[str, str], Gain]:
    all_of_them = gains(seed=1, honest=HONEST, cheated=CHEATED, played=PLAYED)
    return {(gain.attack.dice, gain.attack.attackers): gain for gain in all_of_them}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with closing(Server(tmp_path)) as server:
        yield server


def attack_of(dice: str, attackers: str) -> Attack:
    return next(attack for attack in ATTACKS if (attack.dice, attack.attackers) == (dice, attackers))


@pytest.mark.long
def test_who_chooses_the_dice_is_seen(gains_by_attack: dict[tuple[str, str], Gain]) -> None:
    assert {which for which, gain in gains_by_attack.items() if gain.p < DOUBT} == CHOSEN
    for which in CHOSEN:
        assert gains_by_attack[which].granted > 5 * gains_by_attack[which].expected


@pytest.mark.long
def test_nobody_gains_where_the_page_promises_that_nobody_can_choose(
    gains_by_attack: dict[tuple[str, str], Gain],
) -> None:
    for which in (("early", "server"), ("strict", "server"), ("strict", "server, both others")):
        gain = gains_by_attack[which]
        assert gain.attack.promised
        assert gain.games == gain.as_promised == HONEST
        assert gain.tries > 10 * HONEST, "they did try"
        assert gain.p > DOUBT


@pytest.mark.long
def test_what_was_promised_is_exchanged_in_sight(gains_by_attack: dict[tuple[str, str], Gain]) -> None:
    never_kept = {which for which, gain in gains_by_attack.items() if gain.as_promised == 0}
    assert never_kept == {("early", "server, as once it was"), ("strict", "… exchanging shares")}
    assert all(gain.as_promised == gain.games for which, gain in gains_by_attack.items() if which not in never_kept)
    assert not any(gain.breaks_promise for gain in gains_by_attack.values())


def test_of_two_shares_that_can_be_held_back_four_games_come() -> None:
    luck, attack = Luck(1), attack_of("strict", "… holding shares back")
    games = [attack.draw(luck) for _ in range(1000)]
    granted = sum(grants(drawn.seed, drawn.salts) for drawn in games)
    assert 3 < granted / (FAIR * 1000) < 5
    assert Gain(attack, 1000, granted, luck.tries, 1000, 0).p < DOUBT


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.dice}: {attack.attackers}")
def test_what_is_drawn_is_what_is_played(server: Server, attack: Attack) -> None:
    """Check also a game in which the wish is granted."""
    luck = Luck(2)
    drawn = next(one for one in iter(lambda: attack.draw(luck), None) if grants(one.seed, one.salts))
    server.play(attack, drawn)


def test_a_game_that_is_not_played_as_it_was_drawn_is_found(server: Server) -> None:
    attack = attack_of("strict", "server, both others")
    drawn = attack.draw(Luck(3))
    other = Drawn(bytes(32), drawn.salts, drawn.promised)
    assert not other.is_as_promised
    with pytest.raises(AssertionError):
        server.play(attack, other)


def test_the_judge_finds_who_gains_a_little() -> None:
    attack = attack_of("strict", "server, both others")
    fair = GAMES * FAIR
    assert Gain(attack, GAMES, round(fair), 1, GAMES, 0).p > 0.9
    small = Gain(attack, GAMES, round(1.2 * fair), 1, GAMES, 0)
    assert small.chi_square == pytest.approx(7.45, rel=0.01)
    assert small.p == pytest.approx(0.0063, rel=0.02)
    assert not small.breaks_promise
    large = Gain(attack, GAMES, round(1.4 * fair), 1, GAMES, 0)
    assert large.breaks_promise
    assert not Gain(attack, GAMES, round(1.4 * fair), 1, 0, 0).breaks_promise, "everybody sees it"


def test_with_the_same_seed_it_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for seed in ("7", "7", "8"):
        main(["--seed", seed, "--games", "20", "--cheated", "2", "--played", "1"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]
    assert all(attack.attackers in outputs[0] and attack.page in outputs[0] for attack in ATTACKS)


def test_a_broken_promise_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Check a promise of the page that no openly announced dice can keep."""
    open_to_all = attack_of("early", "server, last two")
    monkeypatch.setattr(grinding, "ATTACKS", (replace(open_to_all, promised=True),))
    with pytest.raises(SystemExit, match="A promise of the page is broken"):
        main(["--cheated", "300", "--played", "0"])
    assert "300" in capsys.readouterr().out
