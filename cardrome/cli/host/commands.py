"""`cardrome host`: run a live Tapdeck event, and everything an organiser does around it."""

from __future__ import annotations

import sys
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardrome.cli.console import folded, print_json
from cardrome.cli.host import accounts
from cardrome.cli.options import FileOrCommand, JsonOption, PlainOption, examples, next_steps

if TYPE_CHECKING:
    from cardrome.server.broadcast import Broadcast
    from cardrome.server.host import EventHost
    from cardrome.server.settings import EventPlan
    from cardrome.server.snapshot import Snapshot

EventArgument = Annotated[Path, typer.Argument(help="The event's settings file, TOML.", metavar="EVENT.toml")]
_LOG_LINES = 200
_PLAIN_SECONDS = 10.0
_COLUMNS = 8
"""The latest tournaments, which the printed standings show; totals count all."""
_MISSING_SHOWN = 20
"""Matches that an export names if their transcripts cannot be read."""


group = typer.Typer(cls=FileOrCommand, help="Run a live Tapdeck event over TCP.", no_args_is_help=True)
group.add_typer(accounts.group, name="accounts")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group, name="host")


@group.command(epilog=examples("host new event.toml"))
def new(event: EventArgument) -> None:
    """Write a settings file with all keys explained."""
    from cardrome.cli.options import write_new
    from cardrome.server.settings import EXAMPLE

    write_new(event, EXAMPLE.format(file=event))
    print(f"wrote {event}")
    steps = {
        f"host accounts add {event} TEAM": "add an account for each team",
        f"host {event}": "start the event",
    }
    print(next_steps(steps))


@group.command(
    epilog=examples("host event.toml", "host event.toml --port 20001 --page-port 8001", "host event.toml --plain > log")
)
def run(
    event: EventArgument,
    port: Annotated[
        int | None,
        typer.Option(metavar="PORT", help="Listen on this port instead; 0 for any free one.", min=0, max=65535),
    ] = None,
    page_port: Annotated[
        int | None,
        typer.Option(metavar="PORT", help="The page's port instead; 0 for any free one.", min=0, max=65535),
    ] = None,
    page: Annotated[bool | None, typer.Option(help="Serve the standings page or not, whatever the file says.")] = None,
    plain: PlainOption = False,
) -> None:
    """Run the event; `cardrome host EVENT.toml` is short for this.

    Ctrl-C stops it. Stopped or killed at any moment, it continues when it is started again: finished tournaments are
    kept, and an interrupted one is played again from its start. Exit codes: 0 when everything is stored, 1 if some
    results could only be left in EVENT.unsaved, which the next start reads.
    """
    from cardrome.server.host import EventHost
    from cardrome.server.settings import read_plan
    from cardrome.server.store.store import EventStore

    plan = _with_options(read_plan(event), port, page_port, page)
    with EventStore.open(plan.store, base=plan.folder) as store:
        log: deque[str] = deque(maxlen=_LOG_LINES)
        live = sys.stdout.isatty() and not plain
        host = EventHost(plan, store, (log.append if live else _say))
        if not store.accounts.roster():
            print(f"no accounts yet: cardrome host accounts add {event} TEAM (at any time)", flush=True)
        _hold(host, plan, log, live)


def _with_options(plan: EventPlan, port: int | None, page_port: int | None, page: bool | None) -> EventPlan:
    import msgspec

    given = {"port": port, "page_port": page_port, "page": page}
    changes = {name: value for name, value in given.items() if value is not None}
    server = msgspec.structs.replace(plan.settings.server, **changes)
    return msgspec.structs.replace(plan, settings=msgspec.structs.replace(plan.settings, server=server))


def _say(message: str) -> None:
    """Print a line for a log file, with the time."""
    import contextlib
    import time

    from cardrome.escaping import printable

    with contextlib.suppress(OSError):  # a full disk or a closed pipe must not stop the event
        print(f"{time.strftime('%H:%M:%S')} {printable(message)}", flush=True)


def _hold(host: EventHost, plan: EventPlan, log: deque[str], live: bool) -> None:
    """Run the event, its page and the operator's view."""
    import asyncio
    import contextlib
    import signal

    from cardrome.arena.event_loop import run as run_loop
    from cardrome.arena.secret import published_commitment
    from cardrome.server.addresses import reachable_addresses
    from cardrome.web.live.board import SnapshotBoard

    board = SnapshotBoard()
    server = plan.settings.server

    async def main(screen: contextlib.ExitStack) -> None:
        loop = asyncio.get_running_loop()
        for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")):
            loop.add_signal_handler(number, host.stop, name)

        def ready() -> None:
            print(folded(f"event: {plan.settings.event.name}, store {host.store.name}", sys.stdout), flush=True)
            shown = published_commitment(host.secret)
            told = "none, since event.seed is short enough to be guessed" if shown is None else f"sha256 {shown}"
            print(folded(f"commitment to its decks: {told}", sys.stdout), flush=True)
            addresses = [server.address] if server.address else reachable_addresses(server.host)
            board.join = [f"[{each}]:{host.port}" if ":" in each else f"{each}:{host.port}" for each in addresses]
            where = [f"teams connect to {' or '.join(addresses)} port {host.port}"]
            if page is not None:
                from cardrome.web.server import address_of

                where.append(f"standings: {address_of(reachable_addresses(server.page_host)[0], page.port)}")
            print("\n".join(where), flush=True)
            if live:
                screen.enter_context(_live_view(board, log, where))

        await host.run(ready)

    with contextlib.ExitStack() as stack:
        page = stack.enter_context(_page(host, board)) if server.page else None
        host.publish = board.publish if live else _plain_reports(board)
        screen = stack.enter_context(contextlib.ExitStack())
        run_loop(main(screen))
    if live:
        for line in list(log)[-5:]:
            print(line)
    if host.failure is not None:
        print(f"cardrome: {host.failure}", file=sys.stderr)
        raise typer.Exit(1)


