"""Agents of one's own, in every family: what `act` may return, and what is said when it returns something else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import cardrome
from cardrome.errors import CallerError
from cardrome.games.agents import Agent, take_turn
from cardrome.games.game import Choice, View

EDITIONS = ["locm-1.0", "locm-1.2", "locm-1.5", "tapdeck"]


class Mine(Agent):
    """Does what a function says."""

    def __init__(self, choose: Callable[[Any], Any]) -> None:
        self.choose = choose

    def act(self, view: View) -> Any:
        return self.choose(view)


class Planner(Agent):
    """Plans with a function."""

    def __init__(self, plan: Callable[[Any], Sequence[Choice]]) -> None:
        self._plan = plan

    def act(self, view: View) -> Choice:
        raise AssertionError("a planner is asked for plans")

    def plan(self, view: View) -> Sequence[Choice]:
        return self._plan(view)


def turns(edition: str, agent: Agent) -> list[list[str]]:
    """A game that an agent plays against itself, turn by turn."""
    game = cardrome.new_game(edition, seed=4)
    played: list[list[str]] = []
    while not game.is_over:
        played.append(list(take_turn(game, agent, "mine")))
    return played


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_action_a_text_and_a_code_mean_the_same(edition: str) -> None:
    by_action = turns(edition, Mine(lambda view: view.legal_actions[-1]))
    assert by_action == turns(edition, Mine(lambda view: str(view.legal_actions[-1])))
    assert by_action == turns(edition, Mine(lambda view: view.legal_codes()[-1]))
    assert by_action == turns(edition, Planner(lambda view: [view.legal_actions[-1]]))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, "agent 'mine': None is not an action; expected one of legal_actions, its text or its code"),
        (1.0, "agent 'mine': 1.0 is not an action; expected one of legal_actions, its text or its code"),
        (10_000, "agent 'mine': 10000 is not legal here; legal: "),
        (-1, "agent 'mine': -1 is not legal here; legal: "),
        ("JUMP", "agent 'mine': "),
    ],
)
def test_a_wrong_return_names_what_was_expected(edition: str, wrong: Any, message: str) -> None:
    with pytest.raises(CallerError) as caught:
        turns(edition, Mine(lambda view: wrong))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("locm-1.2", "expected PICK"),
        ("locm-1.5", "expected CHOOSE and the number of a card on offer"),
        ("tapdeck", "unknown command"),
    ],
)
def test_an_illegal_text_says_what_is_wrong_with_it(edition: str, expected: str) -> None:
    with pytest.raises(CallerError, match=f"agent 'mine': .*JUMP.*{expected}|agent 'mine': .*{expected}.*JUMP"):
        turns(edition, Mine(lambda view: "JUMP"))


def test_a_mistake_of_the_agents_own_is_shown_with_its_traceback() -> None:
    with pytest.raises(CallerError, match=r"(?s)agent 'mine' failed:\nTraceback.*IndexError"):
        turns("tapdeck", Mine(lambda view: view.legal_actions[10_000]))


def test_an_agent_that_leaves_the_program_is_named() -> None:
    def leaves(view: Any) -> Choice:
        raise SystemExit(3)

    with pytest.raises(CallerError, match=r"(?s)agent 'mine' failed:\nTraceback.*SystemExit: 3"):
        turns("tapdeck", Mine(leaves))


@pytest.mark.parametrize("wrong", [None, "END_TURN", 7])
def test_a_plan_is_a_list(wrong: Any) -> None:
    with pytest.raises(CallerError, match=f"agent 'mine': plan\\(\\) returned {wrong!r}; expected a list of actions"):
        turns("tapdeck", Planner(lambda view: wrong))


def test_a_plan_may_be_shorter_or_longer_than_a_turn_but_not_empty() -> None:
    greedy = cardrome.find_family("tapdeck").find_agent("greedy").new(1)

    def longer(view: Any) -> list[Choice]:
        return [*greedy.plan(view), "END_TURN", "END_TURN"]

    def shorter(view: Any) -> list[Choice]:
        return list(greedy.plan(view))[:1]

    assert turns("tapdeck", Planner(longer)) == turns("tapdeck", Planner(greedy.plan))
    assert len(turns("tapdeck", Planner(shorter))) > 10
    with pytest.raises(CallerError, match="agent 'mine' planned no action"):
        turns("tapdeck", Planner(lambda view: []))


# By name

MODULE = """
from cardrome import Agent

class Hurried(Agent):
    def act(self, view):
        return view.legal_actions[0]

class Idle(Agent):
    def act(self, view):
        return view.legal_codes()[-1]

class Unfinished(Agent):
    def begin(self, seed):
        pass
"""


@pytest.fixture
def user_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "my_players.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "my_players"
    sys.modules.pop("my_players", None)


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
def test_classes_play_series_in_every_family(user_module: str, edition: str) -> None:
    series = cardrome.play_series(edition, f"{user_module}:Hurried", f"{user_module}:Idle", 2, 1)
    again = cardrome.play_series(edition, f"{user_module}:Hurried", f"{user_module}:Idle", 2, 1)
    assert len(series.games) == 4
    assert series.games.tobytes() == again.games.tobytes()
    assert set(series.games.ending) <= {0, 1, 2}


def test_a_class_that_cannot_act_is_refused(user_module: str) -> None:
    with pytest.raises(CallerError, match="agent 'my_players:Unfinished': Unfinished has no method act"):
        cardrome.find_family("locm-1.2").find_agent(f"{user_module}:Unfinished")
