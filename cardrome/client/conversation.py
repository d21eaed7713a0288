"""A client's side of the conversation, without sockets: bytes in, bytes to send and finished replies out.

A server can make a client keep only so much in memory: a line has at most `LONGEST_LINE` bytes, a reply at most as many
lines as there can be cards, and there are never more replies than commands sent.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from cardrome.client.errors import BadReply, CommandRefused, RefusalCode, refusal
from cardrome.client.requests import Request
from cardrome.errors import CallerError

LONGEST_LINE = 1 << 16
"""Bytes in a line: room for the ids of thousands of matches, which is the longest line there is."""


class Conversation:
    """One connection: the progress of the login, the replies that are due, and the reply being read."""

    def __init__(self, login: str, password: str) -> None:
        self.logged_in = False
        self.done: deque[Any] = deque()
        """Finished replies in the order of their commands: results, or a `CommandRefused` in place of one."""
        self._greeting = deque([("LOGIN", _one_line(login, "login")), ("PASS", _one_line(password, "password"))])
        self._due: deque[Request[Any]] = deque()
        self._buffer = bytearray()
        self._lines: list[str] = []
        self._oks = 0
        self._forced: CommandRefused | None = None

    @property
    def due(self) -> int:
        """The number of commands whose replies are not complete."""
        return len(self._due)

    @property
    def between_replies(self) -> bool:
        """No reply is half read, so a connection that ends here was not broken off."""
        return not self._buffer and not self._lines and self._oks == 0 and self._forced is None

    def send(self, request: Request[Any]) -> bytes:
        """The bytes of a command. Its reply is expected from now on."""
        self._due.append(request)
        return request.encode()

    def receive(self, data: bytes) -> bytes:
        """Take in bytes from the server; returns what to send back at once, which is nothing after the login."""
        self._buffer += data
        *lines, rest = self._buffer.split(b"\n")
        self._buffer = rest
        answers = b""
        for line in lines:
            if len(line) > LONGEST_LINE:
                break
            text = line.decode("utf-8", "replace")
            if self.logged_in:
                self._take(text)
            else:
                answers += self._greet(text.strip())
        if max(map(len, (rest, *lines))) > LONGEST_LINE:
            raise BadReply(f"the server sent a line of more than {LONGEST_LINE} bytes")
        return answers

    def _greet(self, line: str) -> bytes:
        """The login: the server asks for the name, then for the password, then says OK."""
        if self._greeting and line == self._greeting[0][0]:
            return f"{self._greeting.popleft()[1]}\n".encode()
        if line == "OK" and not self._greeting:
            self.logged_in = True
            return b""
        if line.startswith("ERR"):
            raise refusal(line)
        expected = self._greeting[0][0] if self._greeting else "OK"
        raise BadReply(f"expected {expected}, the server said {line[:200]!r}")

    def _take(self, line: str) -> None:
        """Read one line of the replies that are due."""
        if not self._due:
            raise BadReply(f"nothing was asked, the server said {line[:200]!r}")
        request = self._due[0]
        if self._oks < request.oks or self._forced is not None:
            self._take_status(request, line.strip())
            if self._oks < request.oks:
                return
        else:
            self._lines.append(line)
        if request.lines_missing(self._lines) == 0:
            self._finish(request.read(self._lines))

    def _take_status(self, request: Request[Any], line: str) -> None:
        """Read an OK or an error line. Forced waiting is an error line, and an OK when the next turn starts."""
        if line == "OK":
            if self._forced is not None:
                self._finish(self._forced)
            else:
                self._oks += 1
            return
        if self._forced is not None or self._oks > 0:
            raise BadReply(f"expected OK, the server said {line[:200]!r}")
        refused = refusal(line)
        if refused.code == RefusalCode.BAD_LOGIN:
            raise BadReply(f"the server refuses a login that it has accepted: {line[:200]!r}")
        if refused.code == RefusalCode.COMMANDS_LIMIT:
            self._forced = refused
        else:
            self._finish(refused)

    def _finish(self, reply: Any) -> None:
        """The first reply that was due is complete."""
        self._due.popleft()
        self.done.append(reply)
        self._lines = []
        self._oks = 0
        self._forced = None


def _one_line(text: str, what: str) -> str:
    """A name or password as it can be sent; `CallerError` if it would not be one line."""
    if not text.strip() or any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise CallerError(f"the {what} must be one line of text, and not blank")
    return text.strip()
