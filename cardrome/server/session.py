"""One connection's conversation, without the socket: bytes come in, bytes go out.

A session asks for a login, then serves commands one after another. While it waits, for a password check or for the
next turn, further lines stay unread. What a hostile client can do to it is bounded: its lines, and the work done for
it at a time.
"""

from __future__ import annotations

import enum
from collections import deque
from time import monotonic
from typing import Protocol

from cardrome.games.tapdeck.protocol.errors import BAD_FORMAT, BAD_LOGIN, ERROR_LINES, INTERNAL_ERROR
from cardrome.server.event import WAIT_REPLIES, WOKEN, Event, Team

LINES_AT_ONCE = 256
"""Commands served before others get their turn."""
BYTES_AT_ONCE = 1 << 16
"""Bytes of answers made before they are sent."""
LONG_LINES_ALLOWED = 2
"""The line too long after these closes the connection."""
QUEUE_BYTES = 1 << 16
"""Unserved bytes with which reading stops until some are served."""

_OK_WAIT, _FORCED_WAIT = WAIT_REPLIES
_TOO_LONG = b"\n"
"""Stands in the queue for a line that was too long; no line contains it."""
_WHITE_SPACE = b" \t\r\n"
"""bytes.isspace() knows two characters more."""


class Clock(Protocol):
    """What a session needs of a `cardrome.server.ticker.Ticker`."""

    due: float

    def serve_due(self) -> None:
        """Tick if it is time."""


class Stage(enum.Enum):
    """Where a conversation is."""

    NAME = enum.auto()
    PASSWORD = enum.auto()
    CHECKING = enum.auto()
    """The password is being checked; `Session.admit` or `Session.refuse` goes on."""
    READY = enum.auto()
    WAITING = enum.auto()
    """For the next turn; `Session.wake` goes on."""
    CLOSED = enum.auto()


class Session:
    """The conversation with one client."""

    def __init__(self, event: Event, line_bytes: int = 1024) -> None:
        self.stage = Stage.NAME
        self.team: Team | None = None
        self.credentials: tuple[str, str] | None = None
        """Name and password to be checked, while the stage is CHECKING."""
        self._event = event
        self._line_bytes = line_bytes
        self._lines: deque[bytes] = deque()
        self._queued = 0
        self._rest = b""
        self._dropping = False
        self._long_lines = 0
        self._name = ""

    greeting = b"LOGIN\n"

    @property
    def has_work(self) -> bool:
        """There are lines that could be served now."""
        return bool(self._lines) and self.stage in (Stage.NAME, Stage.PASSWORD, Stage.READY)

    @property
    def is_full(self) -> bool:
        """So much is unserved that no more should be read."""
        return self._queued >= QUEUE_BYTES

    def receive(self, data: bytes) -> None:
        """Bytes have come in. Lines are cut out of them; of a line that is too long, only that it was is kept."""
        if self._dropping:
            end = data.find(b"\n")
            if end < 0:
                return
            self._dropping = False
            data = data[end + 1 :]
        elif self._rest:
            data = self._rest + data
        lines = data.split(b"\n")
        rest = lines.pop()
        if len(rest) > self._line_bytes:
            lines.append(rest)  # it is too long already, whatever follows
            self._dropping = True
            rest = b""
        self._rest = rest
        if len(data) > self._line_bytes:
            limit = self._line_bytes
            lines = [line if len(line) <= limit else _TOO_LONG for line in lines]
        self._lines.extend(lines)
        self._queued += sum(map(len, lines)) + len(lines)

    def serve(self, ticker: Clock) -> bytes:
        """Serve lines until there are none, a wait begins, or it is somebody else's turn; returns what to send.

        The clock is looked at before every command: a tick that is due goes first.
        """
        out: list[bytes] = []
        size = 0
        lines = self._lines
        for _ in range(LINES_AT_ONCE):
            if not lines or size >= BYTES_AT_ONCE:
                break
            stage = self.stage
            if stage is Stage.READY:
                if monotonic() >= ticker.due:
                    ticker.serve_due()
            elif stage is not Stage.NAME and stage is not Stage.PASSWORD:
                break
            line = lines.popleft()
            self._queued -= len(line) + 1
            if (not line or line.isspace()) and not line.strip(_WHITE_SPACE):
                if line is not _TOO_LONG:
                    continue
                reply = self._too_long()
            elif stage is Stage.READY:
                reply = self._command(line)
            else:
                reply = self._log_in(line)
            out.append(reply)
            size += len(reply)
        return b"".join(out)

    def _command(self, line: bytes) -> bytes:
        assert self.team is not None
        try:
            reply = self._event.answer(self.team, line)
        except Exception as error:  # a fault of ours must not take the connection with it
            self._event.internal_error(error)
            return ERROR_LINES[INTERNAL_ERROR]
        if reply is _OK_WAIT or reply is _FORCED_WAIT:
            self.stage = Stage.WAITING
        return reply

    def _log_in(self, line: bytes) -> bytes:
        # What is no text cannot be anybody's name or password; the check refuses it like any other wrong one.
        text = line.strip(_WHITE_SPACE).decode("utf-8", "replace")
        if self.stage is Stage.NAME:
            self._name = text
            self.stage = Stage.PASSWORD
            return b"PASS\n"
        self.credentials = self._name, text
        self.stage = Stage.CHECKING
        return b""

    def _too_long(self) -> bytes:
        self._long_lines += 1
        if self._long_lines > LONG_LINES_ALLOWED or self.stage is not Stage.READY:
            self.stage = Stage.CLOSED
        return ERROR_LINES[BAD_FORMAT]

    def admit(self, team: Team) -> bytes:
        """The password was right."""
        self.team, self.credentials = team, None
        self.stage = Stage.READY
        return b"OK\n"

    def refuse(self, code: int = BAD_LOGIN) -> bytes:
        """The password was wrong, or cannot be checked: the connection is to be closed."""
        self.credentials = None
        self.stage = Stage.CLOSED
        return ERROR_LINES[code]

    def wake(self) -> bytes:
        """The next turn has started."""
        if self.stage is not Stage.WAITING:
            return b""
        self.stage = Stage.READY
        return WOKEN
