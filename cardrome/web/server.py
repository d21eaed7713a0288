"""The web server: uvicorn, with what a site of strangers' connections needs beside it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from cardrome.errors import CallerError
from cardrome.web.security import LOCAL

CONNECTIONS = 600
"""Connections at a time. More are refused at once."""

IDLE = 10.0
"""Seconds that a connection may stay open without a complete request."""

FLUSH = 1.0
"""Seconds that viewers have, when the server stops, to read the rest of what they were sent."""

GRACE: int | None = 10
"""Seconds after which requests are cancelled when the server stops. None should take longer than `FLUSH`."""

_BUFFER = 1 << 16
"""Bytes that the system buffers for a viewer who reads slowly."""

_STALLED_MS = 30_000
"""Milliseconds after which a viewer who reads nothing at all is dropped."""


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """A listening socket; port 0 takes any free one. `CallerError` says why there can be none.

    ``option`` is what people choose the port with.
    """
    where = f"{host or '*'}:{port}"
    if not 0 <= port <= 65535:
        raise CallerError(f"the page cannot be served on {where}: ports go from 0 to 65535")
    try:
        listener = _bound(host, port)
    except OSError as error:
        hint = ""
        if error.errno == errno.EADDRINUSE and (free := _free_port(host, port)) is not None:
            hint = f"; {option} {free} is free"
        raise CallerError(
            f"the page cannot be served on {where}: {(error.strerror or str(error)).partition(' (')[0]}{hint}"
        ) from error
    # Accepted connections inherit both. With a large buffer slow viewers would be shown the past; without a timeout
    # those who stop reading would keep their place for ever.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STALLED_MS)
    return listener


def _bound(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # A name may stand for several addresses. People who write `localhost` mean the IPv4 one.
    family, _, _, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    return socket.create_server(address, family=family, backlog=1024)


def _free_port(host: str, port: int) -> int | None:
    for other in range(port + 1, min(port + 50, 65536)):
        with contextlib.suppress(OSError), _bound(host, other):
            return other
    return None


def local_names(host: str) -> frozenset[str] | None:
    """The names under which a server on this address answers; None, for any, if other machines can reach it."""
    return LOCAL if host in ("localhost", "::1") or host.startswith("127.") else None


def address_of(host: str, port: int) -> str:
    """The address of a served page, as seen from this machine."""
    host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(app: ASGIApp, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until a signal ends it. ``ready`` is called once requests are answered."""
    server = PageServer(app)

    def announce() -> None:
        server.ready.wait()
        if server.started:
            ready()

    threading.Thread(target=announce, name="announce", daemon=True).start()
    try:
        server.run(sockets=[listener])
    finally:
        listener.close()
        server.ready.set()


class PageServer(uvicorn.Server):
    """Uvicorn's server, which also says when it is ready, drops idle connections and stops in time."""

    def __init__(self, app: ASGIApp, closing: Callable[[], None] = lambda: None) -> None:
        """``closing`` is called when the server begins to stop, to end what would never end by itself."""
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                lifespan="on",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=CONNECTIONS,
                timeout_keep_alive=5,
                timeout_graceful_shutdown=GRACE,
            )
        )
        self.ready = threading.Event()
        self._closing = closing
        self._idle_since: dict[Any, float] = {}

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the listening sockets."""
        await super().startup(sockets)
        self.ready.set()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        if counter % 10 == 0:
            self._drop_idle(time.monotonic())
        return await super().on_tick(counter)

    def _drop_idle(self, now: float) -> None:
        """Drop connections without a complete request. Uvicorn keeps them, and a few hundred would block the page."""
        connections: set[Any] = {c for c in self.server_state.connections if hasattr(c, "cycle")}
        idle = [c for c in connections if c.cycle is None or c.cycle.response_complete]
        self._idle_since = {c: self._idle_since.get(c, now) for c in idle}
        for connection, since in self._idle_since.items():
            if now - since > IDLE:
                connection.transport.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; whoever does not read the end of what they were sent is cut off."""
        self._closing()
        cut = asyncio.get_running_loop().call_later(FLUSH, self._cut_off)
        await super().shutdown(sockets)
        cut.cancel()

    def _cut_off(self) -> None:
        for connection in list(self.server_state.connections):
            transport: Any = connection.transport
            transport.abort()
