"""The games of an assistant: what is told of them, and when."""

from __future__ import annotations

import pytest

from cardrome.assistant.games import AssistantGames


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
def test_a_seed_that_was_drawn_is_told_when_the_game_is_over(edition: str) -> None:
    games = AssistantGames()
    begun = games.start(edition, "random", 0, None).partition("\n")[0]
    assert begun.endswith("against random, your turn")
    assert "seed" not in games.listed()
    games.resign(1)
    assert ", seed " in games.listed()


def test_a_seed_that_was_given_is_told_at_once() -> None:
    games = AssistantGames()
    assert ", seed 5, your turn" in games.start("locm-1.2", "random", 0, 5)
