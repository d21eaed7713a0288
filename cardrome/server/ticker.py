"""The clock of an event: tick n is due n turns after the start, even if earlier ticks were served a little late.

A stall shifts the clock instead of eating turns: after a tick that was late by much, the next turn has its full length,
and a turn in which the server stood still for longer than a turn begins anew.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

LATE = 0.05
"""Seconds after which a tick counts as late."""
SHARE_MADE_UP = 0.25
"""The share of a turn by which the next one may be shorter, because a tick came late."""


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
        self._tick = tick
        self._log = log
        self._clock = clock
        self.due = float("inf")
        """When the next tick is due, by `time.monotonic`. It is checked before each command that is served."""
        self._stalled = False
        """The present turn has begun anew."""
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start the clock: the first tick is due in one turn."""
        self._loop = asyncio.get_running_loop()
        self.due = self._clock() + self.seconds
        self._arm()

    def stop(self) -> None:
        """Stop the clock."""
        self.due = float("inf")
        if self._timer is not None:
            self._timer.cancel()

    def serve_due(self) -> None:
        """Tick if it is time. Call it before anything that must come after a due tick."""
        now = self._clock()
        if now < self.due:
            return
        lag = now - self.due
        self.last_lag = lag
        self.worst_lag = max(self.worst_lag, lag)
        self.late += lag > LATE
        self.due = self.seconds + (self.due if lag <= SHARE_MADE_UP * self.seconds else now)
        if lag > self.seconds and not self._stalled:  # only once, or a machine that is always late would never tick
            self._stalled = True
            self._log(f"the clock stood still for {lag:.1f} s: this turn begins anew")
            return
        self._stalled = False
        self.ticks += 1
        try:
            self._tick()
        except Exception as error:  # a bug must not stop the clock
            self._log(f"internal error in a tick: {error!r}")

    def _arm(self) -> None:
        assert self._loop is not None
        delay = max(self.due - self._clock(), 0)
        self._timer = self._loop.call_later(delay, self._alarm)

    def _alarm(self) -> None:
        self.serve_due()
        if self.due != float("inf"):
            self._arm()
