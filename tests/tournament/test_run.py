"""Tournaments from their settings to their games: what is played, who may play, and what happens when things break."""

from __future__ import annotations

import math
import shlex
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardrome.arena.players.player import PlayerSpec
from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.errors import CallerError, InfrastructureFault
from cardrome.tournament import run as run_module
from cardrome.tournament.executors import Ended, InlineExecutor, Lost, attempt
from cardrome.tournament.jobs import Dealer
from cardrome.tournament.records import TIME_BINS, Conduct, GameKey, GameRecord
from cardrome.tournament.results.round_results import ladder_table
from cardrome.tournament.run import TournamentRun
from cardrome.tournament.schedule.pairing import deal_seed
from cardrome.tournament.settings import read_plan
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import Job, JobSettings, conduct, play_job
from tests.arena.bots import PYTHON
from tests.tournament.tools import (
    LOCM,
    TAPDECK,
    THREE,
    Recorder,
    agent,
    processes_with,
    program,
    records,
    run_cup,
    stored_games,
    write_cup,
)

FOUR = [*THREE, agent("other", "greedy")]
COUNTING = PYTHON.replace("import sys\n", "import sys\nimport os\nopen('starts', 'a').write('x')\n", 1)
"""A bot that notes each of its starts in its folder."""


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "_PAUSES", (0.0, 0.0, 0.0, 0.0))
    monkeypatch.setattr(run_module, "_STORE_SECONDS", 0.01)


def keys_of(file: Path) -> set[tuple[str, str, str, int, int]]:
    return {game[:5] for game in stored_games(file)}


# What is played


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
            table = ladder_table(store.results(before_round=number), rounds[:number])
            for entrant, (mu, sigma) in ratings.items():
                assert math.isclose(mu, table.mu(str(entrant)))
                assert math.isclose(sigma, table.sigma(str(entrant)))


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
            stopped = _StopsAfter(run, 3)
            run.run(stopped)
        played += len(watch.records)
        if not run.stopped:
            break
    assert stored_games(file) == stored_games(whole / "cup.toml")
    assert played == len(stored_games(file))


class _StopsAfter(InlineExecutor):
    """Asks the run to stop after some jobs."""

    def __init__(self, run: TournamentRun, jobs: int) -> None:
        super().__init__(run.settings)
        self._run, self._left = run, jobs

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        for batch in super().run(jobs):
            self._left -= 1
            if self._left == 0:
                self._run.stop()
            yield batch


def test_a_run_that_is_over_plays_nothing_more(tmp_path: Path) -> None:
    file = write_cup(tmp_path, THREE)
    run_cup(file)
    watch = run_cup(file)
    assert watch.records == []
    assert watch.rounds == [(1, 12, 12, 12)]


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


# Who plays


def test_classes_play_each_other_agents_and_programs(tmp_path: Path) -> None:
    hasty = agent("hasty", "tests.arena.agents_here:Hasty")
    bots = [hasty, agent("greedy"), program(tmp_path, "passes"), agent("hasty2", "tests.arena.agents_here:Hasty")]
    file = write_cup(tmp_path, bots, pairs=1)
    watch = run_cup(file)
    assert len(keys_of(file)) == 12
    assert watch.messages == []
    with_program = [each for each in records(file) if each.conduct_a is not None or each.conduct_b is not None]
    assert len(with_program) == 6
    assert all(each.fault_of is None for each in records(file))


def test_a_tapdeck_class_plays(tmp_path: Path) -> None:
    (tmp_path / "tapdeck_classes_here.py").write_text(
        "from cardrome.games.tapdeck.agents.registry import Agent\n"
        "class Idle(Agent):\n"
        "    def plan(self, edition, deck, states): return []\n"
        "class Broken(Agent):\n"
        "    def plan(self, edition, deck, states): raise ZeroDivisionError('on purpose')\n"
    )
    sys.path.append(str(tmp_path))
    try:
        bots = [agent("idle", "tapdeck_classes_here:Idle"), agent("broken", "tapdeck_classes_here:Broken"), *THREE]
        file = write_cup(tmp_path, bots, editions=[TAPDECK], pairs=1)
        watch = run_cup(file)
    finally:
        sys.path.remove(str(tmp_path))
    assert watch.messages == [
        "broken is left out: in its check game of tapdeck: "
        "agent 'tapdeck_classes_here:Broken' failed: ZeroDivisionError: on purpose"
    ]
    assert len(stored_games(file)) == 12


def test_a_class_that_breaks_in_its_check_game_is_left_out(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [agent("broken", "tests.arena.agents_here:Broken"), *THREE])
    watch = run_cup(file)
    assert [message.split(":")[0] for message in watch.messages] == ["broken is left out"]
    assert "on purpose" in watch.messages[0]
    assert len(stored_games(file)) == 12


