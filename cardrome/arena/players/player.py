"""Players behind one interface: agents of this process, and programs outside."""

from __future__ import annotations

import abc
import os
import shlex
import shutil
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path

from cardrome.arena.players.process import BotProcess, Limits
from cardrome.arena.players.sandbox import sandboxed
from cardrome.arena.recording import answer_line
from cardrome.errors import BotFailure, CallerError
from cardrome.games.locm.agents.base import AgentKind
from cardrome.games.locm.agents.registry import AGENTS, find_agent
from cardrome.games.locm.protocol.dialogue import Call, Dialogue
from cardrome.games.locm.protocol.replay import ProcessEnd


class Player(abc.ABC):
    """Somebody who can be asked. One object plays one seat of one game at a time."""

    name: str

    @abc.abstractmethod
    def begin(self, seed: int) -> None:
        """A new game begins. All chance in the player's decisions follows from the seed, if it can be told."""

    @abc.abstractmethod
    def ask(self, dialogue: Dialogue, call: Call, seconds: float | None) -> str:
        """The answer to a call, one line; `BotFailure` if there is none."""

    @abc.abstractmethod
    def end(self) -> ProcessEnd | None:
        """The game is over: stop, and tell how the process ended if there was one."""

    def close(self) -> None:  # noqa: B027 - most players have nothing left to stop
        """No further game will be played."""


class AgentPlayer(Player):
    """An agent of this process. It is shown views, never the game; no clock runs for it."""

    def __init__(self, kind: AgentKind) -> None:
        self.name = kind.name
        self._agent = kind.new()

    def begin(self, seed: int) -> None:
        """Start anew."""
        self._agent.begin(seed)

    def ask(self, dialogue: Dialogue, call: Call, seconds: float | None) -> str:
        """Let the agent act until its turn is over, on a copy of the game."""
        table = dialogue.game.copy()
        # Deck building: the first player's answer is not judged before both are in. What he took is hidden anyway.
        while table.phase != "battle" and table.current != call.player:
            table.play(table.legal_codes()[0])
        return answer_line(table, call, self._agent, self.name)

    def end(self) -> None:
        """Nothing to stop."""


class BotPlayer(Player):
    """A program outside, speaking the protocol on its standard input and output.

    Every game has a fresh process, unless the bot is known to play game after game (``keep``): then its process is
    kept until `close`, or until it fails.
    """

    def __init__(
        self,
        command: list[str],
        name: str,
        limits: Limits | None = None,
        keep: bool = False,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """``environment`` is added to that of this process."""
        self.name = name
        self._command = command
        self._limits = limits or Limits()
        self._keep = keep
        self._folder = folder
        self._environment = {**os.environ, **environment} if environment else None
        self._process: BotProcess | None = None
        self._failure: BotFailure | None = None

    def begin(self, seed: int) -> None:
        """Start the process, if it is not running yet. One that cannot be started fails when it is first asked."""
        if self._process is not None:
            self._process.forget()
            return
        self._failure = None
        try:
            self._process = BotProcess(self._command, self._limits, self._folder, self._environment)
        except BotFailure as failure:
            self._failure = failure

    def ask(self, dialogue: Dialogue, call: Call, seconds: float | None) -> str:
        """Send the input, wait for the line."""
        if self._process is None:
            raise self._failure or BotFailure("no-start", "the bot was not started")
        try:
            return self._process.ask(call.text.encode(), seconds).decode("utf-8", "replace")
        except BotFailure as failure:
            self._failure = failure
            raise

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


MOST_KEPT = 8
"""Programs that one process keeps running: of many, those that played last."""


class KeptPlayers:
    """Players whose processes go on from game to game."""

    def __init__(self) -> None:
        self._players: dict[Hashable, Player] = {}

    def get(self, key: Hashable, make: Callable[[], Player]) -> Player:
        """The player kept under a key, made if there is none. Of too many, the one longest unused is closed."""
        player = self._players.pop(key, None) or make()
        self._players[key] = player  # as the last one
        while len(self._players) > MOST_KEPT:
            self._players.pop(next(iter(self._players))).close()
        return player

    def close(self) -> None:
        """Stop them all."""
        while self._players:
            self._players.popitem()[1].close()


BOT, KEPT_BOT = "bot:", "keep:"
"""What a player's text may begin with: a command line follows. A kept bot plays game after game in one process."""


def is_bot(text: str) -> bool:
    """The text means a program outside: ``bot:`` or ``keep:`` and a command line, or what can only be one."""
    if text in AGENTS:
        return False
    if text.startswith((BOT, KEPT_BOT)) or "/" in text or len(text.split()) > 1:
        return True
    return ":" not in text and shutil.which(text) is not None


def find_player(text: str, limits: Limits | None = None, sandbox: bool = False) -> Player:
    """The player a text means: an agent's name, ``module:Class``, or a command line, by itself or behind a prefix."""
    if text and not is_bot(text):
        return AgentPlayer(find_agent(text))
    command = _split(text.removeprefix(BOT).removeprefix(KEPT_BOT))
    return BotPlayer(sandboxed(command) if sandbox else command, text, limits, keep=text.startswith(KEPT_BOT))


def _split(text: str) -> list[str]:
    """A command line as the shell would cut it, without any shell."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise CallerError(f"player {text!r}: {error}") from None
    if not command:
        raise CallerError("a player is an agent's name, module:Class, or a command line; got nothing")
    return command
