"""What an agent is to Python code: something that is shown a view and names an action."""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.engine.random import step
from cardrome.errors import CallerError
from cardrome.games.locm.agents.choose import AGENT, DESK, decide
from cardrome.games.locm.agents.weights import Weights, fill_weights
from cardrome.games.locm.protocol.game import View


class Agent(abc.ABC):
    """A player inside the process. One object plays one seat of one game at a time.

    Subclasses implement `act`, and `begin` if they remember or use chance. To be found as ``module:Class`` they must
    be made without arguments.
    """

    def begin(self, seed: int) -> None:  # noqa: B027 - most agents have nothing to prepare
        """A new game begins; all chance in the agent's decisions is to follow from the seed."""

    @abc.abstractmethod
    def act(self, view: View) -> int:
        """The code of the action to take in this view, one of ``view.legal_codes()``."""


class KernelAgent(Agent):
    """A built-in agent, so that Python code can ask it. The same view and seed give the same action."""

    def __init__(self, kernel: np.recarray[Any, Any], seed: int = 0) -> None:
        self.kernel = kernel
        self._desks = np.zeros(1, DESK).view(np.recarray)
        self._random = np.zeros(1, np.int64)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start anew from a seed. The bulk path gives the two players of a pair the seeds of `player_seed`."""
        self._random[0] = seed if 0 <= seed < 1 << 62 else step(seed)

    def act(self, view: View) -> int:
        """The action of the player who is to move; the view must be his."""
        if view.to_move is None:
            raise CallerError("the game is over: there is no action to choose")
        if view.to_move != view.viewer:
            raise CallerError(f"player {view.to_move} is to move, but the view is that of player {view.viewer}")
        return decide(self.kernel, view.edition.rules, view.deals, view.states, self._desks, self._random)


@dataclass(frozen=True)
class AgentKind:
    """An agent to be had by name: what it is, and how to make one."""

    name: str
    description: str
    make: Callable[[], Agent]
    kernel: np.recarray[Any, Any] | None = None
    """What `cardrome.games.locm.agents.batch.play_pairs` takes; None if the agent is Python code."""

    def new(self, seed: int = 0) -> Agent:
        """A new agent, ready for a game with this seed."""
        agent = self.make()
        agent.begin(seed)
        return agent


def kernel_kind(name: str, description: str, kind: int, weights: Weights) -> AgentKind:
    """A built-in agent that decides in one of the ways of `cardrome.games.locm.agents.choose`, with these weights."""
    array = np.zeros(1, AGENT).view(np.recarray)
    array[0].kind = kind
    fill_weights(array[0].weights, weights)
    array.flags.writeable = False
    return AgentKind(name, description, lambda: KernelAgent(array), array)
