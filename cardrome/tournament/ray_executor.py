"""Jobs on a Ray cluster, or on a local Ray: each takes one CPU, on any machine.

Every machine needs this package and the bots, in the same places. Results come back to this process, which stores
them; if a machine goes away, only the jobs it was playing are lost.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Generator, Iterable
from itertools import islice
from typing import Any

from cardrome.arena.workers import AHEAD, LOOK_SECONDS
from cardrome.errors import CallerError, InfrastructureFault
from cardrome.tournament.executors import Ended, Lost, attempt
from cardrome.tournament.work import Job, JobSettings

LOCAL = "ray"
"""The value of `--workers` for the Ray on this machine or at RAY_ADDRESS; if there is none, one is started."""
_COUNT_SECONDS = 5.0
"""How often the CPUs are counted again."""


def check_workers(text: str) -> None:
    """`CallerError` if the value of `--workers` is wrong, or Ray is not installed."""
    if text != LOCAL and not (text.startswith("ray://") and text != "ray://"):
        raise CallerError(f"--workers {text}: expected `ray` or `ray://HOST:PORT`")
    if importlib.util.find_spec("ray") is None:
        raise CallerError(f"--workers {text}: Ray is not installed; pip install 'cardrome[ray]'")


class RayExecutor:
    """Plays jobs on a Ray cluster."""

    def __init__(self, settings: JobSettings, address: str = LOCAL, jobs: int = 0) -> None:
        """``address`` is ``ray`` or ``ray://HOST:PORT``; a Ray that has to be started gets ``jobs`` CPUs."""
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
        self._settings = ray.put(settings)
        self._play = ray.remote(num_cpus=1, max_retries=0)(attempt)

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
                    running[self._play.remote(job, self._settings)] = job
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
            reason = str(error).strip().partition("\n")[0]
            return Lost(job, f"a Ray worker was lost: {type(error).__name__}: {reason}")

    def close(self) -> None:
        """Leave the cluster; a local Ray that was started here ends."""
        if self._mine:
            self._ray.shutdown()


def _connect(ray: Any, address: str, jobs: int) -> None:
    if address != LOCAL:
        ray.init(address)
        return
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        ray.init("auto", **quiet)
    except ConnectionError:
        ray.init("local", num_cpus=jobs or None, include_dashboard=False, **quiet)
