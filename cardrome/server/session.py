"""One connection's conversation, without the socket: bytes in, bytes out.

A session asks for a login, then serves commands one after another. While it waits, for a password check or for the
next turn, further lines are queued. A hostile client can cost only so much: the length of lines and of the queue, and
the work done in one go, are bounded.
"""

from __future__ import annotations

import enum
from collections import deque
from time import monotonic
from typing import Protocol

from cardrome.games.tapdeck.protocol.commands import BAD_FORMAT, BAD_LOGIN, ERROR_LINES, INTERNAL_ERROR
from cardrome.server.event import WAIT_REPLIES, WOKEN, Event, Team

LINES_AT_ONCE = 256
"""Commands served before other connections get their turn."""
BYTES_AT_ONCE = 1 << 16
"""Bytes of answers collected before they are sent."""
LONG_LINES_ALLOWED = 2
"""Lines that may be too long; the next one closes the connection."""
QUEUE_BYTES = 1 << 16
"""Queued bytes at which reading stops until some lines are served."""

_OK_WAIT, _FORCED_WAIT = WAIT_REPLIES
_TOO_LONG = b"\n"
"""Takes the place of a line that was too long; no line contains it."""
_WHITE_SPACE = b" \t\r\n"
"""bytes.isspace() knows two more characters."""


class TickSource(Protocol):
    """The part of a `cardrome.server.ticker.Ticker` that a session needs."""

    due: float

    def serve_due(self) -> None:
        """Tick if it is time."""


class Stage(enum.Enum):
    """The stages of a conversation."""

    NAME = enum.auto()
    PASSWORD = enum.auto()
    CHECKING = enum.auto()
    """The password is being checked, until `Session.admit` or `Session.refuse` is called."""
    READY = enum.auto()
    WAITING = enum.auto()
    """The client waits for the next turn, until `Session.wake` is called."""
    CLOSED = enum.auto()


class Session:
    """The conversation with one client."""

    def __init__(self, event: Event, line_bytes: int = 1024) -> None:
        self.stage = Stage.NAME
        self.team: Team | None = None
        self.credentials: tuple[str, str] | None = None
        """The name and password to check while the stage is CHECKING."""
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
        """There are lines that can be served now."""
        return bool(self._lines) and self.stage in (Stage.NAME, Stage.PASSWORD, Stage.READY)

    @property
    def is_full(self) -> bool:
        """So much is queued that no more should be read."""
        return self._queued >= QUEUE_BYTES

    def receive(self, data: bytes) -> None:
        """Take in bytes and cut them into lines. Of a line that is too long, nothing but that fact is kept."""
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
            lines.append(rest)  # too long already, whatever follows
            self._dropping = True
            rest = b""
        self._rest = rest
        if len(data) > self._line_bytes:
            limit = self._line_bytes
            lines = [line if len(line) <= limit else _TOO_LONG for line in lines]
        self._lines.extend(lines)
        self._queued += sum(map(len, lines)) + len(lines)

    def serve(self, ticker: TickSource) -> bytes:
        """Serve lines until none are left, a wait begins, or others should get their turn; returns what to send.

        The clock is checked before every command, so that a tick that is due comes first.
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
        except Exception as error:  # a bug must not cost the connection
            self._event.internal_error(error)
            return ERROR_LINES[INTERNAL_ERROR]
        if reply is _OK_WAIT or reply is _FORCED_WAIT:
            self.stage = Stage.WAITING
        return reply

    def _log_in(self, line: bytes) -> bytes:
        # Bytes that are not UTF-8 cannot be a name or password; the check refuses them like any wrong one.
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
        """The password is right: let the client in."""
        self.team, self.credentials = team, None
        self.stage = Stage.READY
        return b"OK\n"

    def refuse(self, code: int = BAD_LOGIN) -> bytes:
        """The password is wrong or cannot be checked: end the conversation."""
        self.credentials = None
        self.stage = Stage.CLOSED
        return ERROR_LINES[code]

    def wake(self) -> bytes:
        """The next turn has started."""
        if self.stage is not Stage.WAITING:
            return b""
        self.stage = Stage.READY
        return WOKEN
