"""Our own team in a live event: whole tournaments, lost connections, restarts of either side."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from cardrome.client import team
from cardrome.client.agent_threads import plan_turn
from cardrome.client.client import AsyncTapdeckClient
from cardrome.client.errors import CommandRefused, ConnectionLost, RefusalCode
from cardrome.client.requests import Request
from cardrome.client.team import Access, AgentTeam, TeamRecord
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckView
from tests.paths import ROOT
from tests.server.in_process import PATIENT, ServerThread, server_thread
from tests.server.processes import add_teams, password, serving, store_of, write_event

RULES = {"turns": 12, "deck_size": 60}


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team, "PATIENCE_AT_THE_END", 0.1)
    monkeypatch.setattr(team, "PATIENCE_BEFORE_IT", 0.1)


@pytest.fixture
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns that end when everybody waits tell nothing about the time for the next one."""
    monkeypatch.setattr(AgentTeam, "_time_left", lambda self: None)


def player(server: ServerThread, name: str, kind: AgentKind, **options: Any) -> AgentTeam:
    access = Access("127.0.0.1", server.port, name, password(name))
    return AgentTeam(access, kind, 3, **options)


async def play(*teams: AgentTeam) -> list[TeamRecord]:
    return await asyncio.gather(*(each.play() for each in teams))


@pytest.mark.usefixtures("_no_hurry")
def test_a_whole_event(tmp_path: Path) -> None:
    agents = {"red": "greedy", "blue": "random", "green": "search-fast"}
    event = {"tournaments": 2, "pause": 2, "min_teams": 3}
    with server_thread(tmp_path, list(agents), players=3, event=event, rules=RULES) as server:
        teams = [player(server, name, AGENTS[agent]) for name, agent in agents.items()]
        records = asyncio.run(play(*teams))
        results = server.results()
    assert len(results) == 12
    scores = {result.id: {result.score_first, result.score_second} for result in results}
    for record in records:
        summary = record.summary()
        assert (summary["reconnects"], summary["failed_plans"], summary["refused"]) == (0, 0, {})
        assert summary["commands"] > 0
        assert summary["tournaments"] == 2
        assert len(summary["scores"]) == 8
        assert all(set(score) == scores[int(match)] for match, score in summary["scores"].items())


class Killed(BaseException):
    """Ends a team in the middle of a turn."""


@pytest.mark.usefixtures("_no_hurry")
@pytest.mark.parametrize("moment", [3, 14, 15, 16, 17, 18])
def test_a_team_killed_in_mid_turn_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int) -> None:
    pipeline = AsyncTapdeckClient.pipeline
    calls = 0

    async def counted(self: AsyncTapdeckClient, batch: list[Request[Any]]) -> list[Any]:
        nonlocal calls
        replies = await pipeline(self, batch)
        if self is killed:
            calls += 1
            if calls == moment:
                raise Killed
        return replies

    killed: AsyncTapdeckClient | None = None

    async def main(server: ServerThread) -> list[TeamRecord]:
        nonlocal killed
        blue = asyncio.create_task(player(server, "blue", AGENTS["greedy"]).play())
        first = player(server, "red", AGENTS["greedy"])
        killed = await first._connect()
        assert killed is not None
        with pytest.raises(Killed):
            await first._turns(killed)
        await killed.close()
        return [await player(server, "red", AGENTS["greedy"]).play(), await blue]

    monkeypatch.setattr(AsyncTapdeckClient, "pipeline", counted)
    event = {"tournaments": 1, "pause": 2}
    with server_thread(tmp_path, ["red", "blue"], players=2, event=event, rules=RULES) as server:
        records = asyncio.run(main(server))
        assert len(server.results()) == 2
    assert all(record.commands > 0 and not record.refused for record in records)


