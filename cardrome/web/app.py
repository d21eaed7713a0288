"""The site: one application made of parts, and what every page of it has in common.

A part of the site (play, watch, tournaments, ...) is a `Part`: its name is the first segment of its addresses, and its
routes say the rest. Their endpoints answer with `respond`, which fills a template that extends ``site.html`` in the
visitor's language and theme, or raise `PageError` (or Starlette's HTTPException) for an error page.
"""

from __future__ import annotations

import contextlib
import gzip
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from cardrome.web import assets, words
from cardrome.web.security import BODY, Guard, SecurityHeaders
from cardrome.web.session import Sessions, Signer
from cardrome.web.templates import render

NAVIGATION = ("play", "watch", "tournaments", "live", "cards", "rules")
"""The parts of the site in the order in which every page links them."""

_YEAR = 365 * 24 * 3600
_FRESH = {"Cache-Control": "no-store"}
_PACKED_FROM = 2000
"""Bytes from which a page is worth compressing."""


@dataclass(frozen=True)
class Part:
    """A part of the site."""

    name: str
    """The first segment of its addresses; empty for the home page."""
    routes: Sequence[BaseRoute]
    """Paths are whole: ``/play``, ``/play/games/{id}``."""
    body: int = BODY
    """Bytes that the body of a request may have."""
    lifespan: Callable[[], AbstractAsyncContextManager[None]] | None = None
    """What has to be open while the site is served."""


class PageError(HTTPException):
    """An error page with a text of the site, in the visitor's language."""

    def __init__(self, status: int, key: str, **values: object) -> None:
        super().__init__(status)
        self.key, self.values = key, values


def application(
    parts: Sequence[Part],
    *,
    hosts: Collection[str] | None = None,
    secret: bytes | None = None,
) -> ASGIApp:
    """The site of these parts, which its navigation links.

    ``hosts`` are the names under which the server answers, None for any; ``secret`` signs sessions, without one they
    end with the process.
    """
    routes: list[BaseRoute] = [*assets.ROUTES, Route("/settings", _settings, methods=["POST"])]
    for part in parts:
        for route in part.routes:
            path = getattr(route, "path", "")
            if path.split("/")[1:2] != [part.name]:
                raise ValueError(f"the part {part.name!r} has a route {path!r}, which is not its own")
        routes += part.routes
    offered = {part.name for part in parts}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as open_parts:
            for part in parts:
                if part.lifespan is not None:
                    await open_parts.enter_async_context(part.lifespan())
            yield

    handlers: Mapping[Any, Any] = {HTTPException: _error_page, 500: _error_page}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.state.navigation = tuple(name for name in NAVIGATION if name in offered)
    app.router.redirect_slashes = False  # a redirection would repeat the Host header
    signer = Signer(secret or secrets.token_bytes(32))
    bodies = {part.name: part.body for part in parts}
    return SecurityHeaders(Guard(Sessions(app, signer), hosts, bodies))


# Pages


def respond(
    request: HTTPConnection, template: str, /, *, status: int = 200, headers: Mapping[str, str] = _FRESH, **values: Any
) -> HTMLResponse:
    """A page in the visitor's language and theme.

    Templates have, beside the values given: ``t`` (a text), ``language``, ``theme``, ``part`` (where in the site the
    page is), ``address`` (of this page) and ``static`` (the address of a static file); the macro ``module`` in
    ``module.html`` loads a module and what it imports.
    """
    language = language_of(request)
    query = request.url.query
    page = render(
        template,
        t=partial(words.text, language),
        language=language,
        languages=words.LANGUAGES,
        theme=theme_of(request),
        part=request.url.path.split("/")[1],
        parts=request.app.state.navigation,
        address=request.url.path + (f"?{query}" if query else ""),
        static=assets.address,
        modules=assets.modules,
        **values,
    )
    body, more = page.encode(), {"Vary": "Cookie, Accept-Language, Accept-Encoding", **headers}
    if len(body) > _PACKED_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        body, more["Content-Encoding"] = gzip.compress(body, 5, mtime=0), "gzip"
    return HTMLResponse(body, status, more)


def language_of(request: HTTPConnection) -> str:
    """The language that the visitor chose, or else their browser's."""
    for chosen in (request.query_params.get("language"), request.cookies.get("cardrome-language")):
        if chosen in words.LANGUAGES:
            return chosen
    return words.preferred(request.headers.get("accept-language", ""))


def theme_of(request: HTTPConnection) -> str:
    """The theme that the visitor chose: light or dark; empty for the system's."""
    for chosen in (request.query_params.get("theme"), request.cookies.get("cardrome-theme")):
        if chosen in ("light", "dark"):
            return chosen
    return ""


async def _settings(request: Request) -> Response:
    """Keep the language or theme that a visitor chose, and go back to where they were."""
    form: dict[str, list[str]] = {}
    with contextlib.suppress(ValueError):
        form = parse_qs((await request.body()).decode(), max_num_fields=10)
    back = form.get("back", ["/"])[0]
    # A path of this site and nothing else: two slashes, or a backslash, would begin the name of another one.
    if not back.startswith("/") or back[1:2] in ("/", "\\") or not back.isprintable():
        back = "/"
    response = RedirectResponse(back, 303, _FRESH)
    theme = form.get("theme", [""])[0]
    if theme == "other":
        theme = "light" if theme_of(request) == "dark" else "dark"
    for name, value, known in (
        ("language", form.get("language", [""])[0], words.LANGUAGES),
        ("theme", theme, ("light", "dark")),
    ):
        if value in known:
            response.set_cookie(f"cardrome-{name}", value, max_age=_YEAR, samesite="lax")
    return response


async def _error_page(request: Request, error: Exception) -> Response:
    """An error as a page, or as JSON where a program or a script asked."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict((error.headers if isinstance(error, HTTPException) else None) or {})
    say = partial(words.text, language_of(request))
    if isinstance(error, PageError):
        why = say(error.key, **error.values)
    elif isinstance(error, HTTPException) and error.detail != HTTPStatus(status).phrase:
        why = error.detail
    else:
        why = say(f"site.error-{status}" if status in (404, 405, 413, 429, 503) else "site.error-500")
    if "text/html" in request.headers.get("accept", ""):
        return respond(request, "error.html", status=status, headers={**_FRESH, **headers}, number=status, why=why)
    return JSONResponse({"error": why}, status, {**_FRESH, **headers})
