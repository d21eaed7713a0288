"""Jobs on a Ray cluster, or on a local Ray: each takes one CPU, on any machine.

Every machine needs this package, and what bots need to run. Their folders are packed here, and unpacked and built once
on each machine. Results come back to this process, which stores them; if a machine goes away, only the jobs it was
playing are lost.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import secrets
import sys
import time
from collections.abc import Collection, Generator, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from cardrome.arena.players.player import PlayerSpec
from cardrome.arena.workers import AHEAD, LOOK_SECONDS
from cardrome.errors import CallerError, InfrastructureFault
from cardrome.tournament.executors import Ended, Lost, ProcessExecutor, Refused, Retried, attempt
from cardrome.tournament.packing import Build, Package, digest, pack, unpacked
from cardrome.tournament.settings import BotSection, TournamentPlan
from cardrome.tournament.work import Job, JobSettings, folder_of

LOCAL = "ray"
"""The value of `--workers` for the Ray on this machine or at RAY_ADDRESS; if there is none, one is started."""
_COUNT_SECONDS = 5.0
"""How often the CPUs are counted again."""
_BUILD_ATTEMPTS = 3
"""How often a build is tried whose worker was lost."""


def check_workers(text: str) -> None:
    """`CallerError` if the value of `--workers` is wrong, or Ray is not installed."""
    if text != LOCAL and not (text.startswith("ray://") and text != "ray://"):
        raise CallerError(f"--workers {text}: expected `ray` or `ray://HOST:PORT`")
    if importlib.util.find_spec("ray") is None:
        raise CallerError(f"--workers {text}: Ray is not installed; pip install 'cardrome[ray]'")


class _Shared(msgspec.Struct, frozen=True):
    """What all jobs need, sent to each machine once."""

    settings: JobSettings
    packages: dict[str, tuple[Package, Any]]
    """By the folder that jobs name: a bot's folder, and a reference to its content."""
    folder: str
    """The current folder here, in which module:Class is looked for."""


class RayExecutor:
    """Plays jobs on a Ray cluster."""

    def __init__(
        self, settings: JobSettings, address: str = LOCAL, jobs: int = 0, plan: TournamentPlan | None = None
    ) -> None:
        """``address`` is ``ray`` or ``ray://HOST:PORT``; a Ray that has to be started gets ``jobs`` CPUs.

        The folders of the plan's programs are packed here, before anything is built in them.
        """
        check_workers(address)
        import ray

        self._ray: Any = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            try:
                _connect(ray, address, jobs)
            except Exception as error:
                raise CallerError(f"--workers {address}: {error}") from None
        self._counted_at = 0.0
        self._cpus = 1
        self._packages = {} if plan is None else self._packed(plan, settings.bots.private)
        self._shared = ray.put(_Shared(settings, self._packages, os.getcwd()))
        # Spread, since every bot's folder has to get everywhere anyway.
        options = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")
        self._play, self._build = options(_play_there), options(_build_there)

    def _packed(self, plan: TournamentPlan, private: Collection[str]) -> dict[str, tuple[Package, Any]]:
        run = secrets.token_hex(6)
        builds: dict[str, list[Build]] = {}
        for bot in plan.settings.bots:
            if bot.command is not None:
                build = Build.of(bot, plan.settings)
                builds.setdefault(folder_of(bot, plan.folder), []).extend([] if build is None else [build])
        found = {}
        for folder, commands in builds.items():
            data = pack(Path(folder), private)
            found[folder] = Package(f"{digest(data)}-{run}", tuple(commands)), self._ray.put(data)
        return found

    def build(self, bot: BotSection, plan: TournamentPlan, private: Collection[str]) -> str | None:
        """Build a bot on one of the machines, to see whether it can be built; the others build it when they need it."""
        folder = folder_of(bot, plan.folder)
        if bot.build is None or folder not in self._packages:
            return None
        lost = ""
        for _ in range(_BUILD_ATTEMPTS):
            try:
                problem: str | None = self._ray.get(self._build.remote(folder, self._shared))
                return problem
            except self._ray.exceptions.RayError as error:
                lost = _first_line(error)
        raise InfrastructureFault(f"{bot.name} was not built, since Ray workers were lost: {lost}")

    @property
    def jobs(self) -> int:
        """The CPUs of the cluster: machines come and go."""
        now = time.monotonic()
        if not self._counted_at or now - self._counted_at > _COUNT_SECONDS:
            self._counted_at = now
            self._cpus = max(int(self._ray.cluster_resources().get("CPU", 1)), 1)
        return self._cpus

    @property
    def name(self) -> str:
        """For people."""
        return f"Ray with {self.jobs} CPUs on {len(self._ray.nodes())} machines"

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        """Play jobs, one per CPU."""
        waiting = iter(jobs)
        running: dict[Any, Job] = {}
        try:
            while True:
                for job in islice(waiting, max(AHEAD * self.jobs - len(running), 0)):
                    running[self._play.remote(job, self._shared)] = job
                if not running:
                    return
                done, _ = self._ray.wait(list(running), num_returns=1, timeout=LOOK_SECONDS)
                if done:  # others may have ended meanwhile
                    done, _ = self._ray.wait(list(running), num_returns=len(running), timeout=0)
                yield [self._result(each, running.pop(each)) for each in done]
        except (ConnectionError, self._ray.exceptions.RayError) as error:
            raise InfrastructureFault(f"the Ray cluster is gone: {error}") from None
        finally:
            for each in running:
                self._ray.cancel(each, force=True)

    def _result(self, reference: Any, job: Job) -> Ended:
        try:
            found: Ended = self._ray.get(reference)
            return found
        except self._ray.exceptions.RayError as error:
            return Lost(job, f"a Ray worker was lost: {_first_line(error)}")

    def close(self) -> None:
        """Leave the cluster; a local Ray that was started here ends."""
        if self._mine:
            self._ray.shutdown()


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


