"""The automatic accessibility check of pages: axe-core, run inside the browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe()
BAD = ("serious", "critical")
SAMPLE = """() => {
  for (const parent of document.querySelectorAll("body *"))
    [...parent.children].forEach((child, n) => child.toggleAttribute("data-alike", n > 16 && n % 8 > 0));
}"""
"""Of a long list, which is drawn by a loop, every eighth element is looked at: a second for a thousand colours."""


def assert_accessible(page: Page) -> None:
    """Nothing on the page may be a serious obstacle to anyone: contrast, names, roles, focus."""
    page.evaluate(SAMPLE)
    found = AXE.run(page, {"exclude": [["[data-alike]"]]}).response["violations"]
    assert [
        f"{page.url}: {violation['id']} at {', '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found
        if violation["impact"] in BAD
        for node in violation["nodes"]
    ] == []
