"""The starter kits for Tapdeck play a live event without a mistake, and beat chance."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from cardrome.client import team
from cardrome.client.team import Access, AgentTeam
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.kits.kit import LANGUAGES
from tests.kits.built import EACH_LANGUAGE, built
from tests.server.in_process import server_thread
from tests.server.processes import PATIENCE, password, started, store_of


def run(language: str, port: int, name: str, secret: str) -> tuple[int, str]:
    """Run a kit as a team until it ends; returns its exit code and errors."""
    process = start(language, port, name, secret)
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors


def start(language: str, port: int, name: str, secret: str):
    command = LANGUAGES[language].run.split()
    folder = built(language, "tapdeck")
    return started("env", "-C", folder, *command, "127.0.0.1", port, name, TAPDECK_PASSWORD=secret)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_it_plays_an_event_and_beats_random(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(language, "tapdeck")  # before there is a server that looks for players all the while
    (tmp_path / "another").mkdir()
    monkeypatch.setattr(team, "PATIENCE_AT_THE_END", 0.1)
    monkeypatch.setattr(AgentTeam, "_time_left", lambda self: None)
    event = {"tournaments": 1, "pause": 2, "min_teams": 2}
    rules = {"turns": 60, "initial_health": 20}
    with server_thread(tmp_path, ["kit", "other"], players=2, event=event, rules=rules) as server:
        kit = start(language, server.port, "kit", password("kit"))
        access = Access("127.0.0.1", server.port, "other", password("other"))
        asyncio.run(AgentTeam(access, AGENTS["random"], 3).play())
        _, errors = kit.communicate(timeout=PATIENCE)
        results = server.results()
        with store_of(server.path) as store:
            me = store.accounts.get("kit").id
    assert (kit.returncode, errors) == (0, "")  # they print every refusal that is not about being late
    assert len(results) == 2
    mine = [r.score_first if r.first == me else r.score_second for r in results]
    theirs = [r.score_second if r.first == me else r.score_first for r in results]
    assert all(a > b for a, b in zip(mine, theirs, strict=True)), (mine, theirs)
    # What keeps it from playing is said in a line.
    with server_thread(tmp_path / "another", ["red"], players=1) as server:
        code, errors = run(language, server.port, "nobody", "wrong")
    assert code == 1
    assert "ERR 1" in errors
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    code, errors = run(language, port, "red", "secret")  # nobody listens
    assert code == 1
    assert errors.startswith(f"no connection to 127.0.0.1:{port}: ")
    assert errors.endswith("Is the event running?\n")
    assert errors.count("\n") == 1