@pytest.mark.usefixtures("_no_hurry")
def test_a_server_that_is_killed_and_started_again(tmp_path: Path) -> None:
    path = write_event(
        tmp_path / "event.toml",
        event={"tournaments": 1, "pause": 2},
        server={"turn_seconds": 1.0},
        rules={**RULES, "turns": 100},
    )
    add_teams(path, "red", "blue")

    def begun() -> bool:
        """The store knows of the tournament: it is told while the first turn is being played."""
        with store_of(path) as store:
            return bool(store.tournaments())

    async def main() -> list[TeamRecord]:
        with serving(path) as process:
            teams = [
                AgentTeam(Access("127.0.0.1", process.port, name, password(name)), AGENTS[agent])
                for name, agent in (("red", "greedy"), ("blue", "random"))
            ]
            playing = asyncio.create_task(play(*teams))
            while not (all(team.record.commands for team in teams) and begun()):
                await asyncio.sleep(0.01)
            process.kill()
        # All but name, seed and rules may change between two runs.
        write_event(
            path,
            event={"tournaments": 1, "pause": 2},
            server={**PATIENT, "port": teams[0]._access.port},
            rules={**RULES, "turns": 100},
        )
        server = await asyncio.to_thread(ServerThread, path, 2)
        records = await playing
        server.stop()
        return records

    for record in asyncio.run(main()):
        assert record.reconnects >= 1
        assert set(record.refused) <= {913, 932}
    with store_of(path) as store:
        assert len(store.matches(1)) == 2
        assert store.tournaments()[0].attempts == 2


@pytest.mark.usefixtures("_no_hurry")
def test_an_agent_that_fails_costs_its_own_turns_only(tmp_path: Path) -> None:
    turns = 0

    class Failing(Agent):
        """Acts one action at a time, and fails in every other turn."""

        def begin(self, seed: int) -> None:
            nonlocal turns
            turns += 1

        def act(self, view: TapdeckView) -> int:
            if turns % 2:
                raise RuntimeError("no idea")
            return view.legal_codes()[0]

    kind = AgentKind("failing", "", Failing)
    messages: list[str] = []
    event = {"tournaments": 1, "roster": "all"}
    with server_thread(tmp_path, ["red", "blue"], players=1, event=event, rules=RULES) as server:
        [record] = asyncio.run(play(player(server, "red", kind, log=messages.append)))
    assert record.failed_plans > 0
    assert record.commands > record.turns
    assert not record.refused
    assert any("no idea" in message for message in messages)


def test_the_agent_in_the_documentation() -> None:
    page = (ROOT / "docs" / "tapdeck-agents.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    kind = AgentKind("mine", "", names["Mine"])
    game = TapdeckGame(deck="1 C 1 1 1 0 0\n2 C 1 1 1 5 0\n")
    texts = [game.action_text(code) for code in plan_turn(kind.new(), kind, game)]
    assert texts == ["FINISH_BLOCK", "DRAW_CARD", "PLAY_CARD 1 -1"]


def test_patience_has_an_end() -> None:
    team = AgentTeam(Access("127.0.0.1", 1, "a", "b"), AGENTS["random"], patience=0.0)
    with pytest.raises(ConnectionLost):
        asyncio.run(team.play())
    assert "b'" not in repr(Access("h", 1, "a", "secret"))
    assert "secret" not in repr(Access("h", 1, "a", "secret"))


def test_a_login_that_cannot_be_checked_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = 0

    async def connect(*_: object) -> None:
        nonlocal tries
        tries += 1
        raise CommandRefused(RefusalCode.INTERNAL_ERROR if tries < 3 else RefusalCode.BAD_LOGIN)

    monkeypatch.setattr(AsyncTapdeckClient, "connect", connect)
    monkeypatch.setattr(team, "FIRST_DELAY", 0.001)
    with pytest.raises(CommandRefused, match="BAD_LOGIN"):
        asyncio.run(AgentTeam(Access("h", 1, "a", "b"), AGENTS["random"]).play())
    assert tries == 3
