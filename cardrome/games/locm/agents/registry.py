"""The built-in agents by name."""

from __future__ import annotations

from cardrome.games.agents import AgentKind
from cardrome.games.locm.agents.base import kernel_kind
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
