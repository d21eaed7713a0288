"""What the searching agents have learned of an edition: what cards are worth to a deck, and a network that rates
positions. Numbers are data files, made by the scripts in ``examples/train``."""

from __future__ import annotations

import functools
import importlib.resources
from typing import Annotated

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Floats, Record, Records, f4, flag
from cardrome.games.learning.network import built_in_brain
from cardrome.games.locm.rules.cards import MAX_CARDS, CardRecord
from cardrome.games.locm.rules.edition import LocmEdition

WEIGHTS = importlib.resources.files(__package__) / "weights"
"""The data files."""

FEATURES = 128
"""Numbers that the network is given for a position."""
HIDDEN_UNITS = 64

DEAREST = 8
"""Cards of this cost and more are one group."""
GROUPS = DEAREST + 1 + 4
"""Groups of cards that a deck has a balance of: by cost, and by type."""

CARD_FEATURES = 96
"""Numbers that describe a card where cards are new in every game."""


class Brain(Record):
    """What was learned of an edition, as kernels read it. The first index is a seat."""

    learned: flag
    """Whether anything was learned; without it agents use rules of thumb."""
    card: Annotated[Floats, "f4", (2, MAX_CARDS + 1)]
    """What each card adds to the chance to win, as a logit."""
    by_feature: Annotated[Floats, "f4", (2, CARD_FEATURES)]
    """The same where cards are new in every game: what each of a card's features adds."""
    balance: Annotated[Floats, "f4", (2, GROUPS)]
    """What the square of the number of cards of a group adds: below zero, too many of them are a burden."""
    usual: Annotated[Floats, "f4", (2, GROUPS)]
    """The usual part of a deck that belongs to a group."""
    first: Annotated[Floats, "f4", (FEATURES, HIDDEN_UNITS)]
    """The network: its first layer, and what follows."""
    first_bias: Annotated[Floats, "f4", HIDDEN_UNITS]
    second: Annotated[Floats, "f4", HIDDEN_UNITS]
    second_bias: f4


@kernel
def cost_group(card: CardRecord) -> int:
    """The group of a card by its cost."""
    return min(DEAREST, int(card.cost))


@kernel
def type_group(card: CardRecord) -> int:
    """The group of a card by its type."""
    return DEAREST + 1 + int(card.type)


@functools.cache
def brain_of(edition: LocmEdition) -> Records[Brain]:
    """What was learned of an edition, or of the one that is most like it; blank if nothing was."""
    return built_in_brain(Brain, WEIGHTS, edition.name, edition.name.replace("-multi", ""), f"locm-{edition.version}")
