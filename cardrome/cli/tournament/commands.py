"""`cardrome tournament`: play a tournament, resume it, and publish its results."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import print_json, tell
from cardrome.cli.options import FileOrCommand, JsonOption, PlainOption, StoreOption, examples, job_count, next_steps

if TYPE_CHECKING:
    from cardrome.cli.tournament.view import RunView
    from cardrome.tournament.executors import Executor
    from cardrome.tournament.run import TournamentRun
    from cardrome.tournament.settings import TournamentPlan
    from cardrome.tournament.store.store import TournamentStore

_File = Annotated[Path, typer.Argument(help="The tournament's settings file, TOML.", metavar="FILE.toml")]

group = typer.Typer(
    cls=FileOrCommand, help="Play a tournament of many bots, resume it, report it.", no_args_is_help=True
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group, name="tournament")


@group.command(epilog=examples("tournament new cup.toml"))
def new(file: _File) -> None:
    """Write a settings file with all keys explained."""
    from cardrome.cli.options import write_new
    from cardrome.tournament.settings import EXAMPLE

    write_new(file, EXAMPLE.format(file=file))
    print(f"wrote {file}")
    steps = {
        f"tournament {file} --dry-run": "what would be played, and how long it would take",
        f"tournament {file}": "play it; after Ctrl-C the same command resumes",
        f"tournament report {file} --html report": "pages to publish",
    }
    print(next_steps(steps))


@group.command(
    epilog=examples(
        "tournament cup.toml --dry-run",
        "tournament cup.toml",
        "tournament cup.toml --jobs 8 --store postgresql://me@server/cup",
        "tournament cup.toml --workers ray://head:10001",
    )
)
def run(
    file: _File,
    store: StoreOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=0, metavar="N", help="Games at a time, instead of the settings'; 0 means one per core."
        ),
    ] = None,
    workers: Annotated[
        str | None, typer.Option("--workers", metavar="RAY", help="`ray` or `ray://HOST:PORT`: play on a Ray cluster.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be played, and how long; exit 1 if anything is wrong.")
    ] = False,
    plain: PlainOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for everything that happens.")] = False,
) -> None:
    """Play the tournament, or go on with it.

    `cardrome tournament FILE.toml` is short for this. Every game is stored as it ends. After a stop at any moment, even
    a kill, the same command resumes.
    """
    from cardrome.tournament.settings import read_plan
    from cardrome.tournament.store.store import TournamentStore

    plan = read_plan(file)
    if workers is not None:
        from cardrome.tournament.ray_executor import check_workers

        check_workers(workers)
    if dry_run:
        _show_plan(plan, store, _job_count(plan, jobs), as_json)
        return
    view = view_for(plan, plain, as_json)
    with TournamentStore.open(_place(plan, store)) as opened:
        try:
            play(plan, opened, view, jobs, workers)
        except Stopped:
            _print_standings(opened, as_json)
            if not as_json:
                print("stopped; the same command resumes it", file=sys.stderr)
            raise
        _print_standings(opened, as_json)


def _job_count(plan: TournamentPlan, jobs: int | None) -> int:
    return job_count(plan.settings.tournament.jobs if jobs is None else jobs)


def view_for(plan: TournamentPlan, plain: bool, as_json: bool, quiet: bool = False) -> RunView:
    """How a run is shown: live on a terminal, as lines elsewhere, as JSON, or not at all."""
    from cardrome.cli.tournament.view import JsonView, LiveView, PlainView, QuietView

    name = plan.settings.tournament.name
    if quiet:
        return QuietView(name)
    if as_json:
        return JsonView(name)
    return LiveView(name) if sys.stderr.isatty() and not plain else PlainView(name)


def play(plan: TournamentPlan, store: TournamentStore, view: RunView, jobs: int | None, workers: str | None) -> None:
    """Admit the bots and play.

    On Ctrl-C or SIGTERM the games being played are finished and stored before the command ends; a second signal ends
    it at once.
    """
    from cardrome.arena.players.sandbox import protections
    from cardrome.arena.secret import commitment, is_public
    from cardrome.cli.tournament.view import LiveView
    from cardrome.tournament.results.live_table import LiveTable
    from cardrome.tournament.run import TournamentRun

    settings = plan.settings.bot_settings
    if any(bot.command is not None for bot in plan.settings.bots):
        tell(protections(settings.limits, settings.sandbox))
    with ExitStack() as stack:
        if isinstance(view, LiveView):
            from rich.console import Console
            from rich.live import Live

            stack.enter_context(Live(view, console=Console(stderr=True), refresh_per_second=4, transient=True))
        tournament = TournamentRun(plan, store, view)
        drawn = f"a drawn secret, sha256 {commitment(tournament.seed)}"
        view.message(f"seed {tournament.seed if is_public(tournament.seed) else drawn}, store {store.name}")
        executor = _executor(tournament, _job_count(plan, jobs), workers)
        stack.callback(executor.close)
        if isinstance(view, LiveView):
            view.running = lambda: list(tournament.running)[: executor.jobs]
        tournament.admit(executor)
        view.begin(tournament.entrants, LiveTable(tournament.entrants, store.games()))
        with _signals_stop(tournament, view) as received:
            tournament.run(executor)
    if received:
        raise Stopped(received[0])


class Stopped(SystemExit):
    """The run was stopped by a signal, cleanly."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


