"""Tournaments in a real browser: a report from its files, as a user opens them, and the site while games are played."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cardrome.tournament.results.summary import summarize
from cardrome.web.tournaments.report import write_report
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import PATIENCE, listen_for_problems, new_visitor
from tests.tournament.growing_store import growing_store
from tests.tournament.small_cups import HOSTILE, PROGRAMS, play


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of files. Whatever the browser complains about fails the test, and so does whatever it loads elsewhere."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    problems = listen_for_problems(page)
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else problems.append(asked.url))
    yield page
    page.close()
    assert problems == []


def assert_nothing_sticks_out(page: Page) -> None:
    for width in (390, 800, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)


def assert_standings_can_be_read(page: Page) -> None:
    """Neither names, nor the numbers below the axis, nor the shares of seats are cut or cover each other."""
    name = page.locator("#standings .bot bdi").first
    whole = name.evaluate(
        "(one) => { const before = one.textContent; one.textContent = 'search-fast'; return before; }"
    )
    for width in (390, 800, 1200, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        room = "({ parentElement: a }) => [a.clientWidth - a.scrollWidth, a.clientHeight - a.scrollHeight + 2]"
        assert min(name.evaluate(room)) >= 0, width
        boxes = "all.map((one) => one.getBoundingClientRect())"
        edges = f"(all) => {boxes}.filter(({{ width }}) => width).map(({{ left, right }}) => [left, right])"
        marks = page.locator("#standings > .scroll .axis text").evaluate_all(edges)
        assert len(marks) > 1
        assert all(right < left for (_, right), (left, _) in pairwise(marks)), width
        if width >= 1200:
            assert page.locator("#editions .scroll").evaluate("(one) => one.scrollWidth <= one.clientWidth"), width
    name.evaluate("(one, before) => { one.textContent = before; }", whole)


def test_a_walk_through_a_report(page: Page, tmp_path: Path) -> None:
    cup = PROGRAMS.replace('name = "patient"', f'name = "{HOSTILE}"').replace("Programs", "Programs <b>cup</b>")
    with play(tmp_path, cup) as store:
        snapshot = store.snapshot()
        write_report(tmp_path / "site", store, summarize(snapshot, replicates=50), snapshot.games, replay_limit=4)
    page.goto((tmp_path / "site" / "index.html").as_uri())
    assert page.locator("h1").inner_text() == "Programs <b>cup</b>"
    standings = page.locator("#standings > .scroll")
    expect(standings.locator("a", has_text=HOSTILE)).to_have_count(1)
    assert page.locator("img").count() == 0
    expect(standings.locator(".bot svg.crest")).to_have_count(3)
    assert_nothing_sticks_out(page)
    assert_standings_can_be_read(page)
    page.locator("#theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    # A click on a head sorts, another one the other way round.
    ranks = standings.locator("tbody .rank")
    before = ranks.all_inner_texts()
    standings.get_by_role("button", name="Elo").click()
    assert ranks.all_inner_texts() == before
    standings.get_by_role("button", name="Elo").click()
    assert ranks.all_inner_texts() == before[::-1]
    standings.get_by_role("button", name="Bot").click()
    assert standings.locator("tbody th").all_inner_texts() == [HOSTILE, "crashing", "greedy"]

    # The matrix explains the cell under the pointer, and the arrow keys go from cell to cell.
    note, cells = page.locator("#matrix .note"), page.locator("#matrix td a")
    assert cells.evaluate_all("all => all.filter((each) => each.tabIndex === 0).length") == 1
    cells.nth(3).hover()
    told = note.inner_text()
    assert re.search(r"against[\s\S]*first seat \d+% · second seat \d+%", told)
    cells.nth(3).focus()
    page.keyboard.press("ArrowUp")
    assert note.inner_text() != told
    page.keyboard.press("ArrowDown")
    assert note.inner_text() == told
    page.keyboard.press("Enter")
    expect(page.locator("table.games tbody tr")).to_have_count(4)
    assert "cardrome replay record" in page.locator("#again pre").inner_text()
    assert_nothing_sticks_out(page)

    # From a fault, and what the bot said, to its replay.
    page.go_back()
    page.locator("#faults a", has_text="show").click()
    assert "<script>alert(2)</script> out of ideas" in page.locator("#faults pre").first.inner_text()
    assert_nothing_sticks_out(page)
    page.locator("#faults a", has_text="pair").first.click()
    expect(page.locator("#stage")).to_be_visible()
    page.locator("#last").click()
    assert "wins" in page.locator("#result").inner_text()
    page.locator("#back").click()
    expect(page.locator("table.games")).to_be_visible()


def test_a_page_follows_a_tournament_that_is_being_played(browser: Browser, tmp_path: Path) -> None:
    store = tmp_path / "cup.db"
    command = [sys.executable, "-m", "cardrome", "web", "--port", "0", "--no-open", "--store", str(store)]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    with (
        growing_store(str(store)) as writer,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server,
    ):
        try:
            assert server.stdout is not None
            found = re.search(r"http://[\d.:]+", server.stdout.readline())
            assert found is not None
            context = new_visitor(browser, found[0])
            page = context.new_page()
            problems = listen_for_problems(page)
            page.clock.install()
            page.goto("/tournaments")
            page.get_by_role("link", name="Growing <b>cup</b>").click()
            expect(page.locator("#standings")).to_contain_text("No game has been played yet")

            def passes(games: int) -> None:
                """Time passes on the page until it shows this many games; the server looks every two seconds."""
                while f"{games} of 8 games" not in page.locator("#progress").inner_text():
                    page.clock.run_for(1000)
                    page.wait_for_timeout(50)

            writer.grow()
            passes(2)
            # What the reader did to a part stays when the part is replaced.
            page.locator("#standings").get_by_role("button", name="Elo").click()
            page.locator("#matrix td a").last.focus()
            told = page.locator("#matrix .note b").inner_text()
            writer.grow()
            passes(4)
            assert page.locator("#standings [aria-sort]").inner_text().startswith("Elo")
            assert page.locator("#matrix .note b").inner_text() == told
            assert page.evaluate("document.activeElement.closest('#matrix td') !== null")

            assert_accessible(page)
            page.locator("#theme").click()
            expect(page.locator("html")).to_have_attribute("data-theme", "dark")
            assert_accessible(page)
            page.locator("#standings .bot a").first.click()
            expect(page.locator("#results")).to_be_visible()
            assert_accessible(page)

            # A game is watched while others are played, and found by a filter that stays in the address.
            page.goto("/tournaments/cup/games")
            page.get_by_label("Result").select_option("first")
            page.get_by_role("button", name="Show").click()
            assert "result=first" in page.url
            assert_accessible(page)
            expect(page.get_by_label("Result")).to_have_value("first")
            page.goto("/tournaments/cup/games")
            page.locator("table.games a.watch").first.click()
            expect(page.locator("#stage")).to_be_visible()
            context.close()
            cut_off = "/stamp: net::ERR_ABORTED"  # by leaving the page
            assert [each for each in problems if not each.endswith(cut_off)] == []
        finally:
            server.terminate()
