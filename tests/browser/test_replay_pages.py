"""The pages of replays in a real browser: Debian's Chromium, driven by Playwright. Files, as a user opens them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cardrome.games.analysis import WORTH_TELLING
from cardrome.games.locm.analysis import analyse
from cardrome.games.locm.protocol.replay import LocmRecorder
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import find_edition
from cardrome.games.replays import ProcessEnd
from cardrome.web.replay import replay_page
from tests.arena import games
from tests.browser.conftest import PATIENCE
from tests.games.tapdeck.protocol.scripted import play

NAMES = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>")


def draft(names: tuple[str, str] = NAMES) -> str:
    return replay_page(games.play("rule-based", "greedy", seed=5, names=names))


def constructed() -> str:
    return replay_page(games.play("rule-based", "greedy", "locm-1.5", seed=5, names=NAMES))


def one_lane() -> str:
    return replay_page(games.play("rule-based", "greedy", "locm-1.0", seed=5, names=NAMES))


def tapdeck() -> str:
    return replay_page(play(3, players=NAMES))


PAGES: dict[str, Callable[[], str]] = {"draft": draft, "constructed": constructed, "lane": one_lane, "tapdeck": tapdeck}
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, found = tmp_path_factory.mktemp("pages"), {}
    for name, make in PAGES.items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(make(), encoding="utf-8")
    return found


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens pages. Whatever the browser complains about fails the test."""
    complaints: list[str] = []
    opened: list[Page] = []

    def open_file(path: Path, moment: str = "", width: int = 1280, height: int = 800, **context: str | bool) -> Page:
        page = browser.new_page(viewport={"width": width, "height": height}, **{"locale": "en-GB", **context})  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda asked: None if asked.url.startswith("file:") else complaints.append(asked.url))
        page.goto(path.as_uri() + moment)
        opened.append(page)
        return page

    yield open_file
    for page in opened:
        page.close()
    assert complaints == []


def step(page: Page) -> tuple[int, int]:
    now, last = re.findall(r"\d+", page.locator("#count").inner_text())
    return int(now), int(last)


