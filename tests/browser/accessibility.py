"""The automatic accessibility check of pages: axe-core, run inside the browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe()
BAD = ("serious", "critical")
MANY_ALIKE = {"exclude": [[".cardgrid > :nth-child(n + 25)"]]}
"""Of a page of 160 cards the first ones are looked at: all of them take seconds."""


def assert_accessible(page: Page) -> None:
    """Nothing on the page may be a serious obstacle to anyone: contrast, names, roles, focus."""
    found = AXE.run(page, MANY_ALIKE, {"resultTypes": ["violations"]}).response["violations"]
    assert [
        f"{page.url}: {violation['id']} at {', '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found
        if violation["impact"] in BAD
        for node in violation["nodes"]
    ] == []
