"""The clock of an event: tick n is due n turns after the start, even if earlier ticks were served a little late.

A stall shifts the clock instead of eating turns. The clock also beats several times a turn: a beat that comes late by
much tells that the server stood still, and the present turn ends later by as long as it did.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

LATE = 0.05
"""Seconds after which a tick counts as late."""
SHARE_MADE_UP = 0.25
"""The share of a turn by which a beat may come late before it counts as a stall."""
BEATS = 8
"""Beats in a turn."""


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
        self._last = self._expected = float("inf")
        """When the last beat was, and when the next one is expected: no later than the next tick."""
        self._stalled = False
        """The server stood still in the present turn."""
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start the clock: the first tick is due in one turn."""
        self._loop = asyncio.get_running_loop()
        now = self._clock()
        self.due = now + self.seconds
        self._beat(now)
        self._arm()

    def stop(self) -> None:
        """Stop the clock."""
        self.due = self._expected = float("inf")
        if self._timer is not None:
            self._timer.cancel()

    def serve_due(self) -> None:
        """Tick if it is time. Call it before anything that must come after a due tick."""
        now = self._clock()
        late = now - self._expected
        if late < 0:  # nothing is due before the next beat; this comes before every command, so it is quick
            return
        if late > SHARE_MADE_UP * self.seconds:
            self._shift(now, late)
        if now < self.due:
            self._beat(now)
            return
        self._note(now - self.due)
        self.due += self.seconds
        self._stalled = False
        self.ticks += 1
        self._beat(now)  # before the tick: nobody is served while it is worked out
        try:
            self._tick()
        except Exception as error:  # a bug must not stop the clock
            self._log(f"internal error in a tick: {error!r}")

    def _shift(self, now: float, late: float) -> None:
        """Let the present turn end later, because the server stood still."""
        self._note(late)
        stood = now - self._last
        if self._stalled:
            self.due += late  # each beat takes a little of the turn, or a machine that is always late would never tick
            return
        self._stalled = True
        self.due += stood
        if stood > LATE:
            self._log(f"the server stood still for {stood:.1f} s: this turn ends later by as much")

    def _note(self, lag: float) -> None:
        self.last_lag = lag
        self.worst_lag = max(self.worst_lag, lag)
        self.late += lag > LATE

    def _beat(self, now: float) -> None:
        self._last = now
        self._expected = min(now + self.seconds / BEATS, self.due)

    def _arm(self) -> None:
        assert self._loop is not None
        delay = max(self._expected - self._clock(), 0)
        self._timer = self._loop.call_later(delay, self._alarm)

    def _alarm(self) -> None:
        self.serve_due()
        if self.due != float("inf"):
            self._arm()
