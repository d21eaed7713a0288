"""The built-in agents by name."""

from __future__ import annotations

from cardrome.errors import CallerError
from cardrome.games.agents import AgentKind
from cardrome.games.tapdeck.agents.base import kernel_kind
from cardrome.games.tapdeck.agents.beam import SHORTLIST
from cardrome.games.tapdeck.agents.choose import GREEDY, RANDOM, SEARCHING

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
