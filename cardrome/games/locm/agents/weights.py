"""The numbers by which agents judge cards and boards: one small table per agent.

A unit is a hundredth of a point of attack. Weights travel beside the state as a record, so that an agent with other
weights needs no other code.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardrome.engine.records import dtype_of, i4


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to an agent. The defaults were found by self-play in all editions at once."""

    # A creature
    body: i4 = 60
    """For standing there at all."""
    attack: i4 = 100
    defense: i4 = 55
    breakthrough: i4 = 8
    """Per attack, as the next two."""
    drain: i4 = 30
    ward: i4 = 40
    guard: i4 = 10
    """Per defense."""
    lethal: i4 = 210

    # A player
    health: i4 = 30
    low_health: i4 = 55
    """Lost, on top of the above, for each health below 12."""
    card: i4 = 75
    """A card in hand, or to be drawn next turn."""

    # What is about to be lost
    exposed: i4 = 0
    """Percent of what the opponent would win by attacking the own creatures."""
    danger: i4 = 0
    """Lost for each damage the opponent's creatures threaten beyond the own health."""
    margin: i4 = 0
    """Damage to expect from cards that the opponent has not shown."""

    # A card, when the deck is built
    mana: i4 = 170
    """The price of one mana."""
    charge: i4 = 20
    """Per attack, and only here: on the board it means nothing any more."""
    removal: i4 = 600
    """For an item that destroys nearly every creature; others have their part of it."""
    curve: i4 = 0
    """For each card that the deck lacks at this cost, or lost for each that it has too many."""


NO_WEIGHTS = Weights()
"""For agents that judge nothing."""

GREEDY_WEIGHTS = Weights()
"""Greedy sees what is there now, and takes each card for its own sake."""

RULE_BASED_WEIGHTS = Weights(exposed=45, danger=60, margin=1, curve=75)
"""The rule-based agent also sees what the opponent will do next, and builds a deck that spends its mana."""

WEIGHTS = dtype_of(Weights)
"""Weights as kernels see them."""
