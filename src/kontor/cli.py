"""The command ``kontor``, with all its subcommands."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer
from typer.exceptions import TyperException

from kontor import admin_commands, arena, people_commands
from kontor import bench as benchmark
from kontor.command_options import Data, Database, language_of, place_from, translated
from kontor.distribution import installed_version
from kontor.endings import describe_early_end
from kontor.game import BadOptions, Refusal
from kontor.plugins import PartFailed, plugins
from kontor.recording import load_seed
from kontor.records import Verified, describe_shares, read, verify
from kontor.review import check, review
from kontor.terminal import positions_commands, puzzle_commands
from kontor.terminal.adapter import adapter_named, terminal_adapters
from kontor.terminal.begin import GamePlan, begin, free_path, resume
from kontor.terminal.command import (
    add_commands_of_games,
    number,
    options_from,
    plugin_failure,
    sentence,
    with_settings,
)
from kontor.terminal.play import sit_down
from kontor.terminal.prompt import Keyboard, Leave
from kontor.terminal.replay import Replay
from kontor.terminal.review import ReviewPage
from kontor.terminal.screen import Picture, Screen, console, open_closed_streams, show_json, survive_any_text
from kontor.terminal.seats import names_shown, players_from, seat_called, seats_from
from kontor.terminal.tables import bench_tables, counting, gauge_tables, proof_table, simulated, stages
from kontor.visible_text import visible
from kontor.words import Words, mark
from kontor.work import Jobs, cluster, executor_of
from kontor.work.one_core import ONE_CORE

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(
    invoke_without_command=True,
    help=mark("{titles}: play, simulate, watch and verify."),
    epilog=mark("Start with: kontor play {game}"),
)
def kontor(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help=mark("Show the version."))] = False,
    language: Annotated[
        str | None, typer.Option("--language", metavar="CODE", help=mark("Language of the output, such as de or fr."))
    ] = None,
) -> None:
    """Show the version, or the help where no subcommand is given."""
    if show_version:
        typer.echo(f"kontor {installed_version()}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


Game = Annotated[str, typer.Argument(metavar="GAME", help=mark("{games}."))]


@app.command(
    help=mark(
        "Play a game: people at one keyboard, and computer players. Every move is saved at once; q "
        "leaves, and --resume goes on."
    ),
    epilog=mark(
        "\b\nExamples:\n"
        "  kontor play {game}                        you against casual\n"
        "  kontor play {game} --seat Anna --seat Bernd=expert\n"
        "  kontor play {game} --players Anna,Bernd   two people at one keyboard\n"
        "  kontor play --resume {game}-2026-03-01.jsonl"
    ),
)
@with_settings
def play(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=mark("{games}."))] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="SEAT", help=mark("Who plays, once per seat: Anna (a person), Bernd=expert, or expert.")
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="SEATS", help=mark("All seats at once: Anna,Bernd=steady."))
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help=mark("File for the record; default: game and date.")),
    ] = None,
    resume_file: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help=mark("Resume an unfinished game."))
    ] = None,
    salts: Annotated[
        bool, typer.Option("--salts", help=mark("Ask each player for a word that is mixed into the dice."))
    ] = False,
    *,
    settings: dict[str, str],
) -> None:
    """Begin a game at the terminal, or resume one. Raises BadOptions."""
    words: Words = context.obj
    screen = Screen()
    keyboard = Keyboard(screen)
    if resume_file:
        if game or seat or players or save or salts or settings:
            raise BadOptions("", "--resume takes a file and nothing else: game, seats and options are in it.")
        sit_down(words, screen, lambda: resume(words, screen, keyboard, resume_file))
        return
    if not game:
        raise BadOptions("", "Which game? Type kontor play, then {games}.", games=words.one_of(list(plugins())))
    adapter = adapter_named(game)
    seats = seats_from([*(seat or ()), *(players.split(",") if players is not None else ())], adapter)
    options = options_from(adapter, settings, [assignment.name for assignment in seats])
    path = save or free_path(adapter.game.name)
    _check_new_file(path)
    plan = GamePlan(adapter, options, seats, path, salts)
    sit_down(words, screen, lambda: begin(words, screen, keyboard, plan))


def _check_new_file(path: Path) -> None:
    """Raise OSError if no file can be created at the path, before anybody has answered a question."""
    if path.exists():
        raise FileExistsError(errno.EEXIST, "", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))


File = Annotated[Path, typer.Argument(metavar="FILE", help=mark("The record of a game."))]


@app.command(
    help=mark(
        "Watch a recorded game, step by step. A finished game is shown in full, any other only as "
        "far as it is public."
    ),
    epilog=mark(
        "\b\nExamples:\n  kontor replay game.jsonl               Enter: on, b: back, n: next round\n  "
        "kontor replay game.jsonl --all         all of it at once\n  kontor replay game.jsonl --seat "
        "Anna   as Anna saw it"
    ),
)
def replay(
    context: typer.Context,
    file: File,
    everything: Annotated[bool, typer.Option("--all", help=mark("Print the whole game without asking."))] = False,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="NAME", help=mark("Show the game as the seat with this name saw it.")),
    ] = None,
) -> None:
    """Show a recorded game, step by step or in full."""
    screen = Screen()
    replaying = Replay(context.obj, screen, read(file), seat)
    if everything:
        replaying.all()
    else:
        replaying.step(Keyboard(screen))


@app.command(
    name="verify",
    help=mark("Check a record: every move against the rules, every shuffle and die against the committed seed."),
    epilog=mark("\b\nExample:\n  kontor verify game.jsonl"),
)
def verify_record(context: typer.Context, file: File) -> None:
    """Verify a record and show what was checked."""
    words: Words = context.obj
    record = read(file)
    seed = None
    if not record.ending:
        try:
            seed = load_seed(file, record.header)
        except (Refusal, OSError):
            seed = None
    checked = verify(record, seed)
    Screen().show(*_verification_sentences(words, names_shown(record.header.seats), checked))


def _verification_sentences(words: Words, names: Sequence[str], checked: Verified) -> list[str]:
    """Return what was checked, one sentence for each line."""
    lines = [
        words.count("Moves: the one step follows the rules.", "Moves: all {n} steps follow the rules.", checked.steps)
    ]
    if checked.dice:
        lines.append(
            words.count(
                "Dice: the one outcome of chance follows from the seed.",
                "Dice: all {n} outcomes of chance follow from the seed.",
                checked.outcomes,
            )
        )
        lines.append(words.say("Commitment: the seed is the one that line 1 commits to."))
    else:
        lines.append(words.say("Dice: they can be checked only when the game is over and the seed is revealed."))
    lines += describe_shares(words, checked)
    if checked.result:
        points = [
            words.say("{name} has {points}", name=name, points=points)
            for name, points in zip(names, checked.result.points, strict=True)
        ]
        lines.append(words.say("Result: {points}.", points=words.all_of(points)))
    elif checked.early:
        lines.append(describe_early_end(words, names, checked.early))
    else:
        lines.append(words.say("The game was abandoned."))
    return lines


@app.command(
    name="review",
    help=mark("Review a finished game: what each move cost, what was luck, and which moves decided it."),
    epilog=mark(
        "\b\nExamples:\n"
        "  kontor review game.jsonl               all decisions of all players\n"
        "  kontor review game.jsonl --seat Anna   only hers\n"
        "  kontor review game.jsonl --json --jobs 2"
    ),
)
def review_record(
    context: typer.Context,
    file: File,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="NAME", help=mark("Review only the seat with this name."))
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=mark("Print the results as JSON."))] = False,
    jobs: Annotated[
        str, typer.Option("--jobs", metavar="N", help=mark("Number of processes that share the work."))
    ] = "1",
) -> None:
    """Review a finished game and show the page or its JSON."""
    words: Words = context.obj
    record = read(file)
    check(record)
    seats = (
        range(len(record.header.seats))
        if seat is None
        else (seat_called(words, seat, names_shown(record.header.seats)),)
    )
    with executor_of(number(jobs, "--jobs", 1)) as executor, stages(words) as tell:
        reviewed = review(record, partial(tell, mark("Thinking")), executor.map)
    _show(reviewed, as_json, ReviewPage(words, record, reviewed, seats).picture)


Ray = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="[ADDRESS]", help=mark("Share the work with Ray, on a cluster or on this machine.")
    ),
]
"""The option ``--ray``; without an address it is empty: see ``_with_values``."""


@contextmanager
def _sharing(ray: str | None, jobs: int) -> Iterator[Jobs]:
    """Yield the processes or the cluster for the work.

    Ray reports a lost machine on standard output; it is redirected, so that it does not mix with the results.
    """
    if ray is None:
        yield jobs
        return
    with redirect_stdout(sys.stderr), cluster.opened(ray or None, jobs) as opened:
        yield opened


def _with_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, with an empty value for a ``--ray`` without one; Typer has no optional values."""
    return [
        "--ray=" if argument == "--ray" and following.startswith("-") else argument
        for argument, following in zip_longest(arguments, arguments[1:], fillvalue="-")
    ]


