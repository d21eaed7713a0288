"""`cardrome join`: an agent as a team of a live Tapdeck event."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import print_json
from cardrome.cli.options import AgentSeedOption, JobsOption, JsonOption, agent_seed, examples, job_count
from cardrome.wording import counted

if TYPE_CHECKING:
    from cardrome.client.team import AgentTeam, TeamRecord

PASSWORD_VARIABLE = "CARDROME_PASSWORD"
_PLAIN_SECONDS = 10.0


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog=examples(
            "join localhost:20000 --login red",
            "join 10.0.0.5:20000 -l red -a mybots:Hasty --password-file red.txt",
        )
    )(join)


def join(
    address: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Where the server listens for teams.")],
    login: Annotated[str, typer.Option("--login", "-l", metavar="TEAM", help="The team's name.")],
    agent: Annotated[
        str, typer.Option("--agent", "-a", metavar="AGENT", help="A built-in Tapdeck agent, or module:Class.")
    ] = "search",
    password_file: Annotated[
        Path | None, typer.Option("--password-file", metavar="FILE", help="A file whose first line is the password.")
    ] = None,
    matches: Annotated[
        str | None, typer.Option("--matches", metavar="IDS", help="Play only the matches with these ids: 3,5,10-19.")
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option("--budget", min=1, metavar="N", help="Turns that `search` imagines before it decides on one."),
    ] = None,
    seed: AgentSeedOption = None,
    patience: Annotated[
        float,
        typer.Option(
            "--patience", min=0, metavar="SECONDS", help="Seconds to keep trying while the server cannot be reached."
        ),
    ] = 120.0,
    jobs: JobsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play as a team in a live event.

    The team plays all its matches at once, until the event is over. The password is read from --password-file or the
    variable CARDROME_PASSWORD, or prompted for. When a connection is lost, the team logs in again and continues its
    turn. Exit codes: 0 when the event is over, 1 if the server stays away, 2 if it refuses the login.
    """
    import asyncio

    from cardrome.client.errors import ClientError, RefusalCode, was_refused
    from cardrome.client.team import Access, AgentTeam
    from cardrome.errors import CallerError
    from cardrome.games.tapdeck.agents.registry import searching_kind
    from cardrome.games.tapdeck.family import FAMILY

    host, port = _address(address)
    only = _match_filter(matches)
    kind = FAMILY.find_agent(agent)
    if budget is not None:
        if agent != "search":
            raise CallerError(f"--budget is for the agent search, not for {agent}")
        kind = searching_kind(budget)
    access = Access(host, port, login, _password(login, password_file))
    number = agent_seed(seed)
    code = 0
    with _display(login) as (say, watch):
        team = AgentTeam(access, kind, number, job_count(jobs), patience, only, say, watch)
        try:
            asyncio.run(_until_stopped(team))
        except ClientError as error:
            if was_refused(error, RefusalCode.BAD_LOGIN):
                raise CallerError(f"{address} refuses the login of {login}: {error.meaning}") from None
            print(f"cardrome: {error}", file=sys.stderr)
            code = 1
        except KeyboardInterrupt:
            code = 130
        except asyncio.CancelledError:
            code = 143
    _print_summary(team.record, as_json)
    raise typer.Exit(code)


async def _until_stopped(team: AgentTeam) -> None:
    """Play. SIGTERM ends the team as Ctrl-C does: from inside the loop, so that its tasks end first."""
    import asyncio
    import signal

    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await team.play()


def _address(text: str) -> tuple[str, int]:
    """Host and port; an IPv6 host may be in brackets."""
    from cardrome.errors import CallerError

    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not (port.isascii() and port.isdigit()) or not 1 <= int(port[:6]) <= 65535:
        raise CallerError(f"{text!r} is not an address: expected HOST:PORT, such as localhost:20000")
    return host, int(port)


def _match_filter(text: str | None) -> Callable[[int], bool]:
    """Whether a match is in a list of ids and ranges."""
    from cardrome.errors import CallerError

    if text is None:
        return lambda match: True
    ranges = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise CallerError(f"--matches {text!r}: expected ids and ranges, such as 3,5,10-19")
        ranges.append(range(int(first), int(last if dash else first) + 1))
    return lambda match: any(match in part for part in ranges)


def _password(login: str, file: Path | None) -> str:
    """The password. It is never on the command line, which everyone on the machine can read."""
    from cardrome.errors import CallerError
    from cardrome.wording import unreadable

    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise CallerError(unreadable(file, error)) from None
        except UnicodeDecodeError:
            raise CallerError(f"{file}: not UTF-8 text; expected the password on the first line") from None
        if not lines or not lines[0].strip():
            raise CallerError(f"{file}: expected the password on the first line")
        return lines[0].strip()
    if os.environ.get(PASSWORD_VARIABLE):
        return os.environ[PASSWORD_VARIABLE]
    if not sys.stdin.isatty():
        raise CallerError(f"no password for {login}: use --password-file, or set {PASSWORD_VARIABLE}")
    return str(typer.prompt(f"Password of {login}", hide_input=True, err=True))


def progress_line(login: str, record: TeamRecord) -> str:
    """What a team is doing, on one line."""
    parts = [f"{login}: tournament {record.tournaments}"]
    if record.turns_left is not None:
        parts.append(f"{counted(record.turns_left, 'turn')} left")
    parts += [
        f"{record.running} of {counted(record.matches, 'match', 'matches')} going on",
        counted(record.commands, "command"),
    ]
    if record.refused:
        codes = ", ".join(f"{code}: {n}" for code, n in sorted(record.refused.items()))
        parts.append(f"{record.refused.total()} refused ({codes})")
    for n, what in ((record.late_turns, "late turn"), (record.reconnects, "reconnect")):
        if n:
            parts.append(counted(n, what))
    return ", ".join(parts)


@contextmanager
def _display(login: str) -> Iterator[tuple[Callable[[str], None], Callable[[TeamRecord], None]]]:
    """How to show messages and progress: one changing line on a terminal, a line now and then elsewhere."""
    from cardrome.escaping import printable

    if sys.stderr.isatty():
        from rich.console import Console
        from rich.text import Text

        console = Console(stderr=True)
        with console.status(Text("connecting")) as status:
            yield (
                lambda message: console.print(Text(printable(message))),
                lambda record: status.update(Text(printable(progress_line(login, record)))),
            )
        return
    import time

    said = time.monotonic()

    def say(message: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {printable(message)}", file=sys.stderr, flush=True)

    def watch(record: TeamRecord) -> None:
        nonlocal said
        if time.monotonic() - said >= _PLAIN_SECONDS:
            said = time.monotonic()
            say(progress_line(login, record))

    yield say, watch


def _print_summary(record: TeamRecord, as_json: bool) -> None:
    summary = record.summary()
    if as_json:
        print_json(summary)
        return
    if not record.tournaments:  # it never came to playing
        return
    refused = ", ".join(f"{n} by {code}" for code, n in summary["refused"].items()) or "none"
    print(f"tournaments {record.tournaments}, turns {record.turns}, of them late {record.late_turns}")
    print(f"commands {record.commands}, refused {refused}; reconnects {record.reconnects}")
    unknown = summary["unknown"]
    unseen = f", end not seen of {len(unknown)}: {', '.join(map(str, unknown))}" if unknown else ""
    print(f"matches won {summary['wins']}, drawn {summary['draws']}, lost {summary['losses']}{unseen}")
