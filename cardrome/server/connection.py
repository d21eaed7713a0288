"""Sessions on TCP connections: all are served in turn, and no client is ever waited for.

What one client can cost the others is bounded: a limited number of bytes is read from a connection at a time, and no
more until all lines in them are served; after a limited number of lines the next connection has its turn.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import cast

from cardrome.games.tapdeck.protocol.commands import BAD_LOGIN, INTERNAL_ERROR, TOO_MANY_LOGINS
from cardrome.server.event import Event
from cardrome.server.passwords import REPORT_SECONDS, FailedLogins, PasswordChecker
from cardrome.server.session import Session, Stage
from cardrome.server.settings import ServerSection
from cardrome.server.ticker import Ticker
from cardrome.wording import counted

_CHECKS_AT_ONCE = 2
_KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Notices within a minute that a client's machine has vanished."""
_READ_BYTES = 1 << 14
"""Bytes read from a connection at a time."""
_ROUND_SECONDS = 0.005
"""Seconds that connections are served before the event loop looks for ticks, logins and new data."""
_UNREAD_BYTES = 1 << 18
"""Unread answers at which serving stops."""
_CLOSING_SECONDS = 2.0
"""The time for a client to read the last answer before its connection is cut."""


class Lobby:
    """All connections, and the limits on them."""

    def __init__(
        self,
        event: Event,
        ticker: Ticker,
        settings: ServerSection,
        checker: PasswordChecker,
        log: Callable[[str], None],
    ) -> None:
        self.event = event
        self.ticker = ticker
        self.settings = settings
        self.log = log
        self.connections: set[Connection] = set()
        self.waiting: set[Connection] = set()
        self.buffer = memoryview(bytearray(_READ_BYTES))
        """What is being read, by whichever connection."""
        self._addresses: Counter[str] = Counter()
        self._strangers: dict[Connection, None] = {}
        """Connections that have not logged in, the oldest first."""
        self._cut: dict[tuple[str, str], int] = {}
        """Strangers that were cut off since the last report, by address and reason, without the first of each."""
        self._cut_told = time.monotonic()
        self._ready: deque[Connection] = deque()
        """Connections that wait to be served."""
        self._scheduled = False
        self.failures = FailedLogins(settings.failed_logins_per_minute, log)
        self._checker = checker
        self._checks = asyncio.Semaphore(_CHECKS_AT_ONCE)
        self._threads = ThreadPoolExecutor(_CHECKS_AT_ONCE, "passwords")
        event.on_new_turn = self.wake

    def new(self) -> Connection:
        """The protocol of a new connection."""
        return Connection(self)

    def enter(self, connection: Connection) -> bool:
        """Admit a connection; False if a limit is reached and nobody can make room."""
        limits, address = self.settings, connection.address
        if len(self.connections) >= limits.connections:
            return False
        if self._addresses[address] >= limits.connections_per_address and not self._make_room(address):
            return False
        if len(self._strangers) >= limits.connections_before_login and not self._make_room():
            return False
        self.connections.add(connection)
        self._strangers[connection] = None
        self._addresses[address] += 1
        return True

    def _make_room(self, address: str | None = None) -> bool:
        """Cut off whoever has taken longest to log in, from this address or any; False if all wait for the server."""
        for stranger in self._strangers:
            if stranger.session.stage is not Stage.CHECKING and address in (None, stranger.address):
                self._cut_off(stranger, "others want to log in")
                return True
        return False

    def _cut_off(self, stranger: Connection, why: str) -> None:
        """Cut a connection that has not logged in. Of many from an address, the log has one line now and one later."""
        key = stranger.address, why
        if key in self._cut:
            self._cut[key] += 1
        else:
            self._cut[key] = 0
            self.log(f"{stranger.address} was cut off: {why}")
        self.exit(stranger)  # at once: the next one to come may want its place
        stranger.abort()

    def _report_cut(self) -> None:
        self._cut_told = time.monotonic()
        for (address, why), count in self._cut.items():
            if count:
                self.log(f"{counted(count, 'more connection')} from {address} cut off: {why}")
        self._cut.clear()

    def exit(self, connection: Connection) -> None:
        """A connection is gone."""
        self.connections.discard(connection)
        self.waiting.discard(connection)
        self._strangers.pop(connection, None)
        self._addresses[connection.address] -= 1
        if not self._addresses[connection.address]:
            del self._addresses[connection.address]
        team = connection.session.team
        if team is not None:
            self.event.leave(team)
            self.log(f"{team.name} left{_still(team.connections)}")

    async def log_in(self, connection: Connection) -> None:
        """Check a password in a thread, then continue the session."""
        session = connection.session
        assert session.credentials is not None
        account, refusal = await self.check(
            self._checker, *session.credentials, connection.address, lambda: connection in self.connections
        )
        if connection not in self.connections:
            return  # it has left in the meantime
        if account is None:
            connection.finish(session.refuse(refusal))
            return
        name = session.credentials[0]
        known = self.event.teams.get(account)
        if known is not None and known.connections >= self.settings.connections_per_team:
            self.log(f"{known.name} already has {counted(known.connections, 'connection')}: closed another one")
            connection.finish(b"")
            return
        team = self.event.arrive(account, name)
        self._strangers.pop(connection, None)
        self.log(f"{team.name} logged in{_still(team.connections - 1)}")
        connection.send(session.admit(team))
        connection.go_on()

    async def check(
        self,
        checker: PasswordChecker,
        name: str,
        password: str,
        address: str,
        waits: Callable[[], bool] = lambda: True,
    ) -> tuple[int | None, int]:
        """Check a password in a thread: the account, or None and the error code.

        ``waits`` says, when it is this login's turn, whether anybody still wants to know.
        """
        account, refusal = None, BAD_LOGIN
        async with self._checks:  # few at a time, so that a failure counts before the next check begins
            if not waits():
                return None, refusal
            loop = asyncio.get_running_loop()
            try:
                # Names that nobody has count as one, or guessing them would cost a check and some memory each.
                exists = await loop.run_in_executor(self._threads, checker.knows, name)
                who = name if exists else None
                if self.failures.may_try(who, address):
                    account = await loop.run_in_executor(self._threads, checker.check, name, password)
                else:
                    refusal = TOO_MANY_LOGINS
            except Exception as error:  # the store is unavailable: nobody can log in, everything else goes on
                self.log(f"a login could not be checked: {error!r}")
                return None, INTERNAL_ERROR
            if account is None:
                self.failures.add(who, address)
        return account, refusal

    def serve_soon(self, connection: Connection) -> None:
        """A connection has something to be served: put it behind those that are waiting for their turn."""
        if connection.is_ready:
            return
        connection.is_ready = True
        self._ready.append(connection)
        self._schedule()

    @property
    def is_idle(self) -> bool:
        """Nobody waits to be served."""
        return not self._ready

    def _serve_some(self) -> None:
        """Serve connections in turn, but for a few milliseconds only."""
        self._scheduled = False
        end = time.monotonic() + _ROUND_SECONDS
        for _ in range(len(self._ready)):
            connection = self._ready.popleft()
            connection.is_ready = False
            connection.go_on()  # which may put it at the end of the line
            if time.monotonic() >= end:
                break
        self._schedule()

    def _schedule(self) -> None:
        if self._ready and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._serve_some)

    def wake(self) -> None:
        """Tell everyone who waits that the next turn has started."""
        waiting, self.waiting = self.waiting, set()
        for connection in waiting:
            connection.send(connection.session.wake())
            connection.go_on_soon()

    def drop_idle(self) -> None:
        """Cut connections that take too long to log in, leave their answers unread, or have closed their side."""
        now = time.monotonic()
        self.failures.forget()
        if now - self._cut_told > REPORT_SECONDS:
            self._report_cut()
        for connection in list(self.connections):
            if connection.session.team is None:
                late = now - connection.since > self.settings.login_seconds
                if late and connection.session.stage is not Stage.CHECKING:  # then the server is late
                    self._cut_off(connection, "did not log in in time")
            elif connection.unread_since is not None and now - connection.unread_since > self.settings.unread_seconds:
                connection.abort("left its answers unread")
            elif connection.silent_since is not None and now - connection.silent_since > self.settings.unread_seconds:
                connection.abort("closed its side")  # most likely gone; otherwise it could wait for a turn without end

    def close(self) -> None:
        """Close all connections."""
        self.failures.report()
        self._report_cut()
        for connection in list(self.connections):
            connection.finish(b"")
        self._threads.shutdown(wait=False, cancel_futures=True)


