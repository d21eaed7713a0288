"""A match as the rules know it, rebuilt from a server's answers, so that agents of this process can plan in it.

Answers tell all about a match but four things, which whoever plays must remember himself (`Memory`): whether his
blocking phase is over, which attackers he has blocked, which of his creatures attack, and cards that are gone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from cardrome.client import requests
from cardrome.client.errors import BadReply
from cardrome.client.requests import (
    GREATEST_PRINTED,
    Board,
    BoardCreature,
    CardLimits,
    Hands,
    Health,
    Request,
    TurnInfo,
)
from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.cards import CARD, KINDS, TapdeckCard, blank_deck
from cardrome.games.tapdeck.rules.edition import MAX_DECK, MAX_HAND, TapdeckEdition
from cardrome.games.tapdeck.rules.state import CREATURE, PLAYING, new_states

Array = np.recarray[Any, Any]


class Look(NamedTuple):
    """All that a server tells about a match in one's own turn: whose turn it is, and the replies to `questions`."""

    turn: TurnInfo
    hp: Health
    limits: CardLimits
    mana: int
    deck: tuple[TapdeckCard, ...]
    hands: Hands
    board: Board
    attackers: tuple[TapdeckCard, ...]


def questions(match: int) -> list[Request[Any]]:
    """The commands whose replies, behind a `TurnInfo`, make a `Look`."""
    return [
        requests.hp(match),
        requests.card_limits(match),
        requests.current_mana(match),
        requests.deck(match),
        requests.hands(match),
        requests.board(match),
        requests.attackers(match),
    ]


@dataclass
class Memory:
    """What one must remember of a match, since no answer tells it. The lists are those of one turn."""

    blocking_over: bool = False
    """Known to be so. With attackers on the table it cannot be."""
    blocked: set[int] = field(default_factory=set)
    """Ids of attackers that were blocked in this turn."""
    ordered: list[int] = field(default_factory=list)
    """Ids of one's creatures ordered to attack in this turn, in order."""
    printed: dict[int, TapdeckCard] = field(default_factory=dict)
    """Every card seen in the deck or a hand, by id: as it is printed, wherever it is now."""

    def new_turn(self) -> None:
        """Nothing has happened yet in the turn."""
        self.blocking_over = False
        self.blocked.clear()
        self.ordered.clear()

    def note(self, code: int) -> None:
        """An action was carried out; for one that was refused, see `note_refused`."""
        kind, first = actions.action_kind(code), actions.first_number(code)
        if kind == actions.BLOCK:
            self.blocked.add(first)
        else:
            self.blocking_over = True
        if kind == actions.ATTACK:
            self.ordered.append(first)

    def note_refused(self, code: int, refused: int) -> None:
        """An action was refused by the rules (a code from 900 on): all but blocks have ended the blocking phase."""
        if actions.action_kind(code) != actions.BLOCK and refused not in (913, 930, 932):
            self.blocking_over = True

    def note_cards(self, look: Look) -> None:
        """Cards in the deck and the hands are as they are printed."""
        for card in (*look.deck, *look.hands.mine, *look.hands.theirs):
            self.printed[card.id] = card


class Rebuilt(NamedTuple):
    """A match as agents and kernels take it."""

    edition: TapdeckEdition
    deck: Array
    states: Array


def edition_of(
    look: Look, turns: int | None = None, draws: int | None = None, burns: int | None = None
) -> TapdeckEdition:
    """The numbers of a match as far as they can be known: draws and burns are those of a turn's beginning."""
    turns = look.turn.left if turns is None else turns
    try:
        return TapdeckEdition(
            initial_health=look.hp.initial,
            turns=max(turns + turns % 2, 2),
            draws=min(look.limits.draws if draws is None else draws, MAX_DECK),
            burns=min(look.limits.burns if burns is None else burns, MAX_DECK),
            hand_limit=min(look.limits.hand, MAX_HAND),
        )
    except CallerError as error:
        raise BadReply(f"these are no numbers of a Tapdeck match: {error}") from None


