"""Where the event leaves its newest snapshot, and the pages find it.

The event's thread must never wait for a page, and 500 viewers must not cost 500 encodings. So a snapshot is only stored
where it is made; the web thread turns it into text when the first viewer asks, once for all of them.
"""

from __future__ import annotations

import asyncio
import time
from functools import cached_property

import msgspec

from cardrome.server.snapshot import Snapshot
from cardrome.web.live.view import EMPTY, NO_RESULTS, Results, Status, results_of, status_of


class Bulletin:
    """A snapshot as the viewers get it: each form is made when somebody first asks for it, in the web thread."""

    def __init__(self, snapshot: Snapshot | None, before: Bulletin | None = None) -> None:
        self.snapshot = snapshot
        self._results: Results | None = None if before is None else before._results

    @cached_property
    def json(self) -> bytes:
        """The whole snapshot."""
        return msgspec.json.encode(self.snapshot)

    @cached_property
    def status(self) -> Status:
        """The part of the page that changes every tick."""
        return EMPTY if self.snapshot is None else status_of(self.snapshot)

    @cached_property
    def results(self) -> Results:
        """The part that changes seldom. It is the very same object as before if nothing has changed."""
        results = NO_RESULTS if self.snapshot is None else results_of(self.snapshot)
        if self._results != results:
            self._results = results
        return self._results

    @cached_property
    def short_message(self) -> bytes:
        """The news for a viewer who has the results already."""
        return b'data: {"status":' + msgspec.json.encode(self.status) + b"}\n\n"

    @cached_property
    def full_message(self) -> bytes:
        """The news for a viewer who has nothing yet, or old results."""
        encoded = msgspec.json.encode(self.results), msgspec.json.encode(self.status)
        return b'data: {"results":%b,"status":%b}\n\n' % encoded


class SnapshotBoard:
    """Holds the newest snapshot: one thread publishes, the web thread's loop reads."""

    def __init__(self) -> None:
        self._latest: Snapshot | None = None
        self._published = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake_pending = False
        self._bulletin = Bulletin(None)
        self._changed: asyncio.Future[None] | None = None
        self._ended: asyncio.Future[None] | None = None

    # The event's thread

    def publish(self, snapshot: Snapshot) -> None:
        """Make this the newest snapshot. Takes microseconds, whoever watches."""
        # No lock is needed, since the order of the steps is enough: the snapshot is stored before the flag is read,
        # and the web thread lowers the flag before it looks at the snapshot.
        self._published = time.monotonic()
        self._latest = snapshot
        loop = self._loop
        if loop is not None and not self._wake_pending:
            self._wake_pending = True
            try:
                loop.call_soon_threadsafe(self._wake)
            except RuntimeError:  # the page was stopped at this very moment
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
        """Belong to the running loop from now on."""
        loop = asyncio.get_running_loop()
        self._changed, self._ended = loop.create_future(), loop.create_future()
        self._wake_pending = False
        self._loop = loop

    def close(self) -> None:
        """Let everybody who waits go: the pages are closing down. The board itself still takes snapshots."""
        self._loop = None
        for future in (self._ended, self._changed):
            if future is not None and not future.done():
                future.set_result(None)

    @property
    def ended(self) -> asyncio.Future[None]:
        """Done when the pages close down."""
        assert self._ended is not None, "the board is not open"
        return self._ended

    @property
    def changed(self) -> asyncio.Future[None]:
        """Done when something newer than the present bulletin is there, or the pages close down."""
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