@app.command(
    help=mark("Let computer players play each other; they change seats from game to game. Who wins how often?"),
    epilog=mark(
        "\b\nExamples:\n"
        "  kontor simulate {game} --players greedy,random --games 1000\n"
        "  kontor simulate {game} --players steady,greedy --seed 7 --json\n"
        "  kontor simulate {game} --players expert,greedy --mirrored --jobs all\n"
        "  kontor simulate {game} --players expert,greedy --ray 10.0.0.5:6379"
    ),
)
@with_settings
def simulate(
    context: typer.Context,
    game: Game,
    players: Annotated[
        str | None,
        typer.Option("--players", metavar="A,B,…", help=mark("Computer players; default: greedy against random.")),
    ] = None,
    games: Annotated[str, typer.Option("--games", metavar="N", help=mark("Number of games."))] = "100",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same games."))] = "1",
    jobs: Annotated[
        str, typer.Option("--jobs", metavar="N", help=mark("Number of processes that play; all: one per core."))
    ] = "1",
    ray: Ray = None,
    mirrored: Annotated[
        bool, typer.Option("--mirrored", help=mark("Everyone sits once in each seat, with the same cards and dice."))
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option("--records", metavar="DIR", help=mark("Save the record of each game in this folder.")),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=mark("Print the results as JSON."))] = False,
    *,
    settings: dict[str, str],
) -> None:
    """Play a series of games between computer players and show the results."""
    words: Words = context.obj
    adapter = adapter_named(game)
    names = players_from(players, adapter)
    options = options_from(adapter, settings, names)
    count = number(games, "--games", 1)
    processes = (os.cpu_count() or 1) if jobs == "all" else number(jobs, "--jobs", 1)
    try:
        with _sharing(ray, processes) as shared, counting(words.say("games"), count) as one_more:
            report = arena.simulate(
                adapter.game,
                options,
                names,
                count,
                number(seed, "--seed", 0),
                jobs=shared,
                mirrored=mirrored,
                folder=folder,
                on_game=lambda played: one_more(),
            )
    except arena.Stopped as stopped:
        _show(stopped.report, as_json, partial(simulated, words, stopped.report))
        raise
    _show(report, as_json, lambda: simulated(words, report))


