"""Work in several processes, some of which are killed or stopped: from outside, by a bot, by the work itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from cardrome.arena import series
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.orphans import process_state
from cardrome.arena.players.player import BotSettings, parse_player
from cardrome.arena.players.sandbox import sandbox_problem
from cardrome.arena.series import play_series
from cardrome.arena.workers import Crew, Died, spread
from cardrome.errors import CallerError, InfrastructureFault
from cardrome.games.locm.family import FAMILY as LOCM
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import LOCM_12
from cardrome.games.replays import Replay
from tests.arena.bots import PYTHON, faulty_bot, passing_bot
from tests.arena.work_here import broken, deadly, refused, squared

PATIENT = BotSettings(Clock(scale=100))


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs: int) -> None:
    assert list(spread(squared, range(200), jobs)) == [k * k for k in range(200)]
    assert list(spread(squared, [], jobs)) == []


def test_items_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def items() -> object:
        for k in range(10**9):
            taken.append(k)
            yield k

    results = spread(squared, items(), 2)  # type: ignore[arg-type]
    assert [next(results) for _ in range(5)] == [0, 1, 4, 9, 16]
    results.close()
    assert len(taken) < 200


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_the_work_raises_is_raised_here(jobs: int) -> None:
    with pytest.raises(CallerError, match="1 is wrong"):
        list(spread(refused, [1], jobs))
    with pytest.raises((ZeroDivisionError, RuntimeError), match="on purpose"):
        list(spread(broken, [1], jobs))


@pytest.mark.parametrize("deaths", ["k", "sk"])
def test_what_a_dead_or_stopped_process_was_working_on_is_tried_again(tmp_path: Path, deaths: str) -> None:
    names = [str(tmp_path / f"item{k}") for k in range(6)]
    Path(names[2]).write_text(deaths)
    assert list(spread(deadly, names, 2)) == [Path(name).name for name in names]


def test_what_kills_every_process_is_told_and_takes_no_other_item_with_it(tmp_path: Path) -> None:
    names = [str(tmp_path / f"item{k}") for k in range(6)]
    Path(names[2]).write_text("k" * 99)
    with pytest.raises(InfrastructureFault, match="a worker process was killed by SIGKILL"):
        list(spread(deadly, names, 2))
    crew: Crew[str, str] = Crew(deadly, 2)
    ended = [each for batch in crew.run(names) for each in batch]
    crew.close()
    died = [(number, outcome.retried) for number, _, outcome in ended if isinstance(outcome, Died)]
    assert died == [(2, True), (2, True), (2, False)]
    assert sorted(number for number, _, outcome in ended if not isinstance(outcome, Died)) == [0, 1, 3, 4, 5]


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 200.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_process_that_is_seen_stopped_only_once_goes_on() -> None:
    crew: Crew[int, int] = Crew(squared, 1)
    worker = crew._start()
    pid = worker._process.pid or 0

    def seen(state: str, sent: signal.Signals) -> bool:
        os.kill(pid, sent)
        wait_until(lambda: (process_state(pid) == "T") == (state == "stopped"))
        worker._look_at = 0.0
        return worker.is_stopped()

    try:
        assert not seen("stopped", signal.SIGSTOP)
        assert not seen("running", signal.SIGCONT)
        assert not seen("stopped", signal.SIGSTOP)
        assert (worker.dead, worker._process.is_alive()) == (None, True)
        assert seen("stopped", signal.SIGSTOP)
        assert worker.dead == "was stopped"
    finally:
        worker.kill()


def test_bots_end_when_the_process_above_their_worker_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    code = (
        "from cardrome.arena.workers import spread\n"
        "from tests.arena.work_here import start_a_bot\n"
        f"list(spread(start_a_bot, [{str(file)!r}], 1, apart=True))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as main:
        wait_until(lambda: file.exists() and file.read_text().endswith("\n"))
        main.kill()
    wait_until(lambda: process_state(int(file.read_text())) in ("", "Z"))


def test_after_many_deaths_one_more_is_enough_to_play_an_item_alone(tmp_path: Path) -> None:
    names = [str(tmp_path / f"item{k}") for k in range(4)]
    for name, deaths in zip(names, ("k", "k", "k", "kk"), strict=True):
        Path(name).write_text(deaths)
    again: list[int] = []
    with pytest.raises(InfrastructureFault, match="every time"):
        list(spread(deadly, names, 1, apart=True, retried=lambda number, _: again.append(number)))
    assert again == [0, 1, 2, 3]


# Bots that do it

SPARED = f"os.getppid() == {os.getpid()} or"
"""A bot whose referee is gone is a child of this process, which would be missed."""
ATTACKS = {
    "kill": f"{SPARED} os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)",
    "stop": f"{SPARED} os.kill(os.getppid(), signal.SIGSTOP); time.sleep(1000)",
    "limit files": f"{SPARED} limit('NOFILE', 3); print('PASS', flush=True)",
    "limit memory": f"{SPARED} limit('AS', 1000); print('PASS', flush=True)",
    # A daemon, which has left the group and cleared its environment, does it while the other bot is asked.
    "frame": f"{SPARED} frame(os.getppid()); think(); print('PASS', flush=True)",
}
FRAME = """
import resource
def limit(kind, limit): resource.prlimit(os.getppid(), getattr(resource, f"RLIMIT_{{kind}}"), (limit, limit))
THINKING = {thinking!r}
framed = []
def think():
    open(THINKING, "w").close()
    time.sleep(0.02)
    os.unlink(THINKING)
