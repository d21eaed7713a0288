"""Playing against an agent in a real browser: by clicking, by dragging, by keyboard alone, on a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import listen_for_problems, new_visitor

STILL = {"reduced_motion": "reduce"}

# Plays on by clicking what the page has marked: some moves in each turn, then its end, until so many moves are made;
# then turns are only ended, until the game is over.
PLAY_ON = """async ([most, moves, turns]) => {
  const table = document.querySelector("cardrome-table"), find = (selector) => document.querySelector(selector);
  const idle = () => new Promise((done) => {
    const look = () => (table.ariaBusy === "true" ? setTimeout(look) : done());
    look();
  });
  const click = async (element) => { element.click(); await idle(); };
  const counts = { picks: 0, moves: 0, turns: 0 };
  for (let step = 0; step < 300 && counts.turns < turns && !find(".endpanel"); step++) {
    const card = find(".offered .pick") ?? find(".cell .card[aria-disabled=false]");
    if (card) { counts.picks++; await click(card); continue; }
    if (find(".deckbtns button:not([disabled])")) await click(find(".deckbtns button:not([disabled])"));
    for (let n = 0; n < most && counts.moves < moves && find(".board .is-playable") && !find(".endpanel"); n++) {
      await click(document.querySelectorAll(".board .is-playable")[n] ?? find(".board .is-playable"));
      await click(find(".board .is-target, .aim, [data-player].is-target") ?? find(".choices button"));
      counts.moves++;
    }
    if (find("#do-end")) { counts.turns++; await click(find("#do-end")); }
  }
  return counts;
}"""


@contextmanager
def table(browser: Browser, site: str, edition: str, seed: int = 7, **options: Any) -> Iterator[Page]:
    """The page of a new game against greedy, begun in the lobby; nothing may go wrong in its console."""
    context = new_visitor(browser, site, **{**STILL, **options})
    page = context.new_page()
    problems = listen_for_problems(page)
    page.goto(f"/play?edition={edition}")
    page.locator("label", has=page.locator("[value=greedy]")).locator("visible=true").click()
    page.locator("label", has=page.locator("[name=seat][value='0']")).click()
    page.locator("[name=seed]").fill(str(seed))
    page.locator(".start").click()
    page.locator(".offers, .pool, .board").first.wait_for()
    yield page
    context.close()
    assert problems == []


def settled(page: Page) -> None:
    """The server has answered, and all of the answer is shown."""
    expect(page.locator("cardrome-table")).not_to_have_attribute("aria-busy", "true")


def frames(page: Page) -> int:
    settled(page)
    return int(page.evaluate("document.querySelector('cardrome-table').game.frames.length"))


def labels(page: Page, selector: str) -> list[str]:
    found = page.locator(selector).evaluate_all("(all) => all.map((element) => element.ariaLabel)")
    return [str(label) for label in found]


def test_a_whole_game_by_clicking(browser: Browser, site: str) -> None:
    with table(browser, site, "locm-1.2") as page:
        offered = labels(page, ".offered .card")
        assert len(offered) == 3
        assert_accessible(page)
        page.locator(".offered .card").nth(1).click()
        expect(page.locator(".mydeck .strip")).to_have_count(1)
        assert offered[1].startswith(page.locator(".mydeck .sname").inner_text())
        page.reload()
        expect(page.locator(".mydeck .strip")).to_have_count(1)
        page.locator("#do-hint").click()
        expect(page.locator(".stage .hint")).to_contain_text("Hint by")
        page.locator("#do-complete").click()

        # The battle: a card that is chosen can be put back, played, taken back, and dragged.
        card = page.locator(".hand.me .is-playable[aria-label*=' attack, ']").first
        expect(page.locator(".hand.foe .card-back").first).to_be_visible()
        for _ in range(5):  # until there is mana for a creature
            if card.count():
                break
            page.locator("#do-end").click()
            settled(page)
        thing = card.get_attribute("data-thing")
        card.click()
        expect(page.locator(".aim")).to_have_count(2)
        assert all("lane" in label for label in labels(page, ".aim"))
        assert_accessible(page)
        page.keyboard.press("Escape")
        expect(page.locator(".aim")).to_have_count(0)
        before = frames(page)
        card.click()
        page.locator(".lane[data-lane='1'] .aim").click()
        expect(page.locator(f".lane[data-lane='1'] [data-thing='{thing}']")).to_be_visible()
        assert frames(page) == before + 1
        page.reload()
        expect(page.locator(f".lane[data-lane='1'] [data-thing='{thing}']")).to_be_visible()
        page.locator("#do-undo").click()
        expect(page.locator(f".hand.me [data-thing='{thing}']")).to_be_visible()
        assert frames(page) == before
        page.locator(f".hand.me [data-thing='{thing}']").drag_to(page.locator(".lane[data-lane='0'] .lrow").last)
        expect(page.locator(f".lane[data-lane='0'] [data-thing='{thing}']")).to_be_visible()
        page.locator("#do-hint").click()
        expect(page.locator(".side .hint")).to_contain_text("Hint by")
        expect(page.locator(".is-hint").first).to_be_visible()
        page.keyboard.press("Escape")  # the hint chose its card

        played = page.evaluate(PLAY_ON, [2, 6, 300])
        assert played["moves"] > 4
        assert played["turns"] > 3
        assert page.locator(".endpanel h2").inner_text() in ("You win", "You lose")
        assert_accessible(page)
        page.keyboard.press("Escape")
        expect(page.locator(".endpanel")).to_have_count(0)
        page.locator("#do-result").click()
        with page.expect_download() as saved:
            page.locator("#save").click()
        replay = json.loads(saved.value.path().read_text("utf-8"))
        assert replay["edition"] == "locm-1.2"
        assert len(replay["calls"]) > 60
        page.locator("#watch").click()
        expect(page.locator("cardrome-replay #count")).to_be_visible()
        page.go_back()
        address = page.url
        page.locator("#rematch").click()
        page.wait_for_url(lambda url: url != address)
        expect(page.locator(".offered .card")).to_have_count(3)
        assert labels(page, ".offered .card") == offered


def test_tapdeck_by_clicking(browser: Browser, site: str) -> None:
    with table(browser, site, "tapdeck") as page:
        played = page.evaluate(PLAY_ON, [3, 300, 6])
        assert played["moves"] > 3
        assert played["turns"] > 3


def test_the_top_card_of_the_deck_glows_while_a_click_draws_it(browser: Browser, site: str) -> None:
    with table(browser, site, "tapdeck") as page:
        lit, draw = page.locator(".river .is-playable"), page.locator(".deckbtns button").first
        settled(page)
        before, left = frames(page), int(page.locator(".left b").inner_text())
        expect(draw).to_be_enabled()
        expect(lit).to_have_count(1)
        lit.click()
        expect(page.locator(".left b")).to_have_text(str(left - 1))
        assert frames(page) == before + 1
        for _ in range(3):  # until no more may be drawn
            if draw.is_disabled():
                break
            lit.click()
            settled(page)
        expect(draw).to_be_disabled()
        expect(lit).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 1000])
def test_what_a_move_does_to_players_stays_in_their_panels(browser: Browser, site: str, width: int) -> None:
    def drains(route: Route) -> None:
        """The first card in the hand hits the opponent or their creatures, and heals."""
        answer = route.fetch()
        data = answer.json()
        card = min(map(int, data["things"]))
        changes = [["health", 1, 30, 27], ["health", 0, 27, 30]]
        places = ({"foe": 1}, {"lane": 0})
        data["moves"] = [{"kind": "use", "actor": card, "code": 1, "changes": changes, **place} for place in places]
        route.fulfill(response=answer, json=data)

    with table(browser, site, "locm-1.2", viewport={"width": width, "height": 800}) as page:
        page.route("**/complete", drains)
        page.locator("#do-complete").click()
        page.locator(".hand.me .is-playable").click()
        note = page.locator(".hero.foe .note")
        expect(note).to_have_text("→ 27")
        room = "(one) => one.closest('.hero').getBoundingClientRect().right - one.getBoundingClientRect().right"
        assert note.evaluate(room) > 0
        assert page.locator(".hero.foe .hpbar").evaluate(room) > 0
        page.locator(".hero.foe .aim").hover()
        expect(page.locator(".hero.me .note")).to_have_text("→ 30")


def test_a_whole_match_by_keyboard_alone(browser: Browser, site: str) -> None:
    context = new_visitor(browser, site, **STILL)
    page = context.new_page()
    problems = listen_for_problems(page)
    page.goto("/play?edition=tapdeck")
    page.locator("[data-agents]:not([hidden]) [value=greedy]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.locator(".board").wait_for()
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("end the turn")
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    settled(page)
    assert "Draws" in page.locator("#spoken").inner_text()
    page.keyboard.press("u")
    settled(page)
    moves = 0
    for _ in range(200):
        if page.locator(".endpanel").count():
            break
        page.keyboard.press("d")
        before = frames(page)
        # Choose and play whatever has the focus, twice, until it is enough; then the match is soon over.
        for key in ("Enter", "Enter", "Enter", "Enter", "Escape") if moves < 6 else ():
            page.keyboard.press(key)
            settled(page)
            if page.evaluate("document.activeElement.id") in ("do-end", "end-title"):
                break
        moves += frames(page) - before
        if not page.locator(".endpanel").count():
            page.keyboard.press("e")
            settled(page)
    assert page.locator(".endpanel h2").inner_text() in ("You win", "You lose", "A draw")
    assert moves > 5
    assert page.evaluate("document.activeElement.id") == "end-title"
    context.close()
    assert problems == []


def test_building_a_deck_from_the_pool(browser: Browser, site: str) -> None:
    with table(browser, site, "locm-1.5") as page:
        cards = page.locator(".cell:not([hidden]) .card")
        expect(cards).to_have_count(120)
        page.get_by_role("button", name="Creatures").click()
        creatures = cards.count()
        assert 0 < creatures < 120
        page.get_by_role("button", name="Guard", exact=True).click()
        assert cards.count() < creatures
        page.get_by_role("button", name="Guard", exact=True).click()
        cards.nth(3).click()
        expect(page.locator(".mydeck .strip")).to_have_count(1)
        cards.nth(3).click()
        expect(page.locator(".mydeck .sn")).to_have_text("×2")
        assert cards.nth(3).get_attribute("aria-disabled") == "true"
        cards.nth(4).click()
        expect(page.locator(".mydeck .strip")).to_have_count(2)
        assert_accessible(page, leaving=True)
        page.reload()
        expect(page.locator(".mydeck .strip")).to_have_count(2)
        expect(page.locator(".missing")).to_have_text("27 cards missing")
        page.locator(".mydeck .strip", has=page.locator(".sn")).click()
        expect(page.locator(".missing")).to_have_text("28 cards missing")
        page.keyboard.press("u")
        expect(page.locator(".missing")).not_to_have_text("28 cards missing")
        page.locator("#do-complete").click()
        expect(page.locator(".board")).to_be_visible()
        page.locator("#do-resign").click()
        page.get_by_role("button", name="Play on").click()
        page.locator("#do-resign").click()
        page.locator("dialog").get_by_role("button", name="Resign").click()
        expect(page.locator(".endpanel")).to_contain_text("You resigned")
        page.locator("#swap").click()
        expect(page.locator(".pool")).to_be_visible()


def test_a_lost_connection_loses_nothing_and_plays_nothing_twice(browser: Browser, site: str) -> None:
    context = new_visitor(browser, site, **STILL)
    page = context.new_page()
    page.goto("/play")
    page.locator(".start").click()
    expect(page.locator(".offered")).to_have_count(3)
    reached: list[int] = []
    down = True

    def answer_is_lost(route: Route) -> None:
        """The server gets the move once, but the page does not hear of it until the connection is back."""
        if not down:
            route.continue_()
            return
        if not reached:
            reached.append(route.fetch().status)
        route.abort()

    page.route("**/moves", answer_is_lost)
    page.locator(".offered .pick").first.click()
    expect(page.get_by_role("alert").locator("visible=true")).to_contain_text("cannot be reached")
    down = False
    page.get_by_role("button", name="Try now").click()
    expect(page.locator(".mydeck .strip")).to_have_count(1)
    expect(page.locator(".drafthead h1")).to_contain_text("Card 2")
    assert reached == [200]
    page.route("**/moves", lambda route: route.fulfill(status=404, json={"error": "not found"}))
    page.locator(".offered .pick").first.click()
    expect(page.get_by_role("alert").locator("visible=true")).to_contain_text("no longer has this game")
    context.close()


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5", "tapdeck"])
def test_a_phone(browser: Browser, site: str, edition: str) -> None:
    phone: dict[str, Any] = {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "locale": "fr-FR",
    }
    with table(browser, site, edition, **phone) as page:
        sideways = "document.documentElement.scrollWidth - innerWidth"
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        assert page.evaluate(sideways) <= 0
        if page.locator("#do-complete").count():
            edge = page.locator("#do-complete").evaluate("(one) => one.getBoundingClientRect().right")
            assert edge <= phone["viewport"]["width"] - 10
            page.locator("#do-complete").click()
        expect(page.locator(".board")).to_be_visible()
        assert page.evaluate(sideways) <= 0
        page.locator("#do-end").tap()
        settled(page)
        if edition != "locm-1.5":  # in the battle it looks like locm-1.2
            assert_accessible(page)
        assert "vous" in page.locator(".hero.me").inner_text().lower()
        first = "(one) => getComputedStyle(one, '::first-letter').textTransform"
        assert page.locator(".say .msg").evaluate(first) == "none"  # an agent's name stays as it is
        assert page.evaluate(sideways) <= 0
