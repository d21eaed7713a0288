"""What the referee costs: games between two bots that do nothing, as processes, timed for ``cardrome bench``."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from cardrome.arena.affinity import pinned
from cardrome.arena.play import play_one
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import BotSettings, parse_player
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import LOCM_12

_PASSING_C = r"""
#include <stdio.h>
int main(void) {
    char line[4096];
    int hand, actions, cards;
    while (fgets(line, sizeof line, stdin) && fgets(line, sizeof line, stdin) && fgets(line, sizeof line, stdin)) {
        actions = 0;
        sscanf(line, "%d %d", &hand, &actions);
        while (actions-- > 0) fgets(line, sizeof line, stdin);
        if (!fgets(line, sizeof line, stdin)) break;
        sscanf(line, "%d", &cards);
        while (cards-- > 0) fgets(line, sizeof line, stdin);
        puts("PASS");
        fflush(stdout);
    }
    return 0;
}
"""

_PASSING_PYTHON = """
import sys
read = sys.stdin.readline
while read() and read():
    for _ in range(int((read().split() + ["0"])[1])): read()
    for _ in range(int(read())): read()
    print("PASS", flush=True)
"""


@dataclass(frozen=True)
class RefereeCost:
    """Games between two external bots that only pass, process start included."""

    bots: str
    """What the bots are written in: C where there is a compiler."""
    games_per_second: float
    cpu_ms_per_call: float
    """The referee's own time."""
    calls_per_game: float


@contextmanager
def passing_bot() -> Iterator[tuple[str, str]]:
    """A bot that only passes: the language it is in, and its command line."""
    with tempfile.TemporaryDirectory(prefix="cardrome-bench-") as folder:
        compiler = shutil.which("cc")
        if compiler is None:
            source = Path(folder) / "bot.py"
            source.write_text(_PASSING_PYTHON)
            yield "Python", f"{sys.executable} {source}"
            return
        source, program = Path(folder) / "bot.c", Path(folder) / "bot"
        source.write_text(_PASSING_C)
        subprocess.run([compiler, "-O2", "-w", "-o", str(program), str(source)], check=True)
        yield "C", str(program)


def referee_cost(games: int = 60, jobs: int = 1) -> RefereeCost:
    """Measure the referee; with several jobs in as many processes."""
    with passing_bot() as (language, command):
        if jobs <= 1:
            play_passing_games(command, 2)
            start = time.perf_counter()
            cpu, calls = play_passing_games(command, games)
        else:
            with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
                list(pool.map(play_passing_games, [command] * jobs, [2] * jobs))
                start = time.perf_counter()
                parts = list(pool.map(play_passing_games, [command] * jobs, [games // jobs] * jobs))
                games = games // jobs * jobs
            cpu, calls = sum(part[0] for part in parts), sum(part[1] for part in parts)
        seconds = time.perf_counter() - start
    return RefereeCost(language, games / seconds, cpu / calls * 1000, calls / games)


def play_passing_games(command: str, games: int) -> tuple[float, int]:
    """Play games between two of the bots; returns the referee's CPU seconds and the number of calls."""
    start, calls = time.process_time(), 0
    specs, settings = (
        (parse_player(command, FAMILY, 0), parse_player(command, FAMILY, 1)),
        BotSettings(Clock(scale=100)),
    )
    with pinned():
        for k in range(games):
            replay = play_one(LOCM_12.name, specs, LocmDeal(k), 0, settings)
            assert replay.fault is None, replay.fault
            calls += len(replay.answer_times(0)) + len(replay.answer_times(1))
    return time.process_time() - start, calls
