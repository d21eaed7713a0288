"""What a site of strangers' requests needs whatever it shows: headers, checks and limits.

`Guard` turns requests away before they reach a page: a wrong Host header (a page elsewhere whose name was pointed at
this machine), a request that another site's page made, a body that is too long. `SecurityHeaders` goes around
everything, error pages included. `RateLimit` is for pages that cost more than a look.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The content security policy of every page that does not bring its own."""

BODY = 1 << 16
"""Bytes of a request's body, unless a part of the site takes more."""

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""What a browser on this machine may call a server on this machine."""

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SecurityHeaders:
    """Adds the headers that every response carries, unless the response has its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                # With `no-referrer`, browsers would send forms without the origin that `Guard` asks for.
                headers.setdefault("Referrer-Policy", "same-origin")
            await send(message)

        await self.app(scope, receive, with_headers)


class Guard:
    """Lets only requests through that the site is meant to answer."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None, bodies: Mapping[str, int]) -> None:
        """``hosts``: names under which the server answers, None for any; ``bodies``: bytes by first path segment."""
        self.app = app
        self.hosts = None if hosts is None else frozenset(host.lower() for host in hosts)
        self.bodies = bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self.hosts is not None and _host_name(headers.get("host", "")) not in self.hosts:
            await _refuse(421, "this server does not answer to that name", scope, receive, send)
        elif _needs_origin(scope) and not same_origin(headers):
            await _refuse(403, "this request came from a page of another site", scope, receive, send)
        else:
            await self.app(scope, self._limited(scope, receive), send)

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        most = self.bodies.get(scope["path"].split("/")[1], BODY)
        read = 0

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                if read > most:
                    raise HTTPException(413)
            return message

        return limited


def same_origin(headers: Headers) -> bool:
    """Whether one of our own pages made this request, or no page at all: programs send neither header."""
    if (site := headers.get("sec-fetch-site")) is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def _needs_origin(scope: Scope) -> bool:
    return scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS


def _host_name(host: str) -> str:
    """The name in a Host header, without the port."""
    return host.lower().rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host.lower()


async def _refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await PlainTextResponse(f"{status}: {why}\n", status)(scope, receive, send)


class RateLimit:
    """So many requests a second from one client, after a burst of some. The busiest clients are remembered."""

    def __init__(self, rate: float, burst: int, clients: int = 10_000) -> None:
        self.rate, self.burst, self.clients = rate, burst, clients
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, request: HTTPConnection) -> None:
        """Count this request; an error page with status 429 if there were too many."""
        key = "" if request.client is None else request.client.host
        now = time.monotonic()
        left, since = self._left.pop(key, (float(self.burst), now))
        left = min(self.burst, left + (now - since) * self.rate)
        allowed = left >= 1
        self._left[key] = left - allowed, now
        if len(self._left) > self.clients:
            self._left.popitem(last=False)
        if not allowed:
            raise HTTPException(429, headers={"Retry-After": str(int((1 - left) / self.rate) + 1)})
