"""Starting and stopping the live page, and connections that only take up room."""

from __future__ import annotations

import contextlib
import threading

import httpx
import pytest

from cardrome.errors import CallerError
from cardrome.web import server
from cardrome.web.live.app import LivePage
from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.server import serve_in_thread
from tests.web.live.live_event import Store, snapshot
from tests.web.live.live_site import LiveSite, news

# That these tests come to an end is what they prove. Nothing in them depends on how long anything takes.


def test_stopping_ends_streams_and_requests_properly(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "FLUSH", 3600.0)  # nobody is cut off
    monkeypatch.setattr(server, "GRACE", None)
    site = LiveSite()
    site.board.publish(snapshot())
    answers: list[httpx.Response] = []
    reader = threading.Thread(target=lambda: answers.append(site.get("/live/matches/99.json")))
    with site.client.stream("GET", "/live/events") as stream, site.connect():
        lines = stream.iter_lines()
        news(lines)
        reader.start()
        site.store.asked.wait()
        site.server.stop()
        for line in lines:  # the stream ends properly
            assert not line.startswith("data: ")
    reader.join()
    assert answers[0].status_code == 503
    site.board.publish(snapshot())  # the event goes on without its page
    site.close()
    assert not caplog.records


def test_stopping_cuts_off_viewers_who_do_not_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "FLUSH", 0.1)
    monkeypatch.setattr(server, "GRACE", None)
    site = LiveSite()
    with site.slow_viewer(), site.client.stream("GET", "/live/events") as stream:
        site.until(viewers=2)
        lines = stream.iter_lines()
        connections = site.server._server.server_state.connections
        left = 0
        while not any(connection.flow.write_paused for connection in connections):  # type: ignore[union-attr]
            left += 1
            site.board.publish(snapshot(teams=40, turns_left=left))
            news(lines)
        site.server.stop()
    site.close()
    assert not caplog.records


def test_a_port_that_is_taken(site: LiveSite) -> None:
    with pytest.raises(CallerError, match=f"127.0.0.1:{site.server.port}: .*in use"):
        serve_in_thread(LivePage(SnapshotBoard(), Store()), "127.0.0.1", site.server.port)


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 0), ("127.0.0.1", 70000), ("203.0.113.7", 0)])
def test_an_address_that_cannot_be_served(host: str, port: int) -> None:
    with pytest.raises(CallerError, match=f"{host}:{port}"):
        serve_in_thread(LivePage(SnapshotBoard(), Store()), host, port)


def test_connections_that_ask_for_nothing_are_dropped(site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE", 0.1)
    site.board.publish(snapshot())
    with site.client.stream("GET", "/live/events") as stream, site.connect() as silent:
        silent.sendall(b"GET / HTTP/1.1\r\nHost:")
        with contextlib.suppress(ConnectionResetError):
            assert silent.recv(100) == b""
        lines = stream.iter_lines()
        news(lines)
        site.board.publish(snapshot(turns_left=3))
        assert news(lines)["board"]["turns_left"] == 3
