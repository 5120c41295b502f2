"""Two weeks of four people and three tables, by a clock that the test sets: what they do, and what they are told.

It reads like a diary. Each entry is a function: it begins where the last one ended, and all that is sent until its
end is in the diary, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from folders import with_database
from guests import ME, OPEN, Clock, has_run, lines, play_one
from kontor.errors import NotNow
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.state import Kontor
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Move, Roll, Shanghai
from kontor.games.shanghaien.rules.state import Place as PlaceDie
from kontor.games.shanghaien.web.ahead import PlaceAhead, RollAhead
from kontor.messages.values import CorrespondentKey
from kontor.notifying.feeds import atom_of, calendar_of
from kontor.notifying.mail import MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.values import Rhythm
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import Mail, Pace, Plan
from notifying.mailbox import Mailbox
from notifying.test_notifications import BASE, in_both, texts

BERLIN: Final = ZoneInfo("Europe/Berlin")
NAMES: Final = ("Anna", "Bernd", "Chiara", "Dirk")
RHYTHMS: Final = {
    "Anna": Rhythm("once", lead=6, quiet_from=22, quiet_to=7),
    "Bernd": Rhythm("daily", hour=18, lead=0),
    "Chiara": Rhythm("both", hour=8, quiet_from=23, quiet_to=6),
    "Dirk": Rhythm("never", lead=12),
}
ONE_DAY: Final = Pace("slow", 24 * 3600)
THREE_DAYS: Final = Pace("slow", 72 * 3600)
FIRST_BEGINS: Final = ShanghaienOptions(starter=0)
DAYS_A_YEAR: Final = 30
NOTE: Final = "Chiara hält violett"
MESSAGE: Final = "Wollen wir an Silvester Pause machen?"

Sent = tuple[str, str, str]
"""The time in Berlin at which a mail came, the name of its recipient, and its subject."""


@dataclass
class Diary:
    """The server, its clock and all that was sent."""

    service: KontorServer
    place: Place
    clock: Clock
    mailbox: Mailbox
    people: dict[str, str] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    random: Random = field(default_factory=lambda: Random(44))
    two: str = ""
    """Anna's and Bernd's table: Shanghaien, a day for each move."""
    four: str = ""
    """The table of all four: the Holländer, with hidden hands, three days for each move."""
    calm: str = ""
    """Chiara's and Dirk's table: Shanghaien without a clock."""

    def __post_init__(self) -> None:
        """Create the sender of mails."""
        mail = MailServer.of(self.mailbox.url, "Kontor <kontor@games.example>")
        self.notifier = Notifier(self.service, {"mail": mail.send}, str.title, leads=lambda: True)

    def let_in(self, name: str) -> None:
        """Let a person in, who confirms a mail address and chooses a rhythm."""
        person = self.people[name] = self.service.people.guest(name)[0].id
        address, ways = f"{name.lower()}@mail.example", self.service.ways
        ways.claim_address(person, address, lambda to, code: Mail(to, code, ()))
        self.notifier.finish()
        (letter,) = self.mailbox.take()
        ways.confirm_address(person, str(letter["Subject"]), "en", BASE)
        (way,) = ways.of(person).ways
        ways.choose(person, {way.id: RHYTHMS[name]}, "en", BASE, zone="Europe/Berlin")

    def until(self, month: int, day: int, hour: int, minute: int = 0) -> list[Sent]:
        """Let time pass; return what was sent meanwhile."""
        year = 2026 if month == 12 else 2027
        end = datetime(year, month, day, hour, minute, tzinfo=BERLIN).astimezone(UTC)
        before = len(self.sent)
        while self.clock.time < end:
            self.clock.time = min(end, self.clock.time + timedelta(minutes=30))
            has_run(self.place, self.clock)
            self.service.upkeep.apply_deadlines()
            self._take_mails()
        return self.sent[before:]

    def _take_mails(self) -> None:
        self.notifier.finish()
        when = f"{self.clock.time.astimezone(BERLIN):%m-%d %H:%M}"
        # What is due at the same time is sent in any order.
        for mail in sorted(self.mailbox.take(), key=lambda mail: (str(mail["To"]), str(mail["Subject"]))):
            name = str(mail["To"]).partition("@")[0].title()
            self.sent.append((when, name, str(mail["Subject"])))
            self.texts.append("\n".join((str(mail["Subject"]), *texts(mail))))

    def read_feeds(self) -> None:
        """Add everybody's calendar and feed to the texts."""
        for person in self.people.values():
            feed = self.service.ways.feed(self.service.ways.new_feed(person, "en", BASE))
            assert feed is not None
            self.texts += [atom_of(feed, BASE).decode(), calendar_of(feed, BASE).decode()]

    def mover(self, table: str) -> str:
        """Return the name of the person to move."""
        info = self.service.tables.info(table)
        assert info.mover is not None
        return info.seats[info.mover].name

    def seat(self, table: str, name: str) -> int:
        """Return the seat of a person."""
        return [seat.name for seat in self.service.tables.info(table).seats].index(name)

    def play_until(self, table: str, name: str) -> None:
        """Play until it is the person's turn."""
        while self.mover(table) != name:
            assert play_one(self.service, table, self.random)

    def play_turn(self, table: str) -> None:
        """Play a turn of the person to move."""
        name = self.mover(table)
        while self.mover(table) == name:
            assert play_one(self.service, table, self.random)

    def play_kontor(self) -> None:
        """Play a Kontor card at the table of four, and put two shares of the hidden hand under the pile."""
        name = self.mover(self.four)
        while self.mover(self.four) == name:
            seat = self.seat(self.four, name)
            look = self.service.tables.view(self.four).look(seat)
            move = next((move for move in look.moves if isinstance(move, Kontor)), look.moves[0])
            self.service.moves.play(self.four, seat, look.number, move)

    def play_ahead(self) -> int:
        """Play all moves given ahead whose turn has come; return how many."""
        played = 0
        while any(self.service.moves_ahead.play(turn) for turn in self.service.moves_ahead.due()):
            played += 1
        return played

    def move(self, table: str, move: Move) -> None:
        """Play a move of the person to move, which they do not want to take back."""
        seat = self.seat(table, self.mover(table))
        self.service.moves.play(table, seat, self.service.tables.info(table).number, move, choice="never")

    def roll_and_place(self, table: str) -> None:
        """Let the person to move roll and place the lower die."""
        self.move(table, Roll())
        seat = self.seat(table, self.mover(table))
        self.move(table, PlaceDie(self.service.tables.view(table).look(seat).view.roll[0]))

    def chat_kinds(self, table: str) -> list[str]:
        """Return the kinds of the lines of a table's talk."""
        return [line.kind for line in self.service.tables.view(table).chat_lines()]


