"""How fast learners' environments step: agent steps a second, opponents, observations and masks included.

The learner's actions are random legal ones, chosen outside of the time that is measured.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np

from cardrome.bench import best_of
from cardrome.bench.kernels import pick_legal
from cardrome.games.learning.episodes import Episodes
from cardrome.games.learning.stepping import LOOK

TASKS = {"locm-1.2": "battle", "locm-1.5": "battle", "tapdeck": "match"}
"""What is measured of each edition."""
OPPONENTS = ("random", "greedy")


class EnvironmentSpeed(msgspec.Struct, frozen=True):
    """A vector environment's speed."""

    steps_per_second: float
    """Decisions of the learner, in all games together."""
    episodes_per_second: float
    steps_per_episode: float


def walk(episodes: Episodes, seconds: float) -> EnvironmentSpeed:
    """Step for a while with random legal actions."""
    random = np.ones(1, np.int64)
    episodes.begin(np.arange(episodes.n))
    steps = finished = 0
    spent = 0.0
    warm_up = 30
    while spent < seconds:
        pick_legal(episodes.sheet.masks.reshape(-1), episodes.actions, random)
        start = time.perf_counter()
        episodes.step()
        end = time.perf_counter()
        if warm_up:  # games must come to their middle before they are like others
            warm_up -= 1
            continue
        spent += end - start
        steps += episodes.n
        finished += int(episodes.terminated.sum())
    return EnvironmentSpeed(steps / spent, finished / spent, steps / max(finished, 1))


def vector_speed(edition: str, opponent: str, n: int, threads: int, seconds: float) -> EnvironmentSpeed:
    """The speed of a vector environment against an opponent; decks are built at random."""
    from cardrome.envs.settings import open_episodes

    return walk(open_episodes(n, edition=edition, task=TASKS[edition], opponent=opponent, threads=threads), seconds)


def observation_ns(edition: str, n: int, rounds: int = 20) -> float:
    """Nanoseconds for an observation and its mask alone, without a step."""
    from cardrome.envs.settings import open_episodes

    episodes = open_episodes(n, edition=edition, task=TASKS[edition], threads=1)
    walk(episodes, 0.01)
    return best_of(rounds, lambda: episodes.sheet.run(LOOK, 0, 0, n), time.perf_counter) / n * 1e9


def single_steps_per_second(edition: str, steps: int) -> float:
    """Steps a second of one Gymnasium environment, resets included."""
    from cardrome.envs.single import CardEnv

    env = CardEnv(edition=edition, task=TASKS[edition])
    random = np.ones(1, np.int64)
    action = np.zeros(1, np.int64)
    observation, _ = env.reset(seed=1)
    spent = 0.0
    for _ in range(steps):
        pick_legal(observation["action_mask"], action, random)
        chosen = int(action[0])
        start = time.perf_counter()
        observation, _, terminated, truncated, _ = env.step(chosen)
        if terminated or truncated:
            observation, _ = env.reset()
        spent += time.perf_counter() - start
    return steps / spent


def measure_environments(editions: Iterable[str], quick: bool, jobs: int) -> dict[str, Any]:
    """The figures of some editions, by opponent; none where Gymnasium is not installed."""
    seconds, n = (0.2, 1024) if quick else (0.6, 4096)
    figures: dict[str, Any] = {}
    if importlib.util.find_spec("gymnasium") is None:
        return figures
    chosen = set(editions)
    for edition in (each for each in TASKS if each in chosen):
        found: dict[str, Any] = {"environments": n}
        for opponent in OPPONENTS:
            alone = vector_speed(edition, opponent, n, 1, seconds)
            together = vector_speed(edition, opponent, n, jobs, seconds)
            found[opponent] = {
                **msgspec.structs.asdict(alone),
                "jobs": jobs,
                "all_cores_steps_per_second": together.steps_per_second,
                "speed_up": together.steps_per_second / alone.steps_per_second,
                "to_bulk_play": alone.episodes_per_second / _bulk_games(edition, opponent, 400 if quick else 2000),
            }
        found["single_steps_per_second"] = single_steps_per_second(edition, 2000 if quick else 20_000)
        found["observation_ns"] = observation_ns(edition, n)
        figures[edition] = found
    return figures


def _bulk_games(edition: str, opponent: str, pairs: int) -> float:
    """Games a second of bulk play between a random player and the same opponent: what stepping is compared to."""
    from cardrome.bench.figures import bulk_play

    return bulk_play(edition, "random", opponent, pairs).games_per_second
