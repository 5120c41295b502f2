"""The database on a PostgreSQL server: made and updated by one of many processes; its refusals and its locks."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from guests import ME, OPEN, Clock, shanghaien
from kontor.errors import TooMany
from kontor.server.composition import KontorServer
from kontor.storage.errors import CannotOpen, NewerDatabase, NoAddress, NotADatabase, StorageFailure, Unwritable
from kontor.storage.migrate import _newest as newest
from kontor.storage.schema import people
from kontor.tables.opening import MOST_WAITING
from postgresql import Server, database_of, execute


@pytest.fixture
def empty_database(postgres: Server) -> Iterator[str]:
    """Yield an empty database."""
    name = postgres.create("template1")
    yield postgres.address(name)
    postgres.drop(name)


def refusal_of(kind: type[CannotOpen], address: str) -> str:
    with pytest.raises(kind) as refusal:
        KontorServer.open(address)
    assert "marzipan" not in str(refusal.value)
    return str(refusal.value)


def test_many_who_open_a_new_server_at_once_make_one(empty_database: str, clock: Clock) -> None:
    with ThreadPoolExecutor(6) as pool:
        services = list(pool.map(lambda _: KontorServer.open(empty_database, clock), range(6)))
    anna, token = services[0].people.guest("Anna")
    assert [service.people.use_session(token)[0] for service in services] == [anna] * 6
    for service in services:
        service.close()
    assert execute(empty_database, "SELECT version_num FROM alembic_version") == [(newest(),)]


def test_what_stands_in_the_way_is_told_without_the_password(postgres: Server, database: str) -> None:
    name = database_of(database)
    postgres.execute("CREATE ROLE guarded LOGIN PASSWORD 'other'")
    try:
        message = refusal_of(Unwritable, postgres.address(name, "guarded", "marzipan"))
        reason = 'password authentication failed for user "guarded"'
        assert message == f"The database postgresql:///{name} refused access: {reason}."
    finally:
        postgres.execute("DROP ROLE guarded")
    assert "nowhere" in refusal_of(Unwritable, postgres.address("nowhere"))
    assert "no PostgreSQL" in refusal_of(Unwritable, "postgresql://anna:marzipan@127.0.0.1:1/house")
    for wrong in ("", "house", "mysql://anna:marzipan@host/house", "postgresql://anna:marzipan@host:port/house"):
        assert "postgresql://" in refusal_of(NoAddress, wrong)


def test_a_newer_database_and_that_of_something_else_are_refused_and_left_alone(
    database: str, empty_database: str
) -> None:
    execute(database, "UPDATE alembic_version SET version_num = '9999'")
    assert "9999" in refusal_of(NewerDatabase, database)
    execute(empty_database, "CREATE TABLE diary (day TEXT)")
    assert "does not belong to Kontor" in refusal_of(NotADatabase, empty_database)
    assert execute(empty_database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("diary",)]


def test_text_that_is_not_unicode_is_refused(postgres: Server) -> None:
    postgres.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    try:
        assert "LATIN1" in refusal_of(NotADatabase, postgres.address("latin"))
    finally:
        postgres.drop("latin")


def test_a_commit_is_asked_to_be_durable_though_the_server_would_not(database: str) -> None:
    assert execute(database, "SHOW synchronous_commit") == [("off",)]
    with KontorServer.open(database) as service, service._transactions.storage.writing() as db:
        assert db.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
        assert db.exec_driver_sql("SHOW transaction_isolation").scalar() == "read committed"
    with KontorServer.open(database) as service, service._transactions.storage.reading() as db:
        assert db.exec_driver_sql("SHOW transaction_isolation").scalar() == "repeatable read"


def test_errors_quote_nothing(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as service:
        anna, _ = service.people.guest("Anna")
        with pytest.raises(IntegrityError) as error, service._transactions.storage.writing() as db:
            db.execute(insert(people).values(id=anna.id, name="a secret", created=0))
        for text in (str(error.value), str(error.value.orig)):
            assert "secret" not in text
            assert anna.id not in text


def test_lost_connections_are_replaced_unless_something_was_said_on_them(database: str, clock: Clock) -> None:
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'kontor%'"
    with KontorServer.open(database, clock) as service:
        anna, token = service.people.guest("Anna")
        execute(database, cut)
        assert service.people.use_session(token)[0] == anna
        execute(database, cut)
        service.people.guest("Bernd")

        def write(*, cut_first: bool) -> None:
            with service._transactions.storage.writing() as db:
                if cut_first:
                    execute(database, cut)
                db.execute(insert(people).values(id="x", name="Carla", created=0))
                execute(database, cut)

        with pytest.raises(StorageFailure, match="Nothing was changed"):
            write(cut_first=True)
        with pytest.raises(StorageFailure, match="Check whether your move was saved"):
            write(cut_first=False)
        assert execute(database, "SELECT name FROM people ORDER BY name") == [("Anna",), ("Bernd",)]


def test_what_one_person_may_have_is_counted_also_where_much_is_asked_at_once(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as one, KontorServer.open(database, clock) as other:
        anna = one.people.guest("Anna")[0].id

        def open_one(number: int) -> None:
            with suppress(TooMany):
                (one, other)[number % 2].opening.open(anna, shanghaien(ME, OPEN))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(open_one, range(2 * MOST_WAITING)))
        assert len(one.listing.my_tables(anna)) == MOST_WAITING
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: (one, other)[number % 2].people.device_link(anna), range(16)))
        assert execute(database, "SELECT count(*) FROM tokens WHERE kind = 'device'") == [(1,)]
