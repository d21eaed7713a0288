"""The clock of an event: tick n is due n turns after the start, however late earlier ticks were served."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

LATE = 0.05
"""Seconds after which a tick counts as late."""
GIVE_UP = 5
"""Turns by which a clock that is further behind does not catch up: the machine was asleep."""


class Ticker:
    """Calls a function once a turn, from a timer or from `serve_due`, whichever comes first."""

    def __init__(
        self,
        seconds: float,
        tick: Callable[[], None],
        log: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds = seconds
        self.ticks = 0
        self.late = 0
        self.last_lag = 0.0
        self.worst_lag = 0.0
        self.lags: list[float] | None = None
        """All lags in seconds, for measurements; None to keep none."""
        self._tick = tick
        self._log = log
        self._clock = clock
        self._start = 0.0
        self.due = float("inf")
        """When the next tick is due, by `time.monotonic`. Whoever serves commands checks it before each of them."""
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start the clock: the first tick is due in one turn."""
        self._loop = asyncio.get_running_loop()
        self._start = self._clock()
        self.due = self._start + self.seconds
        self._arm()

    def stop(self) -> None:
        """Stop the clock."""
        self.due = float("inf")
        if self._timer is not None:
            self._timer.cancel()

    def serve_due(self) -> None:
        """Tick if it is time. Call it before anything that must come after a due tick."""
        if self._clock() >= self.due:
            self._serve()

    def _serve(self) -> None:
        now = self._clock()
        while now >= self.due:
            lag = now - self.due
            self.ticks += 1
            if lag > GIVE_UP * self.seconds:
                self._log(f"the clock jumped by {lag:.1f} s: turns continue from now")
                self._start += lag
            self.due = self._start + (self.ticks + 1) * self.seconds
            self.last_lag = lag
            self.worst_lag = max(self.worst_lag, lag)
            self.late += lag > LATE
            if self.lags is not None:
                self.lags.append(lag)
            try:
                self._tick()
            except Exception as error:  # a bug must not stop the clock
                self._log(f"internal error in a tick: {error!r}")
            now = self._clock()

    def _arm(self) -> None:
        assert self._loop is not None
        delay = max(self.due - self._clock(), 0)
        self._timer = self._loop.call_later(delay, self._alarm)

    def _alarm(self) -> None:
        self.serve_due()
        if self.due != float("inf"):
            self._arm()
