"""The example teams play a whole event, and make no mistakes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.server.live_server import PATIENCE, live_server, summary

FOLDER = ROOT / "examples" / "tapdeck"
EVENT = "tournaments = 2\npause = 2\nmin_teams = 3"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_a_tournament_of_example_bots(tmp_path: Path) -> None:
    sections = {"event": EVENT, "server": "turn_seconds = 0.25", "rules": "turns = 30"}
    with live_server(tmp_path, ["python", "node", "ours"], **sections) as server:
        python = server.example("python", sys.executable, str(FOLDER / "bot.py"))
        node = server.example("node", "node", str(FOLDER / "bot.mjs"))
        ours = server.join("ours", "--agent", "random")
        summary(ours)
        for bot in (python, node):
            _, err = bot.communicate(timeout=PATIENCE)
            assert bot.returncode == 0, err
            assert err == ""  # they print every refusal that is no lateness
        server.end()
        results = server.results()
    assert len(results) == 12
    acted = {account: 0 for result in results for account in (result.first, result.second)}
    for result in results:
        acted[result.first] += result.counts_first.commands
        acted[result.second] += result.counts_second.commands
    assert all(acted.values())


@pytest.mark.parametrize("command", [[sys.executable, str(FOLDER / "bot.py")], ["node", str(FOLDER / "bot.mjs")]])
def test_a_wrong_password_is_said(tmp_path: Path, command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    with live_server(tmp_path, ["red"]) as server:
        bot = server.example("nobody", *command)
        _, err = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 1
    assert "ERR 1" in err
