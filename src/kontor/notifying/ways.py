"""Notification channels of people: their mail address, webhooks, browsers, and how often each is used.

A mail address belongs to a person once they have typed a code that was sent there: from then on nobody else can have
it, and they can sign in with it.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Row, delete, exists, insert, select, update

from kontor.errors import BadText, NotAllowed, SeatTaken, TooMany
from kontor.game import Value
from kontor.notifying import daily, mail_codes, mailboxes
from kontor.notifying.mailboxes import normalise_address
from kontor.notifying.outcomes import DELIVERED, note_summary
from kontor.notifying.values import LEADS, Failure, NotificationSettings, Rhythm, Way, WayKind
from kontor.notifying.waiting_turns import TurnEntry, turns_of
from kontor.people.people import hash_token
from kontor.people.person_rows import take_person
from kontor.public_addresses import may_be_public
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import mail_addresses, notification_settings, outbox, ways
from kontor.storage.server_keys import MakeKey, ensure_key, new_key, read_key
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import Mail

MOST_WAYS: Final = 10
"""Number of channels of one person."""

LONGEST_ADDRESS: Final = 254
_LONGEST_URL: Final = 500
_LONGEST_PUSH: Final = 2000

_MAIL_ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
"""A mail address as browsers accept it in input fields (WHATWG), with a dot in the host."""

_STOP: Final = "stop"
"""Name of the key that signs the addresses for stopping mails."""


LetterOf = Callable[[str, str], Mail]


class Feed(Value, frozen=True):
    """A person's feed, in their language: the tables where it is their turn."""

    language: str
    turns: tuple[TurnEntry, ...]


