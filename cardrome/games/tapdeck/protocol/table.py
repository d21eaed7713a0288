"""Matches in play: many side by side on copies of one deck, as a tournament has them, or a single one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cardrome.games.tapdeck.protocol.answers import ENDED, LENGTH, LONGEST_ANSWER, answer
from cardrome.games.tapdeck.protocol.commands import FIRST_QUERY, Command, read_text, within_reach
from cardrome.games.tapdeck.protocol.errors import ERROR_LINES
from cardrome.games.tapdeck.rules import entries
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition
from cardrome.games.tapdeck.rules.legal import MAX_ACTIONS
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, new_states

_REACH = 1 << 30
"""Numbers that kernels can take as they are."""

EndReason = Literal["health", "turns"]
"""Why a match ended: a player had no health left, or the turns were over."""


@dataclass(frozen=True, slots=True)
class TapdeckOutcome:
    """How a match ended, and for whom; index 0 is the player who had the first turn."""

    reason: EndReason
    health: tuple[int, int]
    scores: tuple[int, int]

    @property
    def winner(self) -> int | None:
        """The player with the higher score; None if they are equal."""
        first, second = self.scores
        return None if first == second else int(second > first)


class Table:
    """Some matches on copies of one deck. They are numbered from 0 and change turn together."""

    def __init__(self, edition: TapdeckEdition, deck: np.recarray[Any, Any], matches: int) -> None:
        self.edition = edition
        self.deck = deck
        self.turn = 0
        """The number of ticks so far: the turn of every match that goes on, from 0 on."""
        self.states: np.recarray[Any, Any] = new_states(matches)
        self._rules = edition.rules
        buffer = bytearray(LONGEST_ANSWER)
        self._text = memoryview(buffer)
        self._answer = answer.bind(self._rules, deck, self.states, np.frombuffer(buffer, np.uint8))
        self._score = entries.score.bind(self._rules, self.states)
        self._tick_all = entries.tick_all.bind(self._rules, self.states)
        for i in range(matches):
            entries.new_match(self._rules, self.states, i)

    def command(self, match: int, player: int, kind: int, first: int = 0, second: int = 0) -> tuple[bytes, int, bool]:
        """Carry out a command: the reply, the error code or 0, and whether the match ended by it."""
        if not (-_REACH <= first <= _REACH and -_REACH <= second <= _REACH):
            first, second = within_reach(first), within_reach(second)
        got = self._answer(match, player, kind, first, second)
        if got >= 0:
            return bytes(self._text[: got & LENGTH]), 0, got >= ENDED
        ended = got <= -ENDED
        code = -got - ENDED if ended else -got
        return ERROR_LINES[code], code, ended

    def tick(self) -> int:
        """Time is up in all matches; returns how many go on."""
        self.turn += 1
        return self._tick_all()

    def outcome(self, match: int) -> TapdeckOutcome | None:
        """How a match ended; None while it goes on."""
        state = self.states[match]
        if state.ending == PLAYING:
            return None
        health = int(state.health[0]), int(state.health[1])
        reason: EndReason = "health" if state.ending == BY_HEALTH else "turns"
        return TapdeckOutcome(reason, health, (self._score(match, 0), self._score(match, 1)))

    def turns_played(self, match: int) -> int:
        """Turns of a match that were begun, once it has ended. The state counts the last one only if it was over."""
        state = self.states[match]
        return int(state.turn) + int(state.ending == BY_HEALTH)

    def scores(self) -> np.ndarray[Any, Any]:
        """Both players' scores of every match, with the health as it is now: an array of two columns."""
        found = np.zeros(2 * len(self.states), np.int32)
        entries.all_scores(self._rules, self.states, found)
        return found.reshape(-1, 2)

    def ended(self) -> np.ndarray[Any, Any]:
        """The numbers of the matches that have ended."""
        return np.flatnonzero(self.states["ending"] != PLAYING)


class TapdeckMatch:
    r"""One match, for people: commands in text, without the match's id.

    >>> match = TapdeckMatch(deck=7)
    >>> match.command(0, "DRAW_CARD")
    'OK\n319 C 0 1 1 0 2\n'
    """

    def __init__(self, edition: TapdeckEdition = TAPDECK, deck: int | str | np.recarray[Any, Any] = 0) -> None:
        """``deck`` is a seed, the text of a deck, or a deck."""
        if isinstance(deck, int):
            deck = deck_from_seed(edition.deck_size, deck)
        elif isinstance(deck, str):
            deck = parse_deck(deck)
        self.table = Table(edition, deck, 1)
        self._codes = np.zeros(MAX_ACTIONS, np.int64)

    @property
    def edition(self) -> TapdeckEdition:
        """The numbers that are played by."""
        return self.table.edition

    @property
    def deck(self) -> np.recarray[Any, Any]:
        """The deck as it was at the beginning, an array of one record."""
        return self.table.deck

    @property
    def states(self) -> np.recarray[Any, Any]:
        """The state, an array of one record."""
        return self.table.states

    @property
    def to_move(self) -> int | None:
        """The player whose turn it is; None when the match is over."""
        return int(self.states[0].current) if self.outcome is None else None

    @property
    def turn(self) -> int:
        """The number of the turn, from 0 on."""
        return int(self.states[0].turn)

    @property
    def outcome(self) -> TapdeckOutcome | None:
        """How the match ended; None while it goes on."""
        return self.table.outcome(0)

    def command(self, player: int, line: str) -> str:
        """A player's command; returns the reply, which is an error line if it is refused."""
        command = read_text(line)
        if isinstance(command, int):
            return ERROR_LINES[command].decode()
        return self.execute(player, command)[0].decode()

    def execute(self, player: int, command: Command) -> tuple[bytes, int, bool]:
        """A command that has been read: the reply, the error code or 0, and whether the match ended by it."""
        return self.table.command(0, player, command.kind, command.first, command.second)

    def act(self, code: int) -> int:
        """The current player's action by its code; returns 0 or the error code. END_TURN is `end_turn`."""
        return entries.command(self.edition.rules, self.deck, self.states, 0, int(self.states[0].current), code)

    def legal_codes(self) -> list[int]:
        """The codes of the current player's legal actions."""
        n = entries.legal_codes(self.edition.rules, self.deck, self.states, self._codes, 0)
        return [int(code) for code in self._codes[:n]]

    def end_turn(self) -> None:
        """Time is up: the turn ends."""
        if self.outcome is None:
            self.table.tick()


def is_query(kind: int) -> bool:
    """The command asks and changes nothing."""
    return kind >= FIRST_QUERY
