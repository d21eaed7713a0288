"""How kernels step many episodes at once: what those of all families share.

A family has a `Stepper`: its memory for n games, and kernels of its own for them. Records and kernels here say where an
episode stands, who is to decide, and what the learner is rewarded with.
"""

from __future__ import annotations

import abc
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt

from cardrome.engine.kernel import kernel
from cardrome.engine.random import player_seed
from cardrome.engine.records import Integers, Record, f8, flag, i1, i2, i4, i8, new_records
from cardrome.games.encoding import Encoding, Floats
from cardrome.games.game import Game

if TYPE_CHECKING:
    from cardrome.games.family import AnyFamily, Kernel

NEW, DECIDING, ASKING, OVER = range(4)
"""What an episode waits for: its beginning, the learner, somebody in Python, its end to be noticed."""

BOTH = 2
"""The learner's seat where they decide for both players."""

LEARNER = -1
"""Who decides: the learner, or else a place in the roster of agents; from `OUTSIDE` on, somebody in Python."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When an episode that is over begins anew: instead of the next step, at the end of the same step, when told to."""

STEP, RESUME, BEGIN, LOOK, SPY = range(5)
"""What a kernel is asked for: a step of all episodes, answers to those that ask, a beginning of those that are new, or
just what there is to see, for whoever it is shown to or for the other player."""


class Episode(Record):
    """What is kept of an episode beside its game."""

    seed: i8
    """Of its deal."""
    random: Annotated[Integers, "i8", 2]
    """The generators of those who decide for the learner's seat, and for the other."""
    potential: f8
    """What the position was worth when the learner last decided; where they have both seats, to player 0."""
    next_seed: i8
    """All of the next episode, which begins without asking Python."""
    next_chance: i8
    number: i4
    """Counts the episodes played here, from 1."""
    steps: i4
    """Decisions of the learner."""
    illegal: i4
    """How many of them were illegal."""
    opponent: i2
    next_opponent: i2
    asked: i2
    """Who is to answer, counted from `OUTSIDE`."""
    learner: i1
    """The learner's seat."""
    next_learner: i1
    laid_out: flag
    """The next episode is ready to begin."""
    status: i1
    seat: i1
    """Who is to decide."""
    winner: i1
    """-1 unless the game is over; 2 for a draw."""
    last_winner: i1
    """That of the episode before."""


POTENTIALS = 8
"""Most potentials that a family has."""


class Terms(Record):
    """What holds for all episodes."""

    autoreset: i1
    decides: Annotated[Integers, "i1", 2]
    """In which phases (deck building, battle) the learner decides."""
    stand_in: Annotated[Integers, "i2", 2]
    """Who decides for the learner's seat in the others, and for the opponent's; -1: the opponent."""
    other: Annotated[Integers, "i2", 2]
    max_turns: i4
    """Turns after which an episode is cut off; 0: never."""
    first: Annotated[Integers, "i2", 2]
    """The number of the first action of each phase; -1: they have none."""
    by_number: flag
    """Cards on offer stand in the order of their numbers."""
    deck_size: i4
    """Cards of a deck that is made for each game."""
    win: f8
    """The reward for winning; losing costs as much."""
    score: f8
    """The reward for the highest score, where there are scores."""
    discount: f8
    shaped: flag
    """Some potential counts."""
    potentials: Annotated[np.ndarray[Any, Any], "f8", POTENTIALS]
    """How much each potential counts."""


@kernel
def begin_episode(episode: Episode) -> None:
    """The next episode begins, as it was laid out."""
    episode.number += 1
    episode.seed = episode.next_seed
    episode.learner = episode.next_learner
    episode.opponent = episode.next_opponent
    chance = int(episode.next_chance)
    episode.random[0] = player_seed(chance, 0)
    episode.random[1] = player_seed(chance, 1)
    episode.steps = 0
    episode.illegal = 0
    episode.last_winner = episode.winner
    episode.winner = -1
    episode.laid_out = False


@kernel
def side_of(episode: Episode, seat: int) -> int:
    """0 for the learner's seat, 1 for the other; where the learner has both, player 0's counts as theirs."""
    return seat if episode.learner == BOTH else int(seat != episode.learner)


