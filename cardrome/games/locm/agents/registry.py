"""The built-in agents by name, decided by compiled kernels, as Python code asks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cardrome.engine.random import step
from cardrome.engine.records import fill, new_records
from cardrome.errors import CallerError
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.locm.agents.choose import GREEDY, PASSING, RANDOM, RULE_BASED, AgentRecord, Desk, decide
from cardrome.games.locm.agents.weights import GREEDY_WEIGHTS, NO_WEIGHTS, RULE_BASED_WEIGHTS, Weights
from cardrome.games.locm.protocol.game import LocmView


class LocmKernelAgent(Agent):
    """A built-in agent. The same view and seed give the same action."""

    def __init__(self, kernel: np.recarray[Any, Any], seed: int = 0) -> None:
        self.kernel = kernel
        self._random = np.zeros(1, np.int64)
        self._seen: LocmView | None = None
        self._decide: Callable[[], int]
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start anew from a seed. The bulk path gives the two players of a pair the seeds of `player_seed`."""
        self._random[0] = seed if 0 <= seed < 1 << 62 else step(seed)

    def act(self, view: LocmView) -> int:
        """The action of the player who is to move; the view must be theirs."""
        if view.to_move is None:
            raise CallerError("the game is over: there is no action to choose")
        if view.to_move != view.viewer:
            raise CallerError(f"player {view.to_move} is to move, but the view is that of player {view.viewer}")
        if self._seen is None or self._seen.edition is not view.edition:
            seen = self._seen = view.copy()
            arrays = view.edition.rules, seen.deals, seen.states, new_records(Desk)
            self._decide = decide.bind(self.kernel, *arrays, self._random)
        self._seen.mirror(view)
        return self._decide()


def kernel_kind(name: str, description: str, kind: int, weights: Weights) -> AgentKind:
    """A built-in agent that decides in one of the ways of `cardrome.games.locm.agents.choose`, with these weights."""
    array = new_records(AgentRecord)
    array[0].kind = kind
    fill(array[0].weights, weights)
    array.flags.writeable = False
    return AgentKind(name, description, lambda: LocmKernelAgent(array), array)


AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in [
        kernel_kind("pass", "takes the first cards and never does anything", PASSING, NO_WEIGHTS),
        kernel_kind("random", "any legal action, all equally likely", RANDOM, NO_WEIGHTS),
        kernel_kind("greedy", "the action after which the board looks best, one step ahead", GREEDY, GREEDY_WEIGHTS),
        kernel_kind(
            "rule-based",
            "finishes, spends its mana well, trades where it pays: the strongest built-in",
            RULE_BASED,
            RULE_BASED_WEIGHTS,
        ),
    ]
}
"""The built-in agents by name, the weakest first."""
