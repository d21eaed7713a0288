"""Where jobs are played: in this process, in several processes, or on a Ray cluster. Nothing else knows which.

An executor takes jobs and returns their results, in any order. A job that could not be played because something other
than a bot broke comes back as `Lost`; the caller decides whether to try again.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Generator, Iterable
from functools import partial
from typing import Protocol

import msgspec

from cardrome.arena.players.player import close_kept, losing
from cardrome.arena.workers import Crew, Died
from cardrome.errors import CallerError
from cardrome.tournament.games import GameTable
from cardrome.tournament.packing import Build
from cardrome.tournament.settings import BotSection, TournamentPlan
from cardrome.tournament.work import Job, JobSettings, play_job
from cardrome.wording import counted


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


class Retried(msgspec.Struct, frozen=True):
    """A job whose process died. It is played again, and will end."""

    job: Job
    reason: str


Ended = Done | Lost | Refused | Retried


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

    def build(self, bot: BotSection, plan: TournamentPlan, private: Collection[str]) -> str | None:
        """Build a bot where it will play; returns what went wrong. ``private`` are files that no bot may change."""

    def close(self) -> None:
        """Stop for good."""


class Here:
    """On this machine, bots are built in their own folders."""

    def build(self, bot: BotSection, plan: TournamentPlan, private: Collection[str]) -> str | None:
        """Run the bot's build command."""
        build = Build.of(bot, plan.settings)
        return None if build is None else build.run(plan.folder / bot.directory, private)


class InlineExecutor(Here):
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


class ProcessExecutor(Here):
    """Plays jobs in processes of this machine. One that dies is replaced; a bot that kills it twice loses the game."""

    def __init__(self, settings: JobSettings, jobs: int) -> None:
        self.name = counted(jobs, "process", "processes")
        self.jobs = jobs
        play = partial(attempt, settings=settings)
        self._crew: Crew[Job, Ended] = Crew(play, jobs, close_kept, settings.bots.affinity, _lost)

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        """Play jobs, `jobs` at a time."""
        with contextlib.closing(self._crew.run(jobs)) as batches:
            for batch in batches:
                yield [_ended(job, outcome) for _, job, outcome in batch]

    def close(self) -> None:
        """End the processes."""
        self._crew.close()


def _ended(job: Job, outcome: Ended | Died) -> Ended:
    if not isinstance(outcome, Died):
        return msgspec.structs.replace(outcome, job=job)  # in which no bot loses yet
    return Retried(job, outcome.reason) if outcome.retried else Lost(job, outcome.reason)


def _lost(job: Job, player: int, reason: str) -> Job | None:
    """The job that A or B loses for sabotage."""
    specs = losing((job.a, job.b), player, reason)
    return None if specs is None or job.game is None else msgspec.structs.replace(job, a=specs[0], b=specs[1])
