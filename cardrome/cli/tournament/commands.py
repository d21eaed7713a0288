"""`cardrome tournament`: play a tournament, go on with it, and publish what came of it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardrome.cli.groups import FileOrCommand
from cardrome.cli.options import JsonOption, job_count

if TYPE_CHECKING:
    from cardrome.cli.tournament.view import Progress
    from cardrome.tournament.executors import Executor
    from cardrome.tournament.run import TournamentRun
    from cardrome.tournament.settings import TournamentPlan

_File = Annotated[Path, typer.Argument(help="The tournament's settings file, TOML.", metavar="FILE.toml")]
_Store = Annotated[
    str | None, typer.Option("--store", help="A file or a URL, postgresql+psycopg://…, instead of the settings'.")
]

group = typer.Typer(
    cls=FileOrCommand, help="Play a tournament of many bots, resume it, report it.", no_args_is_help=True
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group, name="tournament")


@group.command()
def new(file: _File) -> None:
    """Write a settings file with all keys explained."""
    from cardrome.cli.files import write_new
    from cardrome.tournament.settings import EXAMPLE

    write_new(file, EXAMPLE.format(file=file))
    print(f"{file} is written. Next:")
    print(f"  cardrome tournament {file} --dry-run                    what would be played")
    print(f"  cardrome tournament {file}                              play it; Ctrl-C and the same command go on")
    print(f"  cardrome tournament report {file} --html report         pages to publish")


@group.command()
def run(
    file: _File,
    store: _Store = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=0, help="Games at a time; 0: one per core.")] = None,
    workers: Annotated[
        str | None, typer.Option("--workers", help="`ray` or `ray://HOST:PORT`: play on a Ray cluster.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be played, and how long.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print lines, even on a terminal.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for everything that happens.")] = False,
) -> None:
    """Play the tournament: `cardrome tournament FILE.toml` is short for this.

    Every game is stored as it ends. Stopped at any moment, even killed, the same command goes on where it was.
    """
    from cardrome.tournament.settings import read_plan
    from cardrome.tournament.store.store import TournamentStore

    plan = read_plan(file)
    if workers is not None:
        from cardrome.tournament.ray_executor import check_workers

        check_workers(workers)
    if dry_run:
        _show_plan(plan, store or plan.store, _job_count(plan, jobs), as_json)
        return
    view = view_for(plan, plain, as_json)
    with TournamentStore.open(_place(plan, store)) as opened:
        try:
            play(plan, opened, view, jobs, workers)
        except _Stopped:
            _print_standings(opened, as_json)
            if not as_json:
                print("stopped; the same command goes on with it", file=sys.stderr)
            raise
        _print_standings(opened, as_json)


def _job_count(plan: TournamentPlan, jobs: int | None) -> int:
    return job_count(plan.settings.tournament.jobs if jobs is None else jobs)


def view_for(plan: TournamentPlan, plain: bool, as_json: bool, quiet: bool = False) -> Progress:
    """How a run is shown: live on a terminal, as lines elsewhere, as JSON, or not at all."""
    from cardrome.cli.tournament.view import JsonProgress, LiveProgress, PlainProgress, QuietProgress

    name = plan.settings.tournament.name
    if quiet:
        return QuietProgress(name)
    if as_json:
        return JsonProgress(name)
    return LiveProgress(name) if sys.stderr.isatty() and not plain else PlainProgress(name)


def play(plan: TournamentPlan, store: Any, view: Progress, jobs: int | None, workers: str | None) -> None:
    """Admit the bots and play, with whatever view there is.

    At Ctrl-C and SIGTERM the games that are being played are finished and stored before the signal takes its effect; a
    second one does not wait for that.
    """
    from cardrome.arena.players.sandbox import protections, sandboxed
    from cardrome.cli.tournament.view import LiveProgress
    from cardrome.tournament.live_table import LiveTable
    from cardrome.tournament.run import TournamentRun

    settings = plan.settings.bot_settings
    if any(bot.command is not None for bot in plan.settings.bots):
        if settings.sandbox:
            sandboxed([])  # says at once if there is none to be had
        print(protections(settings.limits, settings.sandbox), file=sys.stderr)
    with ExitStack() as stack:
        if isinstance(view, LiveProgress):
            from rich.console import Console
            from rich.live import Live

            stack.enter_context(Live(view, console=Console(stderr=True), refresh_per_second=4, transient=True))
        tournament = TournamentRun(plan, store, view)
        view.message(f"seed {tournament.seed}, store {store.name}")
        executor = _executor(tournament, _job_count(plan, jobs), workers)
        stack.callback(executor.close)
        if isinstance(view, LiveProgress):
            view.running = lambda: list(tournament.running)[: executor.jobs]
        tournament.admit(executor)
        view.begin(tournament.entrants, LiveTable(tournament.entrants, store.results()))
        with _signals_stop(tournament, view) as received:
            tournament.run(executor)
    if received:
        raise _Stopped(received[0])


class _Stopped(SystemExit):
    """The run was stopped by a signal, in good order."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


