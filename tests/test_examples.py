"""The documentation's examples run, and print what the pages say they print."""

from __future__ import annotations

import doctest
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cardrome
from tests.arena.games import play
from tests.paths import DOCS, ROOT

PAGES = [
    "README.md",
    "docs/api.md",
    "docs/envs.md",
    *(f"docs/envs/{path.name}" for path in sorted((DOCS / "envs").glob("*.md"))),
    "docs/envs-pettingzoo.md",
    "docs/language-models.md",
    "docs/openspiel.md",
    "docs/replays.md",
    "docs/tapdeck-agents.md",
    "docs/training.md",
]
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cardrome.write_replays("games.jsonl.gz", [play("greedy", "random", seed=7)])
    text = (ROOT / name).read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "example"}
    found = list(BLOCK.finditer(text))
    assert found
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.FAIL_FAST)
    for block in found:
        line = text.count("\n", 0, block.start(2))
        if block[1] == "python":
            exec(compile("\n" * line + block[2], name, "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(block[2], names, name, name, line)
        said: list[str] = []
        result = runner.run(example, out=said.append, clear_globs=False)
        assert result.failed == 0, "".join(said)
        names |= example.globs


def test_the_pages_of_environments_are_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "make_envs_pages.py"))["pages"]()
    assert made == {path: path.read_text(encoding="utf-8") for path in (DOCS / "envs").iterdir()}, (
        "run: python docs/make_envs_pages.py"
    )


def test_the_api_page_is_up_to_date() -> None:
    made = subprocess.run(
        [sys.executable, DOCS / "make_api_page.py", "--print"], capture_output=True, text=True, check=True
    ).stdout
    assert made == (DOCS / "api.md").read_text(encoding="utf-8"), "run: python docs/make_api_page.py"


def test_the_api_page_has_every_public_name() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    assert [name for name in cardrome.__all__ if f"\n#### {name}" not in page and name != "__version__"] == []
