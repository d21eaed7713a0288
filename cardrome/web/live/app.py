"""The live part of the site: the scoreboard of an event, its matches while they are played and afterwards, its people.

Pages are made from the newest snapshot on a `SnapshotBoard` and run in a thread of their own, with their own event loop
(`cardrome.web.live.server`), so that no viewer can delay a tick.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cardrome.server.desk import EventDesk
from cardrome.web.app import PageError, Part, application, respond
from cardrome.web.live.board import Bulletin, SnapshotBoard
from cardrome.web.live.matches import MatchSource
from cardrome.web.live.onair import Mark, MatchOnAir
from cardrome.web.live.people import People
from cardrome.web.live.stream import VIEWERS, Streams
from cardrome.web.live.view import shown_name
from cardrome.web.security import RateLimit
from cardrome.web.templates import load

READERS = 2
"""Requests to the event's store at a time, because the event has work of its own for it."""

SILENCE = 10.0
"""Seconds without a snapshot after which the event counts as stuck."""

BOARDS = 12
"""Matches on a page of running matches."""

REPLAY_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""A replay carries its own script. The script may run, but without an origin and without network access."""

_FRESH = {"Cache-Control": "no-store"}

T = TypeVar("T")


class LivePage:
    """The routes of the live part, and what they share."""

    def __init__(
        self,
        board: SnapshotBoard,
        store: MatchSource,
        desk: EventDesk | None = None,
        viewers: int = VIEWERS,
        others: Sequence[Part] = (),
    ) -> None:
        """Without a desk, teams and the operator cannot log in; ``others`` are parts of the site beside this one."""
        self.others = others
        self.board = board
        self.store = store
        self.streams = Streams(board, viewers)
        self.people = People(board, store, desk, self.read)
        self._limit = RateLimit(5.0, 60)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="live page")
        load("live/scoreboard.html", "live/matches.html", "live/match.html", "live/tournament.html", "replay.html")

    def part(self) -> Part:
        """The live part of the site."""
        routes = [
            Route("/live", self.scoreboard),
            Route("/live/events", self.events),
            Route("/live/status.json", self.status),
            Route("/live/healthz", self.healthz),
            Route("/live/tournaments/{number}", self.tournament),
            Route("/live/matches", self.matches),
            Route("/live/matches/events", self.matches_events),
            Route("/live/matches/{number}", self.match),
            Route("/live/matches/{number}/events", self.match_events),
            *self.people.routes(),
        ]
        return Part("live", routes, lifespan=self._lifespan)

    def app(self) -> ASGIApp:
        """A site whose home is the event."""
        return application([Part("", [Route("/", self.home)]), self.part(), *self.others])

    @asynccontextmanager
    async def _lifespan(self) -> AsyncIterator[None]:
        self.board.open()
        try:
            yield
        finally:
            self.board.close()
            self._readers.shutdown(wait=False, cancel_futures=True)

    async def read(self, work: Callable[[], T]) -> T:
        """Do some work in a reader's thread. Requests that still wait when the page closes down are turned away."""
        asked = asyncio.get_running_loop().run_in_executor(self._readers, work)
        waiting: set[asyncio.Future[Any]] = {asked, self.board.ended}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            asked.cancel()
            raise HTTPException(503)
        return asked.result()

    # The scoreboard

    async def home(self, request: Request) -> Response:
        """The event's home."""
        return RedirectResponse("/live", 303)

    async def scoreboard(self, request: Request) -> Response:
        """The scoreboard, which keeps itself current."""
        bulletin = self.board.bulletin
        event = "" if bulletin.snapshot is None else shown_name(bulletin.snapshot.event)
        teams = () if bulletin.snapshot is None else bulletin.snapshot.teams
        alone = "projector" in request.query_params
        return respond(
            request,
            "live/scoreboard.html",
            event=event,
            data=msgspec.Raw(bulletin.scoreboard),
            teams=teams,
            alone=alone,
        )

    async def events(self, request: Request) -> ASGIApp:
        """The scoreboard whenever it has changed."""
        sent: Bulletin | None = None

        def feed() -> bytes | None:
            nonlocal sent
            bulletin = self.board.bulletin
            if bulletin is sent or bulletin.snapshot is None:
                return None
            sent = bulletin
            return b"data: " + bulletin.scoreboard + b"\n\n"

        return self.streams.open(feed)

    async def status(self, request: Request) -> Response:
        """The newest snapshot; `null` before the first."""
        return Response(self.board.bulletin.json, media_type="application/json", headers=_FRESH)

    async def healthz(self, request: Request) -> Response:
        """Whether the event still publishes snapshots, for monitoring."""
        snapshot, age = self.board.latest, self.board.age
        if snapshot is None:
            return PlainTextResponse("the event has not started\n", 503, headers=_FRESH)
        if snapshot.phase != "over" and age > max(SILENCE, 5 * snapshot.turn_seconds):
            return PlainTextResponse(f"no news from the event for {age:.0f} s\n", 503, headers=_FRESH)
        return PlainTextResponse("ok\n", headers=_FRESH)

    # Matches in play

    async def matches(self, request: Request) -> Response:
        """The running matches as small boards."""
        page, pages, data = self._boards(request)
        return respond(
            request, "live/matches.html", event=self._event(), data=msgspec.Raw(data), page=page, pages=pages
        )

    async def matches_events(self, request: Request) -> ASGIApp:
        """The same boards, whenever they have changed."""
        sent: tuple[object, ...] | None = None

        def feed() -> bytes | None:
            nonlocal sent
            broadcast = self.board.bulletin.broadcast
            now = None if broadcast is None else (broadcast.tournament, broadcast.turn, broadcast.over)
            if now is None or now == sent:
                return None
            sent = now
            return b"data: " + self._boards(request)[2] + b"\n\n"

        return self.streams.open(feed)

    def _boards(self, request: Request) -> tuple[int, int, bytes]:
        """The page of matches that was asked for, how many there are, and its boards as JSON."""
        bulletin = self.board.bulletin
        pages = max(1, -(-len(bulletin.order) // BOARDS))
        asked = request.query_params.get("page", "1")
        page = min(max(int(asked), 1), pages) if re.fullmatch("[0-9]{1,6}", asked) else 1
        shown = bulletin.order[(page - 1) * BOARDS : page * BOARDS]
        return page, pages, bulletin.boards(tuple(shown))

    async def match(self, request: Request) -> Response:
        """A match while it is played; afterwards its transcript as a file, or its replay as a page."""
        stem, _, kind = request.path_params["number"].partition(".")
        match_id = _number(stem)
        if kind == "json":
            transcript = await self.read(lambda: self.store.transcript(match_id))
            if transcript is not None:
                headers = {"Content-Disposition": f'attachment; filename="match-{match_id}.json"'}
                return Response(transcript, media_type="application/json", headers=headers)
        elif kind == "html":
            self._limit.check(request)
            page = await self.read(lambda: self.store.page(match_id))
            if page is not None:
                return HTMLResponse(page, headers={"Content-Security-Policy": REPLAY_POLICY})
        elif not kind:
            on_air = self._on_air(request, match_id)
            if on_air is None:
                return RedirectResponse(f"/live/matches/{match_id}.html", 303)
            return respond(
                request,
                "live/match.html",
                event=self._event(),
                match=match_id,
                players=on_air.recording.players,
            )
        raise PageError(404, "live.no-match", n=match_id)

    async def match_events(self, request: Request) -> ASGIApp:
        """A match as far as spectators may see it, and what comes then."""
        match_id, had = _number(request.path_params["number"]), Mark()
        if self._on_air(request, match_id) is None:
            raise PageError(404, "live.no-match", n=match_id)

        def feed() -> bytes | None:
            nonlocal had
            on_air = self.board.on_air.find(self.board.bulletin.broadcast, match_id)
            if on_air is None or on_air.position == had:
                return None
            message, had = on_air.news(had), on_air.position
            return message

        return self.streams.open(feed)

    def _on_air(self, request: Request, match_id: int) -> MatchOnAir | None:
        """A match of the present tournament. One that nobody watches yet costs a moment: there is a limit on those."""
        broadcast = self.board.bulletin.broadcast
        if not self.board.on_air.has(broadcast, match_id):
            self._limit.check(request)
        return self.board.on_air.find(broadcast, match_id)

    # What was played

    async def tournament(self, request: Request) -> Response:
        """The matches of one tournament, or those of one team in it."""
        number = _number(request.path_params["number"])
        snapshot = self.board.latest
        known = {} if snapshot is None else {row.number: row.status for row in snapshot.tournaments}
        matches = await self.read(lambda: self.store.matches(number))
        if not matches and number not in known:
            raise PageError(404, "live.no-tournament", n=number)
        team = request.query_params.get("team") or None
        return respond(
            request,
            "live/tournament.html",
            **tournament_values(self._event(), number, matches, team),
            finished=known.get(number, "finished") == "finished",
            earlier=number - 1 if number - 1 in known else None,
            later=number + 1 if number + 1 in known else None,
            suffix="",
        )

    def _event(self) -> str:
        return "" if self.board.latest is None else shown_name(self.board.latest.event)


def tournament_values(event: str, number: int, matches: Any, team: str | None) -> dict[str, Any]:
    """What the page of a tournament shows: all of its matches, or those of one team."""
    return {
        "event": event,
        "number": number,
        "teams": sorted({name for match in matches for name in (match.first, match.second)}, key=str.casefold),
        "team": team,
        "played": bool(matches),
        "matches": [match for match in matches if team in (None, match.first, match.second)],
    }


def _number(text: str) -> int:
    if re.fullmatch("[0-9]{1,15}", text) is None:
        raise HTTPException(404)
    return int(text)
