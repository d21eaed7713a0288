"""The walk-through of docs/add-a-keyword.md works: applied to a copy of the package, the new keyword is played."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import blocks
from tests.paths import DOCS, ROOT


def test_the_walk_through_works(tmp_path: Path) -> None:
    found = blocks(DOCS / "add-a-keyword.md")
    shutil.copytree(ROOT / "cardrome", tmp_path / "cardrome", ignore=shutil.ignore_patterns("__pycache__"))
    patch = "".join(block.text for block in found if block.language == "diff")
    # Outside a repository git applies a patch as `patch` does, and takes lines that have moved for what they are.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent), "NUMBA_DISABLE_JIT": "1"}

    def run(*words: object, input: str | None = None) -> str:
        done = subprocess.run(
            list(map(str, words)), cwd=tmp_path, env=environment, input=input, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("git", "apply", "-", input=patch)
    (test,) = (block for block in found if block.file is not None)
    (tmp_path / str(test.file)).write_text(test.text, encoding="utf-8")
    assert "1 passed" in run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test.file)
    game = ("--edition", "locm-1.2-regrowth", "--seed", 3, "--out", "game.json")
    run(sys.executable, "-m", "cardrome", "replay", "record", "greedy", "random", *game)
    assert "------R" in run(sys.executable, "-m", "cardrome", "replay", "input", "game.json", "--player", 0)
    run(sys.executable, "-m", "cardrome", "replay", "verify", "game.json")
