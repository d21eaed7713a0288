"""How commands end when something goes wrong: one look for every error, whatever raised it, and no traceback.

A traceback is for bugs. What the user, the machine or the other end of a pipe did is one line that begins with
`cardrome:`; for wrong use the next lines show the usage and where there is more.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup

from cardrome.cli.console import folded
from cardrome.errors import CallerError, CardromeError
from cardrome.escaping import printable

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes that shells use for a program ended by Ctrl-C, and by the end of the pipe that it wrote to."""

_UsageError: Any = typer.BadParameter.__base__  # Typer has no name for it that all its versions share
_ClickException: Any = _UsageError.__base__

_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EMFILE, errno.ENOMEM}
"""What the machine does to a program that made no mistake. Other system errors that escape are bugs."""

_PLAIN = {
    **dict.fromkeys("─━═╌", "-"),
    **dict.fromkeys("│║┃", "|"),
    **dict.fromkeys("┌┬╥┐├┼╫┤└┴╨┘╔╗╚╝", "+"),
    **dict.fromkeys("▁▂▃", "."),
    **dict.fromkeys("▄▅▆", ":"),
    **dict.fromkeys("▇█", "#"),
    **dict.fromkeys("•●", "*"),
    **dict.fromkeys("\u00a0\u202f", " "),
    "▸": ">", "»": ">", "→": "->", "←": "<-", "↑": "^", "·": "-", "×": "x", "…": "...", "○": "o", "✗": "x", "♥": "+",
    "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "«": '"', "±": "+-", "≡": "=", "≥": ">=", "≤": "<=",
}  # fmt: skip
"""What is printed instead of signs that a terminal's encoding lacks."""


def prepare_streams() -> None:
    """Make the standard streams safe to use: open ones, whose encoding refuses nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as we run
    codecs.register_error("cardrome", _plain)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="cardrome")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


def flush() -> None:
    """Write what is still buffered. Without it a full disk would be noticed only after the exit code is chosen."""
    sys.stdout.flush()


class Commands(TyperGroup):
    """All commands. Typer would turn Ctrl-C and closed pipes into exit codes of its own: here they get past it."""

    def make_context(self, *args: Any, **more: Any) -> Any:
        """Read the command line; with -h this prints."""
        try:
            return super().make_context(*args, **more)
        except OSError as error:
            raise _Escaped from error

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words mean; `help` asks for the help of those that follow it."""
        if args[0] == "help":
            if not args[1:]:
                print(ctx.get_help())
                raise typer.Exit
            args = [*args[1:], "--help"]
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, OSError) as error:
            raise _Escaped from error


class _Escaped(Exception):
    """Carries its cause past Typer."""


def ending(error: BaseException) -> tuple[int, list[str]] | None:
    """The exit code for an error and what to say about it; None for a bug."""
    if isinstance(error, _Escaped) and error.__cause__ is not None:
        return ending(error.__cause__)
    if isinstance(error, CardromeError):
        return (2 if isinstance(error, CallerError) else 1), [f"cardrome: {error}"]
    if isinstance(error, _UsageError):
        return 2, list(_usage(error))
    if isinstance(error, _ClickException):
        return int(error.exit_code), [f"cardrome: {error.format_message()}"]
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return INTERRUPTED, ["cardrome: interrupted"]
    if isinstance(error, BrokenPipeError):
        return PIPE_CLOSED, []
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return 1, [f"cardrome: {error.filename or 'standard output'}: {error.strerror}"]
    return None


def report(lines: list[str]) -> None:
    """Print lines to standard error, those that are too long for a terminal as several."""
    try:
        for line in "\n".join(lines).splitlines():
            print(folded(printable(line, 10_000), sys.stderr), file=sys.stderr)  # it may repeat what a bot wrote
        sys.stderr.flush()
    except OSError:
        pass  # nobody can be told


def drop_output() -> None:
    """Forget what could not be written, or Python would try again when it exits, and complain."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with open(os.devnull, "w", encoding="utf-8") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())


# Wrong use


def _usage(error: Any) -> Iterator[str]:
    if type(error).__name__ == "NoArgsIsHelpError":
        yield error.format_message()
        return
    yield f"cardrome: {_complaint(error)}"
    if error.ctx is not None:
        yield "usage" + error.ctx.get_usage().removeprefix("Usage")
        yield f"`{error.ctx.command_path} -h` has the details and examples"


def _complaint(error: Any) -> str:
    """What was wrong, and what would be right."""
    words = str(error.format_message()).rstrip(".")
    if isinstance(error, typer.BadParameter) and error.param is not None:
        name = max(error.param.opts, key=len) if error.param.param_type_name == "option" else shown_name(error.param)
        if words.startswith("Missing"):
            return f"missing {error.param.param_type_name} {name}"
        return f"{name}: {_expected(error)}"
    if found := re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", words, re.S):
        return f"unexpected argument {found[1]!r}"
    words = re.sub(r"^No such (\w+):? '?(.*?)'?(?=[. ]|$)", r"unknown \1 '\2'", words)
    words = re.sub(r"\.? \(?(?:Possible options:|Did you mean) (.*?)[?)]*$", _suggestion, words)
    return words[:1].lower() + words[1:]


def _suggestion(found: re.Match[str]) -> str:
    names = re.findall(r"[\w-]+", found[1])
    return f"; did you mean {' or '.join(names)}?"


def _expected(error: Any) -> str:
    """What a value should have been."""
    words = str(error.message).rstrip(".")
    if found := re.fullmatch(r"(.*) is not in the range (?:(\S+)<=)?x(?:[<>]=(\S+))?", words, re.S):
        got, lowest, highest = found.groups()
        if "x>=" in words or (lowest and float(got) < float(lowest)):
            return f"expected at least {lowest or highest}, got {printable(repr(got), 60)}"
        return f"expected at most {highest}, got {printable(repr(got), 60)}"
    if found := re.fullmatch(r"(.*) is not a valid (int\w*|float)(?: range)?", words, re.S):
        return f"expected a {'' if found[2] == 'float' else 'whole '}number, got {printable(found[1], 60)}"
    return words


def shown_name(parameter: Any) -> str:
    """An argument as the usage names it."""
    return str(parameter.metavar or parameter.name.upper())
