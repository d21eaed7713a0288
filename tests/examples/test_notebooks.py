"""The notebooks run: their code cells in order, in one namespace, as Jupyter would run them."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.examples.scripts import run_script
from tests.paths import ROOT

NOTEBOOKS = ROOT / "examples" / "notebooks"


def run(notebook: dict[str, Any]) -> list[tuple[str, object]]:
    """What each code cell prints, and the value of its last expression."""
    names: dict[str, Any] = {"__name__": "__main__"}
    results = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            tree, printed, value = ast.parse("".join(cell["source"])), io.StringIO(), None
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            with contextlib.redirect_stdout(printed):
                exec(compile(tree, "<cell>", "exec"), names)
                if isinstance(last, ast.Expr):
                    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            results.append((printed.getvalue(), value))
    return results


def run_here(command: list[str | Path], **options: bool) -> subprocess.CompletedProcess[str]:
    """In the place of `subprocess.run`."""
    python, script, *arguments = command
    assert python == sys.executable
    assert options == {"check": True, "capture_output": True, "text": True}
    return subprocess.CompletedProcess(command, 0, run_script(Path(script).resolve(), *arguments))


def test_the_tour(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(NOTEBOOKS)
    monkeypatch.setenv("STEPS", "8192")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("subprocess.run", run_here)
    game, environment, training, match = run(json.loads((NOTEBOOKS / "tour.ipynb").read_text(encoding="utf-8")))
    assert "player 0 may PASS" in game[0]
    assert "games" in environment[0]
    assert "8,192 steps" in training[0]
    assert training[1]._repr_svg_().startswith("<svg")  # type: ignore[attr-defined]
    assert "against random" in match[0]