class Connection(asyncio.BufferedProtocol):
    """One client's connection."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.session = Session(lobby.event, lobby.settings.line_bytes)
        self.address = ""
        self.since = time.monotonic()
        self.unread_since: float | None = None
        """Since when answers are unread; None if they are read."""
        self._transport: asyncio.Transport | None = None
        self._reading = True
        self.is_ready = False
        """Waits in the lobby to be served."""
        self.silent_since: float | None = None
        """Since when the client has closed its side; None if it has not."""
        self._login: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio: a client has connected."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else "?"
        if not self.lobby.enter(self):
            self._transport.abort()
            self._transport = None
            return
        self._transport.set_write_buffer_limits(_UNREAD_BYTES)
        _keep_alive(transport.get_extra_info("socket"))
        self.send(self.session.greeting)

    def connection_lost(self, error: Exception | None) -> None:
        """Called by asyncio: the connection is closed, by either side."""
        if self in self.lobby.connections:
            self.lobby.exit(self)
        self._transport = None

    def get_buffer(self, sizehint: int) -> memoryview:
        """Called by asyncio: where to put what comes in."""
        return self.lobby.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Called by asyncio: serve what came in, unless others wait, or there is so much that others might."""
        self.session.receive(bytes(self.lobby.buffer[:nbytes]))
        if nbytes < _READ_BYTES and self.lobby.is_idle:
            self.go_on()
        else:
            self.lobby.serve_soon(self)
            self._read_or_not()

    def eof_received(self) -> bool:
        """Called by asyncio: the client sends no more. What it sent is answered before the connection closes."""
        self.silent_since = time.monotonic()
        self.go_on()
        return True

    def pause_writing(self) -> None:
        """Called by asyncio: the client leaves answers unread. Nothing more is served until it reads them."""
        self.unread_since = time.monotonic()

    def resume_writing(self) -> None:
        """Called by asyncio: the client has read its answers."""
        self.unread_since = None
        self.go_on_soon()

    def send(self, data: bytes) -> None:
        """Send, if the connection is still there."""
        if data and self._transport is not None:
            self._transport.write(data)

    def go_on_soon(self) -> None:
        """Continue when it is this connection's turn, if there is something to do."""
        if self.session.has_work or self.silent_since is not None:
            self.lobby.serve_soon(self)

    def go_on(self) -> None:
        """Serve some lines and decide what comes next."""
        session = self.session
        if self._transport is None or self._transport.is_closing():
            return
        if self.unread_since is None:
            self.send(session.serve(self.lobby.ticker))
        if session.stage is Stage.WAITING:
            self.lobby.waiting.add(self)
        elif session.stage is Stage.CHECKING:
            if self._login is None:
                self._login = asyncio.get_running_loop().create_task(self.lobby.log_in(self))
        elif session.stage is Stage.CLOSED or (self.silent_since is not None and not session.has_work):
            self.finish(b"")
        elif self.unread_since is None:
            self.go_on_soon()
        self._read_or_not()

    def _read_or_not(self) -> None:
        """Stop reading while there are lines to be served: TCP then holds the client back."""
        if self._transport is None or self._transport.is_closing():
            return
        wanted = not self.session.has_line
        if wanted != self._reading:
            self._reading = wanted
            (self._transport.resume_reading if wanted else self._transport.pause_reading)()

    def finish(self, data: bytes) -> None:
        """Send a last answer and close. A client that does not read it is cut off soon."""
        self.session.stage = Stage.CLOSED
        transport = self._transport
        if transport is None:
            return
        self.send(data)
        transport.close()
        asyncio.get_running_loop().call_later(_CLOSING_SECONDS, transport.abort)

    def abort(self, why: str | None = None) -> None:
        """Cut the connection, and say why unless that is said elsewhere."""
        if why is not None:
            who = self.session.team.name if self.session.team else self.address
            self.lobby.log(f"{who} was cut off: {why}")
        if self._transport is not None:
            self._transport.abort()


def _still(others: int) -> str:
    """A team's other connections, for the log."""
    return f" ({counted(others, 'other connection')})" if others else ""


def _keep_alive(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
