"""Where jobs are played: in this process, in several processes, or on a Ray cluster. Nothing else knows which.

An executor takes jobs and returns what became of them, in any order. A job that could not be played because something
other than a bot broke comes back as `Lost`; the caller decides whether to try again.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from multiprocessing import connection
from typing import Any, Protocol

import msgspec

from cardrome.arena.players.player import close_kept
from cardrome.arena.players.process import adopt_orphans, kill_orphans
from cardrome.arena.spawning import spawning
from cardrome.arena.workers import begin_worker
from cardrome.errors import CallerError
from cardrome.tournament.games import GameTable
from cardrome.tournament.work import Job, JobSettings, play_job

AHEAD = 2
"""Jobs handed out to each process: the current one and the next, so that it never waits while games are stored."""
LOOK_SECONDS = 0.5
"""The longest time between two reports of an executor."""
_END_SECONDS = 10.0
"""How long a process that has nothing more to do may take to end."""


class Done(msgspec.Struct, frozen=True):
    """A job that was played."""

    job: Job
    games: GameTable
    seconds: float


class Lost(msgspec.Struct, frozen=True):
    """A job that was not played, without a bot's fault."""

    job: Job
    reason: str


class Refused(msgspec.Struct, frozen=True):
    """A job that can never be played: something is wrong with the settings or an agent."""

    job: Job
    reason: str


Ended = Done | Lost | Refused


class Executor(Protocol):
    """Plays jobs."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def jobs(self) -> int:
        """How many jobs are played at a time."""

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        """Play jobs until there are no more; yields the ones that ended since the last time, which may be none.

        To stop cleanly, end the iterable: jobs taken from it are still played. Closing the generator drops them.
        """

    def close(self) -> None:
        """Stop for good."""


class InlineExecutor:
    """Plays one job after the other in this process."""

    name = "this process"
    jobs = 1

    def __init__(self, settings: JobSettings) -> None:
        self._settings = settings

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        """Play jobs in order."""
        for job in jobs:
            yield [attempt(job, self._settings)]

    def close(self) -> None:
        """End the programs that were kept."""
        close_kept()


def attempt(job: Job, settings: JobSettings) -> Ended:
    """Play a job; whatever breaks is returned and not raised, so that it arrives from any process."""
    start = time.perf_counter()
    try:
        games = play_job(job, settings)
        return Done(job, games, time.perf_counter() - start)
    except CallerError as error:
        return Refused(job, str(error))
    except Exception as error:
        return Lost(job, f"{type(error).__name__}: {error}")


class ProcessExecutor:
    """Plays jobs in processes of this machine. One that dies is replaced; only its own jobs are lost."""

    def __init__(self, settings: JobSettings, jobs: int) -> None:
        self.name = f"{jobs} processes"
        self.jobs = jobs
        self._settings = settings
        self._workers: list[_Worker] = []

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        """Play jobs, `jobs` at a time."""
        adopt_orphans()  # the bots of a process that was killed become our children
        waiting = iter(jobs)
        try:
            while True:
                self._hand_out(waiting)
                busy = [worker for worker in self._workers if worker.jobs]
                if not busy:
                    return
                yield self._collect(busy)
        finally:
            for worker in [worker for worker in self._workers if worker.jobs]:
                worker.kill()
                self._workers.remove(worker)

    def _hand_out(self, waiting: Iterator[Job]) -> None:
        """Give every process one job before any gets two."""
        for ahead in range(AHEAD):
            for place in range(self.jobs):
                if place < len(self._workers) and len(self._workers[place].jobs) > ahead:
                    continue
                job = next(waiting, None)
                if job is None:
                    return
                if place >= len(self._workers):
                    self._workers.append(_Worker(self._settings))
                self._workers[place].give(job)

    def _collect(self, busy: list[_Worker]) -> list[Ended]:
        """The jobs that ended, and the ones lost with processes that died."""
        ready = connection.wait([worker.pipe for worker in busy], LOOK_SECONDS)
        found: list[Ended] = []
        for worker in busy:
            if worker.pipe in ready:
                found += worker.take()
                if worker.dead:
                    self._workers.remove(worker)
        return found

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.dismiss()
        while self._workers:
            self._workers.pop().bury()


class _Worker:
    """A process that plays the jobs it receives, one after the other."""

    def __init__(self, settings: JobSettings) -> None:
        context = spawning()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, settings), daemon=True)
        # Ctrl-C is for this process. The new one starts with the signal blocked, and unblocks it once it ignores it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self.jobs: deque[Job] = deque()
        """Jobs that it has not finished, in order."""
        self.dead = False

    def give(self, job: Job) -> None:
        """Send a job. If the process is gone, `take` notices."""
        self.jobs.append(job)
        with contextlib.suppress(OSError):
            self.pipe.send(job)

    def take(self) -> list[Ended]:
        """The jobs that have ended; if the process is dead, all others are lost."""
        ended: list[Ended] = []
        try:
            while self.jobs and self.pipe.poll():
                ended.append(self.pipe.recv())
                self.jobs.popleft()
        except (EOFError, OSError):
            self.process.join(1.0)
            self.kill()
            reason = f"a worker process {_how(self.process.exitcode)}"
            ended += [Lost(job, reason) for job in self.jobs]
            self.jobs.clear()
        return ended

    def dismiss(self) -> None:
        """Let the process end once its jobs are done."""
        self.pipe.close()

    def bury(self) -> None:
        """Wait for the process to end; kill it if that takes too long."""
        self.process.join(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process now. It is asked first, so that it can kill its bots."""
        self.dead = True
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(_END_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()
        kill_orphans()


def _how(code: int | None) -> str:
    """How a process ended."""
    if code is None or code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _work(pipe: Any, settings: JobSettings) -> None:
    """The main function of a worker process."""
    begin_worker(None, settings.bots.affinity)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    try:
        # The pipe breaks when the tournament is over, or was killed.
        with contextlib.suppress(EOFError, OSError):
            while True:
                pipe.send(attempt(pipe.recv(), settings))
    finally:
        close_kept()
