"""Replays of Tapdeck matches: how a match is written down, as numbers, deck and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from cardrome.errors import CallerError, InvalidRecording
from cardrome.escaping import encodable
from cardrome.games.game import Action, Ending
from cardrome.games.replay_files import NAME_LIMIT
from cardrome.games.replays import ProcessEnds, Recorder, ReplayRecord
from cardrome.games.tapdeck.protocol.commands import ERROR_LINES, MEANINGS, NOT_YOUR_MATCH, SYNTAX, Command, read_text
from cardrome.games.tapdeck.protocol.game import (
    END_TURN_TEXT,
    TapdeckDeal,
    TapdeckGame,
    command_of,
    is_query,
)
from cardrome.games.tapdeck.protocol.matchlog import LogEntry, MatchLog
from cardrome.games.tapdeck.rules.cards import TapdeckCard, cards_of, deck_of, parse_card
from cardrome.games.tapdeck.rules.edition import MAX_DECK, TAPDECK, TapdeckEdition
from cardrome.games.tapdeck.rules.legal import NO_CARD_WITH_SUCH_ID
from cardrome.games.tapdeck.rules.state import turns_begun

COMMAND_LIMIT = 1_000_000
"""Commands of a match: far more than a match of usual length can have."""
CODES = {0, *(code for code in MEANINGS if code >= NO_CARD_WITH_SUCH_ID and code != NOT_YOUR_MATCH)}
"""The possible results of a command on a match."""

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


class TapdeckReplay(ReplayRecord, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished match: all that it takes to play it again, and what came of it.

    A refused command loses no match, and players are agents, or clients whose processes are their own.
    """

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

    def check(self) -> None:
        """Check that numbers are allowed and that cards and commands can be read. Playing it again does the rest."""
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


def from_log(
    log: MatchLog,
    *,
    edition: TapdeckEdition,
    deck: Sequence[str],
    players: tuple[str, str],
    ending: Ending,
    health: tuple[int, int],
    scores: tuple[int, int],
    turns_played: int,
    event: ReplayEvent | None = None,
) -> TapdeckReplay:
    """The replay of a match that has ended. ``deck`` is its cards as text, the top one first."""
    first, second = (encodable(name)[:NAME_LIMIT] for name in players)
    return TapdeckReplay(
        rules=_rules(edition),
        deck=tuple(deck),
        players=(first, second),
        commands=tuple(log.lines()),
        omitted=(log.omitted[0], log.omitted[1]),
        ending=ending,
        final_health=health,
        scores=scores,
        turns_played=turns_played,
        actions=log.actions,
        event=event,
    )


def _rules(edition: TapdeckEdition) -> ReplayRules:
    return ReplayRules(edition.initial_health, edition.turns, edition.draws, edition.burns, edition.hand_limit)


class TapdeckRecorder(Recorder):
    """A match that is written down. Command through it instead of through the game."""

    def __init__(
        self,
        edition: TapdeckEdition = TAPDECK,
        deal: int | str | TapdeckDeal | np.recarray[Any, Any] = 0,
        players: tuple[str, str] = ("player 0", "player 1"),
    ) -> None:
        """``deal`` is a deal, a seed, the text of a deck, or a deck."""
        self.game = TapdeckGame(edition, deal)
        self.players = players
        self.log = MatchLog()

    def act(self, actions: Sequence[Action]) -> None:
        """Carry out what an agent did in its turn."""
        player = self.game.current
        for action in actions:
            if action != END_TURN_TEXT:
                self.execute(player, command_of(action.code))
        self.end_turn()

    def command(self, player: int, line: str) -> str:
        """A player's command, without the match's id; returns the reply. One that cannot be read is not kept."""
        command = read_text(line)
        if isinstance(command, int):
            return ERROR_LINES[command].decode()
        return self.execute(player, command)[0].decode()

    def execute(self, player: int, command: Command) -> tuple[bytes, int, bool]:
        """A command that has been read: the reply, the error code or 0, and whether the match ended by it."""
        turn = self.game.turn
        reply, code, ended = self.game.execute(player, command)
        if code or not is_query(command.kind):
            self.log.add(turn, player, code, command)
        if ended:
            self.log.close()
        return reply, code, ended

    def end_turn(self) -> None:
        """Time is up: the turn ends."""
        self.game.end_turn()
        if self.game.is_over:
            self.log.close()

    def replay(self, processes: ProcessEnds | None = None, event: ReplayEvent | None = None) -> TapdeckReplay:
        """The replay, once the match is over."""
        outcome = self.game.outcome
        if outcome is None:
            raise CallerError("the match is not over: it has no replay yet")
        return from_log(
            self.log,
            edition=self.game.edition,
            deck=[str(card) for card in cards_of(self.game.decks)],
            players=self.players,
            ending=outcome.ending,
            health=self.game.health,
            scores=outcome.scores,
            turns_played=turns_begun(self.game.state),
            event=event,
        )
