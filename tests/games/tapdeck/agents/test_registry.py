"""Agents by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardrome.errors import CallerError, UnknownAgent
from cardrome.games.tapdeck.agents.registry import AGENTS, TapdeckKernelAgent, rule_based_kind, searching_kind
from cardrome.games.tapdeck.family import FAMILY

MODULE = '''
from cardrome.games.agents import Agent

class Idle(Agent):
    """Does nothing."""

    def act(self, view):
        return "END_TURN"

class Stranger:
    pass
'''


@pytest.fixture
def user_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "my_tapdeck.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "my_tapdeck"
    sys.modules.pop("my_tapdeck", None)


def test_built_in_agents() -> None:
    assert list(AGENTS) == ["random", "greedy", "rule-based", "search-fast", "search", "search-max"]
    for name, kind in AGENTS.items():
        assert FAMILY.find_agent(name) is kind
        assert kind.kernel is not None
        assert isinstance(kind.new(seed=3), TapdeckKernelAgent)


def test_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownAgent, match="did you mean greedy"):
        FAMILY.find_agent("gredy")


def test_a_class_of_the_user(user_module: str) -> None:
    kind = FAMILY.find_agent(f"{user_module}:Idle")
    assert (kind.description, kind.kernel) == ("Does nothing.", None)
    with pytest.raises(CallerError, match=r"not a subclass of cardrome\.Agent"):
        FAMILY.find_agent(f"{user_module}:Stranger")


@pytest.mark.parametrize("numbers", [(0,), (10**9,), (10, 0), (10, 2, 99)])
def test_budgets_out_of_bounds(numbers: tuple[int, ...]) -> None:
    with pytest.raises(CallerError, match="allowed are"):
        rule_based_kind(*numbers)


@pytest.mark.parametrize("turns", [-1, 10**6])
def test_searches_out_of_bounds(turns: int) -> None:
    with pytest.raises(CallerError, match="allowed are"):
        searching_kind(turns)
