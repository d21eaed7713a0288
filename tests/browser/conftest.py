"""A real browser for the tests here: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
available = [CHROMIUM] if CHROMIUM.exists() else []
"""The parameter of all these tests: CI has the browser."""

PATIENCE = 30_000


@pytest.fixture(scope="module", params=available, ids=["chromium"] * len(available))
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=request.param, args=arguments)
        yield browser
        browser.close()
