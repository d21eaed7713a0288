"""Replays of Tapdeck matches: numbers, deck and commands, to be played again, checked and looked at.

A server fills a `MatchLog` and makes the replay with `from_log`; a `Recorder` does both for a match in the process.
`verify` plays a replay again and compares, `moments` go through it command by command, `conversation` gives what a
player said and heard. The files are described in `cardrome.games.tapdeck.protocol.replay_format`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.errors import CallerError
from cardrome.games.difference import Difference
from cardrome.games.printable import encodable
from cardrome.games.replay_files import NAME_LIMIT
from cardrome.games.tapdeck.protocol.commands import Command, read_text
from cardrome.games.tapdeck.protocol.errors import ERROR_LINES, MEANINGS
from cardrome.games.tapdeck.protocol.matchlog import Entry, MatchLog
from cardrome.games.tapdeck.protocol.position import TapdeckPosition
from cardrome.games.tapdeck.protocol.replay_format import (
    ReplayEvent,
    ReplayRules,
    TapdeckReplay,
    decode_replay,
    encode_replay,
    read_replays,
    write_replay,
    write_replays,
)
from cardrome.games.tapdeck.protocol.table import TapdeckMatch, TapdeckOutcome, is_query
from cardrome.games.tapdeck.rules.actions import action_kind, first_number, second_number
from cardrome.games.tapdeck.rules.cards import cards_of
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

__all__ = [
    "Difference",
    "Moment",
    "Recorder",
    "ReplayEvent",
    "ReplayRules",
    "TapdeckReplay",
    "conversation",
    "decode_replay",
    "encode_replay",
    "from_log",
    "moments",
    "read_replays",
    "record_match",
    "verify",
    "write_replay",
    "write_replays",
]

# Recording


def from_log(
    log: MatchLog,
    *,
    edition: TapdeckEdition,
    deck: Sequence[str],
    players: tuple[str, str],
    outcome: TapdeckOutcome,
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
        ending=outcome.reason,
        final_health=outcome.health,
        scores=outcome.scores,
        turns_played=turns_played,
        event=event,
    )


def _rules(edition: TapdeckEdition) -> ReplayRules:
    return ReplayRules(edition.initial_health, edition.turns, edition.draws, edition.burns, edition.hand_limit)


class Recorder:
    """A match that is written down. Command through it instead of through the match."""

    def __init__(
        self,
        edition: TapdeckEdition = TAPDECK,
        deck: int | str | np.recarray[Any, Any] = 0,
        players: tuple[str, str] = ("player 0", "player 1"),
    ) -> None:
        """``deck`` is a seed, the text of a deck, or a deck."""
        self.match = TapdeckMatch(edition, deck)
        self.players = players
        self.log = MatchLog()

    def command(self, player: int, line: str) -> str:
        """A player's command, without the match's id; returns the reply. One that cannot be read is not kept."""
        command = read_text(line)
        if isinstance(command, int):
            return ERROR_LINES[command].decode()
        return self.execute(player, command)[0].decode()

    def execute(self, player: int, command: Command) -> tuple[bytes, int, bool]:
        """A command that has been read: the reply, the error code or 0, and whether the match ended by it."""
        turn = self.match.turn
        reply, code, ended = self.match.execute(player, command)
        if code or not is_query(command.kind):
            self.log.add(turn, player, code, command)
        if ended:
            self.log.close()
        return reply, code, ended

    def act(self, code: int) -> int:
        """The current player's action by its code, END_TURN excepted; returns 0 or the error code."""
        command = Command(action_kind(code), 0, first_number(code), second_number(code))
        return self.execute(int(self.match.states[0].current), command)[1]

    def end_turn(self) -> None:
        """Time is up: the turn ends."""
        self.match.end_turn()
        if self.match.outcome is not None:
            self.log.close()

    def replay(self, event: ReplayEvent | None = None) -> TapdeckReplay:
        """The replay, once the match is over."""
        outcome = self.match.outcome
        if outcome is None:
            raise CallerError("the match is not over: it has no replay yet")
        return from_log(
            self.log,
            edition=self.match.edition,
            deck=[str(card) for card in cards_of(self.match.deck)],
            players=self.players,
            outcome=outcome,
            turns_played=self.match.table.turns_played(0),
            event=event,
        )


Mover = Callable[[TapdeckMatch], Iterable[str]]
"""Plays one turn: gives commands, without the match's id. Each is carried out before the next is asked for, so that a
generator can look at what came of it."""


def record_match(
    edition: TapdeckEdition,
    deck: int | str | np.recarray[Any, Any],
    players: tuple[str, str],
    movers: tuple[Mover, Mover],
) -> TapdeckReplay:
    """Play a match to its end and write it down."""
    recorder = Recorder(edition, deck, players)
    while (player := recorder.match.to_move) is not None:
        for line in movers[player](recorder.match):
            recorder.command(player, line)
            if recorder.match.outcome is not None:
                break
        recorder.end_turn()
    return recorder.replay()


