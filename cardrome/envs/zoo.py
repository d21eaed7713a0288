"""The PettingZoo environments: both players are learners.

`env` (or `raw_env`, without PettingZoo's wrappers) is a game, player by player. `parallel_env` is a draft in which both
choose at once. Importing `cardrome.envs` registers them:

    import pettingzoo, cardrome.envs

    games = pettingzoo.make("aec", "cardrome/Match-v0", edition="locm-1.5")
    drafts = pettingzoo.make("parallel", "cardrome/Draft-v0", pilots="rule-based")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from cardrome.envs.settings import RENDER_MODES, checked_mode, observed, open_episodes, rendered
from cardrome.envs.spaces import action_space, observation_space, state_space
from cardrome.errors import CallerError
from cardrome.games.game import Game, View
from cardrome.games.learning.encoding import Floats
from cardrome.games.learning.opponents import Decider
from cardrome.games.learning.stepping import BOTH, DISABLED, NEW, OVER

PLAYERS = ["player_0", "player_1"]
"""The agents, by seat: player_0 moves first."""

Infos = dict[str, dict[str, Any]]


class TwoPlayers:
    """One game whose players are both learners, and what each of them sees: what the environments here share."""

    def __init__(self, name: str, form: str, render_mode: str | None, **keywords: Any) -> None:
        if render_mode != "human":
            checked_mode(render_mode)
        self.metadata: dict[str, Any] = {"name": f"cardrome_{name}_v0", "render_modes": [*RENDER_MODES, "human"]}
        self.render_mode, self._form = render_mode, form
        self._episodes = open_episodes(1, seat=BOTH, autoreset=DISABLED, threads=1, **keywords)
        self.encoding = self._episodes.encoding
        self.possible_agents = PLAYERS[:]
        self.agents: list[str] = []
        self.observation_spaces = {name: observation_space(self.encoding, form) for name in PLAYERS}
        self.action_spaces: dict[str, spaces.Space[Any]] = {name: action_space(self.encoding) for name in PLAYERS}
        self.state_space = state_space(self.encoding)
        if self._episodes.setting.score:
            raise CallerError("reward 'score' is for one learner; with two, use 'win' and the potentials")
        records = self._episodes.records
        self._potential = records["potential"]
        self._worth: list[float | None] = [None, None]
        self._status, self._seat, self._winner = records["status"], records["seat"], records["winner"]
        self._illegal, self._seed, self._steps = records["illegal"], records["seed"], records["steps"]
        self._seeded = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is None and not self._seeded:
            seed = int(np.random.default_rng().integers(1 << 62))
        self._seeded = True
        self._episodes.begin(None if seed is None else np.array([seed], np.int64))
        self._worth = [None, None]
        self.agents = PLAYERS[:]

    def _play(self, action: Any) -> bool:
        """Take an action for the player to move; returns whether it was legal."""
        illegal = self._illegal[0]
        self._episodes.actions[0] = action
        self._episodes.step()
        return bool(self._illegal[0] == illegal)

    def _ending(self) -> tuple[dict[str, float], bool, bool]:
        """Rewards, and whether the game is over, or was cut off: then nobody has won, and it is not drawn either."""
        over, winner, setting = self._status[0] == OVER, int(self._winner[0]), self._episodes.setting
        rewards = dict.fromkeys(PLAYERS, 0.0)
        for seat, name in enumerate(PLAYERS):
            if setting.potentials and (over or seat == self._seat[0]):
                # What a position is worth to a player, it costs the other.
                worth, before = float(self._potential[0]) * (1 - 2 * seat), self._worth[seat]
                rewards[name] = 0.0 if before is None else setting.discount * worth - before
                self._worth[seat] = worth
            if winner in (0, 1):
                rewards[name] += setting.win if seat == winner else -setting.win
        return rewards, bool(over and winner >= 0), bool(over and winner < 0)

    def _infos(self, illegal: str | None = None) -> Infos:
        """What both are told besides, and who took an action that was illegal."""
        told = {"seed": int(self._seed[0])} if self._steps[0] == 0 else {}
        if self._status[0] == OVER:
            told["winner"] = int(self._winner[0])
        infos: Infos = {name: dict(told) for name in PLAYERS}
        if illegal is not None:
            infos[illegal]["illegal_action"] = True
        if not isinstance(self.observation_spaces[PLAYERS[0]], spaces.Dict):
            for name in PLAYERS:
                infos[name]["action_mask"] = self._mask(name)
        return infos

    def _mask(self, agent: str) -> npt.NDArray[np.int8]:
        """What an agent may do. Nothing, while the other is to move; after the end, the first action, as a filler."""
        mask = self._episodes.sheet.masks[0]
        free = self._status[0] == OVER or agent == PLAYERS[self._seat[0]]
        return mask.copy() if free else np.zeros_like(mask)

    def observe(self, agent: str) -> Any:
        """What an agent sees now, whoever is to move."""
        self._must_have_begun()
        if agent == PLAYERS[self._seat[0]]:
            flat = self._episodes.sheet.observations[0].copy()
        else:
            flat = self._episodes.states()[0, self.encoding.size :].copy()
        return observed(self.encoding, self._form, flat, self._mask(agent))

    def action_masks(self, agent: str) -> npt.NDArray[np.bool_]:
        """What an agent may do now."""
        return self._mask(agent).astype(np.bool_)

    def state(self) -> Floats:
        """What both players see, player_0 first: for critics, never for players."""
        self._must_have_begun()
        seen: Floats = self._episodes.states().reshape(2, -1)  # first what the player to move sees
        return seen[:: 1 - 2 * int(self._seat[0])].reshape(-1)

    def _must_have_begun(self) -> None:
        if self._status[0] == NEW:
            raise ResetNeeded("no game has begun: call reset() first")

    @property
    def game(self) -> Game:
        """The game as it stands, nothing hidden: a copy."""
        self._must_have_begun()
        return self._episodes.game(0)

    def view(self, agent: str) -> View:
        """What an agent may know of it."""
        return self.game.view(PLAYERS.index(agent))

    def render(self) -> Any:
        """The position as the player to move sees it: text, an SVG element, pixels; for humans the text is printed."""
        if self.render_mode is None:
            return None
        self._must_have_begun()
        if self.render_mode != "human":
            return rendered(self._episodes, 0, self.render_mode)
        print(rendered(self._episodes, 0, "ansi"))
        return None

    def close(self) -> None:
        """Nothing is open."""


class CardAECEnv(TwoPlayers, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game, player by player. `cardrome.envs.settings.open_episodes` explains the keywords.

    ``task`` is the whole ``"match"``, or the ``"battle"`` with decks that a ``deck_builder`` builds. The choices of
    deck building count as simultaneous: nobody sees what the other has chosen.
    """

    def __init__(
        self,
        *,
        edition: str = "locm-1.2",
        task: str = "match",
        observation: str = "flat",
        deck_builder: Decider | tuple[Decider, Decider] = "random",
        reward: str | Mapping[str, float] = "win",
        discount: float = 1.0,
        deals: Any = None,
        max_turns: int | None = None,
        deck_size: int | None = None,
        alternatives: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if task not in ("match", "battle"):
            raise CallerError(f"task {task!r}; expected match or battle")
        super().__init__(
            task,
            observation,
            render_mode,
            edition=edition,
            task=task,
            deck_builder=deck_builder,
            reward=reward,
            discount=discount,
            deals=deals,
            max_turns=max_turns,
            deck_size=deck_size,
            alternatives=alternatives,
        )

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of a seed, or the one after the last."""
        self._begin(seed)
        self._skip_agent_selection: str | None = None
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self._enter(self._infos())

    def step(self, action: Any) -> None:
        """Take an action for the agent to move.

        An illegal one counts as the first legal one (in battle, as passing), and ``infos[agent]["illegal_action"]``
        says so until the next step.
        """
        if not self.agents:
            raise ResetNeeded("no game is going on: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._enter(self._infos(None if self._play(action) else agent))
        self._accumulate_rewards()
        self._deads_step_first()

    def _enter(self, infos: Infos) -> None:
        """Write down where the game stands."""
        self.rewards, terminated, truncated = self._ending()
        self.terminations, self.truncations = dict.fromkeys(PLAYERS, terminated), dict.fromkeys(PLAYERS, truncated)
        self.infos = infos
        self.agent_selection = PLAYERS[self._seat[0]]


class DraftParallelEnv(TwoPlayers, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A draft in which both players choose at once. Then agents play the battle, which decides the reward.

    ``pilots`` names these agents, one for both or one for each; `cardrome.envs.settings.open_episodes` explains the
    other keywords.
    """

    def __init__(
        self,
        *,
        edition: str = "locm-1.2",
        observation: str = "flat",
        pilots: Decider | tuple[Decider, Decider] = "greedy",
        deals: Any = None,
        max_turns: int | None = None,
        deck_size: int | None = None,
        alternatives: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        first, second = pilots if isinstance(pilots, tuple) else (pilots, pilots)
        super().__init__(
            "draft",
            observation,
            render_mode,
            edition=edition,
            task="draft",
            pilot=first,
            opponent=second,
            deals=deals,
            max_turns=max_turns,
            deck_size=deck_size,
            alternatives=alternatives,
        )

    def _mask(self, agent: str) -> npt.NDArray[np.int8]:
        """What an agent may do: the same as the other, who has the same offer."""
        mask: npt.NDArray[np.int8] = self._episodes.sheet.masks[0].copy()
        return mask

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Infos]:
        """Begin a draft: the first of a seed, or the one after the last."""
        self._begin(seed)
        return {name: self.observe(name) for name in PLAYERS}, self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Take a card for each player. After the last ones the battle is played."""
        if not self.agents:
            raise ResetNeeded("no draft is going on: call reset() first")
        for name in PLAYERS:
            if not self.action_spaces[name].contains(actions[name]):
                raise CallerError(f"{name}: {actions[name]!r} is not an action; expected {self.action_spaces[name]}")
        for name in PLAYERS:
            self._play(actions[name])
        rewards, terminated, truncated = self._ending()
        if terminated or truncated:
            self.agents = []
        observations = {name: self.observe(name) for name in PLAYERS}
        ends = dict.fromkeys(PLAYERS, terminated), dict.fromkeys(PLAYERS, truncated)
        return observations, rewards, *ends, self._infos()


raw_env = CardAECEnv
parallel_env = DraftParallelEnv


def env(**keywords: Any) -> AECEnv[str, Any, Any]:
    """A game, player by player, with PettingZoo's checks of the order of calls and of actions out of bounds."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(CardAECEnv(**keywords)))
