"""Players behind one interface: agents of this process, and programs outside."""

from __future__ import annotations

import abc
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec

from cardrome.arena.players.clock import Clock
from cardrome.arena.players.process import BotProcess
from cardrome.arena.players.sandbox import Limits
from cardrome.arena.players.suggestions import suggested_command
from cardrome.errors import BotFailure, CallerError, UnknownAgent
from cardrome.games.agents import AgentKind, take_turn
from cardrome.games.family import AnyFamily, families
from cardrome.games.replays import Call, ProcessEnd, ProgramRecorder, Recorder


@dataclass(frozen=True)
class BotSettings:
    """How programs are run."""

    clock: Clock = field(default_factory=Clock)
    limits: Limits = field(default_factory=Limits)
    sandbox: bool = False
    private: tuple[str, ...] = ()
    """Files that a bot in the sandbox may not see, wherever they lie: settings, stores, books of deals."""
    affinity: bool = True
    """Keep a worker and its bots on one core, where there are cores enough. Off for bots that use threads."""
    apart: bool = False
    """Referee a series in another process even if it has only one job, so that it is not this one that bots kill."""


class Player(abc.ABC):
    """Someone who can be asked for answers. One object plays one seat of one game at a time."""

    name: str

    @abc.abstractmethod
    def begin(self, seed: int) -> None:
        """A new game begins. All randomness in an agent's decisions comes from the seed."""

    @abc.abstractmethod
    def answer(self, recorder: Recorder, call: Call, seconds: float | None) -> None:
        """Answer the present call of a game; what goes wrong is an answer too."""

    @abc.abstractmethod
    def end(self) -> ProcessEnd | None:
        """The game is over: stop, and report how the process ended if there was one."""

    def close(self) -> None:  # noqa: B027 - most players have nothing left to stop
        """No further game will be played."""


class AgentPlayer(Player):
    """An agent of this process. It is shown views, never the game; no clock runs for it."""

    def __init__(self, kind: AgentKind, name: str | None = None) -> None:
        self.name = name or kind.name
        self._agent = kind.new()

    def begin(self, seed: int) -> None:
        """Start anew."""
        self._agent.begin(seed)

    def answer(self, recorder: Recorder, call: Call, seconds: float | None) -> None:
        """Let the agent act until its turn is over. It is not timed, so that the same seed gives the same replay."""
        recorder.act(take_turn(recorder.agent_game(), self._agent, self.name))

    def end(self) -> None:
        """Nothing to stop."""


