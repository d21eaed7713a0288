"""A game as people and players meet it, whatever the family: positions, actions, games to play, views."""

from __future__ import annotations

import abc
import enum
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, SupportsIndex

import numpy as np

from cardrome.errors import CallerError, IllegalAction


class Edition(Protocol):
    """One concrete rule set: a frozen record of numbers and switches."""

    @property
    def name(self) -> str:
        """What people call it on the command line."""

    @property
    def summary(self) -> str:
        """What it is, in a few words."""


class Deal(Protocol):
    """All the randomness of a game: a main seed, and whatever overrides what follows from it."""

    @property
    def seed(self) -> int:
        """The main seed."""

    def params(self) -> dict[str, str]:
        """The deal as ``name=value`` parameters, ``seed`` among them."""


class Ending(enum.StrEnum):
    """Why a game ended."""

    HEALTH = "health"
    """A player had no health left after an action."""
    DRAW = "draw"
    """A player died at the start of their own turn, because they could not draw a card."""
    TURNS = "turns"
    """The turns were over."""
    FAULT = "fault"
    """A player broke the rules of the conversation: they were late, or wrote what the referee does not understand."""


ENDINGS = tuple(Ending)
"""The endings by the number that columns of games use for them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won, why, and with which scores."""

    winner: int | None
    """The player who won; None if the game is drawn."""
    ending: Ending
    """Why it ended."""
    scores: tuple[int, int]
    """Both players' scores; 1 and 0 in games that have none of their own."""


class Side(Protocol):
    """One player of a position. Families show more of them."""

    @property
    def number(self) -> int:
        """0 or 1; player 0 has the first turn."""

    @property
    def health(self) -> int:
        """Health points."""

    @property
    def hand(self) -> Sequence[Any]:
        """The cards in hand."""

    @property
    def board(self) -> Sequence[Any]:
        """The creatures on the board."""


class Action(str):
    """Something a player can do: the text that a bot would write, with the code that programs use for it."""

    __slots__ = ("code",)
    code: int
    """A number that means this action in its position; in others it may mean something else."""

    def __new__(cls, text: str, code: int) -> Self:
        """An action from its text and code."""
        action = super().__new__(cls, text)
        action.code = code
        return action

    def __getnewargs__(self) -> tuple[str, int]:  # type: ignore[override]
        return str(self), self.code


_SHOWN = 20
"""The most legal actions that a message lists."""

Choice = str | SupportsIndex
"""An action as callers may name it: one of `Position.legal_actions`, its text or its code."""


def seat_number(player: object) -> int:
    """The number of a player, who is 0 or 1. Kernels do not ask: another number would lead out of their memory."""
    if player not in (0, 1):
        raise CallerError(f"{player!r} is not a player; expected 0 or 1")
    return int(player)


class Position(abc.ABC):
    """A game at one moment, to look at. `Game` and `View` are positions.

    Positions are equal if nothing tells them apart, however they came about: same edition, same cards in the same
    places, same viewer.
    """

    edition: Any
    """The rule set that is played."""
    viewer: int | None = None
    """The player whose view it is; None where nothing is hidden."""

    @property
    @abc.abstractmethod
    def phase(self) -> str:
        """The part of the game that is being played, such as ``"draft"`` or ``"battle"``."""

    @property
    @abc.abstractmethod
    def turn(self) -> int:
        """The number of the turn, from 0 on; -1 before the battle."""

    @property
    @abc.abstractmethod
    def to_move(self) -> int | None:
        """The player who is to decide, or None when the game is over."""

    @property
    @abc.abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @property
    @abc.abstractmethod
    def players(self) -> Sequence[Side]:
        """Both players with their health, hand and board."""

    @abc.abstractmethod
    def legal_codes(self) -> list[int]:
        """The codes of all legal actions, always in the same order."""

    @abc.abstractmethod
    def action_text(self, code: int) -> str:
        """The text of a legal action."""

    @abc.abstractmethod
    def action_code(self, text: str) -> int:
        """The code of an action given as text; `IllegalAction` if it means nothing here."""

    @abc.abstractmethod
    def _facts(self) -> tuple[object, ...]:
        """Everything that distinguishes it from other positions of its edition and viewer."""

    @abc.abstractmethod
    def copy(self) -> Self:
        """An independent copy: what happens to one does not touch the other."""

    @property
    def is_over(self) -> bool:
        """No further action can be taken."""
        return self.to_move is None

    @property
    def legal_actions(self) -> list[Action]:
        """All legal actions; an empty list when the game is over, or in the view of a player who is not to move."""
        return [Action(self.action_text(code), code) for code in self.legal_codes()]

    def input_text(self, player: int | None = None) -> str:
        """What a program in this seat is sent, by default the one to move; empty in games that programs do not play."""
        return ""

    def code_of(self, choice: Choice) -> int:
        """The code of an action that is named by its text or its code."""
        if isinstance(choice, str):
            return self.action_code(choice)  # of an `Action` too: codes mean something else once a card has been played
        try:
            return operator.index(choice)
        except TypeError:
            raise IllegalAction(
                f"{choice!r} is not an action; expected one of legal_actions, its text or its code"
            ) from None

    def legal_action(self, choice: Choice) -> Action:
        """The legal action that is named by its text or its code; `IllegalAction` tells what would be legal."""
        code, legal = self.code_of(choice), self.legal_codes()
        if code not in legal:
            shown = ", ".join(map(self.action_text, legal[:_SHOWN])) + (", …" if len(legal) > _SHOWN else "")
            raise IllegalAction(f"{choice!r} is not legal here; legal: {shown or 'nothing'}")
        return Action(self.action_text(code), code)

    def _headline(self) -> str:
        """Where the game stands, in a few words."""
        if self.outcome is None:
            turn = f"turn {self.turn}, " if self.turn >= 0 else ""
            return f"{self.edition.name}: {self.phase}, {turn}player {self.to_move} to move"
        result = "drawn" if self.outcome.winner is None else f"player {self.outcome.winner} won"
        return f"{self.edition.name}: {result} ({self.outcome.ending})"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Position) and (self.edition, self.viewer) == (other.edition, other.viewer)
        return same and self._facts() == other._facts()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.edition, self.viewer, self._facts()))

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        from cardrome.games.family import from_json, to_json

        return from_json, (to_json(self),)

    def __repr__(self) -> str:
        seen = "" if self.viewer is None else f", seen by player {self.viewer}"
        return f"<{type(self).__name__} {self._headline()}{seen}>"

    def _repr_html_(self) -> str:
        """The position in a notebook: the drawing that `print` shows."""
        import html

        return f'<pre style="line-height: 1.25">{html.escape(str(self))}</pre>'


