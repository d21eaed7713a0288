"""The documentation as a static site: `make docs` builds it from the Markdown in docs/, with Sphinx.

The pages are plain Markdown that reads as well in a checkout as on the site. What a site needs besides is made here:
the navigation is read off docs/index.md, README's siblings become pages, and links to sources become their text.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]

project = "Cardrome"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
author = "The Cardrome authors"
copyright = author

extensions = ["myst_parser"]
exclude_patterns = ["site"]
source_suffix = {".md": "markdown"}
highlight_language = "none"
myst_heading_anchors = 4
nitpicky = True

html_theme = "furo"
html_title = f"Cardrome {release}"
html_logo = html_favicon = "static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_permalinks_icon = "#"
pygments_style = "friendly"
pygments_dark_style = "github-dark"


# Colours and fonts are those of the arena's own pages; cardrome.css gives them to the theme.
html_static_path = ["static", "../../cardrome/web/static/tokens.css"]
html_css_files = ["tokens.css", "cardrome.css"]

# Pages whose text stands above docs/, beside README.
ABOVE = {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}

SECTION = re.compile(r"^## (.+)\n((?:(?!^## ).*\n)*)", re.MULTILINE)
PAGE_LINK = re.compile(r"\]\(([\w/.-]+)\.md\)")
FILE_NAME = re.compile(r"\[(?:[\w-]+/)*[\w-]+\.md\](?=\([^)]+\.md(?:#[^)]*)?\))")
OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+(?:cardrome|examples|tests|README|CITATION|LICENSE)[^)]*\)")


def toctrees(index: str) -> str:
    """The navigation: a tree for each section of the index, with the pages that it links to."""
    trees = []
    for caption, text in SECTION.findall(index):
        if pages := PAGE_LINK.findall(text):
            listed = "\n".join(dict.fromkeys(pages))
            trees.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n")
    return "\n".join(trees)


def for_the_site(app: Sphinx, page: str, content: list[str]) -> None:
    """The text of a page, as the site has it."""
    text = content[0]
    if page in ABOVE:
        path = ROOT / ABOVE[page]
        app.env.note_dependency(str(path))
        text = re.sub(r"\]\((?:docs/)?", "](", path.read_text(encoding="utf-8"))
    if page == "index":
        text += "\n" + toctrees(text)
    for name, above in ABOVE.items():
        text = re.sub(rf"\]\((?:\.\./)*{re.escape(above)}", f"]({'../' * page.count('/')}{name}.md", text)
    # Files are named by their names in a checkout, by their titles here.
    content[0] = FILE_NAME.sub("[]", OUTSIDE.sub(r"\1", text))


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", for_the_site)
