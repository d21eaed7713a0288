"""One decision of any built-in agent: `choose_action` asks the agent that a record names.

Agents decide from a view, a state and a deal from which `hide_from` and `hide_deal` removed what they may not know.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cardrome.engine.kernel import entry, large_kernel
from cardrome.engine.records import Integers, Record, Records, i1
from cardrome.games.locm.agents.draft import choose_card
from cardrome.games.locm.agents.greedy import choose_greedy, try_actions
from cardrome.games.locm.agents.rule_based import Plan, choose_by_rules
from cardrome.games.locm.agents.simple import choose_first, choose_random
from cardrome.games.locm.agents.weights import WEIGHTS, Weights
from cardrome.games.locm.rules.edition import MAX_ACTIONS, Rules
from cardrome.games.locm.rules.legal import list_actions
from cardrome.games.locm.rules.state import BATTLE, DealRecord, State

PASSING, RANDOM, GREEDY, RULE_BASED = range(4)
"""How an agent decides."""


class AgentRecord(Record):
    """A built-in agent as kernels see it."""

    kind: i1
    weights: Annotated[Weights, WEIGHTS]


class Desk(Record):
    """Scratch memory of an agent that thinks. Nothing on it outlives a decision."""

    codes: Annotated[Integers, "i2", MAX_ACTIONS]
    """The legal actions, below what each is worth and where it leads."""
    values: Annotated[Integers, "i4", MAX_ACTIONS]
    trials: Annotated[Records[State], MAX_ACTIONS]
    plan: Plan


@large_kernel
def choose_action(
    agent: AgentRecord, rules: Rules, deal: DealRecord, view: State, desk: Desk, random: int
) -> tuple[int, int]:
    """The next state of an agent's generator and the action it takes. The view is that of the player to move."""
    kind = int(agent.kind)
    if kind == RANDOM:
        return choose_random(rules, deal, view, random)
    n = int(list_actions(rules, deal, view, desk.codes))
    if kind == PASSING:
        return random, choose_first(desk.codes)
    if view.phase != BATTLE:
        return random, choose_card(agent.weights, rules, deal, view, desk.codes, n)
    codes, values, trials = desk.codes, desk.values, desk.trials
    try_actions(agent.weights, rules, deal, view, codes, n, trials, values)
    if kind == GREEDY:
        return random, choose_greedy(codes, n, values)
    return random, choose_by_rules(agent.weights, rules, deal, view, codes, n, trials, values, desk.plan)


@entry(AgentRecord, Rules, DealRecord, State, Desk, np.int64)
def decide(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    deals: Records[DealRecord],
    views: Records[State],
    desks: Records[Desk],
    random: Integers,
) -> int:
    """One decision, for Python: the action's code; the generator's state in ``random`` moves on."""
    random[0], action = choose_action(agents[0], rules[0], deals[0], views[0], desks[0], int(random[0]))
    return action
