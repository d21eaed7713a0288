"""Rare positions to check bots with."""

from __future__ import annotations

import pytest

from cardrome.games.locm.edges import EDGES, Supply
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import EDITIONS, LocmEdition
from tests.games.locm.games import new_game


def edges(edition: LocmEdition) -> dict[str, LocmGame]:
    """All edge positions for player 1, after random deck building."""
    game = new_game(edition.name, seed=5)
    while game.phase != "battle":
        codes = game.legal_codes()
        game.push(codes[len(game.actions) % len(codes)])
    built = {name: build(Supply(game, 1)) for name, build in EDGES.items()}
    return {name: position for name, position in built.items() if position is not None}


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_edge_positions_are_what_they_promise(edition: LocmEdition) -> None:
    found = edges(edition)
    full = found["full boards and a full hand"].state.players
    assert [(int(p.n_lane.sum()), int(p.n_hand)) for p in full] == [(6, 8), (6, 8)]
    assert found["health above the start"].health == (57, 57)
    assert found["an empty hand"].state.players[1].n_hand == 0
    assert found["nothing to do"].legal_actions == ["PASS"]
    assert found["empty decks"].state.players["n_deck"].tolist() == [0, 0]
    dead = found["health below 0 at the start of the turn"]
    call = Dialogue(dead).call
    assert call is not None
    assert call.lines[0].startswith("-3 ")
    if edition.shows_actions:
        assert found["many actions of the opponent"].input_text().splitlines()[2].endswith(" 40")
    assert all(game.current == 1 for game in found.values())
