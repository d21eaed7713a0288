"""Self-play: a pool of opponents that grows as the learner does.

    pool = Pool("snapshots")
    envs = gymnasium.make_vec("cardrome/Battle-v0", ..., opponent={"greedy": 1, **pool.opponents(3)})
    ...
    pool.add(policy)  # from time to time: the policy as it is now
    pool.draw()  # between rollouts: other snapshots take the places

Snapshots are policy files, so they can also play matches and tournaments as ``policy:FILE``, which rate them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from cardrome.errors import CallerError
from cardrome.games.learning.encoding import Floats
from cardrome.games.learning.policies import Mask, Network, TrainedPolicy, read_policy, write_policy


class Place:
    """An opponent whom a snapshot of the pool plays, now this one and now that: a random one while there is none.

    All games that wait for it are answered at once. Actions are drawn, so that games differ.
    """

    def __init__(self, seed: int) -> None:
        self.policy: TrainedPolicy | None = None
        self._random = np.random.default_rng(seed)

    def __call__(self, observations: Floats, masks: Mask) -> Any:
        """The number of an action for each game."""
        if self.policy is None:
            return (self._random.random(masks.shape) * masks).argmax(1)
        return self.policy(observations, masks, self._random)


class Pool:
    """Snapshots in a folder, oldest first, and the places that they take in episodes.

    ``places`` of them play at a time. The newest is drawn most often, one that is ``half_life`` snapshots older half as
    often; without a half-life, all alike.
    """

    def __init__(
        self, folder: str | os.PathLike[str], places: int = 4, half_life: float | None = None, seed: int = 0
    ) -> None:
        if places < 1:
            raise CallerError(f"places is {places}; at least one is needed")
        self.folder, self.half_life = Path(folder), half_life
        self.folder.mkdir(parents=True, exist_ok=True)
        self.files = sorted(self.folder.glob("*.npz"))
        self._random = np.random.default_rng(seed)
        self._places = [Place(seed + 1 + k) for k in range(places)]
        self.draw()

    def opponents(self, weight: float = 1.0) -> dict[Place, float]:
        """The places as opponents of an environment, with this weight in all."""
        return dict.fromkeys(self._places, weight / len(self._places))

    def add(self, policy: TrainedPolicy) -> Path:
        """Keep a policy as it is now, behind the others; returns its file."""
        if not isinstance(policy.scorer, Network):
            raise CallerError("only networks of layers can be kept")
        path = self.folder / f"{len(self.files):05d}.npz"
        write_policy(path, policy.facts, policy.scorer)
        self.files.append(path)
        return path

    def draw(self) -> None:
        """Give each place to a snapshot drawn by weight. Games go on: the opponent changes in the middle of them."""
        if self.files:
            age = np.arange(len(self.files))[::-1]
            weights = np.ones(len(age)) if self.half_life is None else 0.5 ** (age / self.half_life)
            for place, k in zip(
                self._places, self._random.choice(len(age), len(self._places), p=weights / weights.sum()), strict=True
            ):
                place.policy = read_policy(self.files[k])
