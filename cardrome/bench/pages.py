"""How heavy the pages of the site are, and how soon there is something to see.

    python -m cardrome.bench.pages

serves the site on a free port, opens each page in Chromium as somebody who was never here, and prints what was
transferred and when the first card, or else the title, stood on the page. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Weight:
    page: str
    requests: int
    sent: int
    unpacked: int
    seen_ms: float


def weigh(address: str, page: str, rounds: int) -> Weight:
    """Open a page a few times, each time as a new visitor; the best time counts."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
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
        browser.close()
    return min(found, key=lambda weight: weight.seen_ms)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3)
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
                each = weigh(found[0], page, options.rounds)
                kilobytes = f"{each.sent / 1000:>8.1f} {each.unpacked / 1000:>8.1f}"
                print(f"{each.page:<20} {each.requests:>8} {kilobytes} {each.seen_ms:>8.0f} ms", flush=True)
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
