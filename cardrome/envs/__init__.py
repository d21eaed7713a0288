"""Environments: the games as learners and language models meet them.

Importing this package registers the environments with Gymnasium, where that is installed:

    import gymnasium, cardrome.envs

    env = gymnasium.make("cardrome/Battle-v0", opponent="greedy")
    envs = gymnasium.make_vec("cardrome/Battle-v0", num_envs=4096, vectorization_mode="vector_entry_point")

`cardrome.envs.text` needs nothing but this package.
"""

from __future__ import annotations

from importlib.util import find_spec

ENVIRONMENTS = {
    "cardrome/Battle-v0": {"edition": "locm-1.2", "task": "battle"},
    "cardrome/Draft-v0": {"edition": "locm-1.2", "task": "draft", "opponent": "greedy"},
    "cardrome/Constructed-v0": {"edition": "locm-1.5", "task": "constructed", "opponent": "greedy"},
    "cardrome/Match-v0": {"edition": "locm-1.2", "task": "match"},
    "cardrome/Tapdeck-v0": {"edition": "tapdeck", "task": "match"},
}
"""The registered environments, and the keywords that make them what they are."""

if find_spec("gymnasium") is not None:
    import gymnasium

    for _id, _keywords in ENVIRONMENTS.items():
        gymnasium.register(
            _id,
            entry_point="cardrome.envs.single:CardEnv",
            vector_entry_point="cardrome.envs.vector:CardVectorEnv",
            kwargs=_keywords,
        )
