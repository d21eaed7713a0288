"""The numbers by which agents judge cards and boards.

A unit is a hundredth of a point of attack on the board. Weights travel beside the state as a record, so that an agent
with other weights needs no other code.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardrome.engine.records import dtype_of, i4


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to an agent."""

    # A creature on the board
    body: i4 = 40
    """For standing there at all: it can stop an attacker."""
    attack: i4 = 100
    health: i4 = 60
    mana: i4 = 130
    """Per mana that a player's creatures give together, as long as there is use for it."""
    more_mana: i4 = 25
    """Per mana beyond that."""

    # A player
    life: i4 = 110
    """Per health of a player."""
    low_life: i4 = 90
    """Lost, on top of the above, for each health below half of the initial one, or below 5."""

    # A card in hand
    in_hand: i4 = 55
    """Percent of what a creature would be worth on the board."""
    price: i4 = 25
    """Lost per mana it costs."""
    strike: i4 = 75
    """Per damage of a spell, as the next ones per point of theirs."""
    heal: i4 = 45
    raise_attack: i4 = 60
    raise_health: i4 = 35
    lull: i4 = 60
    """For a spell that deactivates."""
    card: i4 = 70
    """For any card to be drawn."""

    # What creatures are kept for
    hold: i4 = 35
    """Percent of the harm that the opponent's creatures could do if one blocker less stayed awake."""
    tap: i4 = 30
    """Lost per attack of a creature that is tapped."""
    doom: i4 = 1500
    """Lost if the opponent's creatures could bring the player down next turn."""


WEIGHTS = dtype_of(Weights)
"""Weights as kernels see them."""
