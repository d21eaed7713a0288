"""Replays of Tapdeck matches: numbers, deck and commands, to be played again, checked and looked at."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.errors import CallerError
from cardrome.escaping import encodable
from cardrome.games.game import Action, Ending
from cardrome.games.replay_files import NAME_LIMIT
from cardrome.games.replays import Call, Difference, ProcessEnds, Recorder, Rerun, first_difference
from cardrome.games.tapdeck.protocol.commands import Command, read_text
from cardrome.games.tapdeck.protocol.errors import ERROR_LINES, MEANINGS
from cardrome.games.tapdeck.protocol.game import (
    END_TURN_TEXT,
    TapdeckDeal,
    TapdeckGame,
    TapdeckPosition,
    command_of,
    is_query,
)
from cardrome.games.tapdeck.protocol.matchlog import LogEntry, MatchLog
from cardrome.games.tapdeck.protocol.replay_format import ReplayEvent, ReplayRules, TapdeckReplay
from cardrome.games.tapdeck.rules.cards import cards_of
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition
from cardrome.games.tapdeck.rules.state import turns_begun


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

    @property
    def call(self) -> Call | None:
        """The player whose turn it is, who may take as long as they like."""
        player = self.game.to_move
        return None if player is None else Call(player, "turn", None)

    @functools.cached_property
    def _twin(self) -> TapdeckGame:
        return self.game.copy()

    def agent_game(self) -> TapdeckGame:
        """A copy of the game: the same object at every call."""
        self._twin.catch_up(self.game)
        return self._twin

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


# Playing again


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


class TapdeckRerun(Rerun[TapdeckMoment]):
    """A replay that is played again, command by command and turn by turn; it stops at the end of the match."""

    def __init__(self, replay: TapdeckReplay) -> None:
        self.replay = replay
        self.game = TapdeckGame(replay.rule_set, replay.laid_deck)
        self._actions = 0
        self._turn = 0
        self._number = 0
        self._snapshots = True

    def __iter__(self) -> Iterator[TapdeckMoment]:
        now = self._position()
        for entry in self.replay.entries():
            while entry.turn > self._turn and not self.game.is_over:
                before, now = now, self._tick()
                yield TapdeckMoment(self._number, self._turn - 1, before.current, None, 0, b"", before, now)
            if self.game.is_over or entry.turn < self._turn:
                self._note(self._out_of_time(entry))
                break
            before = now
            reply, code, _ = self.game.execute(entry.player, entry.command)
            if code != entry.code:
                self._note(Difference(self._where(entry), _shown_code(entry.code), _shown_code(code)))
            if code == 0:
                self._actions += not is_query(entry.command.kind)
            if code == 0 or (before.blocking and not self.game.blocking):  # otherwise nothing has changed
                now = self._position()
            yield TapdeckMoment(self._number, entry.turn, entry.player, entry.command, code, reply, before, now)
            self._number += 1
        while not self.game.is_over:
            before, now = now, self._tick()
            yield TapdeckMoment(self._number, self._turn - 1, before.current, None, 0, b"", before, now)
        self._note(self._compare())

    def verify(self) -> Difference | None:
        """Play it to the end and compare, without keeping positions on the way."""
        self._snapshots = False
        return super().verify()

    def _position(self) -> TapdeckPosition:
        return self.game.snapshot() if self._snapshots else self.game

    def _tick(self) -> TapdeckPosition:
        self._turn += 1
        self.game.end_turn()
        return self._position()

    def _note(self, difference: Difference | None) -> None:
        if self.difference is None:
            self.difference = difference

    def _where(self, entry: LogEntry) -> str:
        return f"command {self._number}, {entry.command.text()} of player {entry.player}"

    def _out_of_time(self, entry: LogEntry) -> Difference:
        found = f"turn {self._turn}: time does not go back"
        if self.game.is_over:
            found = f"the end of the match before it, in turn {self._turn}"
        return Difference(self._where(entry), f"turn {entry.turn}", found)

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
