"""What breaks without a bot's fault: games are played again, and nobody loses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.players.player import PlayerSpec
from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.errors import InfrastructureFault
from cardrome.tournament import run as run_module
from cardrome.tournament.executors import Ended, InlineExecutor, Lost, attempt
from cardrome.tournament.games import GameTable, MissingGames
from cardrome.tournament.run import TournamentRun
from cardrome.tournament.settings import read_plan
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import Job, JobSettings
from tests.tournament.tools import FOUR, LOCM, Recorder, records, run_cup, stored_games, write_cup


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "_PAUSES", (0.0, 0.0, 0.0, 0.0))
    monkeypatch.setattr(run_module, "_STORE_SECONDS", 0.01)


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
    assert watch.messages == ["games will be played again, and count for nobody: the machine caught fire"]


def test_games_that_are_lost_again_and_again_end_the_run_when_all_others_are_stored(tmp_path: Path) -> None:
    file = write_cup(tmp_path, FOUR)
    with pytest.raises(
        InfrastructureFault, match=r"12 games could not be played in 5 attempts.*the machine caught fire"
    ):
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
    def broken(job: Job, settings: JobSettings) -> GameTable:
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

    def save(self, games: GameTable) -> int:
        self._sometimes()
        return super().save(games)

    def add_round(self, number: int, drawn: Sequence[Any]) -> None:
        self._sometimes()
        super().add_round(number, drawn)

    def finish_round(self, number: int) -> None:
        self._sometimes()
        super().finish_round(number)

    def missing(self, wanted: Sequence[Any]) -> MissingGames:
        self._sometimes()
        return super().missing(wanted)


def test_a_run_that_is_stopped_while_the_store_is_away_says_what_it_waits_for(tmp_path: Path) -> None:
    plan = read_plan(write_cup(tmp_path, FOUR))
    watch = Recorder()
    answers = iter([DatabaseUnavailable("no room"), DatabaseUnavailable("no room"), DatabaseUnavailable("no room")])
    with TournamentStore.open(plan.store, base=tmp_path) as store:
        run = TournamentRun(plan, store, watch)

        def save() -> int:
            run.stop()
            for error in answers:
                raise error
            return 1

        assert run._patiently(save) == 1
    assert watch.messages == [
        "the store is unavailable; games are held until it is back: no room",
        "stopping when the store is back and the games held are stored",
    ]


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
        "the store is unavailable; games are held until it is back: cannot use it: no room",
    }
