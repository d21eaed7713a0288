"""The pages of those who log in: teams see all of their own matches, the operator runs the event."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple, Protocol, TypeVar
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.server.desk import EventDesk, Refused
from cardrome.server.store.accounts import NAME_LENGTH, PASSWORD_LENGTH, RefusedChange
from cardrome.server.store.control import TEXT_LENGTH
from cardrome.web import words
from cardrome.web.app import PageError, language_of, respond
from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.matches import MatchSource, TeamTournament
from cardrome.web.live.view import shown_name
from cardrome.web.security import RateLimit
from cardrome.web.session import new_visitor, visitor

KNOWN = 2_000
"""People who are logged in; one more logs out whoever was here longest."""
STAY = 12 * 3600.0
"""Seconds after which people have to log in again."""
TOURNAMENTS = 10
"""Tournaments on a page of a team."""
_STATUS = {"wrong": 401, "locked": 429, "away": 503}

Kind = Literal["team", "operator"]
T = TypeVar("T")


class Reader(Protocol):
    """Does some work in a thread."""

    def __call__(self, work: Callable[[], T]) -> Awaitable[T]:
        """Call a function there."""


class Person(NamedTuple):
    """Who has logged in."""

    kind: Kind
    name: str
    """The team's; empty for the operator."""
    account: int
    mark: str
    """Changes with their password: whoever has an old one is a stranger again."""
    since: float


