"""PettingZoo's own checks, for every edition, and that players see what they may and nothing else."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from pettingzoo.test.state_test import test_state as state_values_test
from pettingzoo.test.state_test import test_state_space as state_space_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import cardrome.envs
from cardrome.envs import zoo
from cardrome.errors import CallerError
from cardrome.games.family import families, find_edition, find_family

EDITIONS = [name for family in families() for name in family.editions]


def has_task(edition: str, task: str) -> bool:
    try:
        return find_family(edition).encoding(find_edition(edition), task).n_actions > 0
    except CallerError:
        return False


DRAFTS = [name for name in EDITIONS if has_task(name, "draft")]
BUILDING = [name for name in EDITIONS if has_task(name, "battle")]


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_pass_the_checks(edition: str) -> None:
    api_test(zoo.env(edition=edition, observation="vector"), num_cycles=200)


@pytest.mark.parametrize("form", ["flat", "structured"])
# PettingZoo knows its own environments with dictionaries by name, and warns about all others.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_observations_in_dictionaries_pass_the_checks(form: str) -> None:
    api_test(zoo.env(observation=form), num_cycles=200)


@pytest.mark.parametrize("edition", ["locm-1.0", "locm-1.2", "locm-1.5", "tapdeck"])
def test_games_follow_from_their_seeds(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    seed_test(lambda: zoo.env(edition=edition), num_cycles=100)
    render_test(lambda **keywords: zoo.env(edition=edition, **keywords))
    env = zoo.env(edition=edition)
    state_space_test(env)
    state_values_test(env, 100)


@pytest.mark.parametrize("edition", DRAFTS)
def test_drafts_pass_the_checks(edition: str) -> None:
    parallel_api_test(zoo.parallel_env(edition=edition), num_cycles=40)
    parallel_seed_test(lambda: zoo.parallel_env(edition=edition), num_cycles=40)


def test_environments_are_registered() -> None:
    for name, (kind, _, keywords) in cardrome.envs.TWO_PLAYERS.items():
        env: Any = pettingzoo.make(kind, name, max_turns=4)
        assert env.unwrapped.encoding.edition.name == keywords["edition"]
        env.reset(seed=1)


# Playing


def choose(mask: np.ndarray[Any, Any]) -> int:
    """Anything but passing, if there is anything else."""
    return int(np.flatnonzero(mask)[-1])


def play(env: Any, seed: int, look: bool = False) -> list[tuple[str, bytes, float]]:
    """What those to move see in a game, and their rewards so far; ``look``: the others look at it too."""
    env.reset(seed=seed)
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if look:
            env.state()
        seen.append((agent, observation["observation"].tobytes() + observation["action_mask"].tobytes(), reward))
        env.step(None if terminated or truncated else choose(observation["action_mask"]))
    return seen


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5", "tapdeck"])
def test_a_game_is_the_same_as_in_gymnasium(edition: str) -> None:
    shaped: dict[str, Any] = {"reward": {"win": 2, "health": 1, "board": 0.5}, "discount": 0.9}
    seen = play(zoo.raw_env(edition=edition, **shaped), 5)
    assert seen == play(zoo.raw_env(edition=edition, **shaped), 5, look=True)
    for seat, name in enumerate(zoo.PLAYERS):
        alone = gymnasium.make(
            "cardrome/Match-v0",
            edition=edition,
            seat=seat,
            opponent=lambda _, masks: [choose(mask) for mask in masks],
            **shaped,
        )
        observation, _ = alone.reset(seed=5)
        reward: Any = 0.0
        trace, over = [], False
        while not over:
            trace.append((observation["observation"].tobytes() + observation["action_mask"].tobytes(), reward))
            observation, reward, over, _, _ = alone.step(choose(observation["action_mask"]))
        trace.append((observation["observation"].tobytes() + observation["action_mask"].tobytes(), reward))
        assert [what for agent, *what in seen if agent == name] == [list(each) for each in trace]
        assert len({gain for _, gain in trace}) > 5


def test_the_winner_is_rewarded_and_the_loser_pays() -> None:
    env = zoo.raw_env()
    env.reset(seed=2)
    rewards = dict.fromkeys(zoo.PLAYERS, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] += reward
        assert not truncated
        env.step(None if terminated else choose(observation["action_mask"]))
    assert info["winner"] in (0, 1)
    assert rewards == {name: 1.0 if seat == info["winner"] else -1.0 for seat, name in enumerate(zoo.PLAYERS)}
    assert env.game.outcome is not None
    assert env.game.outcome.winner == info["winner"]


def test_a_game_is_cut_off_after_max_turns() -> None:
    env = zoo.raw_env(task="battle", max_turns=3)
    env.reset(seed=2)
    for _ in range(3):
        assert env.last()[2:4] == (False, False)
        env.step(0)
    assert [env.last()[1:4], env.infos["player_0"]["winner"]] == [(0.0, False, True), -1]


def test_an_illegal_action_is_told() -> None:
    env = zoo.raw_env(task="battle")
    env.reset(seed=2)
    mask = env.action_masks("player_0")
    env.step(int(np.flatnonzero(~mask)[0]))
    assert env.infos["player_0"]["illegal_action"]
    assert env.agent_selection == "player_1"
    env.step(0)
    assert "illegal_action" not in env.infos["player_0"]


def test_bad_keywords_are_explained() -> None:
    with pytest.raises(CallerError, match="expected match or battle"):
        zoo.env(task="draft")
    with pytest.raises(CallerError, match="expected one of ansi"):
        zoo.env(render_mode="film")
    with pytest.raises(CallerError, match="is for one learner"):
        zoo.env(edition="tapdeck", reward="score")
    with pytest.raises(CallerError, match="has no task 'draft'"):
        zoo.parallel_env(edition="locm-1.5")
    with pytest.raises(gymnasium.error.ResetNeeded):
        zoo.raw_env().observe("player_0")


# What players see of each other


@pytest.mark.parametrize("edition", BUILDING)
def test_choices_of_deck_building_stay_hidden(edition: str) -> None:
    one, other = zoo.raw_env(edition=edition), zoo.raw_env(edition=edition)
    one.reset(seed=4)
    other.reset(seed=4)
    differ = 0
    while one.game.phase != "battle":
        agent = one.agent_selection
        assert other.agent_selection == agent
        hidden = one.observe("player_1"), other.observe("player_1")
        assert all(hidden[0][key].tobytes() == hidden[1][key].tobytes() for key in hidden[0])
        assert one.infos["player_1"] == other.infos["player_1"]
        legal = np.flatnonzero(one.action_masks(agent))
        one.step(legal[0])
        other.step(np.flatnonzero(other.action_masks(agent))[-1 if agent == "player_0" else 0])
        differ += one.state().tobytes() != other.state().tobytes()
    assert differ > 20


def test_both_see_the_same_offer_until_both_have_chosen() -> None:
    env = zoo.raw_env(observation="structured")
    env.reset(seed=4)
    for _ in range(29):
        offers = []
        for _ in range(2):
            offers += [env.observe(name)["draft_offer"] for name in zoo.PLAYERS]
            picks = [int((env.observe(name)["draft_picks"].any(axis=1)).sum()) for name in zoo.PLAYERS]
            assert picks[0] - picks[1] == (env.agent_selection == "player_1")
            env.step(int(np.flatnonzero(env.action_masks(env.agent_selection))[0]))
        assert all(np.array_equal(offers[0], each) for each in offers)


@pytest.mark.parametrize("varied", [{}, {"deck_size": 10, "alternatives": 5}])
def test_a_draft_at_once_is_the_draft_in_turn(varied: dict[str, Any]) -> None:
    env, seen = zoo.parallel_env(pilots=("greedy", "random"), **varied), []
    observations, _ = env.reset(seed=9)
    turns = zoo.raw_env(**varied)
    turns.reset(seed=9)
    first = turns.encoding.n_actions - varied.get("alternatives", 3)  # the picks come last among the actions of a match
    blocks = next(each for each in turns.encoding.blocks if each.name.startswith("draft_")).start
    while env.agents:
        for name in zoo.PLAYERS:
            seen.append(observations[name]["observation"])
            assert turns.agent_selection == name
            assert np.array_equal(turns.observe(name)["observation"][blocks : blocks + env.encoding.size], seen[-1])
            turns.step(first + 1)
        observations, rewards, terminations, _, infos = env.step(dict.fromkeys(zoo.PLAYERS, 1))
    assert len(seen) == 2 * varied.get("deck_size", 30)
    assert all(terminations.values())
    assert sorted(rewards.values()) == [-1, 1]
    assert rewards[zoo.PLAYERS[infos["player_0"]["winner"]]] == 1


@pytest.mark.parametrize("form", ["flat", "vector"])
def test_illegal_actions_can_lose_the_game_instead(form: str) -> None:
    env = TerminateIllegalWrapper(zoo.raw_env(task="battle", observation=form), illegal_reward=-1)
    env.reset(seed=2)
    env.last()  # where the wrapper finds the mask
    env.step(int(np.flatnonzero(~env.unwrapped.action_masks("player_0"))[0]))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1, "player_1": 0}
