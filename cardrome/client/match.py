"""A match as a client knows it: what the server tells, what has to be remembered, and the position made of both.

Replies tell everything about a match except four things, which whoever plays has to remember (`Memory`): whether their
blocking phase is over, which attackers they have blocked, which of their creatures attack, and cards that are gone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from cardrome.client import requests
from cardrome.client.errors import BadReply, CommandRefused, RefusalCode, was_refused
from cardrome.client.requests import (
    GREATEST_PRINTED,
    Board,
    BoardCard,
    CardLimits,
    FinalScore,
    Hands,
    Health,
    Request,
    TurnInfo,
)
from cardrome.errors import CallerError
from cardrome.games.tapdeck.protocol.game import TapdeckPosition
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.cards import KINDS, CardRecord, TapdeckCard, blank_deck
from cardrome.games.tapdeck.rules.edition import MAX_DECK, MAX_HAND, TapdeckEdition
from cardrome.games.tapdeck.rules.state import PLAYING, Creature, new_states

Array = np.recarray[Any, Any]

_CHANGES_NOTHING = (RefusalCode.NOT_YOUR_TURN, RefusalCode.NOT_YOUR_MATCH, RefusalCode.GAME_HAS_ENDED)
"""Refusals that leave the blocking phase open."""


class Look(NamedTuple):
    """Everything a server tells about a match to the player whose turn it is: the replies to `questions`."""

    hp: Health
    limits: CardLimits
    mana: int
    deck: tuple[TapdeckCard, ...]
    hands: Hands
    board: Board
    attackers: tuple[TapdeckCard, ...]
    turn: TurnInfo
    """Asked last: if it is still the turn that was known before, all the other replies are of that turn too."""


def questions(match: int) -> list[Request[Any]]:
    """The commands whose replies make a `Look`."""
    return [
        requests.hp(match),
        requests.card_limits(match),
        requests.current_mana(match),
        requests.deck(match),
        requests.hands(match),
        requests.board(match),
        requests.attackers(match),
        requests.turn_info(match),
    ]


@dataclass
class Memory:
    """What a player has to remember of a match. All but the printed cards is about the present turn."""

    blocking_over: bool = False
    """The blocking phase is known to be over. While there are attackers it cannot be."""
    blocked: set[int] = field(default_factory=set)
    """Ids of the attackers that were blocked."""
    ordered: list[int] = field(default_factory=list)
    """Ids of the player's creatures that were ordered to attack, in that order."""
    printed: dict[int, TapdeckCard] = field(default_factory=dict)
    """Every card seen in the deck or a hand, by id: as it is printed, wherever it is now."""

    def new_turn(self) -> None:
        """A turn begins, in which nothing has happened yet."""
        self.blocking_over = False
        self.blocked.clear()
        self.ordered.clear()

    def note(self, code: int) -> None:
        """An action was carried out."""
        kind, first = actions.action_kind(code), actions.first_number(code)
        if kind == actions.BLOCK:
            self.blocked.add(first)
        else:
            self.blocking_over = True
        if kind == actions.ATTACK:
            self.ordered.append(first)

    def note_refused(self, code: int, refused: int) -> None:
        """An action was refused. All but blocks end the blocking phase even so, if the turn was right."""
        if actions.action_kind(code) != actions.BLOCK and refused not in _CHANGES_NOTHING:
            self.blocking_over = True

    def note_cards(self, look: Look) -> None:
        """Cards in the deck and the hands are as they are printed."""
        for card in (*look.deck, *look.hands.mine, *look.hands.theirs):
            self.printed[card.id] = card


class TeamMatch:
    """One of a team's matches: whose turn it is, what the team did in it, and how it ended."""

    def __init__(self, match_id: int, sure: bool) -> None:
        """``sure`` says that nothing can have been done in it before."""
        self.id = match_id
        self._begin(sure)

    def _begin(self, sure: bool) -> None:
        self.info: TurnInfo | None = None
        """The turn, as of the last reply; None if unknown."""
        self.ended = False
        self.score: FinalScore | None = None
        self.memory = Memory()
        self.sure = sure
        """The memory holds everything done in this turn. If not, the team must find out whether blocking is over."""
        self._turns: int | None = None
        self._draws_and_burns: tuple[int, int] | None = None
        self._untouched = sure

    @property
    def to_move(self) -> bool:
        """It is the team's turn."""
        return not self.ended and self.info is not None and self.info.mine

    def note_turn(self, info: TurnInfo) -> None:
        """The match goes on, and this is the turn."""
        known = self.info
        if known is not None and info.left > known.left:
            self._begin(sure=True)  # turns never come back, so the server has started the tournament again
        elif known is not None and info.left != known.left:
            self.memory.new_turn()
            self.sure = self._untouched = True
        self.info = info
        self.ended = False
        if self._turns is None:
            self._turns = info.left

    def note_sent(self, codes: Sequence[int], replies: Sequence[Any], turn: TurnInfo | CommandRefused) -> bool:
        """Actions were commanded and answered, and then this was the turn.

        Returns whether all of them were carried out in the turn that they were planned for, as far as can be told.
        """
        self._untouched = False
        self.ended = was_refused(turn, RefusalCode.GAME_HAS_ENDED)
        if self.ended:
            return False
        if turn == self.info:
            for code, reply in zip(codes, replies, strict=True):
                if isinstance(reply, CommandRefused):
                    self.memory.note_refused(code, reply.code)
                else:
                    self.memory.note(code)
            return True
        # The next turns came in between. Some of the actions may have been carried out in one that is the team's again.
        if isinstance(turn, TurnInfo):
            self.note_turn(turn)
        else:
            self.info = None
            self.memory.new_turn()
        if self.info is None or self.info.mine:
            self.note_unanswered(codes)
        return False

    def note_unanswered(self, codes: Sequence[int]) -> None:
        """Actions were commanded, and nobody knows whether they were carried out in this turn."""
        self._untouched = self.sure = False
        for code in codes:
            self.memory.note(code)
        self.memory.blocking_over = False

    def position(self, look: Look) -> TapdeckPosition:
        """The match as agents see it."""
        self.memory.note_cards(look)
        if look.attackers:
            self.memory.ordered.clear()  # blocking is open, so no order to attack can have been carried out
        if self._untouched or self._draws_and_burns is None:  # these two numbers are seen at the start of a turn only
            self._draws_and_burns = look.limits.draws, look.limits.burns
        return position_of(look, self.memory, edition_of(look, self._turns, *self._draws_and_burns))


