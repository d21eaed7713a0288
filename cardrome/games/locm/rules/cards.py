"""Cards: their record, their keywords, and the table of the 160 fixed ones."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

from cardrome.engine.records import Record, Records, i1, new_records, u1

MAX_CARDS = 160
HIDDEN = MAX_CARDS
"""Stands for a card that the viewer does not know: the last of every card table, which nobody can pay."""
UNPAYABLE = 127
COSTS = 13
"""Cards cost 0 to 12 mana."""

CREATURE_CARD, GREEN_ITEM, RED_ITEM, BLUE_ITEM = range(4)
TYPE_NAMES = ("creature", "green", "red", "blue")

BREAKTHROUGH, CHARGE, DRAIN, GUARD, LETHAL, WARD = 1, 2, 4, 8, 16, 32
KEYWORD_LETTERS = "BCDGLW"

TARGET_ONLY, LANE_1, LANE_2 = range(3)
"""Areas of the 1.5 cards: the target; its lane (a clone beside); both lanes (a clone in the other lane)."""
AREA_NAMES = ("target", "lane1", "lane2")


class CardRecord(Record):
    """A card as kernels see it."""

    number: u1
    type: i1
    cost: i1
    attack: i1
    defense: i1
    abilities: i1
    my_health: i1
    opponent_health: i1
    card_draw: i1
    area: i1


@dataclass(frozen=True, slots=True)
class Card:
    """A card as people read it."""

    number: int
    name: str
    type: int
    cost: int
    attack: int
    defense: int
    abilities: str
    my_health: int
    opponent_health: int
    card_draw: int
    area: int = TARGET_ONLY

    @property
    def label(self) -> str:
        """Its name, or its number where it has none."""
        return self.name or f"#{self.number}"

    @property
    def strength(self) -> str:
        """Attack and defense; those of an item are changes."""
        sign = "" if self.type == CREATURE_CARD else "+"
        return f"{self.attack:{sign}}/{self.defense:{sign}}"

    @property
    def keywords(self) -> str:
        """The letters of its abilities."""
        return self.abilities.replace("-", "")

    @property
    def effects(self) -> str:
        """What it does to the players, and how far it reaches."""
        changes = {"you": self.my_health, "opponent": self.opponent_health}
        parts = [f"{who} {change:+}" for who, change in changes.items() if change]
        parts += [f"draw {self.card_draw}"] if self.card_draw else []
        return ", ".join(parts + ([AREA_NAMES[self.area]] if self.area else []))

    @property
    def league(self) -> int:
        """The lowest league of LOCM 1.0 that offers the card: 1, 2, 3 (Wood) or 4 (Bronze and up)."""
        creature = self.type == CREATURE_CARD
        if set(self.abilities) & set("DLW"):
            return 4
        if not creature:
            return 3
        plain = self.abilities == "------" and not (self.my_health or self.opponent_health or self.card_draw)
        return 1 if plain else 2


def abilities_mask(letters: str) -> int:
    """``"B--G--"`` as bits."""
    return sum(1 << i for i, letter in enumerate(KEYWORD_LETTERS) if letter in letters)


def abilities_text(mask: int) -> str:
    """Bits as ``"B--G--"``."""
    return _ABILITY_TEXTS[mask]


_ABILITY_TEXTS = tuple(
    "".join(letter if mask >> i & 1 else "-" for i, letter in enumerate(KEYWORD_LETTERS)) for mask in range(64)
)


def _read_cards() -> tuple[Card, ...]:
    types = {"creature": CREATURE_CARD, "itemGreen": GREEN_ITEM, "itemRed": RED_ITEM, "itemBlue": BLUE_ITEM}
    with Path(__file__).with_name("cards.csv").open(newline="", encoding="utf-8") as file:
        return tuple(
            Card(
                number=int(row["number"]),
                name=row["name"],
                type=types[row["type"]],
                cost=int(row["cost"]),
                attack=int(row["attack"]),
                defense=int(row["defense"]),
                abilities=row["abilities"],
                my_health=int(row["my_health"]),
                opponent_health=int(row["opponent_health"]),
                card_draw=int(row["card_draw"]),
            )
            for row in csv.DictReader(file)
        )


FIXED_CARDS: tuple[Card, ...] = _read_cards()
"""The 160 cards of 1.0 and 1.2, in order: card number n is at index n - 1."""


def card_records(cards: tuple[Card, ...]) -> Records[CardRecord]:
    """Cards as an array of records."""
    array = new_records(CardRecord, len(cards))
    for name in array.dtype.names or ():  # a column at a time is much faster than a card at a time
        array[name] = [getattr(card, name) if name != "abilities" else abilities_mask(card.abilities) for card in cards]
    return array


@functools.cache
def fixed_card_records() -> Records[CardRecord]:
    """The fixed cards as records."""
    array = card_records(FIXED_CARDS)
    array.flags.writeable = False
    return array
