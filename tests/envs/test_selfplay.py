"""Pools of past selves as opponents."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import numpy as np

from cardrome.envs.selfplay import Pool
from cardrome.games.learning.policies import Facts, Network, TrainedPolicy

ENV = "cardrome/Battle-v0"


def test_a_pool_grows_and_plays(tmp_path: Path) -> None:
    pool = Pool(tmp_path / "pool", places=2, half_life=1.0, seed=1)
    places = list(pool.opponents(3.0).items())
    assert [weight for _, weight in places] == [1.5, 1.5]
    envs = gymnasium.make_vec(
        ENV, num_envs=32, vectorization_mode="vector_entry_point", opponent={"random": 1, **pool.opponents(3.0)}
    )
    encoding = envs.encoding  # type: ignore[attr-defined]
    facts = Facts(edition="locm-1.2", task="battle", encoding=encoding.digest)

    def snapshot(action: int) -> TrainedPolicy:
        """One that would take this action whatever it sees."""
        bias = np.zeros(encoding.n_actions, np.float32)
        bias[action] = 50
        return TrainedPolicy(facts, Network([(np.zeros((encoding.size, len(bias)), np.float32), bias)]))

    def won() -> float:
        """The share of games that a random learner wins."""
        random, results = np.random.default_rng(1), []
        now, _ = envs.reset(seed=1)
        for _ in range(150):
            now, rewards, terminated, *_ = envs.step(
                (random.random((32, encoding.n_actions)) * now["action_mask"]).argmax(1)
            )
            results += rewards[terminated].tolist()
        return float(np.mean(np.array(results) > 0))

    even = won()  # places that nobody has taken play at random
    assert 0.3 < even < 0.7
    assert pool.add(snapshot(0)).name == "00000.npz"
    pool.draw()
    assert won() > even + 0.2  # an opponent who only ever passes
    for _ in range(5):
        pool.add(snapshot(1))
    pool.draw()
    again = Pool(tmp_path / "pool", places=400, half_life=1.0)
    assert again.files == pool.files
    newest = [place.policy for place in again.opponents() if place.policy is not None]
    biases = np.array([each.scorer.layers[0][1][1] for each in newest if isinstance(each.scorer, Network)])
    assert len(biases) == 400
    assert 0.95 < (biases == 50).mean() < 1  # the oldest is met once in 63 games
