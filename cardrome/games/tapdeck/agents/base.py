"""What an agent is to Python code: something that is shown a match and names the actions of a turn."""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.engine.random import step
from cardrome.errors import CallerError
from cardrome.games.tapdeck.agents.choose import AGENT, DESK, plan
from cardrome.games.tapdeck.agents.plan import MOST_CODES
from cardrome.games.tapdeck.agents.weights import Weights, fill_weights
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.state import PLAYING


class TapdeckAgent(abc.ABC):
    """A player inside the process. Nothing in a match is hidden, so it is shown the state itself.

    Subclasses implement `plan`, and `begin` if they remember or use chance. To be found as ``module:Class`` they must
    be made without arguments.
    """

    def begin(self, seed: int) -> None:  # noqa: B027 - most agents have nothing to prepare
        """A new match begins; all chance in the agent's decisions is to follow from the seed."""

    @abc.abstractmethod
    def plan(self, edition: TapdeckEdition, deck: np.recarray[Any, Any], states: np.recarray[Any, Any]) -> list[int]:
        """The codes of the current player's actions for the rest of this turn, in order, END_TURN last.

        ``deck`` and ``states`` are arrays of one record and must not be changed. The turn may be at any point: with
        the blocking phase still open, or with mana gained and cards drawn.
        """


class KernelAgent(TapdeckAgent):
    """A built-in agent, so that Python code can ask it. The same state and seed give the same actions."""

    def __init__(self, kernel: np.recarray[Any, Any], seed: int = 0) -> None:
        self.kernel = kernel
        self._desks = np.zeros(1, DESK)
        self._random = np.zeros(1, np.int64)
        self._codes = np.zeros(MOST_CODES, np.int64)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start anew from a seed. The bulk path gives the two players of a pair the seeds of `player_seed`."""
        self._random[0] = seed if 0 <= seed < 1 << 62 else step(seed)

    def plan(self, edition: TapdeckEdition, deck: np.recarray[Any, Any], states: np.recarray[Any, Any]) -> list[int]:
        """The rest of the current player's turn."""
        return self.plan_match(edition.rules, deck, states, 0)

    def plan_match(
        self, rules: np.recarray[Any, Any], deck: np.recarray[Any, Any], states: np.recarray[Any, Any], i: int
    ) -> list[int]:
        """The same for one of many matches, the edition being given as kernels see it."""
        if states["ending"][i] != PLAYING:
            raise CallerError("the match is over: there is no turn to plan")
        n = plan(self.kernel, rules, deck, states, self._desks, self._random, self._codes, i)
        return self._codes[:n].tolist()


@dataclass(frozen=True)
class TapdeckAgentKind:
    """An agent to be had by name: what it is, and how to make one."""

    name: str
    description: str
    make: Callable[[], TapdeckAgent]
    kernel: np.recarray[Any, Any] | None = None
    """What `cardrome.games.tapdeck.agents.batch.play_pairs` takes; None if the agent is Python code."""

    def new(self, seed: int = 0) -> TapdeckAgent:
        """A new agent, ready for a match with this seed."""
        agent = self.make()
        agent.begin(seed)
        return agent


def kernel_kind(
    name: str,
    description: str,
    kind: int,
    budget: int = 0,
    depth: int = 0,
    second_looks: int = 0,
    weights: Weights = Weights(),  # noqa: B008 - frozen
) -> TapdeckAgentKind:
    """A built-in agent that decides in one of the ways of `cardrome.games.tapdeck.agents.choose`."""
    array = np.zeros(1, AGENT).view(np.recarray)
    array[0].kind = kind
    array[0].budget = budget
    array[0].depth = depth
    array[0].second_looks = second_looks
    fill_weights(array[0].weights, weights)
    array.flags.writeable = False
    return TapdeckAgentKind(name, description, lambda: KernelAgent(array), array)
