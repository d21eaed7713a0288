"""The built-in agents by name: how each of them plans its turn, in kernels and as Python code asks them."""

from __future__ import annotations

import time
from typing import Annotated, Any

import numpy as np

from cardrome.engine.kernel import deferred_kernel, entry, large_kernel, load_now, shared_kernel
from cardrome.engine.random import below
from cardrome.engine.records import Integers, Record, Records, duplicate, fill, i4, new_records
from cardrome.errors import CallerError
from cardrome.games.agents import AgentKind, KernelAgent, kernel_kind
from cardrome.games.learning.network import chance
from cardrome.games.tapdeck.agents.evaluate import WEIGHTS, Weights
from cardrome.games.tapdeck.agents.greedy import plan_greedily
from cardrome.games.tapdeck.agents.plan import Plan, begin_plan
from cardrome.games.tapdeck.agents.rule_based import SHORTLIST, Search, plan_twice
from cardrome.games.tapdeck.agents.search.brain import Brain, learned_brain
from cardrome.games.tapdeck.agents.search.memory import UNIT
from cardrome.games.tapdeck.agents.search.tree import MOST_TURNS, Budget, Tree, choose_turn, deepen, plant
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


ALL_STEPS = 1 << 40
"""An agent thinks as long as its budget allows."""
STEPS = 8
"""Turns that an agent imagines between two looks at the clock."""

RANDOM, GREEDY, RULE_BASED, SEARCHING = range(4)
"""How an agent decides."""


class RuleBudget(Record):
    """How much the agent `rule-based` looks at."""

    answers: i4
    """Answers of the opponent in a turn."""
    depth: i4
    """Turns that are played on by the greedy agent's moves, the opponent's answer being the first."""
    second_looks: i4
    """The best turns, which are looked at once more, with an opponent who searches too."""


class AgentRecord(Record):
    """A built-in agent as kernels see it."""

    kind: i4
    brain: i4
    """Which of the brains on the desk is its own: the first, unless brains are compared."""
    rule_based: RuleBudget
    search: Budget
    weights: Annotated[Weights, WEIGHTS]


class Desk(Record):
    """Scratch memory of an agent that thinks. Nothing on it outlives a turn but the plan."""

    brains: Annotated[Records[Brain], 2]
    """What was learned; twice, for matches between agents that have learned different things."""
    plan: Plan
    legal: Annotated[Integers, "i8", MAX_ACTIONS]
    search: Annotated[Records[Search], 2]
    """The agent's own, and the one it imagines for the opponent."""
    tree: Tree


def new_desks(n: int = 1) -> Records[Desk]:
    """Desks for agents that use what was learned."""
    desks = new_records(Desk, n)
    desks["brains"] = learned_brain()
    return desks


@deferred_kernel
def plan_by_tree(agent: AgentRecord, rules: Rules, deck: Deck, s: State, desk: Desk, steps: int) -> int:
    """Plan the rest of a turn by a tree of turns: begin one, or, given steps, let it grow by that many turns.

    Returns whether it can grow further. The plan on the desk is the best so far.
    """
    brain, tree = desk.brains[agent.brain], desk.tree
    if steps == 0:
        plant(brain, agent.weights, rules, deck, tree, s, agent.search)
    more = bool(deepen(brain, agent.weights, rules, deck, tree, agent.search, steps))
    choose_turn(tree, desk.plan)
    return more


@shared_kernel
def plan_turn(agent: AgentRecord, rules: Rules, deck: Deck, s: State, desk: Desk, random: int) -> int:
    """Plan the rest of the current player's turn on the desk; returns the next state of the agent's generator.

    ``desk.plan`` holds the actions, END_TURN last, even if the match ends earlier.
    """
    plan = desk.plan
    begin_plan(plan, s)
    if agent.kind == RANDOM:
        return plan_randomly(rules, deck, plan, desk.legal, random)
    if agent.kind == GREEDY:
        plan_greedily(agent.weights, rules, deck, plan)
    elif agent.kind == SEARCHING:
        if plan_by_tree(agent, rules, deck, s, desk, 0):
            plan_by_tree(agent, rules, deck, s, desk, ALL_STEPS)
    else:
        b = agent.rule_based
        budget, depth, looks = int(b.answers), int(b.depth), int(b.second_looks)
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


@entry(AgentRecord, Rules, Deck, State, Desk, int)
def think(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    decks: Records[Deck],
    states: Records[State],
    desks: Records[Desk],
    steps: int,
) -> int:
    """Let a searching agent think step by step, for Python; see `plan_by_tree`."""
    return plan_by_tree(agents[0], rules[0], decks[0], states[0], desks[0], steps)


