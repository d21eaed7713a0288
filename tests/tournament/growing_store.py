"""A process that runs a tournament step by step: a pair of games is played and saved for every line it is sent.

    python -m tests.tournament.growing_store STORE [SEED]

Without a seed one is drawn, and kept a secret. After each step it prints the number of games.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cardrome.arena.players.player import BotSettings
from cardrome.tournament.schedule.pairing import deal_seed
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import Job, JobSettings, play_job, spec_of

EDITION = "locm-1.2"
PAIRS = 4


def main(where: str, seed: int | None) -> None:
    from pathlib import Path

    with TournamentStore.open(where) as store:
        growing = f'{{"pairs":{PAIRS},"rounds":null,"editions":["{EDITION}"]}}'
        seed = store.register("Growing <b>cup</b>", seed, '{"schedule":"round-robin","limits":{}}', growing)
        entrants = store.enter([BotSection(name="greedy", agent="greedy"), BotSection(name="random", agent="random")])
        a, b = (spec_of(entrant, Path()) for entrant in entrants)
        print(0, flush=True)
        for pair, _ in enumerate(sys.stdin):
            job = Job(EDITION, a, b, (pair,), (deal_seed(seed, EDITION, pair),))
            store.save(play_job(job, JobSettings(BotSettings(), "all")))
            print(2 * pair + 2, flush=True)


class GrowingStore:
    """The process, from outside."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.grown()

    def grow(self) -> int:
        """Let it play a pair; returns the number of games that are stored then."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self.grown()

    def grown(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())


@contextmanager
def growing_store(where: str, seed: int | None = None) -> Iterator[GrowingStore]:
    command = [sys.executable, "-m", "tests.tournament.growing_store", where, *([] if seed is None else [str(seed)])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield GrowingStore(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
