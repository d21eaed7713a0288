"""The card browser in a real browser: filters, search, order, keyboard, and an address that keeps it all."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_cards_are_filtered_searched_and_walked_through(visit: Page) -> None:
    visit.goto("/cards")
    filters, cards, count = (visit.locator(place) for place in (".filters", ".cardgrid .card", ".count"))
    expect(cards).to_have_count(160)
    filters.get_by_role("button", name="Guard").click()
    filters.get_by_role("button", name="Drain").click()
    filters.get_by_role("button", name="Creature").click()
    guards = cards.count()
    assert 0 < guards < 20
    expect(count).to_have_text(f"{guards} cards of 160")
    visit.locator("#sort").select_option("cost")
    costs = cards.evaluate_all("(cards) => cards.map(({ card }) => card.cost ?? 0)")
    assert costs == sorted(costs)
    assert visit.url.endswith("/cards?kind=creature&keyword=DG&sort=cost")
    visit.reload()
    expect(cards).to_have_count(guards)
    visit.get_by_role("button", name="Français").click()
    expect(count).to_have_text(f"{guards} cartes sur 160")
    visit.get_by_role("button", name="Effacer les filtres").click()
    expect(cards).to_have_count(160)
    visit.keyboard.type("emperor")
    expect(cards).to_have_count(1)
    visit.get_by_role("searchbox").fill("there is no such card")
    expect(visit.get_by_text("Aucune carte ne correspond.")).to_be_visible()
    visit.get_by_role("searchbox").fill("")
    cards.first.focus()
    first = cards.first.get_attribute("aria-label")
    visit.keyboard.press("ArrowRight")
    visit.keyboard.press("ArrowDown")
    expect(visit.locator(".peek")).to_be_visible()
    assert visit.evaluate("document.activeElement.getAttribute('aria-label')") != first
    visit.keyboard.press("Home")
    assert visit.evaluate("document.activeElement.getAttribute('aria-label')") == first
    visit.locator("#edition").select_option("tapdeck")
    expect(cards).to_have_count(120)
    visit.locator("#seed").fill("12")
    visit.keyboard.press("Enter")
    expect(visit).to_have_url("/cards?edition=tapdeck&seed=12")
