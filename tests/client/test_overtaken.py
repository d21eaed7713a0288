"""Our own team on a machine that is too slow: turns pass between any two commands, even in the middle of a plan."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.client.agent_threads import plan_turn
from cardrome.client.errors import ConnectionLost
from cardrome.client.requests import Request
from cardrome.client.team import Access, AgentTeam, TeamRecord
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.protocol.game import TapdeckPosition, command_of
from cardrome.server.settings import EventPlan, read_plan
from tests.client.table_talk import logged_in
from tests.server.in_memory import InMemoryEvent
from tests.server.processes import write_event

GREEDY = AGENTS["greedy"]


class Opponent:
    """Plays greedily, at the start of each of its turns."""

    def __init__(self, cup: InMemoryEvent, account: int) -> None:
        self.cup, self.account = cup, account
        self.agent = GREEDY.new(1)

    def move(self) -> None:
        tournament = self.cup.event.tournament
        if tournament is None or tournament.over:
            return
        table = tournament.table
        for match in tournament.of(self.account):
            states = table.states[match.index : match.index + 1].view(np.recarray)
            if match.finished_at is None and match.players[int(states[0].current)] == self.account:
                for code in plan_turn(self.agent, GREEDY, TapdeckPosition(table.edition, table.deck, states)):
                    tournament.command(match, self.account, command_of(code)._replace(match=match.id))


class SlowClient:
    """A client of an event in memory. Before each of its commands, turns may pass."""

    between_replies = True

    def __init__(self, cup: InMemoryEvent, opponent: Opponent, chance: random.Random, share: float) -> None:
        self.cup, self.opponent = cup, opponent
        self.chance, self.share = chance, share
        self.talk = cup.talk("red")
        self.conversation = logged_in()

    def tick(self) -> None:
        if self.cup.phase == "over":
            raise ConnectionLost("the event is over")
        self.cup.tick()
        self.opponent.move()

    async def pipeline(self, batch: Sequence[Request[Any]]) -> list[Any]:
        for request in batch:
            if self.chance.random() < self.share:
                for _ in range(self.chance.choice([1, 1, 2, 2, 2, 3, 4])):
                    self.tick()
            self.conversation.receive(self.talk.say(self.conversation.send(request)))
            while self.conversation.due:  # it is made to wait
                seen = len(self.talk.sent)
                self.tick()
                self.conversation.receive(self.talk.sent[seen:])
        return [self.conversation.done.popleft() for _ in batch]

    async def wait(self) -> None:
        self.talk.say("WAIT\n")
        seen = len(self.talk.sent)
        while len(self.talk.sent) == seen:
            self.tick()


class Inline:
    """Plans at once, in place of threads."""

    def plan(self, position: TapdeckPosition, seed: int, *when: object) -> asyncio.Future[list[int]]:
        planned: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        planned.set_result(plan_turn(GREEDY.new(seed), GREEDY, position))
        return planned


def play(plan: EventPlan, seed: int, share: float) -> TeamRecord:
    """A whole event, in which the clock ticks before this share of the team's commands."""
    cup = InMemoryEvent(plan, ["red", "blue"], seed)
    cup.talk("blue")
    return quick_team(SlowClient(cup, Opponent(cup, 2), random.Random(seed), share))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("slow") / "event.toml"


@settings(max_examples=20)
@given(seed=st.integers(0, 1 << 30), share=st.sampled_from([0.002, 0.01, 0.05]), limit=st.sampled_from([0, 0, 25]))
def test_only_lateness_is_refused(path: Path, seed: int, share: float, limit: int) -> None:
    """Every command that is refused for another reason was planned for a turn that was over."""
    rules = {"turns": 20, "initial_health": 30}
    write_event(path, event={"tournaments": 2}, rules=rules, server={"commands_per_turn": limit})
    record = play(read_plan(path), seed, share)
    assert set(record.refused) <= {6, 913, 932}
    assert record.reconnects == record.failed_plans == 0
    assert record.commands > 0


def test_without_delays_nothing_is_refused(path: Path) -> None:
    write_event(path, event={"tournaments": 2}, rules={"turns": 40})
    record = play(read_plan(path), 7, 0.0)
    assert (record.late_turns, dict(record.refused)) == (0, {})
    assert record.turns > 10


def test_a_question_that_comes_two_turns_late_is_not_forgotten(path: Path) -> None:
    """Whether blocking is over is found out by ending it, which may happen in the team's next turn: once is enough."""
    write_event(path, event={"tournaments": 1}, rules={"turns": 20, "initial_health": 30})
    cup = InMemoryEvent(read_plan(path), ["red", "blue"], 7)
    cup.talk("blue")
    client = SlowClient(cup, Opponent(cup, 2), random.Random(1), 0.0)
    cup.tick()  # the match goes on when the team first looks, so it cannot know what was done before
    late = 0
    pipeline = client.pipeline

    async def slow(batch: Sequence[Request[Any]]) -> list[Any]:
        nonlocal late
        if batch and batch[0].encode().startswith(b"FINISH_BLOCK") and not late:
            late = 1
            client.tick()
            client.tick()
        return await pipeline(batch)

    client.pipeline = slow  # type: ignore[method-assign]
    assert not quick_team(client).refused
    assert late


def quick_team(client: SlowClient) -> TeamRecord:
    """The record of a team that plays to the end, without threads and without hurry."""
    team = AgentTeam(Access("", 0, "red", ""), GREEDY)
    team._threads.close()
    team._threads = Inline()  # type: ignore[assignment]
    team._time_left = lambda: None  # type: ignore[method-assign]
    with pytest.raises(ConnectionLost, match="the event is over"):
        asyncio.run(team._turns(client))  # type: ignore[arg-type]
    return team.record
