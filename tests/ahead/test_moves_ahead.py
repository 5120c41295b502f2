"""Moves given ahead at tables: secret, checked by the rules when the turn comes, and played once."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import msgspec
import pytest

from guests import CARLA, ME, OPEN, Clock, as_of, lines, play_one, query, quick
from kontor.accounts.archive import pack_data
from kontor.ahead import store
from kontor.ahead.store import part_of
from kontor.errors import Conflict, Malformed, NotAllowed, NotNow
from kontor.game import Refusal
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.web.ahead import LayAhead, PassAhead, SailAhead
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Number, Place, Roll, Shanghai
from kontor.games.shanghaien.web.ahead import PlaceAhead, RollAhead, ShanghaiAhead
from kontor.server.composition import KontorServer
from kontor.storage import Place as Storage
from kontor.tables.values import Pace, Plan, SeatPlan
from kontor.words import Words
from security.test_own_data import unpack

ANY_DIE = tuple(range(1, 7))


def two(service: KontorServer, *, watch: bool = True) -> tuple[str, list[str]]:
    """Return a table of Shanghaien at which Anna begins, and the two people."""
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
    plan = Plan("shanghaien", ShanghaienOptions(starter=0), (ME, OPEN), watch=watch)
    table = service.opening.open(people[0], plan)
    service.opening.sit(table, 1, people[1])
    return table, people


def three(service: KontorServer) -> tuple[str, list[str]]:
    """Return a table of the Holländer at which Anna begins, and its people."""
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla")]
    plan = Plan("dutchman", DutchmanOptions(players=3, starter=0), (ME, OPEN, OPEN))
    table = service.opening.open(people[0], plan)
    for seat, person in enumerate(people[1:], 1):
        service.opening.sit(table, seat, person)
    return table, people


def move(service: KontorServer, table: str, seat: int, made: Any) -> None:
    service.moves.play(table, seat, service.tables.info(table).number, made, choice="never")


def anna_places(service: KontorServer, table: str) -> None:
    """Let Anna roll, number the row if she must, and place the lower die."""
    move(service, table, 0, Roll())
    view = service.tables.view(table).look(0).view
    if view.one_at is None:
        move(service, table, 0, Number("left"))
    move(service, table, 0, Place(view.roll[0]))


def play_due(service: KontorServer) -> int:
    """Play all moves given ahead whose turn has come, one after the other; return how many."""
    played = 0
    while any(service.moves_ahead.play(turn) for turn in service.moves_ahead.due()):
        played += 1
    return played


def given(service: KontorServer, table: str, person: str) -> tuple[Any, ...]:
    return service.moves_ahead.given(service.tables.view(table, person)).moves


def has_missed(service: KontorServer, table: str, person: str) -> bool:
    return service.moves_ahead.given(service.tables.view(table, person)).missed


def own_moves(service: KontorServer, person: str) -> list[Any]:
    """Return the moves given ahead that are in the file with the person's own data."""
    files = unpack(pack_data(Words("en"), service, person))
    moves: list[Any] = msgspec.json.decode(files["moves_ahead.json"])
    return moves


def test_a_turn_given_ahead_is_played_at_once_when_it_comes(service: KontorServer) -> None:
    table, (_, bernd) = two(service)
    ahead = (RollAhead(1, 0), *[PlaceAhead(1, 0, die) for die in ANY_DIE])
    service.moves_ahead.give(table, bernd, ahead)
    assert given(service, table, bernd) == ahead
    assert play_due(service) == 0
    anna_places(service, table)
    assert play_due(service) == 2
    view = service.tables.view(table).look(1).view
    assert (sum(view.placed[1]), view.mover) == (1, 0)
    assert given(service, table, bernd) == ()
    assert play_due(service) == 0


