"""Where the event leaves its newest snapshot and the page finds it.

The event's thread must never wait for a page, and 500 viewers must not cost 500 encodings. So the event's thread only
stores the snapshot; the web thread encodes it when the first viewer asks, once for all of them.
"""

from __future__ import annotations

import asyncio
import time
from functools import cached_property

import msgspec

from cardrome.server.broadcast import Broadcast
from cardrome.server.snapshot import Snapshot
from cardrome.web.live.view import EMPTY, NO_RESULTS, EventResults, EventStatus, results_of, status_of


class Bulletin:
    """A snapshot in the forms that viewers get. Each form is made in the web thread when it is first asked for."""

    def __init__(self, snapshot: Snapshot | None, before: Bulletin | None = None) -> None:
        self.snapshot = snapshot
        self._results: EventResults | None = None if before is None else before._results

    @cached_property
    def json(self) -> bytes:
        """The whole snapshot."""
        return msgspec.json.encode(self.snapshot)

    @cached_property
    def status(self) -> EventStatus:
        """The part of the page that changes with every tick."""
        return EMPTY if self.snapshot is None else status_of(self.snapshot)

    @cached_property
    def results(self) -> EventResults:
        """The part that rarely changes: the same object as before unless it did."""
        results = NO_RESULTS if self.snapshot is None else results_of(self.snapshot)
        if self._results != results:
            self._results = results
        return self._results

    @cached_property
    def short_message(self) -> bytes:
        """The event for a viewer who already has the results."""
        return b'data: {"status":' + msgspec.json.encode(self.status) + b"}\n\n"

    @cached_property
    def full_message(self) -> bytes:
        """The event for a viewer who has no results yet, or old ones."""
        encoded = msgspec.json.encode(self.results), msgspec.json.encode(self.status)
        return b'data: {"results":%b,"status":%b}\n\n' % encoded


class SnapshotBoard:
    """Holds the newest snapshot. One thread publishes it; the web thread's event loop reads it."""

    def __init__(self) -> None:
        self._latest: Snapshot | None = None
        self._broadcast: Broadcast | None = None
        self._published = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake_pending = False
        self._bulletin = Bulletin(None)
        self._changed: asyncio.Future[None] | None = None
        self._ended: asyncio.Future[None] | None = None

    # The event's thread

    def publish(self, snapshot: Snapshot, broadcast: Broadcast | None = None) -> None:
        """Make this the newest snapshot. Takes microseconds, however many are watching."""
        # The order of the steps replaces a lock: the snapshot is stored before the flag is read, and the web thread
        # lowers the flag before it looks at the snapshot.
        self._published = time.monotonic()
        self._broadcast = broadcast
        self._latest = snapshot
        loop = self._loop
        if loop is not None and not self._wake_pending:
            self._wake_pending = True
            try:
                loop.call_soon_threadsafe(self._wake)
            except RuntimeError:  # the page is being stopped right now
                self._wake_pending = False

    # Any thread

    @property
    def latest(self) -> Snapshot | None:
        """The newest snapshot; None before the first."""
        return self._latest

    @property
    def age(self) -> float:
        """Seconds since the newest snapshot was published."""
        return time.monotonic() - self._published

    # The web thread

    def open(self) -> None:
        """Serve the running event loop from now on."""
        loop = asyncio.get_running_loop()
        self._changed, self._ended = loop.create_future(), loop.create_future()
        self._wake_pending = False
        self._loop = loop

    def close(self) -> None:
        """Release everybody who waits, because the page is closing down. The board still accepts snapshots."""
        self._loop = None
        for future in (self._ended, self._changed):
            if future is not None and not future.done():
                future.set_result(None)

    @property
    def ended(self) -> asyncio.Future[None]:
        """Done when the page closes down."""
        assert self._ended is not None, "the board is not open"
        return self._ended

    @property
    def changed(self) -> asyncio.Future[None]:
        """Done when there is something newer than the current bulletin, or the page closes down."""
        assert self._changed is not None, "the board is not open"
        return self._changed

    @property
    def bulletin(self) -> Bulletin:
        """The newest bulletin."""
        if self._bulletin.snapshot is not self._latest:
            self._bulletin = Bulletin(self._latest, self._bulletin)
        return self._bulletin

    def _wake(self) -> None:
        self._wake_pending = False
        old = self._changed
        if self._loop is not None and old is not None and not old.done():
            self._changed = self._loop.create_future()
            old.set_result(None)
