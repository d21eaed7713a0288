"""One connection's conversation, without the socket: bytes in, bytes out.

A session asks for a login, then serves commands one after another. While it waits, for a password check or for the
next turn, further bytes stay as they came. A hostile client can cost only so much: the length of lines and the work
done in one go are bounded, and whoever reads from the socket stops while `has_line`.
"""

from __future__ import annotations

import enum
from time import monotonic

from cardrome.games.tapdeck.protocol.commands import BAD_FORMAT, BAD_LOGIN, ERROR_LINES, INTERNAL_ERROR
from cardrome.server.event import WAIT_REPLIES, WOKEN, Event, Team
from cardrome.server.ticker import Ticker

LINES_AT_ONCE = 64
"""Lines served, blank ones included, before other connections get their turn."""
BYTES_AT_ONCE = 1 << 16
"""Bytes of answers collected before they are sent."""
LONG_LINES_ALLOWED = 2
"""Lines that may be too long; the next one closes the connection."""
BLANK_BEFORE_LOGIN = 20
"""Blank lines that may come before the password; the next one closes the connection."""

_OK_WAIT, _FORCED_WAIT = WAIT_REPLIES
_WHITE_SPACE = b" \t\r\n"
"""bytes.isspace() knows two more characters."""


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
        self._data = b""
        """What came in, from `_at` on still to be served."""
        self._at = 0
        self._end = -1
        """Where the next line ends; -1 if it is not complete."""
        self._too_long = False
        """The next line has no end yet and is too long already, so `_data` is empty."""
        self._dropping = False
        """The rest of such a line is still to come."""
        self._long_lines = 0
        self._blank_lines = 0
        self._name = ""

    greeting = b"LOGIN\n"

    @property
    def has_line(self) -> bool:
        """A line is complete and not served yet: no more should be read."""
        return self._end >= 0 or self._too_long

    @property
    def has_work(self) -> bool:
        """There are lines that can be served now."""
        return self.has_line and self.stage in (Stage.NAME, Stage.PASSWORD, Stage.READY)

    def receive(self, data: bytes) -> None:
        """Take in bytes. Of a line that is too long, nothing but that fact is kept."""
        if self._dropping:
            end = data.find(b"\n")
            if end < 0:
                return
            self._dropping = False
            data = data[end + 1 :]
        self._data = self._data[self._at :] + data
        self._at = 0
        self._find_end()

    def _find_end(self) -> None:
        self._end = self._data.find(b"\n", self._at)
        if self._end < 0 and len(self._data) - self._at > self._line_bytes:
            self._too_long = self._dropping = True
            self._data, self._at = b"", 0

    def _next_line(self) -> bytes | None:
        """The next line; None if it is too long."""
        if self._too_long:
            self._too_long = False
            return None
        line = self._data[self._at : self._end]
        self._at = self._end + 1
        self._find_end()
        return line if len(line) <= self._line_bytes else None

    def serve(self, ticker: Ticker) -> bytes:
        """Serve lines until none are left, a wait begins, or others should get their turn; returns what to send.

        The clock is checked before every command, so that a tick that is due comes first.
        """
        out: list[bytes] = []
        size = 0
        for _ in range(LINES_AT_ONCE):
            if not self.has_line or size >= BYTES_AT_ONCE:
                break
            stage = self.stage
            if stage is Stage.READY:
                if monotonic() >= ticker.due:
                    ticker.serve_due()
            elif stage is not Stage.NAME and stage is not Stage.PASSWORD:
                break
            line = self._next_line()
            if line is None:
                reply = self._refuse_long()
            elif (not line or line.isspace()) and not line.strip(_WHITE_SPACE):
                reply = self._skip_blank()
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

    def _skip_blank(self) -> bytes:
        """A blank line has no answer, but costs as much as a command."""
        if self.team is not None:
            self._event.count_command(self.team)
            return b""
        self._blank_lines += 1
        if self._blank_lines <= BLANK_BEFORE_LOGIN:
            return b""
        self.stage = Stage.CLOSED
        return ERROR_LINES[BAD_FORMAT]

    def _refuse_long(self) -> bytes:
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
