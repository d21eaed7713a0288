"""A tournament's report in a real browser: Debian's Chromium, driven by Playwright. Files, as a user opens them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cardrome.tournament.results.summary import summarize
from cardrome.web.report.site import write_report
from tests.browser.conftest import PATIENCE
from tests.tournament.small_cups import FAMILIES, HOSTILE, PROGRAMS, play


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for name, text in (("families", FAMILIES), ("programs", PROGRAMS)):
        folder = tmp_path_factory.mktemp(name)
        with play(folder, text) as store:
            snapshot = store.snapshot()
            write_report(folder / "site", store, summarize(snapshot, replicates=50), snapshot.games)
        found[name] = folder / "site"
    return found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page. Whatever the browser complains about fails the test."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda asked: None if asked.url.startswith("file:") else complaints.append(asked.url))
    yield page
    page.close()
    # The page's own icon is part of it.
    assert [text for text in complaints if not text.startswith("data:image/svg+xml")] == []


def test_names_stay_text(page: Page, sites: dict[str, Path]) -> None:
    page.goto((sites["families"] / "index.html").as_uri())
    assert page.locator("h1").inner_text() == "Two families <b>cup</b>"
    expect(page.locator("#standings ~ .both table a", has_text=HOSTILE)).to_have_count(1)
    assert page.locator("img").count() == 0
    assert "<i>somebody</i>" in page.locator("#bots + .box").inner_text()


def test_from_the_matrix_to_a_replay(page: Page, sites: dict[str, Path]) -> None:
    page.goto((sites["families"] / "index.html").as_uri())
    cell = page.locator(".matrix td a").first
    cell.hover()
    assert "won" in page.locator("#cell").inner_text()
    cell.click()
    expect(page.locator("#results")).to_be_visible()
    page.locator("#results + .box a", has_text="games").first.click()
    assert page.locator("tbody tr").count() == 8
    page.locator("tbody a", has_text="watch").first.click()
    expect(page.locator("#stage")).to_be_visible()
    page.locator("#last").click()
    assert "wins" in page.locator("#result").inner_text()


def test_a_click_on_a_head_sorts(page: Page, sites: dict[str, Path]) -> None:
    page.goto((sites["families"] / "index.html").as_uri())
    box = page.locator("#standings ~ .both table")

    def ranks() -> list[str]:
        return box.locator("tbody td:first-child").all_inner_texts()

    assert ranks() == ["1", "2", "3"]
    box.get_by_role("button", name="Elo").click()
    box.get_by_role("button", name="Elo").click()
    assert ranks() == ["3", "2", "1"]
    box.get_by_role("button", name="Bot").click()
    assert box.locator("tbody th").all_inner_texts() == [HOSTILE, "greedy", "random 2"]
    box.get_by_role("button", name="#").click()
    assert ranks() == ["1", "2", "3"]


def test_faults_and_what_was_said(page: Page, sites: dict[str, Path]) -> None:
    page.goto((sites["programs"] / "index.html").as_uri())
    page.locator("#faults ~ .box a", has_text="show").click()
    assert "<script>alert(2)</script> out of ideas" in page.locator("pre").first.inner_text()
    page.locator("#faults ~ .box a", has_text="pair").first.click()
    expect(page.locator("#stage")).to_be_visible()


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_nothing_sticks_out_sideways(page: Page, sites: dict[str, Path], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for site in sites.values():
        for path in ("index.html", "bots/1.html", "bots/3.html", "games/locm-1.2/1-2.html"):
            page.goto((site / path).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width
