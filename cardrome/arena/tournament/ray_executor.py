"""Jobs on a Ray cluster, or on a local Ray: each takes one CPU, wherever there is one.

Every machine needs this package and the bots, in the same places. Results come back to this process, which stores
them; a machine that goes away takes only the jobs with it that it was playing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from cardrome.arena.tournament.executors import AHEAD, Done, Lost, attempt
from cardrome.arena.tournament.work import Job, JobSettings
from cardrome.errors import CallerError

LOCAL = "ray"
"""What `--workers` says for a Ray of this machine, or the one that RAY_ADDRESS names."""


class RayExecutor:
    """A Ray cluster."""

    def __init__(self, settings: JobSettings, address: str, jobs: int = 0) -> None:
        """``address`` is ``ray`` or ``ray://HOST:PORT``; a local Ray is started with ``jobs`` CPUs."""
        try:
            import ray
        except ImportError:
            raise CallerError("--workers ray: Ray is not installed; pip install 'cardrome[ray]'") from None
        self._ray: Any = ray
        try:
            self._mine = not ray.is_initialized()
            if self._mine:
                options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
                if address != LOCAL:
                    options["address"] = address
                elif jobs:
                    options |= {"num_cpus": jobs, "include_dashboard": False}
                ray.init(**options)
        except Exception as error:
            raise CallerError(f"--workers {address}: {error}") from None
        self._settings = ray.put(settings)
        self._play = ray.remote(num_cpus=1, max_retries=0)(attempt)

    @property
    def jobs(self) -> int:
        """The CPUs of the cluster, as it is now: machines come and go."""
        return max(int(self._ray.cluster_resources().get("CPU", 1)), 1)

    @property
    def name(self) -> str:
        """For people."""
        return f"Ray with {self.jobs} CPUs on {len(self._ray.nodes())} machines"

    left: list[Done | Lost] = []  # noqa: RUF012 - replaced, never changed
    """What ended after `run` was closed."""

    def run(self, jobs: Iterable[Job]) -> Iterator[list[Done | Lost]]:
        """Play jobs, one on each CPU."""
        waiting = iter(jobs)
        running: dict[Any, Job] = {}
        try:
            while True:
                for job in islice(waiting, max(AHEAD * self.jobs - len(running), 0)):
                    running[self._play.remote(job, self._settings)] = job
                if not running:
                    return
                done, _ = self._ray.wait(list(running), num_returns=1, timeout=None)
                more, _ = self._ray.wait(list(running), num_returns=len(running), timeout=0)
                yield [self._result(each, running.pop(each)) for each in dict.fromkeys([*done, *more])]
        finally:
            for each in running:
                self._ray.cancel(each, force=False)
            self.left = []

    def _result(self, reference: Any, job: Job) -> Done | Lost:
        try:
            found: Done | Lost = self._ray.get(reference)
            return found
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, CallerError):
                raise cause from None
            return Lost(job, f"{type(cause).__name__}: {cause}")
        except self._ray.exceptions.RayError as error:
            return Lost(job, f"a Ray worker was lost: {type(error).__name__}")

    def close(self) -> None:
        """Leave the cluster; a local Ray that was started here ends."""
        if self._mine:
            self._ray.shutdown()
