"""Legal is what the engine accepts: the list, the mask and `apply` are three ways to say one thing."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cardrome.bench import kernels
from cardrome.bench.kernels import mask_many
from cardrome.engine.random import below, step
from cardrome.engine.records import new_records
from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import blank_deals
from cardrome.games.locm.rules.edition import MAX_ACTIONS, find_edition
from cardrome.games.locm.rules.legal import random_battle_action
from cardrome.games.locm.rules.state import BATTLE, NOBODY, new_states
from tests.properties.invariants import check_state
from tests.properties.scripts import ANY_EDITION, Script, scripts

OUTSIDE = (-1, -2, -128, -(1 << 31), -(1 << 62), 160, 255, 256, 1 << 15, 1 << 16, 1 << 31, 1 << 32, (1 << 63) - 1)
"""Codes that mean nothing anywhere; some would be small numbers if they were cut to fewer bits."""


@settings(max_examples=settings().max_examples // 2)
@given(scripts())
def test_mask_list_and_apply_agree(script: Script) -> None:
    game = script.played()
    edition, n = game.edition, game.edition.n_actions
    codes, mask = np.zeros(MAX_ACTIONS + 1, np.int16), np.ones(n, np.uint8)
    count = mask_many(edition.rules, game.deals, game.states, codes, mask, 1)
    listed = game.legal_codes()
    assert listed == sorted(set(listed))
    assert count == len(listed)
    assert np.flatnonzero(mask).tolist() == listed == np.flatnonzero(game.legal_mask()).tolist()
    assert (listed == []) == (game.winner is not None)

    before = game.states.tobytes()
    accepted = []
    for code in (*range(-3, n + 20), *OUTSIDE):
        states = game.states.copy()
        if actions.apply(edition.rules, game.deals, states, 0, 0, code):
            accepted.append(code)
            assert states.tobytes() != before
            check_state(edition, game.deals[0], states[0])
        else:
            assert states.tobytes() == before, "a refused action changes nothing"
    assert accepted == listed


@given(scripts(low=50))
def test_text_and_code_are_inverse(script: Script) -> None:
    game = script.game()
    for _ in script.actions(game):
        pass
    for code in game.legal_codes():
        assert game.action_code(game.action_text(code)) == code
    texts = game.legal_actions
    assert len(set(texts)) == len(texts)


@given(scripts(low=60), st.integers(0, (1 << 62) - 1))
def test_a_random_action_is_one_of_the_list(script: Script, random: int) -> None:
    """Picking without a list picks what the list would hold at that number."""
    game = script.played()
    assume(game.phase == "battle" and game.winner is None)
    listed = game.legal_codes()
    for _ in range(20):
        state, action = random_battle_action(game.edition.rules[0], game.deals[0], game.state, random)
        random, k = below(random, len(listed))
        assert (state, action) == (random, listed[k])


@given(ANY_EDITION, st.integers(0, 1 << 40), st.integers(1, 5))
def test_games_of_the_batch_simulator(name: str, seed: int, games: int) -> None:
    edition = find_edition(name)
    deals, states, work = blank_deals(edition), new_states(), new_records(Workshop)
    actions = kernels.play_random_games(edition.rules, deals, states, work, games, step(seed))
    assert actions > games
    assert states[0].phase == BATTLE
    assert states[0].winner != NOBODY
    check_state(edition, deals[0], states[0])
