"""The built-in agents by name, decided by compiled kernels, as Python code asks them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.random import step
from cardrome.engine.records import fill, new_records
from cardrome.errors import CallerError
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.tapdeck.agents.beam import SHORTLIST
from cardrome.games.tapdeck.agents.choose import GREEDY, RANDOM, SEARCHING, AgentRecord, Desk, plan
from cardrome.games.tapdeck.agents.plan import MOST_CODES
from cardrome.games.tapdeck.agents.weights import Weights
from cardrome.games.tapdeck.protocol.game import TapdeckPosition
from cardrome.games.tapdeck.rules.state import PLAYING


class TapdeckKernelAgent(Agent):
    """A built-in agent. The same state and seed give the same actions."""

    def __init__(self, kernel: np.recarray[Any, Any], seed: int = 0) -> None:
        self.kernel = kernel
        self._desks = new_records(Desk)
        self._random = np.zeros(1, np.int64)
        self._codes = np.zeros(MOST_CODES, np.int64)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start anew from a seed. The bulk path gives the two players of a pair the seeds of `player_seed`."""
        self._random[0] = seed if 0 <= seed < 1 << 62 else step(seed)

    def act(self, view: TapdeckPosition) -> int:
        """The first action of the plan for the rest of the turn."""
        return self.plan(view)[0]

    def plan(self, view: TapdeckPosition) -> list[int]:
        """The rest of the current player's turn. It may be at any point: blocking open, mana gained, cards drawn."""
        return self.plan_match(view.edition.rules, view.decks, view.states, 0)

    def plan_match(
        self, rules: np.recarray[Any, Any], deck: np.recarray[Any, Any], states: np.recarray[Any, Any], i: int
    ) -> list[int]:
        """The same for one of many matches, the edition being given as kernels see it."""
        if states["ending"][i] != PLAYING:
            raise CallerError("the match is over: there is no turn to plan")
        n = plan(self.kernel, rules, deck, states, self._desks, self._random, self._codes, i)
        return self._codes[:n].tolist()


def kernel_kind(
    name: str,
    description: str,
    kind: int,
    budget: int = 0,
    depth: int = 0,
    second_looks: int = 0,
    weights: Weights = Weights(),  # noqa: B008 - frozen
) -> AgentKind:
    """A built-in agent that decides in one of the ways of `cardrome.games.tapdeck.agents.choose`."""
    array = new_records(AgentRecord)
    array[0].kind = kind
    array[0].budget = budget
    array[0].depth = depth
    array[0].second_looks = second_looks
    fill(array[0].weights, weights)
    array.flags.writeable = False
    return AgentKind(name, description, lambda: TapdeckKernelAgent(array), array)


SEARCH_BUDGET = 400
"""Answers of the opponent that `search` looks at in a turn."""
SEARCH_DEPTH = 3
"""Turns that it plays on by the greedy agent's moves, the opponent's answer being the first."""
SECOND_LOOKS = 6
"""Its best turns that it looks at once more, with an opponent who searches too."""

AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in [
        kernel_kind("random", "any legal action, all equally likely", RANDOM),
        kernel_kind("greedy", "blocks, plays and attacks where it pays at once", GREEDY),
        kernel_kind(
            "search",
            "thinks through whole turns and the opponent's answer: the strongest built-in",
            SEARCHING,
            SEARCH_BUDGET,
            SEARCH_DEPTH,
            SECOND_LOOKS,
        ),
    ]
}
"""The built-in agents by name, the weakest first."""


def searching_kind(budget: int, depth: int = SEARCH_DEPTH, second_looks: int = SECOND_LOOKS) -> AgentKind:
    """The agent `search` with another budget: the more of the opponent's answers it looks at, the slower it is.

    ``depth`` and ``second_looks`` are explained at `SEARCH_DEPTH` and `SECOND_LOOKS`.
    """
    if not 1 <= budget <= 1_000_000:
        raise CallerError(f"a search that looks at {budget} answers; allowed are 1 to 1,000,000")
    if not (1 <= depth <= 100 and 0 <= second_looks <= SHORTLIST):
        raise CallerError(f"depth {depth}, {second_looks} second looks; allowed are 1 to 100, and 0 to {SHORTLIST}")
    return kernel_kind("search", AGENTS["search"].description, SEARCHING, budget, depth, second_looks)
