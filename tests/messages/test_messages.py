"""Messages: who may write to whom, how they are read, kept, merged and deleted."""

from functools import partial
from io import BytesIO
from zipfile import ZipFile

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.test_leaving import find_rows
from folders import with_database
from following.test_following import show_page
from guests import ME, OPEN, Clock, dutchman, has_run, query, shanghaien
from kontor.accounts.archive import pack_data
from kontor.errors import BadText, NoConversation, NotAllowed, TooMany
from kontor.messages import store
from kontor.messages.values import WRITERS, Correspondent, CorrespondentKey, Draft, Writers
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.web.cursors import parse_cursor
from kontor.words import Words
from profiles import scale_examples
from races import race

CLOSED = "You cannot write to"


def people_named(service: KontorServer, *names: str) -> list[str]:
    return [service.people.guest(name)[0].id for name in names]


def meet(service: KontorServer, person: str, other: str) -> CorrespondentKey:
    """Let two people begin a game; return the key by which the first writes to the other."""
    table = service.opening.open(person, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, other)
    return CorrespondentKey(table=table, seat=1)


def acquainted(service: KontorServer) -> tuple[str, str, str]:
    """Return Anna, Bernd, and the conversation that Anna has begun."""
    anna, bernd = people_named(service, "Anna", "Bernd")
    return anna, bernd, service.messages.write_to(anna, meet(service, anna, bernd), "Ahoi").conversation


def unread(service: KontorServer, person: str) -> int:
    return sum(info.unread for info in service.messages.list_of(person).conversations)


def texts_of(service: KontorServer, conversation: str, person: str) -> list[str]:
    return [message.text for message in reversed(service.messages.read(conversation, person).messages)]


# ------------------------------------------------------------------------------------------------ who may write