def test_a_class_that_breaks_later_stops_the_run_and_says_so(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [*THREE, agent("broken", "tests.arena.agents_here:Broken")], check=False, pairs=1)
    with pytest.raises(CallerError, match=r"agent 'tests.arena.agents_here:Broken' failed"):
        run_cup(file)


def test_programs_have_their_directory_environment_and_build(tmp_path: Path) -> None:
    code = PYTHON.replace(
        "import sys\n", "import sys, os\nassert os.environ['WHO'] == 'me' and open('built').read() == 'me'\n", 1
    )
    build = shlex.join([sys.executable, "-c", "import os; open('built', 'w').write(os.environ['WHO'])"])
    mine = program(tmp_path, "mine", code, environment={"WHO": "me"}, build=build, author="somebody")
    file = write_cup(tmp_path, [agent("greedy"), mine], pairs=1)
    watch = run_cup(file)
    assert watch.messages == []
    for record in records(file):
        assert record.fault_of is None
        assert record.winner == 0
        assert record.conduct_a is None
        assert record.conduct_b is not None
        assert record.conduct_b.answers > 30
        assert sum(record.conduct_b.times) == record.conduct_b.answers - 1
        assert record.conduct_b.total_ms >= record.conduct_b.first_ms >= 0


def test_a_program_is_found_in_its_directory(tmp_path: Path) -> None:
    mine = program(tmp_path, "mine")
    script = tmp_path / "bots" / "mine" / "start"
    script.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} bot.py\n")
    script.chmod(0o755)
    file = write_cup(tmp_path, [agent("greedy"), mine | {"command": "./start"}], pairs=1)
    assert run_cup(file).messages == []
    assert {record.fault_of for record in records(file)} == {None}


def test_a_program_that_is_kept_is_started_once_and_gone_at_the_end(tmp_path: Path) -> None:
    token = f"CUP_TOKEN={tmp_path.name}"
    environment = {"CUP_TOKEN": tmp_path.name}
    bots = [agent("greedy"), program(tmp_path, "kept", COUNTING, keep=True, environment=environment)]
    bots.append(program(tmp_path, "fresh", COUNTING, environment=environment))
    file = write_cup(tmp_path, bots, pairs=2, check=False)
    run_cup(file)
    assert len((tmp_path / "bots/kept/starts").read_text()) == 1
    assert len((tmp_path / "bots/fresh/starts").read_text()) == 8
    assert {record.fault_of for record in records(file)} == {None}
    assert processes_with(token) == []


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        (
            {"command": "./nothing", "build": f"{sys.executable} -c 'print(7 * 6); raise SystemExit(3)'"},
            "its build failed with exit code 3: 42",
        ),
        (
            {"command": "./nothing", "build": "./no-such-tool"},
            "its build command './no-such-tool' cannot be started: No",
        ),
        ({"command": "./nothing", "build": '"a\\u0000b"'}, "its build command 'a\\x00b' cannot be started: embedded"),
        ({"command": "./nothing"}, "in its check game of locm-1.2: no-start: "),
        ({"command": f"{sys.executable} -c 'raise ValueError(12345)'"}, "in its check game of locm-1.2: crash: "),
        ({"command": "/bin/cat"}, "in its check game of locm-1.2: draft: "),
    ],
    ids=["build fails", "no build tool", "no build command", "cannot start", "crashes", "nonsense"],
)
def test_a_bot_that_cannot_play_is_told_why_and_left_out(tmp_path: Path, bot: dict[str, Any], message: str) -> None:
    if '"a' in bot.get("build", ""):
        bot = bot | {"build": "a\x00b"}
    file = write_cup(tmp_path, [{"name": "bad", **bot}, *THREE], pairs=1)
    watch = run_cup(file)
    assert len(watch.messages) == 1
    assert watch.messages[0].startswith(f"bad is left out: {message}")
    assert ("12345" in watch.messages[0]) == ("12345" in bot["command"])
    assert len(stored_games(file)) == 6
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        problems = {entrant.name: entrant.problem for entrant in store.entrants()}
    assert problems.pop("bad")
    assert set(problems.values()) == {None}


def test_a_build_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    file = write_cup(
        tmp_path, [{"name": "bad", "command": "./x", "build": "sleep 1000"}, *THREE], {"build_seconds": 0.2}
    )
    assert run_cup(file).messages == ["bad is left out: its build took longer than 0.2 s"]


def test_a_bot_that_was_repaired_is_admitted(tmp_path: Path) -> None:
    bad = program(tmp_path, "late", "import sys; sys.exit('not yet')")
    file = write_cup(tmp_path, [*THREE, bad], pairs=1)
    assert "not yet" in run_cup(file).messages[0]
    (tmp_path / "bots/late/bot.py").write_text(PYTHON)
    assert run_cup(file).messages == []
    assert len(stored_games(file)) == 12
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        assert [entrant.problem for entrant in store.entrants()] == [None] * 4


