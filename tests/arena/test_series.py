"""Series: the same seed, the same result, however the games are spread."""

import sys
import tracemalloc
from pathlib import Path
from typing import Any, cast

import pytest

from cardrome.arena.play import fill, play_one
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import BotSettings, PlayerSpec
from cardrome.arena.result import SeriesResult
from cardrome.arena.series import play_series
from cardrome.arena.sprt import LOOK_EVERY, Decision, Sprt
from cardrome.engine.bulk import deal_seeds, mirrored_games
from cardrome.errors import CallerError, UnknownAgent
from cardrome.games.locm.protocol.replay import LocmReplay
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, LOCM_12, LocmEdition
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.arena.bots import PYTHON, faulty_bot, passing_bot

HASTY = "tests.arena.agents_here:Hasty"


def same_games(one: SeriesResult, other: SeriesResult) -> bool:
    return one.games.tobytes() == other.games.tobytes()


def test_a_longer_series_begins_with_the_same_deals() -> None:
    assert deal_seeds(5, 10).tolist() == deal_seeds(5, 30).tolist()[:10]
    assert len(set(deal_seeds(5, 1000).tolist()) | set(deal_seeds(6, 1000).tolist())) == 2000


def test_negative_and_large_seeds_are_fine() -> None:
    assert len(set(deal_seeds(-1, 3).tolist()) | set(deal_seeds((1 << 63) - 1, 3).tolist())) == 6


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_jobs_do_not_change_the_result(edition: LocmEdition) -> None:
    one, two = (play_series(edition, "greedy", "random", 70, seed=3, jobs=jobs) for jobs in (1, 2))
    assert same_games(one, two)
    assert not same_games(one, play_series(edition, "greedy", "random", 70, seed=4))


def test_a_player_against_itself_splits_every_pair() -> None:
    result = play_series(LOCM_12, "greedy", "greedy", 50, seed=1)
    assert result.pair_counts == (0, 50, 0)
    assert result.win_rate.value == 0.5


def test_swapping_the_players_mirrors_the_result() -> None:
    one = play_series(LOCM_12, "greedy", "rule-based", 100, seed=1)
    other = play_series(LOCM_12, "rule-based", "greedy", 100, seed=1)
    assert one.wins == other.wins[::-1]
    assert one.pair_counts == other.pair_counts[::-1]


def test_summary_adds_up() -> None:
    result = play_series(LOCM_12, "random", "greedy", 40, seed=2)
    summary = result.summary()
    assert summary["games"] == 80 == sum(summary["wins"])
    assert sum(summary["pairs"].values()) == 40
    assert summary["win_rate"] == summary["wins"][0] / 80
    assert summary["complete"] is True
    assert summary["asked_games"] == 80
    assert summary["elo_95"][0] <= summary["elo"] < summary["elo_95"][1] < 0
    assert 0 <= summary["likelihood_of_superiority"] < 0.01
    assert summary["sprt"] is summary["openings"] is None


def test_built_in_agents_play_the_same_games_through_python() -> None:
    fast = play_series(LOCM_12, "rule-based", "greedy", 2, seed=5).games
    slow = mirrored_games(deal_seeds(5, 2))
    specs = PlayerSpec(0, "A", "rule-based"), PlayerSpec(1, "B", "greedy")
    for game in slow:
        fill(game, play_one("locm-1.2", specs, LocmDeal(int(game.seed)), int(game.first), BotSettings()))
    assert slow.tobytes() == fast.tobytes()


@pytest.mark.parametrize("jobs", [1, 2])
def test_numbers_of_ones_own_are_played_by_in_bulk_and_one_by_one(jobs: int) -> None:
    edition = TapdeckEdition(turns=6, initial_health=4)
    bulk = play_series(edition, "random", "greedy", 2, 3)
    single = play_series(edition, "random", "tests.arena.agents_here:Greedy", 2, 3, jobs=jobs)
    assert bulk.games.turns.max() <= 6
    for column in ("winner", "turns", "actions", "score_a"):
        assert bulk.games[column].tolist() == single.games[column].tolist()


