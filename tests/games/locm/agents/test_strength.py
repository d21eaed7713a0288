"""Who beats whom, on fixed deals and with generous margins."""

from __future__ import annotations

import pytest

from tests.games.locm.agents.helpers import wins

EVERY_KIND = ["locm-1.0-wood3", "locm-1.0", "locm-1.0-multi", "locm-1.2", "locm-1.5"]


@pytest.mark.parametrize("edition", EVERY_KIND)
@pytest.mark.parametrize(
    ("stronger", "weaker", "least"),
    [
        ("random", "pass", 0.95),
        ("greedy", "random", 0.90),
        ("rule-based", "random", 0.95),
        ("rule-based", "greedy", 0.55),
    ],
)
def test_strength(edition: str, stronger: str, weaker: str, least: float) -> None:
    assert wins(edition, stronger, weaker, pairs=300) > least
