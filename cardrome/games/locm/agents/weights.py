"""The numbers by which agents judge cards and boards: one small table per agent.

A unit is a hundredth of a point of attack. Weights travel beside the state as a record, so that an agent with other
weights needs no other code.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from cardrome.engine.kernel import record


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to an agent. The defaults were found by self-play in all editions at once."""

    # A creature
    body: int = 60
    """For standing there at all."""
    attack: int = 100
    defense: int = 55
    breakthrough: int = 8
    """Per attack, as the next two."""
    drain: int = 30
    ward: int = 40
    guard: int = 10
    """Per defense."""
    lethal: int = 210

    # A player
    health: int = 30
    low_health: int = 55
    """Lost, on top of the above, for each health below 12."""
    card: int = 75
    """A card in hand, or to be drawn next turn."""

    # What is about to be lost
    exposed: int = 0
    """Percent of what the opponent would win by attacking the own creatures."""
    danger: int = 0
    """Lost for each damage the opponent's creatures threaten beyond the own health."""
    margin: int = 0
    """Damage to expect from cards that the opponent has not shown."""

    # A card, when the deck is built
    mana: int = 170
    """The price of one mana."""
    charge: int = 20
    """Per attack, and only here: on the board it means nothing any more."""
    removal: int = 600
    """For an item that destroys nearly every creature; others have their part of it."""
    curve: int = 0
    """For each card that the deck lacks at this cost, or lost for each that it has too many."""


NO_WEIGHTS = Weights()
"""For agents that judge nothing."""

GREEDY_WEIGHTS = Weights()
"""Greedy sees what is there now, and takes each card for its own sake."""

RULE_BASED_WEIGHTS = Weights(exposed=45, danger=60, margin=1, curve=75)
"""The rule-based agent also sees what the opponent will do next, and builds a deck that spends its mana."""

WEIGHTS = record(*((field.name, "i4") for field in fields(Weights)))
"""Weights as kernels see them."""


def fill_weights(target: Any, weights: Weights) -> None:
    """Write weights into a `WEIGHTS` record."""
    for field in fields(weights):
        target[field.name] = getattr(weights, field.name)
