"""Make the pictures of the site, in docs/images: all of them, or those that are named.

::

    python docs/make_pictures.py
    python docs/make_pictures.py play scoreboard

Needs the extra ``dev`` and Chromium. The pages are real: a site, a tournament and an event of agents, run for the
occasion. Look at what comes out.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
PROGRAM = [sys.executable, "-m", "cardrome"]
TEAMS = {
    "Nine-Lives": "search-fast",
    "Owl&Co": "rule-based",
    "Café-Binaire": "rule-based",
    "Kraken-Club": "greedy",
    "Mana-Leak": "greedy",
    "Lucky-Seven": "random",
}
"""Who plays in the event, by which agent."""
CUP = """[tournament]
name = "The house cup"
editions = ["locm-1.2"]
schedule = "round-robin"
pairs = 60
seed = 7
"""
EVENT = '[event]\nname = "Winter Card Cup"\ntournaments = 6\n\n[server]\nturn_seconds = 0.4\n'


class Studio:
    """A browser, and the site that it looks at."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.site = ""

    @contextlib.contextmanager
    def page(self, width: int, height: int, **options: Any) -> Iterator[Page]:
        """A page that stands still."""
        size: Any = {"width": width, "height": height}
        options = {"reduced_motion": "reduce", "locale": "en-GB", **options}
        with self.browser.new_context(base_url=self.site, viewport=size, **options) as context:
            yield context.new_page()

    def keep(self, page: Page, name: str) -> None:
        """What the page shows, as a picture of the documentation."""
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(500)
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        picture.save(IMAGES / f"{name}.webp", quality=82, method=6)
        print(f"wrote {IMAGES / name}.webp")


def run(*words: object, folder: Path) -> str:
    """What a command prints."""
    return subprocess.run(
        [*PROGRAM, *map(str, words)], cwd=folder, check=True, text=True, stdout=subprocess.PIPE
    ).stdout


@contextlib.contextmanager
def serving(folder: Path, *words: object) -> Iterator[str]:
    """A command that serves, and the address of its page."""
    command = [*PROGRAM, *map(str, words)]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield next(found[0] for line in server.stdout if (found := re.search(r"http://[\w.:\[\]]+", line)))
        finally:
            server.terminate()


def home(studio: Studio) -> None:
    """The first page, a tournament on it."""
    with studio.page(1280, 800, reduced_motion="no-preference") as page:
        page.goto("/")
        page.wait_for_timeout(20_000)  # into the game that plays by itself
        studio.keep(page, "home")


def play(studio: Studio) -> None:
    """A battle: an attacker is chosen, the pointer at its target."""
    with studio.page(1200, 750, color_scheme="dark") as page:
        page.goto("/play?edition=locm-1.2")
        page.locator("label", has=page.locator("[value=greedy]")).locator("visible=true").click()
        page.locator("label", has=page.locator("[name=seat][value='0']")).click()
        page.locator("[name=seed]").fill("7")
        page.locator(".start").click()
        page.locator("#do-complete").click()
        page.locator("#do-end").wait_for()
        attackers, targets = page.locator(".lane .is-playable"), page.locator(".lane .card.is-target")
        for _ in range(200):
            idle(page)
            if attackers.count() and page.locator(".lane .card").count() >= 5:
                attackers.first.click()
                if targets.count():
                    targets.first.hover()
                    studio.keep(page, "play")
                    return
                page.keyboard.press("Escape")
            playable = page.locator(".hand.me .is-playable")
            if not playable.count():
                page.locator("#do-end").click()
                continue
            playable.first.click()
            page.locator(".board .is-target, .aim, [data-player].is-target").first.click()
    raise SystemExit("no battle came to a moment worth showing: change the seed")


def idle(page: Page) -> None:
    """Wait until the server has answered, and all of the answer is shown."""
    page.locator("cardrome-table:not([aria-busy=true])").wait_for()


def replay(studio: Studio) -> None:
    """A recorded game."""
    with studio.page(1280, 800) as page:
        page.goto("/watch/locm-1.2#turn=8.2")
        page.locator("#count").wait_for()
        studio.keep(page, "replay")


