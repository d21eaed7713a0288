"""Tapdeck cards and decks: the seven numbers of a card, what a deck may hold, and decks as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from cardrome.engine.records import Integers, Record, Records, i1, i2, new_records
from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.edition import MAX_DECK
from cardrome.wording import counted

MOST = 100
"""No parameter of a card in a deck is larger, except its id."""

CREATURE_CARD, HEAL, DAMAGE, TAKE, BUFF, DEACTIVATE = range(6)
"""Kinds of cards."""
KINDS = "CHDTBI"
"""Their letters, in the same order."""
_USED = {"C": (0, 1, 2), "H": (1,), "D": (0,), "T": (0,), "B": (0, 1), "I": ()}
"""Which of attack, health and max_health mean something, for each kind; the others are 0 here, whatever a text says."""
_FIELDS = ("attack", "health", "max_health", "cost", "mana")


class CardRecord(Record):
    """A card as it lies in the deck. Only creatures on the board change."""

    id: i2
    kind: i1
    spare: i1
    attack: i2
    health: i2
    max_health: i2
    cost: i2
    mana: i2


class Deck(Record):
    """A deck, top card first: what does not change during a match."""

    n: i2
    cards: Annotated[Records[CardRecord], MAX_DECK]
    """Kernels name cards by their places in here."""
    index_of: Annotated[Integers, "i2", MAX_DECK + 1]
    """From a card's id to its place; -1 if there is no such card."""


@dataclass(frozen=True, slots=True)
class TapdeckCard:
    """One card, as the wire describes it."""

    id: int
    kind: str
    """One of the letters of `KINDS`."""
    attack: int
    health: int
    max_health: int
    cost: int
    mana: int

    def __str__(self) -> str:
        return f"{self.id} {self.kind} {self.attack} {self.health} {self.max_health} {self.cost} {self.mana}"


def parse_card(line: str, what: str = "card") -> TapdeckCard:
    """The card a line describes; `CallerError` says what is wrong with one that cannot be in a deck."""
    words = line.split()
    if len(words) != 7:
        raise CallerError(
            f"{what} {line.strip()!r}: {counted(len(words), 'field')}; expected ID TYPE AT HP HPMAX COST MANA"
        )
    try:
        number, *values = (int(word) for word in words[:1] + words[2:])
    except ValueError:
        raise CallerError(f"{what} {line.strip()!r}: all fields but TYPE must be whole numbers") from None
    card = _meaning(TapdeckCard(number, words[1], *values))
    problem = _problem(card)
    if problem is not None:
        raise CallerError(f"{what} {line.strip()!r}: {problem}")
    return card


def _meaning(card: TapdeckCard) -> TapdeckCard:
    """The card with the usual numbers in the fields that the statement calls meaningless for its kind."""
    if card.kind in ("C", "B") or card.kind not in _USED:
        return replace(card, mana=-1) if card.kind == "B" else card
    values = (card.attack, card.health, card.max_health)
    attack, health, _ = (value if place in _USED[card.kind] else 0 for place, value in enumerate(values))
    return TapdeckCard(card.id, card.kind, attack, health, 0, card.cost, -1)


def _problem(card: TapdeckCard) -> str | None:
    """Why a card cannot be in a deck."""
    if not 1 <= card.id <= MAX_DECK:
        return f"id {card.id}; allowed are 1 to {MAX_DECK}"
    if card.kind not in _USED:
        return f"type {card.kind!r}; expected one of {', '.join(KINDS)}"
    spell = card.kind != "C"
    values = (card.attack, card.health, card.max_health, card.cost, card.mana)
    for place, (name, value) in enumerate(zip(_FIELDS, values, strict=True)):
        if name == "mana" and spell:
            if value != -1:
                return f"mana {value}; a spell has -1"
        elif place < 3 and place not in _USED[card.kind]:
            if value != 0:
                return f"{name} {value}; for {card.kind} it must be 0"
        elif not 0 <= value <= MOST:
            return f"{name} {value}; allowed are 0 to {MOST}"
    if not spell and not 0 < card.health <= card.max_health:
        return f"health {card.health} of {card.max_health}; a creature has 0 < HP <= HPMAX"
    return None


def parse_deck(text: str, name: str = "deck") -> Records[Deck]:
    """A deck from its text: one card on a line, top first; empty lines and what follows a # are left out."""
    cards: list[TapdeckCard] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0]
        if line.strip():
            cards.append(parse_card(line, f"{name}, line {number}: card"))
    return deck_of(cards, name)


def deck_of(cards: Sequence[TapdeckCard], name: str = "deck") -> Records[Deck]:
    """These cards, top first, as an array of one record."""
    if not 1 <= len(cards) <= MAX_DECK:
        raise CallerError(f"{name}: {len(cards)} cards; allowed are 1 to {MAX_DECK}")
    seen: set[int] = set()
    for card in cards:
        problem = _problem(card)
        if problem is not None:
            raise CallerError(f"{name}: card '{card}': {problem}")
        if card.id in seen:
            raise CallerError(f"{name}: two cards have the id {card.id}")
        seen.add(card.id)
    deck = blank_deck()
    deck[0].n = len(cards)
    deck["index_of"][0, :] = -1
    for place, card in enumerate(cards):
        values = (card.attack, card.health, card.max_health, card.cost, card.mana)
        deck["cards"][0, place] = (card.id, KINDS.index(card.kind), 0, *values)
        deck["index_of"][0, card.id] = place
    return deck


def blank_deck() -> Records[Deck]:
    """A deck without cards, as an array of one record."""
    return new_records(Deck)


def cards_of(deck: np.recarray[Any, Any]) -> list[TapdeckCard]:
    """The cards of a deck, top first."""
    found = []
    for number, kind, _, *values in deck["cards"][0, : int(deck["n"][0])].tolist():
        found.append(TapdeckCard(number, KINDS[kind], *values))
    return found


def deck_text(cards: Iterable[TapdeckCard]) -> str:
    """Cards as text, one on a line."""
    return "".join(f"{card}\n" for card in cards)
