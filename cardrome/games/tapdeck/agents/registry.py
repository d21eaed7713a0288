"""Agents by name: the built-in ones, and any ``module:Class`` that Python can import."""

from __future__ import annotations

from cardrome.errors import CallerError, UnknownAgent
from cardrome.games.classes import find_class
from cardrome.games.tapdeck.agents.base import TapdeckAgent, TapdeckAgentKind, kernel_kind
from cardrome.games.tapdeck.agents.beam import SHORTLIST
from cardrome.games.tapdeck.agents.choose import GREEDY, RANDOM, SEARCHING

SEARCH_BUDGET = 400
"""Answers of the opponent that `search` looks at in a turn."""
SEARCH_DEPTH = 3
"""Turns that it plays on by the greedy agent's moves, the opponent's answer being the first."""
SECOND_LOOKS = 6
"""Its best turns that it looks at once more, with an opponent who searches too."""

TAPDECK_AGENTS: dict[str, TapdeckAgentKind] = {
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


def searching_kind(budget: int, depth: int = SEARCH_DEPTH, second_looks: int = SECOND_LOOKS) -> TapdeckAgentKind:
    """The agent `search` with another budget: the more of the opponent's answers it looks at, the slower it is.

    ``depth`` and ``second_looks`` are explained at `SEARCH_DEPTH` and `SECOND_LOOKS`.
    """
    if not 1 <= budget <= 1_000_000:
        raise CallerError(f"a search that looks at {budget} answers; allowed are 1 to 1,000,000")
    if not (1 <= depth <= 100 and 0 <= second_looks <= SHORTLIST):
        raise CallerError(f"depth {depth}, {second_looks} second looks; allowed are 1 to 100, and 0 to {SHORTLIST}")
    return kernel_kind("search", TAPDECK_AGENTS["search"].description, SEARCHING, budget, depth, second_looks)


def find_tapdeck_agent(name: str) -> TapdeckAgentKind:
    """The agent of that name, or the class that ``module:Class`` names."""
    if ":" in name:
        found = find_class(name, TapdeckAgent)
        return TapdeckAgentKind(name, found.description, found.make)
    try:
        return TAPDECK_AGENTS[name]
    except KeyError:
        raise UnknownAgent(name, TAPDECK_AGENTS) from None