@app.command(
    help=mark("Train the computer players from scratch, from a seed alone. This takes a while."),
    epilog=mark(
        "\b\nExamples:\n  kontor train {game}                        as the shipped ones were made\n  "
        "kontor train {game} --effort 0.1 --jobs 2  rougher, but faster"
    ),
)
def train(
    context: typer.Context,
    game: Game,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same weights."))] = "1",
    jobs: Annotated[
        str, typer.Option("--jobs", metavar="N", help=mark("Number of processes that share the work."))
    ] = "1",
    ray: Ray = None,
    effort: Annotated[
        float,
        typer.Option("--effort", min=0.001, metavar="X", help=mark("How much to play and learn; 1 is what ships.")),
    ] = 1.0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help=mark("File for the weights; default: the name of the game.")),
    ] = None,
) -> None:
    """Train the weights of computer players and write them to a file. Raises BadOptions if the file exists."""
    words: Words = context.obj
    name = adapter_named(game).game.name
    path = out or Path(f"{name}-values.npz")
    if path.exists():
        raise BadOptions("", "The file {file} already exists: choose another name.", file=path)
    # NumPy is slow to import, and only few commands need it.
    from kontor.players.training import write

    with _sharing(ray, number(jobs, "--jobs", 1)) as shared, stages(words) as tell:
        write(path, name, number(seed, "--seed", 0), effort, shared, tell)
    Screen().show(words.say("The weights are in {file}.", file=path))


