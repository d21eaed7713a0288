"""Server-sent events for viewers who stay: the newest state, whenever there is one, however slowly they read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from cardrome.web.live.board import SnapshotBoard

VIEWERS = 500
"""Streams at a time. Later viewers see the page as it was when they loaded it, and try again."""

HEARTBEAT = 15.0
"""Seconds of silence after which a stream sends a sign of life."""

_GROUP, _STEP = 25, 0.02
"""Viewers are notified in groups of this size, so many seconds apart: all 500 at once would keep the interpreter away
from the event's thread."""

Feed = Callable[[], bytes | None]
"""What a viewer does not have yet, as a message; None if there is nothing."""


class Streams:
    """All streams of a page."""

    def __init__(self, board: SnapshotBoard, most: int = VIEWERS) -> None:
        self.board = board
        self.most = most
        self.viewers = 0

    def open(self, feed: Feed) -> ASGIApp:
        """A stream for one viewer, if there is room."""
        if self.viewers >= self.most:
            return PlainTextResponse("too many viewers\n", 503, {"Retry-After": "30", "Cache-Control": "no-store"})

        async def stream(scope: Scope, receive: Receive, send: Send) -> None:
            await self._serve(feed, scope, receive, send)

        return stream

    async def _serve(self, feed: Feed, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),  # a proxy in between must pass on every event at once
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "GET":
            gone = asyncio.ensure_future(_disconnect(receive))
            self.viewers += 1
            try:
                await self._send_news(feed, send, gone)
            finally:
                self.viewers -= 1
                gone.cancel()
        await send({"type": "http.response.body", "body": b""})

    async def _send_news(self, feed: Feed, send: Send, gone: asyncio.Future[None]) -> None:
        """Nothing is queued: a viewer who reads slowly gets fewer events, always the newest."""
        board = self.board
        delay = self.viewers // _GROUP * _STEP
        while not board.ended.done() and not gone.done():
            changed = board.changed
            body = feed()
            if body is None:
                await asyncio.wait({changed, gone}, timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
                if changed.done() or gone.done():
                    await asyncio.sleep(delay)
                    continue
                body = b": still here\n\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})


async def _disconnect(receive: Receive) -> None:
    """Wait until the viewer has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
