"""A position of a match, kept as it is while the match goes on: what drawings and pages are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.games.tapdeck.protocol.table import TapdeckMatch
from cardrome.games.tapdeck.rules.cards import TapdeckCard, cards_of
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.state import PLAYING


@dataclass(frozen=True, slots=True)
class BoardCreature:
    """A creature on the board with its present values."""

    card: TapdeckCard
    owner: int
    attack: int
    health: int
    max_health: int
    awake: bool
    attacks: int
    """Its place among the attackers of a turn, from 1 on; 0 if it does not attack."""
    blocked: bool


class TapdeckPosition:
    """A copy of a match's state, with its parts in words."""

    __slots__ = ("_state", "cards", "edition")

    def __init__(self, edition: TapdeckEdition, cards: Sequence[TapdeckCard], states: np.recarray[Any, Any]) -> None:
        """``cards`` is the deck as it was at the beginning; ``states`` an array of one record, which is copied."""
        self.edition = edition
        self.cards = cards
        self._state = states[:1].copy()[0]

    @classmethod
    def of(cls, match: TapdeckMatch) -> TapdeckPosition:
        """The present position of a match."""
        return cls(match.edition, cards_of(match.deck), match.states)

    @property
    def turn(self) -> int:
        """The number of the turn, from 0 on."""
        return int(self._state.turn)

    @property
    def turns_left(self) -> int:
        """The turns left, the present one included."""
        return self.edition.turns - self.turn

    @property
    def over(self) -> bool:
        """The match has ended."""
        return bool(self._state.ending != PLAYING)

    @property
    def current(self) -> int:
        """The player whose turn it is, or was when the match ended."""
        return int(self._state.current)

    @property
    def blocking(self) -> bool:
        """The blocking phase is open."""
        return bool(self._state.blocking)

    @property
    def mana(self) -> int:
        """The current player's mana."""
        return int(self._state.mana)

    @property
    def draws_left(self) -> int:
        """Cards that the current player may still draw in this turn."""
        return int(self._state.draws_left)

    @property
    def burns_left(self) -> int:
        """Cards that he may still burn."""
        return int(self._state.burns_left)

    @property
    def health(self) -> tuple[int, int]:
        """Both players' health."""
        return int(self._state.health[0]), int(self._state.health[1])

    @property
    def top(self) -> int:
        """How many cards have left the deck: the place of its top card in `cards`."""
        return int(self._state.top)

    @property
    def deck(self) -> Sequence[TapdeckCard]:
        """The cards left in the deck, top first."""
        return self.cards[self.top :]

    def hand(self, player: int) -> list[TapdeckCard]:
        """A player's hand, by id."""
        n = int(self._state.n_hand[player])
        return [self.cards[place] for place in self._state.hands[player, :n].tolist()]

    def creatures(self) -> list[BoardCreature]:
        """All creatures on the board, by id."""
        found = self._state.creatures[: int(self._state.n_creatures)]
        return [
            BoardCreature(self.cards[card], owner, attack, health, most, bool(active), declared, bool(blocked))
            for attack, health, most, card, declared, owner, active, blocked, _ in found.tolist()
        ]

    def board(self, player: int) -> list[BoardCreature]:
        """A player's creatures, by id."""
        return [creature for creature in self.creatures() if creature.owner == player]