def test_too_few_bots(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [agent("greedy"), {"name": "bad", "command": "./nothing"}])
    with pytest.raises(CallerError, match=r"cup.toml: 1 of the bots can play; a tournament needs at least two"):
        run_cup(file)


def test_a_gauntlet_needs_a_challenger_that_works(tmp_path: Path) -> None:
    bots = [*THREE, {"name": "bad", "command": "./nothing"}]
    file = write_cup(tmp_path, bots, schedule="gauntlet", challengers=["bad"])
    with pytest.raises(CallerError, match="no challenger was admitted"):
        run_cup(file)


def test_faults_are_kept_with_standard_error_and_replay(tmp_path: Path) -> None:
    dying = PYTHON.replace('print("PASS", flush=True)', 'n = globals().get("n", 0) + 1\n'
        '    if n > 31: sys.exit("out of ideas")\n    print("PASS", flush=True)')  # fmt: skip
    file = write_cup(tmp_path, [agent("greedy"), program(tmp_path, "dying", dying)], check=False, replays="faults")
    run_cup(file)
    found = records(file)
    assert len(found) == 4
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        for record in found:
            assert (record.winner, record.fault_of, record.fault_kind) == (0, 1, "crash")
            assert "exit code 1" in record.fault_message
            assert record.conduct_b is not None
            assert "out of ideas" in record.conduct_b.stderr
            whole = store.game(record.key)
            assert whole is not None
            assert whole.replay is not None


def test_answers_are_counted_by_their_time_without_the_first() -> None:
    def conduct_of(*times: int | None) -> Conduct:
        given = [ms for ms in times if ms is not None]
        return conduct(SimpleNamespace(answer_times=lambda seat: given, processes=None), 0)

    assert conduct_of() == Conduct(0, 0, 0, 0, (0,) * TIME_BINS)
    assert conduct_of(700) == Conduct(1, 700, 0, 700, (0,) * TIME_BINS)
    found = conduct_of(900, 0, 1, 3, 10**9)
    assert (found.answers, found.total_ms, found.worst_ms, found.first_ms) == (5, 10**9 + 904, 10**9, 900)
    assert found.times == (1, 1, 1, *(0,) * (TIME_BINS - 4), 1)


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


def test_other_limits_are_refused_but_not_another_time_to_build(tmp_path: Path) -> None:
    run_cup(write_cup(tmp_path, THREE, {"time_scale": 2.0}, pairs=1))
    run_cup(write_cup(tmp_path, THREE, {"time_scale": 2.0, "build_seconds": 7.0}, pairs=1))
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
        run.run(_StopsAfter(run, 2))
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


# Things that break


class Flaky(InlineExecutor):
    """Loses jobs: each the first so many times, or for ever."""

    def __init__(self, settings: JobSettings, times: int, only: str = "") -> None:
        super().__init__(settings)
        self._times, self._only = times, only
        self.tried: Counter[tuple[str, str, tuple[int, ...]]] = Counter()

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        for job in jobs:
            key = job.a.name, job.b.name, job.pairs
            self.tried[key] += 1
            if self._only in (*key[:2], "") and self.tried[key] <= self._times:
                yield [Lost(job, "the machine caught fire")]
            else:
                yield [attempt(job, self._settings)]


