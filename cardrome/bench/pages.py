"""How heavy the pages of the site are, how soon there is something to see, and how smoothly a long game is watched.

    python -m cardrome.bench.pages

serves the site on a free port, opens each page in Chromium as somebody who was never here, and prints what was
transferred and when the first card, or else the title, stood on the page. Then it steps through a game of 120 turns,
and plays it at the highest speed. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = (
    "/",
    "/play",
    "/watch",
    "/watch/locm-1.2",
    "/watch/locm-1.5",
    "/watch/tapdeck",
    "/tournaments",
    "/cards",
    "/rules",
)

_WEIGHT = """() => {
    const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const sum = (key) => all.reduce((total, entry) => total + entry[key], 0);
    return [all.length, sum("transferSize"), sum("decodedBodySize")];
}"""

_STEPS = """async () => {
    const viewer = document.querySelector("cardrome-replay"), scripted = [], laid = [];
    document.querySelector("[data-speed='4']").click();
    while (viewer.querySelector("#next").ariaDisabled !== "true") {
        const began = performance.now();
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
        scripted.push(performance.now() - began);
        viewer.getBoundingClientRect();  // styles and layout
        laid.push(performance.now() - began);
        await new Promise((done) => requestAnimationFrame(done));
    }
    return [scripted, laid];
}"""

_PLAYING = """async (seconds) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done)), frames = [];
    document.querySelector("#first").click();
    document.querySelector("#play").click();
    let before = await frame();
    for (const end = before + 1000 * seconds; before < end;) {
        const now = await frame();
        frames.push(now - before);
        before = now;
    }
    return frames;
}"""


@dataclass(frozen=True)
class Weight:
    page: str
    requests: int
    sent: int
    unpacked: int
    seen_ms: float


def weigh(browser: Browser, address: str, page: str, rounds: int) -> Weight:
    """Open a page a few times, each time as a new visitor; the best time counts."""
    found = []
    for _ in range(rounds):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, base_url=address)
        tab = context.new_page()
        tab.goto(page, wait_until="commit")
        drawn = ".card svg" if page.startswith("/watch/") or page == "/cards" else "h1"
        tab.wait_for_selector(drawn, state="attached")
        seen = tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))")
        tab.wait_for_load_state("networkidle")
        requests, sent, unpacked = tab.evaluate(_WEIGHT)
        found.append(Weight(page, requests, sent, unpacked, seen))
        context.close()
    return min(found, key=lambda weight: weight.seen_ms)


def long_game() -> bytes:
    """A replay with 120 turns and a crowded board."""
    from cardrome.arena.play import play_one
    from cardrome.arena.players.player import BotSettings, parse_player
    from cardrome.games.family import find_family
    from cardrome.games.replay_files import encode_replay

    family = find_family("tapdeck")
    edition: Any = dataclasses.replace(family.editions["tapdeck"], turns=120, initial_health=1000)
    specs = parse_player("greedy", family, 0), parse_player("greedy", family, 1)
    return encode_replay(play_one(edition, specs, family.deal(edition, {"seed": "7"}), 0, BotSettings()))


def watch_long_game(browser: Browser, address: str, seconds: float) -> Iterator[str]:
    """Step through a long game, then play it for some seconds; what each step and each frame took."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, base_url=address)
    sent = context.request.post("/watch/files?name=long.json", data=long_game(), headers={"Origin": address})
    tab = context.new_page()
    tab.goto(sent.json()["address"])
    tab.wait_for_selector(".card svg", state="attached")
    scripted, laid = tab.evaluate(_STEPS)
    turns = tab.locator(".turnmark b").inner_text()
    yield f"a game of {turns} turns, {len(laid)} steps"
    yield f"  script of a step           {_spread(scripted)}"
    yield f"  with styles and layout     {_spread(laid)}"
    frames = tab.evaluate(_PLAYING, seconds)
    slow = sum(frame > 25 for frame in frames)
    yield f"  frames while playing at 4×  {_spread(frames)}; {slow} of {len(frames)} came late"
    context.close()


def _spread(times: list[float]) -> str:
    ordered = sorted(times)
    median, most, worst = (ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99, 1))
    return f"median {median:.1f} ms, 99% within {most:.1f} ms, longest {worst:.1f} ms"


@contextmanager
def _browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        yield browser
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="how long the long game is played")
    parser.add_argument("pages", nargs="*", default=PAGES)
    options = parser.parse_args()
    command = [sys.executable, "-m", "cardrome", "web", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+?(?=/? )", server.stdout.readline())
            assert found is not None, "the site did not start"
            print(f"{'page':<20} {'requests':>8} {'kB sent':>8} {'kB':>8} {'first view':>11}")
            for page in options.pages:
                with _browser() as browser:  # a new one, which has nothing in its memory
                    each = weigh(browser, found[0], page, options.rounds)
                kilobytes = f"{each.sent / 1000:>8.1f} {each.unpacked / 1000:>8.1f}"
                print(f"{each.page:<20} {each.requests:>8} {kilobytes} {each.seen_ms:>8.0f} ms", flush=True)
            with _browser() as browser:
                for line in watch_long_game(browser, found[0], options.seconds):
                    print(line, flush=True)
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