# ---------------------------------------------------------------------------------------------------------- the diary


def december_22_three_tables(diary: Diary) -> None:
    """Open three tables. In the evening it becomes Anna's turn, at an hour of quiet for her."""
    diary.until(12, 22, 12)
    for name in NAMES:
        diary.let_in(name)
    opening, people = diary.service.opening, diary.people
    diary.two = opening.open(people["Anna"], Plan("shanghaien", FIRST_BEGINS, (ME, OPEN), pace=ONE_DAY))
    opening.sit(diary.two, 1, people["Bernd"])
    options = DutchmanOptions(players=4, starter=0)
    diary.four = opening.open(people["Anna"], Plan("dutchman", options, (ME, OPEN, OPEN, OPEN), pace=THREE_DAYS))
    for seat, name in enumerate(NAMES[1:], 1):
        opening.sit(diary.four, seat, people[name])
    diary.calm = opening.open(people["Chiara"], Plan("shanghaien", FIRST_BEGINS, (ME, OPEN)))
    opening.sit(diary.calm, 1, people["Dirk"])
    diary.play_until(diary.two, "Bernd")
    diary.play_until(diary.calm, "Dirk")
    while diary.mover(diary.four) != "Chiara":
        diary.play_kontor()
    diary.service.notes.write(diary.four, people["Dirk"], NOTE)
    diary.until(12, 22, 23)
    diary.play_until(diary.two, "Anna")
    assert ("12-23 07:00", "Anna", "Your turn: Shanghaien") in diary.until(12, 23, 9)


def december_23_a_pause(diary: Diary) -> None:
    """Pause the game of two for two days by agreement: Anna is not reminded, though her day would be over."""
    people, table = diary.people, diary.two
    diary.service.early_endings.propose(table, diary.seat(table, "Anna"), people["Anna"], "pause")
    diary.service.early_endings.agree(table, people["Bernd"], "pause")
    sent = diary.until(12, 25, 10)
    assert not [mail for mail in sent if mail[1] in ("Anna", "Bernd")]
    assert [mail[0] for mail in sent if mail[1:] == ("Chiara", "A game is waiting for you")] == [
        "12-24 08:00",
        "12-25 08:00",
    ]
    diary.service.pauses.end(table, people["Bernd"])
    deadline = diary.service.tables.info(table).deadline
    assert deadline is not None
    assert deadline > diary.clock.time
    assert ("12-25 10:30", "Anna", "Your turn: Shanghaien") in diary.until(12, 25, 11)