def sideways(page: Page) -> int:
    """How far anything sticks out of the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


WATCH = """(steps) => Array.from({ length: steps }, () => {
    const text = (selector) => document.querySelector(selector).textContent;
    const seen = { count: text("#count"), said: text("#caption"), players: text(".rail"),
        marked: document.querySelectorAll("#log .now").length, over: !document.querySelector("#result").hidden };
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    return seen;
})"""


@pytest.mark.parametrize("name", PAGES)
def test_a_game_is_watched_to_its_end_by_keyboard(open_page: Open, files: dict[str, Path], name: str) -> None:
    page = open_page(files[name], reduced_motion="reduce")
    first, last = step(page)
    assert first == 1
    if name != "draft":  # one game from its beginning, the last turns of the others
        first = last - 30
        page.locator("#log button").nth(first - 1).evaluate("(button) => button.click()")
    # All keys at once: waiting for each picture would take most of the time.
    steps = page.evaluate(WATCH, last - first + 1)
    assert [each["count"] for each in steps] == [f"{number} of {last}" for number in range(first, last + 1)]
    assert [each["over"] for each in steps] == [False] * (last - first) + [True]
    assert {each["marked"] for each in steps} == {1}
    assert len({each["said"] + each["players"] for each in steps}) > len(steps) // 2
    assert "wins" in page.locator("#result").inner_text()
    for text in NAMES:
        assert text in page.locator("h1").inner_text()
        expect(page.locator(".hero .who b", has_text=text)).to_have_count(1)
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2

    # Nothing sticks out sideways.
    widths = (390, 800, 1280, 1600)
    for moment, some in (("the end", widths), ("#turn=7.1", widths), ("#draft=9", (1280, 390))):
        if moment.startswith("#"):
            page.evaluate(f"location.hash = '{moment}'")
        else:
            expect(page.locator("#result")).to_be_visible()
        for width in some:
            page.set_viewport_size({"width": width, "height": 844})
            assert sideways(page) <= 0, (width, moment)


DECK_MOVES_ON = """(last) => {
    const [, second] = document.querySelectorAll(".river .card"), { dataset } = document.querySelector(".river");
    const { top } = dataset, key = () => new KeyboardEvent("keydown", { key: "ArrowRight" });
    for (let step = 0; step < last && dataset.top === top; step++) document.dispatchEvent(key());
    return dataset.top !== top && document.querySelector(".river .card") === second;
}"""


@pytest.mark.parametrize("name", ["draft", "tapdeck"])
def test_keys_buttons_and_the_address(open_page: Open, files: dict[str, Path], name: str) -> None:
    page = open_page(files[name], **({"reduced_motion": "reduce"} if name == "draft" else {}))
    last = step(page)[1]
    for key, expected in (("End", last), ("ArrowLeft", last - 1), ("ArrowRight", last), ("Home", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        assert step(page)[0] == expected
    if name == "tapdeck":
        assert page.evaluate(DECK_MOVES_ON, last), "the cards of the deck are drawn anew"
    page.keyboard.press("End")
    for button, expected in (("#first", 1), ("#next", 2), ("#previous", 1), ("#last", last)):
        page.locator(button).click()
        assert step(page)[0] == expected
    page.keyboard.press("ArrowUp")
    assert 1 < step(page)[0] < last
    turn = page.locator(".turnmark b").inner_text()
    expect(page).to_have_url(re.compile(rf"#turn={turn}$"))  # a moment later: until then it is that of an earlier step
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(rf"#turn={turn}\.1$"))
    page.evaluate("location.hash = '#turn=2.1'")
    expect(page.locator(".turnmark b")).to_have_text("2")
    there = step(page)[0]
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("#turn=2$"))
    again = open_page(files[name], "#turn=2.1")
    assert step(again)[0] == there
    for address, expected in (("#turn=999", last), ("#nowhere", 1)):
        page.evaluate(f"location.hash = '{address}'")
        expect(page.locator("#count")).to_have_text(f"{expected} of {last}")


def test_playing_goes_on_by_itself_and_stops(open_page: Open, files: dict[str, Path]) -> None:
    page = open_page(files["draft"])
    page.keyboard.press("End")
    last = step(page)[1]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="4×").click()
    page.locator("h1").evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.locator("#count")).to_have_text(f"{last} of {last}")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator("#result")).to_be_visible()


def test_log_and_timeline_lead_to_moments(open_page: Open, files: dict[str, Path]) -> None:
    page = open_page(files["draft"], "#turn=3")
    button = page.locator("#log button").nth(50)
    button.click()
    assert step(page)[0] == 51
    assert button.get_attribute("aria-current") == "step"
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 20)
    now, last = step(page)
    assert now == last == int(slider.get_attribute("aria-valuemax") or 0) + 1
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 1, box["y"] + 20)
    page.mouse.up()
    assert step(page)[0] == 1


def test_cards_can_be_read_and_hands_closed(open_page: Open, files: dict[str, Path]) -> None:
    page = open_page(files["draft"], "#turn=4")
    card = page.locator(".hand.me .card").first
    name = (card.get_attribute("aria-label") or "").partition(",")[0]
    card.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".peek")).to_be_visible()
    expect(page.locator(".peek .cd-name")).to_have_text(name)
    page.keyboard.press("Escape")
    expect(page.locator(".peek")).to_be_hidden()
    assert page.locator(".card-back").count() == 0
    page.keyboard.press("o")
    far = page.locator(".hand.foe")
    assert far.locator(".card-back").count() == far.locator(".card").count() > 0
    assert page.locator(".hand.me .card-back").count() == 0


def test_the_languages(open_page: Open, files: dict[str, Path]) -> None:
    page = open_page(files["tapdeck"], "#turn=3", locale="fr-FR")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("button", name="Tour suivant")).to_be_visible()
    assert "carte" in page.locator(".left").inner_text().lower()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("button", name="Next turn")).to_be_visible()
    expect(page).to_have_url(re.compile("#turn=3$"))
    assert "card" in page.locator(".left").inner_text().lower()
    page.reload()
    expect(page.get_by_role("button", name="Next turn")).to_be_visible()


def test_faults_and_what_bots_said(open_page: Open, tmp_path: Path) -> None:
    transcript = LocmRecorder(find_edition("locm-1.2"), LocmDeal(5), ("Ann", "Bob"))
    for call in games.play_locm("rule-based", "greedy", seed=5).calls[:60]:
        assert call.answer is not None
        transcript.answer(call.answer)
    transcript.answer("SUMMON 99 0 <b>hm</b>", 12)
    transcript.answer("<script>alert(3)</script>")
    path = tmp_path / "faults.html"
    path.write_text(
        replay_page(transcript.replay((ProcessEnd(0), ProcessEnd(1, None, "<i>out of ideas</i>")))), "utf-8"
    )
    page = open_page(path)
    assert page.locator("#fault").inner_text() == "2"
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile(r"#turn=0\.1$"))
    line = page.locator("#log .now").inner_text()
    assert "SUMMON 99 0 <b>hm</b>" in line
    assert "not in hand" in line
    assert "12 ms" in page.locator("#log").inner_text()
    page.locator("#fault").click()
    assert "<script>alert(3)</script>" in page.locator("#log .now").inner_text()
    assert "Ann wins" in page.locator("#result").inner_text()
    page.get_by_role("button", name="Bots").click()
    assert "<i>out of ideas</i>" in page.locator(".bots pre").inner_text()


def test_an_analysed_game_shows_how_its_chances_changed(
    open_page: Open, files: dict[str, Path], tmp_path: Path
) -> None:
    """Page data may carry an `evaluation`: the first player's chance at each frame, or at the start of each turn."""
    text = files["draft"].read_text(encoding="utf-8")
    found = re.search(r'(?<=id="replay">).*?(?=</script>)', text, re.S)
    assert found is not None
    data = json.loads(found[0])
    turns = sum(frame.get("deed", {}).get("kind") == "turn" for frame in data["frames"])
    data["evaluation"] = [0.5, *[None] * (turns - 2), 1.0]
    path = tmp_path / "analysed.html"
    path.write_text(text.replace(found[0], json.dumps(data).replace("<", "\\u003c")), encoding="utf-8")
    page = open_page(path)
    expect(page.locator(".scrub > svg > path.chance")).to_have_count(1)
    points = re.findall(r"([\d.]+) ([\d.]+)", page.locator("path.chance").get_attribute("d") or "")
    assert [float(y) for _, y in points] == [34, 0]  # from even chances to a win
    assert float(points[0][0]) > 0  # turns begin after the draft
    expect(page.locator(".legend")).to_contain_text(f"Chances of {NAMES[0]}")
    assert open_page(files["draft"]).locator(".chance").count() == 0


