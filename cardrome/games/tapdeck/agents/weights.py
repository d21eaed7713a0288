"""The numbers by which agents judge cards and boards.

A unit is a hundredth of a point of attack on the board. Weights travel beside the state as a record, so that an agent
with other weights needs no other code.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from cardrome.engine.kernel import record


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to an agent."""

    # A creature on the board
    body: int = 40
    """For standing there at all: it can stop an attacker."""
    attack: int = 100
    health: int = 60
    mana: int = 130
    """Per mana that a player's creatures give together, as long as there is use for it."""
    more_mana: int = 25
    """Per mana beyond that."""

    # A player
    life: int = 110
    """Per health of a player."""
    low_life: int = 90
    """Lost, on top of the above, for each health below half of the initial one, or below 5."""

    # A card in hand
    in_hand: int = 55
    """Percent of what a creature would be worth on the board."""
    price: int = 25
    """Lost per mana it costs."""
    strike: int = 75
    """Per damage of a spell, as the next ones per point of theirs."""
    heal: int = 45
    raise_attack: int = 60
    raise_health: int = 35
    lull: int = 60
    """For a spell that deactivates."""
    card: int = 70
    """For any card to be drawn."""

    # What creatures are kept for
    hold: int = 35
    """Percent of the harm that the opponent's creatures could do if one blocker less stayed awake."""
    tap: int = 30
    """Lost per attack of a creature that is tapped."""
    doom: int = 1500
    """Lost if the opponent's creatures could bring the player down next turn."""


WEIGHTS = record(*((field.name, "i4") for field in fields(Weights)))
"""Weights as kernels see them."""


def fill_weights(target: Any, weights: Weights) -> None:
    """Write weights into a `WEIGHTS` record."""
    for field in fields(weights):
        target[field.name] = getattr(weights, field.name)
