"""The parts of the site, put together: what `cardrome web` serves."""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cardrome.web import cards, home, rules, watch
from cardrome.web.app import Part, application, respond
from cardrome.web.play.routes import part as play
from cardrome.web.tournaments.routes import part as tournaments
from cardrome.web.tournaments.stores import shown


def site(store: str | None = None, *, hosts: Collection[str] | None = None, secret: bytes | None = None) -> ASGIApp:
    """The whole site; ``store`` is the URL of a tournament's store to show."""
    stores = shown([] if store is None else [store])
    parts = [
        home.part(lambda: home.top_tables(stores.values())),
        play(),
        watch.part(),
        tournaments(stores),
        Part("live", [Route("/live", _no_event)]),
        cards.part(),
        Part("rules", rules.routes()),
    ]
    return application(parts, hosts=hosts, secret=secret)


async def _no_event(request: Request) -> Response:
    """Live events have a site of their own (`cardrome host`); this page says how to hold one."""
    return respond(request, "live/none.html")
