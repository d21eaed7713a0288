"""The command line: one thin file for each group of commands. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import copy
import functools
import signal
import sys
from collections.abc import Callable
from typing import Any

import typer

from cardrome.cli import (
    analyse,
    bench,
    check,
    demo,
    host,
    join,
    locm,
    match,
    mcp,
    play,
    referee,
    reference,
    replay,
    tournament,
    web,
)

app = typer.Typer(
    name="cardrome",
    help="An arena for strategy card-game AI: Legends of Code and Magic, every edition, at native speed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # the rich help costs a tenth of a second at every start
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (
    demo,
    match,
    play,
    mcp,
    tournament,
    web,
    referee,
    replay,
    analyse,
    check,
    locm,
    host,
    join,
    bench,
    reference,
):
    group.register(app)


@app.callback(invoke_without_command=True)
def version_option(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    """An arena for strategy card-game AI: Legends of Code and Magic, every edition, at native speed."""
    if version:
        from importlib.metadata import version as installed

        print(f"cardrome {installed('cardrome')}")
        raise typer.Exit


@functools.cache
def _built(word: str) -> Callable[[], Any]:
    """The command line as far as one that begins with this word needs it: all of it would take a tenth of a second."""
    part = copy.copy(app)
    part.registered_commands = [
        each for each in app.registered_commands if word in (each.name, getattr(each.callback, "__name__", None))
    ]
    part.registered_groups = [
        each
        for each in app.registered_groups
        if each.typer_instance and word in (each.name, each.typer_instance.info.name)
    ]
    return typer.main.get_command(part if part.registered_commands or part.registered_groups else app)


def main() -> None:
    """Run the command line: exit code 0 when done, 1 for a finding, 2 for wrong use, 130 after Ctrl-C."""
    from cardrome.errors import CallerError, InfrastructureFault
    from cardrome.escaping import printable

    sys.path[:] = filter(None, sys.path)  # "" is the current folder: only module:Class looks there, never for libraries
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as Ctrl-C does: bots are killed on the way out
    try:
        _built(sys.argv[1] if sys.argv[1:] else "")()
    except (CallerError, InfrastructureFault) as error:
        for line in f"cardrome: {error}".splitlines():
            print(printable(line, 10_000), file=sys.stderr)  # it may repeat what a bot wrote
        sys.exit(2 if isinstance(error, CallerError) else 1)
    except KeyboardInterrupt:
        print("cardrome: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
