"""Small tournaments for tests of summaries, exports and reports: really played, in this process."""

from __future__ import annotations

import sys
from pathlib import Path

from cardrome.tournament.executors import InlineExecutor
from cardrome.tournament.games import GameTable
from cardrome.tournament.run import TournamentRun
from cardrome.tournament.settings import read_plan
from cardrome.tournament.store.store import TournamentStore
from tests.arena.bots import PYTHON

HOSTILE = "<img src=x onerror=alert(1)>"
CRASHING = PYTHON.replace(
    'print("PASS", flush=True)',
    'calls = globals().get("calls", 0) + 1\n'
    '    if calls > 34: sys.exit("<script>alert(2)</script> out of ideas")\n'
    '    print("PASS", flush=True)',
)
"""Plays the draft and some turns, and then ends with a message."""

FAMILIES = f"""
[tournament]
name = "Two families <b>cup</b>"
editions = ["locm-1.2", "tapdeck"]
pairs = 4
seed = 7
[[bots]]
name = "greedy"
agent = "greedy"
[[bots]]
name = "{HOSTILE}"
agent = "random"
author = "<i>somebody</i>"
[[bots]]
name = "random"
agent = "random"
version = "2"
"""

PROGRAMS = f"""
[tournament]
name = "Programs"
editions = ["locm-1.2"]
pairs = 2
seed = 11
check = false
[limits]
time_scale = 20.0
[[bots]]
name = "greedy"
agent = "greedy"
[[bots]]
name = "patient"
command = '{sys.executable} patient.py'
author = "team P"
environment = {{ SECRET = "hunter2" }}
[[bots]]
name = "crashing"
command = '{sys.executable} crashing.py'
[[bots]]
name = "unbuildable"
command = './nothing'
build = "false"
"""


class Silent:
    """Observes a run and says nothing."""

    def message(self, text: str) -> None:
        pass

    def round(self, number: int, games: int, stored: int, planned: int | None) -> None:
        pass

    def played(self, games: GameTable) -> None:
        pass


def play(folder: Path, text: str) -> TournamentStore:
    """Play a tournament to its end; returns the store, open for reading."""
    file = folder / "cup.toml"
    file.write_text(text, encoding="utf-8")
    (folder / "patient.py").write_text(PYTHON)
    (folder / "crashing.py").write_text(CRASHING)
    plan = read_plan(file)
    with TournamentStore.open(plan.store, base=plan.folder) as store:
        run = TournamentRun(plan, store, Silent())
        executor = InlineExecutor(run.settings)
        run.admit(executor)
        run.run(executor)
        executor.close()
    return TournamentStore.open(plan.store, claim=False, base=plan.folder)
