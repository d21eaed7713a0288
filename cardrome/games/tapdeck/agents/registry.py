"""The built-in agents by name: how each of them plans its turn, in kernels and as Python code asks them."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from cardrome.engine.kernel import entry, large_kernel, shared_kernel
from cardrome.engine.random import below
from cardrome.engine.records import Integers, Record, Records, fill, i4, new_records
from cardrome.errors import CallerError
from cardrome.games.agents import AgentKind, KernelAgent, kernel_kind
from cardrome.games.tapdeck.agents.beam import SHORTLIST, Search
from cardrome.games.tapdeck.agents.evaluate import WEIGHTS, Weights
from cardrome.games.tapdeck.agents.greedy import plan_greedily
from cardrome.games.tapdeck.agents.plan import Plan, begin_plan
from cardrome.games.tapdeck.agents.search import plan_twice
from cardrome.games.tapdeck.protocol.game import TapdeckPosition
from cardrome.games.tapdeck.rules.actions import END_TURN, action_code, action_kind
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import MAX_ACTIONS, list_actions
from cardrome.games.tapdeck.rules.state import PLAYING, State
from cardrome.games.tapdeck.rules.turn import apply_action


@large_kernel
def plan_randomly(rules: Rules, deck: Deck, plan: Plan, legal: Integers, random: int) -> int:
    """Plan a turn of legal actions, all equally likely, until END_TURN is one; returns the generator's next state."""
    s = plan.state
    kind = -1
    while kind != END_TURN and s.ending == PLAYING:
        n = int(list_actions(rules, deck, s, legal))
        random, k = below(random, n)
        code = int(legal[k])
        kind = action_kind(code)
        apply_action(rules, deck, s, code)
        plan.codes[plan.n] = code
        plan.n += 1
    if kind != END_TURN:  # the attackers have won: the turn is over as well
        plan.codes[plan.n] = action_code(END_TURN, 0, 0)
        plan.n += 1
    return random


RANDOM, GREEDY, SEARCHING = range(3)
"""How an agent decides."""


class AgentRecord(Record):
    """A built-in agent as kernels see it; `SEARCH_BUDGET` and what follows it say what its numbers mean."""

    kind: i4
    budget: i4
    depth: i4
    second_looks: i4
    weights: Annotated[Weights, WEIGHTS]


class Desk(Record):
    """Scratch memory of an agent that thinks. Nothing on it outlives a turn but the plan."""

    plan: Plan
    legal: Annotated[Integers, "i8", MAX_ACTIONS]
    search: Annotated[Records[Search], 2]
    """The agent's own, and the one it imagines for the opponent."""


@shared_kernel
def plan_turn(agent: AgentRecord, rules: Rules, deck: Deck, s: State, desk: Desk, random: int) -> int:
    """Plan the rest of the current player's turn on the desk; returns the next state of the agent's generator.

    ``desk.plan`` holds the actions, END_TURN last, also where the match ends before.
    """
    plan = desk.plan
    begin_plan(plan, s)
    if agent.kind == RANDOM:
        return plan_randomly(rules, deck, plan, desk.legal, random)
    if agent.kind == GREEDY:
        plan_greedily(agent.weights, rules, deck, plan)
    else:
        budget, depth, looks = int(agent.budget), int(agent.depth), int(agent.second_looks)
        plan_twice(agent.weights, budget, depth, looks, rules, deck, plan, desk.search[0], desk.search[1])
    return random


@entry(AgentRecord, Rules, Deck, State, Desk, np.int64)
def plan(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    decks: Records[Deck],
    states: Records[State],
    desks: Records[Desk],
    random: Integers,
) -> int:
    """Plan a turn, for Python: how many actions the plan on the desk has; the state in ``random`` moves on."""
    random[0] = plan_turn(agents[0], rules[0], decks[0], states[0], desks[0], int(random[0]))
    return int(desks[0].plan.n)


class TapdeckKernelAgent(KernelAgent):
    """A built-in agent of Tapdeck."""

    def __init__(self, kernel: np.recarray[Any, Any], seed: int = 0) -> None:
        super().__init__(kernel, seed)
        self._desks = new_records(Desk)
        self._planned: Integers = self._desks["plan"]["codes"][0]

    def act(self, view: TapdeckPosition) -> int:
        """The first action of the plan for the rest of the turn."""
        return self.plan(view)[0]

    def plan(self, view: TapdeckPosition) -> list[int]:
        """The rest of the current player's turn. It may be at any point: blocking open, mana gained, cards drawn."""
        if view.is_over:
            raise CallerError("the match is over: there is no turn to plan")
        arrays = view.edition.rules, view.decks, view.states
        n = plan(self.kernel, *arrays, self._desks, self._random)
        return self._planned[:n].tolist()


def _kind(name: str, description: str, kind: int, budget: int = 0, depth: int = 0, second_looks: int = 0) -> AgentKind:
    """A built-in agent that decides in one of the ways above."""
    kernel = new_records(AgentRecord)
    agent = kernel[0]
    agent.kind, agent.budget, agent.depth, agent.second_looks = kind, budget, depth, second_looks
    fill(agent.weights, Weights())
    return kernel_kind(name, description, TapdeckKernelAgent, kernel)


SEARCH_BUDGET = 400
"""Answers of the opponent that `search` looks at in a turn."""
SEARCH_DEPTH = 3
"""Turns that it plays on by the greedy agent's moves, the opponent's answer being the first."""
SECOND_LOOKS = 6
"""Its best turns that it looks at once more, with an opponent who searches too."""

AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in [
        _kind("random", "any legal action, all equally likely", RANDOM),
        _kind("greedy", "blocks, plays and attacks where it pays at once", GREEDY),
        _kind(
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
    return _kind("search", AGENTS["search"].description, SEARCHING, budget, depth, second_looks)