class Ways:
    """Notification channels and settings of a server's people."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def of(self, person: str) -> NotificationSettings:
        """Return the person's settings."""
        with self._transactions.reading() as db:
            mail = db.execute(select(mail_addresses).where(mail_addresses.c.person == person)).first()
            chosen = db.execute(_SETTINGS.where(notification_settings.c.person == person)).first()
            channels = tuple([_way_of_row(row) for row in db.execute(_WAYS.where(ways.c.person == person))])
        settings = NotificationSettings(ways=channels)
        if chosen is not None:
            settings = NotificationSettings(
                chosen.zone,
                feed=chosen.feed is not None,
                ways=channels,
                language=chosen.language,
                followed=chosen.followed,
                challenged=chosen.challenged,
                written=chosen.written,
            )
        if mail is None:
            return settings
        code_pending = mail_codes.is_open(mail, self._transactions.now())
        return replace(
            settings, address=mail.address, confirmed=mail.confirmed is not None, code_pending=code_pending
        )

    def choose(
        self,
        person: str,
        rhythms: Mapping[str, Rhythm],
        language: str,
        base: str,
        *,
        zone: str = "",
    ) -> None:
        """Store when each channel is used, and the time zone of all hours. Raises BadText.

        A channel that is not named keeps its rhythm. Messages are in ``language``, with links to ``base``.
        """
        if (zone and zone not in daily.zones()) or not all(map(_is_possible, rhythms.values())):
            raise BadText("", "There is no such hour, or no such time zone.")
        with self._transactions.changing() as change:
            take_person(change.db, person)
            _settle_in(change, person, language, base)
            _set(change, person, zone=zone)
            for way, rhythm in rhythms.items():
                change.db.execute(update(ways).where(_is_way(person, way)).values(msgspec.structs.asdict(rhythm)))
            _arrange_summaries(change, person, zone)
            _look_at_reminders(change, person)

    def choose_occasions(self, person: str, *, followed: bool, challenged: bool, written: bool = True) -> None:
        """Store of what the person wants to hear: of people whom they follow, of challenges, and of messages."""
        with self._transactions.changing() as change:
            _set(change, person, followed=followed, challenged=challenged, written=written)

    def note_language(self, person: str, language: str) -> None:
        """Store the language that the person uses now."""
        with self._transactions.changing() as change:
            _set(change, person, language=language)

    # ------------------------------------------------------------------------------------------------------- mail

    def claim_address(self, person: str, address: str, letter: LetterOf) -> None:
        """Send a code to a mail address, with the mail ``letter(address, code)``. Raises BadText.

        A person who reads it there can confirm that the address is theirs. Where the mailbox has had enough codes the
        result looks the same, and the last code stays valid.
        """
        address = check_address(address)
        code = mail_codes.new_mail_code()
        with self._transactions.changing() as change:
            take_person(change.db, person)
            change.db.execute(delete(mail_addresses).where(_of(person), mail_addresses.c.address != address))
            claimed = mail_codes.columns_of(code, change.now)
            if not mailboxes.send_code(change, letter(address, code)):
                claimed = _unsent_code(change, person)
            if not change.db.execute(update(mail_addresses).where(_of(person)).values(**claimed)).rowcount:
                change.db.execute(insert(mail_addresses).values(person=person, address=address, **claimed))

    def confirm_address(self, person: str, code: str, language: str, base: str) -> None:
        """Confirm the person's address by the code sent there; from now on mail goes there.

        Raises NotAllowed, SeatTaken.
        """
        with self._transactions.changing() as change:
            take_person(change.db, person)
            row = change.db.execute(select(mail_addresses).where(_of(person))).first()
            if row is not None and mail_codes.is_right(row, code, change.now):
                _confirm_owner(change, person, row.address)
                _settle_in(change, person, language, base)
                is_mail = (ways.c.person == person, ways.c.kind == "mail")
                change.db.execute(delete(ways).where(*is_mail))
                _add(change, person, "mail", "", "")
                return
            if row is not None:
                change.db.execute(update(mail_addresses).where(_of(person)).values(tries=mail_addresses.c.tries + 1))
        raise NotAllowed("", mail_codes.WRONG_CODE)

    def forget_address(self, person: str) -> None:
        """Delete the person's mail address, and the channel for it."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            change.db.execute(delete(mail_addresses).where(_of(person)))
            change.db.execute(delete(ways).where(ways.c.person == person, ways.c.kind == "mail"))
            change.count_ending()

    def owner_of(self, address: str) -> str | None:
        """Return the person with this confirmed mail address, or None."""
        owner: str | None = self._transactions.ask(
            lambda db: db.scalar(
                select(mail_addresses.c.person).where(mail_addresses.c.owned == normalise_address(address))
            )
        )
        return owner

    # ---------------------------------------------------------------------------------------------------- channels

    def add(self, person: str, kind: WayKind, address: str, secret: str, language: str, base: str) -> str:
        """Add a notification channel, or replace the same one; return its id. Raises BadText, NotAllowed, TooMany."""
        if kind == "mail":
            owned = self.of(person).confirmed
            if not owned:
                raise NotAllowed("", "Confirm your e-mail address first.")
        else:
            check_url(address, _LONGEST_PUSH if kind == "push" else _LONGEST_URL)
        with self._transactions.changing() as change:
            take_person(change.db, person)
            _settle_in(change, person, language, base)
            same = (ways.c.person == person, ways.c.kind == kind, ways.c.address == address)
            change.db.execute(delete(ways).where(*same))
            if len(change.db.scalars(select(ways.c.id).where(ways.c.person == person)).all()) >= MOST_WAYS:
                raise TooMany(
                    "", "You can have at most {most} notification channels: remove one first.", most=MOST_WAYS
                )
            return _add(change, person, kind, address, secret)

    def turns(self, person: str) -> tuple[TurnEntry, ...]:
        """Return the tables where it is the person's turn, the most urgent first."""
        return self._transactions.ask(lambda db: turns_of(db, person))

    def renew(self, person: str, old: str, address: str, secret: str) -> None:
        """Replace a browser's old subscription by a new one. Raises BadText, NotAllowed."""
        check_url(address, _LONGEST_PUSH)
        pushes = (ways.c.person == person) & (ways.c.kind == "push")
        renewed = {"address": address, "secret": secret, "dead": False, **DELIVERED}
        with self._transactions.changing() as change:
            take_person(change.db, person)
            way = change.db.scalar(select(ways.c.id).where(pushes, ways.c.address == old).limit(1))
            if way is None:
                raise NotAllowed("", "There is no such notification channel.")
            change.db.execute(delete(ways).where(pushes, ways.c.address == address, ways.c.id != way))
            change.db.execute(update(ways).where(ways.c.id == way).values(**renewed))
            change.count_ending()

    def unreached(self, person: str) -> tuple[WayKind, ...]:
        """Return the kinds of channels that were switched off because nothing could be delivered."""
        dead = select(ways.c.kind).where(ways.c.person == person, ways.c.dead).order_by(ways.c.kind)
        return self._transactions.ask(lambda db: tuple(db.scalars(dead)))

    def revive(self, person: str, way: str) -> None:
        """Switch on a channel again that was switched off because nothing could be delivered."""
        with self._transactions.changing() as change:
            change.db.execute(update(ways).where(_is_way(person, way)).values(dead=False, **DELIVERED))
            change.count_ending()

    def remove(self, person: str, way: str) -> None:
        """Delete a channel, with all that is still to be sent by it."""
        with self._transactions.changing() as change:
            change.db.execute(delete(ways).where(_is_way(person, way)))
            change.count_ending()

    def try_now(self, person: str, way: str) -> None:
        """Send a test notification at once. Raises NotAllowed."""
        with self._transactions.changing() as change:
            if change.db.scalar(select(ways.c.id).where(_is_way(person, way))) is None:
                raise NotAllowed("", "There is no such notification channel.")
            waiting = (outbox.c.way == way) & (outbox.c.occasion == "try")
            change.db.execute(delete(outbox).where(waiting))
            new = {"id": f"{way}.{new_id()}", "way": way, "occasion": "try", "created": change.now, "due": change.now}
            change.db.execute(insert(outbox).values(**new))

    # --------------------------------------------------------------------------------------- without signing in

    def stop_token(self, way: str) -> str:
        """Return the token with which anybody who has a mail can stop those of its channel."""
        return f"{way}.{_signature(self.key(_STOP), way)}"

    def stop(self, token: str) -> bool:
        """Delete the token's channel; return False if the token is not valid. A second call changes nothing."""
        way, _, signature = token.partition(".")
        expected = _signature(self.key(_STOP), way)
        if not (is_id(way) and hmac.compare_digest(signature.encode(), expected.encode())):
            return False
        with self._transactions.changing() as change:
            change.db.execute(delete(ways).where(ways.c.id == way))
            change.count_ending()
        return True

    def key(self, name: str) -> bytes:
        """Return a secret of this server: 32 random bytes, made when first needed."""
        return self.key_made(name, new_key)

    def key_made(self, name: str, make: MakeKey) -> bytes:
        """Return a secret of this server, made by ``make`` when first needed."""
        key = self._transactions.ask(lambda db: read_key(db, name))
        if key is not None:
            return key
        with self._transactions.changing() as change:
            return ensure_key(change, name, make)

    # -------------------------------------------------------------------------------------------------------- feed

    def new_feed(self, person: str, language: str, base: str) -> str:
        """Return a new token for the secret address of the person's feed; the previous one ends."""
        token = secrets.token_urlsafe(32)
        with self._transactions.changing() as change:
            take_person(change.db, person)
            _settle_in(change, person, language, base)
            _set(change, person, feed=hash_token(token))
        return token

    def end_feed(self, person: str) -> None:
        """End the secret address of the person's feed."""
        with self._transactions.changing() as change:
            _set(change, person, feed=None)

    def feed(self, token: str) -> Feed | None:
        """Return the feed of a token; None if there is no such feed."""
        with self._transactions.reading() as db:
            chosen = db.execute(_SETTINGS.where(notification_settings.c.feed == hash_token(token))).first()
            if chosen is None:
                return None
            listed = turns_of(db, chosen.person)
            return Feed(chosen.language, listed)


