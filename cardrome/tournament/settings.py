"""A tournament's settings file: its keys, how it is read, and how it is written for others to play the same."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import BotSettings, is_program
from cardrome.arena.players.sandbox import Limits
from cardrome.arena.storage.tomlfile import read_toml
from cardrome.errors import CallerError
from cardrome.games.family import find_edition, find_family

_Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+\Z")]
_Count = Annotated[int, Meta(ge=1, le=1_000_000)]
_Ms = Annotated[float, Meta(ge=0, le=3_600_000)]

ScheduleName = Literal["round-robin", "gauntlet", "swiss", "ladder"]
ReplayPolicy = Literal["all", "faults", "none"]

MACHINE_LIMITS = ("build_seconds", "affinity")
"""Limits that depend on the machine and change no game: a tournament may go on with others."""


class TournamentSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is played."""

    name: _Name
    editions: Annotated[list[str], Meta(min_length=1)] = msgspec.field(default_factory=lambda: ["locm-1.2"])
    schedule: ScheduleName = "round-robin"
    pairs: _Count = 50
    """Mirrored pairs of games of each pairing; in a Swiss tournament and a ladder, in each round."""
    rounds: _Count | None = None
    """Of a Swiss tournament or a ladder. A ladder without a number of rounds goes on until it is stopped."""
    challengers: list[str] = msgspec.field(default_factory=list)
    """Of a gauntlet: the bots that play everybody."""
    seed: Annotated[int, Meta(ge=0)] | None = None
    """Determines all deals. If missing, a long secret is drawn and kept in the store."""
    store: str | None = None
    """A path or URL; the default is the settings file's name with .db."""
    jobs: Annotated[int, Meta(ge=0, le=4096)] = 0
    """Games at a time; 0 means one per core."""
    sandbox: bool = False
    check: bool = True
    """Whether every bot plays a check game before it is admitted."""
    replays: ReplayPolicy = "all"
    """Which games with programs are kept as replays. Games of built-in agents are played again when needed."""


class LimitsSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What bots may use."""

    clock: bool = True
    time_scale: Annotated[float, Meta(gt=0, le=10_000)] = 1.0
    timeout_margin_ms: _Ms = 50.0
    start_allowance_ms: _Ms = 5_000.0
    memory_mb: Annotated[int, Meta(ge=16, le=1 << 24)] | None = 16_384
    processes: _Count | None = 1_024
    file_mb: Annotated[int, Meta(ge=0, le=1 << 20)] | None = 64
    build_seconds: Annotated[float, Meta(gt=0, le=86_400)] = 300.0
    affinity: bool = True
    """Keep a worker and its bots on one core, where there are cores enough."""


class BotSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One entrant: a built-in agent, a class, or a program."""

    name: _Name
    agent: str | None = None
    """A built-in agent's name, policy:FILE, or module:Class."""
    command: str | None = None
    """A command line, run in the bot's directory, without a shell."""
    keep: bool = False
    """Whether one process plays game after game."""
    author: Annotated[str, Meta(max_length=200)] = ""
    version: _Name = "1"
    """A new version is a new entrant, whose results are kept apart."""
    directory: str = "."
    build: str | None = None
    """A command line, run in the directory at the start of every run, without a shell."""
    environment: dict[str, str] = msgspec.field(default_factory=dict)
    """Additional environment variables."""


