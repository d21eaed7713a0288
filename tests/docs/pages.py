"""The pages of the documentation, and the blocks of code in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.paths import DOCS, ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^|\n)\n((?: {4}\S.*\n)+)")
FILE = re.compile(r"# ([\w.-]+\.py)\n")


@dataclass(frozen=True)
class Block:
    """A block of code: its language (none if it has no name), its text, and the number of its first line."""

    language: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The file that a reader is told to save it as: the comment in its first line."""
        found = FILE.match(self.text)
        return found[1] if found else None


def name_of(path: Path) -> str:
    """A page's name, for messages and ids of tests."""
    return str(path.relative_to(ROOT))


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = path.read_text(encoding="utf-8")
    return [Block(each[2], each[3], text.count("\n", 0, each.start(3))) for each in FENCED.finditer(text)]


def command_lines(path: Path, languages: tuple[str, ...] = ("", "sh", "console")) -> Iterator[str]:
    """The lines of a page that call the program, indented blocks included."""
    texts = [block.text for block in blocks(path) if block.language in languages]
    outside = FENCED.sub("", path.read_text(encoding="utf-8"))
    for text in (*texts, *INDENTED.findall(outside)):
        for line in text.splitlines():
            if found := re.match(r"\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(cardrome .*)", line):
                yield found[1]
