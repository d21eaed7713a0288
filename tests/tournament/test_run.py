"""Which games a tournament plays, from its settings and from what changes between runs."""

from __future__ import annotations

import math
import sys
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.players.sandbox import sandbox_problem
from cardrome.errors import CallerError
from cardrome.tournament.executors import InlineExecutor
from cardrome.tournament.results.rounds import ladder_table
from cardrome.tournament.run import TournamentRun
from cardrome.tournament.schedule.pairing import deal_seed
from cardrome.tournament.settings import read_plan
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.tools import (
    FOUR,
    LOCM,
    TAPDECK,
    THREE,
    Recorder,
    StopsAfter,
    agent,
    keys_of,
    program,
    run_cup,
    stored_games,
    write_cup,
)


def test_a_round_robin_plays_exactly_its_games_on_the_deals_of_its_seed(tmp_path: Path) -> None:
    file = write_cup(tmp_path, THREE, editions=[LOCM, TAPDECK], pairs=3, seed=77)
    watch = run_cup(file)
    couples = [("greedy", "lucky"), ("greedy", "random"), ("lucky", "random")]
    assert keys_of(file) == {
        (edition, a, b, pair, game)
        for edition in (LOCM, TAPDECK)
        for a, b in couples
        for pair in range(3)
        for game in (0, 1)
    }
    assert {(game[0], game[3], game[5]) for game in stored_games(file)} == {
        (edition, pair, deal_seed(77, edition, pair)) for edition in (LOCM, TAPDECK) for pair in range(3)
    }
    assert watch.rounds == [(1, 36, 0, 36)]
    assert len(watch.records) == 36


@pytest.mark.skipif(sandbox_problem() is not None, reason=str(sandbox_problem()))
def test_in_the_sandbox_a_bot_sees_neither_settings_nor_store(tmp_path: Path) -> None:
    """Even if they lie in its own folder; the store is one that the command line names."""
    spy = program(tmp_path, "spy", "import os, sys\nsys.exit('sees ' + ' '.join(sorted(os.listdir('.'))))")
    (tmp_path / "spy.py").write_text((tmp_path / "bots" / "spy" / "bot.py").read_text())
    spies = [spy, {**spy, "name": "inside", "command": f"{sys.executable} spy.py", "directory": "."}]
    file = write_cup(tmp_path, [agent("random"), *spies], pairs=1, check=False, sandbox=True)
    watch = run_cup(file, store="elsewhere.db")
    seen = {text.strip() for record in watch.records for text in record.stderr if text}
    assert seen == {"sees bot.py", "sees spy.py"}


def test_a_gauntlet_spares_those_who_are_no_challengers(tmp_path: Path) -> None:
    file = write_cup(tmp_path, FOUR, editions=[LOCM, TAPDECK], schedule="gauntlet", challengers=["random"])
    watch = run_cup(file)
    assert Counter(game[:3] for game in stored_games(file)) == {
        (edition, *couple): 4
        for edition in (LOCM, TAPDECK)
        for couple in (("greedy", "random"), ("lucky", "random"), ("random", "other"))
    }
    assert watch.rounds == [(1, 24, 0, 24)]


def test_a_swiss_tournament_has_its_rounds_each_on_new_deals(tmp_path: Path) -> None:
    file = write_cup(tmp_path, FOUR, editions=[LOCM, TAPDECK], schedule="swiss", rounds=3, pairs=2)
    watch = run_cup(file)
    games = stored_games(file)
    assert len(games) == 2 * 2 * 3 * 2 * 2
    for edition in (LOCM, TAPDECK):
        # In three rounds of four everybody meets everybody, once.
        meetings = Counter(game[1:3] for game in games if game[0] == edition)
        assert len(meetings) == 6
        assert set(meetings.values()) == {4}
        assert {game[3] for game in games if game[0] == edition} == set(range(6))
    assert watch.rounds == [(number, 16, 0, 48) for number in (1, 2, 3)]


def test_a_ladder_has_as_many_rounds_as_it_is_told(tmp_path: Path) -> None:
    file = write_cup(tmp_path, FOUR, editions=[LOCM, TAPDECK], schedule="ladder", rounds=4, pairs=1)
    watch = run_cup(file)
    assert len(stored_games(file)) == 2 * 2 * 4 * 1 * 2
    assert [number for number, *_ in watch.rounds] == [1, 2, 3, 4]
    plan = read_plan(file)
    with TournamentStore.open(plan.store, claim=False, base=tmp_path) as store:
        rounds = store.rounds()
        assert [each.number for each in rounds] == [0, 1, 2, 3]
        assert all(each.finished_at is not None for each in rounds)


