"""Scratch memory for the search of a turn, and the positions that were seen in it."""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Integers, Record, Records, i4, i8
from cardrome.games.tapdeck.agents.attackers import MOST_ATTACKERS
from cardrome.games.tapdeck.agents.card_choice import MOST_SEQUENCES
from cardrome.games.tapdeck.agents.plan import Plan
from cardrome.games.tapdeck.agents.search.worth import Mind

WIDEST = 32
"""Plans of one length that are continued, at the most."""
ROOTS = 4
"""Ways to block that are followed further."""
MOST_CANDIDATES = 32
"""Plans that are tried with attackers."""
MOST_LINES = 48
"""Whole turns that a search may give."""
SEEN = 1 << 13
"""Places in the table of positions that were seen."""

UNIT = 1000.0
"""Plans are worth thousandths of a logit, in whole numbers."""
_MARK = (1 << 40) - 1


class Effort(Record):
    """How much the search of a turn looks at."""

    looks: i4
    """Positions that are rated."""
    width: i4
    """Plans of one length that are continued."""
    candidates: i4
    """Plans that are tried with attackers."""
    lines: i4
    """Whole turns that are kept."""


class TurnSearch(Record):
    """Scratch memory for the search of a turn."""

    mind: Mind
    effort: Effort
    looks: i8
    """Positions rated, since the memory was made."""
    left: i8
    """Positions that may still be rated in this turn."""
    salt: i8
    """Makes what earlier searches have left in `seen` meaningless."""
    n_beam: i4
    n_grown: i4
    n_roots: i4
    n_candidates: i4
    n_lines: i4
    n_places: i4
    beam: Annotated[Records[Plan], WIDEST]
    grown: Annotated[Records[Plan], WIDEST]
    roots: Annotated[Records[Plan], ROOTS]
    candidates: Annotated[Records[Plan], MOST_CANDIDATES]
    lines: Annotated[Records[Plan], MOST_LINES]
    """Whole turns; their states are at the opponent's blocking phase."""
    trial: Plan
    whole: Plan
    answer: Plan
    seen: Annotated[Integers, "i8", SEEN]
    sequences: Annotated[Integers, "i8", MOST_SEQUENCES]
    values: Annotated[Integers, "i8", MOST_SEQUENCES]
    places: Annotated[Integers, "i8", MOST_ATTACKERS]


@kernel
def is_new(t: TurnSearch, number: int) -> bool:
    """A position has not been seen in this search. What is forgotten, because another took its place, is new again."""
    number = (number ^ t.salt) & _MARK
    slot = number & (SEEN - 1)
    if t.seen[slot] == number:
        return False
    t.seen[slot] = number
    return True


@kernel
def forget(t: TurnSearch) -> None:
    """Forget all positions that were seen, so that nothing depends on what was searched before."""
    t.salt = 0
    for i in range(SEEN):
        t.seen[i] = -1
