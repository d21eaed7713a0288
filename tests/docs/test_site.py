"""The documentation as a site: every page has its place, every link and anchor leads somewhere, nothing is fetched."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name

from tests.paths import DOCS, ROOT

PAGES = {str(path.relative_to(DOCS).with_suffix("")): path for path in DOCS.rglob("*.md")}
ABOVE = {name: ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md")}


def build(source: Path, out: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    strict = ("--fail-on-warning", "--keep-going", "--quiet", "--no-color")
    command = [sys.executable, "-m", "sphinx", *strict, "-c", DOCS / "site", "-d", out / "read", source, out, *words]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages, read and linked. The theme takes longest, and makes HTML of some only: all look alike to it."""
    out = tmp_path_factory.mktemp("site")
    done = build(DOCS, out, "-b", "dummy")
    assert (done.returncode, done.stderr) == (0, "")
    done = build(DOCS, out, *(DOCS / f"{name}.md" for name in ("index", "play", "contributing", "changelog")))
    assert re.fullmatch("WARNING: search index .* not all documents will be built: .*\n", done.stderr)
    return out


def test_it_has_every_page_and_the_pages_above(site: Path) -> None:
    read = {str(path.relative_to(site / "read").with_suffix("")) for path in site.rglob("*.doctree")}
    assert set(PAGES) <= read
    assert "House rules" in (site / "contributing.html").read_text(encoding="utf-8")
    assert "0.2.0" in (site / "changelog.html").read_text(encoding="utf-8")


def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (*site.rglob("*.html"), *site.rglob("*.css"))]
    loaded = [
        found
        for page in pages
        for found in re.findall(r"(?:<script[^>]+src|<link[^>]+href|<img[^>]+src|url\()[=\"']*([^\"') >]+)", page)
    ]
    assert len(loaded) > 40
    for page in PAGES.values():
        loaded += re.findall(
            r"(?:!\[[^\]]*\]\(|<[^>]+\b(?:src|href)=[\"']?)([^\"') >]+)", page.read_text(encoding="utf-8")
        )
    assert [each for each in loaded if re.match(r"(https?:)?//", each)] == []


@pytest.mark.parametrize("name", PAGES | ABOVE)
def test_code_is_in_the_language_that_it_claims(name: str) -> None:
    text = (PAGES | ABOVE)[name].read_text(encoding="utf-8")
    for language, code in re.findall(r"^ *```(\w+)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        lexer = get_lexer_by_name(language)
        lexer.add_filter("raiseonerror")
        assert list(lexer.get_tokens(code)), "it would have been a warning of Sphinx, where it has colours"


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
