"""What lies in the current folder is never taken for a library; only module:Class looks there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.tournament.tools import LOCM, agent, program, write_cup

LIBRARIES = (
    "numpy", "numba", "llvmlite", "scipy", "ray", "msgspec", "typer", "rich", "sqlalchemy", "markupsafe", "pyarrow",
    "openskill", "networkx", "uvloop", "jinja2", "psutil", "yaml", "cpuinfo", "charset_normalizer", "simplejson",
)  # fmt: skip
STANDARD = ("random", "signal", "socket", "pickle", "tempfile", "threading", "selectors", "runpy", "multiprocessing")
"""Modules of Python itself, whose names bots may well have."""
TRAP = "import os\nopen(os.path.join({folder!r}, 'ran'), 'a').write(__name__ + '\\n')\nraise SystemExit(77)\n"
MINE = """
import sys, helper
from cardrome import Agent
class Mine(Agent):
    def begin(self, seed):
        with open("paths", "a") as file:
            print(*sys.path, sep="\\n", file=file)
    def act(self, view):
        return helper.choose(view)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder full of traps, which also holds a class to play with, and what that needs."""
    here = tmp_path / "here"
    here.mkdir()
    for name in (*LIBRARIES, *STANDARD):
        (here / f"{name}.py").write_text(TRAP.format(folder=str(here)))
    (here / "mine.py").write_text(MINE)
    (here / "helper.py").write_text("def choose(view): return view.legal_codes()[0]\n")
    return here


def run(folder: Path, way: str, *words: object) -> str:
    """Run a command in the folder as people do: by its script, or as a module."""
    script = folder.parent / "cardrome"
    script.write_text("from cardrome.__main__ import main\nif __name__ == '__main__':\n    main()\n")
    if way == "module":  # Python itself looks for its own modules there before we can tell it not to
        for name in STANDARD:
            (folder / f"{name}.py").unlink(missing_ok=True)
    command = [sys.executable, *(["-m", "cardrome"] if way == "module" else [script]), *words]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}"}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True)
    assert not (folder / "ran").exists(), (folder / "ran").read_text()
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_match(folder: Path) -> None:
    run(folder, "module", "match", "mine:Mine", "greedy", "-n", 2, "-e", LOCM, "-j", 1)
    assert str(folder) not in (folder / "paths").read_text().splitlines()


def test_a_tournament_with_its_report(folder: Path) -> None:
    write_cup(folder.parent, [agent("mine", "mine:Mine"), program(folder.parent, "passes"), agent("greedy")], pairs=1)
    run(folder, "script", "tournament", "../cup.toml", "-j", 2, "--plain")
    assert str(folder) not in (folder / "paths").read_text().splitlines()
    words = ("--html", "out", "--replays", 0, "-j", 1, "--csv", "tables", "--parquet", "games.parquet")
    run(folder, "script", "tournament", "report", "../cup.toml", *words)
    assert (folder / "out" / "index.html").is_file()
