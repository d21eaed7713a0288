"""Agents that search: what they see in a position, that a clock stops them, and that what is hidden stays hidden."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from cardrome.engine.random import player_seed
from cardrome.games.agents import Agent
from cardrome.games.locm.agents import registry
from cardrome.games.locm.agents.registry import AGENTS, LocmKernelAgent
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.agents.helpers import battle, finish, kernels
from tests.games.locm.agents.test_views import scramble
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import set_up

SEARCHING = ["search-fast", "search", "search-max"]


def creature(attack: int, defense: int, abilities: str = "------") -> dict[str, object]:
    """A creature of any numbers."""
    return {"card": 3, "attack": attack, "defense": defense, "abilities": abilities}


def turn_of(name: str, game: LocmGame, seed: int = 1) -> list[str]:
    """What an agent does in its turn."""
    agent, player, actions = AGENTS[name].new(seed), game.to_move, []
    while player is not None and game.to_move == player:
        action = game.legal_action(agent.act(game.view(player)))
        actions.append(str(action))
        game.push(action)
    return actions


@pytest.mark.parametrize("name", SEARCHING)
def test_a_win_that_needs_the_right_order(name: str) -> None:
    """The guard takes exactly the attack of the smallest that kills it: any other order leaves the enemy alive."""
    mine = [creature(5, 1), creature(3, 1), creature(2, 1)]
    game = set_up({
        "edition": "locm-1.0",
        "turn": 10,
        "players": [{"board": mine}, {"health": 7, "board": [creature(1, 3, "---G--")]}],
    })  # fmt: skip
    actions = turn_of(name, game)
    assert actions[0].startswith("ATTACK 3 ")
    assert game.winner == 0


def test_a_line_that_lets_the_enemy_win_is_doomed() -> None:
    """Only a guard saves a player whom the enemy's creature would kill; the better card is no guard."""
    position = {
        "edition": "locm-1.0",
        "turn": 4,
        "players": [
            {"health": 3, "mana": 3, "max_mana": 3, "hand": [6, 40], "deck": [1] * 10},
            {"health": 30, "board": [creature(3, 9)], "hand": [], "deck": [1] * 10},
        ],
    }
    game = set_up(position)
    assert [str(each) for each in game.legal_actions][:3] == ["PASS", "SUMMON 1", "SUMMON 3"]
    agent = AGENTS["search-fast"].new(1)
    assert isinstance(agent, LocmKernelAgent)
    assert game.legal_action(agent.act(game.view(0))) == "SUMMON 3"
    assert agent._desks is not None
    turn = agent._desks[0].search.turn
    doomed = {tuple(line.actions[: line.n]): bool(line.doomed) for line in turn.lines[: turn.n_lines]}
    assert doomed[()] is True
    assert set(doomed.values()) == {True, False}


@pytest.mark.parametrize("edition", ["locm-1.0-wood2", "locm-1.2", "locm-1.5"])
def test_one_by_one_and_in_bulk(edition: str) -> None:
    """Neither the number of threads nor what was searched before changes a game."""
    seeds = FAMILY.seeds(5, 3)
    bulk = FAMILY.play_bulk(EDITIONS[edition], kernels("search-fast", "rule-based"), seeds, jobs=1)
    split = FAMILY.play_bulk(EDITIONS[edition], kernels("search-fast", "rule-based"), seeds, jobs=2)
    assert bulk.tobytes() == split.tobytes()
    players = [LocmKernelAgent(kernel) for kernel in kernels("search-fast", "rule-based")]
    for result in bulk[::-1]:
        for p in (0, 1):
            players[p].begin(player_seed(int(result.seed), p))
        first = int(result.first)
        game = finish(new_game(edition, seed=int(result.seed)), players[first], players[1 - first])
        assert (game.winner, game.turn + 1) == (result.winner ^ first, result.turns)


@pytest.mark.parametrize(
    ("edition", "moments"), [("locm-1.0", (10, 15, 27)), ("locm-1.2", (10, 17, 29)), ("locm-1.5", (13, 22, 27))]
)
@pytest.mark.parametrize("name", SEARCHING)
def test_hidden_cards_change_no_decision(edition: str, moments: tuple[int, ...], name: str) -> None:
    rng = np.random.default_rng(7)
    for moves in moments:
        game = battle(edition, 3, moves)
        assert len(game.legal_actions) > 2
        twin = scramble(game, rng)
        assert twin.states.tobytes() != game.states.tobytes()
        assert turn_of(name, game) == turn_of(name, twin)


def samples(agent: Agent) -> int:
    """Imagined hands with which the best line of the last turn was rated."""
    assert isinstance(agent, LocmKernelAgent)
    assert agent._desks is not None
    turn = agent._desks[0].search.turn
    return max(int(line.samples) for line in turn.lines[: turn.n_lines])


def test_a_clock_ends_the_search_and_nothing_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes a second here."""
    clock = itertools.count(1000.0)
    monkeypatch.setattr(registry, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    game = battle("locm-1.2", 3, 17)
    assert game.to_move is not None
    view = game.view(game.to_move)
    assert len(view.legal_actions) > 2
    free, agent = AGENTS["search"].new(5), AGENTS["search"].new(5)
    free.act(view)
    agent.due = 1000.0, 1000.0 + 9_000  # of which `search` takes a third
    view.legal_action(agent.act(view))
    assert 2_700 < next(clock) - 1000 < 3_300
    assert samples(agent) > 2 * samples(free)
    agent.begin(5)
    agent.due = 0.0, 1.0  # too late already: no imagined hand is looked at
    view.legal_action(agent.act(view))
    assert samples(agent) == 0


def test_a_turn_without_a_choice_takes_no_time() -> None:
    game = set_up({"edition": "locm-1.0", "turn": 4, "players": [{"mana": 0}, {"deck": [1] * 10}]})
    agent = AGENTS["search-max"].new(1)
    agent.due = 0.0, 1e30  # the clock would never stop it
    assert game.legal_action(agent.act(game.view(0))) == "PASS"


def test_a_game_that_was_left_does_not_change_the_next() -> None:
    agent = AGENTS["search-fast"].new(1)
    first = battle("locm-1.2", 3, 9)
    assert first.to_move is not None
    view = first.view(first.to_move)
    expected = agent.act(view)
    agent.begin(1)  # in the middle of a plan
    assert agent.act(view) == expected


@pytest.mark.parametrize("edition", ["locm-1.0-wood1", "locm-1.0", "locm-1.2", "locm-1.5"])
def test_what_was_learned_is_there(edition: str) -> None:
    """`search-fast` wins by far: so weak a bound holds only with weights that fit the edition."""
    games = FAMILY.play_bulk(EDITIONS[edition], kernels("search-fast", "rule-based"), FAMILY.seeds(1, 60), jobs=2)
    assert np.mean(games.winner == 0) > 0.75