# Playing again


class _Rerun:
    """A replay that is played again: entry by entry, with the ticks between them."""

    def __init__(self, replay: TapdeckReplay) -> None:
        self.match = TapdeckMatch(replay.rule_set, replay.laid_deck)
        self.turn = 0
        self.over = False

    def tick(self) -> None:
        self.turn += 1
        self.over = self.match.table.tick() == 0

    def carry_out(self, entry: Entry) -> tuple[bytes, int]:
        reply, code, ended = self.match.execute(entry.player, entry.command)
        self.over = self.over or ended
        return reply, code


def verify(replay: TapdeckReplay) -> Difference | None:
    """Play a replay again; returns the first thing that comes out differently from what it says, or None."""
    rerun = _Rerun(replay)
    for number, entry in enumerate(replay.entries()):
        where = f"command {number}, {entry.command.text()} of player {entry.player}"
        if entry.turn < rerun.turn:
            return Difference(where, f"turn {entry.turn}", f"turn {rerun.turn}: time does not go back")
        while entry.turn > rerun.turn and not rerun.over:
            rerun.tick()
        if rerun.over:
            return Difference(where, f"turn {entry.turn}", f"the end of the match before it, in turn {rerun.turn}")
        _, code = rerun.carry_out(entry)
        if code != entry.code:
            return Difference(where, _shown_code(entry.code), _shown_code(code))
    while not rerun.over:
        rerun.tick()
    outcome = rerun.match.outcome
    assert outcome is not None
    for name, expected, found in (
        ("ending", replay.ending, outcome.reason),
        ("final health", str(list(replay.final_health)), str(list(outcome.health))),
        ("scores", str(list(replay.scores)), str(list(outcome.scores))),
        ("turns played", str(replay.turns_played), str(rerun.match.table.turns_played(0))),
    ):
        if expected != found:
            return Difference(name, expected, found)
    return None


def _shown_code(code: int) -> str:
    return error_name(code) if code else "OK"


def error_name(code: int) -> str:
    """An error code and its name, without the sentence."""
    return f"{code} {MEANINGS[code].split()[0]}"


@dataclass(frozen=True, slots=True)
class Moment:
    """One command of a replay, or the end of a turn: the position before, what was said, the position then."""

    number: int
    """The command's number in the match, from 0 on; for the end of a turn, how many commands came before."""
    turn: int
    player: int
    """Who commanded; at the end of a turn, whose turn it was."""
    command: Command | None
    """None: time is up, the turn ends."""
    code: int
    """What came of it now: 0 or the error code."""
    reply: bytes
    """What the player was answered."""
    before: TapdeckPosition
    after: TapdeckPosition


def moments(replay: TapdeckReplay) -> Iterator[Moment]:
    """Play a replay again, command by command and turn by turn; it stops at the end of the match."""
    rerun = _Rerun(replay)
    cards = replay.cards
    edition = rerun.match.edition
    now = TapdeckPosition(edition, cards, rerun.match.states)
    number = 0

    def tick() -> Moment:
        nonlocal now
        before, turn = now, rerun.turn
        rerun.tick()
        now = TapdeckPosition(edition, cards, rerun.match.states)
        return Moment(number, turn, before.current, None, 0, b"", before, now)

    for entry in replay.entries():
        while entry.turn > rerun.turn and not rerun.over:
            yield tick()
        if rerun.over or entry.turn < rerun.turn:
            break
        before = now
        reply, code = rerun.carry_out(entry)
        if code == 0 or (before.blocking and not rerun.match.states[0].blocking):  # otherwise nothing has changed
            now = TapdeckPosition(edition, cards, rerun.match.states)
        yield Moment(number, entry.turn, entry.player, entry.command, code, reply, before, now)
        number += 1
    while not rerun.over:
        yield tick()


def conversation(replay: TapdeckReplay, player: int) -> Iterator[str]:
    """What a player said on the wire and was answered, command by command: ``> `` and ``< `` before each line.

    Questions that were answered are not in a replay, nor are WAIT and lines that could not be read.
    """
    if player not in (0, 1):
        raise CallerError(f"player {player}: expected 0 or 1")
    match_id = 0 if replay.event is None else replay.event.match_id
    for moment in moments(replay):
        if moment.command is not None and moment.player == player:
            name, *numbers = moment.command.text().split()
            answered = "".join(f"< {line}\n" for line in moment.reply.decode().splitlines())
            yield f"> {' '.join([name, str(match_id), *numbers])}\n{answered}"
