"""Agents by name, and what is said about names that are none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardrome.errors import CallerError, UnknownAgent
from cardrome.games.agents import Agent
from cardrome.games.locm.agents.registry import AGENTS, LocmKernelAgent
from cardrome.games.locm.family import FAMILY
from tests.games.locm.games import new_game

MODULE = '''
from cardrome.games.agents import Agent

class Last(Agent):
    """Takes the last of the legal actions."""

    def act(self, view):
        return view.legal_codes()[-1]

class Needy(Agent):
    def __init__(self, depth):
        self.depth = depth

    def act(self, view):
        return 0

class Stranger:
    pass
'''


@pytest.fixture
def user_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "my_agents.py").write_text(MODULE)
    (tmp_path / "my_broken.py").write_text("1 / 0")
    (tmp_path / "my_needs.py").write_text("import not_installed_anywhere")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "my_agents"
    for name in ("my_agents", "my_broken", "my_needs"):
        sys.modules.pop(name, None)


def test_built_in_agents() -> None:
    assert list(AGENTS) == ["pass", "random", "greedy", "rule-based", "search-fast", "search", "search-max"]
    for name, kind in AGENTS.items():
        assert FAMILY.find_agent(name) is kind
        assert kind.name == name
        assert kind.description
        assert "\n" not in kind.description
        assert kind.kernel is not None
        assert isinstance(kind.new(seed=3), LocmKernelAgent)


def test_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownAgent, match="did you mean greedy"):
        FAMILY.find_agent("gredy")
    with pytest.raises(UnknownAgent, match="known: pass, random, greedy, rule-based, search-fast"):
        FAMILY.find_agent("xyzzyxyzzy")


def test_a_class_of_the_user(user_module: str) -> None:
    kind = FAMILY.find_agent(f"{user_module}:Last")
    assert kind.description == "Takes the last of the legal actions."
    assert kind.kernel is None
    agent = kind.new(seed=1)
    assert isinstance(agent, Agent)
    assert agent.act(new_game(seed=1).view(0)) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:Agent", "finds no module 'no_such_module'"),
        ("my_agents.deeper:Agent", "failed|finds no module"),
        ("my_agents:Missing", "has no Missing; it has Last, Needy"),
        ("my_agents:Stranger", "not a subclass of cardrome.Agent"),
        ("my_broken:Agent", "importing my_broken failed: ZeroDivisionError"),
        ("my_needs:Agent", "needs the module 'not_installed_anywhere'"),
        (":Agent", "expected module:Class"),
        ("my_agents:", "expected module:Class"),
    ],
)
@pytest.mark.usefixtures("user_module")
def test_names_that_cannot_be_imported(name: str, message: str) -> None:
    with pytest.raises(CallerError, match=message):
        FAMILY.find_agent(name)


def test_a_class_that_wants_arguments(user_module: str) -> None:
    with pytest.raises(CallerError, match="cannot be made without arguments"):
        FAMILY.find_agent(f"{user_module}:Needy").new()


def test_asking_the_wrong_player() -> None:
    agent = AGENTS["greedy"].new()
    game = new_game(seed=1)
    with pytest.raises(CallerError, match="player 0 is to move"):
        agent.act(game.view(1))


def test_asking_when_the_game_is_over() -> None:
    agent = AGENTS["pass"].new()
    game = new_game(seed=1)
    while game.to_move is not None:
        game.push(agent.act(game.view(game.to_move)))
    with pytest.raises(CallerError, match="over"):
        agent.act(game.view(0))


def test_chance_follows_the_seed() -> None:
    view = new_game("locm-1.5", seed=1).view(0)
    choices = [[agent.act(view) for _ in range(20)] for agent in map(AGENTS["random"].new, (1, 1, 2))]
    assert choices[0] == choices[1] != choices[2]