def test_progress_reaches_the_end() -> None:
    seen: list[int] = []
    play_series(LOCM_12, "random", "random", 100, seed=1, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 100


def test_ctrl_c_keeps_the_finished_pairs() -> None:
    def stop(finished: int) -> None:
        if finished >= 40:
            raise KeyboardInterrupt

    result = play_series(LOCM_12, "random", "random", 1000, seed=1, progress=stop)
    assert result.interrupted
    assert 40 <= len(result.games) // 2 < 1000
    whole = play_series(LOCM_12, "random", "random", 1000, seed=1)
    assert result.games.tobytes() == whole.games[: len(result.games)].tobytes()


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_the_finished_pairs_of_python_agents(jobs: int) -> None:
    def stop(finished: int) -> None:
        if finished >= 2:
            raise KeyboardInterrupt

    result = play_series(LOCM_12, HASTY, "random", 30, seed=9, jobs=jobs, progress=stop, sprt=Sprt(0, 10))
    assert result.interrupted
    assert len(result.games) == 4
    assert result.sprt is not None
    assert result.sprt.decision is Decision.CONTINUE
    assert result.games.tobytes() == play_series(LOCM_12, HASTY, "random", 2, seed=9).games.tobytes()


@pytest.mark.parametrize("a", ["random", HASTY])
def test_memory_does_not_grow_with_the_games_asked_for(a: str) -> None:
    def stop(finished: int) -> None:
        raise KeyboardInterrupt

    play_series(LOCM_12, a, "random", 1, seed=1)  # loads what is loaded late
    tracemalloc.start()
    try:
        result = play_series(LOCM_12, a, "random", 10**9, seed=1, progress=stop)
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.interrupted
    assert result.asked_pairs == 10**9
    assert used < 10 << 20


def test_ctrl_c_with_several_jobs_keeps_a_series_without_gaps() -> None:
    def stop(finished: int) -> None:
        if finished >= 500:
            raise KeyboardInterrupt

    result = play_series(LOCM_12, "random", "random", 5000, seed=1, jobs=2, progress=stop)
    assert result.interrupted
    whole = play_series(LOCM_12, "random", "random", len(result.games) // 2, seed=1)
    assert same_games(result, whole)


@pytest.mark.parametrize("edition", [LOCM_12, EDITIONS["locm-1.5"]], ids=lambda edition: edition.name)
def test_a_test_ends_at_the_same_pair_whatever_the_jobs(edition: LocmEdition) -> None:
    one, two = (
        play_series(edition, "rule-based", "greedy", 20_000, seed=2, jobs=jobs, sprt=Sprt(0, 10)) for jobs in (1, 2)
    )
    assert same_games(one, two)
    assert one.summary() == two.summary()
    assert not one.interrupted
    assert len(one.games) // 2 % LOOK_EVERY == 0
    assert one.sprt is not None
    assert one.sprt.decision is Decision.H1
    shorter = play_series(edition, "rule-based", "greedy", len(one.games) // 2 - LOOK_EVERY, seed=2, sprt=Sprt(0, 10))
    assert shorter.sprt is not None
    assert shorter.sprt.decision is Decision.CONTINUE
    assert not shorter.interrupted


def test_a_test_of_python_agents_ends_at_the_same_pair() -> None:
    one, two = (play_series(LOCM_12, HASTY, "pass", 500, seed=2, jobs=jobs, sprt=Sprt(0, 200)) for jobs in (1, 2))
    assert same_games(one, two)
    assert len(one.games) == 2 * LOOK_EVERY
    fast = play_series(LOCM_12, "greedy", "pass", 500, seed=2, sprt=Sprt(0, 200))
    assert len(fast.games) == 2 * LOOK_EVERY


def test_a_series_that_ends_undecided_is_complete() -> None:
    result = play_series(LOCM_12, "greedy", "greedy", 40, seed=2, sprt=Sprt(-1, 1))
    assert not result.interrupted
    assert result.sprt is not None
    assert result.sprt.decision is Decision.CONTINUE
    assert result.sprt.llr == pytest.approx(0)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tests.arena.agents_here:Wrong", "10000 is not legal here"),
        ("tests.arena.agents_here:Broken", "ZeroDivisionError: on purpose"),
    ],
)
def test_a_faulty_python_agent_is_named(name: str, message: str) -> None:
    with pytest.raises(CallerError, match=message):
        play_series(LOCM_12, name, "pass", 1, seed=1)


def test_unknown_agents_are_refused() -> None:
    with pytest.raises(UnknownAgent, match="did you mean greedy"):
        play_series(LOCM_12, "gredy", "pass", 1, seed=1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"pairs": 0}, "pairs is 0; expected a whole number from 1 on"),
        ({"pairs": -1}, "pairs is -1; expected"),
        ({"pairs": "3"}, "pairs is '3'; expected"),
        ({"seed": "s"}, "seed is 's'; expected a whole number"),
        ({"a": 7}, "7 is not a player; expected a name, module:Class or a command, as text"),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(CallerError, match=message):
        play_series(**{"edition": "locm-1.2", "a": "random", "b": "greedy", "pairs": 1, "seed": 1, **wrong})


def test_bots_play_series_too(tmp_path: Path) -> None:
    bot, crashing = passing_bot("python", tmp_path), faulty_bot(tmp_path, "os._exit(3)", after=10)
    settings = BotSettings(Clock(scale=100))
    one, two = (play_series(LOCM_12, bot, crashing, 2, seed=9, jobs=jobs, settings=settings) for jobs in (1, 2))
    assert same_games(one, two)
    assert one.wins == (4, 0)
    good, bad = one.bots
    assert good is not None
    assert bad is not None
    assert (good.faults, good.games, bad.faults) == ({}, 4, {"crash": 4})
    assert bad.error_rate == 1
    assert one.summary()["bots"][1]["failures"] == {"crash": 4}
    answers = [
        [[call.answer for call in cast(LocmReplay, replay).calls] for _, replay in series.replays]
        for series in (one, two)
    ]
    assert answers[0] == answers[1]


def test_a_bot_against_an_agent(tmp_path: Path) -> None:
    settings = BotSettings(Clock(scale=100))
    result = play_series(LOCM_12, passing_bot("python", tmp_path), "greedy", 1, seed=9, settings=settings)
    assert result.wins == (0, 2)
    assert result.bots[1] is None
    assert [first for first, _ in result.replays] == [0, 1]


COUNTING = """
import os, sys
with open({log!r}, "a") as file: file.write(str(os.getpid()) + chr(10))
"""


def test_a_bot_that_says_so_is_kept_from_game_to_game(tmp_path: Path) -> None:
    log, path = tmp_path / "starts", tmp_path / "counting.py"
    path.write_text(COUNTING.format(log=str(log)) + PYTHON)
    settings = BotSettings(Clock(scale=100))
    fresh = play_series(LOCM_12, f"bot:{sys.executable} {path}", "greedy", 3, seed=9, settings=settings)
    assert len(log.read_text().split()) == 6
    for jobs in (1, 2):
        log.unlink()
        kept = play_series(LOCM_12, f"keep:{sys.executable} {path}", "greedy", 3, seed=9, jobs=jobs, settings=settings)
        pids = log.read_text().split()
        assert 1 <= len(pids) <= jobs
        assert same_games(fresh, kept)
        assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
