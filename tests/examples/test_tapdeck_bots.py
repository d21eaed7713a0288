"""The example teams play a whole event without a mistake."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.needs import needs
from tests.paths import ROOT
from tests.server.in_process import ServerThread, server_thread
from tests.server.processes import PATIENCE, password, started

FOLDER = ROOT / "examples" / "tapdeck"
PYTHON = [sys.executable, str(FOLDER / "bot.py")]
NODE = ["node", str(FOLDER / "bot.mjs")]


def ended(server: ServerThread, *teams: tuple[list[str], str, str]) -> list[tuple[int, str]]:
    """Run programs as teams with these passwords until they end; returns their exit codes and errors."""
    address = "127.0.0.1", server.port
    bots = [started(*command, *address, team, TAPDECK_PASSWORD=secret) for command, team, secret in teams]
    errors = [bot.communicate(timeout=PATIENCE)[1] for bot in bots]
    return [(bot.returncode, error) for bot, error in zip(bots, errors, strict=True)]


@needs("node")
def test_a_tournament_of_example_bots(tmp_path: Path) -> None:
    teams = {"python": PYTHON, "node": NODE, "other": PYTHON}
    event = {"tournaments": 2, "pause": 2, "min_teams": 3}
    with server_thread(tmp_path, list(teams), players=3, event=event, rules={"turns": 30}) as server:
        found = ended(server, *((command, team, password(team)) for team, command in teams.items()))
        results = server.results()
    assert found == [(0, "")] * 3  # they print every refusal that is not about being late
    assert len(results) == 12
    acted = {account: 0 for result in results for account in (result.first, result.second)}
    for result in results:
        acted[result.first] += result.counts_first.commands
        acted[result.second] += result.counts_second.commands
    assert all(acted.values())


@pytest.mark.parametrize("command", [PYTHON, pytest.param(NODE, marks=needs("node"))])
def test_a_wrong_password_is_reported(tmp_path: Path, command: list[str]) -> None:
    with server_thread(tmp_path, ["red"], players=1) as server:
        [(code, error)] = ended(server, (command, "nobody", "wrong"))
    assert code == 1
    assert "ERR 1" in error