class Game(Position):
    """A game that can be played.

    Families implement `try_play` and `view`, and `_save` and `_restore` for `pop`. Among the bases of their class, this
    one comes before their position class, whose `copy` it completes.
    """

    deal: Deal | None
    """Where its cards come from; None if it goes on from a position whose past is not known."""
    actions: list[int]
    """The codes of all actions so far: with edition and deal, the whole game."""
    _past: list[tuple[Any, int, Action]]

    def _begin(self, deal: Deal | None) -> None:
        """Start with an empty past."""
        self.deal, self.actions, self._past = deal, [], []

    def copy(self) -> Self:
        """An independent copy."""
        twin = super().copy()  # type: ignore[safe-super]
        twin.deal, twin.actions, twin._past = self.deal, list(self.actions), list(self._past)
        return twin

    @abc.abstractmethod
    def try_play(self, code: int) -> bool:
        """Take an action if it is legal; returns whether it was."""

    @abc.abstractmethod
    def view(self, player: int) -> View:
        """What a player may know of this position."""

    @abc.abstractmethod
    def _save(self) -> Any:
        """Everything that an action may change."""

    @abc.abstractmethod
    def _restore(self, saved: Any) -> None:
        """Go back to what was saved."""

    def catch_up(self, other: Self) -> None:
        """Go to the position of another game of the same deal."""
        self._restore(other._save())
        self.actions[:] = other.actions
        self._past.clear()

    def push(self, action: Choice) -> None:
        """Take an action for the player who is to move: one of `legal_actions`, its text or its code."""
        if self.to_move is None:
            raise IllegalAction("the game is over")
        legal = self.legal_action(action)
        self._past.append((self._save(), len(self.actions), legal))
        self.try_play(legal.code)

    def pop(self) -> Action:
        """Take back the last action that was pushed, and return it."""
        if not self._past:
            raise IllegalAction("no action to take back")
        saved, number, action = self._past.pop()
        del self.actions[number:]
        self._restore(saved)
        return action

    def forget_past(self) -> None:
        """Make what has been pushed final, and free its memory."""
        self._past.clear()


class View(Position):
    """What one player may know of a game. Agents decide from views. It comes before the family's position class."""

    viewer: int
    """The player who sees it."""

    def legal_codes(self) -> list[int]:
        """The codes of the viewer's legal actions; none while the other player is to move."""
        return super().legal_codes() if self.to_move == self.viewer else []  # type: ignore[safe-super]

    def copy(self) -> Self:
        """An independent copy."""
        twin = super().copy()  # type: ignore[safe-super]
        twin.viewer = self.viewer
        return twin

    @abc.abstractmethod
    def determinize(self, rng: np.random.Generator | int) -> Game:
        """A game that the viewer could be in, to try things out: hidden cards are filled in at random."""