def test_games_that_were_lost_are_played_again(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    run_cup(write_cup(whole, FOUR, pairs=20))
    file = write_cup(tmp_path, FOUR, pairs=20)
    watch = run_cup(file, lambda settings: Flaky(settings, 3))
    assert stored_games(file) == stored_games(whole / "cup.toml")
    assert {record.fault_of for record in records(file)} == {None}
    assert watch.messages == ["games will be played again, nobody lost them: the machine caught fire"]


def test_games_that_are_lost_again_and_again_end_the_run_when_all_others_are_stored(tmp_path: Path) -> None:
    file = write_cup(tmp_path, FOUR)
    with pytest.raises(InfrastructureFault, match=r"12 games could not be played in 5 tries.*the machine caught fire"):
        run_cup(file, lambda settings: Flaky(settings, 10**9, "random"))
    assert len(stored_games(file)) == 12
    run_cup(file)
    assert len(stored_games(file)) == 24


def test_nothing_is_tried_for_ever_if_everything_is_lost(tmp_path: Path) -> None:
    flaky: list[Flaky] = []

    def make(settings: JobSettings) -> Flaky:
        flaky.append(Flaky(settings, 10**9))
        return flaky[0]

    file = write_cup(tmp_path, FOUR, pairs=5000)
    with pytest.raises(InfrastructureFault, match="50 jobs in a row could not be played: the machine caught fire"):
        run_cup(file, make)
    assert sum(flaky[0].tried.values()) == 50


def test_what_breaks_in_a_job_is_no_bots_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(job: Job, settings: JobSettings) -> list[GameRecord]:
        raise MemoryError("no room")

    monkeypatch.setattr("cardrome.tournament.executors.play_job", broken)
    spec = PlayerSpec(1, "x", "greedy")
    job = Job(LOCM, spec, spec, (0,), (0,))
    assert attempt(job, None) == Lost(job, "MemoryError: no room")  # type: ignore[arg-type]


class AwayStore(TournamentStore):
    """A store that fails every second time it is used, once the run has begun."""

    calls = 0

    def _sometimes(self) -> None:
        type(self).calls += 1
        if self.calls % 2:
            raise DatabaseUnavailable("cannot use it: no room")

    def save(self, records: Sequence[GameRecord]) -> int:
        self._sometimes()
        return super().save(records)

    def add_round(self, number: int, drawn: Sequence[Any]) -> None:
        self._sometimes()
        super().add_round(number, drawn)

    def finish_round(self, number: int) -> None:
        self._sometimes()
        super().finish_round(number)

    def missing_of(self, wanted: Sequence[Any]) -> list[GameKey]:
        self._sometimes()
        return super().missing_of(wanted)


def test_games_are_held_while_the_store_is_away(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    run_cup(write_cup(whole, FOUR, schedule="swiss", rounds=2))
    file = write_cup(tmp_path, FOUR, schedule="swiss", rounds=2)
    plan = read_plan(file)
    watch = Recorder()
    with AwayStore.open(plan.store, base=tmp_path) as store:
        run = TournamentRun(plan, store, watch)
        run.admit(InlineExecutor(run.settings))
        run.run(InlineExecutor(run.settings))
    assert stored_games(file) == stored_games(whole / "cup.toml")
    assert AwayStore.calls > 10
    assert set(watch.messages) == {
        "the store is away; games are held until it is back: cannot use it: no room",
    }


# Jobs


def specs(*agents: str | None) -> dict[int, PlayerSpec]:
    return {k: PlayerSpec(k, f"bot{k}", name, () if name else ("./bot",)) for k, name in enumerate(agents, 1)}


def game_keys(a: int, b: int, pairs: Iterable[int], games: Sequence[int] = (0, 1)) -> list[GameKey]:
    return [GameKey(LOCM, a, b, pair, game) for pair in pairs for game in games]  # type: ignore[arg-type]


def keys_in(jobs: Iterable[Job]) -> list[GameKey]:
    return [
        job.key(pair, game)
        for job in jobs
        for pair in job.pairs
        for game in ((0, 1) if job.game is None else (job.game,))
    ]


def test_the_dealer_hands_out_every_game_once() -> None:
    half = [GameKey(LOCM, 1, 3, 7, 1), GameKey(LOCM, 1, 3, 9, 0)]
    wanted = [*game_keys(1, 2, range(100)), *half[:1], *game_keys(1, 3, [8]), half[1], *game_keys(2, 4, range(3))]
    dealer = Dealer(wanted, specs("greedy", "random", "greedy", None), 5)
    jobs = []
    for job in dealer:
        jobs.append(job)
        dealer.took(job, 0.01)
        assert job.seeds == tuple(deal_seed(5, LOCM, pair) for pair in job.pairs)
        assert job.games == len(keys_in([job]))
    assert sorted(keys_in(jobs)) == sorted(wanted)
    assert [len(job.pairs) for job in jobs if job.b.entrant == 2] == [16, 32, 52]
    assert all(len(job.pairs) == 1 and job.game is not None for job in jobs if job.b.entrant == 4)


def test_pairings_grow_together() -> None:
    dealer = Dealer([*game_keys(1, 2, range(40)), *game_keys(1, 3, range(40))], specs("greedy", "random", "greedy"), 5)
    assert [job.b.entrant for job in dealer] == [2, 3, 2, 3, 2, 3]


def test_long_jobs_get_shorter() -> None:
    dealer = Dealer(game_keys(1, 2, range(100)), specs("greedy", "random"), 5)
    sizes = []
    for job in dealer:
        sizes.append(len(job.pairs))
        dealer.took(job, 10.0)
    assert sizes[:6] == [16, 8, 4, 2, 1, 1]


def test_half_a_pair_of_agents_is_the_same_as_in_the_whole() -> None:
    a, b = specs("greedy", "random").values()
    settings = JobSettings(None, "none")  # type: ignore[arg-type]
    whole = play_job(Job(LOCM, a, b, (3,), (99,)), settings)
    for game in (0, 1):
        (half,) = play_job(Job(LOCM, a, b, (3,), (99,), game), settings)
        assert (half.key, half.winner, half.turns) == (whole[game].key, whole[game].winner, whole[game].turns)
