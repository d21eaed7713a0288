"""Walks through environments: which actions are taken depends on the seed, the number of the step and the mask alone.

Run as a program it prints the traces of walks, a line each: the interpreted side of test_equality.py.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

import cardrome.envs  # noqa: F401 - registers them
from cardrome import Agent

Trace = list[str]


class Hasty(Agent):
    """An opponent in Python, who takes the last legal action, and ends every other turn at once."""

    def act(self, view: Any) -> Any:
        return view.legal_actions[-1 if view.turn % 4 < 2 else 0]


def choose(seed: int, step: int, mask: np.ndarray[Any, Any]) -> int:
    """An action: legal, but for one of 16."""
    dice = int.from_bytes(hashlib.blake2b(f"{seed} {step}".encode(), digest_size=8).digest())
    legal = np.flatnonzero(mask) if dice % 16 else np.arange(len(mask))
    return int(legal[(dice >> 8) % len(legal)])


def moment(observation: Mapping[str, Any], reward: float, terminated: bool, truncated: bool) -> str:
    """Everything that a step gives, as a hash."""
    parts = [observation[name].tobytes() for name in sorted(observation)]
    parts.append(f"{float(reward)!r} {bool(terminated)} {bool(truncated)}".encode())
    return hashlib.blake2b(b"|".join(parts), digest_size=8).hexdigest()


def single_walk(name: str, seed: int, steps: int, **keywords: Any) -> Trace:
    """The trace of a walk through a single environment, which is reset where an episode ends."""
    env = gymnasium.make(name, disable_env_checker=True, **keywords).unwrapped
    observation, _ = env.reset(seed=seed)
    trace = [moment(observation, 0, False, False)]
    for step in range(steps):
        observation, reward, terminated, truncated, _ = env.step(choose(seed, step, observation["action_mask"]))
        trace.append(moment(observation, float(reward), terminated, truncated))
        if terminated or truncated:
            observation, _ = env.reset()
            trace.append(moment(observation, 0, False, False))
    return trace


def vector_walks(name: str, seeds: list[int], steps: int, mode: str, **keywords: Any) -> list[Trace]:
    """The same in a vector environment, for each of the seeds."""
    n = len(seeds)
    envs = gymnasium.make_vec(
        name, num_envs=n, vectorization_mode="vector_entry_point", autoreset_mode=mode, **keywords
    )
    observations, _ = envs.reset(seed=seeds)  # type: ignore[arg-type]
    traces = [[moment(row(observations, i), 0, False, False)] for i in range(n)]
    counts = [0] * n
    over = np.zeros(n, np.bool_)
    kept = []
    while min(counts) < steps:
        actions = np.zeros(n, np.int64)
        for i in range(n):
            if not over[i]:
                actions[i] = choose(seeds[i], counts[i], observations["action_mask"][i])
                counts[i] += 1
        kept.append((observations, {name: array.copy() for name, array in observations.items()}))
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        done = terminated | truncated
        for i in range(n):
            last = infos["final_obs"][i] if mode == "SameStep" and done[i] else row(observations, i)
            traces[i].append(moment(last, rewards[i], terminated[i], truncated[i]))
            if mode == "SameStep" and done[i]:
                traces[i].append(moment(row(observations, i), 0, False, False))
        if mode == "NextStep":
            over = done
        if mode == "Disabled" and done.any():
            observations, _ = envs.reset(options={"reset_mask": done})
            for i in np.flatnonzero(done).tolist():
                traces[i].append(moment(row(observations, i), 0, False, False))
    assert all(np.array_equal(held[name], then[name]) for held, then in kept for name in then), "overwritten"
    return traces


def row(observations: Mapping[str, Any], i: int) -> dict[str, Any]:
    """The observation of one environment."""
    return {name: array[i] for name, array in observations.items()}


if __name__ == "__main__":
    for walk in json.loads(sys.argv[1]):
        print(json.dumps(single_walk(**walk)))
