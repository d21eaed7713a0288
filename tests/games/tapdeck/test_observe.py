"""What a learner sees and does in Tapdeck."""

from __future__ import annotations

import functools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.learning.episodes import Observer
from cardrome.games.tapdeck.family import FAMILY
from cardrome.games.tapdeck.observe import BOARD, HAND, N_ACTIONS, code_of
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.edition import TAPDECK


@functools.cache
def observer() -> Observer:
    return Observer(FAMILY, FAMILY.encoding(TAPDECK, "match"))


def played(seed: int, agents: tuple[str, str], actions: int) -> TapdeckGame:
    """A match some way on."""
    game = TapdeckGame(TAPDECK, seed)
    players = [FAMILY.agents[name].new(seed) for name in agents]
    while not game.is_over and len(game.actions) < actions:
        for code in players[game.current].plan(game.view(game.current)):
            if len(game.actions) < actions and not game.is_over:
                game.try_play(int(code))
    return game


@given(st.integers(0, 1 << 60), st.sampled_from([("random", "greedy"), ("greedy", "greedy")]), st.integers(0, 250))
def test_actions_by_rows_are_the_legal_ones(seed: int, agents: tuple[str, str], actions: int) -> None:
    game = played(seed, agents, actions)
    if game.is_over:
        return
    observation, mask = observer().observe(game.view(game.current))
    low, high = observer().encoding.bounds()
    assert ((low <= observation) & (observation <= high)).all()
    codes = [code_of(game.decks[0], game.state, action) for action in np.flatnonzero(mask).tolist()]
    assert len(set(codes)) == len(codes)
    legal = game.legal_codes()
    fits = max(len(game.board(0)), len(game.board(1))) <= BOARD and len(game.hand(game.current)) <= HAND
    assert set(codes) == set(legal) if fits else set(codes) <= set(legal)
    blocks = observer().encoding.split(observation)
    for name, player in (("board", game.current), ("enemy_board", 1 - game.current)):
        board = game.board(player)[:BOARD]
        assert blocks[name][:, 0].tolist() == [1.0] * len(board) + [0.0] * (BOARD - len(board))
        assert (blocks[name][: len(board), 1] * 16).tolist() == [min(c.attack, 32) for c in board]
        assert (blocks[name][: len(board), 5] == 1).tolist() == [c.awake for c in board]
    for name, player in (("hand", game.current), ("enemy_hand", 1 - game.current)):
        hand = game.hand(player)[:HAND]
        assert (blocks[name][: len(hand), 9] * 16).tolist() == [min(card.cost, 32) for card in hand]


def test_the_ranges_are_all_actions() -> None:
    assert observer().encoding.n_actions == N_ACTIONS