def test_the_loop_of_the_computer_players_plays_it(service: KontorServer, place: Storage) -> None:
    table, (_, bernd) = two(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    anna_places(service, table)
    before = len(lines(place, table))
    quick(service).one_round()
    assert len(lines(place, table)) == before + 2, "the roll, and the dice"


def test_of_several_placings_the_first_that_fits_the_roll_is_taken(service: KontorServer) -> None:
    table, (_, bernd) = two(service)
    pairs = [(die, other) for die in ANY_DIE for other in ANY_DIE]
    anna_places(service, table)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    play_due(service)
    low, high = service.tables.view(table).look(1).view.roll
    pair = next(pair for pair in pairs if sorted(pair) == [low, high] and pair[0] == high)
    with pytest.raises(Refusal):
        service.moves_ahead.give(table, bernd, [PlaceAhead(1, 0, *pair)])  # decided at the table, not ahead
    assert PlaceAhead(1, 0, high, low).fits((low, high))
    assert PlaceAhead(1, 0, low).fits((low, high))
    assert not PlaceAhead(1, 0, high, 7 - low if 7 - low != low else 1).fits((low, high)) or low == 7 - low


def test_what_does_not_fit_the_dice_is_gone_and_its_owner_is_told(service: KontorServer) -> None:
    table, (anna, bernd) = two(service)
    misses = 0
    for _ in range(4):
        placed = sum(service.tables.view(table).look(1).view.placed[1])
        ahead = [RollAhead(1, placed), PlaceAhead(1, placed, 6, 6)]
        service.moves_ahead.give(table, bernd, ahead)
        anna_places(service, table)
        play_due(service)
        view = service.tables.view(table).look(1).view
        if view.mover == 1:
            misses += 1
            assert has_missed(service, table, bernd)
            assert own_moves(service, bernd) == []
            assert given(service, table, bernd) == ()
            assert not service.moves_ahead.given(service.tables.view(table, anna)).missed
            assert service.moves_ahead.due() == []
            move(service, table, 1, Place(view.roll[0]))
            assert not has_missed(service, table, bernd)
    assert misses


def test_a_pass_for_a_deciding_round_that_does_not_come_is_gone_without_a_word(
    service: KontorServer, place: Storage
) -> None:
    table, (_, bernd, _) = three(service)
    first = service.tables.view(table, bernd).look(1).view.round
    service.moves_ahead.give(table, bernd, [PassAhead(first, "again")])
    random = Random(3)
    while not ((now := service.tables.view(table, bernd).look(1)).moves and now.view.round > first):
        play_due(service)
        assert play_one(service, table, random)
    play_due(service)
    assert not has_missed(service, table, bernd)
    assert query(place, "SELECT count(*) FROM moves_ahead") == [(0,)]


def test_shanghai_given_for_the_turn_after_ends_the_round(service: KontorServer) -> None:
    table, (_, bernd) = two(service)
    for placed in (0, 1):
        every = [PlaceAhead(1, placed, die) for die in ANY_DIE]
        after = [ShanghaiAhead(1, 2)] if placed else []
        service.moves_ahead.give(table, bernd, [RollAhead(1, placed), *every, *after])
        anna_places(service, table)
        assert play_due(service) == 2
    anna_places(service, table)
    assert play_due(service) == 1
    assert service.tables.view(table).look(1).view.round == 2


def test_moves_for_a_round_that_another_ends_do_not_fit(service: KontorServer) -> None:
    table, (_, bernd) = two(service)
    for _ in range(2):
        anna_places(service, table)
        while service.tables.info(table).mover == 1:
            play_one(service, table, Random(1))
    placed = sum(service.tables.view(table).look(1).view.placed[1])
    service.moves_ahead.give(table, bernd, [RollAhead(1, placed)])
    move(service, table, 0, Shanghai())
    assert has_missed(service, table, bernd), "at once, before anything was looked at"
    assert play_due(service) == 0
    assert has_missed(service, table, bernd)
    move(service, table, 1, Roll())
    assert not has_missed(service, table, bernd)


def test_moves_decided_by_hand_are_not_played_later(service: KontorServer) -> None:
    table, (_, bernd) = two(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0), PlaceAhead(1, 0, 1, 1), RollAhead(1, 1)])
    anna_places(service, table)
    move(service, table, 1, Roll())
    move(service, table, 1, Place(service.tables.view(table).look(1).view.roll[0]))
    assert given(service, table, bernd) == ()
    anna_places(service, table)
    assert play_due(service) == 0