class ProgramPlayer(Player):
    """A program outside, speaking the protocol on its standard input and output.

    Every game has a fresh process, unless the program is known to play game after game (``keep``): then its process
    is kept until `close`, or until it fails.
    """

    def __init__(
        self,
        command: Sequence[str],
        name: str,
        settings: BotSettings = BotSettings(),
        keep: bool = False,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self._keep = keep
        self._start = partial(
            BotProcess, command, settings.limits, folder, environment, settings.sandbox, settings.private
        )
        self._process: BotProcess | None = None
        self._failure: BotFailure | None = None

    def begin(self, seed: int) -> None:
        """Start the process, if it is not running yet. One that cannot be started fails when it is first asked."""
        if self._process is not None:
            if self._process.forget():
                return
            self._stop()
        self._failure = None
        try:
            self._process = self._start()
        except BotFailure as failure:
            self._failure = failure

    def answer(self, recorder: Recorder, call: Call, seconds: float | None) -> None:
        """Send the input, wait for the line."""
        assert isinstance(recorder, ProgramRecorder)
        start = time.monotonic()
        try:
            if self._process is None:
                raise self._failure or BotFailure("no-start", "the bot was not started")
            line = self._process.ask(call.text.encode(), seconds).decode("utf-8", "replace")
        except BotFailure as failure:
            self._failure = failure
            recorder.no_answer(failure.kind, str(failure), _ms_since(start))
        else:
            recorder.answer(line, _ms_since(start))

    def end(self) -> ProcessEnd | None:
        """Kill the process and all it started; one that is kept, and did not fail, goes on."""
        return None if self._keep and self._failure is None else self._stop()

    def close(self) -> None:
        """Kill the process, kept or not."""
        self._stop()

    def _stop(self) -> ProcessEnd | None:
        process, self._process = self._process, None
        if process is None:
            return None
        ended_itself = process.process.poll() is not None
        code = process.close()
        tail = process.stderr_tail.decode("utf-8", "replace")[-2000:]
        if not ended_itself:
            return ProcessEnd(stderr=tail)
        return ProcessEnd(code, None, tail) if code >= 0 else ProcessEnd(None, -code, tail)


class Forfeiter(Player):
    """A bot that is not started any more: it loses the game when it is first asked."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self._reason = reason

    def begin(self, seed: int) -> None:
        """Nothing to start."""

    def answer(self, recorder: Recorder, call: Call, seconds: float | None) -> None:
        """Lose."""
        assert isinstance(recorder, ProgramRecorder)
        recorder.no_answer("sabotage", self._reason, 0)

    def end(self) -> None:
        """Nothing to stop."""


def _ms_since(start: float) -> int:
    return round((time.monotonic() - start) * 1000)


class PlayerSpec(msgspec.Struct, frozen=True):
    """A player as jobs name them: an agent, or a command line in a folder. It travels to other processes."""

    entrant: int
    """Tells players of the same text apart: 0 and 1 in a series, the entrant's id in a tournament."""
    name: str
    agent: str | None
    command: tuple[str, ...] = ()
    keep: bool = False
    folder: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    sabotage: str = ""
    """Why the program is not started, and loses this game: what it did to the process that refereed it."""


BOT, KEPT_BOT = "bot:", "keep:"
"""What a player's text may begin with: a command line follows. A kept bot plays game after game in one process."""


def is_program(text: str, family: AnyFamily) -> bool:
    """The text means a program outside: ``bot:`` or ``keep:`` and a command line, or what can only be one."""
    if text in family.agents or text.startswith("policy:"):
        return False
    if text.startswith((BOT, KEPT_BOT)) or "/" in text or len(text.split()) > 1:
        return True
    return ":" not in text and shutil.which(text) is not None


def parse_player(text: str, family: AnyFamily, number: int = 0, folder: Path | None = None) -> PlayerSpec:
    """The player a text means: an agent's name, ``policy:FILE``, ``module:Class``, or a command line in a folder."""
    if not isinstance(text, str):
        raise CallerError(f"{text!r} is not a player; expected a name, module:Class or a command, as text")
    if text and not is_program(text, family):
        try:
            family.find_agent(text)
        except UnknownAgent as error:
            error.args = (f"{error}{_meant(text, family, folder)}",)
            raise
        return PlayerSpec(number, text, text)
    if not family.has_programs:
        known = ", ".join(family.agents)
        raise CallerError(
            f"player {text!r}: {family.no_programs}; here a player is one of {known}, policy:FILE, or module:Class"
        )
    command = text.removeprefix(BOT).removeprefix(KEPT_BOT)
    place = None if folder is None else str(folder)
    return PlayerSpec(number, text, None, tuple(split_command(command)), text.startswith(KEPT_BOT), place)


def _meant(text: str, family: AnyFamily, folder: Path | None) -> str:
    """What the name of an unknown agent may mean elsewhere: a program's file, or an agent of another game."""
    command = suggested_command(text, folder)
    if command is not None and family.has_programs:
        return f"; to run the file as a bot: {command!r}"
    others = [name for each in families() if text in each.agents for name in each.editions]
    return f"; {text} plays {', '.join(others)} (--edition)" if others else ""


def split_command(text: str) -> list[str]:
    """A command line as the shell would cut it, without any shell."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise CallerError(f"player {text!r}: {error}") from None
    if not command:
        raise CallerError("no player given: expected an agent's name, policy:FILE, module:Class, or a command line")
    return command


def make_player(spec: PlayerSpec, family: AnyFamily, settings: BotSettings) -> Player:
    """A player for one game; one whose process is kept is the same from game to game."""
    if spec.agent is not None:
        return AgentPlayer(family.find_agent(spec.agent), spec.name)
    if spec.sabotage:
        return Forfeiter(spec.name, spec.sabotage)
    if not spec.keep:
        return _program(spec, settings)
    player = _kept.pop(spec, None) or _program(spec, settings)
    _kept[spec] = player  # as the last one
    while len(_kept) > MOST_KEPT:
        _kept.pop(next(iter(_kept))).close()
    return player


def losing(specs: tuple[PlayerSpec, PlayerSpec], player: int, reason: str) -> tuple[PlayerSpec, PlayerSpec] | None:
    """The players of a game that one of them loses for sabotage; None if that one is not a program."""
    guilty = specs[player]
    if guilty.agent is not None or guilty.sabotage:
        return None
    guilty = msgspec.structs.replace(guilty, sabotage=reason)
    return (guilty, specs[1]) if player == 0 else (specs[0], guilty)


def _program(spec: PlayerSpec, settings: BotSettings) -> ProgramPlayer:
    folder = None if spec.folder is None else Path(spec.folder)
    return ProgramPlayer(spec.command, spec.name, settings, spec.keep, folder, dict(spec.environment))


MOST_KEPT = 8
"""Programs that one process keeps running: of many, those that played last."""
_kept: dict[PlayerSpec, Player] = {}


def close_kept() -> None:
    """Stop the programs whose processes were kept."""
    while _kept:
        _kept.popitem()[1].close()
