"""Who plays the jobs: this process, several processes, or a Ray cluster. Nothing else knows which.

An executor takes jobs and gives back their games as they end, in any order. A job that could not be played because
something broke, other than a bot, comes back as `Lost`: it is for the caller to try it again.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Protocol

import msgspec

from cardrome.arena.tournament.records import GameRecord
from cardrome.arena.tournament.work import Job, JobSettings, close_kept, play_job
from cardrome.arena.workers import begin_worker
from cardrome.errors import CallerError

AHEAD = 3
"""Jobs handed out for each process: enough that none idles, few enough that little is lost with one."""


class Done(msgspec.Struct, frozen=True):
    """A job that was played."""

    job: Job
    records: list[GameRecord]
    seconds: float
    """How long it took."""


class Lost(msgspec.Struct, frozen=True):
    """A job that was not, and why."""

    job: Job
    reason: str


class Executor(Protocol):
    """Plays jobs."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def jobs(self) -> int:
        """How many are played at a time."""

    def run(self, jobs: Iterable[Job]) -> Iterator[list[Done | Lost]]:
        """Play jobs; yields those that have ended since the last time. Closing it lets what is being played end."""

    def close(self) -> None:
        """Stop for good."""


class InlineExecutor:
    """One job after the other, in this process."""

    name = "this process"
    jobs = 1

    def __init__(self, settings: JobSettings) -> None:
        self._settings = settings

    def run(self, jobs: Iterable[Job]) -> Iterator[list[Done | Lost]]:
        """Play jobs in order."""
        for job in jobs:
            yield [attempt(job, self._settings)]

    def close(self) -> None:
        """Stop the programs that were kept."""
        close_kept()


def attempt(job: Job, settings: JobSettings) -> Done | Lost:
    """Play a job; whatever breaks, except by the caller's fault, is told and not raised."""
    start = time.perf_counter()
    try:
        records = play_job(job, settings)
        return Done(job, records, time.perf_counter() - start)
    except CallerError:
        raise
    except Exception as error:
        return Lost(job, f"{type(error).__name__}: {error}")


class ProcessExecutor:
    """Some processes of this machine. One that dies is replaced, and its jobs are lost."""

    def __init__(self, settings: JobSettings, jobs: int) -> None:
        self.name = f"{jobs} processes"
        self.jobs = jobs
        self._settings = settings
        self._pool: ProcessPoolExecutor | None = None

    def run(self, jobs: Iterable[Job]) -> Iterator[list[Done | Lost]]:
        """Play jobs, `jobs` at a time."""
        waiting = iter(jobs)
        running: dict[Future[Done | Lost], Job] = {}
        try:
            while True:
                for job in islice(waiting, AHEAD * self.jobs - len(running)):
                    running[self._submit(job)] = job
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                yield [self._result(future, running.pop(future)) for future in done]
        finally:
            for future in running:
                future.cancel()
            # What is being played ends, and what it brings is not thrown away.
            ended = [(future, job) for future, job in running.items() if not future.cancelled()]
            wait([future for future, _ in ended])
            self.left = [self._result(future, job) for future, job in ended]

    left: list[Done | Lost] = []  # noqa: RUF012 - replaced, never changed
    """What ended after `run` was closed."""

    def _submit(self, job: Job) -> Future[Done | Lost]:
        if self._pool is None:
            begin = (close_kept,)
            self._pool = ProcessPoolExecutor(
                self.jobs, mp_context=get_context("spawn"), initializer=begin_worker, initargs=begin
            )
        try:
            return self._pool.submit(attempt, job, self._settings)
        except BrokenProcessPool:
            self._drop()
            return self._submit(job)

    def _result(self, future: Future[Done | Lost], job: Job) -> Done | Lost:
        try:
            return future.result()
        except BrokenProcessPool:
            self._drop()
            return Lost(job, "a worker process died")

    def _drop(self) -> None:
        """Forget a broken pool; the next job makes another."""
        pool, self._pool = self._pool, None
        if pool is not None:
            with contextlib.suppress(Exception):
                pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
