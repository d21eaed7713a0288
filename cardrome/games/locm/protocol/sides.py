"""The two players of a position, as people read them: health, mana, hand and board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardrome.games.locm.rules.cards import CREATURE_CARD, FIXED_CARDS, HIDDEN, Card, abilities_text
from cardrome.games.locm.rules.edition import BOARD_SIZE, DECK_SIZE
from cardrome.games.locm.rules.state import BATTLE

if TYPE_CHECKING:
    from cardrome.games.locm.protocol.game import LocmPosition


@dataclass(frozen=True, slots=True, repr=False)
class HeldCard:
    """A card in a hand, with the id by which actions name it. The card is None where the viewer may not know it."""

    id: int
    card: Card | None

    def __str__(self) -> str:
        if self.card is None:
            return "?"
        card, change = self.card, "" if self.card.type == CREATURE_CARD else "+"  # items change what they are used on
        strength = f"{card.attack:{change}}/{card.defense:{change}} {card.abilities.replace('-', '')}".rstrip()
        return f"{self.id}: {_name(card)}, cost {card.cost}, {strength}"

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

    def __str__(self) -> str:
        return f"{self.id}: {_name(self.card)}, {self.attack}/{self.defense} {self.abilities.replace('-', '')}".rstrip()

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
        held = self._state.hand[: int(self._state.n_hand)]
        return [HeldCard(int(each.id), card_at(self._position, int(each.card))) for each in held]

    @property
    def deck(self) -> list[HeldCard]:
        """The deck, the next card first; in deck building, the cards chosen so far, in that order."""
        n = int(self._state.n_deck)
        first = DECK_SIZE - n if self._position.states[0].phase == BATTLE else 0
        held = self._state.deck[first : first + n]
        return [HeldCard(int(each.id), card_at(self._position, int(each.card))) for each in held]

    @property
    def board(self) -> list[BoardCreature]:
        """The creatures on the board, lane by lane, each lane from its oldest creature on."""
        found = []
        for place in range(BOARD_SIZE):
            creature = self._state.board[place]
            if creature.order > 0:
                card = card_at(self._position, int(creature.card))
                assert card is not None  # creatures on the board are open
                values = int(creature.attack), int(creature.defense), abilities_text(int(creature.abilities))
                lane = place // self._position.edition.lane_slots
                found.append(BoardCreature(int(creature.id), card, lane, *values, bool(creature.can_attack)))
        return found

    def __repr__(self) -> str:
        hand, board = len(self.hand), len(self.board)
        return f"<player {self.number}: {self.health} health, {self.mana} mana, {hand} cards, {board} creatures>"


def card_at(position: LocmPosition, index: int) -> Card | None:
    """The card at an index of the position's card table; None for a hidden one. Generated cards have no name."""
    if index == HIDDEN:
        return None
    number, kind, cost, attack, defense, abilities, *effects = position.deals["cards"][0, index].tolist()
    fixed = FIXED_CARDS[number - 1] if number <= len(FIXED_CARDS) else None
    text = abilities_text(abilities)
    card = Card(number, fixed.name if fixed is not None else "", kind, cost, attack, defense, text, *effects)
    return card if card == fixed else Card(number, "", kind, cost, attack, defense, text, *effects)
