"""The site as a whole: what every page and every request has in common, whichever part answers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardrome.web import assets
from cardrome.web.app import NAVIGATION, PageError, Part, application, respond
from cardrome.web.security import LOCAL, POLICY, RateLimit
from cardrome.web.session import visitor
from cardrome.web.site import site
from tests.web.parsed import ParsedPage

HTML = {"Accept": "text/html"}
LIMIT = RateLimit(rate=0.001, burst=2)
opened: list[str] = []


async def plain(request: Request) -> Response:
    return respond(request, "live/none.html")


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


async def who(request: Request) -> Response:
    return PlainTextResponse(visitor(request))


async def broken(request: Request) -> Response:
    raise RuntimeError("a secret of the house")


async def refused(request: Request) -> Response:
    raise PageError(404, "state.ready")


async def limited(request: Request) -> Response:
    LIMIT.check(request)
    return PlainTextResponse("fine")


async def talk(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


@asynccontextmanager
async def lifespan() -> AsyncIterator[None]:
    opened.append("open")
    yield
    opened.append("closed")


TOY = Part(
    "toy",
    [
        Route("/toy/echo", echo, methods=["POST"]),
        Route("/toy/who", who),
        Route("/toy/broken", broken),
        Route("/toy/refused", refused),
        Route("/toy/limited", limited),
        WebSocketRoute("/toy/talk", talk),
    ],
    body=100,
    lifespan=lifespan,
)


@pytest.fixture
def client() -> Iterator[TestClient]:
    play = Part("play", [Route("/play", plain)])
    app = application([TOY, play], hosts=LOCAL, secret=b"s" * 32)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


def test_a_part_keeps_to_its_own_addresses() -> None:
    with pytest.raises(ValueError, match="which is not its own"):
        application([Part("toy", [Route("/toys", echo)])])


def test_parts_are_open_while_the_site_is_served(client: TestClient) -> None:
    assert opened[-1] == "open"
    client.__exit__()
    assert opened[-1] == "closed"


def test_every_page_has_the_navigation_and_no_link_is_dead() -> None:
    client = TestClient(site())
    for name in NAVIGATION:
        page = client.get(f"/{name}")
        assert page.status_code == 200
        assert re.findall(r'<a href="/(\w+)"', page.text) == list(NAVIGATION)
        assert re.findall(r'<a href="/(\w+)" aria-current="page"', page.text) == [name]


def test_every_response_has_the_security_headers(client: TestClient) -> None:
    for path in ("/play", "/nothing", "/toy/broken", "/toy/who", "/assets/x/static/site.css"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY


def test_errors_are_pages_for_people_and_json_for_scripts(client: TestClient) -> None:
    page = client.get("/nothing", headers=HTML)
    assert page.status_code == 404
    assert "There is no such page" in ParsedPage(page.text).texts
    assert client.get("/nothing").json() == {"error": "There is no such page"}
    assert client.get("/toy/refused", headers={"Accept-Language": "fr"}).json() == {"error": "peut attaquer"}
    broken = client.get("/toy/broken", headers=HTML)
    assert broken.status_code == 500
    assert "secret" not in broken.text
    assert client.post("/play").status_code == 405


def test_a_visitor_gets_the_language_they_chose_or_their_browsers(client: TestClient) -> None:
    def language(header: str = "") -> str:
        found = re.search(r'<html lang="(\w+)"', client.get("/play", headers={"Accept-Language": header}).text)
        assert found is not None
        return found[1]

    assert language() == "en"
    assert language("fr-CA,fr;q=0.9,en;q=0.8") == "fr"
    assert language("de, en;q=0.5, fr;q=0.7") == "fr"
    assert language("fr;q=0, de") == "en"
    assert language("*;;q=,\x7f" + "fr," * 500) == "fr"
    chosen = client.post("/settings", data={"language": "fr", "back": "/cards?seed=7"})
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/cards?seed=7")
    assert language("en") == "fr"
    client.post("/settings", data={"language": "xx"})
    assert language("en") == "fr"


def test_a_theme_is_kept(client: TestClient) -> None:
    assert "data-theme" not in client.get("/play").text
    client.post("/settings", data={"theme": "other"})
    assert 'data-theme="dark"' in client.get("/play").text
    client.post("/settings", data={"theme": "other"})
    assert 'data-theme="light"' in client.get("/play").text


@pytest.mark.parametrize("back", ["//evil.example/", "/\\evil.example", "https://evil.example/", "", "/a\r\nX: y"])
def test_settings_lead_back_to_this_site_only(client: TestClient, back: str) -> None:
    assert client.post("/settings", data={"language": "fr", "back": back}).headers["location"] == "/"


def test_a_server_for_this_machine_answers_to_its_names_only(client: TestClient) -> None:
    for host, status in (
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("localhost.evil.example:8000", 421),
        ("", 421),
    ):
        assert client.get("/play", headers={"Host": host}).status_code == status, host


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Origin": "http://localhost"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, True),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "http://localhost:1"}, False),
        ({"Origin": "null"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"}, False),
    ],
)
def test_pages_of_other_sites_can_change_nothing(client: TestClient, headers: dict[str, str], allowed: bool) -> None:
    assert client.post("/toy/echo", content=b"hi", headers=headers).status_code == (200 if allowed else 403)
    assert client.get("/play", headers=headers).status_code == 200
    if allowed:
        with client.websocket_connect("ws://localhost/toy/talk", headers=headers) as socket:
            assert socket.receive_text() == "hello"
    else:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("ws://localhost/toy/talk", headers=headers):
            pass


def test_a_body_is_as_long_as_its_part_allows(client: TestClient) -> None:
    assert client.post("/toy/echo", content=b"x" * 100).text == "x" * 100
    assert client.post("/toy/echo", content=b"x" * 101).json() == {"error": "That is too large"}
    pieces = (b"x" * 60 for _ in range(1000))
    assert client.post("/toy/echo", content=pieces).status_code == 413


def test_sessions_are_signed(client: TestClient) -> None:
    assert "set-cookie" not in client.get("/play").headers
    first = client.get("/toy/who")
    assert "HttpOnly; SameSite=Lax" in first.headers["set-cookie"]
    again = client.get("/toy/who")
    assert again.text == first.text
    assert "set-cookie" not in again.headers
    signed = client.cookies["cardrome-session"]
    client.cookies.clear()
    for forged in ("", "x", f"x{signed}", signed[:-1], first.text + ".", "é.é"):
        name = client.get("/toy/who", headers=[(b"cookie", f"cardrome-session={forged}".encode())]).text
        assert name not in (first.text, ""), forged
        client.cookies.clear()


def test_who_asks_too_often_has_to_wait(client: TestClient) -> None:
    assert [client.get("/toy/limited").status_code for _ in range(3)] == [200, 200, 429]
    assert int(client.get("/toy/limited").headers["retry-after"]) > 900


def test_static_files_are_kept_for_good_and_nothing_else_is_served(client: TestClient) -> None:
    found = client.get(assets.address("replay/viewer.js"))
    assert found.headers["content-type"].startswith("text/javascript")
    assert "immutable" in found.headers["cache-control"]
    assert found.content == assets.files()["static/replay/viewer.js"]
    plain = client.get(assets.address("replay/viewer.js"), headers={"Accept-Encoding": "identity"})
    assert plain.content == found.content
    texts = client.get(f"/assets/{assets.digest()}/messages/en.json")
    assert texts.headers["content-type"] == "application/json"
    assert client.get("/assets/old/static/site.css").headers["cache-control"] == "no-cache"
    for path in (
        "static/../app.py",
        "static/%2e%2e/app.py",
        "app.py",
        "static",
        "static/",
        "../web/app.py",
        "//etc/passwd",
    ):
        assert client.get(f"/assets/{assets.digest()}/{path}").status_code == 404, path
