"""What commands share: options, what they mean, groups with an unnamed command, files that must be new."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from cardrome.errors import CallerError

EditionOption = Annotated[str, typer.Option("--edition", "-e", help="The rule set: see `cardrome editions`.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]
LanguageOption = Annotated[
    str | None, typer.Option("--lang", help="The language, en or fr. By default that of the system.")
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", help="Fixes all deals. Without it a seed is drawn and printed.")
]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Games at a time; 0 means one per core.")]

TimeScaleOption = Annotated[float, typer.Option("--time-scale", help="Multiply all time limits of bots by this.")]
MarginOption = Annotated[float, typer.Option("--timeout-margin", help="Added to every limit, in ms.")]
StartOption = Annotated[float, typer.Option("--start-allowance", help="Added to a bot's first limit, in ms.")]
NoClockOption = Annotated[bool, typer.Option("--no-clock", help="Let bots think as long as they like.")]
NoAffinityOption = Annotated[
    bool, typer.Option("--no-affinity", help="Let bots use all cores, not just their worker's: for bots with threads.")
]
SandboxOption = Annotated[
    bool, typer.Option("--sandbox", help="Run bots in bubblewrap: no network, no files but their own.")
]


def not_locm(edition: str, command: str) -> CallerError:
    """The error for an edition that a command for LOCM cannot play. It says what can."""
    from cardrome.errors import CallerError
    from cardrome.games.family import find_family

    return CallerError(f"`cardrome {command}` cannot play {edition}: {find_family(edition).no_programs}")


def chosen_language(asked: str | None) -> str:
    """The language that was asked for, or else that of the locale, or else English."""
    from cardrome.games.rulebooks import LANGUAGES, checked_language

    if asked is not None:
        return checked_language(asked)
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return locale[:2] if locale[:2] in LANGUAGES else LANGUAGES[0]


def job_count(jobs: int) -> int:
    """The number of jobs meant: all cores for 0."""
    return jobs if jobs > 0 else len(os.sched_getaffinity(0))


def series_seed(text: str | None) -> int:
    """A seed given on the command line, or a fresh one."""
    from cardrome.errors import CallerError

    if text is None:
        return secrets.randbits(31)  # short enough to type again
    if not re.fullmatch(r"[+-]?[0-9]{1,19}", text) or not -(1 << 63) <= int(text) < 1 << 63:
        raise CallerError(f"seed {text!r}: expected a whole number from {-(1 << 63)} to {(1 << 63) - 1}")
    return int(text)


def checked_folder(folder: Path) -> Path:
    """A bot's working directory, which has to be there."""
    from cardrome.errors import CallerError

    if not folder.is_dir():
        raise CallerError(f"--dir {folder}: there is no such folder")
    return folder


class FileOrCommand(TyperGroup):
    """`cardrome host EVENT.toml` means `cardrome host run EVENT.toml`: what is not a command is a file."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words mean."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["run", *args]
        return super().resolve_command(ctx, args)


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    from cardrome.errors import CallerError

    try:
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise CallerError(f"{path} exists already and was left alone") from None
    except OSError as error:
        raise CallerError(f"{path} cannot be written: {error.strerror}") from None
