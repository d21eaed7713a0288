"""The examples of the rulebook, played on the engine."""

from __future__ import annotations

import json

import pytest

import cardrome
from cardrome.games.rulebooks import example_data
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rulebook import PACKAGE, example_position
from cardrome.games.tapdeck.rules.edition import TAPDECK


@pytest.mark.parametrize("name", example_data(PACKAGE))
def test_an_example_comes_out_as_the_text_says(name: str) -> None:
    data = example_data(PACKAGE)[name]
    game = cardrome.from_json(json.dumps(example_position(TAPDECK, name)))
    assert isinstance(game, TapdeckGame)
    assert not set(data.get("refused", ())) & set(game.legal_actions)
    for action in data["actions"]:
        game.push(action)
    assert not set(data.get("refused_then", ())) & set(game.legal_actions)
    sides = [[f"{each.attack}/{each.health}" for each in game.board(p)] for p in (0, 1)]
    found = {"me": sides[0], "foe": sides[1], "health": list(game.health), "mana": game.mana}
    found |= {"hand": len(game.hand(game.current)), "scores": game.outcome and list(game.outcome.scores)}
    assert {key: found[key] for key in data["after"]} == data["after"]
    assert {"me", "foe", "health"} <= set(data["after"])
