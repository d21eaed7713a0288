"""Writes the reference part of docs/api.md: every public name with its signature and docstring.

Everything above the line ``## Reference`` is written by hand and stays. ``--print`` prints the page instead.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cardrome

PAGE = Path(__file__).with_name("api.md")
HEADING = "## Reference\n"
GROUPS = {
    "Games": ["new_game", "Position", "Game", "View", "Action", "Outcome", "Ending", "from_json", "to_json"],
    "Players and series": ["Agent", "play_series", "SeriesResult"],
    "Replays": ["read_replays", "write_replays"],
    "Editions and families": ["find_edition", "find_family", "families", "Family", "register"],
    "Errors": ["CardromeError", "IllegalAction", "InvalidPosition"],
}


def prose(docstring: str | None) -> str:
    """A docstring as Markdown, without its tests."""
    text = inspect.cleandoc(docstring or "").partition(">>>")[0]
    return text.replace("``", "`").strip()


def signature(function: Any) -> str:
    """A function's parameters; annotations without the quotes that postponing them brings."""
    text = re.sub(r"(?<=[:>] )'([^']*)'", r"\1", str(inspect.signature(function)))
    return re.sub(r"\(self(, )?", "(", text)


def attribute_docs(kind: type) -> dict[str, str]:
    """The texts that stand below a class's attributes."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    docs: dict[str, str] = {}
    for node, after in zip(body.body, [*body.body[1:], None], strict=True):
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [None])
        target = targets[0]
        if isinstance(target, ast.Name):
            told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            docs[target.id] = prose(str(after.value.value)) if told else ""  # type: ignore[union-attr]
    return docs


def members(kind: type) -> Iterator[tuple[str, str]]:
    """The public attributes, properties and methods that a class adds, each with its meaning."""
    docs = attribute_docs(kind)
    for name, doc in docs.items():
        if not name.startswith("_"):
            value = f" = {str(getattr(kind, name))!r}" if issubclass(kind, enum.Enum) else ""
            yield f"{name}{value}", doc
    for name, member in vars(kind).items():
        if name.startswith("_") or name in docs:
            continue
        if isinstance(member, property) or hasattr(member, "attrname"):
            yield name, prose(member.__doc__)
        elif inspect.isfunction(member):
            yield f"{name}{signature(member)}", prose(member.__doc__)


def entry(name: str) -> Iterator[str]:
    """The lines about one public name."""
    found: Any = getattr(cardrome, name)
    if not isinstance(found, type):
        yield from (f"#### {name}", "", f"```\n{name}{signature(found)}\n```", "", prose(found.__doc__), "")
        return
    bases = [base.__name__ for base in found.__bases__ if base.__name__ in cardrome.__all__]
    yield from (f"#### {name}" + (f", a {bases[0]}" if bases else ""), "", prose(found.__doc__), "")
    for member, doc in members(found):
        first, *rest = doc.split("\n\n")
        yield f"- `{member}`" + (f": {' '.join(first.split())}" if first else "")
        yield from (f"  {' '.join(each.split())}" for each in rest)
    yield ""


def reference() -> str:
    """The reference as Markdown."""
    lines = [HEADING, "Made from the docstrings by `python docs/make_api_page.py`; a test keeps it up to date.", ""]
    for group, names in GROUPS.items():
        lines += [f"### {group}", ""]
        for name in names:
            lines += entry(name)
    return "\n".join(lines).rstrip() + "\n"


def page() -> str:
    """The whole page."""
    return PAGE.read_text(encoding="utf-8").partition(HEADING)[0] + reference()


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(page(), end="")
    else:
        PAGE.write_text(page(), encoding="utf-8")