@contextmanager
def _signals_stop(tournament: TournamentRun, view: RunView) -> Iterator[list[int]]:
    """Let the first signal stop a run cleanly, and the second at once. Yields the list of signals received."""
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, _frame: object) -> None:
        received.append(number)
        tournament.stop()
        for each, handler in before.items():
            signal.signal(each, handler)
        with suppress(RuntimeError):  # it may have interrupted another message
            view.message("stopping: the games being played are finished first; repeat to stop at once")

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

        return RayExecutor(tournament.settings, workers, jobs, tournament.plan)
    # Programs always run under another process, which ends them if this one is killed.
    programs = any(bot.command is not None for bot in tournament.plan.settings.bots)
    inline = jobs == 1 and not programs
    return InlineExecutor(tournament.settings) if inline else ProcessExecutor(tournament.settings, jobs)


def _show_plan(plan: TournamentPlan, store: str | None, jobs: int, as_json: bool) -> None:
    """`--dry-run`: exit code 1 if something is wrong."""
    from cardrome.cli.tournament.view import duration
    from cardrome.escaping import printable
    from cardrome.tournament.forecast import forecast
    from cardrome.wording import counted

    found = forecast(plan, jobs, _place(plan, store))
    if as_json:
        print_json(found)
        raise typer.Exit(1 if found.problems else 0)
    section = plan.settings.tournament
    print(f"{section.name}: {found.schedule} of {counted(found.bots, 'bot')} on {', '.join(found.editions)}")
    stored = f", {found.stored:,} of them stored already" if found.stored else ""
    print(f"games: {'open-ended' if found.games is None else f'{found.games:,}'}{stored}")
    if found.seconds_per_game is not None:
        speed = f"{1000 * found.seconds_per_game:.2f} ms a game, from a sample of {found.sampled_games}"
        total = "" if found.seconds is None else f"; about {duration(found.seconds)} with {counted(jobs, 'job')}"
        print(f"time: {speed}{total}")
    store = store or plan.store
    shown = f"{store.partition('://')[0]} server" if "://" in store else store  # a URL may hold a password
    drawn = "kept in the store" if found.stored else "to be drawn"
    print(f"store: {shown}; seed {drawn if section.seed is None else section.seed}")
    for problem in found.problems:
        print(f"problem: {printable(problem, 1000)}")
    raise typer.Exit(1 if found.problems else 0)


def _print_standings(store: TournamentStore, as_json: bool) -> None:
    """The final table, with intervals."""
    from cardrome.tournament.results.summary import summarize

    summary = summarize(store.snapshot())
    if as_json:
        print_json({"event": "standings", "standings": summary.to_data()})
        return
    from cardrome.cli.tournament.view import print_standings

    print_standings(summary)