def test_another_move_is_waited_for_while_it_can_be_taken_back(service: KontorServer, clock: Clock) -> None:
    table, (anna, bernd) = two(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    move(service, table, 0, Roll())
    move(service, table, 0, Number("left"))
    die = service.tables.view(table).look(0).view.roll[0]
    number = service.tables.info(table).number
    service.moves.play(table, 0, number, Place(die))
    assert play_due(service) == 0
    service.moves.undo(table, anna, number + 1, 0)
    assert given(service, table, bernd) == (RollAhead(1, 0),)
    service.moves.play(table, 0, number, Place(die))
    clock.tick(seconds=4)
    assert play_due(service) == 1


def test_what_was_given_for_a_line_goes_with_the_line(service: KontorServer) -> None:
    table, (anna, bernd) = two(service)
    move(service, table, 0, Roll())
    move(service, table, 0, Number("left"))
    number = service.tables.info(table).number
    service.moves.play(table, 0, number, Place(service.tables.view(table).look(0).view.roll[0]))
    service.moves_ahead.give(table, anna, [RollAhead(1, 1)])
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    service.moves.undo(table, anna, number + 1, 0)
    assert (given(service, table, anna), given(service, table, bernd)) == ((), ())


def test_moves_taken_back_by_agreement_are_not_played_again(service: KontorServer) -> None:
    table, (anna, bernd) = two(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0), *[PlaceAhead(1, 0, die) for die in ANY_DIE]])
    anna_places(service, table)
    play_due(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 1)])
    service.early_endings.propose(table, 1, bernd, "undo", turn=True)
    service.early_endings.agree(table, anna, "undo")
    assert service.tables.info(table).mover == 1
    assert play_due(service) == 0
    assert given(service, table, bernd) == ()


def test_nobody_else_learns_that_moves_were_given(service: KontorServer, place: Storage) -> None:
    table, (anna, bernd) = two(service)
    heard: list[str] = []

    def all_that_others_see() -> tuple[Any, ...]:
        seen = []
        for reader, seat in ((anna, 0), (None, None)):
            now = service.tables.view(table, reader)
            seen += [now.info, now.look(seat), now.events(seat), now.chat_lines()]
            seen.append(service.moves_ahead.given(now))
        return (*seen, service.listing.my_tables(anna), query(place, "SELECT changes FROM tables"))

    before = all_that_others_see()
    service.listen(heard.append)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    assert all_that_others_see() == before
    service.moves_ahead.drop(table, bernd)
    assert all_that_others_see() == before
    assert heard == []
    assert query(place, "SELECT count(*) FROM outbox") == [(0,)]


def test_a_move_that_was_withdrawn_meanwhile_is_not_played(service: KontorServer) -> None:
    table, (_, bernd) = two(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    anna_places(service, table)
    (turn,) = service.moves_ahead.due()
    service.moves_ahead.drop(table, bernd)
    assert not service.moves_ahead.play(turn)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0), PlaceAhead(1, 0, 1)])
    assert not service.moves_ahead.play(turn), "it was replaced"
    assert play_due(service) >= 1


