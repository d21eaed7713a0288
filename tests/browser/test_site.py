"""Every page of the site in a real browser: both languages, both themes, on a phone and on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from cardrome.web import home
from cardrome.web.app import application
from cardrome.web.home import TopTable
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import listen_for_problems, new_visitor

PAGES = [
    "/",
    "/play",
    "/watch",
    "/watch/locm-1.2#turn=8.2",
    "/tournaments",
    "/live",
    "/cards",
    "/cards?edition=tapdeck",
    "/rules",
    "/rules/locm-1.5",
]
"""The addresses of all pages. A page that is not here is not looked at."""

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


@pytest.mark.parametrize(
    ("size", "theme", "language"),
    [(DESK, "light", "en"), (PHONE, "dark", "fr")],
    ids=["desk-light-en", "phone-dark-fr"],
)
def test_every_page_is_sound(browser: Browser, site: str, size: dict[str, int], theme: str, language: str) -> None:
    context = new_visitor(browser, site, viewport=size, color_scheme=theme, locale=language, reduced_motion="reduce")
    page = context.new_page()
    problems = listen_for_problems(page)
    for path in PAGES:
        answer = page.goto(path, wait_until="networkidle")
        assert answer is not None
        assert answer.ok, path
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_have_count(1)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0, f"{path} is wider than the window"
        hidden = "(all) => all.filter((nav) => nav.scrollWidth > nav.clientWidth).length"
        assert page.locator(".nav").evaluate_all(hidden) == 0, f"{path} does not show all ways"
        edge = "getBoundingClientRect().right"
        out = f"(all) => all.filter((one) => one.{edge} > one.closest('.lane').{edge}).length"
        assert page.locator(".lane .midline span").evaluate_all(out) == 0, f"{path}: a lane's name sticks out"
        # test_rules.py looks at two rulebooks; the cards of all editions are built alike.
        if path not in ("/rules/locm-1.5", "/cards?edition=tapdeck" if size == DESK else "/cards"):
            assert_accessible(page, leaving=True)
    context.close()
    assert problems == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_long_names_stay_in_their_panels_at_home(visit: Page, size: dict[str, int]) -> None:
    tables = [TopTable("cup " * 15, "/tournaments", [("10–12", "endless-" * 7, "+1200 ± 300")])]
    html = TestClient(application([home.part(lambda: tables)])).get("/").text
    visit.set_viewport_size({"width": size["width"], "height": size["height"]})
    visit.route("**/", lambda route: route.fulfill(body=html, content_type="text/html"))
    visit.goto("/")
    assert visit.evaluate("document.documentElement.scrollWidth") == size["width"]
    edge = "getBoundingClientRect().right"
    rooms_inside = f"(all) => all.map((one) => one.closest('.box').{edge} - one.{edge})"
    rooms = visit.locator(".cols .box > *, .cols .rows .n").evaluate_all(rooms_inside)
    assert min(rooms) > 0


def test_language_and_theme_can_be_switched(visit: Page) -> None:
    visit.goto("/cards")
    visit.get_by_role("button", name="Français").click()
    expect(visit.locator("html")).to_have_attribute("lang", "fr")
    expect(visit).to_have_url("/cards")
    visit.locator("#theme").click()
    expect(visit.locator("html")).to_have_attribute("data-theme", "dark")
    visit.goto("/")
    expect(visit.locator("html")).to_have_attribute("data-theme", "dark")
    expect(visit.locator("html")).to_have_attribute("lang", "fr")


def test_language_and_theme_can_be_switched_without_scripts(browser: Browser, site: str) -> None:
    context = new_visitor(browser, site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/rules")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator("#theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page).to_have_url("/rules")
    page.goto("/nothing/here")
    expect(page.get_by_role("heading", name="Cette page n’existe pas")).to_be_visible()
    expect(page.get_by_role("navigation")).to_be_visible()
    context.close()
