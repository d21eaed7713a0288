"""The live page in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from cardrome.web.live.app import LivePage
from cardrome.web.live.board import SnapshotBoard
from cardrome.web.live.server import LiveServer, serve_in_thread
from tests.browser.conftest import PATIENCE
from tests.web.live.live_event import HOSTILE, Store, snapshot, standings


@pytest.fixture
def board() -> SnapshotBoard:
    return SnapshotBoard()


@pytest.fixture
def server(board: SnapshotBoard) -> Iterator[LiveServer]:
    with serve_in_thread(LivePage(board, Store()), "127.0.0.1", 0) as server:
        yield server


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about: scripts that failed, anything that the policy forbade."""
    return []


@pytest.fixture
def page(browser: Browser, complaints: list[str]) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    yield page
    page.close()


def shown(page: Page) -> list[list[str]]:
    """The table's body, as text."""
    rows = page.locator("#rows tr").all()
    return [row.locator(".rank, bdi, .total, .total ~ td").all_inner_texts() for row in rows]


def test_standings_appear_and_change(
    page: Page, board: SnapshotBoard, server: LiveServer, complaints: list[str]
) -> None:
    a, b, c = "Quiet Storm", "Off By One", "Rook Lift"
    board.publish(
        msgspec.structs.replace(snapshot(), teams=standings([(a, 1, (3.0,)), (b, 0, (2.0,)), (c, 2, (1.0,))]))
    )
    page.goto(server.url)
    expect(page).to_have_title("Spring Cup")
    expect(page.locator("#headline")).to_have_text("Tournament 2 of 6")
    expect(page.locator("#rows tr")).to_have_count(3)
    assert shown(page) == [["1", a, "3", "3"], ["2", b, "2", "2"], ["3", c, "1", "1"]]
    expect(page.locator("#rows tr.off")).to_have_count(1)

    # The next tournament ends: a new column, another order, and a team joins.
    after = snapshot(tournaments=2, turns_left=60, phase="pause")
    teams = standings([(a, 1, (3.0, 0.5)), (b, 1, (2.0, 4.0)), (c, 2, (1.0, None)), ("Late", 1, (None, 1.5))])
    board.publish(msgspec.structs.replace(after, teams=teams))
    expect(page.locator("#phase")).to_have_text("pause")
    assert page.locator("#heads th").all_inner_texts() == ["#", "Team", "Total", "T2", "T1"]
    assert shown(page) == [
        ["1", b, "6.0", "4.0", "2"],
        ["2", a, "3.5", "0.5", "3"],
        ["3", "Late", "1.5", "1.5", "·"],
        ["4", c, "1.0", "·", "1"],
    ]
    expect(page.locator("#rows tr.off")).to_have_count(0)
    expect(page.locator("progress")).to_have_js_property("value", 0)
    assert complaints == []


def test_what_the_script_draws_is_what_the_server_draws(
    browser: Browser, page: Page, board: SnapshotBoard, server: LiveServer, complaints: list[str]
) -> None:
    without = browser.new_context(java_script_enabled=False)
    plain = without.new_page()
    # The script starts with other standings, so that everything compared was drawn by it.
    board.publish(snapshot(teams=3))
    page.goto(server.url)
    expect(page.locator("#rows tr")).to_have_count(3)
    board.publish(snapshot(teams=12, tournaments=7, seed=2))
    expect(page.locator("#rows tr")).to_have_count(12)
    plain.goto(server.url)
    for part in ("header", ".now", "#heads", "#rows", "footer"):
        assert page.locator(part).inner_text() == plain.locator(part).inner_text()
        # Attributes are compared as a sorted text: the script sets them in another order.
        script, server_side = (
            where.locator(part).evaluate(
                "e => [...e.querySelectorAll('*')].map(n => n.tagName + [...n.attributes]"
                ".filter(a => a.value !== '').map(a => ` ${a.name}=${a.value}`).sort().join('')).join('\\n')"
            )
            for where in (page, plain)
        )
        assert script == server_side
    expect(plain.locator(".noscript")).to_be_visible()
    without.close()
    assert complaints == []


def test_hostile_names_stay_text(page: Page, board: SnapshotBoard, server: LiveServer, complaints: list[str]) -> None:
    board.publish(snapshot())
    page.goto(server.url)
    expect(page.locator("#rows tr")).to_have_count(4)
    teams = standings([(name, 1, (float(-i),)) for i, name in enumerate(HOSTILE)])
    board.publish(msgspec.structs.replace(snapshot(event=HOSTILE[0]), teams=teams))
    expect(page.locator("#rows tr")).to_have_count(len(HOSTILE))
    for _drawing in range(2):  # drawn by the script, then by the server
        assert page.locator("#rows bdi").all_text_contents()[:6] == HOSTILE[:6]
        assert page.locator("img, body script").count() == 0
        expect(page).to_have_title(HOSTILE[0])
        page.reload()
    page.goto(server.url + "tournaments/1")
    assert page.locator("th.side bdi").all_text_contents() == [HOSTILE[0], HOSTILE[1], HOSTILE[0]]
    page.get_by_label("Matches of").select_option(HOSTILE[2])
    page.get_by_role("button").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    assert complaints == []


def test_a_replay_runs_cut_off_from_the_site(page: Page, server: LiveServer, complaints: list[str]) -> None:
    page.goto(server.url + "matches/1.html")
    expect(page).to_have_title("ran")
    assert page.evaluate("window.origin") == "null"
    assert complaints == []


def test_a_lost_connection_is_told_and_taken_up_again(page: Page, board: SnapshotBoard) -> None:
    board.publish(snapshot())
    server = serve_in_thread(LivePage(board, Store()), "127.0.0.1", 0)
    page.goto(server.url)
    expect(page.locator("#rows tr")).to_have_count(4)
    expect(page.locator("#lost")).to_be_hidden()
    server.stop()
    expect(page.locator("#lost")).to_have_text("connection lost, reconnecting")
    expect(page.locator("#lost")).to_be_visible()
    board.publish(snapshot(teams=5))
    with serve_in_thread(LivePage(board, Store()), "127.0.0.1", server.port):
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("#rows tr")).to_have_count(5)


@pytest.mark.parametrize("width", [390, 1280])
def test_only_the_table_scrolls_sideways(page: Page, board: SnapshotBoard, server: LiveServer, width: int) -> None:
    board.publish(snapshot(teams=40, tournaments=40))
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(server.url)
    expect(page.locator("#rows tr")).to_have_count(40)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("main").evaluate("main => main.scrollTo(main.scrollWidth, main.scrollHeight)")
    last = page.locator("#rows tr").last
    for part in (last.locator("bdi"), last.locator(".total"), page.locator("#heads th").last):
        expect(part).to_be_in_viewport(ratio=0.9)
