"""One decision of any built-in agent: `choose_action` asks the agent that a record names.

Agents decide from a view, a state and a deal from which `hide_from` and `hide_deal` removed what they may not know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.kernel import entry, large_kernel, record
from cardrome.games.locm.agents.draft import choose_card
from cardrome.games.locm.agents.greedy import choose_greedy, try_actions
from cardrome.games.locm.agents.rule_based import PLAN, choose_by_rules
from cardrome.games.locm.agents.simple import choose_first, choose_random
from cardrome.games.locm.agents.weights import WEIGHTS
from cardrome.games.locm.rules.edition import MAX_ACTIONS, RULES
from cardrome.games.locm.rules.legal import list_actions
from cardrome.games.locm.rules.state import BATTLE, DEAL, STATE

PASSING, RANDOM, GREEDY, RULE_BASED = range(4)
"""How an agent decides."""

AGENT = record(("kind", "i1"), ("weights", WEIGHTS))
"""A built-in agent as kernels see it."""

DESK = record(
    ("codes", "i2", (MAX_ACTIONS,)),
    ("values", "i4", (MAX_ACTIONS,)),
    ("trials", STATE, (MAX_ACTIONS,)),
    ("plan", PLAN),
)
"""Scratch memory of an agent that thinks: the legal actions, where each leads and what that is worth. Nothing on it
outlives a decision."""


@large_kernel
def choose_action(agent: Any, rules: Any, deal: Any, view: Any, desk: Any, random: int) -> tuple[int, int]:
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


@entry(AGENT, RULES, DEAL, STATE, DESK, np.int64)
def decide(agents: Any, rules: Any, deals: Any, views: Any, desks: Any, random: Any) -> int:
    """One decision, for Python: the action's code; the generator's state in ``random`` moves on."""
    random[0], action = choose_action(agents[0], rules[0], deals[0], views[0], desks[0], int(random[0]))
    return action
