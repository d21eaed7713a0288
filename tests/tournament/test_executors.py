"""The same games whoever plays them: this process, several, or a real Ray, also if some of them are killed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from cardrome.arena.players.player import BotSettings, PlayerSpec
from cardrome.errors import CallerError
from cardrome.tournament.admission import check
from cardrome.tournament.executors import Done, Executor, InlineExecutor, Lost, ProcessExecutor, Refused, Retried
from cardrome.tournament.games import Entrant
from cardrome.tournament.ray_executor import _play_there, _Shared, check_workers
from cardrome.tournament.settings import read_plan
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import Job, JobSettings, spec_of
from tests.arena.bots import PYTHON
from tests.tournament.tools import (
    LOCM,
    TAPDECK,
    THREE,
    Game,
    agent,
    processes_with,
    program,
    records,
    run_cup,
    stored_games,
    wait_until,
    write_cup,
)

SLOW = PYTHON.replace('print("PASS", flush=True)', 'time.sleep(0.002)\n    print("PASS", flush=True)').replace(
    "import sys\n", "import os, sys, time\n", 1
)
LOCM_BOTS = [agent("greedy"), agent("hasty", "tests.arena.agents_here:Hasty"), agent("random")]


def two(settings: JobSettings) -> Executor:
    return ProcessExecutor(settings, 2)


def warned(settings: JobSettings) -> Executor:
    """A process after another that has seen a bot kill its referee: the next one is found guilty sooner."""
    executor = ProcessExecutor(settings, 1)
    executor._crew._patience = 1
    return executor


def mixed_cup(folder: Path) -> Path:
    """Built-in agents, a class and a program, so that jobs of all kinds are played."""
    folder.mkdir(exist_ok=True)
    bots = [*LOCM_BOTS, program(folder, "passes", SLOW, environment={"CUP_TOKEN": folder.name})]
    return write_cup(folder, bots, pairs=2, check=False)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> set[Game]:
    """The games of `mixed_cup`, one after the other in this process."""
    file = mixed_cup(tmp_path_factory.mktemp("expected"))
    run_cup(file)
    return stored_games(file)


def kill_player(token: str, killed: list[int]) -> threading.Thread:
    """Kill one of the processes that play a program, as soon as there is one."""

    def wait_and_kill() -> None:
        def found() -> bool:
            killed.extend(parents_of(processes_with(token))[:1])
            return bool(killed)

        wait_until(found)
        os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=wait_and_kill)
    thread.start()
    return thread


def parents_of(pids: list[int]) -> list[int]:
    """The processes that play programs: those that started them."""
    found = []
    for pid in pids:
        try:
            found.append(int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]))
        except OSError:
            continue
    return [pid for pid in found if pid not in (1, os.getpid())]


# Processes


def test_both_families_in_processes(tmp_path: Path) -> None:
    one = write_cup(tmp_path, THREE, editions=[LOCM, TAPDECK], pairs=100)
    run_cup(one)
    watch = run_cup(one, two, store="two.db")
    assert stored_games(one) == stored_games(one, "two.db")
    assert watch.messages == []


def test_games_of_a_process_that_is_killed_are_played_again(tmp_path: Path, expected: set[Game]) -> None:
    file = mixed_cup(tmp_path / "killed-worker")
    token = "CUP_TOKEN=killed-worker"
    killed: list[int] = []
    thread = kill_player(token, killed)
    watch = run_cup(file, two)
    thread.join()
    assert killed
    assert stored_games(file) == expected
    assert watch.messages == [
        "games will be played again, and count for nobody: a worker process was killed by SIGKILL"
    ]
    wait_until(lambda: processes_with(token) == [])


def test_a_check_game_whose_process_is_killed_is_played_again(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    waits = SLOW.replace("time\n", f"time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.02)\n", 1)
    token = f"CUP_TOKEN={tmp_path.name}-check"
    bot = program(tmp_path, "waits", waits, environment={"CUP_TOKEN": f"{tmp_path.name}-check"})
    file = write_cup(tmp_path, [agent("greedy"), bot], {"clock": False}, pairs=1)
    killed: list[int] = []
    thread = kill_player(token, killed)

    def open_gate() -> None:
        thread.join()
        gate.touch()

    opening = threading.Thread(target=open_gate)
    opening.start()
    watch = run_cup(file, two)
    opening.join()
    assert killed
    assert not [message for message in watch.messages if "left out" in message]
    assert len(stored_games(file)) == 2


def test_a_job_that_kills_its_process_takes_no_other_with_it(tmp_path: Path) -> None:
    """A class of an organiser that ends its process: its games cannot be played, all others are."""
    (tmp_path / "deadly_here.py").write_text(
        "import os\nfrom cardrome import Agent\nclass Deadly(Agent):\n    def act(self, view): os._exit(7)\n"
    )
    sys.path.append(str(tmp_path))
    settings = JobSettings(read_plan(write_cup(tmp_path, THREE)).settings.bot_settings, "none")
    executor = ProcessExecutor(settings, 2)
    greedy, random = PlayerSpec(1, "greedy", "greedy"), PlayerSpec(2, "random", "random")
    deadly = PlayerSpec(3, "deadly", "deadly_here:Deadly")
    try:
        jobs = [Job(LOCM, greedy, deadly if k == 3 else random, (k,), (k,)) for k in range(8)]
        ended = [each for batch in executor.run(jobs) for each in batch]
        lost = [each for each in ended if isinstance(each, Lost)]
        assert {each.reason for each in lost} == {"a worker process ended with exit code 7"}
        assert jobs[3] in [each.job for each in lost]
        assert len(lost) <= 2
        again = [each for batch in executor.run([each.job for each in lost if each.job != jobs[3]]) for each in batch]
        assert all(isinstance(each, Done) for each in again)
        assert sum(not isinstance(each, Retried) for each in ended) == 8
    finally:
        executor.close()
        sys.path.remove(str(tmp_path))


KILLER = PYTHON.replace("import sys", "import os, sys", 1).replace(
    "print(", f"os.getppid() == {os.getpid()} or os.kill(os.getppid(), 9); print("
)
"""Kills its referee, but not this process, whose child it is once the referee is gone."""


def test_a_bot_that_kills_its_referee_loses_the_game_and_is_not_admitted(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [agent("random"), program(tmp_path, "killer", KILLER)], pairs=1, check=False)
    watch = run_cup(file, warned)
    assert watch.messages == [
        "games will be played again, and count for nobody: a worker process was killed by SIGKILL"
    ]
    assert [(record.fault_of, record.fault_kind) for record in records(file)] == [(1, "sabotage")] * 2
    plan = read_plan(file)
    executor = warned(JobSettings(plan.settings.bot_settings, "none"))
    with TournamentStore.open(plan.folder / plan.store, claim=False) as store:
        killer = spec_of(store.entrants()[1], plan.folder)
    (problem,) = check([killer], [LOCM], executor).values()
    executor.close()
    assert problem.startswith("in its check game of locm-1.2: sabotage: the process that refereed the game was killed")


def test_on_a_cluster_too_a_bot_that_kills_its_referee_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a machine of a Ray cluster is asked to do. Its referee does not begin by running Ray's own program again."""
    (tmp_path / "worker.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(tmp_path / "worker.py"), raising=False)
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    plan = read_plan(write_cup(tmp_path, [agent("random"), program(tmp_path, "killer", KILLER)], pairs=1, check=False))
    settings = JobSettings(plan.settings.bot_settings, "none")
    entrants = [Entrant(id=n, bot=bot, active=True, problem=None) for n, bot in enumerate(plan.settings.bots)]
    bots = [spec_of(entrant, plan.folder) for entrant in entrants]
    ended = _play_there(Job(LOCM, bots[0], bots[1], (0,), (5,), 0), _Shared(settings, {}, str(tmp_path)))
    assert isinstance(ended, Done)
    (game,) = ended.games.records.values()
    assert (game.fault_of, game.fault_kind) == (1, "sabotage")
    assert not (tmp_path / "ran").exists()


def test_what_is_the_callers_fault_comes_back_as_such(tmp_path: Path) -> None:
    settings = JobSettings(read_plan(write_cup(tmp_path, THREE)).settings.bot_settings, "none")
    job = Job(LOCM, PlayerSpec(1, "x", "gredy"), PlayerSpec(2, "y", "random"), (0,), (0,))
    for executor in (InlineExecutor(settings), ProcessExecutor(settings, 1)):
        (batch,) = [each for each in executor.run([job]) if each]
        executor.close()
        assert isinstance(batch[0], Refused)
        assert "did you mean greedy" in batch[0].reason


def test_a_run_that_is_dropped_ends_its_bots(tmp_path: Path) -> None:
    sleeper = PYTHON.replace('print("PASS", flush=True)', "time.sleep(1000)").replace(
        "import sys", "import sys, time", 1
    )
    bot = program(tmp_path, "sleeper", sleeper)
    token = f"CUP_TOKEN={tmp_path.name}"
    settings = JobSettings(read_plan(write_cup(tmp_path, THREE, {"clock": False})).settings.bot_settings, "none")
    command = tuple(bot["command"].split())
    spec = PlayerSpec(1, "x", None, command, False, str(tmp_path / "bots/sleeper"), (("CUP_TOKEN", tmp_path.name),))
    executor = ProcessExecutor(settings, 2)
    random = PlayerSpec(2, "random", "random")
    batches = executor.run(Job(LOCM, spec, random, (k,), (k,), 0) for k in range(9))
    assert next(batches) == []
    wait_until(lambda: next(batches) == [] and len(processes_with(token)) == 2)
    batches.close()
    wait_until(lambda: processes_with(token) == [])
    done = [each for batch in executor.run([Job(LOCM, random, random, (0,), (0,))]) for each in batch]
    assert isinstance(done[0], Done)
    executor.close()


# Ray: see test_cluster.py


def test_workers_that_mean_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("nonsense", "", "ray://", "http://host"):
        with pytest.raises(CallerError, match=r"expected `ray` or `ray://HOST:PORT`"):
            check_workers(text)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(CallerError, match=r"Ray is not installed; pip install 'cardrome\[ray\]'"):
        check_workers("ray")


def test_an_executor_says_who_plays() -> None:
    settings = JobSettings(BotSettings(), "none")
    assert (InlineExecutor(settings).name, InlineExecutor(settings).jobs) == ("this process", 1)
    assert (ProcessExecutor(settings, 4).name, ProcessExecutor(settings, 4).jobs) == ("4 processes", 4)
    assert ProcessExecutor(settings, 1).name == "1 process"
