"""The native vector environment as Stable-Baselines3 wants one, so that its learners need not wait for single games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

import cardrome.envs  # noqa: F401 - registers them


class BaselinesVecEnv(VecEnv):  # type: ignore[misc]
    """Many episodes of a registered environment side by side; keywords are those of `gymnasium.make_vec`."""

    def __init__(self, name: str, num_envs: int, *, observation: str = "vector", **keywords: Any) -> None:
        self.envs = gymnasium.make_vec(
            name,
            num_envs=num_envs,
            vectorization_mode="vector_entry_point",
            autoreset_mode="SameStep",
            observation=observation,
            **keywords,
        )
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> Any:
        """Begin all episodes, with the seeds that were set by `seed`, if any."""
        seeds = None if None in self._seeds else self._seeds
        observations, _ = self.envs.reset(seed=seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions: np.ndarray[Any, Any]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Take them. Episodes that are over begin anew at once; their last observations are in the infos."""
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = terminated | truncated
        for i in np.flatnonzero(done).tolist():
            told[i] = {
                "terminal_observation": infos["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i]),
                "winner": int(infos["final_info"]["winner"][i]),
            }
        return observations, rewards.astype(np.float32), done, told

    def close(self) -> None:
        """Nothing is open."""

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **keywords: Any) -> list[Any]:
        """The masks, which is all that learners ask single environments for."""
        if method_name != "action_masks":
            raise AttributeError(f"the environments have no method {method_name!r} each of their own")
        masks = self.envs.action_masks()  # type: ignore[attr-defined]
        return [masks[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute that all have in common."""
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """All environments are one, so none can differ."""
        raise AttributeError(f"{attr_name!r} cannot be set: give keywords when the environment is made")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """None is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray[Any, Any] | None]:
        """Nothing is drawn."""
        return [None] * self.num_envs
