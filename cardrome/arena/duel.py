"""A person against an agent: the game, whose turn it is, taking back, giving up, and the replay of it all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import msgspec

from cardrome.engine.random import player_seed
from cardrome.errors import CallerError, IllegalAction
from cardrome.games.agents import take_turn
from cardrome.games.family import AnyFamily, find_family
from cardrome.games.game import Action, Choice, Deal, Edition, Ending, Outcome
from cardrome.games.replays import ProgramRecorder, Replay, Seat

SEATS: tuple[Seat, Seat] = (0, 1)

RESIGNED = "resigned"
"""The kind of fault of a person who gives up."""


class UnfinishedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A duel that was left before its end, to go on with later."""

    format: Literal["cardrome-unfinished"] = "cardrome-unfinished"
    edition: str
    deal: dict[str, str]
    seat: Seat
    opponent: str
    actions: list[int]
    """The codes of all actions of both players."""


def usual_opponent(family: AnyFamily) -> str:
    """The default opponent of a person: one who can be beaten."""
    names = list(family.agents)
    return "greedy" if "greedy" in names else names[0]


class Duel:
    """One game between a person and an agent. Not for several threads at once.

    Actions of the person go through `play`; then `answer` lets the agent have its turn, which may take a while. What
    both do is to be seen in `seat`, from the person's side.
    """

    def __init__(
        self, edition: Edition, deal: Deal, seat: Seat, opponent: str, person: str = "you", actions: Sequence[int] = ()
    ) -> None:
        """``actions`` are the codes of what both have done already: the duel goes on behind them."""
        self.family: AnyFamily = find_family(edition.name)
        self.edition = edition
        self.deal = deal
        self.player = seat
        """The person's seat."""
        self.opponent = opponent
        self.person = person
        self._agent = self.family.find_agent(opponent, edition).new(player_seed(deal.seed, 1 - seat))
        self.game = self.family.new_game(edition, deal)
        self.turns: list[list[Action]] = []
        """What was done at each call, by either player; the last may be unfinished."""
        self._caller: int | None = None
        self._marks: list[Any] = []
        self._resigned = False
        self.seat = self.family.seat(self.game.view(seat))
        for code in actions:
            if self.to_move == seat and code != self.seat.formality(self.game.view(seat)):
                self.play(code)
            else:
                self._show(self.game.legal_action(code))

    @property
    def names(self) -> tuple[str, str]:
        """Both players' names, by seat."""
        return (self.person, self.opponent) if self.player == 0 else (self.opponent, self.person)

    @property
    def to_move(self) -> int | None:
        """Who is to move; None when the game is over."""
        return None if self._resigned else self.game.to_move

    @property
    def undoable(self) -> int:
        """How many actions can be taken back: those of the present turn."""
        return len(self._marks) if self.to_move == self.player else 0

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if not self._resigned:
            return self.game.outcome
        winner = 1 - self.player
        return Outcome(winner, Ending.FAULT, (-1, 0) if self.player == 0 else (0, -1))

    @property
    def resigned(self) -> bool:
        """The person has given up."""
        return self._resigned

    def play(self, choice: Choice) -> Action:
        """An action of the person; `IllegalAction` if it is not legal, or not their turn."""
        self._check_turn()
        action = self.game.legal_action(choice)
        mark = self.seat.mark()
        self._show(action)
        if self.game.to_move == self.player:
            self._marks.append(mark)
        else:
            self._marks.clear()
            self.game.forget_past()
        return action

    def undo(self) -> Action:
        """Take back the last action of the person's present turn."""
        if not self.undoable:
            raise IllegalAction("there is nothing to take back in this turn")
        self.seat.rewind(self._marks.pop())
        action = self.game.pop()
        self.turns[-1].pop()
        return action

    def drop(self, code: int) -> None:
        """In deck building, put back a card that was chosen in this turn, and keep those chosen since."""
        chosen = [action.code for action in self.turns[-1][-self.undoable :]] if self.undoable else []
        if self.game.turn >= 0 or code not in chosen:
            raise IllegalAction("there is no such card to put back")
        since = []
        while (action := self.undo()).code != code:
            since.append(action)
        for action in reversed(since):
            self.play(action.code)

    def complete(self) -> None:
        """In deck building, let a strong agent choose the rest, and the opponent answer."""
        if self.game.turn >= 0:
            raise IllegalAction("the deck is complete")
        self._check_turn()
        while self.game.turn < 0:
            self.play(self.hint()[0].code)
            self.answer()

    def answer(self) -> None:
        """Let the agent play until it is the person's turn, or the game is over. Forced moves are made for them."""
        while self.to_move == 1 - self.player:
            for action in take_turn(self.game.copy(), self._agent, self.opponent):
                self._show(action)
        while self.to_move is not None and (code := self.seat.formality(self.game.view(self.player))) is not None:
            self._show(self.game.legal_action(code))

    def hint(self) -> tuple[Action, str]:
        """What the strongest agent that is not slow would do, and its name."""
        self._check_turn()
        name = list(self.family.agents)[-2:][0]
        agent = self.family.agents[name].new(player_seed(self.deal.seed, self.player))
        return self.game.legal_action(agent.act(self.game.view(self.player))), name

    def resign(self) -> None:
        """The person gives up."""
        if self.to_move is None:
            raise IllegalAction("the game is over")
        self._resigned = True

    def _check_turn(self) -> None:
        if self.to_move is None:
            raise IllegalAction("the game is over")
        if self.to_move != self.player:
            raise IllegalAction("it is not your turn")

    def _show(self, action: Action) -> None:
        player, before = self.game.to_move, self.game.view(self.player)
        assert player is not None
        self._take(action)
        self.seat.add(player, action, before, self.game.view(self.player))

    def _take(self, action: Action) -> None:
        if self.game.to_move != self._caller:
            self._caller = self.game.to_move
            self.turns.append([])
        if self._caller == self.player:
            self.game.push(action.code)
        else:
            self.game.try_play(action.code)
        self.turns[-1].append(action)

    # What is kept of it

    def unfinished(self) -> UnfinishedGame:
        """What it takes to go on later."""
        deal, actions = self.deal.params(), self.game.actions
        return UnfinishedGame(
            edition=self.edition.name, deal=deal, seat=self.player, opponent=self.opponent, actions=actions
        )

    @classmethod
    def resume(cls, left: UnfinishedGame) -> Self:
        """Go on with a duel that was left. `CallerError` if it cannot have been one."""
        family = find_family(left.edition)
        edition = family.editions[left.edition]
        return cls(edition, family.deal(edition, left.deal), left.seat, left.opponent, actions=left.actions)

    @property
    def has_replay(self) -> bool:
        """The game is over, and a replay can tell how."""
        return self.to_move is None and (not self._resigned or self.family.has_programs)

    def replay(self) -> Replay:
        """The replay, once the game is over. A turn in which the person gave up is left out."""
        if not self.has_replay:
            given_up = f"replays of {self.family.title} cannot tell that a player gave up"
            raise CallerError(given_up if self._resigned else "the game is not over: it has no replay yet")
        recorder = self.family.record(self.edition, self.deal, self.names)
        unfinished = self._resigned and self._caller == self.player
        for actions in self.turns[:-1] if unfinished else self.turns:
            recorder.act(actions)
        if self._resigned:
            assert isinstance(recorder, ProgramRecorder)
            recorder.no_answer(RESIGNED, "gave up")
        while recorder.call is not None:  # some referees ask once more, though the game is decided
            recorder.act(take_turn(recorder.agent_game(), self._agent, self.opponent))
        return recorder.replay()
