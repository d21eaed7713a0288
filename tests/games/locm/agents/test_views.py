"""Agents decide from what they may know: other hidden cards, same decision."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.cards import HIDDEN
from cardrome.games.locm.rules.edition import DECK_SIZE
from tests.games.locm.agents.helpers import INSTANT
from tests.games.locm.games import KINDS, new_game

SEED = 11


def scramble(game: LocmGame, rng: np.random.Generator) -> LocmGame:
    """The same game to the player who is to move, but with other hidden cards, another deck order, other seeds."""
    twin = game.copy()
    me, foe = twin.state.players[twin.current], twin.state.players[1 - twin.current]
    deal = twin.deals[0]
    deal.shuffle_seed[:] = rng.integers(1 << 40, size=2)
    n = int(deal.n_cards)
    if twin.phase == "battle":
        foe.hand["card"][: foe.n_hand] = rng.integers(n, size=foe.n_hand)
        foe.deck["card"][DECK_SIZE - foe.n_deck :] = rng.integers(n, size=foe.n_deck)
        unseen = slice(DECK_SIZE - me.n_deck, DECK_SIZE)
        order = rng.permutation(int(me.n_deck))
        me.deck["card"][unseen] = me.deck["card"][unseen][order]
        if not twin.edition.ids_by_deck_position:
            me.deck["id"][unseen] = me.deck["id"][unseen][order]
    else:
        foe.deck["card"][: foe.n_deck] = rng.integers(n, size=foe.n_deck)
        if not twin.edition.constructed:
            deal.offers[me.n_deck + 1 :, :3] = rng.integers(n, size=(DECK_SIZE - int(me.n_deck) - 1, 3))
    return twin


@pytest.mark.parametrize("edition", ["locm-1.0", "locm-1.2", "locm-1.5"])
@pytest.mark.parametrize("name", INSTANT)
def test_hidden_cards_do_not_change_a_decision(edition: str, name: str) -> None:
    rng = np.random.default_rng(SEED)
    game = new_game(edition, seed=SEED)
    compared = 0
    mover = AGENTS["greedy"].new()
    for move in range(400):
        if game.to_move is None:
            break
        twin = scramble(game, rng)
        assert twin.view(game.to_move) == game.view(game.to_move)
        decisions = {AGENTS[name].new(move).act(g.view(game.to_move)) for g in (game, twin)}
        assert len(decisions) == 1
        compared += twin.states.tobytes() != game.states.tobytes()
        game.push(mover.act(game.view(game.to_move)))
    assert game.to_move is None
    assert compared > 50


@pytest.mark.parametrize("edition", KINDS)
@pytest.mark.parametrize("name", INSTANT)
def test_deciding_leaves_the_view_alone(edition: str, name: str) -> None:
    game = new_game(edition, seed=SEED)
    agent = AGENTS[name].new(SEED)
    while game.to_move is not None:
        view = game.view(game.to_move)
        before = view.copy()
        code = agent.act(view)
        assert view == before
        game.push(code)


def test_views_hide_the_opponents_hand() -> None:
    game = new_game("locm-1.2", seed=SEED)
    while game.phase != "battle":
        game.push(0)
    view = game.view(0)
    assert set(view.state.players[1].hand["card"][:5].tolist()) == {HIDDEN}
