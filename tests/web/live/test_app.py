"""What the live page serves, and what strangers can make of it."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import msgspec
import pytest

from cardrome.server.snapshot import Snapshot
from cardrome.web.security import POLICY
from tests.web.live.live_event import HOSTILE, snapshot, standings
from tests.web.live.live_site import LiveSite, news
from tests.web.parsed import ParsedPage


def embedded(site: LiveSite) -> Any:
    """What the page of the scoreboard carries for its script."""
    found = re.search(r'<script type="application/json">(.*?)</script>', site.get("/live").text)
    assert found is not None
    return json.loads(found[1])


def test_the_scoreboard_carries_its_data(site: LiveSite) -> None:
    site.board.join = ["192.0.2.7:20000"]
    site.board.publish(snapshot(teams=3, tournaments=2))
    board = embedded(site)["board"]
    assert (board["event"], board["tournament"], board["planned"]) == ("Spring Cup", 3, 7)
    assert (board["turns"], board["turns_left"], board["running"]) == (60, 41, 6)
    assert board["join"] == ["192.0.2.7:20000"]
    page = ParsedPage(site.get("/live").text)
    assert page.tags.count("tr") == 4  # for readers without a script
    assert "style" not in page.attributes
    assert site.get("/").headers["location"] == "/live"


def test_the_page_speaks_french(site: LiveSite) -> None:
    site.board.publish(snapshot(tournaments=1))
    french = site.get("/live/tournaments/1", headers={"Accept-Language": "fr"}).text
    assert '<html lang="fr"' in french
    assert "<h1>Tournoi 1</h1>" in french


def test_before_the_first_snapshot(site: LiveSite) -> None:
    assert embedded(site) is None
    assert site.get("/live/status.json").json() is None
    assert site.get("/live/healthz").status_code == 503
    assert site.get("/live/matches").status_code == 200


def test_status_is_the_whole_snapshot_and_never_stored(site: LiveSite) -> None:
    sent = snapshot(tournaments=24)
    site.board.publish(sent)
    answer = site.get("/live/status.json")
    assert answer.headers["cache-control"] == "no-store"
    assert msgspec.json.decode(answer.content, type=Snapshot) == sent


def test_health(site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr("cardrome.web.live.board.time.monotonic", lambda: now)
    site.board.publish(snapshot())
    assert site.get("/live/healthz").text == "ok\n"
    monkeypatch.setattr(site.board, "_published", now - 100)
    silent = site.get("/live/healthz")
    assert (silent.status_code, silent.text) == (503, "no news from the event for 100 s\n")
    site.board.publish(snapshot(phase="over"))
    monkeypatch.setattr(site.board, "_published", now - 100)
    assert site.get("/live/healthz").status_code == 200


def test_matches_can_be_fetched(site: LiveSite) -> None:
    transcript, page = site.get("/live/matches/2.json"), site.get("/live/matches/2.html")
    assert transcript.json() == {"match": 2}
    assert transcript.headers["content-disposition"] == 'attachment; filename="match-2.json"'
    assert "<title>Match 2</title>" in page.text
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none';")


def test_a_tournament_lists_its_matches(site: LiveSite) -> None:
    site.board.publish(snapshot(tournaments=2))
    answer = site.get("/live/tournaments/1")
    page = ParsedPage(answer.text)
    assert page.tags.count("tr") == 4
    assert "img" not in page.tags
    assert {"61", "0", "12.5", "4", "70", "no health left", *HOSTILE[:3]} <= set(page.texts)
    assert 'href="/live/matches/3.html"' in answer.text
    assert 'href="/live/tournaments/2"' in answer.text
    of_one = ParsedPage(site.get("/live/tournaments/1", params={"team": HOSTILE[2]}).text)
    assert of_one.tags.count("tr") == 2
    assert "No match of this tournament is stored yet." in site.get("/live/tournaments/2").text


def test_a_hostile_team_in_an_address_is_text_at_most(site: LiveSite) -> None:
    site.board.publish(snapshot(tournaments=3))
    for number in (1, 2):  # with matches, and without
        for team in (
            '"><script>alert(1)</script>',
            "'-alert(1)-'",
            '</select><img src=x onerror="alert(1)">',
            "\x00\u202e",
        ):
            answer = site.get(f"/live/tournaments/{number}", params={"team": team})
            page = ParsedPage(answer.text)
            assert answer.status_code == 200
            assert page.tags.count("script") == 1
            assert "img" not in page.tags
            assert not {"onerror", "style"} & page.attributes
            assert all(link.startswith(("/live", "/", "#main")) for link in page.values("href", "a"))


def test_the_other_tournaments_of_a_team(site: LiveSite) -> None:
    site.board.publish(snapshot(tournaments=2))
    team = 'a&b=c#"/<d>'
    page = ParsedPage(site.get("/live/tournaments/2", params={"team": team}).text)
    before, after = (link for link in page.values("href", "a") if "?team=" in link)
    assert before.startswith("/live/tournaments/1?team=")
    assert after.startswith("/live/tournaments/3?team=")
    asked = site.client.build_request("GET", before).url
    assert dict(asked.params) == {"team": team}


# Strangers

UNKNOWN = [
    "/live/matches/4.json",
    "/live/matches/4.html",
    "/live/matches/x.json",
    "/live/matches/1.txt",
    "/live/matches/-1.json",
    "/live/matches/٣.json",
    "/live/matches/" + "9" * 40 + ".json",
    "/live/matches/..%2f1.json",
    "/live/tournaments/2",
    "/live/tournaments/x",
    "/live/matches/4/events",
    "/live/templates",
    "/live/team",  # there is nobody to ask for passwords
    "/live/operator",
    "/play",
    "/nothing",
    "/<script>",
]


@pytest.mark.parametrize("path", UNKNOWN)
def test_unknown_addresses(site: LiveSite, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"
    assert "<" not in answer.text


def test_every_answer_carries_the_policy(site: LiveSite) -> None:
    site.board.publish(snapshot())
    for path in ("/live", "/live/status.json", "/live/healthz", "/live/matches", "/live/tournaments/1", "/nothing"):
        headers = site.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_reading_is_allowed(site: LiveSite, method: str) -> None:
    for path in ("/live", "/live/status.json", "/live/events", "/live/matches/1.json"):
        assert site.client.request(method, path).status_code == 405


def test_head(site: LiveSite) -> None:
    site.board.publish(snapshot())
    for path in ("/live", "/live/status.json", "/live/events", "/live/matches/1.json", "/live/tournaments/1"):
        answer = site.client.head(path)
        assert (answer.status_code, answer.content) == (200, b"")
    assert site.page.streams.viewers == 0


def test_the_host_header_is_not_repeated(site: LiveSite) -> None:
    site.board.publish(snapshot())
    for path in ("/", "/live", "/live/tournaments/1/", "/nothing"):
        answer = site.get(path, headers={"Host": "evil.example"})
        assert "evil.example" not in answer.text + str(answer.headers)


def test_hostile_names_stay_text(site: LiveSite) -> None:
    teams = standings([(name, i, (float(i),)) for i, name in enumerate(HOSTILE)])
    site.board.publish(msgspec.structs.replace(snapshot(event=HOSTILE[1]), teams=teams))
    text = site.get("/live").text
    page = ParsedPage(text)
    assert page.tags.count("tr") == 1 + len(HOSTILE)
    assert page.tags.count("script") == 3  # two modules, and the data
    assert "img" not in page.tags
    assert not {name for name in page.attributes if name.startswith("on")}
    assert set(HOSTILE[:6]) <= set(page.texts)
    names = {row["name"] for row in embedded(site)["board"]["rows"]}
    assert names >= {*HOSTILE[:6], r"\x1b[2J\u202eturned\x00"}
    with site.client.stream("GET", "/live/events") as stream:
        assert {row["name"] for row in news(stream.iter_lines())["board"]["rows"]} == names
