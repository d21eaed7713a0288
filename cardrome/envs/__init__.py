"""Environments: the games as learners and language models meet them.

Importing this package registers the environments with Gymnasium and PettingZoo, where these are installed:

    import gymnasium, pettingzoo, cardrome.envs

    env = gymnasium.make("cardrome/Battle-v0", opponent="greedy")
    envs = gymnasium.make_vec("cardrome/Battle-v0", num_envs=4096, vectorization_mode="vector_entry_point")
    two = pettingzoo.make("aec", "cardrome/Match-v0")

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

TWO_PLAYERS = {
    "cardrome/Match-v0": ("aec", "env", {"edition": "locm-1.2"}),
    "cardrome/Battle-v0": ("aec", "env", {"edition": "locm-1.2", "task": "battle"}),
    "cardrome/Tapdeck-v0": ("aec", "env", {"edition": "tapdeck"}),
    "cardrome/Draft-v0": ("parallel", "parallel_env", {"edition": "locm-1.2"}),
}
"""The environments of PettingZoo: how they are stepped, what makes them in `cardrome.envs.zoo`, with which keywords."""

if find_spec("pettingzoo") is not None:
    import pettingzoo

    for _id, (_type, _maker, _keywords) in TWO_PLAYERS.items():
        pettingzoo.register(_type, _id, f"cardrome.envs.zoo:{_maker}", kwargs=_keywords)