def edition_of(
    look: Look, turns: int | None = None, draws: int | None = None, burns: int | None = None
) -> TapdeckEdition:
    """The numbers of a match as far as they can be known: a look shows only the turns, draws and burns left."""
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
        raise BadReply(f"these are not the numbers of a Tapdeck match: {error}") from None


def position_of(look: Look, memory: Memory | None = None, edition: TapdeckEdition | None = None) -> TapdeckPosition:
    """The match, in the turn of the player who looked. `BadReply` if the replies contradict each other.

    Cards have other places in the deck record than on the server: first those outside the deck, by id, then the deck.
    Cards that are gone are among them only if they are remembered.
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
    state.blocking = not memory.blocking_over or bool(look.attackers)
    state.ending = PLAYING
    for player, hand in ((me, look.hands.mine), (1 - me, look.hands.theirs)):
        if len(hand) > MAX_HAND:
            raise BadReply(f"{len(hand)} cards in a hand; at most {MAX_HAND} are possible")
        state.n_hand[player] = len(hand)
        state.hands[player, : len(hand)] = [index_of[card.id] for card in sorted(hand, key=lambda card: card.id)]
    _put_creatures(states, look, memory, index_of, me)
    return TapdeckPosition(edition, deck, states)


def _deck(look: Look, memory: Memory) -> Array:
    """The deck record: all known cards, those outside the deck first."""
    in_deck = {card.id for card in look.deck}
    outside = {number: card for number, card in memory.printed.items() if number not in in_deck}
    creatures = (*look.board.mine, *look.board.theirs)
    in_hands = (*look.hands.mine, *look.hands.theirs)
    for creature in creatures:
        outside.setdefault(creature.card.id, creature.card)
    outside.update((card.id, card) for card in in_hands)
    visible = [card.id for card in (*look.deck, *in_hands, *(creature.card for creature in creatures))]
    if len(visible) != len(set(visible)):
        raise BadReply("a card is in two places at once")
    cards = [*(outside[number] for number in sorted(outside)), *look.deck]
    deck = blank_deck()
    deck[0].n = len(cards)
    deck["index_of"][0, :] = -1
    # One assignment for all: an assignment to a record costs more than making its row.
    deck["cards"][0, : len(cards)] = np.array(list(map(_row, cards)), CardRecord)
    deck["index_of"][0, [card.id for card in cards]] = range(len(cards))
    return deck


@functools.lru_cache(maxsize=8192)
def _row(card: TapdeckCard) -> tuple[int, ...]:
    """A card as the deck record holds it, whose numbers are smaller than those of a creature on the board can be."""
    values = (min(value, GREATEST_PRINTED) for value in (card.attack, card.health, card.max_health))
    return card.id, KINDS.index(card.kind), 0, *values, card.cost, card.mana


def _put_creatures(states: Array, look: Look, memory: Memory, index_of: Any, me: int) -> None:
    """Both sides of the board, sorted by id; attackers are numbered in the order in which they are named."""
    attacking = _order(card.id for card in look.attackers)
    theirs = {creature.card.id for creature in look.board.theirs}
    if len(attacking) != len(look.attackers) or not theirs.issuperset(attacking):
        raise BadReply("an attacker is not on the opponent's side of the board")
    ordered = _order(memory.ordered)
    sides: Sequence[tuple[int, BoardCard]] = sorted(
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
    states["creatures"][0, : len(rows)] = np.array(rows, Creature)


def _order(ids: Iterable[int]) -> dict[int, int]:
    """The place of each id, from 1 on."""
    return {number: place for place, number in enumerate(dict.fromkeys(ids), 1)}
