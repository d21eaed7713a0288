"""The documentation as a site: every page has its place, every link and anchor leads somewhere, nothing is fetched."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import DOCS


def build(source: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    strict = ("--fail-on-warning", "--keep-going", "--quiet")
    words = [sys.executable, "-m", "sphinx", *strict, "-c", DOCS / "site", *options, source, out]
    return subprocess.run(list(map(str, words)), capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    done = build(DOCS, out)
    assert (done.returncode, done.stderr) == (0, "")
    return out


def test_it_has_every_page_and_the_pages_above(site: Path) -> None:
    made = {str(path.relative_to(site).with_suffix("")) for path in site.rglob("*.html")}
    assert {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")} <= made
    assert "House rules" in (site / "contributing.html").read_text(encoding="utf-8")
    assert "0.2.0" in (site / "changelog.html").read_text(encoding="utf-8")


def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (*site.rglob("*.html"), *site.rglob("*.css"))]
    loaded = [
        found
        for page in pages
        for found in re.findall(r"(?:<script[^>]+src|<link[^>]+href|<img[^>]+src|url\()[=\"']*([^\"') >]+)", page)
    ]
    assert len(loaded) > 100
    assert [each for each in loaded if re.match(r"(https?:)?//", each)] == []


def test_a_page_without_a_place_and_a_link_to_nowhere_are_errors(tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    (source / "index.md").write_text("# Home\n\n## Pages\n\n- [one](one.md)\n")
    (source / "one.md").write_text("# One\n\n[to](gone.md), [and](index.md#nothing)\n")
    (source / "lost.md").write_text("# Lost\n")
    done = build(source, tmp_path / "out", "-b", "dummy")
    assert done.returncode == 1
    for words in ("gone.md", "'nothing'", "lost.md: WARNING: document isn't included in any toctree"):
        assert words in done.stderr
