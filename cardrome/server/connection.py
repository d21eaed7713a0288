"""Sessions on TCP connections: reading stops when too much is queued, and no client is ever waited for."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import cast

from cardrome.games.tapdeck.protocol.commands import INTERNAL_ERROR
from cardrome.server.event import Event
from cardrome.server.passwords import PasswordChecker
from cardrome.server.session import Session, Stage
from cardrome.server.settings import ServerSection
from cardrome.server.ticker import Ticker

_CHECKS_AT_ONCE = 2
_KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Notices within a minute that a client's machine has vanished."""
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
        self._addresses: Counter[str] = Counter()
        self._failures: dict[str, deque[float]] = {}
        self._checker = checker
        self._checks = asyncio.Semaphore(_CHECKS_AT_ONCE)
        self._threads = ThreadPoolExecutor(_CHECKS_AT_ONCE, "passwords")
        event.on_new_turn = self.wake

    def new(self) -> Connection:
        """The protocol of a new connection."""
        return Connection(self)

    def enter(self, connection: Connection) -> bool:
        """Admit a connection; False if a limit is reached."""
        limits, address = self.settings, connection.address
        if len(self.connections) >= limits.connections or self._addresses[address] >= limits.connections_per_address:
            return False
        self.connections.add(connection)
        self._addresses[address] += 1
        return True

    def exit(self, connection: Connection) -> None:
        """A connection is gone."""
        self.connections.discard(connection)
        self.waiting.discard(connection)
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
        name, password = session.credentials
        account = None
        async with self._checks:  # few at a time, so that a failure counts before the next check begins
            if connection in self.connections and self._may_try(connection.address):
                try:
                    loop = asyncio.get_running_loop()
                    account = await loop.run_in_executor(self._threads, self._checker.check, name, password)
                except Exception as error:  # the store is unavailable: nobody can log in, everything else goes on
                    self.log(f"a login could not be checked: {error!r}")
                    connection.finish(session.refuse(INTERNAL_ERROR))
                    return
                if account is None:
                    self._failures.setdefault(connection.address, deque()).append(time.monotonic())
        if connection not in self.connections:
            return  # it has left in the meantime
        if account is None:
            self.log(f"a login from {connection.address} was refused")
            connection.finish(session.refuse())
            return
        known = self.event.teams.get(account)
        if known is not None and known.connections >= self.settings.connections_per_team:
            self.log(f"{known.name} already has {known.connections} connections: closed another one")
            connection.finish(b"")
            return
        team = self.event.arrive(account, name)
        self.log(f"{team.name} logged in{_still(team.connections - 1)}")
        connection.send(session.admit(team))
        connection.go_on()

    def _may_try(self, address: str) -> bool:
        """Whether an address may try to log in: it has not failed too often in the last minute."""
        self._forget_failures()
        return len(self._failures.get(address, ())) < self.settings.failed_logins_per_minute

    def _forget_failures(self) -> None:
        """Forget failed logins of more than a minute ago."""
        minute_ago = time.monotonic() - 60
        for address, failures in list(self._failures.items()):
            while failures and failures[0] < minute_ago:
                failures.popleft()
            if not failures:
                del self._failures[address]

    def wake(self) -> None:
        """Tell everyone who waits that the next turn has started."""
        waiting, self.waiting = self.waiting, set()
        for connection in waiting:
            connection.send(connection.session.wake())
            connection.soon()

    def drop_idle(self) -> None:
        """Cut connections that take too long to log in, leave their answers unread, or have closed their side."""
        now = time.monotonic()
        for connection in list(self.connections):
            if connection.session.team is None:
                late = now - connection.since > self.settings.login_seconds
                if late and connection.session.stage is not Stage.CHECKING:  # then the server is late
                    connection.abort("did not log in in time")
            elif connection.unread_since is not None and now - connection.unread_since > self.settings.unread_seconds:
                connection.abort("left its answers unread")
            elif connection.silent_since is not None and now - connection.silent_since > self.settings.unread_seconds:
                connection.abort("closed its side")  # most likely gone, it could wait for a turn for ever

    def close(self) -> None:
        """Close all connections."""
        for connection in list(self.connections):
            connection.finish(b"")
        self._threads.shutdown(wait=False, cancel_futures=True)


class Connection(asyncio.Protocol):
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
        self._scheduled = False
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

    def data_received(self, data: bytes) -> None:
        """Called by asyncio: serve what came in, unless this connection waits for its turn."""
        self.session.receive(data)
        if not self._scheduled:
            self.go_on()

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
        self.soon()

    def send(self, data: bytes) -> None:
        """Send, if the connection is still there."""
        if data and self._transport is not None:
            self._transport.write(data)

    def soon(self) -> None:
        """Continue after other connections have had their turn."""
        if not self._scheduled and (self.session.has_work or self.silent_since is not None):
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._scheduled = False
        self.go_on()

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
            self.soon()
        self._read_or_not()

    def _read_or_not(self) -> None:
        """Stop reading while too much is queued: TCP then holds the client back."""
        if self._transport is None or self._transport.is_closing():
            return
        if self._reading and self.session.is_full:
            self._reading = False
            self._transport.pause_reading()
        elif not self._reading and not self.session.is_full:
            self._reading = True
            self._transport.resume_reading()

    def finish(self, data: bytes) -> None:
        """Send a last answer and close. A client that does not read it is cut off soon."""
        self.session.stage = Stage.CLOSED
        transport = self._transport
        if transport is None:
            return
        self.send(data)
        transport.close()
        asyncio.get_running_loop().call_later(_CLOSING_SECONDS, transport.abort)

    def abort(self, why: str) -> None:
        """Cut the connection."""
        who = self.session.team.name if self.session.team else self.address
        self.lobby.log(f"{who} was cut off: {why}")
        if self._transport is not None:
            self._transport.abort()


def _still(others: int) -> str:
    """A team's other connections, for the log."""
    return f" ({others} other connection{'s' if others > 1 else ''})" if others else ""


def _keep_alive(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
