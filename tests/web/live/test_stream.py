"""The stream of news: what viewers are sent and when, and that slow ones delay nobody."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from cardrome.server.snapshot import Snapshot
from cardrome.web.live import stream as streams
from cardrome.web.live.view import Scoreboard, scoreboard
from tests.web.live.live_event import snapshot
from tests.web.live.live_site import LiveSite, news


def test_news_comes_at_once_and_with_each_snapshot(site: LiveSite) -> None:
    site.board.publish(snapshot(turns_left=41))
    with site.client.stream("GET", "/live/events") as stream:
        assert stream.headers["content-type"] == "text/event-stream"
        lines = stream.iter_lines()
        assert news(lines)["board"]["turns_left"] == 41
        site.board.publish(snapshot(turns_left=40))
        assert news(lines)["board"]["turns_left"] == 40
        site.board.publish(snapshot(tournaments=2))
        assert news(lines)["board"]["columns"] == [1, 2]


def test_a_viewer_may_come_before_the_event(site: LiveSite) -> None:
    with site.client.stream("GET", "/live/events") as stream:
        site.board.publish(snapshot())
        assert news(stream.iter_lines())["board"]["event"] == "Spring Cup"


def test_a_silent_stream_says_that_it_is_there(site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.05)
    with site.client.stream("GET", "/live/events") as stream:
        assert next(stream.iter_lines()) == ": still here"


def test_a_viewer_who_leaves_makes_room() -> None:
    site = LiveSite(viewers=1)
    try:
        with site.client.stream("GET", "/live/events"):
            site.until(viewers=1)
            refused = site.get("/live/events")
            assert refused.status_code == 503
            assert int(refused.headers["retry-after"]) > 0
            assert site.get("/live").status_code == 200
        site.until(viewers=0)
        site.board.publish(snapshot())
        with site.client.stream("GET", "/live/events") as stream:
            assert news(stream.iter_lines())["board"]["phase"] == "playing"
    finally:
        site.close()


def test_a_slow_viewer_skips_snapshots_and_delays_nobody(site: LiveSite) -> None:
    with site.slow_viewer() as slow, site.client.stream("GET", "/live/events") as stream:
        site.until(viewers=2)
        lines = stream.iter_lines()
        count = 400
        for left in range(count, 0, -1):
            site.board.publish(snapshot(teams=40, turns_left=left))
            assert news(lines)["board"]["turns_left"] == left
        # The slow one now reads what was kept for it: far less than was published, and the newest at the end.
        received = bytearray()
        while b'"turns_left":1,' not in received:
            received += slow.recv(1 << 16)
        assert received.count(b"data: ") < count / 2


# Snapshots


def test_publishing_wakes_the_page_at_most_once(site: LiveSite) -> None:
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
        go_on.wait()

    site.board._wake = counted  # type: ignore[method-assign]
    loop.call_soon_threadsafe(hold)
    busy.wait()
    for left in range(60, 0, -1):
        site.board.publish(snapshot(turns_left=left))
    go_on.set()
    assert site.get("/live/status.json").json()["turns_left"] == 1
    assert len(wakes) == 1


def test_a_snapshot_is_encoded_once_for_all(site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Snapshot] = []

    def counted(snapshot: Snapshot, *rest: Any) -> Scoreboard:
        seen.append(snapshot)
        return scoreboard(snapshot, *rest)

    monkeypatch.setattr("cardrome.web.live.board.scoreboard", counted)
    site.board.publish(snapshot())
    assert not seen
    with site.client.stream("GET", "/live/events") as a, site.client.stream("GET", "/live/events") as b:
        for stream in (a, b):
            news(stream.iter_lines())
        site.get("/live")
        site.get("/live")
    assert len(seen) == 1