def frame(referee):
    if framed: return
    framed.append(referee)
    if os.fork() == 0:
        os.setsid()
        if os.fork(): os._exit(0)
        os.close(1)
        code = f"import os, time\\nwhile os.path.exists({{THINKING!r}}): time.sleep(0.001)\\nos.kill({{referee}}, 9)"
        os.execve(sys.executable, [sys.executable, "-S", "-c", code], {{}})
"""


def attacking_bot(folder: Path, attack: str, after: int) -> str:
    words = faulty_bot(folder, ATTACKS[attack], after).split()
    path = Path(words[-1])
    path.write_text(
        path.read_text().replace("n = 0\n", "import sys\nn = 0\n" + FRAME.format(thinking=f"{path}.thinks"), 1)
    )
    return " ".join(words)


def refereed(a: str, b: str, first: int = 0, settings: BotSettings = PATIENT) -> Replay:
    """One game, played by a crew of one that has already seen a bot kill its process."""
    crew: Crew[series._Game, Replay] = Crew(partial(series._play_game, settings), 1, blame=series._lost)
    crew._patience = 1
    specs = parse_player(a, LOCM, 0), parse_player(b, LOCM, 1)
    ended = [each for batch in crew.run([series._Game(LOCM_12, specs, LocmDeal(4), first)]) for each in batch]
    crew.close()
    *_, (_, _, outcome) = ended
    assert not isinstance(outcome, Died)
    return outcome


@pytest.mark.parametrize(
    ("attack", "side"), [("kill", 0), ("stop", 1), ("frame", 1), ("limit files", 0), ("limit memory", 1)]
)
def test_a_bot_that_kills_stops_or_limits_its_referee_loses(tmp_path: Path, attack: str, side: int) -> None:
    think = "time.sleep(0.03); " if attack == "frame" else ""
    good = faulty_bot(tmp_path, f"{think}print('PASS', flush=True)")
    bad = attacking_bot(tmp_path, attack, after=3)
    fault = refereed(*((bad, good) if side == 0 else (good, bad))).fault
    assert fault is not None
    assert (fault.player, fault.kind) == (side, "sabotage")
    how = {"stop": "was stopped", "limit": "had its limits lowered"}.get(attack.split()[0], "was killed by SIGKILL")
    assert fault.message == f"the process that refereed the game {how}, again and with nothing but this bot running"


DAEMON = """
import os, sys, time
def words(path):
    try: return open(path).read().rpartition(")")[2].split()
    except OSError: return []