_WAYS: Final = select(ways).order_by(ways.c.created, ways.c.id)


def _way_of_row(row: Row[Any]) -> Way:
    failure = None if row.failing is None else Failure(row.reason, row.detail, row.failing)
    rhythm = Rhythm(row.frequency, row.hour, row.lead, row.quiet_from, row.quiet_to)
    return Way(row.id, row.kind, row.address, row.dead, rhythm, failure)


def _is_possible(rhythm: Rhythm) -> bool:
    """Return True if there are such hours."""
    hours = (rhythm.hour, rhythm.quiet_from, rhythm.quiet_to)
    return all(hour in daily.HOURS for hour in hours) and (not rhythm.lead or rhythm.lead in LEADS)


_SETTINGS: Final = select(
    notification_settings.c.person,
    notification_settings.c.zone,
    notification_settings.c.language,
    notification_settings.c.feed,
    notification_settings.c.followed,
    notification_settings.c.challenged,
    notification_settings.c.written,
)


def check_address(address: str) -> str:
    """Return a mail address as it is stored. Raises BadText."""
    if not is_address(address):
        raise BadText("", "This is not an e-mail address.")
    return address.strip()


def is_address(address: str) -> bool:
    """Return True if the text could be a mail address, apart from spaces around it."""
    return len(address) <= LONGEST_ADDRESS and _MAIL_ADDRESS.fullmatch(address.strip()) is not None