@kernel
def decider(terms: Terms, episode: Episode, phase: int, seat: int) -> int:
    """Who decides for a seat in a phase."""
    if terms.decides[phase] and (seat == episode.learner or episode.learner == BOTH):
        return LEARNER
    who = int(terms.stand_in[phase] if side_of(episode, seat) == 0 else terms.other[phase])
    return who if who >= 0 else int(episode.opponent)


@kernel
def seat_shown(episode: Episode) -> int:
    """Whose observation it is: that of whoever is to decide, and in the end the learner's."""
    return int(episode.learner) if episode.status == OVER and episode.learner < BOTH else int(episode.seat)


@kernel
def due(
    terms: Terms, episode: Episode, request: int, g: int, rewards: Integers, terminated: Integers, truncated: Integers
) -> bool:
    """The request is for this episode; one that is over begins anew if that is to happen by itself.

    What comes of a step or a beginning is written down from nothing.
    """
    if request >= LOOK:
        return True
    if request == RESUME:
        return episode.status == ASKING
    if request == STEP and episode.status == OVER and terms.autoreset == NEXT_STEP:
        episode.status = NEW
    if episode.status == OVER or (request == BEGIN and episode.status != NEW):
        return False
    rewards[g] = 0.0
    terminated[g] = False
    truncated[g] = False
    episode.steps += request == STEP and episode.status == DECIDING
    return True


@kernel
def settle(
    terms: Terms,
    episode: Episode,
    worth: float,
    g: int,
    rewards: Integers,
    terminated: Integers,
    truncated: Integers,
) -> None:
    """The learner is to decide, or the episode is over: reward what has happened since they last decided.

    ``worth`` is what the position is worth to them, 0 when the game is over.
    """
    if episode.steps > 0:  # what happens before their first decision is not of their making
        rewards[g] += terms.discount * worth - episode.potential
    episode.potential = worth
    if episode.status == OVER:
        terminated[g] = episode.winner >= 0
        truncated[g] = episode.winner < 0
        if episode.winner == episode.learner:
            rewards[g] += terms.win
        elif episode.winner == 1 - episode.learner:
            rewards[g] -= terms.win


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
        """Nobody else holds what was written, or a view of it: it may be overwritten."""
        return self._count() == self._users


class Stepper(abc.ABC):
    """A family's memory for n games, and the kernels that step them."""

    potentials: ClassVar[tuple[str, ...]] = ()
    """The names of what rewards can be shaped by, in the order of `Terms.potentials`."""
    offers = False
    """Learners choose among cards on offer."""

    def __init__(self, family: AnyFamily, encoding: Encoding, n: int) -> None:
        self.family, self.encoding, self.n = family, encoding, n
        self.terms = new_records(Terms)
        self.episodes = new_records(Episode, n)
        self.actions = np.zeros(n, np.int64)
        self.rewards = np.zeros(n, np.float64)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_memory = blank_rows(self)
        self.finals: Floats = self.final_memory[: n * encoding.size].reshape(n, -1)
        """The last observations of episodes that began anew in the same step."""

    @abc.abstractmethod
    def enrol(self, kernels: Sequence[Kernel], outside: bool, threads: int) -> None:
        """Take in the built-in agents, whether there are others, and memory for threads: before anything is bound."""

    @abc.abstractmethod
    def bind(self, sheet: Sheet) -> Callable[[int, int, int, int], int]:
        """The kernel that writes to a sheet: asked for something, as one of the threads, for a range of episodes.

        It returns how many of these wait for an answer, and above 32 bits how many began. Actions are numbers of the
        encoding; answers may be codes of the engine as well, as ``-1 - code``.
        """

    @abc.abstractmethod
    def game(self, i: int) -> Game:
        """The game of an episode as it stands, to look at or to play on: a copy."""

    @abc.abstractmethod
    def code_of(self, i: int, action: int) -> int:
        """The engine's code of an action in an episode, by its number; -1 if it names a row with nothing in it."""

    @abc.abstractmethod
    def place(self, i: int, position: Any) -> None:
        """Put a position of the family into the place of an episode."""