def december_25_one_undo_refused_and_one_agreed(diary: Diary) -> None:
    """Ask twice to take back a move: once Bernd plays on, once he agrees."""
    people, table, early_endings = diary.people, diary.two, diary.service.early_endings
    seat = diary.seat(table, "Anna")
    diary.play_turn(table)
    diary.until(12, 25, 12)
    log = lines(diary.place, table)
    early_endings.propose(table, seat, people["Anna"], "undo", turn=True)
    early_endings.decline(table, people["Bernd"], "undo")
    assert lines(diary.place, table) == log
    assert diary.chat_kinds(table)[-1] == "declined"
    with pytest.raises(NotNow):
        early_endings.propose(table, seat, people["Anna"], "undo", turn=True)
    diary.until(12, 25, 19)
    diary.play_turn(table)
    before = lines(diary.place, table)
    diary.play_turn(table)
    diary.until(12, 25, 20)
    early_endings.propose(table, seat, people["Anna"], "undo", turn=True)
    early_endings.agree(table, people["Bernd"], "undo")
    assert lines(diary.place, table) == before
    assert diary.mover(table) == "Anna"
    assert diary.chat_kinds(table)[-1] == "taken back"


def december_26_a_reminder_before_quiet_hours(diary: Diary) -> None:
    """Let Anna's time run: she has until 20:00, and is reminded six hours before."""
    sent = diary.until(12, 26, 17)
    assert [mail[0] for mail in sent if mail[1:] == ("Anna", "Your time is running out: Shanghaien")] == [
        "12-26 14:00"
    ]
    diary.play_turn(diary.two)
    assert diary.mover(diary.two) == "Bernd"
    sent = diary.until(12, 26, 19)
    assert [mail for mail in sent if mail[1] == "Bernd"] == [("12-26 18:00", "Bernd", "A game is waiting for you")]


def december_27_hands_that_nobody_sees(diary: Diary) -> None:
    """Play on at the table of four: Chiara was told at once and each morning; Dirk, who is never told, is next."""
    diary.play_turn(diary.two)
    diary.play_kontor()
    assert diary.mover(diary.four) == "Dirk"
    diary.service.messages.write_to(
        diary.people["Anna"], CorrespondentKey(table=diary.two, seat=diary.seat(diary.two, "Bernd")), MESSAGE
    )
    sent = diary.until(12, 27, 9)
    assert [mail[2] for mail in sent if mail[1] == "Bernd"] == ["Anna has written to you"]
    assert not [mail for mail in sent if mail[1] == "Dirk"]
    sent = diary.until(12, 29, 9)
    assert [mail[1:] for mail in sent if mail[1] == "Dirk"] == [("Dirk", "Your time is running out: Dutchman")]


def december_29_moves_ahead_that_fit_and_one_that_does_not(diary: Diary) -> None:
    """Let Chiara give turns ahead: two are played at once, the third does not fit, as Dirk ends the round before."""
    chiara, table, moves_ahead = diary.people["Chiara"], diary.calm, diary.service.moves_ahead
    for placed in (1, 2):
        moves_ahead.give(table, chiara, [RollAhead(1, placed), *[PlaceAhead(1, placed, die) for die in range(1, 7)]])
        diary.roll_and_place(table)
        assert diary.play_ahead() == 2
        assert diary.mover(table) == "Dirk"
    moves_ahead.give(table, chiara, [RollAhead(1, 3)])
    assert not [mail for mail in diary.until(12, 29, 11) if mail[1] == "Chiara"]
    diary.move(table, Shanghai())
    assert diary.play_ahead() == 0
    assert diary.mover(table) == "Chiara"
    given = moves_ahead.given(diary.service.tables.view(table, chiara))
    assert (given.moves, given.missed) == ((), True)
    assert not moves_ahead.given(diary.service.tables.view(table, diary.people["Dirk"])).missed
    sent = diary.until(12, 29, 18)
    expected = [("12-29 11:30", "Chiara", "Your turn: Shanghaien")]
    assert [mail for mail in sent if mail[1] in ("Chiara", "Dirk")] == expected