def not_public(host: str) -> BadText:
    """Return the refusal of an address in a private network."""
    return BadText("", "Kontor cannot deliver to {host}: messages go to public internet addresses only.", host=host)


def check_url(url: str, longest: int = _LONGEST_URL) -> None:
    """Check an address of a webhook or a browser, without resolving its name. Raises BadText."""
    host = None
    try:
        split = urlsplit(url)
        host = split.hostname
        good = split.scheme == "https" and bool(split.hostname) and split.username is None and split.port != 0
    except ValueError:
        good = False
    if not good or len(url) > longest or not (url.isascii() and url.isprintable()) or " " in url:
        raise BadText("", "Give an address that begins with https://.")
    if host is not None and not may_be_public(host):
        raise not_public(host)


def _of(person: str) -> ColumnElement[bool]:
    return mail_addresses.c.person == person


def _is_way(person: str, way: str) -> ColumnElement[bool]:
    return (ways.c.id == way) & (ways.c.person == person)


def _unsent_code(change: TableChange, person: str) -> dict[str, Any]:
    """Return the columns of ``mail_addresses`` where no code is sent, so that the person sees no difference."""
    row = change.db.execute(select(mail_addresses).where(_of(person))).first()
    sent = mail_codes.columns_of(secrets.token_urlsafe(), change.now)  # a code that nobody can guess
    return {"expires": sent["expires"]} if row is not None and mail_codes.is_open(row, change.now) else sent


def _confirm_owner(change: TableChange, person: str, address: str) -> None:
    """Store that the address is the person's own. Raises SeatTaken."""
    owned = normalise_address(address)
    query = select(mail_addresses.c.person).where(mail_addresses.c.owned == owned, mail_addresses.c.person != person)
    if change.db.scalar(query) is not None:
        raise SeatTaken("", "Another player of this server has this address: sign in as them, or use another.")
    values = {"confirmed": change.now, "owned": owned, "code": None}
    change.db.execute(update(mail_addresses).where(_of(person)).values(**values))


def _settle_in(change: TableChange, person: str, language: str, base: str) -> None:
    """Create the person's settings with their first channel, or update their language and address."""
    is_person = notification_settings.c.person == person
    if change.db.scalar(select(exists().where(is_person))):
        change.db.execute(update(notification_settings).where(is_person).values(language=language, base=base))
    else:
        first = {"person": person, "language": language, "base": base}
        change.db.execute(insert(notification_settings).values(**first))


def _set(change: TableChange, person: str, **values: Any) -> None:
    change.db.execute(update(notification_settings).where(notification_settings.c.person == person).values(**values))


def _look_at_reminders(change: TableChange, person: str) -> None:
    """Let the outbox decide anew when reminders are due, after the person has chosen other hours."""
    own_ways = select(ways.c.id).where(ways.c.person == person, (ways.c.lead != 0) | ways.c.lead.is_(None))
    is_reminder = (outbox.c.way.in_(own_ways), outbox.c.occasion == "reminder", outbox.c.tries == 0)
    change.db.execute(update(outbox).where(*is_reminder).values(due=change.now))


def _arrange_summaries(change: TableChange, person: str, zone: str) -> None:
    """Schedule the next summary of each channel that has them; it is not sent if no table waits by then."""
    own_ways = select(ways.c.id).where(ways.c.person == person)
    change.db.execute(delete(outbox).where(outbox.c.way.in_(own_ways), outbox.c.occasion == "daily"))
    summaries = select(ways.c.id, ways.c.hour).where(
        ways.c.person == person, ways.c.frequency.in_(("daily", "both")), ~ways.c.dead
    )
    for way, hour in change.db.execute(summaries).all():
        note_summary(change, way, daily.next_time(change.now, hour, zone))


def _add(change: TableChange, person: str, kind: WayKind, address: str, secret: str) -> str:
    way = new_id()
    new = {"id": way, "person": person, "kind": kind, "address": address, "secret": secret, "created": change.now}
    change.db.execute(insert(ways).values(**new))
    change.count_ending()
    return way


def _signature(key: bytes, way: str) -> str:
    return hmac.digest(key, b"kontor stop " + way.encode(), "sha256").hex()[:32]
