"""The bulk path itself: determinism, threads, progress, interruption."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from cardrome.engine.bulk import CHUNK, Interrupted
from cardrome.errors import CallerError
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.agents.helpers import kernels

SEEDS = np.arange(5 * CHUNK + 3) * 7919
EDITION = EDITIONS["locm-1.2"]


@pytest.mark.parametrize(
    ("edition", "a", "b"),
    [("locm-1.0", "random", "greedy"), ("locm-1.2", "greedy", "rule-based"), ("locm-1.5", "random", "random")],
)
def test_same_seeds_same_results_on_any_number_of_threads(edition: str, a: str, b: str) -> None:
    runs = [FAMILY.play_bulk(EDITIONS[edition], kernels(a, b), SEEDS, jobs=jobs) for jobs in (1, 2, 3)]
    for run in runs[1:]:
        assert run.tobytes() == runs[0].tobytes()


def test_a_game_does_not_depend_on_the_games_around_it() -> None:
    whole = FAMILY.play_bulk(EDITION, kernels("random", "greedy"), SEEDS)
    part = FAMILY.play_bulk(EDITION, kernels("random", "greedy"), SEEDS[40:50])
    assert whole[80:100].tobytes() == part.tobytes()


def test_pairs_are_mirrored() -> None:
    results = FAMILY.play_bulk(EDITION, kernels("greedy", "greedy"), SEEDS)
    assert np.array_equal(results.seed[::2], SEEDS)
    assert np.array_equal(results.seed[1::2], SEEDS)
    assert set(results.first[::2]) == {0}
    assert set(results.first[1::2]) == {1}
    # The agent knows no chance: against itself, the two games of a pair are one game seen from both sides.
    assert np.array_equal(results.winner[::2], 1 - results.winner[1::2])
    assert np.array_equal(results.actions[::2], results.actions[1::2])


def test_swapping_the_agents_swaps_the_winners() -> None:
    ab = FAMILY.play_bulk(EDITION, kernels("greedy", "rule-based"), SEEDS)
    ba = FAMILY.play_bulk(EDITION, kernels("rule-based", "greedy"), SEEDS)
    assert np.array_equal(ab.winner[::2], 1 - ba.winner[1::2])
    assert np.array_equal(ab.winner[1::2], 1 - ba.winner[::2])


def test_random_agents_part_ways() -> None:
    results = FAMILY.play_bulk(EDITION, kernels("random", "random"), SEEDS)
    assert len({(r.turns, r.actions) for r in results}) > len(SEEDS)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_counts_pairs(jobs: int) -> None:
    told: list[int] = []
    FAMILY.play_bulk(EDITION, kernels("random", "pass"), SEEDS, jobs, told.append)
    assert told[-1] == len(SEEDS)
    assert all(earlier < later for earlier, later in itertools.pairwise(told))


@pytest.mark.parametrize("jobs", [1, 2])
def test_interruption_keeps_what_is_finished(jobs: int) -> None:
    def stop(finished: int) -> None:
        if finished >= 2 * CHUNK:
            raise KeyboardInterrupt

    seeds = np.arange(200 * CHUNK)
    with pytest.raises(Interrupted) as caught:
        FAMILY.play_bulk(EDITION, kernels("random", "random"), seeds, jobs, stop)
    results = caught.value.games
    assert 4 * CHUNK <= len(results) < 400 * CHUNK
    assert set(results.winner) == {0, 1}
    again = FAMILY.play_bulk(EDITION, kernels("random", "random"), np.unique(results.seed))
    assert results.tobytes() == again.tobytes()


def test_no_seeds_no_games() -> None:
    assert len(FAMILY.play_bulk(EDITION, kernels("pass", "pass"), np.array([], np.int64), jobs=2)) == 0


def test_no_threads() -> None:
    with pytest.raises(CallerError, match="at least one thread"):
        FAMILY.play_bulk(EDITION, kernels("pass", "pass"), SEEDS, jobs=0)
