"""The pages of a real event, asked over HTTP while it is played: spectators, teams, the operator."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardrome.games.tapdeck.rules.cards import cards_of
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.server import passwords
from cardrome.web.live.app import LivePage
from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.matches import StoredMatches
from cardrome.web.live.server import serve_in_thread
from tests.server.in_process import ServerThread, server_thread
from tests.server.processes import ServerProcess, add_teams, password, serving, store_of, until, write_event
from tests.web.live.live_site import news
from tests.web.parsed import ParsedPage

TEAMS = ["ann", "<b>bob</b>"]
OPERATOR = "open-sesame-7"
DELAY = 2


class EventSite:
    """An event with its page. Its clock ticks when both teams wait."""

    def __init__(self, server: ServerThread, url: str, board: SnapshotBoard) -> None:
        self.server = server
        self.board = board
        self.url = url
        self.ann, self.bob = (server.client(team) for team in TEAMS)

    def visitor(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=None, headers={"Accept-Language": "en"})

    def next_turn(self) -> None:
        """Both teams wait, and the next turn begins, on the page too."""
        for team in (self.ann, self.bob):
            team.send("WAIT\n")
        for team in (self.ann, self.bob):
            assert team.lines(2) == ["OK", "OK"]
        ticks = self.server.host.event.ticks
        until(lambda: self.board.latest is not None and self.board.latest.tick >= ticks)

    def match_of(self, first: str = "ann") -> int:
        """The match in which a team begins."""
        team = self.ann if first == "ann" else self.bob
        return next(number for number in team.matches() if team.ask(f"GET_TURN_INFO {number}", 2)[1].startswith("1"))


@contextmanager
def event_site(folder: Path, deck: str | None = None, turns: int = 8, **event: Any) -> Iterator[EventSite]:
    sections = {"server": {"watch_delay": DELAY}, "rules": {"turns": turns}, "event": {"tournaments": 2, **event}}
    with server_thread(folder, TEAMS, 2, deck=deck, **sections) as server:
        server.host.store.control.change_password(OPERATOR)
        board = SnapshotBoard()
        server.host.publish = board.publish
        page = LivePage(board, StoredMatches(server.host.store), server.host.desk)
        with serve_in_thread(page, "127.0.0.1", 0) as served:
            site = EventSite(server, served.url, board)
            try:
                yield site
            finally:
                for team in (site.ann, site.bob):
                    team.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[EventSite]:
    with event_site(tmp_path) as site:
        site.next_turn()
        yield site


# Spectators


def test_a_match_is_watched_some_turns_late(site: EventSite) -> None:
    match = site.match_of()
    with site.visitor() as visitor, visitor.stream("GET", f"/live/matches/{match}/events") as stream:
        lines = stream.iter_lines()
        head = news(lines)
        assert (head["players"], head["turn"], head["cards"]) == (TEAMS, 0, [])
        drawn = site.ann.ask(f"DRAW_CARD {match}", 2)[1].split()
        for turn in range(1, DELAY + 2):
            site.next_turn()
            until(lambda turn=turn: site.board.latest.tick > turn)  # type: ignore[union-attr, misc]
        first = news(lines)
        assert first["turn"] == 1
        assert [card["number"] for card in first["cards"]] == [int(drawn[0])]
        assert [frame["deed"]["kind"] for frame in first["frames"]] == ["draw", "time"][: len(first["frames"])]
        assert visitor.get(f"/live/matches/{match}").status_code == 200
        boards = json.loads(re.findall(r'json">(.*?)</script>', visitor.get("/live/matches").text)[0])
        assert {board["id"] for board in boards} == set(site.ann.matches())
        assert visitor.get(f"/live/matches/{match}.json").status_code == 404


def test_what_spectators_get_does_not_depend_on_the_deck_to_come(tmp_path: Path) -> None:
    """Two events that differ in their decks behind the fourth card, and everything that anybody can ask for."""
    cards = cards_of(deck_from_seed(20, 5))
    sent = []
    for number, deck in enumerate([cards, [*cards[:4], *reversed(cards[4:])]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        with event_site(folder, "".join(f"{card}\n" for card in deck)) as site, site.visitor() as visitor:
            site.next_turn()
            match = site.match_of()
            for turn in range(4):
                mover = site.ann if turn % 2 == 0 else site.bob
                mover.ask(f"DRAW_CARD {match}", 2)
                site.next_turn()
            with visitor.stream("GET", f"/live/matches/{match}/events") as stream:
                got: list[Any] = [news(stream.iter_lines())]
            got += [visitor.get(path).text for path in ("/live", "/live/matches", "/live/tournaments/1")]
            text = json.dumps(got)
            for changing in (r"[0-9a-f]{64}", r'\\?"(lag_ms|late_ticks|at)\\?":[-0-9.e]+', r"\d+\.\d+\.\d+\.\d+:\d+"):
                text = re.sub(changing, "", text)
            sent.append(text)
    assert sent[0] == sent[1]


# Teams


def test_a_team_sees_its_own_matches(site: EventSite) -> None:
    match = site.match_of()
    site.ann.ask(f"ATTACK {match} 999")
    with site.visitor() as stranger, site.visitor() as visitor:
        for form in ({"name": "ann", "password": "wrong"}, {"name": "nobody", "password": password("ann")}, {}):
            refused = stranger.post("/live/team", data=form)
            assert refused.status_code == 401
            assert "cardrome-session" not in refused.headers.get("set-cookie", "")
        elsewhere = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        right = {"name": "ann", "password": password("ann")}
        assert stranger.post("/live/team", data=right, headers=elsewhere).status_code == 403
        entered = visitor.post("/live/team", data=right)
        assert (entered.status_code, entered.headers["location"]) == (303, "/live/team")
        assert "HttpOnly" in entered.headers["set-cookie"]
        page = visitor.get("/live/team").text
        assert f'href="/live/matches/{match}"' in page
        assert "&lt;b&gt;bob&lt;/b&gt;" in page
        for _ in range(9):
            site.next_turn()
        until(lambda: site.server.host.event.played)
        page = visitor.get("/live/team").text
        assert {"Tournament 1", "1 error", "900"} <= set(ParsedPage(page).texts)
        assert f'href="/live/matches/{match}.json"' in page
        assert visitor.get(f"/live/matches/{match}.json").json()["event"]["match_id"] == match
        assert "Tournament 1" not in stranger.get("/live/team").text
        site.server.host.store.accounts.change_password("ann", "another")
        assert "Tournament 1" not in visitor.get("/live/team").text  # and is a stranger again
        assert stranger.post("/live/operator", data={"password": password("ann")}).status_code == 401


def test_guessing_passwords_is_counted_with_the_guesses_of_programs(
    site: EventSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "LOCKED_SECONDS", 3600)
    site.server.host.lobby.failures._allowed = 2
    with site.visitor() as visitor:
        tries = [visitor.post("/live/team", data={"name": "ann", "password": "x"}).status_code for _ in range(3)]
        assert tries == [401, 401, 429]
        assert visitor.post("/live/team", data={"name": TEAMS[1], "password": password(TEAMS[1])}).status_code == 303
        operator = [visitor.post("/live/operator", data={"password": "x"}).status_code for _ in range(3)]
        assert operator == [401, 401, 429]
    teams, unknown = site.server.host.desk.teams()
    assert {team.name: team.failed for team in teams} == {"ann": 3, TEAMS[1]: 0}
    assert (unknown, site.server.host.desk.failed_operator_logins) == (0, 3)


# The operator


def log_in(visitor: httpx.Client) -> None:
    assert visitor.post("/live/operator", data={"password": OPERATOR}).status_code == 303


def test_the_operator_pauses_announces_and_looks_after_accounts(tmp_path: Path) -> None:
    with event_site(tmp_path) as site, site.visitor() as visitor, site.visitor() as stranger:
        assert stranger.post("/live/operator/pause").status_code == 200  # the form to log in, and nothing has happened
        assert not site.server.host.desk.orders().paused
        log_in(visitor)
        assert visitor.post("/live/operator/pause").status_code == 303
        site.server.host.event.tick()
        site.server.host.event.tick()
        assert site.server.host.event.tournament is None
        assert visitor.post("/live/operator/announce", data={"text": "<i>lunch</i> at noon"}).status_code == 303
        long = {"text": "x" * 281}
        assert visitor.post("/live/operator/announce", data=long).status_code == 400
        site.server.host._publish()
        assert site.board.latest is not None
        assert (site.board.latest.paused, len(site.board.latest.announcements)) == (True, 1)
        assert "&lt;i&gt;lunch" in visitor.get("/live/operator").text
        assert "<i>" not in stranger.get("/live").text
        added = visitor.post("/live/operator/add", data={"team": "cy"}).text
        found = re.search(r"<code>([a-z0-9-]{14})</code>", added)
        assert found is not None
        with site.visitor() as cy:
            assert cy.post("/live/team", data={"name": "cy", "password": found[1]}).status_code == 303
            reset = visitor.post("/live/operator/reset", data={"team": "cy"}).text
            assert found[1] not in reset
            assert "Log out" not in cy.get("/live/team").text
        assert "already a team cy" in visitor.post("/live/operator/add", data={"team": "cy"}).text
        french = {"Accept-Language": "fr"}
        assert "Une annonce a 280 caractères" in visitor.post("/live/operator/announce", data=long, headers=french).text
        visitor.post("/live/operator/remove", data={"team": TEAMS[1]})
        assert site.bob.rest() == b""
        assert visitor.post("/live/operator/unknown").status_code == 404
        assert visitor.post("/live/logout").status_code == 303
        assert "lunch" not in visitor.get("/live/operator").text


def page_of(server: ServerProcess) -> str:
    return server.wait_for("standings: ").removeprefix("standings: ")


def test_a_killed_server_forgets_neither_orders_nor_failed_logins(tmp_path: Path) -> None:
    path = write_event(tmp_path / "event.toml", server={"page": True, "page_host": "127.0.0.1", "page_port": 0})
    add_teams(path, "ann")
    with store_of(path) as store:
        store.control.change_password(OPERATOR)
    with serving(path) as server, httpx.Client(base_url=page_of(server), timeout=None) as visitor:
        for form in ({"name": "ann", "password": "x"}, {"name": "nobody", "password": "x"}):
            assert visitor.post("/live/team", data=form).status_code == 401
        assert visitor.post("/live/operator", data={"password": "x"}).status_code == 401
        log_in(visitor)
        visitor.post("/live/operator/pause")
        visitor.post("/live/operator/announce", data={"text": "back at two"})
        with store_of(path) as store:
            until(lambda: sum(store.control.failed_logins().values()) == 3)
    again = ServerThread(path, 2)  # the other one was killed
    try:
        again.host.event.tick()
        assert again.host.event.is_paused()
        assert [each.text for each in again.host.snapshot().announcements] == ["back at two"]
        teams, unknown = again.host.desk.teams()
        assert ([team.failed for team in teams], unknown, again.host.desk.failed_operator_logins) == ([1], 1, 1)
        again.host.desk.pause(False)
        assert not again.host.event.is_paused()
    finally:
        again.stop()
