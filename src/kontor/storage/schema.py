"""The tables of the database. ``migrations`` creates them; a test compares the two.

Times are whole milliseconds since 1970 (UTC): every database stores them alike, and they can be added.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
    true,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID: Final = 20
"""Characters of an id: 96 bits in base 32."""

people: Final = Table(
    "people",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("next_seed", LargeBinary(32)),  # of the dice of the next table that they open: a secret
    Column("code_put_away", Boolean, nullable=False, server_default=false()),  # recovery code: offer dismissed
    Column("left", BigInteger, index=True),  # when they left for good; the row is deleted when no table refers to it
    Column("suspended", BigInteger),  # when the operator suspended them
    Column("writers", String(10), nullable=False, server_default="met"),  # values.Writers: who may write to them
    Column("confirms", String(20), nullable=False, server_default=""),  # of values.ConfirmedPace
    Column("only_move", Boolean, nullable=False, server_default=false()),  # whether it is played for them
)

tokens: Final = Table(
    "tokens",
    METADATA,
    Column("hash", String(64), primary_key=True),
    Column("kind", String(10), nullable=False),  # session, api, device, typed, recovery
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("handle", String(ID), nullable=False, unique=True),  # with which its person refers to it, to revoke it
    Column("label", String(60), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False, index=True),
    Column("scopes", String(40), nullable=False, server_default=""),  # of a program: words of values.Scope
    Column("used", BigInteger),  # when a program last used it, to the hour
)

tables: Final = Table(
    "tables",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("pace", String(10), nullable=False),
    Column("seconds", Integer, nullable=False),
    Column("reserve", Integer, nullable=False),
    Column("watch", Boolean, nullable=False),
    Column("stand_in", String(10), nullable=False),
    Column("seating", String(10), nullable=False),  # Plan.order; `order` is a word of SQL
    Column("hints", Boolean, nullable=False, server_default=false()),
    Column(
        "takeover", String(10), nullable=False, server_default="expert"
    ),  # a level; once it was always the highest
    Column("tempo", String(10), nullable=False, server_default="brisk"),
    Column("host", String(ID), ForeignKey("people.id"), nullable=False, index=True),
    Column("status", String(10), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("number", Integer, nullable=False),  # of the last line
    Column("mover", Integer),
    Column("since", BigInteger),  # when it became the mover's turn; before the game, when all seats were taken
    Column("deadline", BigInteger),  # when the mover is late; before the game, when missing salts are late
    Column("result", Text),
    Column("early", Text),  # how the game ended early, if it did
    Column("proposed", Integer),  # the seat that proposes to end it
    Column("commitment", String(64), nullable=False),  # to the seed
    Column("seed", LargeBinary(32), nullable=False),  # a secret until the end; not in TABLE_ROW
    Column("changes", Integer, nullable=False, server_default=text("0")),  # how often it was changed, for any viewer
    Column("rematch_of", String(ID), ForeignKey("tables.id", ondelete="SET NULL"), index=True),
    Column("machine", Boolean, nullable=False, server_default=false()),  # whether one is to move
    Column("next_seed", LargeBinary(32)),  # of the dice of a rematch: a secret; not in TABLE_ROW
    Column("next_commitment", String(64)),  # to next_seed
    Column("dice", String(10), nullable=False, server_default="late"),  # a word of values.DiceKind
    Column("origin", Integer, nullable=False, server_default=text("0")),  # tables of one origin share thinkers
    Column("visited", BigInteger),  # where no person plays: when somebody last opened it, to the minute
    Column("undo", Text),  # the last move, if it can be taken back
    Column("undone", Integer, nullable=False, server_default=text("0")),  # how many moves were taken back
    Column("archived", BigInteger),  # when the game ended, if anybody may find it among finished games
    Column("players", Integer),  # number of seats of an archived game
    Column("rated", Boolean),  # whether an archived game counts for ratings; null until the night after its end
    Column("length", Integer),  # number of steps of an archived game
    Column("ended_early", Boolean),  # whether an archived game ended before the rules ended it
    Column("proposal", String(10), nullable=False, server_default="end"),  # what is proposed: end, pause, undo
    Column("stopped", BigInteger),  # since when the clock stands still, in a pause or on the mover's holiday
    Column("resumes", BigInteger),  # when it goes on by itself
    Column("paused", Boolean, nullable=False, server_default=false()),  # whether all agreed on a pause
    Column("breaks", Boolean, nullable=False, server_default=true()),  # whether there are pauses, holidays, more time
    Column("undo_to", Integer),  # the last line that would stay, where taking back moves is proposed
    Column("streams", Text),  # of the dice, after outcomes were taken back: dice_streams.Streams
    Index(None, "status", "created"),
    Index(None, "status", "deadline"),
    Index(None, "status", "started"),
    Index(None, "visited", "machine"),
    Index(None, "origin", "status"),
)

# One index answers all searches: filters are checked in it, and rows are read for one page only. Games in play are
# not in it, so that a move does not touch it.
Index(
    "ix_tables_archived",
    *(tables.c.archived, tables.c.id, tables.c.game, tables.c.players, tables.c.rated),
    *(tables.c.length, tables.c.ended_early),
    sqlite_where=tables.c.archived.is_not(None),
    postgresql_where=tables.c.archived.is_not(None),
)

_LEFT_OUT: Final = ("seed", "next_seed", "visited", "archived", "players", "rated", "length", "ended_early")

TABLE_ROW: Final = tuple(column for column in tables.c if column.name not in _LEFT_OUT)
"""The columns read when a table is looked up. Rows turn up in tracebacks, and a seed should not. A visit does not
change the table, so ``visited`` is not read either; the last five are for the archive alone."""

seats: Final = Table(
    "seats",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False),  # in the plan
    Column("kind", String(10), nullable=False),
    Column("name", String(60), nullable=False),
    Column("player", String(60), nullable=False),  # the computer player, or empty
    Column("person", String(ID), ForeignKey("people.id"), index=True),
    Column("reserved", String(ID), ForeignKey("people.id"), index=True),  # for a person, at a rematch
    Column("salt", String(60), nullable=False),
    Column("stood_in", String(60), nullable=False),  # the computer player that stands in, or empty
    Column("left", BigInteger, nullable=False),  # of the reserve, in milliseconds
    Column("resigned", Boolean, nullable=False, server_default=false()),
    Column("agreed", Boolean, nullable=False, server_default=false()),  # to end the game
    Column("visited", BigInteger),  # when the person last opened the table, to the hour
    Column("salt_commitment", String(64), nullable=False, server_default=""),  # empty if the salt was given at once
    Column("begins_without", Boolean, nullable=False, server_default=false()),  # agrees to, if salts are missing
    Column("here", Boolean, nullable=False, server_default=false()),  # has the table open
    Column("archived", BigInteger),  # the same as that of the table
    Column("won", Boolean),  # whether the seat won an archived game; false where the game has no result
    Column("holiday", BigInteger),  # until when the person is on holiday
    Column("given", Integer, nullable=False, server_default=text("0")),  # how often others gave it more time
)

Index(
    "ix_seats_archived",
    *(seats.c.person, seats.c.archived, seats.c.table_id, seats.c.won),
    sqlite_where=seats.c.archived.is_not(None),
    postgresql_where=seats.c.archived.is_not(None),
)

SEAT_ROW: Final = tuple(column for column in seats.c if column.name not in ("archived", "won"))
"""The columns read when a seat is looked up."""

holidays: Final = Table(
    "holidays",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("begins", BigInteger, primary_key=True, autoincrement=False),
    Column("ends", BigInteger, nullable=False),
)

invitations: Final = Table(
    "invitations",
    METADATA,
    Column("hash", String(64), primary_key=True),
    Column("table_id", String(ID), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    ForeignKeyConstraint(["table_id", "seat"], ["seats.table_id", "seats.seat"], ondelete="CASCADE"),
    Index(None, "table_id", "seat"),
)

steps: Final = Table(
    "steps",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the line in the record
    Column("seat", Integer, nullable=False),  # -1 is chance
    Column("step", Text, nullable=False),  # the line itself
    Column("at", BigInteger, nullable=False),
)

snapshots: Final = Table(
    "snapshots",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, nullable=False),  # of the line that led to it
    Column("state", LargeBinary, nullable=False),  # with all that is hidden; made by this program from the log
)

chat: Final = Table(
    "chat",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("seat", Integer),
    Column("name", String(60), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("person", String(ID), index=True),  # the speaker, or the subject of the notice, unless they have left
)

pulse: Final = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),  # always 1
    Column("at", BigInteger, nullable=False),  # when the program last ran
    Column("endings", Integer, nullable=False, server_default=text("0")),  # how often sessions may have been ended
    Column("settled", BigInteger, nullable=False, server_default=text("0")),  # the latest time certain to have come
    Column("rated", BigInteger, nullable=False, server_default=text("0")),  # when ratings were last fitted
)

notes: Final = Table(
    "notes",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("text", Text, nullable=False),  # for the person alone
    Column("at", BigInteger, nullable=False),  # when it was last changed
)

moves_ahead: Final = Table(
    "moves_ahead",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("number", Integer, nullable=False),  # of the last line when they were given
    Column("moves", Text, nullable=False),  # for the person alone
    Column("at", BigInteger, nullable=False),
    Column("checked", Integer),  # the line after which none of them was to be played
    Column("missed", Boolean, nullable=False),  # one did not fit then: none is played any more
)

hints: Final = Table(
    "hints",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),  # of the last line that the seat had seen
    Column("asked", BigInteger, nullable=False),
    Column("failed", Boolean, nullable=False),
    Column("found", LargeBinary),  # the judge's appraisal, once it is there
)

reviews: Final = Table(
    "reviews",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("at", BigInteger, nullable=False),  # when the process that computes it last reported
    Column("done", Integer, nullable=False),
    Column("parts", Integer, nullable=False),  # how many there are in all
    Column("failed", Boolean, nullable=False),
    Column("found", LargeBinary),
    Column("person", String(ID), index=True),  # who requested it, while it is computed
)

mail_addresses: Final = Table(
    "mail_addresses",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("address", String(254), nullable=False),
    Column("confirmed", BigInteger),
    Column("owned", String(254), unique=True),  # the address in comparable form once it is confirmed; unique
    Column("code", String(64)),  # the hash of the code that was sent there
    Column("expires", BigInteger, nullable=False, server_default=text("0")),  # of the code
    Column("tries", Integer, nullable=False, server_default=text("0")),
)

ways: Final = Table(
    "ways",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(10), nullable=False),  # a word of values.WayKind
    Column("address", Text, nullable=False),  # of a webhook or a browser; a mail address is in mail_addresses
    Column("secret", Text, nullable=False),  # signs or encrypts what is sent
    Column("created", BigInteger, nullable=False),
    Column("dead", Boolean, nullable=False, server_default=false()),  # switched off, for nobody receives it any more
    Column("frequency", String(10), nullable=False, server_default="once"),  # a word of values.Frequency
    Column("failing", BigInteger),  # since when nothing was delivered; null after a delivery
    Column("reason", String(20), nullable=False, server_default=""),  # a word of values.FailureReason
    Column("detail", String(80), nullable=False, server_default=""),  # the codes of the last response
    Column("refused", BigInteger),  # since when the receiver refuses for good; null after any other outcome
    Column("hour", Integer, nullable=False, server_default=text("18")),  # of summaries, in the person's time zone
    Column("lead", Integer),  # hours from a reminder to the deadline; 0: none; null: a quarter of the time
    Column("quiet_from", Integer, nullable=False, server_default=text("0")),  # the hour at which quiet hours begin
    Column("quiet_to", Integer, nullable=False, server_default=text("0")),  # and end; the same hour: there are none
)

notification_settings: Final = Table(
    "notification_settings",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("language", String(5), nullable=False),  # the person's last language
    Column("base", Text, nullable=False),  # the address under which the person reached the server
    Column("feed", String(64), unique=True),  # the hash of the token in the feed's address
    Column("zone", String(64), nullable=False, server_default=""),  # the time zone; empty: not chosen yet
    Column("followed", Boolean, nullable=False, server_default=true()),  # told of tables of people they follow
    Column("challenged", Boolean, nullable=False, server_default=true()),  # told of challenges
    Column("written", Boolean, nullable=False, server_default=true()),  # told of messages
)

looks: Final = Table(
    "looks",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", BigInteger, nullable=False, server_default=text("0")),  # when they last looked at the table
    Column("visible", BigInteger, nullable=False, server_default=text("0")),  # until when they are known to look
    Column("told", BigInteger),  # when they were last notified that it is their turn there
    Column("line", Integer),  # the last line of the log at that time
)

outbox: Final = Table(
    "outbox",
    METADATA,
    Column("id", String(48), primary_key=True),  # by which a receiver recognises a repeated notification
    Column("way", String(ID), ForeignKey("ways.id", ondelete="CASCADE"), index=True),
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), index=True),
    Column("occasion", String(10), nullable=False),  # a word of values.NotificationOccasion
    Column("number", Integer, nullable=False, server_default=text("0")),  # of the table's last line
    Column("mail", Text),  # the mail, for a person who has no channel yet
    Column("created", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False, index=True),  # when it is to be tried next
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("about", String(ID)),  # the person or tournament whose news it is; null for news of a table
)

mailboxes: Final = Table(
    "mailboxes",
    METADATA,
    Column("hash", String(64), primary_key=True),  # of the mail address, with a key of the server
    Column("sent", Text, nullable=False),  # times of the codes that were sent there within an hour
    Column("requested", BigInteger, nullable=False, index=True),  # when a code was last requested
)

keys: Final = Table(
    "keys",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

passkeys: Final = Table(
    "passkeys",
    METADATA,
    Column("handle", String(ID), primary_key=True),  # with which its person refers to it
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_handle", String(ID), nullable=False),  # the id on the device, also after guests were merged
    Column("credential", Text, nullable=False, unique=True),  # its id, in base64url
    Column("key", LargeBinary, nullable=False),  # the public key
    Column("counter", BigInteger, nullable=False),  # of its signatures; 0 where the device does not count
    Column("name", String(60), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
)

challenges: Final = Table(
    "challenges",
    METADATA,
    Column("hash", String(64), primary_key=True),  # of the token of the person it is for
    Column("challenge", LargeBinary(32), nullable=False),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), index=True),  # who adds a passkey
    Column("expires", BigInteger, nullable=False, index=True),
)

blocks: Final = Table(
    "blocks",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("other", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("kind", String(10), nullable=False),  # mute, block
    Column("handle", String(ID), nullable=False, unique=True),  # with which the person refers to it
    Column("at", BigInteger, nullable=False),
)

follows: Final = Table(
    "follows",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("other", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", BigInteger, nullable=False),
    Column("notified", BigInteger),  # when the person was last told of the other's tables and seeks
)

person_challenges: Final = Table(
    "person_challenges",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="SET NULL"), unique=True),  # null: ended
    Column("challenger", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("challenged", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", String(40), nullable=False),
    Column("counters", Boolean, nullable=False),  # proposes other terms in answer to a challenge
    Column("at", BigInteger, nullable=False, index=True),
    Column("declined", BigInteger),  # when it was; null while it is open
)

conversations: Final = Table(
    "conversations",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("low", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),  # the lower of two ids
    Column("high", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("last", BigInteger, nullable=False, index=True),  # when the last message was written
    Index(None, "low", "high", unique=True),
)

correspondents: Final = Table(
    "correspondents",
    METADATA,
    Column("conversation", String(ID), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(60), nullable=False),  # by which the other knows them: as of their last message
    Column("unread", Integer, nullable=False),  # messages by the other
    Column("notified", BigInteger),  # when they were last told of unread ones; null once they have read
    Column("begun", BigInteger),  # when they began the conversation; null if the other did
    Index(None, "person", "unread"),
)

messages: Final = Table(
    "messages",
    METADATA,
    Column("conversation", String(ID), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("author", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

table_webhooks: Final = Table(
    "table_webhooks",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("form", String(10), nullable=False),  # a word of notifying.values.WebhookForm
    Column("address", Text, nullable=False),
    Column("secret", Text, nullable=False),  # signs what is posted
    Column("language", String(5), nullable=False),  # of the posts
    Column("base", Text, nullable=False),  # the address under which the person reached the server
    Column("mentions", Text, nullable=False),  # the ids to mention by seats, as JSON
    Column("created", BigInteger, nullable=False),
    Column("seen", Integer, nullable=False),  # the counter of the table's changes when it was last looked at
    Column("state", String(20), nullable=False),  # the state that was last posted, or empty
    Column("posted", BigInteger),  # when the last post was put into the outbox
    Column("dead", Boolean, nullable=False, server_default=false()),  # these as those of ways
    Column("failing", BigInteger),
    Column("reason", String(20), nullable=False, server_default=""),
    Column("detail", String(80), nullable=False, server_default=""),
    Column("refused", BigInteger),
)

seeks: Final = Table(
    "seeks",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("id", String(ID), nullable=False, unique=True),  # the id for which its page listens
    Column("game", String(40), nullable=False),
    Column("pace", String(10), nullable=False),
    Column("seconds", Integer, nullable=False),
    Column("reserve", Integer, nullable=False),
    Column("near", Boolean, nullable=False),  # whether others are to be about as strong
    Column("fewest", Integer, nullable=False),  # of players
    Column("most", Integer, nullable=False),
    Column("salt", String(60), nullable=False),  # the share of the dice
    Column("origin", Integer, nullable=False),  # as the table's origin
    Column("since", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False, index=True),  # when its page last reported
    Column("offer", BigInteger, nullable=False),  # when computer players are offered
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), index=True),  # where it ended
)

reports: Final = Table(
    "reports",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("reporter", String(ID), ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("about", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("table_id", String(ID), nullable=False),  # it may be deleted; empty for a message or a club
    Column("line", Text, nullable=False),  # the text that was reported, or empty
    Column("around", Text, nullable=False, server_default=""),  # of a message: those around it, as JSON
    Column("club", String(ID), nullable=False, server_default=""),  # the club that was reported, or empty
    Column("reason", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("handled", BigInteger),
)

own_records: Final = Table(
    "own_records",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(60), nullable=False),  # the owner's name for it, or empty
    Column("game", String(40), nullable=False),
    Column("summary", Text, nullable=False),  # what lists show of it: own_records.values.Summary
    Column("record", LargeBinary, nullable=False),  # the file, compressed by zlib
    Column("added", BigInteger, nullable=False),
    Column("link", String(ID), unique=True),  # in clear: it opens no more than this row; null: for the owner alone
)

record_reviews: Final = Table(
    "record_reviews",  # as reviews, of own_records
    METADATA,
    Column("record", String(ID), ForeignKey("own_records.id", ondelete="CASCADE"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("done", Integer, nullable=False),
    Column("parts", Integer, nullable=False),
    Column("failed", Boolean, nullable=False),
    Column("found", LargeBinary),
    Column("person", String(ID), index=True),
)

solved: Final = Table(
    "solved",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("progress", Text, nullable=False),  # with puzzles, in the format of kontor.puzzles
)

acts: Final = Table(
    "acts",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("actor", String(ID), nullable=False),  # a person, or the operator
    Column("act", String(10), nullable=False),  # a word of acts.Act
    Column("person", String(ID), nullable=False),  # the subject, who may be deleted
)

profiles: Final = Table(
    "profiles",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("handle", String(ID), nullable=False, unique=True),  # in the address of their page, if it is public
    Column("listed", Boolean, nullable=False),  # in the list of the best players
    Column("public", Boolean, nullable=False),  # whether anybody may see their page
    Column("parts", String(80), nullable=False, server_default="results rating companions"),  # shown there
)

reviewed_seats: Final = Table(
    "reviewed_seats",
    METADATA,
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("decisions", Integer, nullable=False),  # where there was a choice
    Column("lost", Float, nullable=False),  # of the chance to win, summed over all decisions
    Column("result", Float, nullable=False),  # 1 won, 0 lost; the chance to win where a game was ended early
    Column("adjusted", Float),  # the result without luck, where luck can be measured
)

ratings: Final = Table(
    "ratings",
    METADATA,
    Column("game", String(40), primary_key=True),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("points", Integer, nullable=False),
    Column("deviation", Integer, nullable=False),  # in points
    Column("games", Integer, nullable=False),  # number of rated games
    Column("played", BigInteger, nullable=False),  # when the last of them ended
    Column("fitted", BigInteger, nullable=False),
    Index(None, "game", "points"),
)

rating_days: Final = Table(
    "rating_days",
    METADATA,
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),  # since 1970
    Column("points", Integer, nullable=False),
    Column("deviation", Integer, nullable=False),
)

calibrations: Final = Table(
    "calibrations",
    METADATA,
    Column("game", String(40), primary_key=True),
    Column("content", Text, nullable=False),  # ratings.values.Calibration as JSON, of games and not of people
)

tournaments: Final = Table(
    "tournaments",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("game", String(40), nullable=False),
    Column("system", String(10), nullable=False),  # a word of tournament_values.System
    Column("duplicate", Boolean, nullable=False),  # whether all pairs play with the same luck, from both sides
    Column("sizes", Text, nullable=False),  # of tables, the preferred first
    Column("options", Text, nullable=False),  # of the game, by the size of a table
    Column("rounds", Integer, nullable=False),  # 0 until it begins, where everybody plays everybody
    Column("pace", String(10), nullable=False),
    Column("seconds", Integer, nullable=False),
    Column("reserve", Integer, nullable=False),
    Column("takeover", String(10), nullable=False),
    Column("public", Boolean, nullable=False),  # otherwise only people with the link find it
    Column("host", String(ID), ForeignKey("people.id"), nullable=False, index=True),
    Column("joining", Boolean, nullable=False),  # whether people can still join
    Column("fewest", Integer, nullable=False),  # with fewer entrants it does not begin
    Column("starts", BigInteger),  # when it begins on its own
    Column("status", String(10), nullable=False),  # open, running, over, cancelled
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("round", Integer, nullable=False),  # the last one that was paired
    Column("next", BigInteger),  # when the next round is paired, once all tables of this one are over
    Column("commitment", String(64), nullable=False),  # to the seed
    Column("changes", Integer, nullable=False, server_default=text("0")),
    Column("in_step", Boolean, nullable=False, server_default=false()),  # whether duplicate tables wait for others
    Column("breaks", Boolean, nullable=False, server_default=false()),  # as that of its tables
    Column("description", Text, nullable=False, server_default=""),
    Column("most", Integer),  # the most entrants, or as many as any tournament can have; others wait
    Column("leavers", String(10), nullable=False, server_default="computer"),  # a word of tournament_values.Leavers
    Column("approval", Boolean, nullable=False, server_default=false()),  # whether its host looks at pairings first
    Column("proposal", Text),  # of the next round's pairing: the entrants' numbers, table by table
    Column("seed", LargeBinary(32), nullable=False),  # of pairings and dice: a secret; not in TOURNAMENT_ROW
    Index(None, "status", "created"),
)

TOURNAMENT_ROW: Final = tuple(column for column in tournaments.c if column.name != "seed")
"""The columns read when a tournament is looked up."""

entrants: Final = Table(
    "entrants",
    METADATA,
    Column("tournament", String(ID), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person", String(ID), ForeignKey("people.id"), nullable=False, index=True),
    Column("name", String(60), nullable=False),
    Column("salt", String(60), nullable=False),  # their share of the dice of all their games
    Column("first", Integer, nullable=False),  # the round from which they play
    Column("left", BigInteger),  # when they left
    Column("removed", Boolean, nullable=False, server_default=false()),  # by the host of the tournament
    Column("waiting", Boolean, nullable=False, server_default=false()),  # for a place, before it begins
)

pairings: Final = Table(
    "pairings",
    METADATA,
    Column("tournament", String(ID), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("game", Integer, primary_key=True, autoincrement=False),  # 1 for the second game of a duplicate match
    Column("entrants", Text, nullable=False),  # their numbers, in the order of the seats; a single number has a bye
    Column("table_id", String(ID), ForeignKey("tables.id", ondelete="SET NULL"), index=True),
    Column("points", Text),  # of the seats, once it is over
    Column("scores", Text),
    Column("corrected", Boolean, nullable=False, server_default=false()),  # by the host of the tournament
)

seasons: Final = Table(
    "seasons",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("host", String(ID), ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("points", Text, nullable=False),  # of the places, from the first on
    Column("best", Integer),  # so many of a person's results count; or all
    Column("created", BigInteger, nullable=False),
)

season_tournaments: Final = Table(
    "season_tournaments",
    METADATA,
    Column("tournament", String(ID), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("season", String(ID), ForeignKey("seasons.id", ondelete="CASCADE"), nullable=False, index=True),
)

tournament_talk: Final = Table(
    "tournament_talk",
    METADATA,
    Column("tournament", String(ID), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(60), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

tournament_log: Final = Table(
    "tournament_log",
    METADATA,
    Column("tournament", String(ID), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("person", String(ID), ForeignKey("people.id", ondelete="SET NULL"), index=True),  # the host at that time
    Column("name", String(60), nullable=False),
    Column("act", Text, nullable=False),  # what was changed, as JSON
    Column("reason", Text, nullable=False),
)

clubs: Final = Table(
    "clubs",
    METADATA,
    Column("id", String(ID), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("about", Text, nullable=False),  # a line about it, or empty
    Column("visible", Boolean, nullable=False),  # whether others than its members may see it
    Column("invitation", String(ID), nullable=False, unique=True),  # in clear: it opens no more than this club
    Column("created", BigInteger, nullable=False),
)

club_members: Final = Table(
    "club_members",
    METADATA,
    Column("club", String(ID), ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(ID), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("handle", String(ID), nullable=False, unique=True),  # with which the founder refers to them
    Column("founder", Boolean, nullable=False),  # one member is, who may be another than the one who founded it
    Column("joined", BigInteger, nullable=False),
)

club_tournaments: Final = Table(
    "club_tournaments",
    METADATA,
    Column("tournament", String(ID), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("club", String(ID), ForeignKey("clubs.id", ondelete="SET NULL"), index=True),  # null: it was closed
    Column("members_only", Boolean, nullable=False),  # whether only members of the club can join
)
