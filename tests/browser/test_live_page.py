"""The live pages in a real browser: a match watched while two programs play it, the operator at work, hostile names."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Error, Page, expect

from cardrome.web.live.app import LivePage
from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.server import LiveServer, serve_in_thread
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import listen_for_problems, new_visitor
from tests.server.processes import password
from tests.web.live.live_event import HOSTILE, Store, snapshot, standings
from tests.web.live.test_event import OPERATOR, TEAMS, EventSite, event_site

HOSTILE_TEAM = TEAMS[1]
DECK = "".join(f"{number} C 0 5 5 0 1\n" for number in range(1, 7))
"""Creatures that hurt nobody, so that the match goes on for as long as it is watched."""


@pytest.fixture
def board() -> SnapshotBoard:
    return SnapshotBoard()


@pytest.fixture
def server(board: SnapshotBoard) -> Iterator[LiveServer]:
    with serve_in_thread(LivePage(board, Store()), "127.0.0.1", 0) as server:
        yield server


@pytest.fixture
def problems() -> list[str]:
    """What the browser complained about: scripts that failed, anything that the policy forbade."""
    return []


@pytest.fixture
def page(browser: Browser, problems: list[str]) -> Iterator[Page]:
    context = new_visitor(browser, "http://127.0.0.1", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    found = listen_for_problems(page)
    page.on("dialog", lambda dialog: found.append(dialog.message))
    yield page
    context.close()
    problems += [each for each in found if "/events: " not in each]  # streams are cut off by leaving a page


def names(page: Page) -> list[str]:
    return page.locator(".rows .nm bdi").all_text_contents()


class Players(threading.Thread):
    """Both teams draw, play and attack with whatever they have, turn by turn, until they are told to stop."""

    def __init__(self, site: EventSite) -> None:
        super().__init__()
        self.site = site
        self.done = threading.Event()
        self.card = "1"

    def run(self) -> None:
        while not self.done.is_set():
            for team in (self.site.ann, self.site.bob):
                for match in team.matches():
                    if team.ask(f"GET_TURN_INFO {match}", 1) == ["OK"] and team.line().startswith("1 "):
                        if team.ask(f"DRAW_CARD {match}", 1) == ["OK"]:
                            self.card = team.line().split()[0]
                        for command in (f"PLAY_CARD {match} {self.card} -1", f"ATTACK {match} {self.card}"):
                            team.ask(command)
            self.site.next_turn()
            self.done.wait(0.7)


def test_watching_a_match_and_running_the_event(page: Page, browser: Browser, tmp_path: Path) -> None:
    with event_site(tmp_path, DECK, turns=400, tournaments=2) as site:
        site.next_turn()
        match = site.match_of()
        players = Players(site)
        players.start()
        page.emulate_media(reduced_motion="reduce")
        try:
            page.goto(site.url)
            expect(page).to_have_title("Cup")
            expect(page.locator(".prog b")).to_have_text("Tournament 1 of 2")
            expect(page.locator(".feat .fld .card").first).to_be_visible()
            assert sorted(names(page)) == sorted(TEAMS)
            assert_accessible(page)
            page.get_by_role("link", name="All matches").click()
            expect(page.locator(".feat.small")).to_have_count(2)
            assert_accessible(page)
            page.locator(f'a[href="/live/matches/{match}"]').click()

            # The match grows while it is watched, and whoever goes back stays where they went.
            log = page.locator("#log > li")
            expect(log.nth(5)).to_be_visible()
            count = log.count()
            expect(log.nth(count + 2)).to_be_attached()
            page.keyboard.press("Home")
            at = page.locator("cardrome-timeline").get_attribute("aria-valuenow")
            seen = log.count()
            expect(log.nth(seen + 2)).to_be_attached()
            assert page.locator("cardrome-timeline").get_attribute("aria-valuenow") == at == "0"
            page.keyboard.press("End")
            expect(page.locator(".riverbox > *")).to_have_count(0)  # the deck to come is not there

            # The operator announces something, and everybody sees it as text.
            office = new_visitor(browser, site.url)
            desk = office.new_page()
            complaints = listen_for_problems(desk)
            desk.goto("/live/operator")
            desk.get_by_label("Password").fill(OPERATOR)
            desk.locator("main").get_by_role("button", name="Log in").click()
            desk.get_by_label("Announcement").fill("<b>lunch</b> at noon")
            desk.get_by_role("button", name="Announce", exact=True).click()
            desk.get_by_role("button", name="Pause after this tournament").click()
            expect(desk.get_by_role("button", name="Resume")).to_be_visible()
            assert_accessible(desk)
            page.goto(f"{site.url}live")
            expect(page.locator(".notes bdi")).to_have_text("<b>lunch</b> at noon")
            expect(page.locator(".rows small")).to_have_count(0)

            # A team sees what went wrong.
            desk.goto("/live/team")
            desk.get_by_label("Team").fill("ann")
            desk.get_by_label("Password").fill(password("ann"))
            desk.locator("main").get_by_role("button", name="Log in").click()
            expect(desk.locator("h1")).to_have_text("ann")
            expect(desk.locator(".running bdi").first).to_have_text(HOSTILE_TEAM)
            assert desk.locator("main b b, main i").count() == 0
            assert_accessible(desk)
            assert complaints == []
            office.close()
        finally:
            players.done.set()
            players.join()


def test_the_scoreboard_follows_the_event(
    page: Page, board: SnapshotBoard, server: LiveServer, problems: list[str]
) -> None:
    a, b, c = "Quiet Storm", "Off By One", "Rook Lift"
    teams = standings([(a, 1, (3.0,)), (b, 0, (2.0,)), (c, 2, (1.0,))])
    board.publish(msgspec.structs.replace(snapshot(), teams=teams, phase="pause", turns_left=None))
    page.goto(server.url)
    expect(page.locator(".rows .row")).to_have_count(3)
    assert names(page) == [a, b, c]
    expect(page.locator(".rows small")).to_have_count(1)
    expect(page.locator(".bump .top")).to_have_count(3)
    expect(page.locator(".head")).to_have_css("text-transform", "none")  # other pages' styles stay away from it
    teams = standings([(name, 1, (float(-i),)) for i, name in enumerate(HOSTILE)])
    board.publish(msgspec.structs.replace(snapshot(event=HOSTILE[0]), teams=teams))
    expect(page.locator(".rows .row")).to_have_count(len(HOSTILE))
    assert names(page)[:6] == HOSTILE[:6]
    assert page.locator("img, main script").count() == 0
    expect(page).to_have_title(HOSTILE[0])
    page.goto(server.url + "live/tournaments/1")
    assert page.locator("th.side bdi").all_text_contents() == [HOSTILE[0], HOSTILE[1], HOSTILE[0]]
    page.get_by_label("Matches of").select_option(HOSTILE[2])
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.goto(server.url + "live/matches/1.html")
    expect(page).to_have_title("ran")
    assert page.evaluate("window.origin") == "null"
    assert problems == []


def test_a_lost_connection_is_told_and_taken_up_again(page: Page, board: SnapshotBoard) -> None:
    board.publish(snapshot())
    server = serve_in_thread(LivePage(board, Store()), "127.0.0.1", 0)
    page.goto(server.url)
    expect(page.locator(".rows .row")).to_have_count(4)
    expect(page.locator(".lost")).to_be_hidden()
    server.stop()
    expect(page.locator(".lost")).to_have_text("Connection lost, reconnecting")
    expect(page.locator(".lost")).to_be_visible()
    board.publish(snapshot(teams=5))
    with serve_in_thread(LivePage(board, Store()), "127.0.0.1", server.port):
        expect(page.locator(".lost")).to_be_hidden()
        expect(page.locator(".rows .row")).to_have_count(5)


def test_nothing_is_wider_than_the_screen(page: Page, board: SnapshotBoard, server: LiveServer) -> None:
    board.publish(snapshot(teams=40, tournaments=24))
    page.goto(server.url)
    expect(page.locator(".rows .row")).to_have_count(40)
    last = page.locator(".rows .row").last
    for width in (1600, 1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for _ in range(20):
            with contextlib.suppress(Error):  # the row was drawn anew meanwhile
                last.scroll_into_view_if_needed()
                break
        expect(last.locator(".tot b")).to_be_in_viewport(ratio=0.9)
