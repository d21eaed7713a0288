"""The two players of a position, as people read them: health, mana, hand and board."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardrome.engine.records import Records
from cardrome.games.locm.rules.cards import FIXED_CARDS, HIDDEN, Card, abilities_text
from cardrome.games.locm.rules.edition import DECK_SIZE
from cardrome.games.locm.rules.state import BATTLE, Held

if TYPE_CHECKING:
    from cardrome.games.locm.protocol.game import LocmPosition


@dataclass(frozen=True, slots=True, repr=False)
class HeldCard:
    """A card in a hand, with the id by which actions name it. The card is None where the viewer may not know it."""

    id: int
    card: Card | None

    def __str__(self) -> str:
        if (card := self.card) is None:
            return "?"
        return f"{self.id}: {_name(card)}, cost {card.cost}, {card.strength} {card.keywords}".rstrip()

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True, slots=True, repr=False)
class BoardCreature:
    """A creature on the board, with its present values."""

    id: int
    card: Card
    lane: int
    attack: int
    defense: int
    abilities: str
    can_attack: bool

    @property
    def keywords(self) -> str:
        """The letters of its abilities."""
        return self.abilities.replace("-", "")

    def __str__(self) -> str:
        return f"{self.id}: {_name(self.card)}, {self.attack}/{self.defense} {self.keywords}".rstrip()

    def __repr__(self) -> str:
        return f"<{self}>"


def _name(card: Card) -> str:
    return card.name or f"card {card.number}"


class LocmSide:
    """One player of a position. It reads the position as it is now."""

    def __init__(self, position: LocmPosition, player: int) -> None:
        self._position = position
        self.number = player

    @property
    def _state(self) -> Any:
        return self._position.states[0].players[self.number]

    @property
    def health(self) -> int:
        """Health points."""
        return int(self._state.health)

    @property
    def mana(self) -> int:
        """Mana left in this turn."""
        return int(self._state.mana)

    @property
    def max_mana(self) -> int:
        """Mana at the start of a turn, without the bonus."""
        return int(self._state.max_mana)

    @property
    def rune(self) -> int:
        """The next rune: health at which the player draws a card more. 0 if there is none left, or ever was."""
        return int(self._state.rune)

    @property
    def deck_size(self) -> int:
        """Cards in the deck; in deck building, those chosen so far."""
        return int(self._state.n_deck)

    @property
    def hand(self) -> list[HeldCard]:
        """The cards in hand."""
        return self._held(self._state.hand[: int(self._state.n_hand)])

    @property
    def deck(self) -> list[HeldCard]:
        """The deck, the next card first; in deck building, the cards chosen so far, in that order."""
        n = int(self._state.n_deck)
        first = DECK_SIZE - n if self._position.states[0].phase == BATTLE else 0
        return self._held(self._state.deck[first : first + n])

    def _held(self, cards: Records[Held]) -> list[HeldCard]:
        return [HeldCard(number, card_at(self._position, index)) for index, number in cards.tolist()]

    @property
    def board(self) -> list[BoardCreature]:
        """The creatures on the board, lane by lane, each lane from its oldest creature on."""
        slots, found = self._position.edition.lane_slots, []
        # Asking NumPy for one field at a time would take ten times as long.
        for place, values in enumerate(self._state.board.tolist()):
            attack, defense, order, index, number, abilities, can_attack, *_ = values
            if order > 0:
                card = card_at(self._position, index)
                assert card is not None  # creatures on the board are open
                numbers = attack, defense, abilities_text(abilities)
                found.append(BoardCreature(number, card, place // slots, *numbers, bool(can_attack)))
        return found

    def __repr__(self) -> str:
        hand, board = len(self.hand), len(self.board)
        return f"<player {self.number}: {self.health} health, {self.mana} mana, {hand} cards, {board} creatures>"


def card_at(position: LocmPosition, index: int) -> Card | None:
    """The card at an index of the position's card table; None for a hidden one. Generated cards have no name."""
    return None if index == HIDDEN else _card(position.deals["cards"][0, index].tolist())


def all_cards(position: LocmPosition) -> list[Card]:
    """The position's card table, which everybody knows."""
    return [_card(values) for values in position.deals["cards"][0, : int(position.deals["n_cards"][0])].tolist()]


@functools.lru_cache(1000)
def _card(values: tuple[int, ...]) -> Card:
    """The card that a record describes."""
    number, kind, cost, attack, defense, abilities, *effects = values
    fixed = FIXED_CARDS[number - 1] if number <= len(FIXED_CARDS) else None
    text = abilities_text(abilities)
    card = Card(number, fixed.name if fixed is not None else "", kind, cost, attack, defense, text, *effects)
    return card if card == fixed else Card(number, "", kind, cost, attack, defense, text, *effects)
