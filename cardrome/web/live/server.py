"""Runs the live page in its own thread and event loop: whatever viewers do, the event goes on."""

from __future__ import annotations

import socket
import threading

from cardrome.web.live.app import LivePage
from cardrome.web.server import PageServer, address_of, listen


class LiveServer:
    """A page that is being served."""

    def __init__(self, page: LivePage, host: str, listener: socket.socket) -> None:
        self.host = host
        self.port: int = listener.getsockname()[1]
        self._server = PageServer(page.app(), page.board.close)
        self._thread = threading.Thread(target=self._run, args=(listener,), name="live page", daemon=True)

    @property
    def url(self) -> str:
        """The page's address, as seen from this machine."""
        return address_of(self.host, self.port)

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


def serve_in_thread(page: LivePage, host: str, port: int, option: str = "--port") -> LiveServer:
    """Serve the live page; port 0 takes any free one. Returns once it answers."""
    server = LiveServer(page, host, listen(host, port, option))
    server.start()
    return server