def _play_there(job: Job, shared: _Shared) -> Ended:
    """Play a job on this machine of the cluster, with the bots unpacked here."""
    with contextlib.suppress(OSError):
        os.chdir(shared.folder)
    try:
        a, b = (_moved(spec, shared) for spec in (job.a, job.b))
    except CallerError as error:
        return Refused(job, f"on {platform.node()}: {error}")
    except Exception as error:
        return Lost(job, f"on {platform.node()}: {type(error).__name__}: {error}")
    moved = msgspec.structs.replace(job, a=a, b=b)
    return msgspec.structs.replace(_played_here(moved, shared.settings), job=job)


def _played_here(job: Job, settings: JobSettings) -> Ended:
    """Games with programs are refereed by a process of their own: a bot that kills it loses, and no worker is lost."""
    if job.game is None:
        return attempt(job, settings)
    with contextlib.closing(_referee(settings).run([job])) as batches:
        return next(each for batch in batches for each in batch if not isinstance(each, Retried))


_referees: list[tuple[JobSettings, ProcessExecutor]] = []


def _referee(settings: JobSettings) -> ProcessExecutor:
    """The process for the games of a tournament. It is kept for the next one, and ends with this process."""
    if not _referees or _referees[0][0] != settings:
        while _referees:
            _referees.pop()[1].close()
        # A new process runs the program of its parent first, if it knows the file: here Ray's, which takes seconds.
        sys.modules["__main__"].__file__ = None
        _referees.append((settings, ProcessExecutor(settings, 1)))
    return _referees[0][1]


def _moved(spec: PlayerSpec, shared: _Shared) -> PlayerSpec:
    """A player whose folder is the one on this machine."""
    if spec.folder is None or spec.folder not in shared.packages:
        return spec
    return msgspec.structs.replace(spec, folder=str(_unpacked_here(spec.folder, shared)))


def _unpacked_here(folder: str, shared: _Shared) -> Path:
    import ray

    package, content = shared.packages[folder]
    return unpacked(package, lambda: ray.get(content))


def _build_there(folder: str, shared: _Shared) -> str | None:
    try:
        _unpacked_here(folder, shared)
    except CallerError as error:
        return str(error)
    return None


def _connect(ray: Any, address: str, jobs: int) -> None:
    # Ray lets all workers look for modules, first of all, in the folder that is the current one now.
    with contextlib.chdir("/"):
        if address != LOCAL:
            ray.init(address)
            return
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            ray.init("auto", **quiet)
        except ConnectionError:
            ray.init("local", num_cpus=jobs or None, include_dashboard=False, **quiet)
