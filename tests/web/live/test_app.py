"""The live page on a real socket: what it serves, to whom, and that no viewer can hold it or the event up."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import httpx
import msgspec
import pytest

from cardrome.errors import CallerError
from cardrome.server.snapshot import Snapshot
from cardrome.web.live import app as live
from cardrome.web.live import server as live_server
from cardrome.web.live.app import LivePage, create_app
from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.server import LiveServer, serve_in_thread
from cardrome.web.live.view import NEWEST, Status, points, results_of, status_of
from tests.web.live.live_event import HOSTILE, Store, snapshot, standings

PATIENCE = 30.0


class Site:
    """A served page with its board and store, and a client."""

    def __init__(self, viewers: int = live.VIEWERS) -> None:
        self.board, self.store = SnapshotBoard(), Store()
        self.page = LivePage(self.board, self.store, viewers)
        self.server = serve_in_thread(self.page.app(), "127.0.0.1", 0)
        self.client = httpx.Client(base_url=self.server.url, timeout=PATIENCE)

    def close(self) -> None:
        self.store.released.set()
        self.client.close()
        self.server.stop()

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def until(self, viewers: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.page.viewers != viewers:
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def news(lines: Iterator[str]) -> dict[str, Any]:
    """The next event of a stream."""
    return json.loads(next(line for line in lines if line.startswith("data: "))[6:])


class Texts(HTMLParser):
    """The texts of a page by element, and the elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


# What is served


def test_standings_are_drawn_by_the_server(site: Site) -> None:
    site.board.publish(snapshot(teams=3, tournaments=2))
    page = Texts(site.get("/").text)
    text = " ".join(page.texts)
    assert "Spring Cup" in text
    assert "Tournament 3 of 7" in text
    assert "41 turns left" in text
    assert "6 matches running" in text
    assert "tick lag 0.8 ms" in text
    assert page.tags.count("tr") == 4
    assert "style" not in page.attributes


def test_before_the_first_snapshot(site: Site) -> None:
    assert "waiting for the event" in site.get("/").text
    assert site.get("/status.json").json() is None
    assert site.get("/healthz").status_code == 503


def test_status_is_the_whole_snapshot_and_never_stored(site: Site) -> None:
    sent = snapshot(tournaments=NEWEST + 5)
    site.board.publish(sent)
    answer = site.get("/status.json")
    assert answer.headers["cache-control"] == "no-store"
    assert msgspec.json.decode(answer.content, type=Snapshot) == sent


