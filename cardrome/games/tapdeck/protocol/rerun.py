"""A Tapdeck replay that is played again: for verification, the story, the page, and what went over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.errors import CallerError
from cardrome.games.replays import Difference, Rerun, first_difference
from cardrome.games.tapdeck.protocol.commands import MEANINGS, Command
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckPosition, is_query
from cardrome.games.tapdeck.protocol.matchlog import LogEntry
from cardrome.games.tapdeck.protocol.replay import TapdeckReplay
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.state import turns_begun


@dataclass(frozen=True, slots=True)
class TapdeckMoment:
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


class TapdeckPlayback:
    """A match that is played again, one entry of its log or one end of a turn after the other."""

    def __init__(self, edition: TapdeckEdition, deck: np.recarray[Any, Any]) -> None:
        self.game = TapdeckGame(edition, deck)
        self.turn = 0
        self.number = 0
        """Commands so far."""
        self.snapshots = True
        """Positions stay as they are; otherwise all moments show the position as it is now."""
        self._now = self._position()

    def obey(self, entry: LogEntry) -> TapdeckMoment:
        """A player's command in the present turn."""
        before = self._now
        reply, code, _ = self.game.execute(entry.player, entry.command)
        if code == 0 or (before.blocking and not self.game.blocking):  # otherwise nothing has changed
            self._now = self._position()
        self.number += 1
        return TapdeckMoment(self.number - 1, entry.turn, entry.player, entry.command, code, reply, before, self._now)

    def tick(self) -> TapdeckMoment:
        """Time is up."""
        before = self._now
        self.game.end_turn()
        self._now = self._position()
        self.turn += 1
        return TapdeckMoment(self.number, self.turn - 1, before.current, None, 0, b"", before, self._now)

    def _position(self) -> TapdeckPosition:
        return self.game.snapshot() if self.snapshots else self.game


class TapdeckRerun(Rerun[TapdeckMoment]):
    """A replay that is played again, command by command and turn by turn; it stops at the end of the match."""

    def __init__(self, replay: TapdeckReplay) -> None:
        self.replay = replay
        self._playback = TapdeckPlayback(replay.rule_set, replay.laid_deck)
        self._actions = 0

    @property
    def game(self) -> TapdeckGame:
        """The match as far as it has been played again."""
        return self._playback.game

    def __iter__(self) -> Iterator[TapdeckMoment]:
        playback = self._playback
        for entry in self.replay.entries():
            while entry.turn > playback.turn and not self.game.is_over:
                yield playback.tick()
            if self.game.is_over or entry.turn < playback.turn:
                self._note(self._out_of_time(entry))
                break
            moment = playback.obey(entry)
            if moment.code != entry.code:
                where = self._where(entry, moment.number)
                self._note(Difference(where, _shown_code(entry.code), _shown_code(moment.code)))
            if moment.code == 0:
                self._actions += not is_query(entry.command.kind)
            yield moment
        while not self.game.is_over:
            yield playback.tick()
        self._note(self._compare())

    def verify(self) -> Difference | None:
        """Play it to the end and compare, without keeping positions on the way."""
        self._playback.snapshots = False
        return super().verify()

    def _note(self, difference: Difference | None) -> None:
        if self.difference is None:
            self.difference = difference

    @staticmethod
    def _where(entry: LogEntry, number: int) -> str:
        return f"command {number}, {entry.command.text()} of player {entry.player}"

    def _out_of_time(self, entry: LogEntry) -> Difference:
        turn, number = self._playback.turn, self._playback.number
        found = f"turn {turn}: time does not go back"
        if self.game.is_over:
            found = f"the end of the match before it, in turn {turn}"
        return Difference(self._where(entry, number), f"turn {entry.turn}", found)

    def _compare(self) -> Difference | None:
        replay, outcome = self.replay, self.game.outcome
        assert outcome is not None
        return first_difference(
            [
                ("ending", replay.ending, outcome.ending),
                ("final health", list(replay.final_health), list(self.game.health)),
                ("scores", list(replay.scores), list(outcome.scores)),
                ("turns played", replay.turns_played, turns_begun(self.game.state)),
                ("actions", replay.actions, self._actions),
            ]
        )


def _shown_code(code: int) -> str:
    return error_name(code) if code else "OK"


def error_name(code: int) -> str:
    """An error code and its name, without the sentence."""
    return f"{code} {MEANINGS[code].split()[0]}"


def inputs(replay: TapdeckReplay, player: int) -> Iterator[bytes]:
    """What a player said on the wire and was answered, command by command: ``> `` and ``< `` before each line.

    Questions that were answered are not in a replay, nor are WAIT and lines that could not be read.
    """
    if player not in (0, 1):
        raise CallerError(f"player {player}: expected 0 or 1")
    match_id = 0 if replay.event is None else replay.event.match_id
    for moment in TapdeckRerun(replay):
        if moment.command is not None and moment.player == player:
            name, *numbers = moment.command.text().split()
            answered = "".join(f"< {line}\n" for line in moment.reply.decode().splitlines())
            yield f"> {' '.join([name, str(match_id), *numbers])}\n{answered}".encode()