@app.command(
    help=mark("Measure how accurate the chances of winning are that computer players have learned."),
    epilog=mark("\b\nExamples:\n  kontor gauge {game} --jobs 2\n  kontor gauge {game} --effort 0.1 --json"),
)
def gauge(
    context: typer.Context,
    game: Game,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same positions."))] = "1",
    jobs: Annotated[
        str, typer.Option("--jobs", metavar="N", help=mark("Number of processes that share the work."))
    ] = "1",
    effort: Annotated[
        float,
        typer.Option(
            "--effort",
            min=0.001,
            metavar="X",
            help=mark("How many positions and games, as a fraction of the full run (1)."),
        ),
    ] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help=mark("Print the results as JSON."))] = False,
) -> None:
    """Measure the accuracy of the learned chances of winning, and show it."""
    words: Words = context.obj
    name = adapter_named(game).game.name
    # NumPy is slow to import, and only few commands need it.
    from kontor.players.training import gauge_of

    with stages(words) as tell:
        measured = gauge_of(name)(number(seed, "--seed", 0), effort, number(jobs, "--jobs", 1), tell)
    _show(measured, as_json, lambda: gauge_tables(words, measured))


@app.command(
    help=mark("Measure how many decisions per second the rules can handle, on one core, with random moves."),
    epilog=mark(
        "\b\nExamples:\n  kontor bench\n  kontor bench --seconds 5\n  kontor bench --json\n"
        "  kontor bench --lockstep 1000 --cores 2"
    ),
)
def bench(
    context: typer.Context,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0, metavar="N", help=mark("How long each run takes at least, in seconds.")),
    ] = benchmark.SECONDS,
    lockstep: Annotated[
        int,
        typer.Option(
            "--lockstep",
            min=0,
            metavar="N",
            help=mark(
                "Measure nothing; instead play N random games of each game and number of players with the "
                "rules engine and in batches, and compare every field after every step."
            ),
        ),
    ] = 0,
    cores: Annotated[
        int,
        typer.Option("--cores", min=1, metavar="N", help=mark("Number of processes that compare (with --lockstep).")),
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help=mark("Print the results as JSON."))] = False,
) -> None:
    """Measure the speed of the rules, or prove that batches follow them, and show the results."""
    words: Words = context.obj
    if lockstep:
        with counting(words.say("games"), benchmark.games_to_prove(lockstep)) as one_more:
            proofs = benchmark.prove(lockstep, cores=cores, on_game=one_more)
        _show(proofs, as_json, lambda: proof_table(words, proofs))
        return
    with counting(words.say("runs"), benchmark.RUNS * len(benchmark.measured_games())) as one_more:
        measured = benchmark.measure(seconds=seconds, on_run=lambda game, players, speed: one_more())
    for add in (_in_batches, _in_openspiel):
        try:
            measured = add(words, measured, seconds)
        except Refusal as missing:
            _say(sentence(words, missing))
    _show(measured, as_json, lambda: bench_tables(words, measured))


