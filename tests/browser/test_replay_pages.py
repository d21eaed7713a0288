"""The pages of replays in a real browser: Debian's Chromium, driven by Playwright. Files, as a user opens them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cardrome.web.replay import replay_page
from tests.arena import games
from tests.browser.conftest import PATIENCE
from tests.games.tapdeck.protocol.scripted import play

NAMES = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>")


def locm(names: tuple[str, str]) -> str:
    return replay_page(games.play("rule-based", "greedy", seed=5, names=names))


def tapdeck(names: tuple[str, str]) -> str:
    return replay_page(play(3, players=names))


PAGES = {"locm": locm, "tapdeck": tapdeck}


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """An opened page. Whatever the browser complains about fails the test."""
    path = tmp_path / "game.html"
    path.write_text(PAGES[request.param](NAMES), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda asked: None if asked.url.startswith("file:") else complaints.append(asked.url))
    page.goto(path.as_uri())
    yield page
    page.close()
    assert complaints == []


def step(page: Page) -> tuple[int, int]:
    now, _, last = page.locator("#count").inner_text().partition(" of ")
    return int(now), int(last)


def test_names_stay_text(page: Page) -> None:
    for name in NAMES:
        assert name in page.locator("h1").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    page.locator("#last").click()
    for name in NAMES:
        expect(page.locator(".bar .who", has_text=name)).to_have_count(1)


def test_the_buttons_step_through_all_frames(page: Page) -> None:
    now, last = step(page)
    assert now == 1
    assert page.locator("#previous").is_disabled()
    seen = []
    for number in range(1, last + 1):
        assert step(page)[0] == number
        assert page.locator("#log .now").count() == 1
        seen.append(page.locator("#stage").inner_text())
        if number < last:
            page.locator("#next").click()
    assert len(set(seen)) > last // 2
    assert page.locator("#next").is_disabled()
    assert page.locator("#result").inner_text() == page.locator(".caption").inner_text()
    page.locator("#previous").click()
    assert step(page)[0] == last - 1
    assert page.locator("#stage").inner_text() == seen[-2]


def test_the_keys_and_the_address(page: Page) -> None:
    last = step(page)[1]
    for key, expected in (("End", last), ("ArrowLeft", last - 1), ("ArrowRight", last), ("Home", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        assert step(page)[0] == expected
        assert page.url.endswith(f"#{expected}")
    page.keyboard.press("ArrowDown")
    turn = step(page)[0]
    assert turn > 2
    page.keyboard.press("ArrowUp")
    assert step(page)[0] < turn
    page.evaluate("location.hash = '#7'")
    expect(page.locator("#count")).to_have_text(f"7 of {last}")
    page.reload()
    assert step(page)[0] == 7


def test_playing_goes_on_by_itself_and_stops(page: Page) -> None:
    page.keyboard.press("End")
    last = step(page)[1]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_text("Stop")
    expect(page.locator("#count")).to_have_text(f"{last} of {last}")
    expect(page.locator("#play")).to_have_text("Play")


def test_a_click_in_the_log_shows_that_moment(page: Page) -> None:
    button = page.locator("#log button").nth(5)
    button.click()
    assert "now" in (button.get_attribute("class") or "")
    assert button.get_attribute("aria-current") == "step"


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_nothing_sticks_out_sideways(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for key in ("Home", "End"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