def test_after_a_crash_it_is_played_once(place: Storage, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table, (_, bernd) = two(service)
        service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
        anna_places(service, table)
        (turn,) = service.moves_ahead.due()
    with KontorServer.open(place, clock) as service:
        assert service.moves_ahead.due() == [turn]
        assert play_due(service) == 1
        assert not service.moves_ahead.play(turn)


@pytest.mark.parametrize("meanwhile", ["moved", "taken back", "stood in", "merged"])
def test_nothing_is_given_at_a_table_that_changes_meanwhile(
    service: KontorServer, place: Storage, clock: Clock, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
    plan = Plan("shanghaien", ShanghaienOptions(starter=0), (ME, OPEN), pace=Pace("live", 30))
    table = service.opening.open(people[0], plan)
    service.opening.sit(table, 1, people[1])
    anna, bernd = people
    if meanwhile in ("taken back", "stood in"):
        anna_places(service, table)
    part = part_of("shanghaien")

    def check(view: Any, moves: Any) -> None:
        """Let the table change between the check by the rules and the transaction."""
        part.check(view, moves)
        match meanwhile:
            case "moved":
                move(service, table, 0, Roll())
            case "taken back":
                service.early_endings.propose(table, 0, anna, "undo", turn=True)
                service.early_endings.agree(table, bernd, "undo")
            case "stood in":
                clock.tick(seconds=100)
                service.clocks.stand_in(table, 1, anna)
            case _:
                phone = service.people.guest("Phone")[0].id
                service.merging.merge(phone, service.recovery.new_code(bernd))

    monkeypatch.setattr(store, "part_of", lambda _: dataclasses.replace(part, check=check))
    with pytest.raises(Conflict):
        service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    assert query(place, "SELECT count(*) FROM moves_ahead") == [(0,)]


def test_moves_of_one_who_is_suspended_wait_until_they_are_restored(service: KontorServer) -> None:
    table, (_, bernd) = two(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    anna_places(service, table)
    service.operating.suspend(bernd)
    assert play_due(service) == 0
    service.operating.restore(bernd)
    assert play_due(service) == 1


def test_only_those_who_play_one_seat_themselves_can_give_moves(service: KontorServer) -> None:
    table, (anna, bernd) = two(service)
    with pytest.raises(NotAllowed):
        service.moves_ahead.give(table, service.people.guest("Eve")[0].id, [RollAhead(1, 0)])
    for wrong in ([], [RollAhead(2, 0)], [ShanghaiAhead(1, 0)], [RollAhead(1, 0), RollAhead(1, 0)]):
        with pytest.raises(Refusal):
            service.moves_ahead.give(table, bernd, wrong)
    with pytest.raises(Refusal, match="At most 6"):
        service.moves_ahead.give(
            table, bernd, [PlaceAhead(1, 0, die, other) for die in (1, 2) for other in range(3, 7)]
        )
    with pytest.raises(Malformed):
        service.moves_ahead.give(table, bernd, [{"ahead": "cheat"}])
    plan = Plan("shanghaien", ShanghaienOptions(starter=0), (ME, CARLA))
    shared = service.opening.open(anna, plan)
    with pytest.raises(NotAllowed, match="one device"):
        service.moves_ahead.give(shared, anna, [RollAhead(1, 0)])
    service.early_endings.resign(table, 0, anna)
    with pytest.raises(NotNow):
        service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])


@pytest.mark.parametrize("bounds", [{"low": -(10**300)}, {"high": 10**300}, {"low": 20}, {"high": 50}])
def test_only_lucky_numbers_bound_a_lay(service: KontorServer, bounds: dict[str, int]) -> None:
    table, people = three(service)
    lay = {"ahead": "lay", "round": 1, "horseshoes": service.tables.view(table).look(1).view.rack[-1:], **bounds}
    with pytest.raises(Malformed):
        service.moves_ahead.give(table, people[1], [lay])


def test_they_are_exported_merged_and_deleted_with_the_person(service: KontorServer, place: Storage) -> None:
    table, (_, bernd) = two(service)
    service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
    (exported,) = own_moves(service, bernd)
    assert (exported["table"], exported["moves"]) == (table, [{"ahead": "roll", "round": 1, "placed": 0}])
    other = service.people.guest("Bernd")[0].id
    service.merging.merge(other, service.recovery.new_code(bernd))
    assert given(service, table, other) == (RollAhead(1, 0),)
    service.leaving.leave(other, "Bernd")
    assert query(place, "SELECT count(*) FROM moves_ahead") == [(0,)]


@pytest.mark.parametrize("how", ["resign", "agree", "stand in"])
def test_they_go_when_the_game_ends_or_a_computer_player_takes_the_seat(
    service: KontorServer, place: Storage, how: str
) -> None:
    table, people = three(service)
    view = service.tables.view(table).look(1).view
    service.moves_ahead.give(table, people[1], [LayAhead(1, view.rack[-1:])])
    if how == "agree":
        service.early_endings.propose(table, 0, people[0])
        for person in people[1:]:
            service.early_endings.agree(table, person)
    else:
        service.early_endings.resign(table, 1, people[1])
    assert query(place, "SELECT count(*) FROM moves_ahead") == [(0,)]


def test_a_computer_players_opponent_can_give_moves_ahead(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    plan = Plan("shanghaien", ShanghaienOptions(starter=0), (ME, SeatPlan("machine", player="random")))
    table = service.opening.open(anna, plan)
    service.moves_ahead.give(table, anna, [RollAhead(1, 0)])
    assert play_due(service) == 1


def test_in_the_hollander_a_lay_and_a_destination_are_played(service: KontorServer) -> None:
    table, people = three(service)
    view = service.tables.view(table).look(1).view
    to = view.ahead[0]
    ahead = [LayAhead(1, view.rack[:1]), SailAhead(1, view.dutchman, to)]
    service.moves_ahead.give(table, people[1], ahead)
    with pytest.raises(Refusal):
        service.moves_ahead.give(table, people[1], [SailAhead(1, view.dutchman, "nowhere")])
    first = service.tables.view(table).look(0)
    move(service, table, 0, next(one for one in first.moves if type(one).__name__ == "Smith"))
    assert play_due(service) == 1
    last = service.tables.view(table).look(2)
    move(service, table, 2, next(one for one in last.moves if type(one).__name__ == "Smith"))
    assert service.tables.info(table).mover == 1, "Bernd alone has laid"
    assert play_due(service) == 1
    assert service.tables.view(table).look(1).view.dutchman == to


def test_a_lay_for_other_lucky_numbers_is_not_played(service: KontorServer) -> None:
    table, people = three(service)
    now = service.tables.view(table).look(1).view
    assert now.lucky is not None
    wrong = 21 if now.lucky > 21 else 49
    service.moves_ahead.give(table, people[1], [LayAhead(1, now.rack[:1], wrong, wrong)])
    move(service, table, 0, next(m for m in service.tables.view(table).look(0).moves if type(m).__name__ == "Smith"))
    assert play_due(service) == 0
    assert has_missed(service, table, people[1])


@pytest.mark.parametrize("game", [two, three])
def test_whatever_is_given_ahead_games_come_to_their_end(service: KontorServer, game: Any) -> None:
    """Give all kinds of moves at random, and play on: nothing fails, and what is played was legal."""
    random, played = Random(3), 0
    table, people = game(service)
    while service.tables.info(table).status != "over":
        seat = random.randrange(len(people))
        view = service.tables.view(table).look(seat).view
        try:
            service.moves_ahead.give(table, people[seat], drawn(view, random))
        except Conflict:
            raise
        except Refusal:
            pass
        played += play_due(service)
        play_one(service, table, random)
    assert played > 5


def drawn(view: Any, random: Random) -> list[Any]:
    """Return a few moves ahead, some of which can be given."""
    if hasattr(view, "rack"):
        round_ = view.round + random.randrange(2)
        lay = [LayAhead(round_, tuple(random.sample(view.rack, 1)))] if view.rack else []
        return [*lay, SailAhead(view.round, view.dutchman, random.choice(view.ahead))]
    placed = sum(view.placed[view.seat]) + random.randrange(2)
    turn = random.choice([RollAhead(view.round, placed), ShanghaiAhead(view.round, placed)])
    every = [PlaceAhead(view.round, placed, die) for die in random.sample(ANY_DIE, 4)]
    return [turn, *every] if isinstance(turn, RollAhead) else [turn]


def test_a_database_of_before_gets_moves_ahead(place: Storage, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table, (_, bernd) = two(service)
    as_of(place, "0036")
    with KontorServer.open(place, clock) as service:
        service.moves_ahead.give(table, bernd, [RollAhead(1, 0)])
        assert given(service, table, bernd) == (RollAhead(1, 0),)
