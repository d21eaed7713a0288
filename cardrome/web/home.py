"""The home page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from cardrome.web.app import respond


def routes(store: str | None) -> list[BaseRoute]:
    """The routes of the home page."""

    async def home(request: Request) -> Response:
        return respond(request, "home.html")

    return [Route("/", home)]
