"""The games in TextArena: importing this module registers every edition as ``cardrome/EDITION-v0``.

>>> import textarena
>>> import cardrome.envs.text.textarena
>>> env = textarena.make("cardrome/locm-1.2-v0")

As everywhere in TextArena there are three versions: the plain one, which shows a model everything it was ever told, one
that ends in ``-train`` and shows the rules and the present position, and one that ends in ``-raw``. A player is told
nothing of what the other one wrote, only what was done.
"""

from __future__ import annotations

from typing import Any

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY, register_with_versions
from textarena.wrappers import GameBoardObservationWrapper, LLMObservationWrapper

from cardrome.envs.text.position import PositionText
from cardrome.games.family import families, find_family, new_game
from cardrome.games.game import Action


class TextArenaGame(ta.Env):  # type: ignore[misc]
    """A game between two models."""

    def __init__(self, edition: str = "locm-1.2", error_allowance: int = 3) -> None:
        """``error_allowance`` answers in a row may be unusable; whoever gives one more has lost."""
        self.edition, self.error_allowance = edition, error_allowance
        self._family = find_family(edition)

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Deal a new game; the seed fixes it."""
        self.game = new_game(self.edition, seed)
        self._seats = [self._family.seat(self.game.view(p)) for p in (0, 1)]
        self._seen = [0, 0]
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed, error_allowance=self.error_allowance)
        self.state.reset(game_state={}, player_prompt_function=self._rules)
        self._ask()

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Take the actions that the player to move has answered with."""
        state, player = self.state, self.state.current_player_id
        state.add_observation(
            from_id=player, to_id=player, message=action, observation_type=ta.ObservationType.PLAYER_ACTION
        )
        reading = self._text.read(action)
        for each in reading.actions:
            self._take(each)
        if not reading.actions:
            state.set_invalid_move(reason=f"{reading.problem}.")
        else:
            if reading.problem:
                said = ta.ObservationType.GAME_MESSAGE
                state.add_observation(to_id=player, message=f"Not taken: {reading.problem}.", observation_type=said)
            self._end() if self.game.is_over else self._ask()
        done, info = state.step(rotate_player=False)
        return bool(done), info

    def _rules(self, player_id: int, game_state: dict[str, Any]) -> str:
        return PositionText(self.game.view(player_id)).rules

    def _ask(self) -> None:
        """Tell the player to move the position, and all that happened since they were asked last."""
        while (player := self.game.to_move) is not None:
            formality = self._seats[player].formality(self.game.view(player))
            if formality is None:
                break
            self._take(self.game.legal_action(formality))
        if player is None:
            self._end()
            return
        self.state.manually_set_current_player_id(player)
        self._text = PositionText(self.game.view(player), self._seats[player], self._seen[player])
        self._seen[player] = len(self._seats[player].frames)
        board = ta.ObservationType.GAME_BOARD
        self.state.add_observation(to_id=player, message=self._text.position, observation_type=board)

    def _take(self, action: Action) -> None:
        player, before = self.game.to_move, [self.game.view(p) for p in (0, 1)]
        assert player is not None
        self.game.try_play(self.game.code_of(str(action)))
        for seat, view in zip(self._seats, before, strict=True):
            seat.add(player, action, view, self.game.view(seat.player))

    def _end(self) -> None:
        outcome = self.game.outcome
        assert outcome is not None
        reason = f"{outcome.ending}, scores {outcome.scores[0]} and {outcome.scores[1]}"
        if outcome.winner is None:
            self.state.set_draw(reason=f"The game is drawn: {reason}.")
        else:
            self.state.set_winner(player_id=outcome.winner, reason=f"Player {outcome.winner} wins: {reason}.")


def _register() -> None:
    wrappers = {"default": [LLMObservationWrapper], "-train": [GameBoardObservationWrapper]}
    entry = f"{__name__}:{TextArenaGame.__name__}"
    for family in families():
        for edition in family.editions:
            if f"cardrome/{edition}-v0" not in ENV_REGISTRY:
                register_with_versions(f"cardrome/{edition}-v0", entry, wrappers, edition=edition)


_register()