def analysis(studio: Studio) -> None:
    """The game of the tutorial, at a win that was missed."""
    game = studio.folder / "game.json"
    run("replay", "record", "greedy", "rule-based", "--seed", 18, "--out", game, folder=studio.folder)
    run("analyse", game, "--html", "game.html", folder=studio.folder)
    with studio.page(1280, 800) as page:
        page.goto(f"{(studio.folder / 'game.html').as_uri()}#turn=14.2")
        page.locator("path.chance").wait_for()
        studio.keep(page, "analysis")


def tournament(studio: Studio) -> None:
    """Standings and matrix."""
    with studio.page(1200, 750) as page:
        page.goto("/tournaments/cup")
        page.locator("[role=grid], table, .matrix").first.wait_for()
        studio.keep(page, "tournament")


def cards(studio: Studio) -> None:
    """Generated cards, in French and in the dark."""
    with studio.page(1280, 800, color_scheme="dark") as page:
        page.goto("/cards?edition=locm-1.5&seed=3&language=fr")
        page.locator(".card").first.wait_for()
        studio.keep(page, "cards")


def rulebook(studio: Studio) -> None:
    """A worked example of a rulebook, at its end."""
    with studio.page(1100, 773) as page:
        page.goto("/rules/locm-1.5#area")
        page.locator(".lane .card").locator("visible=true").first.wait_for()
        studio.keep(page, "rulebook")


def scoreboard(studio: Studio) -> None:
    """A live event in its third tournament."""
    (studio.folder / "event.toml").write_text(EVENT)
    said = run("host", "accounts", "add", "event.toml", *TEAMS, folder=studio.folder)
    passwords = dict(line.rsplit(" ", 1) for line in said.splitlines())
    words = ["host", "event.toml", "--plain", "--port", 0, "--page-port", 0]
    command = [*PROGRAM, *map(str, words)]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(subprocess.Popen(command, cwd=studio.folder, stdout=subprocess.PIPE, text=True))
        stack.callback(server.terminate)
        assert server.stdout is not None
        said = ""
        while "standings: " not in said:
            said += server.stdout.readline()
        port = re.findall(r"port (\d+)", said)[0]
        quiet = subprocess.DEVNULL
        page_address = re.findall(r"standings: (\S+)", said)[0]
        for team, agent in TEAMS.items():
            join = [*PROGRAM, "join", f"localhost:{port}", "--login", team, "--agent", agent, "--jobs", "1"]
            environment = {**os.environ, "CARDROME_PASSWORD": passwords[team]}
            player = stack.enter_context(subprocess.Popen(join, env=environment, stdout=quiet, stderr=quiet))
            stack.callback(player.terminate)
        while "tournament 3 begins" not in said:
            said += server.stdout.readline()
        with studio.page(1400, 788, color_scheme="dark") as page:
            page.goto(f"{page_address}live")
            page.wait_for_timeout(12_000)  # into the battle
            studio.keep(page, "scoreboard")


PICTURES: dict[str, Callable[[Studio], None]] = {
    each.__name__: each for each in (home, play, replay, analysis, tournament, cards, rulebook, scoreboard)
}


def main() -> None:
    """Make the pictures that the command line names."""
    wanted = sys.argv[1:] or list(PICTURES)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        agents = ("search-fast", "rule-based", "greedy", "random", "pass")
        bots = "".join(f'\n[[bots]]\nname = "{name}"\nagent = "{name}"\n' for name in agents)
        (folder / "cup.toml").write_text(CUP + bots)
        run("tournament", "cup.toml", folder=folder)
        playwright = stack.enter_context(sync_playwright())
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        studio = Studio(playwright.chromium.launch(executable_path=chromium, args=arguments), folder)
        studio.site = stack.enter_context(serving(folder, "web", "--port", 0, "--no-open", "--store", "cup.db"))
        for name in wanted:
            PICTURES[name](studio)
        studio.browser.close()


if __name__ == "__main__":
    main()