def _in_batches(words: Words, measured: benchmark.Bench, seconds: float) -> benchmark.Bench:
    """Return the benchmark with the speeds of batches and vector environments added."""
    return msgspec.structs.replace(
        measured,
        batches=benchmark.measure_batches(seconds=seconds),
        vectors=benchmark.measure_vectors(seconds=seconds),
    )


def _in_openspiel(words: Words, measured: benchmark.Bench, seconds: float) -> benchmark.Bench:
    """Return the benchmark with the speeds of games in OpenSpiel added."""
    from kontor.environments.speed import in_openspiel  # an extra, which may be missing

    games = in_openspiel()
    with counting(words.say("runs"), benchmark.RUNS * len(games)) as one_more:
        speeds = benchmark.measure_elsewhere(games, seconds=seconds, on_run=lambda game, players, speed: one_more())
    return msgspec.structs.replace(measured, elsewhere=speeds)


@app.command(
    help=mark("Start a server for playing in the browser; see kontor serve --help."),
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    add_help_option=False,
)
def serve(context: typer.Context) -> None:
    """Run the web server, and exit with its code."""
    # The packages of a web server take a second to import, and only this command needs them.
    from kontor.server.gc_tuning import no_gc

    with no_gc():
        from kontor.server.serve import main as open_service

    raise typer.Exit(open_service(context.args, context.obj))


@app.command(
    help=mark("Bring the database of a server up to date, as kontor serve does when it starts."),
    epilog=mark("\b\nExamples:\n  kontor migrate\n  kontor migrate --data ./kontor-data"),
)
def migrate(
    context: typer.Context,
    data: Data = None,
    database: Database = "",
) -> None:
    """Migrate the database of a server."""
    words: Words = context.obj
    # The packages of the database are slow to import.
    from kontor.storage import open_storage

    open_storage(place_from(data, database)).close()
    typer.echo(words.say("The database is up to date."))


admin_commands.add_to(app)
people_commands.add_to(app)
puzzle_commands.add_to(app)
positions_commands.add_to(app)
add_commands_of_games(app)


def _show(result: Any, as_json: bool, picture: Callable[[], Picture]) -> None:
    """Print a result as JSON, or as a picture."""
    if as_json:
        show_json(result)
    else:
        Screen().show(picture())


# ------------------------------------------------------------------------------------------------------ running


INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""


def _games(words: Words) -> dict[str, str]:
    """Return the names and titles of games for the help."""
    names, titles = list(plugins()), [adapter.title for adapter in terminal_adapters().values()]
    return {"game": names[0], "games": words.one_of(names), "titles": words.all_of(titles)}


def run(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code; known errors are printed as a sentence."""
    words = Words(language_of(arguments))
    command: Any = translated(typer.main.get_command(app), words, **_games(words))
    try:
        code = command.main(_with_values(arguments), prog_name="kontor", standalone_mode=False, obj=words)
    except (TyperException, BadOptions) as fault:
        _say(sentence(words, fault))
        return 2
    except PartFailed:  # it has been logged
        return 1
    except (Refusal, OSError) as fault:
        _say(sentence(words, fault))
        return 1
    except Leave:
        return 0
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as fault:
        if plugin_failure(fault) is None:
            raise
        return 1
    if code == INTERRUPTED:  # Typer returns it too, after it has caught Ctrl-C
        _say(words.say("Stopped before the end."))
    return code if isinstance(code, int) else 0


def _say(message: str) -> None:
    """Print a sentence to standard error, with control characters escaped: it may quote a stranger's file."""
    console(stderr=True).print(visible(message))


def main() -> None:
    """Run the command ``kontor`` and exit."""
    # Before NumPy is imported: another number of threads changes its rounding, and so the games of a seed.
    os.environ.update({**ONE_CORE, **os.environ})
    open_closed_streams()
    survive_any_text()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
