"""Watching in a real browser: a file is dropped and watched to its end by keyboard."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from cardrome.games.replay_files import write_replays
from tests.arena import games
from tests.browser.conftest import new_visitor
from tests.games.tapdeck.protocol.scripted import play

HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>")
DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_dropped_file_is_watched_to_its_end_by_keyboard(visit: Page, tmp_path: Path) -> None:
    visit.on("dialog", lambda dialog: (_ for _ in ()).throw(AssertionError(dialog.message)))
    path = tmp_path / "games.jsonl"
    write_replays(path, [games.play("rule-based", "greedy", seed=5, names=HOSTILE), play(3)])
    visit.emulate_media(reduced_motion="reduce")
    visit.goto("/watch")
    visit.evaluate(DROP, [path.name, path.read_text()])
    visit.get_by_role("link", name="Game 1").click()
    expect(visit.locator("#count")).to_be_visible()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "End", "ArrowUp"):
        visit.keyboard.press(key)
    expect(visit.locator("#result")).to_be_hidden()
    now, last = map(int, re.findall(r"\d+", visit.locator("#count").inner_text()))
    for _ in range(last - now):
        visit.keyboard.press("ArrowRight")
    expect(visit.locator("#result")).to_contain_text(HOSTILE[0])
    expect(visit.locator(".hero.foe .who b")).to_have_text(HOSTILE[1])
    end = visit.evaluate("(({ game }) => game.address(game.last))(document.querySelector('cardrome-replay'))")
    expect(visit).to_have_url(re.compile(f"#{end}$"))  # a moment later
    shared = visit.url
    visit.keyboard.press("ArrowUp")
    expect(visit).not_to_have_url(shared)
    visit.goto(shared)
    visit.reload()
    expect(visit.locator("#result")).to_be_visible()
    visit.get_by_role("button", name="Analyse").click()
    expect(visit.locator("path.chance")).to_have_count(1)
    expect(visit.locator("#log .t p").first).to_contain_text("Better: ")
    expect(visit.get_by_role("button", name="Analyse")).to_have_count(0)
    expect(visit).to_have_url(shared)
    visit.locator("#back").click()
    expect(visit.get_by_role("heading", name="Games in games.jsonl")).to_be_visible()


def test_files_that_cannot_be_read_are_explained(browser: Browser, site: str, tmp_path: Path) -> None:
    photo = tmp_path / "photo.json"
    photo.write_bytes(b"\x89PNG")
    context = new_visitor(browser, site)
    page = context.new_page()
    page.goto("/watch?language=fr")
    page.locator("input[type=file]").set_input_files(photo)
    expect(page.get_by_role("status")).to_contain_text("Ce n’est pas un replay lisible par Cardrome.")
    page.evaluate(DROP, ["empty.json", ""])
    expect(page.get_by_role("status")).to_contain_text("Ce fichier est vide.")
    context.close()


def test_a_turn_after_the_end_is_the_end(visit: Page) -> None:
    visit.goto("/watch/locm-1.5#turn=99")
    expect(visit.locator("#result")).to_be_visible()
    last = visit.evaluate("(({ game }) => game.address(game.last))(document.querySelector('cardrome-replay'))")
    expect(visit).to_have_url(re.compile(f"#{re.escape(last)}$"))


def test_numbers_below_zero_have_a_minus_sign(visit: Page) -> None:
    visit.goto("/watch/locm-1.2#turn=8.2")
    visit.evaluate(
        """() => {
            const replay = document.querySelector("cardrome-replay"), [frame] = replay.game.frames.slice(-1);
            frame.sides[1] = { ...frame.sides[1], health: -3 };
            frame.deed.changes = [["health", 1, 2, -3]];
        }"""
    )
    visit.keyboard.press("End")
    expect(visit.locator(".hero.foe .big")).to_have_text("−3")
    expect(visit.locator(".hero.foe")).to_have_attribute("aria-label", re.compile("−3"))


def test_the_legend_names_whose_chances_are_shown(visit: Page) -> None:
    visit.goto("/watch/locm-1.2")
    visit.get_by_role("button", name="Analyse").click()
    told = visit.locator(".legend span", has_text="Chances of")
    told.wait_for()
    told.evaluate("(one) => { one.lastChild.textContent = 'Chances of search-fast'; }")
    assert told.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_a_game_can_be_played_on_from_a_moment_of_it(visit: Page) -> None:
    visit.goto("/watch/locm-1.2#turn=4.1")
    visit.locator("#play-from").click()
    expect(visit).to_have_url(re.compile(r"/play\?from=[0-9a-f]+&at=\d+$"))
    expect(visit.locator("main")).to_be_visible()


def test_the_viewer_changes_language_for_the_whole_site(visit: Page) -> None:
    visit.goto("/watch/locm-1.2#turn=4.1")
    visit.get_by_role("button", name="Français").click()
    expect(visit.get_by_role("button", name="Tour suivant")).to_be_visible()
    assert visit.url.endswith("#turn=4.1")
    visit.locator("#back").click()
    expect(visit.get_by_role("heading", name="Regarder une partie")).to_be_visible()
