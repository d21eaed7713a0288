"""What the live page serves, and what strangers can make of it."""

from __future__ import annotations

import time

import msgspec
import pytest

from cardrome.server.snapshot import Snapshot
from cardrome.web.live.view import NEWEST
from cardrome.web.security import POLICY
from tests.web.live.live_event import HOSTILE, snapshot, standings
from tests.web.live.live_site import LiveSite, news
from tests.web.parsed import ParsedPage


def test_standings_are_rendered_by_the_server(site: LiveSite) -> None:
    site.board.publish(snapshot(teams=3, tournaments=2))
    page = ParsedPage(site.get("/").text)
    text = " ".join(page.texts)
    assert "Spring Cup" in text
    assert "Tournament 3 of 7" in text
    assert "41 turns left" in text
    assert "6 matches running" in text
    assert "tick lag 0.8 ms" in text
    assert page.tags.count("tr") == 4
    assert "style" not in page.attributes


def test_before_the_first_snapshot(site: LiveSite) -> None:
    assert "waiting for the event" in site.get("/").text
    assert site.get("/status.json").json() is None
    assert site.get("/healthz").status_code == 503


def test_status_is_the_whole_snapshot_and_never_stored(site: LiveSite) -> None:
    sent = snapshot(tournaments=NEWEST + 5)
    site.board.publish(sent)
    answer = site.get("/status.json")
    assert answer.headers["cache-control"] == "no-store"
    assert msgspec.json.decode(answer.content, type=Snapshot) == sent


def test_health(site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr("cardrome.web.live.board.time.monotonic", lambda: now)
    site.board.publish(snapshot())
    assert site.get("/healthz").text == "ok\n"
    monkeypatch.setattr(site.board, "_published", now - 100)
    silent = site.get("/healthz")
    assert (silent.status_code, silent.text) == (503, "no news from the event for 100 s\n")
    site.board.publish(snapshot(phase="over"))
    monkeypatch.setattr(site.board, "_published", now - 100)
    assert site.get("/healthz").status_code == 200


def test_matches_can_be_fetched(site: LiveSite) -> None:
    transcript, page = site.get("/matches/2.json"), site.get("/matches/2.html")
    assert transcript.json() == {"match": 2}
    assert transcript.headers["content-disposition"] == 'attachment; filename="match-2.json"'
    assert "<title>Match 2</title>" in page.text
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none';")


def test_a_tournament_lists_its_matches(site: LiveSite) -> None:
    site.board.publish(snapshot(tournaments=2))
    answer = site.get("/tournaments/1")
    page = ParsedPage(answer.text)
    assert page.tags.count("tr") == 4
    assert "img" not in page.tags
    assert {"61", "0", "12.5", "4", "70", "<b>health</b>", *HOSTILE[:3]} <= set(page.texts)
    assert 'href="../matches/3.html"' in answer.text
    assert 'href="2"' in answer.text
    of_one = ParsedPage(site.get("/tournaments/1", params={"team": HOSTILE[2]}).text)
    assert of_one.tags.count("tr") == 2
    assert "No match of this tournament is stored yet." in site.get("/tournaments/2").text


def test_a_hostile_team_in_an_address_is_text_at_most(site: LiveSite) -> None:
    site.board.publish(snapshot(tournaments=3))
    for number in (1, 2):  # with matches, and without
        for team in (
            '"><script>alert(1)</script>',
            "'-alert(1)-'",
            '</select><img src=x onerror="alert(1)">',
            "\x00\u202e",
        ):
            answer = site.get(f"/tournaments/{number}", params={"team": team})
            page = ParsedPage(answer.text)
            assert answer.status_code == 200
            assert not {"script", "img"} & set(page.tags)
            assert not {"onerror", "src", "style"} & page.attributes
            for link in page.values("href", "a"):
                assert link == "../" or link.partition("?")[0].isdecimal()


def test_the_other_tournaments_of_a_team(site: LiveSite) -> None:
    site.board.publish(snapshot(tournaments=2))
    team = 'a&b=c#"/<d>'
    page = ParsedPage(site.get("/tournaments/2", params={"team": team}).text)
    before, after = (link for link in page.values("href", "a") if link != "../")
    assert before.startswith("1?team=")
    assert after.startswith("3?team=")
    asked = site.client.build_request("GET", f"/tournaments/{before}").url
    assert dict(asked.params) == {"team": team}


# Strangers

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
def test_unknown_addresses(site: LiveSite, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "<" not in answer.text


def test_every_answer_carries_the_policy(site: LiveSite) -> None:
    site.board.publish(snapshot())
    for path in ("/", "/status.json", "/static/live.js", "/static/live.css", "/healthz", "/tournaments/1", "/nothing"):
        headers = site.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
    assert site.get("/static/live.js").headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_reading_is_allowed(site: LiveSite, method: str) -> None:
    for path in ("/", "/status.json", "/events", "/matches/1.json"):
        assert site.client.request(method, path).status_code == 405


def test_head(site: LiveSite) -> None:
    site.board.publish(snapshot())
    for path in ("/", "/status.json", "/events", "/matches/1.json", "/tournaments/1", "/static/live.js"):
        answer = site.client.head(path)
        assert (answer.status_code, answer.content) == (200, b"")
    assert site.page.viewers == 0


def test_the_host_header_is_not_repeated(site: LiveSite) -> None:
    site.board.publish(snapshot())
    for path in ("/", "/tournaments/1/", "/nothing"):
        answer = site.get(path, headers={"Host": "evil.example"})
        assert "evil.example" not in answer.text + str(answer.headers)


def test_hostile_names_stay_text(site: LiveSite) -> None:
    teams = standings([(name, i, (float(i),)) for i, name in enumerate(HOSTILE)])
    site.board.publish(msgspec.structs.replace(snapshot(event=HOSTILE[1]), teams=teams))
    page = ParsedPage(site.get("/").text)
    assert page.tags.count("tr") == 1 + len(HOSTILE)
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert not {name for name in page.attributes if name.startswith("on")}
    assert set(HOSTILE[:6]) <= set(page.texts)
    assert r"\x1b[2J\u202eturned\x00" in page.texts
    with site.client.stream("GET", "/events") as stream:
        sent = news(stream.iter_lines())
    assert {line["name"] for line in sent["status"]["lines"]} == {name for name, _ in sent["results"]["cells"]}
