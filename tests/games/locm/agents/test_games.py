"""Whole games: every agent, in every edition, to the end, by legal actions; through Python and in bulk alike."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from cardrome.engine.random import player_seed
from cardrome.games.locm.agents.registry import AGENTS, LocmKernelAgent
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import DECK_SIZE, EDITIONS, PASS
from tests.games.locm.agents.helpers import INSTANT, finish, kernels
from tests.games.locm.games import KINDS, new_game

PAIRINGS = list(itertools.combinations_with_replacement(INSTANT, 2))


def battle_actions(game: LocmGame) -> int:
    """The actions of a finished game that are counted: those of the battle, but for PASS."""
    return sum(code != PASS for code in game.actions[2 * DECK_SIZE :])


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_end_in_bulk(edition: str) -> None:
    for a, b in PAIRINGS:
        results = FAMILY.play_bulk(EDITIONS[edition], kernels(a, b), np.arange(20))
        assert len(results) == 40
        assert set(results.winner) <= {0, 1}, (a, b)
        assert results.turns.min() > 0, (a, b)
        assert results.turns.max() <= 2 * (EDITIONS[edition].turn_limit + 7), (a, b)
        assert np.all(results.actions >= 0), (a, b)
        assert np.any(results.actions > 0) == ((a, b) != ("pass", "pass"))


@pytest.mark.parametrize("edition", KINDS)
@pytest.mark.parametrize(("a", "b"), PAIRINGS)
def test_bulk_games_are_those_of_the_python_agents(edition: str, a: str, b: str) -> None:
    seed = 5
    results = FAMILY.play_bulk(EDITIONS[edition], kernels(a, b), np.array([seed]))
    players = [LocmKernelAgent(kernel) for kernel in kernels(a, b)]
    for result in results:
        for p in (0, 1):
            players[p].begin(player_seed(seed, p))
        first = int(result.first)
        game = finish(new_game(edition, seed=seed), players[first], players[1 - first])
        assert game.winner is not None
        assert game.winner ^ first == result.winner
        assert game.turn + 1 == result.turns
        assert battle_actions(game) == result.actions


def test_extreme_seeds() -> None:
    seeds = np.array([0, -1, np.iinfo(np.int64).min, np.iinfo(np.int64).max])
    results = FAMILY.play_bulk(EDITIONS["locm-1.2"], kernels("random", "greedy"), seeds)
    assert np.array_equal(results.seed[::2], seeds)
    for result in results[6:]:
        seed, first = int(result.seed), int(result.first)
        players = [AGENTS[name].new(player_seed(seed, p)) for p, name in enumerate(("random", "greedy"))]
        game = finish(new_game("locm-1.2", seed=seed), players[first], players[1 - first])
        assert battle_actions(game) == result.actions
