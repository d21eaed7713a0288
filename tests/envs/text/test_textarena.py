"""The games in TextArena: registered, played to their end by agents that answer in prose, and silent about secrets."""

from __future__ import annotations

import random
import re
import warnings
from typing import Any

import pytest

from cardrome.games.family import edition_names


@pytest.fixture(scope="module")
def ta() -> Any:
    """TextArena with the games registered. Its import takes seconds, so the process that tests it imports it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it imports is not ours
        import textarena

    import cardrome.envs.text.textarena  # noqa: F401 - registers the games

    return textarena


def answers(observation: str, chance: random.Random) -> str:
    """A model that answers with any action of the last list."""
    numbers = re.findall(r"^(\d+): ", observation.rpartition("You are player")[2], re.M)
    return f"Thinking about 17 things.\n\n[{chance.choice(numbers)}]"


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5", "tapdeck"])
def test_a_game_to_its_end(ta: Any, edition: str) -> None:
    env, chance = ta.make(f"cardrome/{edition}-v0-train"), random.Random(3)
    env.reset(num_players=2, seed=3)
    done, told = False, 0
    while not done:
        player, observation = env.get_observation()
        assert f"You are player {player}." in observation
        assert "a card game for two" in observation
        told += "What happened:" in observation
        done, _ = env.step(answers(observation, chance))
    rewards, info = env.close()
    outcome = env.game.outcome
    assert outcome is not None
    assert rewards == {outcome.winner: 1, 1 - outcome.winner: -1}
    assert f"Player {outcome.winner} wins" in info[0]["reason"]
    assert not any(info[p]["invalid_move"] for p in (0, 1))
    assert told > 5


def test_all_editions_are_there(ta: Any) -> None:
    from cardrome.envs.text.textarena import TextArenaGame

    for edition in edition_names():
        for version in ("", "-train", "-raw"):
            env: Any = ta.make(f"cardrome/{edition}-v0{version}")
            while isinstance(env, ta.Wrapper):
                env = env.env
            assert isinstance(env, TextArenaGame)
            assert env.edition == edition


def test_the_seed_fixes_the_game(ta: Any) -> None:
    texts = []
    for seed in (1, 1, 2):
        env = ta.make("cardrome/locm-1.2-v0")
        env.reset(num_players=2, seed=seed)
        texts.append(env.get_observation()[1])
    assert texts[0] == texts[1] != texts[2]


def test_answers_that_cannot_be_used_lose_in_the_end(ta: Any) -> None:
    env = ta.make("cardrome/locm-1.2-v0", error_allowance=2)
    env.reset(num_players=2, seed=1)
    assert env.step("PICK 1")[0] is False
    player, observation = env.get_observation()
    assert player == 1
    assert "PICK 1\n" not in observation.partition("Actions:")[0]  # nobody learns what the other one chose
    assert env.step("whatever")[0] is False
    player, observation = env.get_observation()
    assert player == 1
    assert "invalid move. Reason: no action found in 'whatever'; answer with the number" in observation
    assert env.step("9")[0] is False
    assert env.step("10")[0] is True
    rewards, info = env.close()
    assert rewards == {1: -1, 0: 1}
    assert info[1]["invalid_move"]
