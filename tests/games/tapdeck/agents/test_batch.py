"""The bulk path: determinism, threads, mirrored pairs, and the same matches as through Python."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.engine.bulk import CHUNK, DRAWN, Interrupted
from cardrome.engine.random import player_seed
from cardrome.errors import CallerError
from cardrome.games.tapdeck.family import FAMILY
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition
from tests.games.tapdeck.agents.helpers import finish, kernels, new_agent

SEEDS = np.arange(2 * CHUNK + 3) * 7919


@pytest.mark.parametrize(("a", "b", "pairs"), [("random", "greedy", len(SEEDS)), ("quick", "greedy", 12)])
def test_same_seeds_same_results_on_any_number_of_threads(a: str, b: str, pairs: int) -> None:
    runs = [FAMILY.play_bulk(TAPDECK, kernels(a, b), SEEDS[:pairs], jobs=jobs) for jobs in (1, 1, 2, 3)]
    for run in runs[1:]:
        assert run.tobytes() == runs[0].tobytes()


def test_a_match_does_not_depend_on_those_around_it() -> None:
    whole = FAMILY.play_bulk(TAPDECK, kernels("random", "greedy"), SEEDS)
    part = FAMILY.play_bulk(TAPDECK, kernels("random", "greedy"), SEEDS[40:50])
    assert whole[80:100].tobytes() == part.tobytes()


def test_pairs_are_mirrored() -> None:
    results = FAMILY.play_bulk(TAPDECK, kernels("greedy", "greedy"), SEEDS)
    assert np.array_equal(results.seed[::2], SEEDS)
    assert set(results.first[::2]) == {0}
    assert set(results.first[1::2]) == {1}
    # The agent knows no chance: against itself, the two matches of a pair are one match seen from both sides.
    assert np.array_equal(results.score_a[::2], results.score_b[1::2])
    assert np.array_equal(results.actions[::2], results.actions[1::2])


def test_winners_are_those_of_the_scores() -> None:
    results = FAMILY.play_bulk(TAPDECK, kernels("random", "random"), SEEDS)
    assert set(results.winner) == {0, 1, DRAWN}
    assert np.array_equal(results.winner == 0, results.score_a > results.score_b)
    assert np.array_equal(results.winner == DRAWN, results.score_a == results.score_b)
    assert np.all(results.score_a + results.score_b == 3 * TAPDECK.initial_health)
    assert results.turns.max() == TAPDECK.turns


@pytest.mark.parametrize(("a", "b"), [("random", "random"), ("greedy", "random"), ("quick", "greedy")])
@pytest.mark.parametrize("edition", [TAPDECK, TapdeckEdition(30, 20, 3, 0, 4, 60)])
def test_bulk_matches_are_those_of_the_python_agents(a: str, b: str, edition: TapdeckEdition) -> None:
    seed = 5
    agents = [new_agent(a), new_agent(b)]
    for result in FAMILY.play_bulk(edition, kernels(a, b), np.array([seed])):
        for p in (0, 1):
            agents[p].begin(player_seed(seed, p))
        first = int(result.first)
        match = TapdeckGame(edition, seed)
        actions = finish(match, agents[first], agents[1 - first])
        assert match.outcome is not None
        assert match.outcome.scores == (result.score_a, result.score_b)[:: 1 - 2 * first]
        assert sum(action_kind(code) != END_TURN for code in actions) == result.actions
        assert min(match.turn + 1, edition.turns) == result.turns


def test_interruption_keeps_what_is_finished() -> None:
    def stop(finished: int) -> None:
        if finished >= CHUNK:
            raise KeyboardInterrupt

    seeds = np.arange(100 * CHUNK)
    with pytest.raises(Interrupted) as caught:
        FAMILY.play_bulk(TAPDECK, kernels("random", "random"), seeds, 2, stop)
    results = caught.value.games
    assert 2 * CHUNK <= len(results) < 200 * CHUNK
    assert set(results.winner) == {0, 1, DRAWN}


def test_no_threads() -> None:
    with pytest.raises(CallerError, match="at least one thread"):
        FAMILY.play_bulk(TAPDECK, kernels("random", "random"), SEEDS, jobs=0)
