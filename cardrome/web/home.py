"""The home page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from cardrome.web.app import respond

FEATURED = {name: place for place, name in enumerate(("locm-1.2", "locm-1.5", "locm-1.0", "tapdeck"))}
"""The editions that a newcomer is shown first, in order."""


def routes(store: str | None) -> list[BaseRoute]:
    """The routes of the home page."""

    async def home(request: Request) -> Response:
        return respond(request, "home.html")

    return [Route("/", home)]
