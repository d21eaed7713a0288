"""The automatic accessibility check of pages: axe-core, run inside the browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe().axe_script
THIN_OUT = """() => {
    for (const [alike, some] of [
        [".cardgrid > *, .pool .cell", 25], ["cardrome-example", 5], ["#log li", 7], [".examples > li", 4],
    ])
        for (const [number, each] of document.querySelectorAll(alike).entries()) if (number % some) each.remove();
    for (const each of document.querySelectorAll("svg.defs > *, svg g:not(:has(text))")) each.remove();
}"""
"""Of a hundred cards that are built alike a few are looked at, of each kind, and never at their pictures, which say
nothing: everything takes seconds."""
LOOK = """async () => {
    // preload: style sheets and sounds are fetched once more, for rules about sounds.
    const { violations } = await axe.run({ resultTypes: ["violations"], preload: false });
    return violations
        .filter(({ impact }) => ["serious", "critical"].includes(impact))
        .flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target}: ${node.failureSummary}`));
}"""


def assert_accessible(page: Page, leaving: bool = False) -> None:
    """Nothing on the page may be a serious obstacle to anyone: contrast, names, roles, focus.

    ``leaving``: the page is needed no longer, so most of what is there many times can be taken off it.
    """
    if leaving:
        page.evaluate(THIN_OUT)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(LOOK)
    assert not found, "\n".join([page.url, *found])