def test_people_of_one_table_write_to_each_other_once_the_game_has_begun(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    table = service.opening.open(anna, dutchman(ME, OPEN, OPEN))
    service.opening.sit(table, 1, bernd)
    key = CorrespondentKey(table=table, seat=1)
    with pytest.raises(NotAllowed, match=CLOSED):
        service.messages.write_to(anna, key, "Ahoi")
    service.opening.sit(table, 2, carla)
    written = service.messages.write_to(anna, key, "Ahoi")
    assert service.messages.write_to(anna, key, "Wie geht’s?") == msgspec.structs.replace(written, number=2)
    assert service.messages.write(written.conversation, bernd, "Gut!").number == 3
    assert texts_of(service, written.conversation, bernd) == ["Ahoi", "Wie geht’s?", "Gut!"]
    with pytest.raises(NoConversation):
        service.messages.read(written.conversation, carla)
    with pytest.raises(NoConversation):
        service.messages.write(written.conversation, carla, "Ich auch")


def test_two_who_follow_each_other_write_and_one_way_is_not_enough(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    annas, bernds = show_page(service, anna), show_page(service, bernd)
    key = CorrespondentKey(handle=bernds)
    service.following.follow(anna, bernds)
    with pytest.raises(NotAllowed, match=CLOSED):
        service.messages.write_to(anna, key, "Ahoi")
    service.following.follow(bernd, annas)
    assert service.messages.write_to(anna, key, "Ahoi").number == 1


def test_nobody_writes_to_themselves_or_to_people_whom_they_do_not_know(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    key = meet(service, anna, bernd)
    own = CorrespondentKey(table=key.table, seat=0)
    hidden = CorrespondentKey(handle=show_page(service, bernd, public=False))
    for person, wrong in ((anna, own), (carla, key), (anna, hidden), (anna, CorrespondentKey()), (bernd, key)):
        assert service.messages.draft(wrong, person) is None
        with pytest.raises(NotAllowed, match="people whom you have met"):
            service.messages.write_to(person, wrong, "Ahoi")


@pytest.mark.parametrize(
    ("writers", "followed", "may_write"),
    [("met", False, True), ("followed", False, False), ("followed", True, True), ("nobody", True, False)],
)
def test_a_person_chooses_who_may_write_to_them(
    service: KontorServer, writers: Writers, followed: bool, may_write: bool
) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    key = meet(service, anna, bernd)
    service.messages.choose_writers(bernd, writers)
    assert service.messages.writers_to(bernd) == writers
    if followed:
        service.following.follow(bernd, show_page(service, anna))
    draft = service.messages.draft(key, anna)
    assert draft
    assert draft.hindrance == (None if may_write else "closed")
    if may_write:
        service.messages.write_to(anna, key, "Ahoi")
    else:
        with pytest.raises(NotAllowed, match=CLOSED):
            service.messages.write_to(anna, key, "Ahoi")


def test_an_answer_is_always_taken_unless_nobody_may_write(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    service.messages.choose_writers(anna, "followed")
    service.messages.write(conversation, bernd, "Ahoi!")
    service.messages.choose_writers(anna, "nobody")
    with pytest.raises(NotAllowed, match=CLOSED):
        service.messages.write(conversation, bernd, "Noch da?")
    with pytest.raises(NotAllowed, match="nobody may write to you"):
        service.messages.write(conversation, anna, "Ich schon")


def test_where_one_blocks_the_other_neither_writes_and_the_other_learns_nothing(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    service.messages.choose_writers(anna, "nobody")
    with pytest.raises(NotAllowed) as taking_none:
        service.messages.write(conversation, bernd, "Ahoi!")
    service.messages.choose_writers(anna, "met")
    service.blocking.put_correspondent(conversation, anna, "block")
    with pytest.raises(NotAllowed) as blocked:
        service.messages.write(conversation, bernd, "Ahoi!")
    assert str(blocked.value) == str(taking_none.value)
    with pytest.raises(NotAllowed, match="You have blocked Bernd"):
        service.messages.write(conversation, anna, "Ahoi!")
    assert service.messages.read(conversation, anna).hindrance == "blocked"
    assert service.messages.read(conversation, bernd).hindrance == "closed"
    assert service.messages.read(conversation, bernd).silenced is None


def test_nobody_writes_to_suspended_people(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    service.operating.suspend(bernd)
    with pytest.raises(NotAllowed, match=CLOSED):
        service.messages.write(conversation, anna, "Ahoi!")
    service.operating.restore(bernd)
    service.messages.write(conversation, anna, "Ahoi!")


# ------------------------------------------------------------------------------------------------------- limits


def test_texts_have_the_limits_of_the_chat(service: KontorServer) -> None:
    anna, _, conversation = acquainted(service)
    for wrong in ("", " \n\u200b", "x" * 501, "x\n" * 11):
        with pytest.raises(BadText):
            service.messages.write(conversation, anna, wrong)
    service.messages.write(conversation, anna, "  e\u0301in \n\n Wort\u200b ")
    assert texts_of(service, conversation, anna)[-1] == "éin\nWort"


def test_whom_nobody_answers_writes_no_more_until_the_next_day(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_IN_A_ROW", 3)
    clock = Clock()
    with KontorServer.open(place, clock) as service:
        anna, bernd, conversation = acquainted(service)
        for _ in range(2):
            service.messages.write(conversation, anna, "Hallo?")
        with pytest.raises(TooMany, match="3 messages without an answer"):
            service.messages.write(conversation, anna, "Hallo?")
        service.messages.write(conversation, bernd, "Ja?")
        for _ in range(3):
            service.messages.write(conversation, anna, "Endlich")
        clock.tick(days=1, seconds=1)
        service.messages.write(conversation, anna, "Guten Morgen")


def test_nobody_begins_many_conversations_a_day(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BEGUN", 2)
    clock = Clock()
    with KontorServer.open(place, clock) as service:
        anna, *others = people_named(service, "Anna", "Bernd", "Carla", "Dora")
        keys = [meet(service, anna, other) for other in others]
        for key in keys[:2]:
            service.messages.write_to(anna, key, "Ahoi")
        with pytest.raises(TooMany, match="begun 2 conversations"):
            service.messages.write_to(anna, keys[2], "Ahoi")
        service.messages.write_to(anna, keys[0], "Und?")
        clock.tick(days=1, seconds=1)
        service.messages.write_to(anna, keys[2], "Ahoi")


def test_of_a_long_conversation_the_oldest_messages_are_deleted(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_KEPT", 3)
    anna, bernd, conversation = acquainted(service)
    for number in range(2, 6):
        service.messages.write(conversation, (anna, bernd)[number % 2], str(number))
    assert texts_of(service, conversation, anna) == ["3", "4", "5"]


# ------------------------------------------------------------------------------------------------------ reading


def test_unread_messages_are_counted_until_they_are_read(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    session = service.people.device_link(bernd)
    person, token = service.people.claim_device(session)
    service.messages.write(conversation, anna, "Noch etwas")
    assert (unread(service, anna), unread(service, bernd)) == (0, 2)
    looked_up = service.people.holder_of_session(token)
    assert looked_up == msgspec.structs.replace(person, unread=1), "a conversation, not each message"
    service.messages.read(conversation, bernd)
    assert unread(service, bernd) == 2, "to look is not to have read"
    service.messages.note_read(conversation, bernd, 1)
    assert unread(service, bernd) == 1, "one came after the page"
    service.messages.note_read(conversation, bernd, 2)
    service.messages.note_read(conversation, bernd, 1)
    assert unread(service, bernd) == 0
    with pytest.raises(NoConversation):
        service.messages.note_read(conversation, person_who_left := "x" * 20, 2)
    assert service.messages.last_number(conversation, person_who_left) is None


def test_long_conversations_and_lists_are_read_page_by_page(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, value in (("A_PAGE", 2), ("_LIST", 2)):
        monkeypatch.setattr(store, limit, value)
    clock = Clock()
    with KontorServer.open(place, clock) as service:
        anna, *others = people_named(service, "Anna", "Bernd", "Carla", "Dora")
        for other in others:
            service.messages.write_to(anna, meet(service, anna, other), "Ahoi")  # all at one moment
        clock.tick(minutes=1)
        first = service.messages.list_of(anna)
        assert first.older
        rest = service.messages.list_of(anna, first.older)
        listed = [*first.conversations, *rest.conversations]
        assert {info.name for info in listed} == {"Bernd", "Carla", "Dora"}
        assert (len(listed), rest.older) == (3, None)
        conversation = listed[2].id
        for text in "234":
            service.messages.write(conversation, anna, text)
        assert service.messages.list_of(anna).conversations[0].id == conversation, "the last is the first"
        newest = service.messages.read(conversation, anna)
        older = service.messages.read(conversation, anna, newest.older)
        assert [message.number for message in (*newest.messages, *older.messages)] == [4, 3, 2, 1]
        assert older.older == 0


def test_names_are_those_of_the_last_message_and_of_the_operator(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    service.people.rename(anna, "Annika")
    service.people.rename(bernd, "Bertl")
    assert service.messages.read(conversation, bernd).name == "Anna", "it is not told until they write"
    service.messages.write(conversation, anna, "Neuer Name")
    assert service.messages.read(conversation, bernd).name == "Annika"
    assert service.messages.read(conversation, anna).name == "Bernd"
    service.operating.rename(bernd, "Bernhard")
    assert service.messages.read(conversation, anna).name == "Bernhard"


def test_the_page_of_the_other_is_named_where_the_reader_sees_it(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    assert service.messages.read(conversation, anna).handle == ""
    handle = show_page(service, bernd)
    assert service.messages.read(conversation, anna).handle == handle
    service.blocking.put_correspondent(conversation, bernd, "block")
    assert service.messages.read(conversation, anna).handle == handle, "otherwise she would learn of the block"


def test_the_form_by_a_page_is_the_same_for_people_whom_its_person_blocks_or_takes_nothing_of(
    service: KontorServer,
) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    met = meet(service, bernd, anna)
    key = CorrespondentKey(handle=show_page(service, bernd))
    assert service.messages.draft(key, anna) == Draft("Bernd", "", None)
    service.messages.choose_writers(bernd, "nobody")
    taking_none = service.messages.draft(key, anna)
    service.messages.choose_writers(bernd, "met")
    service.blocking.put(met.table, bernd, "seat-1", "block")
    assert service.messages.draft(key, anna) == taking_none == Draft("Bernd", "", "closed")
    with pytest.raises(NotAllowed, match=CLOSED):
        service.messages.write_to(anna, key, "Ahoi")


def test_somebody_who_leaves_while_a_message_is_written_takes_none(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    key = meet(service, anna, bernd)
    service.early_endings.resign(key.table, 0, anna)
    just_before = Correspondent(bernd, "Bernd")
    service.leaving.leave(bernd, "Bernd")
    monkeypatch.setattr(store, "correspondent_behind", lambda *_: just_before)
    with pytest.raises(NotAllowed, match="You cannot write to Bernd"):
        service.messages.write_to(anna, key, "Ahoi")


def test_no_odd_number_of_a_seat_names_anybody(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    table = meet(service, anna, bernd).table
    for seat in (-1, 100, 2**31, 10**20):
        key = CorrespondentKey(table=table, seat=seat)
        assert service.messages.draft(key, anna) is None
        with pytest.raises(NotAllowed, match="people whom you have met"):
            service.messages.write_to(anna, key, "Ahoi")


def test_no_odd_id_names_a_conversation(service: KontorServer) -> None:
    (anna,) = people_named(service, "Anna")
    for wrong in ("", "\0", "x" * 21, "é" * 20):
        assert service.messages.last_number(wrong, anna) is None
        assert parse_cursor(f"1-{wrong}") is None


# ------------------------------------------------------------------------------------------- mute, block, report


def test_what_muted_people_write_is_not_counted(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    service.blocking.put_correspondent(conversation, bernd, "mute")
    assert unread(service, bernd) == 0
    service.messages.write(conversation, anna, "Hört mich jemand?")
    assert unread(service, bernd) == 0
    assert texts_of(service, conversation, bernd) == ["Ahoi", "Hört mich jemand?"]
    assert service.messages.read(conversation, bernd).silenced == "mute"
    assert [one.name for one in service.blocking.blocked_people(bernd)] == ["Anna"]
    service.blocking.put_correspondent(conversation, bernd, None)
    service.messages.write(conversation, anna, "Und jetzt?")
    assert unread(service, bernd) == 1


def test_the_operator_reads_a_reported_message_its_neighbours_and_nothing_else(
    service: KontorServer, place: Place
) -> None:
    anna, bernd, conversation = acquainted(service)
    for number in range(2, 9):
        service.messages.write(conversation, (bernd, anna)[number % 2], f"Satz {number}")
    service.blocking.report_correspondent(conversation, bernd, 5, "unhöflich")
    (report,) = service.operating.reports()
    assert (report.table, report.line, report.name, report.reason) == ("", "Satz 5", "Anna", "unhöflich")
    around = [(line.by_reporter, line.text) for line in report.around]
    assert around == [(False, "Satz 3"), (True, "Satz 4"), (True, "Satz 6"), (False, "Satz 7")]
    service.blocking.report_correspondent(conversation, bernd, 4, "mein eigener Satz")
    service.blocking.report_correspondent(conversation, bernd, 0, "nichts Bestimmtes")
    others = [one for one in service.operating.reports() if one.id != report.id]
    assert [(one.line, one.around) for one in others] == [("", ()), ("", ())]
    with pytest.raises(NoConversation):
        service.blocking.report_correspondent(conversation, people_named(service, "Carla")[0], 5, "neugierig")
    service.leaving.leave(bernd, "Bernd")
    assert not find_rows(place, "Satz 4"), "what the reporter has written leaves with them"
    assert [one.around for one in service.operating.reports()] == [(), (), ()]


# -------------------------------------------------------------------------------------- kept, exported and deleted


def test_conversations_are_deleted_long_after_their_last_message(place: Place) -> None:
    clock = Clock()
    with KontorServer.open(place, clock) as service:
        anna, bernd, conversation = acquainted(service)
        other = service.messages.write_to(anna, meet(service, anna, people_named(service, "Carla")[0]), "Ahoi")
        for days in (170, 9):
            pass_days(service, place, clock, days)
            service.messages.write(other.conversation, anna, "Noch da")
        assert texts_of(service, conversation, bernd) == ["Ahoi"]
        pass_days(service, place, clock, 3)
        with pytest.raises(NoConversation):
            service.messages.read(conversation, bernd)
        assert len(service.messages.list_of(anna).conversations) == 1
        assert query(place, "SELECT COUNT(*) FROM correspondents") == [(2,)]


def pass_days(service: KontorServer, place: Place, clock: Clock, days: int) -> None:
    clock.tick(days=days)
    has_run(place, clock)
    service.upkeep.record_heartbeat()


def test_the_data_of_a_person_hold_all_their_messages_and_those_that_they_received(service: KontorServer) -> None:
    anna, bernd, conversation = acquainted(service)
    service.messages.write(conversation, bernd, "Moin")
    service.messages.choose_writers(anna, "followed")
    with ZipFile(BytesIO(pack_data(Words("en"), service, anna))) as archive:
        messages, person = (msgspec.json.decode(archive.read(f"{name}.json")) for name in ("messages", "person"))
        contents = b"".join(archive.read(name) for name in archive.namelist())
    assert [(one["name"], one["sent"], one["text"]) for one in messages] == [
        ("Bernd", True, "Ahoi"),
        ("Bernd", False, "Moin"),
    ]
    assert person["writers"] == "followed"
    assert bernd.encode() not in contents


def test_with_a_person_their_conversations_are_deleted_on_both_sides(service: KontorServer, place: Place) -> None:
    anna, bernd, conversation = acquainted(service)
    service.messages.write(conversation, bernd, "Moin")
    service.leaving.leave(anna, "Anna")
    assert service.messages.list_of(bernd).conversations == ()
    assert not find_rows(place, "Ahoi", "Moin", conversation)


def test_two_who_become_one_have_one_conversation_with_each(service: KontorServer, place: Place) -> None:
    anna, phone, bernd, carla = people_named(service, "Anna", "Anni", "Bernd", "Carla")
    both = service.messages.write_to(anna, meet(service, anna, bernd), "1").conversation
    with_phone = service.messages.write_to(phone, meet(service, phone, bernd), "2").conversation
    service.messages.write(both, bernd, "3")
    service.messages.write(with_phone, bernd, "4")
    only_phone = service.messages.write_to(carla, meet(service, carla, phone), "5").conversation
    service.messages.write_to(anna, _between(service, anna, phone), "zu mir selbst")
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert {info.name for info in service.messages.list_of(anna).conversations} == {"Bernd", "Carla"}
    assert sorted(texts_of(service, both, anna)) == ["1", "2", "3", "4"]
    assert texts_of(service, both, bernd)[0] == "1"
    assert unread(service, anna) == 3
    assert texts_of(service, only_phone, anna) == ["5"]
    assert service.messages.write(only_phone, anna, "6").number == 2
    assert service.messages.write(both, bernd, "7").number == 5
    tables = {table for table, _ in find_rows(place, phone)}
    assert tables.isdisjoint({"conversations", "correspondents", "messages"})


def _between(service: KontorServer, person: str, other: str) -> CorrespondentKey:
    """Return the key of another person after a game that is over."""
    key = meet(service, person, other)
    service.early_endings.resign(key.table, 0, person)
    return key


@pytest.mark.parametrize("kind", ["mute", "block"])
def test_where_two_become_one_nothing_is_unread_of_people_whom_they_silence(service: KontorServer, kind: str) -> None:
    anna, phone, bernd = people_named(service, "Anna", "Anni", "Bernd")
    conversation = service.messages.write_to(bernd, meet(service, bernd, anna), "Ahoi").conversation
    others = service.messages.write_to(phone, meet(service, phone, bernd), "Moin").conversation
    service.blocking.put_correspondent(others, phone, "mute" if kind == "mute" else "block")
    assert unread(service, anna) == 1
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert unread(service, anna) == 0
    assert service.messages.read(conversation, anna).silenced == kind


@pytest.mark.parametrize("writers", WRITERS)
@pytest.mark.parametrize("others", WRITERS)
def test_of_two_who_become_one_the_stricter_choice_of_writers_stays(
    service: KontorServer, writers: Writers, others: Writers
) -> None:
    anna, phone = people_named(service, "Anna", "Anni")
    service.messages.choose_writers(anna, writers)
    service.messages.choose_writers(phone, others)
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert service.messages.writers_to(anna) == max(writers, others, key=WRITERS.index)


def test_where_two_conversations_become_one_their_open_pages_hear_of_it(service: KontorServer) -> None:
    anna, phone, bernd = people_named(service, "Anna", "Anni", "Bernd")
    joined = service.messages.write_to(anna, meet(service, anna, bernd), "Ahoi").conversation
    ended = service.messages.write_to(phone, meet(service, phone, bernd), "Moin").conversation
    changes: list[str] = []
    service.listen(changes.append)
    for one in (anna, phone):
        for table in service.listing.my_tables(one):
            service.early_endings.resign(table.id, 0, one)
    changes.clear()
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert {joined, ended} <= set(changes)


@settings(max_examples=scale_examples(15), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=12))
def test_merging_loses_no_message_and_keeps_the_order_of_each_conversation(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int]]
) -> None:
    clock = Clock()
    with KontorServer.open(with_database(tmp_path_factory.mktemp("merging")), clock) as service:
        anna, phone, bernd = people_named(service, "Anna", "Anni", "Bernd")
        conversations = [
            service.messages.write_to(one, meet(service, one, bernd), "Ahoi").conversation for one in (anna, phone)
        ]
        written: list[list[str]] = [["Ahoi"], ["Ahoi"]]
        for number, (way, minutes) in enumerate(steps):
            side, answers = divmod(way, 2)
            clock.tick(minutes=minutes)
            author = bernd if answers else (anna, phone)[side]
            service.messages.write(conversations[side], author, str(number))
            written[side].append(str(number))
        service.merging.merge(anna, service.recovery.new_code(phone))
        merged = texts_of(service, conversations[0], anna)
        assert sorted(merged) == sorted([*written[0], *written[1]])
        for texts_before in written:
            numbers = [merged.index(text) for text in texts_before[1:]]
            assert numbers == sorted(numbers)


def test_of_two_who_write_first_at_once_one_begins_the_conversation(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    key = meet(service, anna, bernd)
    back = CorrespondentKey(table=key.table, seat=0)
    race(
        partial(service.messages.write_to, anna, key, "Ahoi"), partial(service.messages.write_to, bernd, back, "Moin")
    )
    (info,) = service.messages.list_of(anna).conversations
    assert sorted(texts_of(service, info.id, bernd)) == ["Ahoi", "Moin"]
