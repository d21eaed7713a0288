"""Memory for games that learners play side by side: what a family's stepping kernel works on, and what it writes."""

from __future__ import annotations

import abc
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from cardrome.engine.records import Records, new_records
from cardrome.games.game import Game
from cardrome.games.learning.encoding import Encoding, Floats
from cardrome.games.learning.stepping import Episode, Terms

if TYPE_CHECKING:
    from cardrome.games.family import AnyFamily, Kernel


def blank_rows(stepper: Stepper) -> Floats:
    """Memory for the observations of n episodes, and one more, which stays blank."""
    return np.zeros((stepper.n + 1) * stepper.encoding.size, np.float32)


class Sheet:
    """What a kernel writes: an observation and a mask for each episode."""

    run: Callable[[int, int, int, int], int]
    """The kernel that writes to it."""

    def __init__(self, stepper: Stepper) -> None:
        self.memory = blank_rows(stepper)
        self.observations: Floats = self.memory[: stepper.n * stepper.encoding.size].reshape(stepper.n, -1)
        self.masks: npt.NDArray[np.int8] = np.zeros((stepper.n, stepper.encoding.n_actions), np.int8)
        self.run = stepper.bind(self)
        self._users = self._count()

    def _count(self) -> tuple[int, int]:
        return sys.getrefcount(self.memory), sys.getrefcount(self.masks)

    @property
    def idle(self) -> bool:
        """Nobody else holds what was written or a view of it, so it may be overwritten."""
        return self._count() == self._users


class Stepper(abc.ABC):
    """A family's memory for n games, and the kernels that step them."""

    potentials: ClassVar[tuple[str, ...]] = ()
    """The names of what rewards can be shaped by, in the order of `Terms.potentials`."""
    offers = False
    """Learners choose among cards on offer."""
    entry: Any
    """Made by `stepping`; what follows is its memory."""
    roster: Records[Any]
    lookup: Records[Any]
    deals: Records[Any]
    tables: Records[Any]
    scratches: Records[Any]

    def __init__(self, family: AnyFamily, encoding: Encoding, n: int) -> None:
        self.family, self.encoding, self.n = family, encoding, n
        self.edition = encoding.edition
        self.terms = new_records(Terms)
        self.episodes = new_records(Episode, n)
        self.actions = np.zeros(n, np.int64)
        self.rewards = np.zeros(n, np.float64)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_memory = blank_rows(self)
        self.finals: Floats = self.final_memory[: n * encoding.size].reshape(n, -1)
        """The last observations of episodes that restarted in the same step."""

    def enrol(self, kernels: Sequence[Kernel], outside: bool, threads: int) -> None:
        """Take in the built-in agents, whether there are others, and memory for threads: before anything is bound."""
        for place, agent in enumerate(kernels):
            self.roster["agents"][0, place] = agent[0]

    def bind(self, sheet: Sheet) -> Callable[[int, int, int, int], int]:
        """The kernel that writes to a sheet: asked for something, as one of the threads, for a range of episodes.

        It returns how many of these wait for an answer, and above 32 bits how many began. Actions are numbers of the
        encoding; answers may be codes of the engine as well, as ``-1 - code``.
        """
        row = self.encoding.row.dtype
        bound: Callable[[int, int, int, int], int] = self.entry.bind(
            *(self.edition.rules, self.terms, self.roster, self.lookup, self.episodes),
            *(self.deals, self.tables, self.scratches, self.actions),
            *(sheet.memory.view(row), sheet.masks.reshape(-1), self.rewards, self.terminated, self.truncated),
            self.final_memory.view(row),
        )
        return bound

    @abc.abstractmethod
    def game(self, i: int) -> Game:
        """The game of an episode as it stands, to look at or to play on: a copy."""

    @abc.abstractmethod
    def code_of(self, i: int, action: int) -> int:
        """The engine's code of an action in an episode, by its number; -1 if it names a row with nothing in it."""

    @abc.abstractmethod
    def place(self, i: int, position: Any) -> None:
        """Put a position of the family into the place of an episode."""