def december_31_a_holiday_over_the_end_of_the_year(diary: Diary) -> None:
    """Let Bernd be away from New Year's Eve until the second of January, in the days of two years."""
    service, bernd = diary.service, diary.people["Bernd"]
    diary.play_kontor()
    while diary.mover(diary.four) != "Dirk":
        diary.play_kontor()
    diary.play_until(diary.two, "Anna")
    diary.until(12, 31, 9)
    service.holidays.begin(bernd, date(2027, 1, 2), DAYS_A_YEAR)
    assert service.holidays.of(bernd, DAYS_A_YEAR).left == DAYS_A_YEAR - 1, "one day of 2026"
    diary.play_until(diary.two, "Bernd")
    info = service.tables.info(diary.two)
    assert (info.deadline, info.late) == (None, None)
    assert "holiday" in diary.chat_kinds(diary.two)
    sent = diary.until(1, 1, 12)
    assert service.holidays.of(bernd, DAYS_A_YEAR).left == DAYS_A_YEAR - 2, "two days of 2027"
    sent += diary.until(1, 3, 0, 30)
    assert not [mail for mail in sent if mail[1] == "Bernd"]
    sent = diary.until(1, 3, 18)
    assert [mail[1:] for mail in sent if mail[1] == "Bernd"] == [("Bernd", "A game is waiting for you")]
    deadline = service.tables.info(diary.two).deadline
    assert deadline is not None, "the clock goes on"
    assert deadline.astimezone(UTC).date() == date(2027, 1, 4)


def january_5_the_end(diary: Diary) -> None:
    """Resign at the table of two; the other is told how it ended."""
    diary.play_turn(diary.two)
    diary.service.early_endings.resign(diary.two, diary.seat(diary.two, "Bernd"), diary.people["Bernd"])
    diary.read_feeds()
    sent = diary.until(1, 5, 12)
    assert [mail[2] for mail in sent if mail[1] == "Anna"].count("The game is over: Shanghaien") == 1


ENTRIES: Final = (
    december_22_three_tables,
    december_23_a_pause,
    december_25_one_undo_refused_and_one_agreed,
    december_26_a_reminder_before_quiet_hours,
    december_27_hands_that_nobody_sees,
    december_29_moves_ahead_that_fit_and_one_that_does_not,
    december_31_a_holiday_over_the_end_of_the_year,
    january_5_the_end,
)


def keep_diary(place: Place, mailbox: Mailbox) -> tuple[Diary, str]:
    """Live through the two weeks; return the diary, and the deal of the table of four."""
    clock = Clock()
    clock.time = datetime(2026, 12, 22, 11, 0, tzinfo=BERLIN).astimezone(UTC)
    with KontorServer.open(place, clock) as service:
        diary = Diary(service, place, clock, mailbox)
        for entry in ENTRIES:
            entry(diary)
        return diary, next(step for _, _, step in lines(place, diary.four) if '"deal"' in step)


# ---------------------------------------------------------------------------------------------------------- the tests


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if getattr(request, "param", "sqlite") == "sqlite":
        return with_database(tmp_path)
    address: str = request.getfixturevalue("database")
    return address


@pytest.mark.long
@in_both
def test_two_weeks_of_four_people(place: Place) -> None:
    with Mailbox() as mailbox:
        diary, _ = keep_diary(place, mailbox)
    quiet = {name: rhythm for name, rhythm in RHYTHMS.items() if rhythm.is_quiet}
    for when, name, subject in diary.sent:
        hour = int(when.split()[1][:2])
        if name in quiet:
            assert quiet[name].quiet_to <= hour < quiet[name].quiet_from, (when, name, subject)
    assert len(set(diary.sent)) == len(diary.sent), "nothing is told twice"
    for text in diary.texts:
        assert not re.search(rf"\b({'|'.join(COLOURS)})\b", text), "the colours of shares are hidden"
        assert NOTE not in text
        assert MESSAGE not in text


@pytest.mark.long
def test_with_other_hidden_hands_everybody_is_told_the_same(tmp_path: Path) -> None:
    outcomes = []
    deals = set()
    for number in range(2):
        place = with_database(tmp_path / str(number))
        with Mailbox() as mailbox:
            diary, deal = keep_diary(place, mailbox)
        deals.add(deal)
        tables = {diary.two: "TWO", diary.four: "FOUR", diary.calm: "CALM"}
        outcomes.append((diary.sent, [_without_ids(text, tables) for text in diary.texts]))
    assert len(deals) == 2, "the hands are others"
    assert outcomes[0] == outcomes[1]


def _without_ids(text: str, tables: dict[str, str]) -> str:
    """Return a text without what is drawn anew on each server: the ids of tables and channels."""
    for table, label in tables.items():
        text = text.replace(table, label)
    text = re.sub(r"/unsubscribe/[a-z0-9.]+", "/unsubscribe/", text)
    text = re.sub(r"/messages/[a-z0-9]+", "/messages/", text)
    return re.sub(r"(TWO|FOUR|CALM)(-|#)\d+", r"\1\2", text)
