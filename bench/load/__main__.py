"""``python -m bench.load``: how much load a server bears."""

from __future__ import annotations

import asyncio
import gc
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Address, ip_address
from os import getloadavg
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Annotated, Final
from urllib.parse import parse_qs, urlsplit

import msgspec
import typer
import uvloop

from bench.load.driving import Crowd, Driver
from bench.load.pairs import comparison, describe_comparison, turns
from bench.load.people import ServerAddress, Unexpected
from bench.load.processes import OURS, NoServer, Program, Server, listening, program_of, serving
from bench.load.proxy import behind
from bench.load.report import Beforehand, Run, describe_run, load_of, memory_of
from bench.load.wire import Cut, Turned

MOST_TABLES: Final = 10_000
MOST_RATE: Final = 2_000.0
MOST_MINUTES: Final = 60.0
_WARMED_BY: Final = 10
"""Tables that are played before the measurement, so that everything loaded once is loaded by then."""

_LOOKS_FOR: Final = 2.0
"""Seconds of measuring what else the machine does, before the run begins."""

_OPENING: Final = 1.0
"""Seconds allowed per table for opening it, watching it and reading its log."""


class NoRun(Exception):
    """A sentence that says why nothing is measured."""


def service_at(address: str) -> ServerAddress:
    """Return the server at an address, if it is one of this machine. Raises NoRun."""
    parts = urlsplit(address if "//" in address else f"//{address}")
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
    try:
        near = isinstance(number := ip_address(host), IPv4Address) and number.is_loopback
        port = parts.port
    except ValueError:
        near, port = False, None
    if not near or parts.scheme not in ("", "http"):
        raise NoRun(f"“{address}” is no address of this machine: load goes to http://127.0.0.1:PORT, nowhere else.")
    return ServerAddress(host, port or 80)


def numbers_of(given: str, subject: str, most: float) -> tuple[float, ...]:
    """Return numbers above 0 from text such as ``10,100``. Raises NoRun."""
    try:
        numbers = tuple(float(one) for one in given.split(","))
    except ValueError as error:
        raise NoRun(f"{subject} are numbers with commas between, not “{given}”.") from error
    if not all(0 < number <= most for number in numbers):
        raise NoRun(f"{subject} are above 0 and at most {most:g}.")
    return numbers


class Plan(msgspec.Struct, frozen=True):
    """The settings of a measurement."""

    tables: int
    rates: tuple[float, ...]
    seconds: float
    warm: float
    crowd: Crowd
    seed: int
    check: bool


async def measure(service: ServerAddress, server: Server, plan: Plan) -> Run:
    """Do one run and return its figures. Raises Unexpected, Turned, Cut, TimeoutError."""
    driver = Driver(service, server, plan.crowd, Random(plan.seed))
    limit = 60 + _OPENING * plan.tables + len(plan.rates) * (plan.seconds + 30) + plan.warm
    try:
        async with asyncio.timeout(limit):
            return await _measure_with(driver, server, plan)
    finally:
        driver.close()


async def _beforehand(server: Server) -> Beforehand:
    """Return what others do on the machine while nobody plays."""
    load_average, before = getloadavg()[0], server.spent()
    await asyncio.sleep(_LOOKS_FOR)
    spent = server.spent().since(before)
    return Beforehand(round(spent.others / _LOOKS_FOR, 2), round(load_average, 2))


async def _measure_with(driver: Driver, server: Server, plan: Plan) -> Run:
    beforehand = await _beforehand(server)
    began = perf_counter()
    await driver.welcome(plan.tables)
    first = min(plan.tables, _WARMED_BY)
    await driver.open(first)
    await driver.watch()
    await driver.drive(20.0, 1.0)
    already = driver.streams
    driver.rest()
    before = server.memory()
    await driver.open(plan.tables)
    driver.rest()
    with_tables = server.memory()
    await driver.watch()
    driver.rest()
    with_streams = server.memory()
    took, streams = perf_counter() - began, driver.streams
    gc.collect()
    gc.freeze()  # thousands of tables and streams stay: collecting them would take the clients' time
    if plan.warm:
        await driver.drive(plan.rates[0], plan.warm)
    periods = [load_of(await driver.drive(rate, plan.seconds)) for rate in plan.rates]
    after = server.memory()
    checked = None
    if plan.check:
        driver.close()
        checked = await driver.check()
    memory = memory_of(before, with_tables, with_streams, after, plan.tables - first, streams - already)
    return Run(beforehand, plan.tables, streams, round(took, 1), memory, tuple(periods), checked)


# -------------------------------------------------------------------------------------------------------- the command


@contextmanager
def _serve(
    address: str, place: list[str], arguments: list[str], database: str, workers: int, program: Program = OURS
) -> Iterator[tuple[ServerAddress, Server]]:
    """Yield the server at the address, or start a server of our own, behind nginx if it has several workers.

    Raises NoRun, NoServer.
    """
    postgres = postgres_processes(database) if database else frozenset()
    if not address:
        with serving(place, arguments, max(1, workers), program) as (addresses, process), ExitStack() as opened:
            where, proxy = addresses[0], frozenset[int]()
            if len(addresses) > 1:
                where, proxy = opened.enter_context(behind(addresses))
            yield service_at(where), Server(frozenset({process}), postgres, proxy)
    else:
        service = service_at(address)
        with socket.socket() as trying:
            trying.settimeout(5)
            if trying.connect_ex((service.host, service.port)):
                raise NoServer(f"Nobody answers at {service.host}:{service.port}.")
        yield service, Server(listening(service.port), postgres)


