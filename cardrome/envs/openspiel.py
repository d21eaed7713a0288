"""The games in OpenSpiel: importing this module registers every edition as ``cardrome/EDITION``.

>>> import pyspiel
>>> import cardrome.envs.openspiel
>>> game = pyspiel.load_game("cardrome/locm-1.5(deals=100)")

All chance is in the deal. It is the first move, a chance node with ``deals`` equally likely outcomes: those of a series
with ``seed``. From there on nothing is random, but much is hidden, and `resample_from_infostate` imagines what a player
does not know. OpenSpiel's algorithms in Python play the games, information set MCTS among them; those in C++ do, too,
unless they resample.

An information state is a player's view. It holds all that the rules let a player look up, but not who did what several
turns ago: recall is not perfect in the sense of the word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from cardrome.errors import CallerError
from cardrome.games.agents import Agent
from cardrome.games.family import AnyFamily, families
from cardrome.games.game import Game, Position, View
from cardrome.games.learning.encoding import Floats
from cardrome.games.learning.episodes import Observer

LONGEST = 10_000
"""No game has more moves."""

DEFAULTS = {"seed": 0, "deals": 1000}
"""The parameters of every game."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """An edition, with the deals that its games may have."""

    family: AnyFamily
    edition: Any
    kind: pyspiel.GameType

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        if not 1 <= given["deals"] <= 1_000_000:
            raise CallerError(f"{self.kind.short_name}: deals is {given['deals']}; allowed are 1 to 1000000")
        self.observer = Observer(self.family, self.family.encoding(self.edition, "match"))
        """Numbers actions and observations as the other environments do."""
        self.seeds: list[int] = self.family.seeds(given["seed"], given["deals"]).tolist()
        facts = pyspiel.GameInfo(
            num_distinct_actions=self.observer.encoding.n_actions,
            max_chance_outcomes=len(self.seeds),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(self.kind, facts, given)

    def new_initial_state(self) -> SpielState:
        """A game that has not been dealt yet."""
        return SpielState(self)

    def state_of(self, position: Game | View) -> SpielState:
        """The state of a game in play, or one that could be that of a view."""
        state = SpielState(self)
        state.game = position.determinize(0) if isinstance(position, View) else position.copy()
        return state

    def max_chance_nodes_in_history(self) -> int:
        """The deal."""
        return 1

    def make_py_observer(self, kind: Any = None, params: Any = None) -> SpielObserver:
        """What turns states into strings and tensors."""
        if params:
            raise CallerError(f"observers have no parameters; got {params}")
        return SpielObserver(self.observer, kind is not None and kind.perfect_recall)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game in play."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.game: Game | None = None
        """The game itself; None before the deal. OpenSpiel copies and pickles what stands here."""

    def current_player(self) -> int:
        """The player to move, chance before the deal."""
        if self.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        to_move = self.game.to_move
        return int(pyspiel.PlayerId.TERMINAL) if to_move is None else to_move

    def is_terminal(self) -> bool:
        """The game is over."""
        return self.game is not None and self.game.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals."""
        n = len(self.get_game().seeds)
        return [(outcome, 1 / n) for outcome in range(n)]

    def _legal_actions(self, player: int) -> list[int]:
        legal: list[int] = np.flatnonzero(self._look()[1]).tolist()
        return legal

    def _look(self) -> tuple[Floats, npt.NDArray[np.int8]]:
        assert self.game is not None
        look: tuple[Floats, npt.NDArray[np.int8]] = self.get_game().observer.observe(self.game)
        return look

    def code(self, action: int) -> int:
        """The engine's code for a legal action."""
        self._look()
        return int(self.get_game().observer.code_of(action))

    def _apply_action(self, action: int) -> None:
        if self.game is None:
            parent: SpielGame = self.get_game()
            deal = parent.family.deal(parent.edition, {"seed": str(parent.seeds[action])})
            self.game = parent.family.new_game(parent.edition, deal)
        else:
            self.game.try_play(self.code(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if self.game is None or player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self.game.action_text(self.code(action))

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser; nothing in a draw or before the end."""
        winner = self.game.outcome.winner if self.game is not None and self.game.outcome is not None else None
        return [0.0, 0.0] if winner is None else [1.0 if p == winner else -1.0 for p in (0, 1)]

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A state that the player cannot tell from this one: what they do not know is imagined."""
        twin: SpielState = self.clone()
        if self.game is not None:
            twin.game = self.game.view(player).determinize(int(sampler() * (1 << 53)))
        return twin

    def __str__(self) -> str:
        return "not dealt yet" if self.game is None else f"{self.game!r} {digest(self.game)}"


class SpielObserver:
    """A player's view: a tensor, and a string, which is a digest where it is to be looked up, or a drawing to read."""

    def __init__(self, observer: Observer, digest: bool) -> None:
        self._observer, self._digest = observer, digest
        self.tensor = np.zeros(observer.encoding.size, np.float32)
        self.dict: dict[str, np.ndarray[Any, Any]] = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees; nothing before the deal and when the game is over."""
        if state.game is None or state.game.is_over:
            self.tensor[:] = 0
        else:
            self.tensor[:] = self._observer.observe(state.game, player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player knows."""
        if state.game is None:
            return f"player {player}, not dealt yet"
        view = state.game.view(player)
        return f"player {player} {digest(view)}" if self._digest else str(view)


def digest(position: Position) -> str:
    """What tells a position from others, in short."""
    found = hashlib.blake2b(digest_size=16)
    for fact in position._facts():
        found.update(fact if isinstance(fact, bytes) else repr(fact).encode())
    return found.hexdigest()


class SpielAgent(Agent):
    """An OpenSpiel bot as an agent: in matches, tournaments, on the page. Subclasses make the bot."""

    _game: Any = None
    _bot: Any = None

    def begin(self, seed: int) -> None:
        """A new game begins."""
        self._seed, self._game, self._bot = seed, None, None

    def make_bot(self, game: SpielGame, player: int, seed: int) -> Any:
        """The bot, such as ``ISMCTSBot(game, ...)``."""
        raise NotImplementedError

    def act(self, view: View) -> int:
        """What the bot does, which is given a state that the view does not tell from the real one."""
        if self._game is None:
            self._game = pyspiel.load_game(f"cardrome/{view.edition.name}")
            self._bot = self.make_bot(self._game, view.viewer, self._seed)
        state: SpielState = self._game.state_of(view)
        return state.code(int(self._bot.step(state)))


def _register(family: AnyFamily, edition: Any) -> None:
    information = pyspiel.GameType.Information
    kind = pyspiel.GameType(
        short_name=f"cardrome/{edition.name}",
        long_name=f"{family.title}, {edition.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if family.has_secrets else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )
    facts = {"family": family, "edition": edition, "kind": kind}
    pyspiel.register_game(kind, type(SpielGame.__name__, (SpielGame,), facts))


for _family in families():
    for _edition in _family.editions.values():
        _register(_family, _edition)
