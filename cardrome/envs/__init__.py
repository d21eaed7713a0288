"""Environments for learners: importing this package registers them with Gymnasium.

import gymnasium, cardrome.envs
env = gymnasium.make("cardrome/Battle-v0", opponent="greedy")
envs = gymnasium.make_vec("cardrome/Battle-v0", num_envs=4096, vectorization_mode="vector_entry_point")
"""

from __future__ import annotations

import gymnasium

from cardrome.envs.single import CardEnv
from cardrome.envs.vector import CardVectorEnv

__all__ = ["ENVIRONMENTS", "CardEnv", "CardVectorEnv"]

ENVIRONMENTS = {
    "cardrome/Battle-v0": {"edition": "locm-1.2", "task": "battle"},
    "cardrome/Draft-v0": {"edition": "locm-1.2", "task": "draft", "opponent": "greedy"},
    "cardrome/Constructed-v0": {"edition": "locm-1.5", "task": "constructed", "opponent": "greedy"},
    "cardrome/Match-v0": {"edition": "locm-1.2", "task": "match"},
    "cardrome/Tapdeck-v0": {"edition": "tapdeck", "task": "match"},
}
"""The registered environments, and the keywords that make them what they are."""

for _id, _keywords in ENVIRONMENTS.items():
    gymnasium.register(
        _id,
        entry_point="cardrome.envs.single:CardEnv",
        vector_entry_point="cardrome.envs.vector:CardVectorEnv",
        kwargs=_keywords,
    )
