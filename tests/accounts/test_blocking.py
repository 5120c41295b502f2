"""Mute, block, report: a person's means against others, who are not told of it; and the means of the operator."""

import pytest

from guests import CARLA, FRIEND, ME, OPEN, Clock, dutchman, play_out, query, shanghaien
from kontor.accounts.blocking import MOST_REPORTS
from kontor.accounts.values import BlockKind
from kontor.errors import BadCode, BadInvitation, BadName, BadText, NoSeat, NoTable, NotAllowed, NotNow, TooMany
from kontor.server.composition import KontorServer
from kontor.storage import Place
from races import race


def chat_texts(service: KontorServer, table: str, person: str | None, since: int = 0) -> list[str]:
    return [line.text for line in service.tables.view(table, person).chat_lines(since) if line.kind == "said"]


def three(service: KontorServer) -> tuple[str, str, str, str]:
    """Return a table at which Anna, Bernd and Carla have all said something."""
    anna, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla"))
    table = service.opening.open(anna, dutchman(ME, OPEN, OPEN))
    service.talk.say(table, anna, "Ahoi")
    for seat, person in ((1, bernd), (2, carla)):
        service.opening.sit(table, seat, person)
        service.talk.say(table, person, f"von {seat}")
    return table, anna, bernd, carla


@pytest.mark.parametrize("kind", ["mute", "block"])
def test_whom_somebody_mutes_or_blocks_they_do_not_hear_and_others_do(service: KontorServer, kind: str) -> None:
    table, anna, bernd, carla = three(service)
    service.tables.view(table, anna)  # in memory
    service.blocking.put(table, anna, "seat-1", "mute" if kind == "mute" else "block")
    assert chat_texts(service, table, anna) == ["Ahoi", "von 2"]
    for other in (bernd, carla, None):
        assert chat_texts(service, table, other) == ["Ahoi", "von 1", "von 2"]
    last = service.talk.say(table, bernd, "Hört mich jemand?")
    assert chat_texts(service, table, anna, last - 1) == []
    assert chat_texts(service, table, carla, last - 1) == ["Hört mich jemand?"]
    kinds = [line.kind for line in service.tables.view(table, anna).chat_lines()]
    assert kinds.count("sat") == 2, "notices are for all"
    (blocked,) = service.blocking.blocked_people(anna)
    assert (blocked.kind, blocked.name) == (kind, "Bernd")
    assert service.blocking.blocked_people(bernd) == ()
    service.blocking.lift(bernd, blocked.handle)  # not his to lift
    assert chat_texts(service, table, anna) == ["Ahoi", "von 2"]
    service.blocking.lift(anna, blocked.handle)
    assert chat_texts(service, table, anna) == ["Ahoi", "von 1", "von 2", "Hört mich jemand?"]


def test_whoever_is_blocked_cannot_sit_at_the_hosts_tables_in_any_way(service: KontorServer) -> None:
    table, anna, bernd, carla = three(service)
    service.blocking.put(table, anna, "seat-1", "block")
    service.blocking.put(table, anna, "seat-2", "mute")
    open_ = service.opening.open(anna, shanghaien(ME, OPEN))
    reserved = service.opening.open(anna, shanghaien(ME, FRIEND))
    invitation = service.opening.invitation(reserved, 1, anna)
    for joined, token in ((open_, None), (open_, invitation), (reserved, invitation)):
        with pytest.raises(BadInvitation) as refusal:
            service.opening.sit(joined, 1, bernd, token)
        assert "block" not in str(refusal.value)
    service.opening.sit(open_, 1, carla)
    play_out(service, table)
    rematch = service.opening.rematch(table, anna)
    assert service.opening.rematch(table, bernd) == rematch
    assert service.opening.seats_of(rematch, bernd) == ()
    bernds = service.opening.open(bernd, shanghaien(ME, OPEN))
    service.opening.sit(bernds, 1, anna)
    service.opening.leave(rematch, anna)


def test_only_who_meets_others_at_a_table_can_do_anything_about_them(service: KontorServer) -> None:
    table, anna, bernd, _ = three(service)
    stranger = service.people.guest("Dora")[0].id
    for act in (
        lambda: service.blocking.other_people(table, stranger),
        lambda: service.blocking.put(table, stranger, "seat-1", "block"),
        lambda: service.blocking.report(table, stranger, "seat-1", 0, "rude"),
    ):
        with pytest.raises(NotAllowed):
            act()
    for where in ("seat-0", "seat-7", "line-1", "line-99", "", bernd, "seat-1 ", "seat-٣", "seat--1"):
        with pytest.raises(NoSeat):
            service.blocking.put(table, anna, where, "block")
    with pytest.raises(NoTable):
        service.blocking.other_people("nothing", anna)
    met = service.blocking.other_people(table, anna)
    assert [(other.where, other.name, other.kind) for other in met] == [
        ("seat-1", "Bernd", None),
        ("seat-2", "Carla", None),
    ]
    assert [line.text for line in met[0].lines] == ["von 1"]


