"""A real browser for the tests here, Debian's Chromium driven by Playwright, and the real site for it to look at."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.needs import needs

CHROMIUM = "chromium-headless-shell" if shutil.which("chromium-headless-shell") else "chromium"
"""Without windows if possible, which takes a third of the time."""
PATIENCE = 200_000
UNPAINTED = "--force-gpu-mem-available-mb=0"
"""No memory for pixels, so none are computed: cards are made of many shapes, and painting them takes a quarter of all
time. Pages are laid out, clicked and checked as ever; only a screenshot would be white."""


@pytest.fixture(scope="package", params=[pytest.param(CHROMIUM, marks=needs(CHROMIUM))])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    # For this package, and no longer: while it is open, no other test of this process can run an event loop.
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        arguments = [UNPAINTED, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=shutil.which(request.param), args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `cardrome web`, a process of its own for all tests: ``http://127.0.0.1:PORT``."""
    folder = tmp_path_factory.mktemp("site")
    log = folder / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "cardrome", "web", "--port", "0", "--no-open"],
            env={**os.environ, "XDG_DATA_HOME": str(folder)},
            stdout=subprocess.PIPE,
            stderr=output,
            text=True,
        )
    assert server.stdout is not None
    with server:
        try:
            found = re.search(r"http://[\d.:]+", server.stdout.readline())
            assert found is not None, log.read_text()
            yield found[0]
        finally:
            server.terminate()
    assert "Traceback" not in log.read_text()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Page]:
    """A page of a new visitor, for whom addresses begin at the site's home; nothing may go wrong in its console."""
    context = new_visitor(browser, site)
    page = context.new_page()
    problems = listen_for_problems(page)
    yield page
    context.close()
    assert problems == []


def new_visitor(browser: Browser, site: str, **options: object) -> BrowserContext:
    """A visitor with cookies and storage of their own. Options are those of Playwright's `new_context`."""
    context = browser.new_context(base_url=site, **{"locale": "en-GB", **options})  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    return context


def listen_for_problems(page: Page) -> list[str]:
    """Errors and warnings of a page, as they come: console, exceptions, requests that failed."""
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("requestfailed", lambda request: problems.append(f"{request.url}: {request.failure}"))
    return problems
