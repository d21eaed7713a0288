"""The native vector environment: one kernel call steps all games, opponents included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cardrome.envs.settings import SMALL, checked_mode, observed, open_episodes, rendered
from cardrome.envs.single import CardEnv
from cardrome.envs.spaces import action_space, observation_space, state_space
from cardrome.errors import CallerError
from cardrome.games.game import Game
from cardrome.games.learning.stepping import DISABLED, NEXT_STEP, OVER, SAME_STEP

_MODES = {AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP, AutoresetMode.DISABLED: DISABLED}


class CardVectorEnv(VectorEnv[Any, Any, npt.NDArray[Any]]):
    """Many episodes side by side. `cardrome.envs.settings.open_episodes` explains the keywords.

    Observations are written once and never change while anybody holds them: memory is used again when it is free.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        observation: str = "flat",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **keywords: Any,
    ) -> None:
        super().__init__()
        if num_envs < 1:
            raise CallerError(f"num_envs is {num_envs}; at least one is needed")
        self.num_envs, self._form, self.render_mode = num_envs, observation, checked_mode(render_mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**CardEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self._episodes = open_episodes(num_envs, autoreset=_MODES[self.autoreset_mode], **keywords)
        self.encoding = self._episodes.encoding
        self.single_observation_space = observation_space(self.encoding, observation)
        self.single_action_space = action_space(self.encoding)
        self.single_state_space = state_space(self.encoding)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all episodes, or those marked in ``options["reset_mask"]``.

        A number gives environment i the seed ``seed + i``; a list, each its own. Without one, the next episodes begin.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        which = None if options is None else options.get("reset_mask")
        if which is not None and (which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any()):
            raise CallerError(f"reset_mask: expected {self.num_envs} booleans, one of them true at least")
        chosen = np.arange(self.num_envs) if which is None else np.flatnonzero(which)
        seeds: npt.NDArray[np.int64] | None = None
        if isinstance(seed, int):
            seeds = seed + chosen.astype(np.int64)
        elif seed is not None and any(each is not None for each in seed):
            if len(seed) != self.num_envs or None in seed:
                raise CallerError(f"seed: expected a number, or {self.num_envs} of them")
            seeds = np.array(seed, np.int64)[chosen]
        elif not self._seeded:
            seeds = self.np_random.integers(1 << 62, size=len(chosen))
        self._seeded = True
        self._episodes.begin(seeds, which)
        records, marked = self._episodes.records, np.ones(self.num_envs, np.bool_) if which is None else which.copy()
        infos = {"seat": records["learner"].astype(np.int64), "seed": records["seed"].copy()}
        return self._observations(), {**infos, **{f"_{name}": marked for name in infos}}

    def step(self, actions: Any) -> tuple[Any, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Take an action in each episode."""
        episodes = self._episodes
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() first")
        if self.autoreset_mode is AutoresetMode.DISABLED and (episodes.records["status"] == OVER).any():
            raise gymnasium.error.ResetNeeded("some episodes are over: reset them with options={'reset_mask': ...}")
        episodes.actions[:] = actions
        episodes.step()
        terminated, truncated = episodes.terminated.copy(), episodes.truncated.copy()
        done = terminated | truncated
        infos = self._final(done) if done.any() else {}
        return self._observations(), episodes.rewards.copy(), terminated, truncated, infos

    def _final(self, done: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """What is told of episodes that are over."""
        records = self._episodes.records
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return {"winner": np.where(done, records["winner"], 0).astype(np.int64), "_winner": done}
        final = np.full(self.num_envs, None, object)
        mask = np.zeros(self.encoding.n_actions, np.int8)
        mask[0] = 1
        for i in np.flatnonzero(done).tolist():
            final[i] = observed(self.encoding, self._form, self._episodes.finals[i].copy(), mask.copy())
        winner = np.where(done, records["last_winner"], 0).astype(np.int64)
        info = {"winner": winner, "_winner": done}
        return {"final_obs": final, "_final_obs": done, "final_info": info, "_final_info": done}

    def _observations(self) -> Any:
        sheet = self._episodes.sheet
        flat, masks = sheet.observations, sheet.masks
        if self.num_envs < SMALL:  # cheaper than keeping several sheets
            flat, masks = flat.copy(), masks.copy()
        return observed(self.encoding, self._form, flat, masks)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now, in each episode."""
        return self._episodes.sheet.masks.astype(np.bool_)

    def state(self) -> npt.NDArray[np.float32]:
        """For critics, not for players: what both players of each game see, the learner's observation first."""
        return self._episodes.states()

    def game(self, i: int) -> Game:
        """The game of one environment as it stands, nothing hidden: a copy."""
        return self._episodes.game(i)

    def render(self) -> tuple[Any, ...] | None:
        """Every position as its learner sees it."""
        if self.render_mode is None:
            return None
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() first")
        return tuple(rendered(self._episodes, i, self.render_mode) for i in range(self.num_envs))