@contextmanager
def _signals_stop(tournament: TournamentRun, view: Progress) -> Iterator[list[int]]:
    """Let the first signal stop a run in good order, and the second at once. Those received are in the list."""
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, _frame: object) -> None:
        received.append(number)
        tournament.stop()
        for each, handler in before.items():
            signal.signal(each, handler)
        with suppress(RuntimeError):  # it may have come in the middle of another message
            view.message("stopping: games that are being played are finished first; once more to stop at once")

    for number in before:
        signal.signal(number, stop)
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _executor(tournament: TournamentRun, jobs: int, workers: str | None) -> Executor:
    from cardrome.tournament.executors import InlineExecutor, ProcessExecutor

    if workers is not None:
        from cardrome.tournament.ray_executor import RayExecutor

        return RayExecutor(tournament.settings, workers, jobs)
    # Programs are played by another process in any case: if this one is killed, that one ends them.
    programs = any(bot.command is not None for bot in tournament.plan.settings.bots)
    inline = jobs == 1 and not programs
    return InlineExecutor(tournament.settings) if inline else ProcessExecutor(tournament.settings, jobs)


def _show_plan(plan: TournamentPlan, store: str, jobs: int, as_json: bool) -> None:
    """`--dry-run`."""
    from cardrome.cli.tournament.view import duration
    from cardrome.tournament.forecast import forecast

    found = forecast(plan, jobs)
    if as_json:
        import msgspec

        print(msgspec.json.encode(found).decode())
        return
    section = plan.settings.tournament
    print(f"{section.name}: {found.schedule} of {found.bots} bots on {', '.join(found.editions)}")
    print(f"games: {'without end' if found.games is None else f'{found.games:,}'}")
    if found.seconds_per_game is not None:
        speed = f"{1000 * found.seconds_per_game:.2f} ms a game, by a sample of {found.sampled_games}"
        total = "" if found.seconds is None else f"; about {duration(found.seconds)} with {jobs} jobs"
        print(f"time: {speed}{total}")
    shown = f"{store.partition('://')[0]} server" if "://" in store else store  # a URL may hold a password
    print(f"store: {shown}; seed {'to be drawn' if section.seed is None else section.seed}")
    for problem in found.problems:
        print(f"problem: {problem}")


def _print_standings(store: Any, as_json: bool) -> None:
    """The table at the end, with intervals."""
    from cardrome.tournament.results.summary import summarize

    summary = summarize(store)
    if as_json:
        import msgspec

        print(msgspec.json.encode({"event": "standings", "standings": summary.to_data()}).decode())
        return
    from cardrome.cli.tournament.standings import print_standings

    print_standings(summary)


@group.command()
def standings(file: _File, store: _Store = None, as_json: JsonOption = False) -> None:
    """Print the standings with intervals: the tournament may be running or not."""
    from cardrome.tournament.results.summary import summarize
    from cardrome.tournament.settings import read_plan

    plan = read_plan(file)
    with _stored(plan, store) as opened:
        summary = summarize(opened)
    if as_json:
        print(summary.to_json(), end="")
        return
    from cardrome.cli.tournament.standings import print_standings

    print_standings(summary)


@group.command()
def report(
    file: _File,
    store: _Store = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write pages to this folder: open index.html.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write tables to this folder.")] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write everything to this file.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", help="Write the tables to this file.")] = None,
    parquet: Annotated[Path | None, typer.Option("--parquet", help="Write all games to this file.")] = None,
    replays: Annotated[
        int, typer.Option("--replays", min=0, help="Pairs of games of each pairing to watch in the pages.")
    ] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0: one per core.")] = 0,
) -> None:
    """Publish what came of it: pages, tables, data. The tournament may be running or not."""
    from cardrome.errors import CallerError
    from cardrome.tournament.results.exports import write_csv, write_json, write_markdown, write_parquet
    from cardrome.tournament.results.game_table import read_games
    from cardrome.tournament.results.summary import summarize_games
    from cardrome.tournament.settings import read_plan

    if not any((html, csv, json, markdown, parquet)):
        raise CallerError(
            "nothing to write: give --html DIR, --csv DIR, --json FILE, --markdown FILE or --parquet FILE"
        )
    plan = read_plan(file)
    with _stored(plan, store) as opened:
        games = read_games(opened)
        summary = summarize_games(opened, games)
        if csv is not None:
            write_csv(csv, summary, games)
        if json is not None:
            write_json(json, summary)
        if markdown is not None:
            write_markdown(markdown, summary)
        if parquet is not None:
            write_parquet(parquet, summary, games)
        if html is not None:
            from cardrome.web.report.site import write_report

            write_report(html, opened, summary, games, replay_pairs=replays, jobs=job_count(jobs))
    for path in (csv, json, markdown, parquet, html and html / "index.html"):
        if path is not None:
            print(path)


def _stored(plan: TournamentPlan, store: str | None) -> Any:
    """The store of a tournament that was begun: looking at it must not make one."""
    from cardrome.errors import CallerError
    from cardrome.tournament.store.store import TournamentStore

    where = _place(plan, store)
    if isinstance(where, Path) and not where.exists():
        raise CallerError(f"{where} is not there: the tournament was not begun, or is stored elsewhere (--store)")
    return TournamentStore.open(where, claim=False)


def _place(plan: TournamentPlan, store: str | None) -> str | Path:
    """Where the store is. Paths lead from the settings file, those of the command line from the current folder."""
    text = store or plan.store
    if "://" in text:
        return text
    return Path(text).absolute() if store else plan.folder / text