def prepare(agents: np.ndarray[Any, Any]) -> None:
    """Load what searching agents call, ahead of an entry that is about to be loaded: Ctrl-C stops it then."""
    if (agents["kind"] == SEARCHING).any():
        load_now(plan_by_tree)


class TapdeckKernelAgent(KernelAgent):
    """A built-in agent of Tapdeck."""

    def __init__(self, kernel: np.recarray[Any, Any], seed: int = 0) -> None:
        super().__init__(kernel, seed)
        self._desks = new_desks()
        prepare(kernel)
        self._planned: Integers = self._desks["plan"]["codes"][0]

    @property
    def imagined(self) -> int:
        """Turns that the search imagined for its last plan."""
        return max(0, int(self._desks["tree"]["nodes"]["visits"][0, 0]) - 1)

    @property
    def chance(self) -> float:
        """The chance to win that the search saw when it made its last plan, of the player whose turn it was."""
        return float(chance(int(self._desks["tree"]["nodes"]["value"][0, 0]) / UNIT))

    def act(self, view: TapdeckPosition) -> int:
        """The first action of the plan for the rest of the turn."""
        return self.plan(view)[0]

    def plan(self, view: TapdeckPosition) -> list[int]:
        """The rest of the current player's turn. It may be at any point: blocking open, mana gained, cards drawn."""
        if view.is_over:
            raise CallerError("the match is over: there is no turn to plan")
        arrays = self.kernel, view.edition.rules, view.decks, view.states, self._desks
        agent = self.kernel[0]
        if self.due is None or agent.kind != SEARCHING:
            plan(*arrays, self._random)
        else:
            stop = self.due[0] + float(agent.search.share) * (self.due[1] - self.due[0])
            more = think(*arrays, 0)
            while more and time.monotonic() < stop:
                more = think(*arrays, STEPS)
        return self._planned[: self._desks["plan"]["n"][0]].tolist()


def _kind(name: str, description: str, kind: int) -> AgentKind:
    """A built-in agent that decides in one of the ways above."""
    kernel = new_records(AgentRecord)
    kernel[0].kind = kind
    fill(kernel[0].weights, Weights())
    return kernel_kind(name, description, TapdeckKernelAgent, kernel)


def rule_based_kind(answers: int = 400, depth: int = 3, second_looks: int = 6) -> AgentKind:
    """The agent `rule-based`, or, with other numbers, one that is weaker or slower; see `RuleBudget`."""
    if not 1 <= answers <= 1_000_000:
        raise CallerError(f"an agent that looks at {answers} answers; allowed are 1 to 1,000,000")
    if not (1 <= depth <= 100 and 0 <= second_looks <= SHORTLIST):
        raise CallerError(f"depth {depth}, {second_looks} second looks; allowed are 1 to 100, and 0 to {SHORTLIST}")
    kind = _kind("rule-based", "thinks through its turn and the opponent's answer, by rules of thumb", RULE_BASED)
    return _with(kind, "rule_based", (answers, depth, second_looks))


_ROOT, _INNER = (300, 8, 8, 10), (60, 4, 4, 5)
"""`Effort` for the turn to be played, and for those that are imagined."""
CURIOSITY = 0.1


def searching_kind(
    turns: int, name: str = "search", description: str = "a tree of imagined turns, rated by what was learned"
) -> AgentKind:
    """An agent that imagines this many turns, its own and the opponent's, before it decides."""
    if not 0 <= turns <= MOST_TURNS:
        raise CallerError(f"a search that imagines {turns:,} turns; allowed are 0 to {MOST_TURNS:,}")
    return _with(_kind(name, description, SEARCHING), "search", (_ROOT, _INNER, turns, CURIOSITY, 0.5))


def _with(kind: AgentKind, field: str, values: tuple[Any, ...]) -> AgentKind:
    """The same agent with other numbers in a field of its record."""
    assert kind.kernel is not None
    kernel = duplicate(kind.kernel)
    kernel[field] = values
    return kernel_kind(kind.name, kind.description, TapdeckKernelAgent, kernel)


AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in [
        _kind("random", "any legal action, all equally likely", RANDOM),
        _kind("greedy", "blocks, plays and attacks where it pays at once", GREEDY),
        rule_based_kind(),
        searching_kind(12, "search-fast", "imagines a few answers and rates them by what it learned: 1 to 2 ms a turn"),
        searching_kind(120, "search", "imagines more than a hundred turns: the strongest built-in that is not slow"),
        searching_kind(3000, "search-max", "imagines thousands of turns, for matches with time to think"),
    ]
}
"""The built-in agents by name, the weakest first."""