def _page(host: EventHost, board: Any) -> Any:
    """The event's page, served by a thread; an event without one starts without all that this imports."""
    from cardrome.web import cards, rules
    from cardrome.web.app import Part
    from cardrome.web.live.app import LivePage
    from cardrome.web.live.matches import StoredMatches
    from cardrome.web.live.server import serve_in_thread

    server = host.plan.settings.server
    page = LivePage(board, StoredMatches(host.store), host.desk, others=[cards.part(), Part("rules", rules.routes())])
    return serve_in_thread(page, server.page_host, server.page_port, "--page-port")


def _live_view(board: Any, log: deque[str], addresses: list[str]) -> Any:
    from rich.live import Live

    from cardrome.cli.host.view import HostView

    return Live(HostView(lambda: board.latest, log, addresses), refresh_per_second=2, screen=True)


def _plain_reports(board: Any) -> Any:
    """Publish snapshots, and print a line now and then."""
    import time

    from cardrome.cli.host.view import plain_line

    said, phase = 0.0, ""

    def publish(snapshot: Snapshot, broadcast: Broadcast | None) -> None:
        nonlocal said, phase
        board.publish(snapshot, broadcast)
        now, phase_now = time.monotonic(), f"{snapshot.phase} {snapshot.tournament}"
        if phase_now != phase or now - said >= _PLAIN_SECONDS:
            said, phase = now, phase_now
            _say(plain_line(snapshot))

    return publish


@group.command(epilog=examples("host standings event.toml", "host standings event.toml --json"))
def standings(event: EventArgument, as_json: JsonOption = False) -> None:
    """Print the standings so far.

    The event may be running or not.
    """
    from cardrome.arena.storage.database import NothingThere
    from cardrome.wording import counted

    try:
        with accounts.begun_store(event)[1] as store:
            rows = store.standings()
            finished = [each for each in store.tournaments() if each.finished_at is not None]
    except NothingThere:
        rows, finished = [], []
    if as_json:
        print_json({"tournaments": [each.number for each in finished], "teams": rows})
        return
    if not finished:
        print(f"no tournament is finished yet; {counted(len(rows), 'team')} so far", file=sys.stderr)
    from rich.text import Text

    from cardrome.cli.console import console, plain_table
    from cardrome.cli.host.view import aligned
    from cardrome.escaping import printable

    latest = finished[-_COLUMNS:]
    table = plain_table("team", "total", *(f"T{each.number}" for each in latest))
    columns = [aligned([row.total for row in rows])]
    columns += [aligned([row.points[k - len(latest)] for row in rows]) for k in range(len(latest))]
    for row, cells in zip(rows, zip(*columns, strict=True), strict=True):
        table.add_row(Text(printable(row.name)), *cells)
    console().print(table)


@group.command(epilog=examples("host export event.toml pages", "host export event.toml pages --over --lang fr"))
def export(
    event: EventArgument,
    folder: Annotated[Path, typer.Argument(help="Where to write; made if needed.", metavar="DIR")],
    over: Annotated[
        bool, typer.Option("--over", help="Publish the secret of the decks, although more could be played.")
    ] = False,
    language: Annotated[
        str, typer.Option("--lang", help="The language of the pages: en or fr.", metavar="LANG")
    ] = "en",
) -> None:
    """Write the whole event to a folder, as pages and data.

    Any web server can show it: standings, matches, replays, and all results as JSON. The secret that all decks follow
    from is published once the event is over by its settings, or with --over.
    """
    from cardrome.games.rulebooks import checked_language
    from cardrome.web.live.export import export_event
    from cardrome.wording import counted

    checked_language(language)
    plan, opened = accounts.begun_store(event)
    with opened as store:
        matches, missing = export_event(plan, store, folder, over, language)
    written = counted(matches, "match", "matches")
    print(f"wrote {written}: {folder / 'index.html'}, {folder / 'event.json'}")
    if missing:
        left_out = f"{', '.join(map(str, missing[:_MISSING_SHOWN]))}{', ...' * (len(missing) > _MISSING_SHOWN)}"
        print(
            f"cardrome: {store.name} is damaged: {counted(len(missing), 'transcript')} cannot be read and "
            f"{'is' if len(missing) == 1 else 'are'} missing there (match {left_out})",
            file=sys.stderr,
        )
        raise typer.Exit(1)


@group.command(
    epilog=examples("host transcript event.toml 17 -o match.json", "host transcript event.toml 17 > match.json")
)
def transcript(
    event: EventArgument,
    match: Annotated[int, typer.Argument(metavar="MATCH", help="The match's id.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to this file instead of printing.")
    ] = None,
) -> None:
    """Print a match's transcript.

    It is a replay, for `cardrome replay show`, `verify` and `html`.
    """
    from cardrome.errors import CallerError
    from cardrome.wording import unwritable

    with accounts.begun_store(event)[1] as store:
        found = store.match(match)
    if found is None:
        raise CallerError(f"match {match}: no match with this id has ended in the event of {event}")
    if out is None:
        print(found.transcript.decode())
        return
    try:
        out.write_bytes(found.transcript + b"\n")
    except OSError as error:
        raise CallerError(unwritable(out, error)) from None
    print(f"wrote {out}", file=sys.stderr)