def test_one_who_has_left_the_table_is_met_by_what_they_have_said(service: KontorServer) -> None:
    _, anna, bernd, _ = three(service)
    waiting = service.opening.open(anna, dutchman(ME, OPEN, OPEN))
    service.opening.sit(waiting, 1, bernd)
    number = service.talk.say(waiting, bernd, "Ihr seid alle …")
    service.opening.leave(waiting, bernd)
    (other,) = service.blocking.other_people(waiting, anna)
    assert (other.where, other.name) == (f"line-{number}", "Bernd")
    service.blocking.put(waiting, anna, other.where, "block")
    assert chat_texts(service, waiting, anna) == []
    with pytest.raises(BadInvitation):
        service.opening.sit(waiting, 1, bernd)


def test_two_who_block_each_other_at_once_both_do(service: KontorServer) -> None:
    table, anna, bernd, _ = three(service)
    race(
        lambda: service.blocking.put(table, anna, "seat-1", "block"),
        lambda: service.blocking.put(table, bernd, "seat-0", "block"),
    )
    assert chat_texts(service, table, anna) == ["Ahoi", "von 2"]
    assert chat_texts(service, table, bernd) == ["von 1", "von 2"]


def test_a_report_is_kept_for_the_operator_until_it_is_handled(
    service: KontorServer, clock: Clock, place: Place
) -> None:
    table, anna, bernd, carla = three(service)
    (line,) = service.blocking.other_people(table, anna)[0].lines
    service.blocking.report(table, anna, "seat-1", line.number, " Das ist unverschämt. ")
    clock.tick(seconds=1)
    service.blocking.report(table, carla, "seat-0", line.number, "Von wem ist das?")
    about_line, about_person = service.operating.reports()
    assert (about_line.name, about_line.line, about_line.reason) == ("Bernd", "von 1", "Das ist unverschämt.")
    assert (about_line.reporter, about_line.about, about_line.table) == (anna, bernd, table)
    assert (about_person.name, about_person.line) == ("Anna", ""), "it was not she who had said that"
    service.operating.handle(about_line.id)
    assert service.operating.reports() == (about_person,)
    assert len(service.operating.reports(handled=True)) == 2
    with pytest.raises(BadText):
        service.blocking.report(table, anna, "seat-1", 0, " \n")
    for _ in range(MOST_REPORTS):
        service.blocking.report(table, anna, "seat-1", 0, "noch einmal")
    with pytest.raises(TooMany):
        service.blocking.report(table, anna, "seat-1", 0, "noch einmal")
    service.leaving.leave(anna, "Anna")
    assert {(report.reporter, report.reason) for report in service.operating.reports(handled=True)} == {(None, "")}


def test_the_operator_finds_renames_suspends_and_deletes_and_it_is_all_kept(
    service: KontorServer, place: Place
) -> None:
    table, anna, bernd, carla = three(service)
    _, session = service.people.claim_device(service.people.device_link(bernd))
    program, code = service.people.api_token(bernd), service.recovery.new_code(bernd)
    (match,) = service.operating.find("bErN")
    assert (match.id, match.name, match.tables, match.suspended) == (bernd, "Bernd", 1, None)
    assert [person.id for person in service.operating.find(carla)] == [carla]
    assert [person.name for person in service.operating.find("Аnnа")] == ["Anna"], "in Cyrillic"
    service.operating.rename(bernd, "Anna")
    assert [seat.name for seat in service.tables.info(table).seats] == ["Anna", "Anna 2", "Carla"]
    assert {line.name for line in service.tables.view(table).chat_lines() if line.text == "von 1"} <= {
        "Anna",
        "Anna 2",
    }
    with pytest.raises(BadName):
        service.operating.rename(bernd, "\u202e")
    handed_over = service.operating.hand_code(bernd)
    service.operating.suspend(bernd)
    with pytest.raises(NotNow):
        service.operating.hand_code(bernd)
    with pytest.raises(BadCode):
        service.recovery.sign_in(handed_over)
    assert service.people.holder_of_session(session) is service.people.of_api_token(program) is None
    with pytest.raises(BadCode):
        service.recovery.sign_in(code)
    service.operating.restore(bernd)
    assert service.people.holder_of_session(session) is not None
    service.leaving.remove(bernd)
    assert service.people.holder_of_session(session) is None
    assert service.operating.find(bernd) == ()
    assert {(act.actor, act.act, act.person) for act in service.operating.acts()} == {
        ("operator", act, bernd) for act in ("rename", "code", "suspend", "restore", "delete")
    }
    for wrong in ("nobody", "\ud800", anna.upper()):
        for act in (
            service.operating.suspend,
            service.operating.restore,
            service.operating.hand_code,
            service.leaving.remove,
        ):
            with pytest.raises(NotAllowed):
                act(wrong)
    assert not [row for row in query(place, "SELECT * FROM acts") if "Bernd" in row or "Anna" in row]