def rebuild(look: Look, memory: Memory | None = None, edition: TapdeckEdition | None = None) -> Rebuilt:
    """The match, in the turn of the one who looked. `BadReply` if the answers contradict each other.

    Places in the deck record are not the server's: cards that are in no deck come first, by id, then the deck as it
    lies. Cards that are gone are among them only if they are remembered.
    """
    memory = memory or Memory()
    edition = edition or edition_of(look)
    turn = edition.turns - look.turn.left
    if not look.turn.mine or not 0 <= turn < edition.turns:
        raise BadReply(f"{look.turn} in a match of {edition.turns} turns, in which it is the asker's turn")
    me = turn % 2  # the number of turns is even, and players alternate
    deck = _deck(look, memory)
    index_of = deck["index_of"][0]
    states = new_states()
    state = states[0]
    state.health[me] = look.hp.mine
    state.health[1 - me] = look.hp.theirs
    state.mana = look.mana
    state.draws_left = look.limits.draws
    state.burns_left = look.limits.burns
    state.turn = turn
    state.top = int(deck["n"][0]) - len(look.deck)
    state.current = me
    state.blocking = 0 if memory.blocking_over and not look.attackers else 1
    state.ending = PLAYING
    for player, hand in ((me, look.hands.mine), (1 - me, look.hands.theirs)):
        if len(hand) > MAX_HAND:
            raise BadReply(f"{len(hand)} cards in a hand; at most {MAX_HAND} are possible")
        state.n_hand[player] = len(hand)
        state.hands[player, : len(hand)] = [index_of[card.id] for card in sorted(hand, key=lambda card: card.id)]
    _put_creatures(states, look, memory, index_of, me)
    return Rebuilt(edition, deck, states)


def _deck(look: Look, memory: Memory) -> Array:
    """The deck record: every card known, those outside the deck first."""
    in_deck = {card.id for card in look.deck}
    outside = {number: card for number, card in memory.printed.items() if number not in in_deck}
    for creature in (*look.board.mine, *look.board.theirs):
        outside.setdefault(creature.card.id, creature.card)
    outside.update((card.id, card) for card in (*look.hands.mine, *look.hands.theirs))
    visible = _ids(look)
    if len(visible) != len(set(visible)):
        raise BadReply("a card is in two places at once")
    cards = [*(outside[number] for number in sorted(outside)), *look.deck]
    deck = blank_deck()
    deck[0].n = len(cards)
    deck["index_of"][0, :] = -1
    # One assignment for all: each one to a record costs more than making its row.
    deck["cards"][0, : len(cards)] = np.array(list(map(_row, cards)), CARD)
    deck["index_of"][0, [card.id for card in cards]] = range(len(cards))
    return deck


@functools.lru_cache(maxsize=8192)
def _row(card: TapdeckCard) -> tuple[int, ...]:
    """A card as the deck record holds it, which has less room for numbers than a creature on the board."""
    values = (min(value, GREATEST_PRINTED) for value in (card.attack, card.health, card.max_health))
    return card.id, KINDS.index(card.kind), 0, *values, card.cost, card.mana


def _ids(look: Look) -> list[int]:
    """The ids of all cards that can be seen."""
    ids = [card.id for card in (*look.deck, *look.hands.mine, *look.hands.theirs)]
    return ids + [creature.card.id for creature in (*look.board.mine, *look.board.theirs)]


def _put_creatures(states: Array, look: Look, memory: Memory, index_of: Any, me: int) -> None:
    """Both sides of the board, sorted by id; attackers are numbered in the order in which they are named."""
    attacking = _order(card.id for card in look.attackers)
    theirs = {creature.card.id for creature in look.board.theirs}
    if len(attacking) != len(look.attackers) or not theirs.issuperset(attacking):
        raise BadReply("an attacker is not on the opponent's side of the board")
    ordered = _order(memory.ordered)
    sides: Sequence[tuple[int, BoardCreature]] = sorted(
        [*((me, creature) for creature in look.board.mine), *((1 - me, creature) for creature in look.board.theirs)],
        key=lambda side: side[1].card.id,
    )
    states["n_creatures"][0] = len(sides)
    states["declared"][0] = len(memory.ordered)
    rows = []
    for owner, (card, awake) in sides:
        declared = ordered.get(card.id, 0) if owner == me else attacking.get(card.id, 0)
        blocked = owner != me and declared > 0 and card.id in memory.blocked
        values = card.attack, card.health, card.max_health
        rows.append((*values, int(index_of[card.id]), declared, owner, awake, blocked, 0))
    states["creatures"][0, : len(rows)] = np.array(rows, CREATURE)


def _order(ids: Iterable[int]) -> dict[int, int]:
    """The place of each id, from 1 on."""
    return {number: place for place, number in enumerate(dict.fromkeys(ids), 1)}
