"""A served live page with its board, its store and a client."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx

from cardrome.web.live.app import LivePage
from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.server import serve_in_thread
from cardrome.web.live.stream import VIEWERS
from tests.web.live.live_event import Store


class LiveSite:
    """Serves until it is closed. Clients wait for answers as long as it takes."""

    def __init__(self, viewers: int = VIEWERS) -> None:
        self.board, self.store = SnapshotBoard(), Store()
        self.page = LivePage(self.board, self.store, viewers=viewers)
        self.server = serve_in_thread(self.page, "127.0.0.1", 0)
        self.client = httpx.Client(base_url=self.server.url, timeout=None, headers={"Accept-Language": "en"})

    def close(self) -> None:
        self.store.released.set()
        self.client.close()
        self.server.stop()

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def connect(self) -> socket.socket:
        """A connection that asks for nothing yet and does not read."""
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", self.server.port))
        return connection

    def slow_viewer(self) -> socket.socket:
        """A viewer who asks for the stream and then reads nothing."""
        viewer = self.connect()
        viewer.sendall(b"GET /live/events HTTP/1.1\r\nHost: x\r\n\r\n")
        return viewer

    def until(self, viewers: int) -> None:
        """Wait until there are so many viewers."""
        while self.page.streams.viewers != viewers:
            time.sleep(0.01)


def news(lines: Iterator[str]) -> dict[str, Any]:
    """The next event of a stream."""
    found: dict[str, Any] = json.loads(next(line for line in lines if line.startswith("data: "))[6:])
    return found
