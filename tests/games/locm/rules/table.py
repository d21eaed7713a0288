"""A battle set up by hand: creatures, hands, health and mana written straight into the state record.

    t = Table("locm-1.2")
    a = t.place(0, "5/5 B")
    d = t.place(1, "2/3")
    assert t.attack(a, d)
    assert t[a] == "5/3 B" and t[d] is None and t.health == (30, 28)

It is player 0's turn, in the middle of a game: both have 30 health, 12 mana and ten cards in the deck.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.actions import find_action
from cardrome.games.locm.rules.cards import (
    BLUE_ITEM,
    CREATURE_CARD,
    FIXED_CARDS,
    GREEN_ITEM,
    RED_ITEM,
    Card,
    abilities_mask,
    abilities_text,
    card_records,
)
from cardrome.games.locm.rules.edition import ATTACK, DECK_SIZE, EDITIONS, SUMMON, USE, LocmEdition, find_edition
from cardrome.games.locm.rules.state import BATTLE, NOBODY, new_deals, new_states

WITH_RUNES = ["locm-1.0", "locm-1.0-multi", "locm-1.2"]
WITHOUT_RUNES = ["locm-1.5", "locm-1.5-2022"]
ALL = WITH_RUNES + WITHOUT_RUNES
ONE_LANE = [name for name in EDITIONS if name.startswith("locm-1.0")]
TWO_LANES = ["locm-1.2", "locm-1.5", "locm-1.5-2022"]
WITH_BONUS = ["locm-1.0-multi", "locm-1.2", "locm-1.5", "locm-1.5-2022"]

OPPONENT = -1
"""The target that means the opponent."""

PLAIN = Card(0, "plain", CREATURE_CARD, 1, 1, 1, "------", 0, 0, 0)


def card(kind: int, text: str, **values: int) -> Card:
    """A card from ``"2/3 BG"``; cost 0 and no other effects unless given."""
    numbers, _, letters = text.partition(" ")
    attack, defense = map(int, numbers.split("/"))
    blank = Card(0, text, kind, 0, attack, defense, abilities_text(abilities_mask(letters)), 0, 0, 0)
    return replace(blank, **values)  # type: ignore[arg-type]


def creature(text: str, **values: int) -> Card:
    return card(CREATURE_CARD, text, **values)


def green(text: str, **values: int) -> Card:
    return card(GREEN_ITEM, text, **values)


def red(text: str, **values: int) -> Card:
    return card(RED_ITEM, text, **values)


def blue(text: str, **values: int) -> Card:
    return card(BLUE_ITEM, text, **values)


def fixed(number: int) -> Card:
    """One of the 160 cards."""
    return FIXED_CARDS[number - 1]


class Table:
    """Two players, a state and the means to act on it by instance ids."""

    def __init__(self, edition: str | LocmEdition = "locm-1.2", deck: int = 10, turn: int = 10) -> None:
        self.edition = find_edition(edition) if isinstance(edition, str) else edition
        self.deals = new_deals()
        self.states = new_states()
        self._next_id = 0
        s = self.state
        s.phase, s.current, s.winner, s.turn = BATTLE, 0, NOBODY, turn
        plain = self.table_index(PLAIN) if deck else 0
        for p in range(2):
            player = s.players[p]
            player.health = self.edition.start_health
            player.rune = self.edition.top_rune
            player.next_draw = player.shown_draw = 1
            player.mana = player.max_mana = 12
            for i in range(DECK_SIZE - deck, DECK_SIZE):
                player.deck[i].card, player.deck[i].id = plain, self.new_id()
            player.n_deck = deck

    @property
    def state(self) -> Any:
        return self.states[0]

    @property
    def me(self) -> Any:
        """Player 0."""
        return self.state.players[0]

    @property
    def foe(self) -> Any:
        """Player 1."""
        return self.state.players[1]

    @property
    def health(self) -> tuple[int, int]:
        return int(self.me.health), int(self.foe.health)

    @property
    def winner(self) -> int:
        return int(self.state.winner)

    def new_id(self) -> int:
        self._next_id += 1 + self.edition.clone_id_step  # room for the clone
        return self._next_id

    def table_index(self, wanted: Card) -> int:
        """The card's place in the deal's card table, where it is put if need be."""
        deal = self.deals[0]
        row = card_records((wanted,))[0]
        for i in range(deal.n_cards):
            if deal.cards[i] == row:
                return i
        deal.cards[deal.n_cards] = row
        deal.n_cards += 1
        return int(deal.n_cards) - 1

    def place(self, p: int, what: str | Card, lane: int = 0, ready: bool = True) -> int:
        """Put a creature on a board, as one that has been there for a while; returns its id."""
        what = creature(what) if isinstance(what, str) else what
        player, s = self.state.players[p], self.state
        c = player.board[lane * self.edition.lane_slots + player.n_lane[lane]]
        s.summoned += 1
        c.card, c.id, c.order = self.table_index(what), self.new_id(), s.summoned
        c.attack, c.defense, c.abilities = what.attack, what.defense, abilities_mask(what.abilities)
        c.can_attack = int(ready and p == s.current)
        player.n_lane[lane] += 1
        return int(c.id)

    def hold(self, p: int, what: str | Card, card_id: int | None = None) -> int:
        """Put a card into a hand; returns its id."""
        what = creature(what) if isinstance(what, str) else what
        player = self.state.players[p]
        held = player.hand[player.n_hand]
        held.card, held.id = self.table_index(what), self.new_id() if card_id is None else card_id
        player.n_hand += 1
        return int(held.id)

    def code(self, kind: int, source: int, target: int) -> int:
        return find_action(self.edition.rules, self.deals, self.states, 0, 0, kind, source, target)

    def apply(self, code: int) -> bool:
        return bool(actions.apply(self.edition.rules, self.deals, self.states, 0, 0, code))

    def summon(self, card_id: int, lane: int = 0) -> bool:
        return self.apply(self.code(SUMMON, card_id, lane))

    def attack(self, creature_id: int, target: int = OPPONENT) -> bool:
        return self.apply(self.code(ATTACK, creature_id, target))

    def use(self, card_id: int, target: int = OPPONENT) -> bool:
        return self.apply(self.code(USE, card_id, target))

    def end_turn(self) -> None:
        assert self.apply(0)

    def board(self, p: int, lane: int) -> list[int]:
        """The ids of a lane, oldest first."""
        first = lane * self.edition.lane_slots
        player = self.state.players[p]
        return [int(player.board[first + i].id) for i in range(player.n_lane[lane])]

    def find(self, creature_id: int) -> Any:
        """The record of a creature on either board, or None."""
        for p in range(2):
            for c in self.state.players[p].board:
                if c.order > 0 and c.id == creature_id:
                    return c
        return None

    def __getitem__(self, creature_id: int) -> str | None:
        """A creature as text, ``"5/3 B"``, or None if it is not on the board."""
        c = self.find(creature_id)
        if c is None:
            return None
        return f"{c.attack}/{c.defense} {abilities_text(int(c.abilities)).replace('-', '')}".rstrip()

    def hand(self, p: int) -> list[int]:
        player = self.state.players[p]
        return [int(player.hand[i].id) for i in range(player.n_hand)]


def hurt(t: Table, damage: int, p: int = 1) -> None:
    """Player 0 hurts a player by a card without a cost."""
    effect = {"opponent_health": -damage} if p == 1 else {"my_health": -damage}
    assert t.use(t.hold(0, blue("0/0", **effect)))


def heal(t: Table, amount: int) -> None:
    """Player 0 heals player 1."""
    assert t.use(t.hold(0, blue("0/0", opponent_health=amount)))
