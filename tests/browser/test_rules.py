"""The rules in a real browser: the text, its contents, examples that play, and French."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import listen_for_problems, new_visitor


def test_a_rulebook_is_read_and_its_examples_play(visit: Page) -> None:
    visit.goto("/rules")
    visit.get_by_role("link", name="1.2", exact=True).click()
    expect(visit.get_by_role("heading", level=1)).to_have_text("Legends of Code and Magic 1.2")
    contents = visit.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="Breakthrough").click()
    expect(visit).to_have_url(re.compile("/rules/locm-1.2#breakthrough$"))
    # It plays by itself as soon as it is seen, and ends as the caption says.
    example = visit.locator("cardrome-example[name=breakthrough]")
    expect(example).to_have_attribute("data-step", "1 1")
    expect(example.locator(".hero.foe .big")).to_have_text("28")
    expect(example.locator("[data-thing='2'] .burst")).to_be_visible()
    expect(example.locator(".says")).to_have_text("Charging Boarhound attacks Murgling")
    example.get_by_role("button", name="Again").click()
    expect(example).to_have_attribute("data-step", "1 1")
    visit.get_by_role("button", name="Français").click()
    expect(visit.get_by_role("heading", name="Percée")).to_be_visible()
    expect(visit.locator("cardrome-example[name=guard] .hero.foe")).to_contain_text("Adversaire")
    visit.goto("/rules/locm-1.5")  # the edition with the most to show
    expect(visit.get_by_role("heading", level=1)).to_have_text("Legends of Code and Magic 1.5")
    assert_accessible(visit, leaving=True)


def test_with_reduced_motion_nothing_plays_by_itself(browser: Browser, site: str) -> None:
    phone = {"width": 390, "height": 844}
    context = new_visitor(browser, site, reduced_motion="reduce", viewport=phone, color_scheme="dark")
    page = context.new_page()
    problems = listen_for_problems(page)
    page.goto("/rules/tapdeck#blocking")
    example = page.locator("cardrome-example[name=block]")
    example.scroll_into_view_if_needed()
    expect(example).to_have_attribute("data-step", "0 3")
    example.get_by_role("button", name="Next action").press("Enter")
    expect(example).to_have_attribute("data-step", "1 3")
    example.get_by_role("button", name="Play").press("Enter")
    expect(example).to_have_attribute("data-step", "3 3")
    # Nothing is wider than a phone, and the board is no stop for the keyboard.
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert example.locator(".stage").evaluate("stage => stage.inert")
    assert_accessible(page, leaving=True)
    context.close()
    assert problems == []
