"""Tapdeck matches between agents, recorded."""

from __future__ import annotations

from typing import Any

import pytest
from cardrome.arena.tapdeck_recording import record_tapdeck

from cardrome.errors import CallerError
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.protocol.replay import verify
from cardrome.games.tapdeck.rules.edition import TAPDECK

GREEDY, RANDOM = AGENTS["greedy"], AGENTS["random"]


class Fails(Agent):
    def plan(self, edition: Any, deck: Any, states: Any) -> list[int]:
        raise RuntimeError("no idea")


class Spoils(Agent):
    def plan(self, edition: Any, deck: Any, states: Any) -> list[int]:
        states["health"][:] = 0
        return []


@pytest.mark.parametrize("kinds", [(GREEDY, RANDOM), (RANDOM, GREEDY), (RANDOM, RANDOM)])
def test_a_recorded_match_verifies_and_follows_from_its_seed(kinds: tuple[AgentKind, AgentKind]) -> None:
    replay = record_tapdeck(TAPDECK, 7, kinds)
    assert verify(replay) is None
    assert replay.players == (kinds[0].name, kinds[1].name)
    assert record_tapdeck(TAPDECK, 7, kinds) == replay
    assert record_tapdeck(TAPDECK, 8, kinds) != replay


def test_an_agent_that_fails_is_named() -> None:
    with pytest.raises(CallerError, match="agent 'mine' failed"):
        record_tapdeck(TAPDECK, 7, (GREEDY, AgentKind("mine", "", Fails)))


def test_an_agent_cannot_change_the_match_it_is_shown() -> None:
    replay = record_tapdeck(TAPDECK, 7, (AgentKind("mine", "", Spoils),) * 2)
    assert (replay.ending, replay.final_health) == ("turns", (10, 10))