@group.command(epilog=examples("tournament standings cup.toml", "tournament standings cup.toml --json"))
def standings(file: _File, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Print the standings, while it runs too."""
    from cardrome.tournament.results.summary import summarize
    from cardrome.tournament.settings import read_plan

    plan = read_plan(file)
    with _stored(plan, store) as opened:
        summary = summarize(opened.snapshot())
    if as_json:
        print_json(summary.to_data())
        return
    from cardrome.cli.tournament.view import print_standings

    print_standings(summary)


@group.command(
    epilog=examples(
        "tournament report cup.toml --html report",
        "tournament report cup.toml --json cup.json --markdown cup.md",
        "tournament report cup.toml --csv tables --parquet games.parquet",
    )
)
def report(
    file: _File,
    store: StoreOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="DIR", help="Write pages to this folder: open index.html.")
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="DIR", help="Write tables to this folder.")] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write everything to this file.")] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write the tables to this file.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="FILE", help="Write all games to this file.")
    ] = None,
    replays: Annotated[
        int, typer.Option("--replays", min=0, metavar="N", help="Pairs of games of each pairing to watch in the pages.")
    ] = 1,
    replay_limit: Annotated[
        int,
        typer.Option(
            "--replay-limit", min=0, metavar="N", help="Games to watch in the pages at most; each takes some 50 kB."
        ),
    ] = 400,
    lang: Annotated[str, typer.Option("--lang", metavar="LANG", help="The language of the pages: en or fr.")] = "en",
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0 means one per core.")] = 0,
) -> None:
    """Publish the results as pages, tables, data.

    It can be done while the tournament runs, too.
    """
    from cardrome.errors import CallerError
    from cardrome.games.rulebooks import checked_language
    from cardrome.tournament.results.exports import write_csv, write_json, write_markdown, write_parquet
    from cardrome.tournament.results.summary import summarize
    from cardrome.tournament.settings import read_plan

    checked_language(lang)
    if not any((html, csv, json, markdown, parquet)):
        raise CallerError(
            "nothing to write: give --html DIR, --csv DIR, --json FILE, --markdown FILE or --parquet FILE"
        )
    plan = read_plan(file)
    with _stored(plan, store) as opened:
        snapshot = opened.snapshot()
        summary, games = summarize(snapshot), snapshot.games
        if csv is not None:
            write_csv(csv, summary, games)
        if json is not None:
            write_json(json, summary)
        if markdown is not None:
            write_markdown(markdown, summary)
        if parquet is not None:
            write_parquet(parquet, summary, games)
        if html is not None:
            from cardrome.web.tournaments.report import write_report

            options = {"replay_pairs": replays, "replay_limit": replay_limit, "jobs": job_count(jobs)}
            write_report(html, opened, summary, games, **options, language=lang)
    for path in (csv, json, markdown, parquet):
        if path is not None:
            print(f"wrote {path}")
    if html is not None:
        print(f"wrote {html / 'index.html'}: open it in a browser")


@group.command(epilog=examples("tournament export cup.toml --out replays --bot mybot"))
def export(
    file: _File,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="A folder for a file of each pairing, or one .jsonl or .jsonl.gz file.")
    ],
    bot: Annotated[list[str] | None, typer.Option("--bot", help="Only games of this bot; may be repeated.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the stored replays as files.

    `cardrome replay` and `cardrome analyse` read them. It can be done while the tournament runs, too. Stored are the
    games of programs that the settings keep (`replays`), and none of games between built-in agents.
    """
    from cardrome.tournament.results.replays import export_replays
    from cardrome.tournament.results.summary import summarize
    from cardrome.tournament.settings import read_plan

    plan = read_plan(file)
    with _stored(plan, store) as opened:
        files, count = export_replays(opened, out, bot or ())
        snapshot = opened.snapshot()
        secret = summarize(snapshot).seed is None
    if as_json:
        import msgspec

        data = {"files": list(map(str, files)), "replays": count, "games": len(snapshot.games)}
        print(msgspec.json.encode(data).decode())
    else:
        from cardrome.wording import counted

        print(f"{counted(count, 'replay')} of {counted(len(snapshot.games), 'game')} in {counted(len(files), 'file')}")
        for path in files:
            print(path)
    if secret and count:
        print(
            "cardrome: replays hold their deals, which are secret until the last game: do not publish", file=sys.stderr
        )


def _stored(plan: TournamentPlan, store: str | None) -> TournamentStore:
    """The store of a tournament that was started: reading it must not create one."""
    from cardrome.errors import CallerError
    from cardrome.tournament.store.store import TournamentStore

    where = _place(plan, store)
    if isinstance(where, Path) and not where.exists():
        raise CallerError(f"{where} does not exist: the tournament was not started, or is stored elsewhere (--store)")
    return TournamentStore.open(where, claim=False)


def _place(plan: TournamentPlan, store: str | None) -> str | Path:
    """Where the store is. Paths are relative to the settings file, or on the command line to the current folder."""
    text = store or plan.store
    if "://" in text:
        return text
    return Path(text).absolute() if store else plan.folder / text
