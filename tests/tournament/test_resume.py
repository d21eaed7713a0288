"""A tournament as a real process, killed again and again: in the end it has played the same games."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cardrome.errors import CallerError
from cardrome.tournament.store.store import TournamentStore
from tests.arena.bots import PYTHON
from tests.postgres import AVAILABLE
from tests.tournament.tools import (
    LOCM,
    TAPDECK,
    THREE,
    agent,
    processes_with,
    program,
    records,
    run_cup,
    stored_games,
    wait_until,
    write_cup,
)

THINKING = PYTHON.replace('print("PASS", flush=True)', 'time.sleep(0.002)\n    print("PASS", flush=True)').replace(
    "import sys\n", "import sys, time\n", 1
)
DEAF = THINKING + "\nwhile True: time.sleep(1)\n"
"""Does not end when its input does."""


@contextmanager
def running(file: Path, *options: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`cardrome tournament FILE --plain`, and what marks all its processes. None of them is left at the end."""
    token = f"run-{file.parent.name}-{time.monotonic_ns()}"
    command = [sys.executable, "-m", "cardrome", "tournament", str(file), "--plain", *map(str, options)]
    environment = os.environ | {"CUP_RUN": token}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=Path.cwd()
    )
    try:
        yield process, token
    finally:
        process.kill()
        process.communicate()
    wait_until(lambda: processes_with(token) == [])


def begun(process: subprocess.Popen[str], sign: str = ": seed ") -> None:
    """Wait until the tournament is in the store, or until something else was said."""
    assert process.stderr is not None
    for line in process.stderr:
        if sign in line:
            return
    assert process.wait() == 0


def count(file: Path, store: str | None) -> int:
    with TournamentStore.open(store or "cup.db", claim=False, base=file.parent) as opened:
        return len(opened.games())


def run_with_kills(file: Path, store: str | None, kills: int, seed: int, longest: float) -> list[int]:
    """Kill a run at random moments, and end it in this process; returns how many games were stored after each.

    It is killed once before the first game, at the most, and then after some games more.
    """
    draw = random.Random(seed)
    options = () if store is None else ("--store", store)
    counts = []
    for kill in range(kills):
        with running(file, *options) as (process, _):
            begun(process, ": round " if kill else ": seed ")
            time.sleep(draw.uniform(0, longest))
            process.kill()
        counts.append(count(file, store))
    run_cup(file, store=store)
    return [*counts, count(file, store)]


def agents_cup(folder: Path) -> Path:
    bots = [*THREE, agent("other", "greedy")]
    keys: dict[str, Any] = {"schedule": "swiss", "rounds": 3, "pairs": 100, "jobs": 1}
    return write_cup(folder, bots, editions=[LOCM, TAPDECK], **keys)


def programs_cup(folder: Path) -> Path:
    bots = [agent("greedy"), program(folder, "deaf", DEAF), program(folder, "kept", THINKING, keep=True)]
    return write_cup(folder, bots, pairs=2, jobs=2)


@pytest.mark.parametrize(
    ("cup", "games", "longest", "server"),
    [(agents_cup, 2_400, 0.06, False), (programs_cup, 12, 0.2, AVAILABLE)],
    ids=["agents", "programs"],
)
def test_killed_again_and_again_it_plays_the_same_games(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    cup: Callable[[Path], Path],
    games: int,
    longest: float,
    server: bool,
) -> None:
    """One cup in SQLite, the other in PostgreSQL where there is one: that both lose nothing the store's tests show."""
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    whole = cup(tmp_path / "whole")
    run_cup(whole)
    file = cup(tmp_path / "killed")
    store = request.getfixturevalue("postgres_server").new_schema() if server else None
    counts = run_with_kills(file, store, 2, 7, longest)
    assert counts == sorted(counts)
    assert len(set(counts)) >= 2, counts
    assert counts[-1] == games
    assert stored_games(file, store) == stored_games(whole)
    with TournamentStore.open(store or "cup.db", claim=False, base=file.parent) as opened:
        assert opened.snapshot().faults == []


@pytest.mark.parametrize(("sent", "jobs", "code"), [(signal.SIGINT, 2, 130), (signal.SIGTERM, 1, 143)])
def test_a_signal_lets_games_end_and_stores_them(tmp_path: Path, sent: signal.Signals, jobs: int, code: int) -> None:
    # Each game notes its end, so that we know which ones were finished.
    slow = THINKING.replace("0.002", "0.01")
    bots = [agent("greedy"), program(tmp_path, "slow", slow)]
    file = write_cup(tmp_path, bots, pairs=500, check=False)
    with running(file, "--jobs", jobs) as (process, token):
        begun(process)
        wait_until(lambda: count(file, None) > 0)
        with pytest.raises(CallerError, match="another process is running this tournament"):
            run_cup(file)
        process.send_signal(sent)
        out, errors = process.communicate(timeout=60)
        assert process.returncode == code, errors
        assert processes_with(token) == []
    assert "stopping: the games being played are finished first" in errors
    assert "stopped; the same command resumes it" in errors
    assert "Traceback" not in errors
    found = records(file)
    assert f"{len(found)} games on {LOCM}" in out
    assert 0 < len(found) < 1000
    assert {record.fault_of for record in found} == {None}
    # All games that were begun are there: the first ones without a gap.
    begun_games = sorted(2 * record.key.pair + record.key.game for record in found)
    assert begun_games == list(range(len(found)))


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    sleeper = PYTHON.replace('print("PASS", flush=True)', "time.sleep(1000)").replace(
        "import sys", "import sys, time", 1
    )
    bots = [agent("greedy"), agent("random"), program(tmp_path, "sleeper", sleeper)]
    file = write_cup(tmp_path, bots, {"clock": False}, check=False, pairs=1)
    with running(file, "--jobs", 2) as (process, token):
        begun(process)
        wait_until(lambda: count(file, None) == 2)
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 130, errors
        wait_until(lambda: processes_with(token) == [])
    assert "Traceback" not in errors
    assert count(file, None) == 2