def test_health(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.board.publish(snapshot())
    assert site.get("/healthz").text == "ok\n"
    monkeypatch.setattr(site.board, "_published", time.monotonic() - 100)
    silent = site.get("/healthz")
    assert (silent.status_code, silent.text) == (503, "no news from the event for 100 s\n")
    site.board.publish(snapshot(phase="over"))
    monkeypatch.setattr(site.board, "_published", time.monotonic() - 100)
    assert site.get("/healthz").status_code == 200


def test_matches_can_be_fetched(site: Site) -> None:
    transcript, page = site.get("/matches/2.json"), site.get("/matches/2.html")
    assert transcript.json() == {"match": 2}
    assert transcript.headers["content-disposition"] == 'attachment; filename="match-2.json"'
    assert "<title>Match 2</title>" in page.text
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none';")


UNKNOWN = [
    "/matches/4.json",
    "/matches/4.html",
    "/matches/x.json",
    "/matches/1.txt",
    "/matches/1",
    "/matches/-1.json",
    "/matches/٣.json",
    "/matches/" + "9" * 40 + ".json",
    "/matches/..%2f1.json",
    "/tournaments/2",
    "/tournaments/x",
    "/static/replay.js",
    "/static/..%2freplay.js",
    "/templates/live/standings.html",
    "/nothing",
    "/<script>",
]


@pytest.mark.parametrize("path", UNKNOWN)
def test_unknown_addresses(site: Site, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "<" not in answer.text


def test_a_tournament_lists_its_matches(site: Site) -> None:
    site.board.publish(snapshot(tournaments=2))
    answer = site.get("/tournaments/1")
    page = Texts(answer.text)
    assert page.tags.count("tr") == 4
    assert "img" not in page.tags
    assert {"61", "0", "12.5", "4", "70", "<b>health</b>", *HOSTILE[:3]} <= set(page.texts)
    assert 'href="../matches/3.html"' in answer.text
    assert 'href="2"' in answer.text
    of_one = Texts(site.get("/tournaments/1", params={"team": HOSTILE[2]}).text)
    assert of_one.tags.count("tr") == 2
    assert "No match of this tournament is stored yet." in site.get("/tournaments/2").text


# Strangers


def test_every_answer_carries_the_policy(site: Site) -> None:
    site.board.publish(snapshot())
    for path in ("/", "/status.json", "/static/live.js", "/static/live.css", "/healthz", "/tournaments/1", "/nothing"):
        headers = site.get(path).headers
        assert headers["content-security-policy"] == live.POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
    assert site.get("/static/live.js").headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_reading_is_allowed(site: Site, method: str) -> None:
    for path in ("/", "/status.json", "/events", "/matches/1.json"):
        assert site.client.request(method, path).status_code == 405


def test_head(site: Site) -> None:
    site.board.publish(snapshot())
    for path in ("/", "/status.json", "/events", "/matches/1.json", "/tournaments/1", "/static/live.js"):
        answer = site.client.head(path)
        assert (answer.status_code, answer.content) == (200, b"")
    assert site.page.viewers == 0


def test_the_host_header_is_not_repeated(site: Site) -> None:
    site.board.publish(snapshot())
    for path in ("/", "/tournaments/1/", "/nothing"):
        answer = site.get(path, headers={"Host": "evil.example"})
        assert "evil.example" not in answer.text + str(answer.headers)


def test_hostile_names_stay_text(site: Site) -> None:
    teams = standings([(name, i, (float(i),)) for i, name in enumerate(HOSTILE)])
    site.board.publish(msgspec.structs.replace(snapshot(event=HOSTILE[1]), teams=teams))
    page = Texts(site.get("/").text)
    assert page.tags.count("tr") == 1 + len(HOSTILE)
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert not {name for name in page.attributes if name.startswith("on")}
    assert set(HOSTILE[:6]) <= set(page.texts)
    assert r"\x1b[2J\u202eturned\x00" in page.texts
    with site.client.stream("GET", "/events") as stream:
        sent = news(stream.iter_lines())
    assert {line["name"] for line in sent["status"]["lines"]} == {name for name, _ in sent["results"]["cells"]}


# News


def test_news_comes_at_once_and_with_each_snapshot(site: Site) -> None:
    site.board.publish(snapshot(turns_left=41))
    with site.client.stream("GET", "/events") as stream:
        assert stream.headers["content-type"] == "text/event-stream"
        lines = stream.iter_lines()
        first = news(lines)
        assert first["status"]["turns"] == "41 turns left"
        assert [column["number"] for column in first["results"]["columns"]] == [1]
        site.board.publish(snapshot(turns_left=40))
        second = news(lines)
        assert second["status"]["turns"] == "40 turns left"
        assert "results" not in second  # nothing new in them
        site.board.publish(snapshot(tournaments=2))
        assert [column["number"] for column in news(lines)["results"]["columns"]] == [2, 1]


def test_a_viewer_may_come_before_the_event(site: Site) -> None:
    with site.client.stream("GET", "/events") as stream:
        site.board.publish(snapshot())
        assert news(stream.iter_lines())["status"]["event"] == "Spring Cup"


def test_a_silent_stream_says_that_it_is_there(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.05)
    with site.client.stream("GET", "/events") as stream:
        assert next(stream.iter_lines()) == ": still here"


def test_a_viewer_who_leaves_makes_room() -> None:
    site = Site(viewers=1)
    try:
        with site.client.stream("GET", "/events"):
            site.until(viewers=1)
            refused = site.get("/events")
            assert refused.status_code == 503
            assert int(refused.headers["retry-after"]) > 0
            assert site.get("/").status_code == 200
        site.until(viewers=0)
        site.board.publish(snapshot())
        with site.client.stream("GET", "/events") as stream:
            assert news(stream.iter_lines())["status"]["phase"] == "playing"
    finally:
        site.close()


def raw_viewer(server: LiveServer) -> socket.socket:
    """A viewer who asks for the stream and then reads nothing."""
    viewer = socket.socket()
    viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    viewer.connect(("127.0.0.1", server.port))
    viewer.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
    return viewer


def test_a_slow_viewer_skips_snapshots_and_delays_nobody(site: Site) -> None:
    with raw_viewer(site.server) as slow, site.client.stream("GET", "/events") as stream:
        site.until(viewers=2)
        lines = stream.iter_lines()
        count = 400
        for left in range(count, 0, -1):
            site.board.publish(snapshot(teams=40, turns_left=left))
            assert news(lines)["status"]["turns"].startswith(f"{left} turn")
        # The slow one now reads what was kept for it: far less than was published, and the newest at the end.
        slow.settimeout(PATIENCE)
        received = bytearray()
        while b'"turns":"1 turn left"' not in received:
            received += slow.recv(1 << 16)
        assert received.count(b"data: ") < count / 2


def test_publishing_wakes_the_pages_at_most_once(site: Site) -> None:
    """While the web thread is busy, any number of snapshots make one wake-up, and the newest is the one seen."""
    busy, go_on = threading.Event(), threading.Event()
    loop = site.board._loop
    assert loop is not None
    wakes: list[None] = []
    wake = site.board._wake

    def counted() -> None:
        wakes.append(None)
        wake()

    def hold() -> None:
        busy.set()
        go_on.wait(PATIENCE)

    site.board._wake = counted  # type: ignore[method-assign]
    loop.call_soon_threadsafe(hold)
    assert busy.wait(PATIENCE)
    for left in range(60, 0, -1):
        site.board.publish(snapshot(turns_left=left))
    go_on.set()
    assert site.get("/status.json").json()["turns_left"] == 1
    assert len(wakes) == 1


def test_a_snapshot_is_encoded_once_for_all(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Snapshot] = []

    def counted(snapshot: Snapshot) -> Status:
        drawn.append(snapshot)
        return status_of(snapshot)

    monkeypatch.setattr("cardrome.web.live.board.status_of", counted)
    site.board.publish(snapshot())
    assert not drawn
    with site.client.stream("GET", "/events") as a, site.client.stream("GET", "/events") as b:
        for stream in (a, b):
            news(stream.iter_lines())
        site.get("/")
        site.get("/")
    assert len(drawn) == 1


# Starting and stopping


def test_stopping_ends_streams_in_time(caplog: pytest.LogCaptureFixture) -> None:
    site = Site()
    site.board.publish(snapshot(teams=40, tournaments=12))
    stuck = raw_viewer(site.server)
    silent = socket.create_connection(("127.0.0.1", site.server.port))
    with site.client.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        news(lines)
        for left in range(2000):
            site.board.publish(snapshot(teams=40, turns_left=left))
            if left % 10 == 0:
                news(lines)
        asked = threading.Thread(target=lambda: httpx.get(site.server.url + "matches/99.json", timeout=PATIENCE))
        asked.start()
        time.sleep(0.2)
        began = time.monotonic()
        site.server.stop()
        took = time.monotonic() - began
        for _ in lines:  # the stream ends properly
            pass
    asked.join()
    site.board.publish(snapshot())
    site.close()
    stuck.close()
    silent.close()
    assert took < 4  # 2 on a machine that has nothing else to do
    assert not caplog.records


def test_a_port_that_is_taken(site: Site) -> None:
    with pytest.raises(CallerError, match=f"127.0.0.1:{site.server.port}: .*in use"):
        serve_in_thread(create_app(SnapshotBoard(), Store()), "127.0.0.1", site.server.port)


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 0), ("127.0.0.1", 70000), ("203.0.113.7", 0)])
def test_an_address_that_cannot_be_served(host: str, port: int) -> None:
    with pytest.raises(CallerError, match=f"{host}:{port}"):
        serve_in_thread(create_app(SnapshotBoard(), Store()), host, port)


