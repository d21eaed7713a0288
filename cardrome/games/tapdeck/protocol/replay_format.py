"""The format of Tapdeck replays, field by field as docs/replays.md describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from cardrome.errors import InvalidRecording
from cardrome.games.game import Ending
from cardrome.games.replay_files import FORMAT, NAME_LIMIT, VERSION
from cardrome.games.tapdeck.protocol.commands import SYNTAX, Command
from cardrome.games.tapdeck.protocol.errors import MEANINGS, NOT_YOUR_MATCH
from cardrome.games.tapdeck.protocol.matchlog import LogEntry
from cardrome.games.tapdeck.rules.cards import TapdeckCard, deck_of, parse_card
from cardrome.games.tapdeck.rules.edition import MAX_DECK, TapdeckEdition
from cardrome.games.tapdeck.rules.legal import NO_CARD_WITH_SUCH_ID

COMMAND_LIMIT = 1_000_000
"""Commands of a match: far more than a match of usual length can have."""
CODES = {0, *(code for code in MEANINGS if code >= NO_CARD_WITH_SUCH_ID and code != NOT_YOUR_MATCH)}
"""What can come of a command on a match."""

_Name = Annotated[str, Meta(max_length=NAME_LIMIT)]
_CardLine = Annotated[str, Meta(max_length=64)]
_CommandLine = Annotated[str, Meta(max_length=64)]
_Count = Annotated[int, Meta(ge=0, lt=1 << 53)]
_Amount = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]
_LINE = re.compile(r"([0-9]{1,5}) ([01]) ([0-9]{1,3}) ([A-Z_]+)(?: (-?[0-9]{1,12}))?(?: (-?[0-9]{1,12}))?")


class ReplayRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers that were played by."""

    initial_health: int
    turns: int
    draws: int
    burns: int
    hand_limit: int


class ReplayEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the match was played."""

    name: _Name
    tournament: _Count
    """Its number in the event."""
    match_id: _Count
    """As on the wire."""
    finished_at: Annotated[datetime, Meta(tz=True)] | None = None


class TapdeckReplay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished match: all that it takes to play it again, and what came of it."""

    format: Literal["cardrome-replay"] = FORMAT
    version: Literal[1] = VERSION
    edition: Literal["tapdeck"] = "tapdeck"
    rules: ReplayRules
    deck: Annotated[tuple[_CardLine, ...], Meta(min_length=1, max_length=MAX_DECK)]
    """The cards as the wire describes them, top first."""
    players: tuple[_Name, _Name]
    """The first has the first turn."""
    commands: Annotated[tuple[_CommandLine, ...], Meta(max_length=COMMAND_LIMIT)]
    """The lines of a `MatchLog`."""
    omitted: tuple[_Count, _Count] = (0, 0)
    """Refused commands of each player that were too many to keep."""
    ending: Ending
    final_health: tuple[_Amount, _Amount]
    scores: tuple[_Amount, _Amount]
    turns_played: _Count
    """Turns of both players together; one in which the match ended counts."""
    actions: _Count | None = None
    event: ReplayEvent | None = None

    @property
    def rule_set(self) -> TapdeckEdition:
        """The edition that was played."""
        return TapdeckEdition(**msgspec.structs.asdict(self.rules), deck_size=len(self.deck))

    @property
    def cards(self) -> list[TapdeckCard]:
        """The deck as it was at the beginning."""
        return [parse_card(line, f"deck[{place}]: card") for place, line in enumerate(self.deck)]

    @property
    def laid_deck(self) -> np.recarray[Any, Any]:
        """The deck as the rules take it, an array of one record."""
        return deck_of(self.cards)

    @property
    def winner(self) -> int | None:
        """The player with the higher score; None if they are equal."""
        first, second = self.scores
        return None if first == second else int(second > first)

    @property
    def turns(self) -> int:
        """Turns begun."""
        return self.turns_played

    @property
    def fault(self) -> None:
        """A refused command loses no match."""
        return None

    @property
    def processes(self) -> None:
        """Players are agents, or clients whose processes are their own."""
        return None

    def answer_times(self, seat: int) -> list[int]:
        """Not recorded: a turn lasts as long as the clock says."""
        return []

    def check(self) -> None:
        """The numbers must be allowed, the cards cards, and the commands commands. Playing it again does the rest."""
        _ = self.rule_set, self.laid_deck
        for _ in self.entries():
            pass

    def entries(self) -> Iterator[LogEntry]:
        """The commands, one by one. `InvalidRecording` names a line that is not one."""
        return (parse_entry(line, f"commands[{number}]") for number, line in enumerate(self.commands))


def parse_entry(line: str, what: str = "command") -> LogEntry:
    """The entry that a line holds: ``TURN PLAYER CODE COMMAND NUMBERS``."""
    found = _LINE.fullmatch(line)
    syntax = None if found is None else SYNTAX.get(found[4].encode())
    if found is None or syntax is None or syntax.arguments == 0:
        raise InvalidRecording(f"{what} is {line!r}; expected TURN PLAYER CODE COMMAND and its numbers")
    turn, player, code, _, first, second = found.groups()
    if int(code) not in CODES:
        raise InvalidRecording(f"{what} is {line!r}; there is no error {code}")
    given = (first is not None) + (second is not None)
    if given != syntax.arguments - 1:
        raise InvalidRecording(f"{what} is {line!r}; {syntax.name} takes {syntax.arguments - 1} numbers, not {given}")
    return LogEntry(int(turn), int(player), int(code), Command(syntax.kind, 0, int(first or 0), int(second or 0)))
