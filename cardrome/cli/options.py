"""What commands share: options and what they mean, examples, groups with an unnamed command, files that must be new."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from cardrome.errors import CallerError

DEFAULT_EDITION = "locm-1.2"
EditionOption = Annotated[
    str, typer.Option("--edition", "-e", metavar="EDITION", help="The rule set: see `cardrome editions`.")
]
OptionalEditionOption = Annotated[
    str | None, typer.Option("--edition", "-e", metavar="EDITION", help="The rule set: see `cardrome editions`.")
]
EditionArgument = Annotated[
    str | None, typer.Argument(metavar="EDITION", help="The rule set, as with --edition.", show_default=False)
]
"""For commands that are about one edition: it may be given with or without `--edition`."""
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]
PlainOption = Annotated[bool, typer.Option("--plain", help="Print lines, even on a terminal.")]
LanguageOption = Annotated[
    str | None, typer.Option("--lang", metavar="LANG", help="The language, en or fr. By default that of the system.")
]
SeedOption = Annotated[
    str | None,
    typer.Option("--seed", metavar="SEED", help="Fixes all deals. Without it a seed is drawn and printed."),
]
DealSeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="SEED", help="Fixes the deal. Without it a seed is drawn and printed.")
]
AgentSeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="SEED", help="Fixes the agent's random choices.", show_default=False)
]
JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Games at a time; 0 means one per core.")
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="STORE",
        help="A file, or postgresql://USER@HOST/DATABASE, instead of the store that the settings name.",
    ),
]
OutOption = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")]
PlayerOption = Annotated[
    str | None,
    typer.Option("--player", "-p", metavar="PLAYER", help="Only this player: 0, who moves first, 1, or their name."),
]

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


def chosen_edition(argument: str | None, option: str | None, default: str) -> str:
    """The edition meant, by argument or by option."""
    from cardrome.errors import CallerError

    if argument is not None and option is not None and argument != option:
        raise CallerError(f"two editions, {argument} and --edition {option}: give one")
    return argument or option or default


def seat_of(players: Sequence[str], player: str) -> int:
    """The seat of the player who is meant by a number or a name."""
    from cardrome.errors import CallerError
    from cardrome.escaping import printable

    if player in ("0", "1"):
        return int(player)
    named = [seat for seat, name in enumerate(players) if name == player]
    if len(named) == 1:
        return named[0]
    names = " and ".join(printable(name, 60) for name in players)
    raise CallerError(f"--player {printable(player, 60)!r}: expected 0, 1 or one of the names {names}")


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
        raise CallerError(f"--seed {text!r}: expected a whole number from -2^63 to 2^63 - 1")
    return int(text)


def checked_folder(folder: Path) -> Path:
    """A bot's working directory, which has to be there."""
    from cardrome.errors import CallerError

    if not folder.is_dir():
        raise CallerError(f"--dir {folder}: there is no such folder")
    return folder


def agent_seed(text: str | None) -> int:
    """The seed of an agent's choices; agents' seeds are not negative."""
    return secrets.randbits(62) if text is None else series_seed(text) & ((1 << 62) - 1)


class FileOrCommand(TyperGroup):
    """`cardrome host EVENT.toml` means `cardrome host run EVENT.toml`: what is not a command is a file."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words mean."""
        word = args[0] if args else ""
        is_file = word.endswith(".toml") or os.sep in word or os.path.exists(word)
        if word and word not in self.commands and not word.startswith("-") and is_file:
            args = ["run", *args]
        return super().resolve_command(ctx, args)


def examples(*lines: str) -> str:
    """The examples at the end of a command's help. What follows `#` says what a line is for."""
    return "\n".join(["\b", "Examples:", *(f"  cardrome {line}" for line in lines)])


def next_steps(steps: Mapping[str, str], program: str = "cardrome") -> str:
    """Commands to type next, each below what it is for."""
    return "\n".join(["Next:", *(f"  {program} {command}\n      {purpose}" for command, purpose in steps.items())])


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    from cardrome.errors import CallerError
    from cardrome.wording import unwritable

    try:
        with path.open("x", encoding="utf-8") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                path.unlink()  # half a file would be in the way of the next attempt
                raise
    except FileExistsError:
        raise CallerError(f"{path} exists already and was left alone") from None
    except OSError as error:
        raise CallerError(unwritable(path, error)) from None
