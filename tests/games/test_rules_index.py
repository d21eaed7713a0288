"""docs/rules-index.md names every rule, and names nothing that does not exist."""

from __future__ import annotations

import ast
import functools
import re

import pytest

from tests.paths import ROOT

INDEX = (ROOT / "docs" / "rules-index.md").read_text(encoding="utf-8")
ROWS = [line for line in INDEX.splitlines() if line.startswith("| ") and "::" in line]
INDEXED = [
    *(
        f"locm/rules/{module}.py"
        for module in ("edition", "actions", "battle", "legal", "deckbuilding", "cardgen", "view", "deal")
    ),
    *(f"tapdeck/rules/{module}.py" for module in ("actions", "turn", "legal", "state", "deckgen", "scoring")),
]

FUNCTION = re.compile(r"`(cardrome/[\w/]+\.py):([\w.]+)`")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
LINK = re.compile(r"\[`([\w/.]+\.py)::?[\w.]+`\]\(([^)]+)\)")


@functools.cache
def defined(path: str) -> set[str]:
    """The functions of a file, methods as ``Class.name``."""
    names = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return names


@functools.cache
def kernels(path: str) -> list[str]:
    """The rules of a file: its functions under ``@kernel``, ``@large_kernel`` or ``@shared_kernel``."""
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    marks = {"kernel", "large_kernel", "shared_kernel"}
    return [f.name for f in functions if marks & set(map(ast.unparse, f.decorator_list))]


def test_the_index_can_be_read() -> None:
    assert len(ROWS) > 110
    assert all(len(FUNCTION.findall(row)) == 1 and TEST.search(row) for row in ROWS)
    assert all(row.count(" | ") == 2 for row in ROWS)


@pytest.mark.parametrize("path", sorted({path for path, _ in FUNCTION.findall(INDEX)}))
def test_functions_exist(path: str) -> None:
    assert {name for where, name in FUNCTION.findall(INDEX) if where == path} <= defined(path)


@pytest.mark.parametrize("path", sorted({path for path, _ in TEST.findall(INDEX)}))
def test_tests_exist(path: str) -> None:
    named = {name for where, name in TEST.findall(INDEX) if where == path}
    assert named <= defined(path)
    assert all(name.startswith("test_") for name in named)


def test_links_lead_to_what_they_name() -> None:
    links = LINK.findall(INDEX)
    assert len(links) >= 2 * len(ROWS)
    assert all(target == f"../{name}" for name, target in links)


@pytest.mark.parametrize("module", INDEXED)
def test_every_rule_is_listed(module: str) -> None:
    path = f"cardrome/games/{module}"
    listed = {name for where, name in FUNCTION.findall(INDEX) if where == path}
    assert kernels(path)
    assert [name for name in kernels(path) if name not in listed] == []
