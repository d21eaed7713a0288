"""A team of ours in a live event: whole tournaments, lost connections, restarts of either side."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from cardrome.client.errors import ConnectionLost
from cardrome.client.matches import TeamMatch
from cardrome.client.rebuild import Look
from cardrome.client.requests import TurnInfo
from cardrome.client.team import Access, Team
from cardrome.games.agents import AgentKind
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.rules import actions
from tests.client.test_rebuild import LOOK
from tests.server.live_server import PASSWORD, live_server, summary

SHORT = {
    "event": "tournaments = 2\npause = 1",
    "server": "turn_seconds = 0.25",
    "rules": "turns = 12\ndeck_size = 60",
}


def test_a_whole_event(tmp_path: Path) -> None:
    event = "tournaments = 2\npause = 2\nmin_teams = 3"
    with live_server(tmp_path, ["red", "blue", "green"], **{**SHORT, "event": event}) as server:
        agents = {"red": "greedy", "blue": "random", "green": "search"}
        teams = {team: server.join(team, "--agent", agent, "--seed", "3") for team, agent in agents.items()}
        found = {team: summary(process) for team, process in teams.items()}
        server.end()
        results = server.results()
    assert len(results) == 12
    for team, record in found.items():
        assert record["reconnects"] == 0, team
        assert record["failed_plans"] == 0
        # On a busy machine turns may be late; nothing else is ever refused.
        assert set(record["refused"]) <= {"913", "932"}, team
        assert record["commands"] > 0
    scores = {result.id: {result.score_first, result.score_second} for result in results}
    for record in found.values():
        assert all(set(score) == scores[int(match)] for match, score in record["scores"].items())


def wait_for(process: subprocess.Popen[str], words: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(f"it ended without saying {words!r}")


def test_a_team_killed_in_mid_turn_comes_back(tmp_path: Path) -> None:
    event = "tournaments = 1\nmin_teams = 2\npause = 2"
    with live_server(
        tmp_path, ["red", "blue"], event=event, server="turn_seconds = 0.25", rules="turns = 30"
    ) as server:
        blue = server.join("blue", "--agent", "random")
        first = server.join("red", "--agent", "greedy")
        wait_for(first, "a tournament")
        time.sleep(0.6)  # anywhere in a turn
        first.kill()
        first.communicate()
        second = summary(server.join("red", "--agent", "greedy"))
        summary(blue)
        server.end()
        results = server.results()
    assert len(results) == 2
    assert set(second["refused"]) <= {"911", "913", "932"}


def test_a_server_that_is_killed_and_started_again(tmp_path: Path) -> None:
    event = "tournaments = 1\nmin_teams = 2\npause = 2"
    with live_server(
        tmp_path, ["red", "blue"], event=event, server="turn_seconds = 0.25", rules="turns = 16"
    ) as server:
        teams = [server.join("red", "--agent", "greedy"), server.join("blue", "--agent", "random")]
        for team in teams:
            wait_for(team, "a tournament")
        server.end(signal.SIGKILL)
        server.start()
        found = [summary(team) for team in teams]
        server.end()
        results = server.results()
    assert len(results) == 2
    for record in found:
        assert record["reconnects"] >= 1
        assert set(record["refused"]) <= {"911", "913", "932"}


def test_an_agent_that_fails_costs_its_own_turns_only(tmp_path: Path) -> None:
    calls = 0
    greedy = AGENTS["greedy"]

    class Failing:
        def __init__(self) -> None:
            self.agent = greedy.new(1)

        def begin(self, seed: int) -> None:
            self.agent.begin(seed)

        def plan(self, view: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls % 2:
                raise RuntimeError("no idea")
            return self.agent.plan(view)

    kind = AgentKind("failing", "", Failing)  # type: ignore[arg-type]
    event = "tournaments = 1\npause = 2\nroster = 'all'"
    messages: list[str] = []
    with live_server(tmp_path, ["red", "blue"], **{**SHORT, "event": event}) as server:
        team = Team(Access("127.0.0.1", server.port, "red", PASSWORD), kind, log=messages.append)
        record = asyncio.run(team.play())
    assert record.failed_plans > 0
    assert record.commands > 0
    assert any("no idea" in message for message in messages)


def test_patience_has_an_end() -> None:
    team = Team(Access("127.0.0.1", 1, "a", "b"), AGENTS["random"], patience=0.0)
    with pytest.raises(ConnectionLost):
        asyncio.run(team.play())
    assert "b'" not in repr(Access("h", 1, "a", "secret"))
    assert "secret" not in repr(Access("h", 1, "a", "secret"))


def look_at(left: int) -> Look:
    return LOOK._replace(turn=TurnInfo(True, left), attackers=())


def test_what_a_match_remembers() -> None:
    match = TeamMatch(5, sure=False)
    assert not match.to_move
    match.note_turn(TurnInfo(True, 7))
    assert match.to_move
    assert match.rebuild(look_at(7)).states[0].blocking == 1
    match.note_sent([actions.action_code(actions.ATTACK, 8, 0)], [None])
    assert match.memory.ordered == [8]
    # Still the same turn: what was done is remembered, and draws made since do not change the edition.
    match.note_turn(TurnInfo(True, 7))
    seen = match.rebuild(look_at(7)._replace(limits=LOOK.limits._replace(draws=0)))
    assert seen.states[0].blocking == 0
    assert (seen.edition.turns, seen.edition.draws) == (8, 2)
    match.note_lost([actions.action_code(actions.ATTACK, 8, 0)])
    assert not match.sure
    match.note_turn(TurnInfo(False, 6))
    assert match.sure
    assert match.memory.ordered == []
    assert 9 in match.memory.printed
    # More turns left than before: the tournament was begun again.
    match.note_turn(TurnInfo(True, 60))
    assert match.memory.printed == {}
    assert match.rebuild(look_at(60)).edition.turns == 60
