"""The Gymnasium environment: one episode at a time, against an opponent that is part of the environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from cardrome.envs.settings import RENDER_MODES, checked_mode, observed, open_episodes, rendered
from cardrome.envs.spaces import action_space, observation_space, state_space
from cardrome.errors import CallerError
from cardrome.games.game import Game, View
from cardrome.games.learning.stepping import DECIDING, DISABLED, NEW

INFOS = ("legal_actions", "text")
"""What `info` can carry besides."""


class CardEnv(gymnasium.Env[Any, np.int64]):
    """A game, or a part of one, as an environment. `cardrome.envs.settings.open_episodes` explains the keywords."""

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012 - as the base class has it

    def __init__(
        self,
        *,
        observation: str = "flat",
        info: tuple[str, ...] = (),
        render_mode: str | None = None,
        **keywords: Any,
    ) -> None:
        self._form, self._extras, self.render_mode = observation, tuple(info), checked_mode(render_mode)
        for name in self._extras:
            if name not in INFOS:
                raise CallerError(f"info {name!r}; expected one of {', '.join(INFOS)}")
        self._episodes = open_episodes(1, autoreset=DISABLED, threads=1, **keywords)
        self.encoding = self._episodes.encoding
        # Columns: a field of a record takes ten times as long to read.
        columns = self._episodes.records
        self._status, self._illegal, self._winner = columns["status"], columns["illegal"], columns["winner"]
        self._learner, self._deal_seed = columns["learner"], columns["seed"]
        self.observation_space = observation_space(self.encoding, observation)
        self.action_space = action_space(self.encoding)
        self.state_space = state_space(self.encoding)
        self._seeded = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode: the first of a seed, or the one after the last."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(1 << 62))
        self._seeded = True
        self._episodes.begin(None if seed is None else np.array([seed], np.int64))
        return self._observation(), self._info({"seat": int(self._learner[0]), "seed": int(self._deal_seed[0])})

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action; the opponent answers until it is the learner's turn again.

        An illegal action counts as the first legal one (in battle, as passing), and ``info["illegal_action"]`` says so.
        """
        episodes = self._episodes
        if self._status[0] != DECIDING:
            raise gymnasium.error.ResetNeeded("the episode is over, or has not begun: call reset() first")
        illegal = self._illegal[0]
        episodes.actions[0] = action
        episodes.step()
        info: dict[str, Any] = {} if self._illegal[0] == illegal else {"illegal_action": True}
        terminated, truncated = bool(episodes.terminated[0]), bool(episodes.truncated[0])
        if terminated or truncated:
            info["winner"] = int(self._winner[0])
        return self._observation(), float(episodes.rewards[0]), terminated, truncated, self._info(info)

    def _observation(self) -> Any:
        sheet = self._episodes.sheet
        return observed(self.encoding, self._form, sheet.observations[0].copy(), sheet.masks[0].copy())

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        if self._extras:
            view = self.view
            if "legal_actions" in self._extras:
                info["legal_actions"] = [str(each) for each in view.legal_actions]
            if "text" in self._extras:
                info["text"] = str(view)
        return info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now."""
        masks: npt.NDArray[np.bool_] = self._episodes.sheet.masks[0].astype(np.bool_)
        return masks

    def state(self) -> npt.NDArray[np.float32]:
        """For critics, not for players: what both players see, the learner's observation and the opponent's.

        The space is `state_space`. Nothing of this is in ordinary observations.
        """
        state: npt.NDArray[np.float32] = self._episodes.states()[0]
        return state

    def action_text(self, action: int) -> str:
        """A legal action in words, as bots write it."""
        return self.view.action_text(self._episodes.stepper.code_of(0, int(action)))

    @property
    def game(self) -> Game:
        """The game as it stands, nothing hidden: a copy."""
        if self._status[0] == NEW:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() first")
        return self._episodes.game(0)

    @property
    def view(self) -> View:
        """What the learner may know of it."""
        return self.game.view(int(self._learner[0]))

    def render(self) -> Any:
        """The position as the learner sees it: text, an SVG element, or pixels."""
        if self.render_mode is None:
            return None
        if self._status[0] == NEW:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() first")
        return rendered(self._episodes, 0, self.render_mode)
