"""The command line, run in this process: as fast as a function call, with what a shell would see."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import typer

from cardrome.cli import app, main


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def cardrome(*words: object, cwd: Path | None = None, env: dict[str, str] | None = None, input: str = "") -> Done:
    """Run a command to its end. What it changes about the process is put back."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True) for _ in range(2))
    path, here = list(sys.path), Path.cwd()
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    modules = set(sys.modules)
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", ["cardrome", *map(str, words)]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.StringIO(input)))
        stack.enter_context(mock.patch.dict(os.environ, env or {}))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        try:
            if cwd is not None:
                os.chdir(cwd)
            main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code
        finally:
            os.chdir(here)
            sys.path[:] = path
            for each, handler in handlers.items():
                signal.signal(each, handler)
            if cwd is not None:  # agents in the folder are other ones in the next
                for name in set(sys.modules) - modules:
                    file = getattr(sys.modules[name], "__file__", None)
                    if file and Path(file).is_relative_to(cwd):
                        del sys.modules[name]
    assert code is None or isinstance(code, int), code
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return Done(code or 0, texts[0], texts[1])


@functools.cache
def whole_program() -> Any:
    """The command line with all its commands, built once."""
    return typer.main.get_command(app)


def parse(words: list[str]) -> str:
    """Have the program read a command line without carrying it out; returns the command that it means.

    The program's own options act as soon as they are read (--install-completion writes to the home folder), so they are
    only looked up.
    """
    command = whole_program()
    context = command.context_class(command, info_name="cardrome")
    if words[0].startswith("-"):
        assert words[0] in {name for each in command.get_params(context) for name in each.opts}, f"no option {words[0]}"
        return "cardrome"
    rest = list(words)
    while hasattr(command, "commands"):
        name, command, rest = command.resolve_command(context, rest)
        context = command.context_class(command, info_name=name, parent=context)
    command.parse_args(context, list(rest))
    return str(context.command_path)
