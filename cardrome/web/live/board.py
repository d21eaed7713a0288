"""Where the event leaves its newest snapshot and the page finds it.

The event's thread must never wait for a page, and 500 viewers must not cost 500 encodings. So the event's thread only
stores what there is; the web thread makes of it what viewers get when the first of them asks, once for all.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import cached_property

import msgspec

from cardrome.server.broadcast import Broadcast
from cardrome.server.snapshot import Snapshot
from cardrome.web.live.onair import MatchesOnAir
from cardrome.web.live.view import EndedMatch, just_ended, match_order, scoreboard


class Bulletin:
    """A snapshot in the forms that viewers get. Each form is made in the web thread when it is first asked for."""

    def __init__(
        self,
        snapshot: Snapshot | None,
        broadcast: Broadcast | None,
        board: SnapshotBoard | None = None,
        before: Bulletin | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.broadcast = broadcast
        self._board = board
        self._boards: dict[tuple[int, ...], bytes] = {}
        ended = just_ended(None if before is None else before.broadcast, broadcast)
        self.ended: EndedMatch | None = ended or (None if before is None else before.ended)

    @cached_property
    def json(self) -> bytes:
        """The whole snapshot."""
        return msgspec.json.encode(self.snapshot)

    @cached_property
    def order(self) -> list[int]:
        """The matches on air, the most interesting first."""
        if self.snapshot is None or self.broadcast is None:
            return []
        return match_order(self.snapshot, self.broadcast)

    @cached_property
    def scoreboard(self) -> bytes:
        """The scoreboard as JSON; `null` before the first snapshot."""
        if self.snapshot is None or self._board is None:
            return b"null"
        shown = msgspec.json.encode(scoreboard(self.snapshot, self.broadcast, self._board.join, self.ended))
        return b'{"board":%b,"feature":%b}' % (shown, self.boards(tuple(self.order[:1])))

    def boards(self, matches: tuple[int, ...]) -> bytes:
        """Small boards of some matches as JSON."""
        if matches not in self._boards:
            self._boards[matches] = b"[]" if self._board is None else self._board.on_air.boards(self.broadcast, matches)
        return self._boards[matches]


class SnapshotBoard:
    """Holds the newest snapshot. One thread publishes it; the web thread's event loop reads it."""

    def __init__(self) -> None:
        self.join: Sequence[str] = ()
        """Where teams connect, for people to read."""
        self.on_air = MatchesOnAir()
        self._latest: tuple[Snapshot | None, Broadcast | None] = None, None
        self._published = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake_pending = False
        self._bulletin = Bulletin(None, None)
        self._changed: asyncio.Future[None] | None = None
        self._ended: asyncio.Future[None] | None = None

    # The event's thread

    def publish(self, snapshot: Snapshot, broadcast: Broadcast | None = None) -> None:
        """Make this the newest snapshot. Takes microseconds, however many are watching."""
        # The order of the steps replaces a lock: the snapshot is stored before the flag is read, and the web thread
        # lowers the flag before it looks at the snapshot.
        self._published = time.monotonic()
        self._latest = snapshot, broadcast
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
        return self._latest[0]

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
        snapshot, broadcast = self._latest
        if self._bulletin.snapshot is not snapshot:
            self._bulletin = Bulletin(snapshot, broadcast, self, self._bulletin)
        return self._bulletin

    def _wake(self) -> None:
        self._wake_pending = False
        old = self._changed
        if self._loop is not None and old is not None and not old.done():
            self._changed = self._loop.create_future()
            old.set_result(None)