class People:
    """Who is logged in on the page, and the pages they get."""

    def __init__(self, board: SnapshotBoard, store: MatchSource, desk: EventDesk | None, read: Reader) -> None:
        self._board = board
        self._store = store
        self._desk = desk
        self._read = read
        self._here: OrderedDict[tuple[str, Kind], Person] = OrderedDict()
        self._limit = RateLimit(1.0, 20)

    def routes(self) -> list[BaseRoute]:
        """The routes of both pages; without a desk, nobody can log in."""
        if self._desk is None:
            return []
        return [
            Route("/live/team", self.team, methods=["GET"]),
            Route("/live/team", self.log_in_team, methods=["POST"]),
            Route("/live/operator", self.operator, methods=["GET"]),
            Route("/live/operator", self.log_in_operator, methods=["POST"]),
            Route("/live/operator/{order}", self.order, methods=["POST"]),
            Route("/live/logout", self.log_out, methods=["POST"]),
        ]

    # Logging in and out

    async def log_in_team(self, request: Request) -> Response:
        """A team's name and password."""
        form = await _form(request)
        name, password = form.get("name", "").strip(), form.get("password", "").strip()
        return await self._log_in(request, "team", name, lambda desk, address: desk.team(name, password, address))

    async def log_in_operator(self, request: Request) -> Response:
        """The operator's password."""
        password = (await _form(request)).get("password", "").strip()
        return await self._log_in(request, "operator", "", lambda desk, address: desk.operator(password, address))

    async def _log_in(
        self, request: Request, kind: Kind, name: str, check: Callable[[EventDesk, str], Awaitable[int]]
    ) -> Response:
        self._limit.check(request)
        assert self._desk is not None
        try:
            account = await check(self._desk, "?" if request.client is None else request.client.host)
        except Refused as refused:
            return self._door(request, kind, refused.why, name)
        mark = await self._mark(kind, name)
        if mark is None:  # removed, the moment after
            return self._door(request, kind, "wrong", name)
        # A new name for the visitor: one that somebody else may have made them use is worth nothing.
        self._here[new_visitor(request), kind] = Person(kind, name, account, mark, time.monotonic())
        while len(self._here) > KNOWN:
            self._here.popitem(last=False)
        return RedirectResponse(f"/live/{kind}", 303)

    async def log_out(self, request: Request) -> Response:
        """Forget who this is."""
        for kind in ("team", "operator"):
            self._here.pop((visitor(request), kind), None)
        return RedirectResponse("/live", 303)

    async def _mark(self, kind: Kind, name: str) -> str | None:
        desk = self._desk
        assert desk is not None
        return await self._stored(lambda: desk.mark(name if kind == "team" else None))

    async def _who(self, request: Request, kind: Kind) -> Person | None:
        """Who asks, if they are still allowed to."""
        known = request.scope["visitor"]
        person = self._here.get((known, kind)) if known else None
        if person is None:
            return None
        if time.monotonic() - person.since > STAY or await self._mark(kind, person.name) != person.mark:
            self._here.pop((known, kind), None)
            return None
        return person

    async def _stored(self, work: Callable[[], T]) -> T:
        try:
            return await self._read(work)
        except DatabaseUnavailable:
            raise PageError(503, "live.store-away") from None

    def _door(self, request: Request, kind: Kind, refusal: str = "", name: str = "") -> Response:
        values = {"kind": kind, "refusal": refusal, "name": shown_name(name), "password_length": PASSWORD_LENGTH}
        return self._respond(request, "login", _STATUS.get(refusal, 200), **values)

    # Teams

    async def team(self, request: Request) -> Response:
        """All of a team's matches, or the form to log in."""
        person = await self._who(request, "team")
        if person is None:
            return self._door(request, "team")
        snapshot, broadcast = self._board.latest, self._board.bulletin.broadcast
        row = next((each for each in snapshot.teams if each.name == person.name), None) if snapshot else None
        before = request.query_params.get("before", "")
        first = int(before) if before.isascii() and before.isdigit() and len(before) < 10 else 1 << 31

        def look() -> tuple[list[TeamTournament], int | None]:
            numbers = sorted(self._store.tournaments_of(person.account), reverse=True)
            wanted = [number for number in numbers if number < first]
            older = wanted[TOURNAMENTS - 1] if len(wanted) > TOURNAMENTS else None
            return list(self._store.team(person.account, wanted[:TOURNAMENTS])), older

        played, older = await self._stored(look)
        running = []
        if broadcast is not None and not broadcast.over:
            for match in broadcast.tournament.of(person.account):
                first_name, second_name = broadcast.players(match.index)
                begins = match.players[0] == person.account
                health = broadcast.health[match.index].tolist()
                running.append(
                    {
                        "id": match.id,
                        "opponent": shown_name(second_name if begins else first_name),
                        "begins": begins,
                        "health": health if begins else health[::-1],
                    }
                )
        values: dict[str, Any] = {"row": row, "played": played, "older": older, "running": running}
        return self._respond(request, "team", team=shown_name(person.name), **values)

    # The operator

    async def operator(self, request: Request, **news: Any) -> Response:
        """The operator's page, or the form to log in."""
        person = await self._who(request, "operator")
        if person is None:
            return self._door(request, "operator")
        return await self._operator_page(request)

    async def _operator_page(self, request: Request, status: int = 200, **news: Any) -> Response:
        desk, snapshot = self._desk, self._board.latest
        assert desk is not None
        teams, unknown, orders = await self._stored(lambda: (*desk.teams(), desk.orders()))
        values = {"snapshot": snapshot, "orders": orders, "teams": teams, "text_length": TEXT_LENGTH}
        failed = {"unknown": unknown, "operator_failed": desk.failed_operator_logins}
        told = {"password": None, "of": None, "problem": None} | news
        return self._respond(request, "operator", status, **values, **failed, **told)

    async def order(self, request: Request) -> Response:
        """Something that the operator wants."""
        if await self._who(request, "operator") is None:
            return self._door(request, "operator")
        desk, form = self._desk, await _form(request)
        assert desk is not None
        name = form.get("team", "").strip()
        number = form.get("announcement", "")
        orders: dict[str, Callable[[], str | None]] = {
            "pause": lambda: desk.pause(True),
            "resume": lambda: desk.pause(False),
            "announce": lambda: desk.announce(form.get("text", "")),
            "withdraw": lambda: desk.withdraw(int(number) if number.isdecimal() and len(number) < 10 else 0),
            "add": lambda: desk.add_team(name),
            "reset": lambda: desk.reset_password(name),
            "remove": lambda: desk.remove_team(name),
        }
        asked = request.path_params["order"]
        if asked not in orders:
            raise PageError(404, "site.error-404")
        try:
            password = await self._stored(orders[asked])
        except RefusedChange as refused:
            limit = TEXT_LENGTH if refused.reason == "text-long" else NAME_LENGTH
            say = words.text(language_of(request), f"live.problem-{refused.reason}", name=shown_name(name), n=limit)
            return await self._operator_page(request, 400, problem=say)
        if password is not None:  # it is shown this once, so there is no address to come back to
            return await self._operator_page(request, password=password, of=shown_name(name))
        return RedirectResponse("/live/operator", 303)

    def _respond(self, request: Request, page: str, status: int = 200, **values: Any) -> Response:
        event = "" if self._board.latest is None else shown_name(self._board.latest.event)
        return respond(request, f"live/{page}.html", status=status, event=event, name_length=NAME_LENGTH, **values)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; the first of each name."""
    try:
        found = parse_qs((await request.body()).decode(), max_num_fields=10, keep_blank_values=True)
    except ValueError:
        return {}
    return {name: values[0] for name, values in found.items()}
