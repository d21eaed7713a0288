"""What a tournament costs besides its games: handing out jobs, collecting results, storing them.

    python -m cardrome.bench.tournament_overhead   100,000 games that take no time, then 100,000 real ones
    python -m cardrome.bench.tournament_overhead --games 20000 --no-real
    python -m cardrome.bench.tournament_overhead --ray --games 20000 --no-real   also through Ray, on this machine

The first figures are for an executor that makes games up: in jobs of many games, as for built-in agents, and in jobs of
a single game, as for programs, stored one by one or sixteen at a time, as they arrive on a larger machine. Through Ray,
single games take the way to a worker and back: that is the ceiling of the process that hands out and stores the games
of a cluster, or more, since here the workers share its cores. The last figure is for a round robin of ten built-in
agents that is really played. Stores are SQLite files.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Generator, Iterable
from itertools import islice
from pathlib import Path

import numpy as np

from cardrome.engine.bulk import mirrored_games
from cardrome.tournament.executors import Done, Ended, Executor, Here, InlineExecutor, ProcessExecutor
from cardrome.tournament.games import GameTable, PlayedGame
from cardrome.tournament.ray_executor import RayExecutor
from cardrome.tournament.run import TournamentRun
from cardrome.tournament.settings import read_plan
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import Job, JobSettings

BOTS = 10
PAIRINGS = BOTS * (BOTS - 1) // 2
AGENTS = ("greedy", "rule-based", "random", "pass")


class Instant(Here):
    """Makes games up: what is left is the tournament's own work."""

    name = "nobody"
    jobs = 1

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        waiting = iter(jobs)
        while some := list(islice(waiting, self._at_once)):
            yield [Done(job, _made_up(job), 0.01) for job in some]

    def close(self) -> None:
        pass


class InstantRay(RayExecutor):
    """Has games made up on a Ray of this machine, as many at a time as on a cluster of some size."""

    jobs = 256

    def __init__(self, settings: JobSettings) -> None:
        super().__init__(settings, jobs=2)
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(_made_up_there)


def _made_up_there(job: Job, _shared: object) -> Ended:
    return Done(job, _made_up(job), 0.01)


def _made_up(job: Job) -> GameTable:
    if job.game is not None:
        key, now = job.key(job.pairs[0], job.game), time.time()
        record = PlayedGame(key=key, seed=job.seeds[0], winner=job.game, turns=20, actions=60, finished_at=now)
        return GameTable.of_records([record])
    games = mirrored_games(np.array(job.seeds, np.int64))
    games.winner, games.turns, games.actions = games.first, 20, 60
    return GameTable.played(job.edition, job.a.entrant, job.b.entrant, job.pairs, games)


class Silent:
    def message(self, text: str) -> None:
        pass

    def round(self, number: int, games: int, stored: int, planned: int | None) -> None:
        pass

    def played(self, games: GameTable) -> None:
        pass


def measure(games: int, executor: Executor | int | type[InstantRay], programs: bool = False) -> float:
    """The seconds that a round robin takes with an executor, a number of processes, or Ray."""
    pairs = max(games // (2 * PAIRINGS), 1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cup.toml"
        text = f'[tournament]\nname = "Bench"\nseed = 1\ncheck = false\npairs = {pairs}\n'
        for k in range(BOTS):
            kind = 'command = "./nothing"' if programs else f'agent = "{AGENTS[k % len(AGENTS)]}"'
            text += f'[[bots]]\nname = "bot{k}"\n{kind}\n'
        file.write_text(text)
        plan = read_plan(file)
        with TournamentStore.open(plan.store, base=plan.folder) as store:
            run = TournamentRun(plan, store, Silent())
            player: Executor
            if isinstance(executor, int):
                player = ProcessExecutor(run.settings, executor)
            elif isinstance(executor, type):
                player = executor(run.settings)
            else:
                player = executor
            run.admit(InlineExecutor(run.settings))
            start = time.perf_counter()
            run.run(player)
            seconds = time.perf_counter() - start
            player.close()
            assert len(store.games()) == pairs * 2 * PAIRINGS
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description="What a tournament costs besides its games.")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2, help="processes for the real games")
    parser.add_argument("--no-real", action="store_true", help="leave the real games out")
    parser.add_argument("--ray", action="store_true", help="also through Ray")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measure(1, Instant(1))  # compiles, and loads what is loaded late
    n = max(options.games // (2 * PAIRINGS), 1) * 2 * PAIRINGS
    figures = {"games": float(n)}
    figures["ms a game, many in a job"] = 1000 * measure(n, Instant(1)) / n
    figures["ms a game, single, 16 at a time"] = 1000 * measure(n, Instant(16), programs=True) / n
    figures["ms a game, single, one by one"] = 1000 * measure(n // 10, Instant(1), programs=True) / (n // 10)
    if options.ray:
        figures["through Ray: games/s"] = n / measure(n, InstantRay, programs=True)
    if not options.no_real:
        seconds = measure(n, options.jobs)
        figures |= {"real games: seconds": seconds, "real games: games/s": n / seconds}
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:34} {value:12,.0f}" if value >= 1000 else f"{name:34} {value:12.3f}")


if __name__ == "__main__":
    main()
