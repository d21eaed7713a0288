"""The format of LOCM replays, field by field as docs/replays.md describes it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cardrome.errors import InvalidDeal, UnknownParameter
from cardrome.games.game import Ending
from cardrome.games.locm.rules.deal import LocmDeal, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import LocmEdition, find_edition
from cardrome.games.replay_files import FORMAT, NAME_LIMIT, VERSION
from cardrome.games.replays import ProcessEnds, ReplayFault, Seat

ANSWER_LIMIT = 10_000
"""Characters of an answer; a longer one counts as none."""
CALL_LIMIT = 2_000
"""More calls than any game makes."""

_Name = Annotated[str, Meta(max_length=NAME_LIMIT)]
_Line = Annotated[str, Meta(max_length=ANSWER_LIMIT, pattern=r"^[^\n]*\Z")]
_Count = Annotated[int, Meta(ge=0, lt=1 << 31)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer to one call: the line as the player gave it, None if none came in time, and the time taken."""

    answer: _Line | None
    ms: Annotated[int, Meta(ge=0)] | None = None


class LocmReplay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished game: everything it takes to play it again, and what came of it."""

    format: Literal["cardrome-replay"] = FORMAT
    version: Literal[1] = VERSION
    edition: str
    deal: dict[str, Annotated[str, Meta(max_length=ANSWER_LIMIT)]]
    """The deal's parameters, by the names of docs/deals.md."""
    players: tuple[_Name, _Name]
    calls: Annotated[tuple[Answer, ...], Meta(max_length=CALL_LIMIT)]
    """The answers, in the order in which the referee asked."""
    fault: ReplayFault | None
    processes: ProcessEnds | None = None
    scores: tuple[int, int]
    winner: Seat
    ending: Ending
    final_health: tuple[int, int] | None
    """None if the game ended before the battle."""
    turns: _Count | None = None
    actions: _Count | None = None

    @property
    def rule_set(self) -> LocmEdition:
        """The edition that was played."""
        return find_edition(self.edition)

    @property
    def dealt(self) -> LocmDeal:
        """The deal that was played."""
        return LocmDeal.from_params(self.deal)

    def answer_times(self, seat: int) -> list[int]:
        """How long each answer of a player took, in ms."""
        # Players are asked in turn from the first call to the last, in deck building and in battle.
        return [call.ms for call in self.calls[seat::2] if call.ms is not None]

    def check(self) -> None:
        """The deal must be the same whenever it is dealt: nothing missing, nothing misspelt."""
        edition = self.rule_set
        if "seed" not in self.deal:
            raise InvalidDeal("deal: the seed is missing")
        for name, value in self.deal.items():
            if name not in ("seed", *parameter_names(edition)):
                raise UnknownParameter(edition.name, name, parameter_names(edition))
            if name.lower().endswith("seed") and parse_seed(value) is None:
                raise InvalidDeal(f"deal: {name} is {value!r}; expected a signed 64-bit number")
        if any(name.startswith("predefined") for name in self.deal):
            self.dealt.lay_out(edition)
