"""A real browser for the tests here: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.needs import needs

CHROMIUM = "chromium"
PATIENCE = 200_000


@pytest.fixture(scope="module", params=[pytest.param(CHROMIUM, marks=needs(CHROMIUM))])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which(request.param), args=arguments)
        yield browser
        browser.close()
