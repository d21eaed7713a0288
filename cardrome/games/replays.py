"""A played game, whatever the family: how it is written down, and how it is played again.

A `Recorder` drives a game by asking its players in turn and writes down what they answer; what comes out is a
`Replay`. A `Rerun` plays one again, once, for everything that wants to look at it: verification, the story in words,
the page.
"""

from __future__ import annotations

import abc
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec import Meta

from cardrome.games.game import Action, Ending

TEXT_LIMIT = 2_000
"""Characters of a fault's message and of a tail of standard error."""

Seat = Literal[0, 1]
_Text = Annotated[str, Meta(max_length=TEXT_LIMIT)]


class ReplayFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lost a player the game."""

    player: Seat
    kind: Annotated[str, Meta(min_length=1, max_length=100)]
    message: _Text = ""


class ProcessEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a player's process ended, and the last of what it wrote to standard error."""

    exit_code: int | None = None
    signal: int | None = None
    stderr: _Text = ""


ProcessEnds = tuple[ProcessEnd | None, ProcessEnd | None]


class Replay(Protocol):
    """One finished game: everything needed to play it again, and its result. Families have their own types."""

    @property
    def edition(self) -> str:
        """The name of the edition."""

    @property
    def players(self) -> tuple[str, str]:
        """The players' names; the first has the first turn."""

    @property
    def fault(self) -> ReplayFault | None:
        """What lost a player the game, if it was a fault."""

    @property
    def processes(self) -> ProcessEnds | None:
        """How the players' processes ended, if there were any."""

    @property
    def scores(self) -> tuple[int, int]:
        """Both players' scores."""

    @property
    def winner(self) -> int | None:
        """The winner; None if the game was drawn."""

    @property
    def ending(self) -> Ending:
        """Why the game ended."""

    @property
    def turns(self) -> int | None:
        """Battle turns begun; None where an older recording does not say."""

    @property
    def actions(self) -> int | None:
        """Battle actions carried out, ends of turns not counted; None where an older recording does not say."""

    def answer_times(self, seat: int) -> Sequence[int]:
        """How long each answer of a player took, in ms; the first contains the start of their program."""

    def check(self) -> None:
        """Make sure that it can be played again; `CallerError` says what is wrong."""


class ReplayRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What the replays of families begin with. By default no player fails, has a process, or is timed."""

    format: Literal["cardrome-replay"] = "cardrome-replay"
    version: Literal[1] = 1

    @property
    def fault(self) -> ReplayFault | None:
        """Nobody lost the game by a fault."""
        return None

    @property
    def processes(self) -> ProcessEnds | None:
        """Players had no processes of their own."""
        return None

    def answer_times(self, seat: int) -> Sequence[int]:
        """Not recorded."""
        return ()

    def check(self) -> None:
        """Playing it again shows what is wrong."""


@dataclass(frozen=True, slots=True)
class Call:
    """A question to one player: the input they are sent and how long they may think."""

    player: int
    phase: str
    limit_ms: int | None
    """None: as long as it takes."""
    text: str = ""
    """What a program is sent; empty in families that have no programs."""

    @property
    def lines(self) -> list[str]:
        """The input, line by line."""
        return self.text.removesuffix("\n").split("\n")


class Recorder(abc.ABC):
    """A game in play that is written down: says who is asked (`call`), takes answers, gives the replay in the end."""

    game: Any
    """The `Game`, as the family has it."""

    @property
    def call(self) -> Call | None:
        """The call that is due; None when the game is over. By default the player to move has no time limit."""
        player = self.game.to_move
        return None if player is None else Call(player, "turn", None)

    @functools.cached_property
    def _twin(self) -> Any:
        return self.game.copy()

    def agent_game(self) -> Any:
        """A copy of the game in which the player who is asked is to move. Their choices there make the answer.

        It is the same object at every call: copying a game costs more than setting one back.
        """
        self._twin.catch_up(self.game)
        return self._twin

    def act(self, actions: Sequence[Action]) -> None:
        """Take an agent's answer to the present call: what it did in `agent_game` until its turn was over.

        No action at all means that the player passes.
        """
        for action in actions:
            self.game.push(action)

    @abc.abstractmethod
    def replay(self, processes: ProcessEnds | None = None) -> Replay:
        """The replay, once the game is over."""


class ProgramRecorder(Recorder):
    """A game in play that programs can play too."""

    @abc.abstractmethod
    def answer(self, line: str, ms: int | None = None) -> Any:
        """Take a program's answer to the present call, and how long it took."""

    @abc.abstractmethod
    def no_answer(self, kind: str, message: str, ms: int | None = None) -> Any:
        """The present call gets no answer, for the reason given."""


class Difference(msgspec.Struct, frozen=True):
    """The first place where a game, played again, departs from its recording."""

    where: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, got {self.got}"


def first_difference(facts: Sequence[tuple[str, object, object]]) -> Difference | None:
    """The first of some facts (name, recorded, found) that came out differently; None is "not recorded"."""
    for name, expected, found in facts:
        if expected is not None and str(expected) != str(found):
            return Difference(name, str(expected), str(found))
    return None


M = TypeVar("M")
"""What a family shows of one step of a game."""


class Rerun(abc.ABC, Generic[M]):
    """A replay that is played again, once. Go through it; then `difference` says whether it came out the same."""

    difference: Difference | None = None

    @abc.abstractmethod
    def __iter__(self) -> Iterator[M]:
        """The steps of the game, each as it is played."""

    def verify(self) -> Difference | None:
        """Play it to the end; returns the first thing that comes out differently from what it says, or None."""
        for _ in self:
            pass
        return self.difference