referee, bot = sys.argv[1:]
main = words(f"/proc/{referee}/stat")[1]
os.kill(int(referee), 9)
while words(f"/proc/{main}/stat"):  # kill any other referee while the bot is stopped, so that only its opponent runs
    for worker in words(f"/proc/{main}/task/{main}/children"):
        for child in words(f"/proc/{worker}/task/{worker}/children"):
            if words(f"/proc/{child}/stat")[:1] == ["T"] and bot in open(f"/proc/{child}/cmdline").read():
                os.kill(int(worker), 9)
    time.sleep(0.001)
"""
START = """
import os, sys, time
def start(daemon):
    if os.path.exists(daemon + ".started"): return
    open(daemon + ".started", "x").close()
    command = [sys.executable, "-S", daemon, str(os.getppid()), sys.argv[0]]
    if os.fork() == 0:
        os.setsid()
        if os.fork(): os._exit(0)
        os.close(1)
        os.execve(sys.executable, command, {})
    time.sleep(1000)
"""


def test_a_daemon_that_outlives_the_referee_it_killed_frames_nobody(tmp_path: Path) -> None:
    """It has left the group and cleared its environment; the process of the command adopts it."""
    daemon = tmp_path / "daemon.py"
    daemon.write_text(DAEMON)
    bad = faulty_bot(tmp_path, f"start({str(daemon)!r}); print('PASS', flush=True)", after=3)
    file = Path(bad.split()[-1])
    file.write_text(START + file.read_text())
    assert refereed(bad, faulty_bot(tmp_path, "time.sleep(0.01); print('PASS', flush=True)")).fault is None
    assert Path(f"{daemon}.started").exists()


def test_two_bots_that_kill_their_referee_do_not_stop_a_series(tmp_path: Path) -> None:
    a, b = attacking_bot(tmp_path, "kill", 0), attacking_bot(tmp_path, "kill", 3)
    result = play_series("locm-1.2", a, b, 1, seed=4, jobs=2, settings=PATIENT)
    faults = [replay.fault for _, replay in result.replays]
    assert [fault.kind for fault in faults if fault is not None] == ["sabotage"] * 2


def test_in_the_sandbox_a_bot_cannot_reach_its_referee(tmp_path: Path) -> None:
    if (problem := sandbox_problem()) is not None:
        pytest.skip(problem)
    settings = BotSettings(Clock(scale=0.01, margin_ms=500, start_ms=20_000), sandbox=True)
    fault = refereed(attacking_bot(tmp_path, "kill", after=3), "greedy", 1, settings).fault
    assert fault is not None
    assert (fault.player, fault.kind) == (1, "timeout")


def test_a_killed_worker_of_a_series_costs_nothing_but_time(tmp_path: Path) -> None:
    marker = tmp_path / "killed"
    once = f"open({str(marker)!r}, 'x'); {SPARED} os.kill(os.getppid(), 9)"
    path = tmp_path / "once.py"
    head = f"import os, sys\ntry:\n    {once}\nexcept FileExistsError: pass\n"
    path.write_text(head + PYTHON)
    result = play_series("locm-1.2", f"{sys.executable} {path}", "greedy", 3, seed=9, jobs=2, settings=PATIENT)
    assert marker.exists()
    expected = play_series("locm-1.2", passing_bot("python", tmp_path), "greedy", 3, seed=9, settings=PATIENT)
    assert result.games.tobytes() == expected.games.tobytes()
    assert (result.played_again, expected.played_again) == ({"a worker process was killed by SIGKILL": 1}, {})


def test_ctrl_c_does_not_reach_a_process_that_is_starting() -> None:
    code = (
        "import os, signal\n"
        "from cardrome.arena.workers import Crew\n"
        "from tests.arena.work_here import squared\n"
        "crew = Crew(squared, 1)\n"
        "crew._workers.append(crew._start())\n"
        "os.kill(crew._workers[0]._process.pid, signal.SIGINT)\n"
        "print([ended for batch in crew.run([3]) for ended in batch])\n"
        "crew.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[(0, 3, 9)]\n", "")