def test_connections_that_ask_nothing_are_dropped(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_server, "IDLE", 0.1)
    site.board.publish(snapshot())
    with (
        site.client.stream("GET", "/events") as stream,
        socket.create_connection(("127.0.0.1", site.server.port), timeout=PATIENCE) as silent,
    ):
        silent.sendall(b"GET / HTTP/1.1\r\nHost:")
        with contextlib.suppress(ConnectionResetError):
            assert silent.recv(100) == b""
        lines = stream.iter_lines()
        news(lines)
        site.board.publish(snapshot(turns_left=3))
        assert news(lines)["status"]["turns"] == "3 turns left"


# Words


def test_points_are_short() -> None:
    assert [points(value) for value in (12.0, 12.5, 1 / 3, 1234.0, -0.001, 100.0)] == [
        "12",
        "12.5",
        "0.33",
        "1,234",
        "0",
        "100",
    ]


def test_only_the_newest_tournaments_are_shown() -> None:
    results = results_of(snapshot(tournaments=NEWEST + 7))
    assert [column.number for column in results.columns] == list(range(NEWEST + 7, 7, -1))
    assert all(len(cells) == NEWEST for _, cells in results.cells)
    assert results.note == "The newest 50 of 57 tournaments are shown; the totals count all."
    assert results_of(snapshot(tournaments=NEWEST)).note == ""


def test_a_tournament_played_again_is_marked() -> None:
    results = results_of(snapshot(tournaments=4))
    assert [(column.number, column.again) for column in results.columns] == [
        (4, False),
        (3, True),
        (2, False),
        (1, False),
    ]
    again = snapshot(tournaments=1)
    playing = msgspec.structs.replace(again.tournaments[-1], attempts=2)
    again = msgspec.structs.replace(again, tournaments=(again.tournaments[0], playing))
    assert status_of(again).headline == "Tournament 2 of 6, played again after a restart"


def test_there_is_no_bar_without_a_length() -> None:
    assert (status_of(snapshot()).done, status_of(snapshot()).of) == (19, 60)
    assert status_of(snapshot(turns=None)).of == 0
    assert status_of(snapshot(turns_left=None, phase="pause")).of == 0
