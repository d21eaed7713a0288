"""The live page of an event: standings that keep themselves current, the matches of each tournament, and transcripts.

The page only reads. It is made from the newest snapshot on a `SnapshotBoard` and runs in a thread of its own, with its
own event loop (`cardrome.web.live.server`), so that no viewer can delay a tick.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.matches import MatchSource, tournament_page
from cardrome.web.security import SecurityHeaders
from cardrome.web.templates import asset, load, render

VIEWERS = 500
"""Streams at a time. Later viewers see the page as it was when they loaded it, and try again."""

_GROUP, _STEP = 25, 0.02
"""Viewers are notified in groups of this size, so many seconds apart: all 500 at once would keep the interpreter away
from the event's thread."""

HEARTBEAT = 15.0
"""Seconds of silence after which a stream sends a sign of life."""

READERS = 2
"""Transcripts that are looked up at a time, because the event's store has work of its own."""

SILENCE = 10.0
"""Seconds without a snapshot after which the event counts as stuck."""

REPLAY_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""A replay carries its own script. The script may run, but without an origin and without network access."""

_STATIC = {"live.css": "text/css", "live.js": "text/javascript"}
_FRESH = {"Cache-Control": "no-store"}

T = TypeVar("T")


class LivePage:
    """The routes of the live page, and what they share."""

    def __init__(self, board: SnapshotBoard, store: MatchSource, viewers: int = VIEWERS) -> None:
        self.board = board
        self.store = store
        self.most_viewers = viewers
        self.viewers = 0
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="transcripts")
        self._rendered: tuple[object, bytes] | None = None
        load("live/standings.html", "live/tournament.html", "replay.html")

    def app(self) -> ASGIApp:
        """The application."""
        routes = [
            Route("/", self.standings),
            Route("/status.json", self.status),
            Route("/events", self.events),
            Route("/healthz", self.healthz),
            Route("/tournaments/{number}", self.tournament),
            Route("/matches/{name}", self.match),
            Route("/static/{name}", self.static),
        ]
        app = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers={HTTPException: _plain_error})
        app.router.redirect_slashes = False  # a redirection would repeat the Host header
        app.add_middleware(SecurityHeaders)
        return app

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.board.open()
        try:
            yield
        finally:
            self.board.close()
            self._readers.shutdown(wait=False, cancel_futures=True)

    async def standings(self, request: Request) -> Response:
        """The standings, rendered once for each snapshot."""
        bulletin = self.board.bulletin
        if self._rendered is None or self._rendered[0] is not bulletin:
            status, results = bulletin.status, bulletin.results
            page = render("live/standings.html", status=status, results=results, cells=dict(results.cells), suffix="")
            self._rendered = bulletin, page.encode()
        return HTMLResponse(self._rendered[1], headers=_FRESH)

    async def status(self, request: Request) -> Response:
        """The newest snapshot; `null` before the first."""
        return Response(self.board.bulletin.json, media_type="application/json", headers=_FRESH)

    async def events(self, request: Request) -> ASGIApp | Response:
        """The stream of news, if there is room for one more viewer."""
        if request.method == "GET" and self.viewers >= self.most_viewers:
            return PlainTextResponse("too many viewers\n", 503, headers={"Retry-After": "30", **_FRESH})
        return self._stream

    async def healthz(self, request: Request) -> Response:
        """Whether the event still publishes snapshots, for monitoring."""
        snapshot, age = self.board.latest, self.board.age
        if snapshot is None:
            return PlainTextResponse("the event has not started\n", 503, headers=_FRESH)
        if snapshot.phase != "over" and age > max(SILENCE, 5 * snapshot.turn_seconds):
            return PlainTextResponse(f"no news from the event for {age:.0f} s\n", 503, headers=_FRESH)
        return PlainTextResponse("ok\n", headers=_FRESH)

    async def tournament(self, request: Request) -> Response:
        """The matches of one tournament, or those of one team in it."""
        number = _number(request.path_params["number"])
        snapshot = self.board.latest
        known = set() if snapshot is None else {row.number for row in snapshot.tournaments}
        event = "" if snapshot is None else snapshot.event
        team = request.query_params.get("team") or None

        def made() -> bytes | None:
            matches = self.store.matches(number)
            if not matches and number not in known:
                return None
            return tournament_page(event, number, matches, team, number - 1 in known, number + 1 in known).encode()

        page = await self._read(made)
        if page is None:
            raise HTTPException(404, f"there is no tournament {number}")
        return HTMLResponse(page, headers=_FRESH)

    async def match(self, request: Request) -> Response:
        """A match's transcript as a file, or its replay as a page."""
        stem, _, kind = request.path_params["name"].rpartition(".")
        if kind not in ("json", "html"):
            raise HTTPException(404)
        match_id = _number(stem)
        if kind == "json":
            transcript = await self._read(lambda: self.store.transcript(match_id))
            if transcript is not None:
                headers = {"Content-Disposition": f'attachment; filename="match-{match_id}.json"'}
                return Response(transcript, media_type="application/json", headers=headers)
        else:
            page = await self._read(lambda: self.store.page(match_id))
            if page is not None:
                return HTMLResponse(page, headers={"Content-Security-Policy": REPLAY_POLICY})
        raise HTTPException(404, f"there is no transcript of match {match_id}")

    async def static(self, request: Request) -> Response:
        """The style sheet and the script."""
        name = request.path_params["name"]
        if name not in _STATIC:
            raise HTTPException(404)
        return Response(asset(f"static/{name}"), media_type=_STATIC[name], headers={"Cache-Control": "no-cache"})

    async def _read(self, work: Callable[[], T]) -> T:
        """Do some work in a reader's thread. Requests that still wait when the page closes down are turned away."""
        asked = asyncio.get_running_loop().run_in_executor(self._readers, work)
        waiting: set[asyncio.Future[Any]] = {asked, self.board.ended}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            asked.cancel()
            raise HTTPException(503, "the server is closing down")
        return asked.result()

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Server-sent events for one viewer."""
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
                await self._send_news(send, gone)
            finally:
                self.viewers -= 1
                gone.cancel()
        await send({"type": "http.response.body", "body": b""})

    async def _send_news(self, send: Send, gone: asyncio.Future[None]) -> None:
        """Nothing is queued: a viewer who reads slowly gets fewer events, always the newest."""
        board = self.board
        delay = self.viewers // _GROUP * _STEP
        sent, results = None, None
        while not board.ended.done() and not gone.done():
            changed = board.changed
            bulletin = board.bulletin
            if bulletin is not sent and bulletin.snapshot is not None:
                body = bulletin.short_message if bulletin.results is results else bulletin.full_message
                sent, results = bulletin, bulletin.results
            else:
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


async def _plain_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(f"{error.status_code}: {error.detail}\n", error.status_code, headers=error.headers)


def _number(text: str) -> int:
    if re.fullmatch("[0-9]{1,15}", text) is None:
        raise HTTPException(404)
    return int(text)
