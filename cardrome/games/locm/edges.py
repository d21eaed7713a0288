"""Positions that are rare in games and hard on bots, built from the cards of two complete decks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from typing import Any

from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.protocol.sides import card_at
from cardrome.games.locm.rules.cards import CREATURE_CARD
from cardrome.games.locm.rules.edition import HAND_LIMIT

Side = dict[str, Any]
_DECK = 8
"""Cards left in the decks of positions that are not about decks."""
_ACTIONS = 40
"""More actions than a turn without free cards can have."""


class Supply:
    """What positions are built from: the cards of both players after deck building, seen from the bot's seat."""

    def __init__(self, game: LocmGame, seat: int) -> None:
        self.edition, self.seat = game.edition, seat
        self.deal = game.deal.params() if game.deal is not None else {}
        self._known: list[Any] = [card_at(game, index) for index in range(game.deals[0].n_cards)]
        # At the start of the battle a player's whole deck is in these two places.
        self.mine, self.theirs = (
            [held.card for held in (*game.players[p].hand, *game.players[p].deck)] for p in (seat, 1 - seat)
        )

    def creatures(self, cards: list[Any], n: int) -> list[int]:
        """Numbers of n creatures: those of a deck, over and over, or any if it has none."""
        found = [c for c in cards if c.type == CREATURE_CARD] or [c for c in self._known if c.type == CREATURE_CARD]
        return _numbers(found, n)

    def hand(self, cards: list[Any], n: int) -> list[int]:
        """Numbers of n cards of a deck."""
        return _numbers(cards, n)

    def free_cards(self, n: int) -> list[int]:
        """Numbers of n cards that cost nothing; none if the edition deals no such cards."""
        return _numbers([c for c in self._known if c.cost == 0], n)

    def board(self, cards: list[Any], per_lane: int, **changes: Any) -> list[list[dict[str, Any]]]:
        """A board with this many creatures in each lane, all changed in the same way."""
        numbers = iter(self.creatures(cards, per_lane * self.edition.lanes))
        return [[{"card": n, **changes} for n in islice(numbers, per_lane)] for _ in range(self.edition.lanes)]

    def deck(self, cards: list[Any]) -> list[int]:
        """A deck to go on with."""
        return _numbers(cards[::-1], _DECK)

    def position(self, turns: int, me: Side, foe: Side, **rest: Any) -> LocmGame:
        """The position in which the bot is to move, after this many turns of each player."""
        sides = [{"deck": self.deck(self.mine)} | me, {"deck": self.deck(self.theirs)} | foe]
        players = sides if self.seat == 0 else sides[::-1]
        turn = 2 * turns + self.seat
        data = {"edition": self.edition.name, "deal": self.deal, "turn": turn, "players": players, **rest}
        game = from_dict(data)
        assert isinstance(game, LocmGame)
        return game


def _numbers(cards: list[Any], n: int) -> list[int]:
    return [int(card.number) for card in islice(cycle(cards), n)]


def _full_boards(t: Supply) -> LocmGame:
    full = t.edition.lane_slots
    me = {"board": t.board(t.mine, full), "hand": t.hand(t.mine, HAND_LIMIT)}
    return t.position(11, me, {"board": t.board(t.theirs, full), "hand": t.hand(t.theirs, HAND_LIMIT)})


def _full_hand(t: Supply) -> LocmGame:
    return t.position(2, {"hand": t.hand(t.mine, HAND_LIMIT)}, {"board": t.board(t.theirs, 1)})


def _empty_hand(t: Supply) -> LocmGame:
    return t.position(7, {"board": t.board(t.mine, 2)}, {"board": t.board(t.theirs, 1)})


def _nothing_to_do(t: Supply) -> LocmGame:
    return t.position(9, {}, {"board": t.board(t.theirs, 2)})


def _health_above_the_start(t: Supply) -> LocmGame:
    side = {"health": t.edition.start_health + 27}
    return t.position(6, side | {"hand": t.hand(t.mine, 3)}, side | {"board": t.board(t.theirs, 1)})


def _many_actions(t: Supply) -> LocmGame:
    game = t.position(8, {"hand": t.hand(t.mine, 4)}, {"board": t.board(t.theirs, t.edition.lane_slots)})
    foe = game.state.players[1 - t.seat]
    creatures = [creature for creature in foe.board if creature.order > 0]
    lines = (f"{game.deals[0].cards[c.card].number} ATTACK {c.id} -1" for c in cycle(creatures))
    done = tuple(islice(lines, _ACTIONS))
    game.performed = (done, ()) if t.seat == 1 else ((), done)
    return game


def _dead(t: Supply) -> LocmGame:
    me = {"health": -3, "deck": [], "hand": t.hand(t.mine, 2), "board": t.board(t.mine, 1)}
    return t.position(20, me, {"board": t.board(t.theirs, 1)}, winner=1 - t.seat)


def _free(t: Supply) -> LocmGame | None:
    cards = t.free_cards(5)
    if not cards:
        return None
    return t.position(1, {"hand": cards, "board": t.board(t.mine, 1)}, {"board": t.board(t.theirs, 1)})


def _empty_decks(t: Supply) -> LocmGame:
    me = {"deck": [], "hand": t.hand(t.mine, 2), "board": t.board(t.mine, 1)}
    return t.position(30, me, {"deck": [], "board": t.board(t.theirs, 1)})


def _guards(t: Supply) -> LocmGame:
    board = t.board(t.theirs, t.edition.lane_slots - 1, abilities="GW", defense=4)
    return t.position(10, {"board": t.board(t.mine, t.edition.lane_slots), "hand": t.hand(t.mine, 3)}, {"board": board})


def _big_numbers(t: Supply) -> LocmGame:
    me = {"health": 1234, "board": t.board(t.mine, 1, attack=120, defense=300), "next_draw": 20, "shown_draw": 20}
    foe = {"health": 4321, "board": t.board(t.theirs, 2, attack=1000, defense=2000, abilities="BCDGLW")}
    return t.position(55, me | {"hand": t.hand(t.mine, 3)}, foe)


EDGES: dict[str, Callable[[Supply], LocmGame | None]] = {
    "full boards and a full hand": _full_boards,
    "8 cards in hand and little mana": _full_hand,
    "an empty hand": _empty_hand,
    "nothing to do": _nothing_to_do,
    "health above the start": _health_above_the_start,
    "many actions of the opponent": _many_actions,
    "health below 0 at the start of the turn": _dead,
    "cards that cost nothing": _free,
    "empty decks": _empty_decks,
    "guards everywhere": _guards,
    "big numbers": _big_numbers,
}
"""All edge positions by name. One may be impossible in an edition: then it is None."""
