"""The examples of the rulebook, played on the engine in every edition that tells them."""

from __future__ import annotations

import json

import pytest

import cardrome
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rulebook import PACKAGE, example_actions, example_position, examples, facts
from cardrome.games.locm.rules.edition import EDITIONS, LocmEdition
from cardrome.games.rulebooks import example_data, fill_in


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_example_comes_out_as_the_text_says(edition: LocmEdition) -> None:
    told = examples(edition)
    fill_in(PACKAGE, "en", facts(edition), told)
    assert "story" in told.told
    for name in sorted(told.told):
        data = example_data(PACKAGE)[name]
        game = cardrome.from_json(json.dumps(example_position(edition, name)))
        assert isinstance(game, LocmGame)
        assert not set(data.get("refused", ())) & set(game.legal_actions), name
        for action in example_actions(edition, data["actions"]):
            game.push(action)
        assert not set(data.get("refused_then", ())) & set(game.legal_actions), name
        after, mover = data["after"], game.players[game.current]
        sides = [[f"{each.attack}/{each.defense} {each.keywords}".strip() for each in p.board] for p in game.players]
        found = {"me": sides[0], "foe": sides[1], "health": list(game.health)}
        found |= {"mana": mover.mana, "hand": len(mover.hand), "deck": game.deck_size(game.current)}
        found["winner"] = game.winner
        assert {key: found[key] for key in after} == after, name
        assert {"me", "foe", "health"} <= set(after)


def test_facts_of_the_text_are_those_of_the_rules() -> None:
    """Numbers that no field of an edition holds: a new game has them."""
    for edition in EDITIONS.values():
        told, game = facts(edition), cardrome.new_game(edition.name, seed=1)
        assert isinstance(game, LocmGame)
        while game.phase != "battle":
            game.push(game.legal_codes()[0])
        # The first player has drawn their first card by now.
        assert [len(side.hand) for side in game.players] == [told["first_hand"] + 1, told["second_hand"]]
        assert game.players[0].mana == told["start_mana"]
        assert game.deck_size(1) == told["deck_size"] - told["second_hand"]
        game.push("PASS")
        assert game.players[1].mana == told["start_mana"] + told["bonus_mana"]
