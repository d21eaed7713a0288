"""Who beats whom, on fixed decks and with generous margins."""

from __future__ import annotations

from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.agents.helpers import points


def test_greedy_beats_random() -> None:
    assert points("greedy", "random", pairs=300) > 0.97


def test_rule_based_beats_greedy() -> None:
    assert points("quick", "greedy", pairs=60) > 0.70
    assert points("rule-based", "greedy", pairs=15) > 0.75


def test_search_beats_rule_based() -> None:
    assert points("search-fast", "greedy", pairs=15) > 0.85
    assert points("search-fast", "quick", pairs=30) > 0.6


def test_other_numbers() -> None:
    edition = TapdeckEdition(initial_health=30, turns=40, draws=1, burns=0, hand_limit=5, deck_size=60)
    assert points("greedy", "random", pairs=100, edition=edition) > 0.9
    assert points("quick", "greedy", pairs=30, edition=edition) > 0.55
    assert points("search-fast", "greedy", pairs=15, edition=edition) > 0.55
