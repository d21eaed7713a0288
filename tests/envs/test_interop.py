"""Learners of other projects find what they look for."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import cardrome.envs
from cardrome.envs import zoo


@pytest.mark.parametrize(
    ("name", "keywords"),
    [
        ("cardrome/Tapdeck-v0", {"observation": "flat"}),
        ("cardrome/Draft-v0", {"observation": "gym-locm"}),
    ],
)
def test_maskable_ppo_learns_from_it_as_it_is(name: str, keywords: dict[str, Any]) -> None:
    maskable = pytest.importorskip("sb3_contrib").MaskablePPO
    import torch
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    torch.set_num_threads(1)  # several are slower on so small a net, and tests run side by side
    env: Any = gymnasium.make(name, **keywords)
    assert is_masking_supported(env)
    policy = "MultiInputPolicy" if isinstance(env.observation_space, gymnasium.spaces.Dict) else "MlpPolicy"
    model = maskable(
        policy, env, n_steps=128, batch_size=128, n_epochs=1, seed=1, device="cpu", policy_kwargs={"net_arch": [8]}
    )
    before = [each.detach().clone() for each in model.policy.parameters()]
    model.learn(256)
    after = list(model.policy.parameters())
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))
    assert all(torch.isfinite(each).all() for each in after)
    observation, _ = env.reset(seed=5)
    over = False
    while not over:
        action, _ = model.predict(observation, action_masks=get_action_masks(env))
        observation, _, terminated, truncated, info = env.step(int(action))
        assert "illegal_action" not in info
        over = terminated or truncated


def test_maskable_ppo_learns_from_many_games_at_once() -> None:
    maskable = pytest.importorskip("sb3_contrib").MaskablePPO
    import torch
    from sb3_contrib.common.maskable.utils import get_action_masks

    from cardrome.envs.baselines import BaselinesVecEnv

    torch.set_num_threads(1)
    envs = BaselinesVecEnv("cardrome/Battle-v0", 64, opponent="random")
    envs.seed(3)
    alone: Any = gymnasium.make("cardrome/Battle-v0", opponent="random", observation="vector")
    first, _ = alone.reset(seed=3 + 7)
    assert np.array_equal(envs.reset()[7], first)
    model = maskable("MlpPolicy", envs, n_steps=16, batch_size=256, n_epochs=1, seed=1, device="cpu")
    model.learn(64 * 16)
    observations = envs.reset()
    wins: list[float] = []
    while len(wins) < 64:
        actions, _ = model.predict(observations, action_masks=get_action_masks(envs))
        observations, rewards, done, infos = envs.step(actions)
        for i in np.flatnonzero(done):
            assert infos[i]["terminal_observation"].shape == first.shape
            assert not infos[i]["TimeLimit.truncated"]
            assert rewards[i] in (-1, 1)
            wins.append(rewards[i])
        assert not rewards[~done].any()


@pytest.mark.parametrize("name", cardrome.envs.ENVIRONMENTS)
@pytest.mark.parametrize(("form", "key"), [("flat", "observation"), ("rllib", "observations")])
def test_dictionaries_are_those_that_torchrl_and_rllib_read(name: str, form: str, key: str) -> None:
    """TorchRL's ActionMask reads ``action_mask``, RLlib's ActionMaskingRLModule takes these two keys and no others."""
    env: Any = gymnasium.make(name, observation=form)
    space = env.observation_space
    assert set(space.spaces) == {key, "action_mask"}
    assert isinstance(space[key], gymnasium.spaces.Box)
    assert space["action_mask"].shape == (env.action_space.n,)
    observation, _ = env.reset(seed=1)
    assert np.array_equal(observation["action_mask"].astype(bool), env.unwrapped.action_masks())
    assert set(observation["action_mask"].tolist()) <= {0, 1}
    action = env.action_space.sample(observation["action_mask"])
    assert "illegal_action" not in env.step(action)[4]


def test_two_players_have_the_same_dictionaries() -> None:
    env = zoo.env(task="battle")
    env.reset(seed=1)
    for name in zoo.PLAYERS:
        observation = env.observe(name)
        assert set(observation) == {"observation", "action_mask"}
        assert observation in env.observation_space(name)
    assert np.array_equal(env.observe("player_0")["action_mask"], env.unwrapped.action_masks("player_0"))
    assert not env.unwrapped.action_masks("player_1").any()


@pytest.mark.parametrize(
    ("name", "keywords", "size"),
    [
        ("cardrome/Battle-v0", {"edition": "locm-1.2"}, 238),
        ("cardrome/Battle-v0", {"edition": "locm-1.5"}, 244),
        ("cardrome/Draft-v0", {}, 48),
        ("cardrome/Constructed-v0", {}, 2040),
    ],
)
def test_environments_speak_gym_locm(name: str, keywords: dict[str, Any], size: int) -> None:
    # The checker would complain: gym-locm declares numbers from -1 to 1, and some are beyond, there and here.
    env: Any = gymnasium.make(name, observation="gym-locm", disable_env_checker=True, **keywords)
    assert env.observation_space == gymnasium.spaces.Box(-1, 1, (size,), np.float32)
    assert env.action_space.n == {"Battle": 145, "Draft": 3, "Constructed": 120}[name[9:-3]]
    observation, _ = env.reset(seed=7)
    many = gymnasium.make_vec(
        name, num_envs=2, vectorization_mode="vector_entry_point", observation="gym-locm", **keywords
    )
    together, _ = many.reset(seed=7)
    assert together.shape == (2, size)
    assert np.array_equal(together[0], observation)
