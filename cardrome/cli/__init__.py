"""The command line: one thin file for each group of commands. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import copy
import functools
import signal
import sys
from collections.abc import Callable, Iterator
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
    new_bot,
    play,
    referee,
    reference,
    replay,
    tournament,
    web,
)
from cardrome.cli.failures import Commands

_EPILOG = """\b
Examples:
  cardrome demo                                       # see what it can do
  cardrome play                                       # play against an agent
  cardrome match "python3 mybot.py" greedy -n 200     # is my bot better?

\b
Exit codes: 0 done, 1 a finding, 2 wrong use, 130 stopped by Ctrl-C,
141 nobody reads the output any more.
Environment (docs/environment.md has all):
  CARDROME_CACHE_DIR   where compiled code is kept
  CARDROME_PASSWORD    the password for `cardrome join`
  NUMBA_DISABLE_JIT=1  run the rules in the interpreter
  NO_COLOR=1           print without colours"""

app = typer.Typer(
    name="cardrome",
    cls=Commands,
    epilog=_EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # the rich help costs a tenth of a second at every start
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (
    demo,
    new_bot,
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
def version_option(
    version: bool = typer.Option(False, "--version", help="Print the version and what it runs on, and exit."),
) -> None:
    """An arena for strategy card-game AI.

    Every edition of Legends of Code and Magic, and Tapdeck, on one engine of native speed. `cardrome help COMMAND`, or
    -h after any command, explains it.
    """
    if version:
        print("\n".join(_build_facts()))
        raise typer.Exit


def _build_facts() -> Iterator[str]:
    """The version, and what a report of a bug has to say about the machine."""
    import platform
    from importlib.metadata import version

    from cardrome.engine.objectcode import cache_folder

    yield f"cardrome {version('cardrome')}"
    libraries = ", ".join(f"{name} {version(name)}" for name in ("NumPy", "Numba", "llvmlite"))
    yield f"{platform.python_implementation()} {platform.python_version()}, {libraries}"
    yield platform.platform()
    yield f"compiled code in {cache_folder()}"


@functools.cache
def _built(word: str) -> Callable[..., Any]:
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
    """Run the command line: exit code 0 done, 1 a finding, 2 wrong use, 130 after Ctrl-C, 141 without a reader."""
    from cardrome.cli import failures

    sys.path[:] = filter(None, sys.path)  # "" is the current folder: only module:Class looks there, never for libraries
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as Ctrl-C does: bots are killed on the way out
    failures.prepare_streams()
    try:
        code = _built(sys.argv[1] if sys.argv[1:] else "")(prog_name="cardrome", standalone_mode=False)
        failures.flush()
    except SystemExit as stop:
        code = stop.code
    except (Exception, KeyboardInterrupt) as error:
        ended = failures.ending(error)
        if ended is None:
            raise
        code, lines = ended
        failures.report(lines)
    failures.drop_output()
    sys.exit(code if isinstance(code, int) else 0)
