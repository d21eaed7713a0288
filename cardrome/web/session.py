"""Who a visitor is from one request to the next: a signed cookie that holds a random name and nothing else.

What belongs to a visitor stays on the server, under that name. Visitors get the cookie when a page first asks who they
are; whoever only looks around gets none.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "cardrome-session"
_YEAR = 365 * 24 * 3600


class Signer:
    """Signs short texts, so that they can be given away and recognised when they come back."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign(self, text: str) -> str:
        """The text with its signature."""
        return f"{text}.{hmac.digest(self._secret, text.encode(), hashlib.sha256).hex()}"

    def read(self, signed: str) -> str | None:
        """The text that was signed; None if it was not signed here."""
        text = signed.rpartition(".")[0]
        return text if hmac.compare_digest(self.sign(text).encode(), signed.encode()) else None


class Sessions:
    """Reads the cookie, and sends one to visitors whom a page has asked for."""

    def __init__(self, app: ASGIApp, signer: Signer) -> None:
        self.app = app
        self.signer = signer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with a cookie where one is due."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        known = self.signer.read(HTTPConnection(scope).cookies.get(COOKIE, ""))
        scope["visitor"] = known

        async def with_cookie(message: Message) -> None:
            visitor = scope["visitor"]
            if message["type"] == "http.response.start" and visitor != known:
                secure = "; Secure" if scope["scheme"] == "https" else ""
                MutableHeaders(scope=message).append(
                    "Set-Cookie",
                    f"{COOKIE}={self.signer.sign(visitor)}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{secure}",
                )
            await send(message)

        await self.app(scope, receive, with_cookie)


def new_visitor(request: HTTPConnection) -> str:
    """A new name for whoever made this request, for the moment in which they log in."""
    request.scope["visitor"] = secrets.token_urlsafe(16)
    return visitor(request)


def visitor(request: HTTPConnection) -> str:
    """The name of whoever made this request. Strangers get a new one, and with the response their cookie."""
    if request.scope["visitor"] is None:
        request.scope["visitor"] = secrets.token_urlsafe(16)
    name: str = request.scope["visitor"]
    return name