@pytest.mark.parametrize("kind", ["block", "mute"])
def test_whom_somebody_blocks_offers_them_no_rematch(service: KontorServer, place: Place, kind: BlockKind) -> None:
    table, anna, bernd, carla = three(service)
    for person in (anna, carla):
        service.ways.add(person, "webhook", f"https://hooks.example/{person}", "s", "en", "https://games.example")
    service.early_endings.propose(table, 0, anna)
    for person in (bernd, carla):
        service.early_endings.agree(table, person)
    assert service.tables.info(table).status == "over"
    query(place, "DELETE FROM outbox")
    service.blocking.put(table, anna, "seat-1", kind)
    service.tables.view(table, anna)  # in memory
    new = service.opening.rematch(table, bernd)
    invited = {row[0] for row in query(place, "SELECT person FROM ways JOIN outbox ON outbox.way = ways.id")}
    assert invited == ({carla} if kind == "block" else {anna, carla})

    def rematch_signs(person: str) -> tuple[bool, bool, bool]:
        seen = service.tables.view(table, person)
        listed = new in [info.id for info in service.listing.my_tables(person)]
        return seen.info.rematch_offer is not None, "rematch" in [line.kind for line in seen.chat_lines()], listed

    assert rematch_signs(anna) == ((False, False, False) if kind == "block" else (True, False, True))
    assert rematch_signs(carla) == (True, True, True)
    assert rematch_signs(bernd) == (True, True, True), "he sees what he would see anyway"
    offer = service.tables.info(table, bernd).rematch_offer
    assert offer
    assert offer.missing == ("Anna", "Carla")
    # Nothing leads Anna there: not at a second look either, nor in her list of games.
    (finished,) = service.listing.finished(anna)
    rematches = {service.tables.info(table, anna).rematch, service.tables.info(table, anna).rematch, finished.rematch}
    assert rematches == ({None} if kind == "block" else {new})
    assert {service.tables.info(table, person).rematch for person in (bernd, carla, None)} == {new}
    # People whom Anna unmutes are heard at the next look.
    service.blocking.lift(anna, service.blocking.blocked_people(anna)[0].handle)
    assert rematch_signs(anna) == (True, True, True)


def test_one_who_blocks_whoever_offers_a_rematch_can_offer_another(service: KontorServer, clock: Clock) -> None:
    table, anna, bernd, carla = three(service)
    service.early_endings.propose(table, 0, anna)
    for person in (bernd, carla):
        service.early_endings.agree(table, person)
    service.blocking.put(table, anna, "seat-1", "block")
    bernds = service.opening.rematch(table, bernd)
    with pytest.raises(NotNow):
        service.opening.decline_rematch(table, anna)
    clock.tick(seconds=1)
    annas = service.opening.rematch(table, anna)
    assert annas != bernds
    assert service.opening.seats_of(annas, anna) == (0,)
    assert service.opening.seats_of(bernds, anna) == ()
    assert service.tables.info(table, anna).rematch == annas


def test_whom_somebody_blocks_is_silent_at_once_where_they_look_on(service: KontorServer) -> None:
    met, _, bernd, carla = three(service)
    watched = service.opening.open(bernd, shanghaien(ME, CARLA))
    service.talk.say(watched, bernd, "Wer sieht mir zu?")
    assert chat_texts(service, watched, carla) == ["Wer sieht mir zu?"]  # and is in memory now
    changed: list[str] = []
    service.listen(changed.append)
    service.blocking.put(met, carla, "seat-1", "block")
    assert chat_texts(service, watched, carla) == []
    assert watched in changed, "an open page is told"
    assert chat_texts(service, watched, None) == ["Wer sieht mir zu?"]