def postgres_processes(database: str) -> frozenset[int]:
    """Return the processes that listen at the port of a PostgreSQL database."""
    parts = urlsplit(database)
    return listening(parts.port or int(parse_qs(parts.query).get("port", ["5432"])[0]))


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    address: Annotated[
        str, typer.Argument(metavar="[ADDRESS]", help="Of a server on this machine: http://127.0.0.1:1729.")
    ] = "",
    serve: Annotated[
        bool, typer.Option("--serve", help="Start a server for it, in a folder that goes away.")
    ] = False,
    database: Annotated[
        str, typer.Option(metavar="URL", help="The server’s PostgreSQL; --serve starts it with that.")
    ] = "",
    workers: Annotated[
        int,
        typer.Option(
            min=0,
            max=64,
            metavar="NUMBER",
            help="With --serve and --database: how many processes serve, behind nginx.",
        ),
    ] = 0,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="With --serve: a folder that stays, instead of one that goes."),
    ] = None,
    given: Annotated[
        str, typer.Option("--with", metavar="WORDS", help="With --serve: more words for “kontor serve”.")
    ] = "",
    tables: Annotated[
        str,
        typer.Option(metavar="NUMBERS", help="How many tables; several numbers (10,100,1000) are runs of their own."),
    ] = "10",
    rate: Annotated[
        str,
        typer.Option(metavar="NUMBERS", help="Moves a second; several numbers (50,100,200) follow one another."),
    ] = "20",
    seconds: Annotated[float, typer.Option(min=0.5, metavar="NUMBER", help="How long at each rate.")] = 20.0,
    minutes: Annotated[float, typer.Option(min=0, metavar="NUMBER", help="The same in minutes.")] = 0.0,
    warm: Annotated[
        float, typer.Option(min=0, max=600, metavar="SECONDS", help="Load before the first measurement.")
    ] = 3.0,
    browsers: Annotated[
        int, typer.Option(min=0, max=10, metavar="NUMBER", help="Streams of each table as browsers open them.")
    ] = 2,
    programs: Annotated[int, typer.Option(min=0, max=10, metavar="NUMBER", help="Streams of the API.")] = 0,
    most_streams: Annotated[
        int, typer.Option(min=0, max=40_000, metavar="NUMBER", help="No more than so many in all.")
    ] = 2000,
    by_api: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="Of the moves, the others go by a browser's form.")
    ] = 0.5,
    shanghaien: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="Of the tables, the others play the Holländer.")
    ] = 0.8,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Of what the clients choose.")] = 1729,
    check: Annotated[bool, typer.Option(help="Hold every log against what was acknowledged, at the end.")] = True,
    against: Annotated[
        Path | None,
        typer.Option(metavar="CHECKOUT", help="With --serve: compare with the Kontor of another checkout, in turns."),
    ] = None,
    pairs: Annotated[
        int, typer.Option(min=1, max=50, metavar="NUMBER", help="With --against: how often each is measured.")
    ] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Drive a server as people and programs do, and print what load it bears."""
    try:
        if bool(address) == serve:
            raise NoRun("Say either where the server is (http://127.0.0.1:PORT), or --serve.")
        length = 60 * minutes or seconds
        if length > 60 * MOST_MINUTES:
            raise NoRun(f"A measurement takes at most {MOST_MINUTES:g} minutes.")
        rates = numbers_of(rate, "Moves a second", MOST_RATE)
        sizes = [int(number) for number in numbers_of(tables, "Tables", MOST_TABLES)]
        crowd = Crowd(shanghaien, browsers, programs, by_api, most_streams)
        arguments = ["--thinkers", "1"]
        place = ["--database", database] if database else ["--data", str(data)] if data else []
        arguments += ["--workers", str(workers)] if workers else []
        arguments += given.split()
        many_files()
        jobs = [(size, OURS) for size in sizes]
        if against:
            if address or place or len(sizes) > 1:
                raise NoRun("Versions are compared with --serve, in folders that go away, at one number of tables.")
            other = program_of(against)
            jobs = [(sizes[0], OURS if ours else other) for ours in turns(pairs)]
        runs = []
        for size, program in jobs:
            with _serve(address, place, arguments, database, workers, program) as (service, server):
                plan = Plan(size, rates, length, warm, crowd, seed, check)
                runs.append(uvloop.run(measure(service, server, plan)))
            if not as_json:
                if against:
                    print("this:" if program == OURS else f"{against}:")
                print("\n".join(describe_run(runs[-1])), flush=True)
    except (NoRun, NoServer) as error:
        _end(str(error))
    except (Cut, Turned, Unexpected, TimeoutError) as error:
        _end(f"The server did not do what was asked: {type(error).__name__} {error}")
    compared = comparison(runs) if against else None
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(compared or runs), indent=2).decode())
    elif compared:
        print("\n".join(describe_comparison(compared)))
    if not all(run.checked is None or run.checked.well for run in runs):
        _end("Moves were lost or doubled.")


def _end(why: str) -> None:
    print(why, file=sys.stderr)
    raise typer.Exit(1)


def many_files() -> None:
    """Raise the limit of open files to its maximum.

    Each stream is an open file, here and in the server that we start.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    app()
