"""Runs the live page in its own thread and event loop: whatever viewers do, the event goes on."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import Any

import uvicorn

from cardrome.errors import CallerError
from cardrome.web.live.app import VIEWERS, LivePage
from cardrome.web.live.board import SnapshotBoard

CONNECTIONS = VIEWERS + 100
"""Connections at a time. More are refused at once."""

IDLE = 10.0
"""Seconds that a connection may stay open without a complete request."""

FLUSH = 1.0
"""Seconds that viewers have, when the page stops, to read the rest of what they were sent."""

GRACE: int | None = 10
"""Seconds after which requests are cancelled when the page stops. None should take longer than `FLUSH`."""

_BUFFER = 1 << 16
"""Bytes that the system buffers for a viewer who reads slowly."""

_STALLED_MS = 30_000
"""Milliseconds after which a viewer who reads nothing at all is dropped."""


class LiveServer:
    """A page that is being served."""

    def __init__(self, page: LivePage, host: str, listener: socket.socket) -> None:
        self.host = host
        self.port: int = listener.getsockname()[1]
        config = uvicorn.Config(
            page.app(),
            http="h11",
            ws="none",
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
        self._server = _Server(config, page.board)
        self._thread = threading.Thread(target=self._run, args=(listener,), name="live page", daemon=True)

    @property
    def url(self) -> str:
        """The page's address, as seen from this machine."""
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def start(self) -> None:
        """Start serving; returns once requests are answered."""
        self._thread.start()
        self._server.ready.wait()
        if not self._server.started:
            self._thread.join()
            raise RuntimeError("the live page did not start")

    def stop(self) -> None:
        """Stop serving. Streams end properly; viewers who do not read the end are cut off."""
        self._server.should_exit = True
        self._thread.join()

    def _run(self, listener: socket.socket) -> None:
        try:
            self._server.run(sockets=[listener])
        finally:
            listener.close()
            self._server.ready.set()

    def __enter__(self) -> LiveServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def serve_in_thread(page: LivePage, host: str, port: int) -> LiveServer:
    """Serve the live page; port 0 takes any free one. Returns once it answers."""
    server = LiveServer(page, host, _listen(host, port))
    server.start()
    return server


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise CallerError(f"the page cannot be served on {host or '*'}:{port}: ports go from 0 to 65535")
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # A name may stand for several addresses. People who write `localhost` mean the IPv4 one.
        family, _, _, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
        listener = socket.create_server(address, family=family, backlog=1024)
    except OSError as error:
        raise CallerError(f"the page cannot be served on {host or '*'}:{port}: {error.strerror}") from error
    # Accepted connections inherit both. With a large buffer slow viewers would be shown the past; without a timeout
    # those who stop reading would keep their place for ever.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STALLED_MS)
    return listener


class _Server(uvicorn.Server):
    """Uvicorn's server, which also says when it is ready, drops idle connections and stops in time."""

    def __init__(self, config: uvicorn.Config, board: SnapshotBoard) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._board = board
        self._idle_since: dict[Any, float] = {}

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            self._drop_idle(time.monotonic())
        return await super().on_tick(counter)

    def _drop_idle(self, now: float) -> None:
        """Drop connections without a complete request. Uvicorn keeps them, and a few hundred would block the page."""
        connections: set[Any] = set(self.server_state.connections)
        idle = [c for c in connections if c.cycle is None or c.cycle.response_complete]
        self._idle_since = {c: self._idle_since.get(c, now) for c in idle}
        for connection, since in self._idle_since.items():
            if now - since > IDLE:
                connection.transport.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._board.close()
        cut = asyncio.get_running_loop().call_later(FLUSH, self._cut_off)
        await super().shutdown(sockets)
        cut.cancel()

    def _cut_off(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()
