"""Agents by name: the built-in ones, and any ``module:Class`` that Python can import."""

from __future__ import annotations

from cardrome.errors import UnknownAgent
from cardrome.games.classes import find_class
from cardrome.games.locm.agents.base import Agent, AgentKind, kernel_kind
from cardrome.games.locm.agents.choose import GREEDY, PASSING, RANDOM, RULE_BASED
from cardrome.games.locm.agents.weights import GREEDY_WEIGHTS, NO_WEIGHTS, RULE_BASED_WEIGHTS

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


def find_agent(name: str) -> AgentKind:
    """The agent of that name, or the class that ``module:Class`` names."""
    if ":" in name:
        found = find_class(name, Agent)
        return AgentKind(name, found.description, found.make)
    try:
        return AGENTS[name]
    except KeyError:
        raise UnknownAgent(name, AGENTS) from None