def test_a_real_analysis_reaches_the_page(open_page: Open, tmp_path: Path) -> None:
    replay = games.play_locm("rule-based", "greedy", seed=5, names=NAMES)
    analysis = analyse(replay, "search-fast")
    path = tmp_path / "analysed.html"
    path.write_text(replay_page(replay, analysis), encoding="utf-8")
    page = open_page(path)
    points = re.findall(r"([\d.]+) ([\d.]+)", page.locator("path.chance").get_attribute("d") or "")
    heights = [round((1 - chance) * 68, 1) for chance in analysis.curve().values()]
    assert [float(y) for _, y in points] == pytest.approx(heights, abs=0.11)
    worst = analysis.worst(1)[0]
    line = page.locator("#log .t", has_text=re.compile(rf"^{worst.turn} · "))
    expect(line).to_contain_text(f"−{100 * worst.cost:.0f} points")
    expect(line.locator("p")).to_have_text(re.compile(r"^Better: .*\b(attacks|lane|on)\b"))
    expect(line.locator("p")).to_have_attribute("title", "; ".join(move.action for move in worst.preferred))
    assert page.locator("#log .t p").count() == sum(turn.cost >= WORTH_TELLING for turn in analysis.turns)


def test_a_phone(open_page: Open, files: dict[str, Path]) -> None:
    page = open_page(files["draft"], "#turn=4", 390, 844, has_touch=True, is_mobile=True, reduced_motion="reduce")
    before = step(page)[0]
    page.locator(".boardbox").evaluate(
        """(element) => { for (const [name, x] of [["touchstart", 300], ["touchend", 200]]) {
            const touch = new Touch({ identifier: 1, target: element, clientX: x, clientY: 400 });
            const touches = name === "touchstart" ? [touch] : [];
            element.dispatchEvent(new TouchEvent(name, { bubbles: true, touches, changedTouches: [touch] }));
        } }"""
    )
    assert step(page)[0] == before + 1
    page.locator(".hand.me .card").first.tap()
    expect(page.locator(".peek")).to_be_visible()
    page.locator(".peek").evaluate("document.body.click()")
    page.keyboard.press("Escape")
    page.locator(".mini").tap()
    expect(page.locator("#log .now")).to_be_visible()
