"""One turn of any built-in agent: `plan_turn` asks the agent that a record names."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cardrome.engine.kernel import entry, large_kernel
from cardrome.engine.records import Integers, Record, Records, i4
from cardrome.games.tapdeck.agents.beam import Search
from cardrome.games.tapdeck.agents.greedy import plan_greedily
from cardrome.games.tapdeck.agents.plan import Plan, begin_plan
from cardrome.games.tapdeck.agents.search import plan_twice
from cardrome.games.tapdeck.agents.simple import plan_randomly
from cardrome.games.tapdeck.agents.weights import WEIGHTS, Weights
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import MAX_ACTIONS
from cardrome.games.tapdeck.rules.state import State

RANDOM, GREEDY, SEARCHING = range(3)
"""How an agent decides."""


class AgentRecord(Record):
    """A built-in agent as kernels see it. `cardrome.games.tapdeck.agents.registry` says what its numbers mean."""

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


@large_kernel
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


@entry(AgentRecord, Rules, Deck, State, Desk, np.int64, np.int64, int)
def plan(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    decks: Records[Deck],
    states: Records[State],
    desks: Records[Desk],
    random: Integers,
    codes: Integers,
    i: int,
) -> int:
    """Plan a turn in match ``i``, for Python: writes the actions' codes and returns how many there are; the
    generator's state in ``random`` moves on."""
    desk = desks[0]
    random[0] = plan_turn(agents[0], rules[0], decks[0], states[i], desk, int(random[0]))
    n = int(desk.plan.n)
    for k in range(n):
        codes[k] = desk.plan.codes[k]
    return n