def test_rounds_are_drawn_from_the_ratings_that_the_summary_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Round by round as they are played, and once more from the store: the same numbers."""
    seen: list[dict[int, tuple[float, float]]] = []
    draw = TournamentRun._draw

    def spied(run: TournamentRun, number: int, entrants: list[int]) -> Any:
        assert run._results is not None
        seen.append(dict(run._results.ratings(entrants)))
        return draw(run, number, entrants)

    monkeypatch.setattr(TournamentRun, "_draw", spied)
    file = write_cup(tmp_path, FOUR, schedule="ladder", rounds=4, pairs=2)
    run_cup(file)
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        rounds = [each.pairings for each in store.rounds()]
        for number, ratings in enumerate(seen):
            games = store.games()
            table = ladder_table(games.where(games["pair"] < 2 * number), rounds[:number])
            for entrant, (mu, sigma) in ratings.items():
                assert math.isclose(mu, table[entrant].mu)
                assert math.isclose(sigma, table[entrant].sigma)


@pytest.mark.parametrize(
    "keys",
    [
        {"schedule": "round-robin", "pairs": 20},
        {"schedule": "gauntlet", "challengers": ["greedy"], "pairs": 20},
        {"schedule": "swiss", "rounds": 3, "pairs": 5},
        {"schedule": "ladder", "rounds": 5, "pairs": 3},
    ],
    ids=lambda keys: keys["schedule"],
)
def test_stopped_after_every_job_and_resumed_it_plays_the_same_games(tmp_path: Path, keys: dict[str, Any]) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir()
    parts.mkdir()
    run_cup(write_cup(whole, FOUR, editions=[LOCM, TAPDECK], **keys))
    file = write_cup(parts, FOUR, editions=[LOCM, TAPDECK], **keys)
    plan = read_plan(file)
    played = 0
    for _ in range(1000):
        with TournamentStore.open(plan.store, base=parts) as store:
            watch = Recorder()
            run = TournamentRun(plan, store, watch)
            run.admit(InlineExecutor(run.settings))
            stopped = StopsAfter(run, 3)
            run.run(stopped)
        played += len(watch.records)
        if not run.stopped:
            break
    assert stored_games(file) == stored_games(whole / "cup.toml")
    assert played == len(stored_games(file))


def test_a_run_that_is_over_plays_nothing_more(tmp_path: Path) -> None:
    file = write_cup(tmp_path, THREE)
    run_cup(file)
    watch = run_cup(file)
    assert watch.records == []
    assert watch.rounds == [(1, 12, 12, 12)]


def test_memory_does_not_grow_with_the_games_asked_for(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE, pairs=1))
    plan = read_plan(write_cup(tmp_path, THREE, pairs=1_000_000))
    watch = Recorder()
    with TournamentStore.open(plan.store, base=plan.folder) as store:
        tracemalloc.start()
        try:
            run = TournamentRun(plan, store, watch)
            executor = StopsAfter(run, 4)
            run.admit(executor)
            run.run(executor)
            used = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert watch.rounds == [(1, 6_000_000, 6, 6_000_000)]
    assert used < 10 << 20


def test_the_seed_that_was_drawn_is_kept(tmp_path: Path) -> None:
    text = write_cup(tmp_path, THREE, pairs=1).read_text()
    file = tmp_path / "cup.toml"
    file.write_text(text.replace("seed = 5\n", ""))
    run_cup(file)
    seeds = {game[5] for game in stored_games(file)}
    file.write_text(text.replace("seed = 5\n", "").replace("pairs = 1", "pairs = 2"))
    run_cup(file)
    assert len({game[5] for game in stored_games(file)} - seeds) == 1
    file.write_text(text)
    with pytest.raises(CallerError, match="holds a tournament with other settings: seed is"):
        run_cup(file)


# Changes between runs


def test_a_bot_that_is_added_plays_only_its_own_games(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE))
    before = stored_games(tmp_path / "cup.toml")
    file = write_cup(tmp_path, FOUR)
    watch = run_cup(file)
    assert len(watch.records) == 12
    assert before < stored_games(file)
    assert all("other" in game[1:3] for game in stored_games(file) - before)


def test_more_pairs_keep_the_games_there_are(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE, pairs=2))
    before = stored_games(tmp_path / "cup.toml")
    file = write_cup(tmp_path, THREE, pairs=5)
    watch = run_cup(file)
    assert watch.rounds == [(1, 30, 12, 30)]
    assert before < stored_games(file)
    assert {game[3] for game in stored_games(file) - before} == {2, 3, 4}


def test_a_new_version_is_another_entrant_and_the_old_one_keeps_its_games(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE))
    before = stored_games(tmp_path / "cup.toml")
    file = write_cup(tmp_path, [*THREE[:2], agent("random", "greedy", version="2")])
    watch = run_cup(file)
    assert before < stored_games(file)
    assert len(watch.records) == 8
    assert {game[2] for game in stored_games(file) - before} == {"random 2"}
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        assert [(each.name, each.active) for each in store.entrants()] == [
            ("greedy", True), ("lucky", True), ("random", False), ("random 2", True),
        ]  # fmt: skip


def test_a_bot_that_is_removed_keeps_its_games_and_may_come_back(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE, pairs=1))
    before = stored_games(tmp_path / "cup.toml")
    run_cup(write_cup(tmp_path, THREE[:2], pairs=2))
    assert len(stored_games(tmp_path / "cup.toml")) == len(before) + 2
    file = write_cup(tmp_path, THREE, pairs=2)
    watch = run_cup(file)
    assert len(watch.records) == 4
    assert before < stored_games(file)


def test_a_bot_that_changed_under_its_version_is_refused(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE, pairs=1))
    file = write_cup(tmp_path, [*THREE[:2], agent("random", "greedy")], pairs=1)
    with pytest.raises(CallerError, match="'random' entered as version '1' with another agent: give it a new version"):
        run_cup(file)


def test_other_limits_are_refused_but_not_those_of_the_machine(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE, {"time_scale": 2.0}, pairs=1))
    run_cup(write_cup(tmp_path, THREE, {"time_scale": 2.0, "build_seconds": 7.0, "affinity": False}, pairs=1))
    with pytest.raises(CallerError, match=r"limits.time_scale is 2.0 there and 3.0 here"):
        run_cup(write_cup(tmp_path, THREE, {"time_scale": 3.0}, pairs=1))


def test_a_ladder_goes_on_with_bots_that_come_and_go(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE, schedule="ladder", rounds=2))
    run_cup(write_cup(tmp_path, FOUR, schedule="ladder", rounds=4))
    file = write_cup(tmp_path, FOUR[1:], schedule="ladder", rounds=6)
    watch = run_cup(file)
    assert [each[:3] for each in watch.rounds[-2:]] == [(5, 4, 0), (6, 4, 0)]
    assert {game[1] for game in stored_games(file) if game[3] >= 8} <= {"lucky", "random"}


def test_nobody_joins_a_swiss_tournament(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, FOUR, schedule="swiss", rounds=2))
    file = write_cup(tmp_path, [*FOUR, agent("new", "greedy")], schedule="swiss", rounds=3)
    with pytest.raises(CallerError, match="new cannot join: rounds of this Swiss tournament were drawn already"):
        run_cup(file)


def test_who_leaves_a_swiss_tournament_in_mid_round_gives_byes(tmp_path: Path) -> None:
    """Some games of the round were played: they are kept, and the next round can still be drawn."""
    file = write_cup(tmp_path, FOUR, schedule="swiss", rounds=3, pairs=30)
    plan = read_plan(file)
    with TournamentStore.open(plan.store, base=tmp_path) as store:
        run = TournamentRun(plan, store, Recorder())
        run.admit(InlineExecutor(run.settings))
        run.run(StopsAfter(run, 2))
        pairings = store.rounds()[0].pairings
        played = {game[1:3] for game in stored_games(file)}
        assert len(played) == len(pairings) == 2
    assert 0 < len(stored_games(file)) < 120
    run_cup(write_cup(tmp_path, FOUR[:3], schedule="swiss", rounds=3, pairs=30))
    with TournamentStore.open(plan.store, claim=False, base=tmp_path) as store:
        assert len(store.rounds()) == 3
    run_cup(write_cup(tmp_path, FOUR, schedule="swiss", rounds=3, pairs=30))
    games = Counter((game[1:3], game[3] // 30) for game in stored_games(file))
    assert set(games.values()) == {60}