class TournamentSettings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A whole settings file."""

    tournament: TournamentSection
    bots: Annotated[list[BotSection], Meta(min_length=1, max_length=1_000)]
    limits: LimitsSection = LimitsSection()

    @property
    def bot_settings(self) -> BotSettings:
        """How bots are run."""
        limits = self.limits
        clock = Clock(limits.clock, limits.time_scale, limits.timeout_margin_ms, limits.start_allowance_ms)
        memory = None if limits.memory_mb is None else limits.memory_mb << 20
        file_size = None if limits.file_mb is None else limits.file_mb << 20
        bounds = Limits(memory, limits.processes, file_size)
        return BotSettings(clock, bounds, self.tournament.sandbox, affinity=limits.affinity)


class TournamentPlan(msgspec.Struct, frozen=True):
    """Checked settings, and where they were read from."""

    settings: TournamentSettings
    file: Path
    folder: Path
    """The base of relative paths."""
    store: str


def read_plan(path: Path) -> TournamentPlan:
    """Read and check a settings file; `CallerError` says what is wrong with it."""
    settings = read_toml(path, TournamentSettings)
    section = settings.tournament
    problem = _problem(settings, path.resolve().parent)
    if problem is not None:
        raise CallerError(f"{path}: {problem}")
    return TournamentPlan(settings, path, path.resolve().parent, section.store or f"{path.stem}.db")


def _problem(settings: TournamentSettings, folder: Path) -> str | None:
    """What is wrong with settings that are well-formed; None if nothing is."""
    section = settings.tournament
    try:
        editions = [find_edition(name) for name in section.editions]
    except CallerError as error:
        return f"tournament.editions: {error}"
    if len(set(section.editions)) != len(section.editions):
        return f"tournament.editions: one is listed twice in {section.editions}"
    names = [bot.name for bot in settings.bots]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        return f"bots: two have the name {twice[0]!r}; names must be different"
    for place, bot in enumerate(settings.bots):
        where = f"bots[{place}] ({bot.name})"
        if (bot.agent is None) == (bot.command is None):
            return f"{where}: expected either agent or command, got {'neither' if bot.agent is None else 'both'}"
        if bot.command is not None:
            for key, text in (("command", bot.command), ("build", bot.build)):
                problem = None if text is None else _command_problem(text)
                if problem is not None:
                    return f"{where}: {key}: expected a command line, got {text!r}: {problem}"
            impossible = [name for name in bot.environment if not name or "=" in name]
            if impossible:
                return f"{where}: environment: expected names without =, got {impossible[0]!r}"
            if not (folder / bot.directory).is_dir():
                return f"{where}: directory: expected a folder, got {bot.directory!r}, which does not exist in {folder}"
            for edition in editions:
                family = find_family(edition.name)
                if not family.has_programs:
                    return f"{where}: programs cannot play {edition.name} here: {family.no_programs}; give an agent"
        elif bot.build is not None or bot.keep or bot.environment or bot.directory != ".":
            return f"{where}: build, directory, keep and environment are for a command, not for an agent"
        else:
            for edition in editions:
                family, agent = find_family(edition.name), bot.agent or ""
                if is_program(agent, family):
                    known = "a built-in agent, policy:FILE or module:Class"
                    return f"{where}: agent: expected {known}, got {agent!r}; is it a command?"
                try:
                    family.find_agent(agent, edition)
                except CallerError as error:
                    return f"{where}: agent for {edition.name}: {error}"
    return _schedule_problem(section, names)


def _schedule_problem(section: TournamentSection, names: list[str]) -> str | None:
    if section.schedule == "gauntlet":
        if not section.challengers:
            return "tournament.challengers is missing: a gauntlet needs bots that play everybody"
        unknown = [name for name in section.challengers if name not in names]
        if unknown:
            return f"tournament.challengers: no bot has the name {unknown[0]!r}; the bots are {', '.join(names)}"
    elif section.challengers:
        return f"tournament.challengers is for schedule 'gauntlet', not {section.schedule!r}"
    if section.schedule == "swiss" and section.rounds is None:
        return "tournament.rounds is missing: a Swiss tournament needs a number of rounds"
    if section.schedule in ("round-robin", "gauntlet") and section.rounds is not None:
        return f"tournament.rounds is for schedule 'swiss' or 'ladder', not {section.schedule!r}"
    return None


def _command_problem(text: str) -> str | None:
    try:
        return None if shlex.split(text) else "it is empty"
    except ValueError as error:
        return str(error)


def settings_text(section: Mapping[str, Any], limits: Mapping[str, Any], bots: Sequence[BotSection]) -> str:
    """TOML that plays a tournament again, given what is known of its sections. Limits and bots show no defaults.

    Values of environment variables are left out, since some of them are secrets; their names stay, as a comment.
    """
    lines = ["[tournament]"]
    lines += [f"{key} = {_toml(section[key])}" for key in TournamentSection.__struct_fields__ if section.get(key)]
    usual = msgspec.structs.asdict(LimitsSection())
    limit_lines = [
        f"{key} = {_toml(value)}" for key, value in limits.items() if value is not None and value != usual.get(key)
    ]
    if limit_lines:
        lines += ["", "[limits]", *limit_lines]
    for bot in bots:
        lines += ["", "[[bots]]"]
        usual = msgspec.structs.asdict(BotSection(name=""))
        for key, value in msgspec.structs.asdict(bot).items():
            if key != "environment" and value is not None and value != usual[key]:
                lines.append(f"{key} = {_toml(value)}")
        if bot.environment:
            lines.append(f"# environment: {_toml(sorted(bot.environment))}, whose values are not published")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        # A JSON string is a basic string of TOML, except for one control character that only JSON allows.
        return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)


EXAMPLE = """\
# A tournament. `cardrome tournament {file}` plays it, and resumes it after a stop.
# Lines that begin with # show the defaults, or an example where there is no default.

[tournament]
name = "My cup"
editions = ["locm-1.2"]        # see `cardrome editions`
schedule = "round-robin"       # or "gauntlet", "swiss", "ladder"
pairs = 50                     # of games on the same deal, seats swapped: 50 pairs are 100 games of each pairing
# rounds = 7                   # an example: for a Swiss tournament; a ladder without it goes on until Ctrl-C
# challengers = ["mine"]       # an example: for a gauntlet
# seed = 2026                  # an example: determines all deals; without it, one is drawn and kept in the store
# store = "cup.db"             # an example: a path relative to this file, or postgresql://user@host/database;
#                                the default is this file's name with .db
# jobs = 0                     # games at a time; 0: one per core
# sandbox = false              # run programs in bubblewrap: no network, no files but their own
# check = true                 # a short check game before a program is admitted
# replays = "all"              # which games with programs to keep: "all", "faults" or "none"

[limits]
# clock = true                 # false: programs may think as long as they like
# time_scale = 1.0             # multiplies all time limits of the edition
# timeout_margin_ms = 50
# start_allowance_ms = 5000    # added to a program's first limit
# memory_mb = 16384
# processes = 1024
# file_mb = 64
# build_seconds = 300
# affinity = true              # keep the programs of a game on one core, which is faster; false: for those with threads

[[bots]]
name = "greedy"
agent = "greedy"               # a built-in agent (see `cardrome agents`), policy:FILE, or module:Class

[[bots]]
name = "rule-based"
agent = "rule-based"

[[bots]]
name = "random"
agent = "random"

# [[bots]]
# name = "mine"
# command = "./mybot"          # run in its directory, without a shell
# directory = "bots/mine"
# build = "make"               # run there at the start of every run
# author = "me"
# version = "1"                # a new version is a new entrant, whose results are kept apart
# keep = false                 # true: one process plays game after game
# environment = {{ THREADS = "1" }}
"""
"""What `cardrome tournament new` writes."""
