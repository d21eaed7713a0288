"""Matches in play: many side by side on copies of one deck, as an event has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cardrome.games.tapdeck.protocol.answers import ENDED, LENGTH, LONGEST_ANSWER, answer
from cardrome.games.tapdeck.protocol.commands import within_reach
from cardrome.games.tapdeck.protocol.errors import ERROR_LINES
from cardrome.games.tapdeck.rules import entries
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, new_states, turns_begun

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
        """Turns of a match that were begun, once it has ended."""
        return turns_begun(self.states[match])

    def scores(self) -> np.ndarray[Any, Any]:
        """Both players' scores of every match, with the health as it is now: an array of two columns."""
        found = np.zeros(2 * len(self.states), np.int32)
        entries.all_scores(self._rules, self.states, found)
        return found.reshape(-1, 2)

    def ended(self) -> np.ndarray[Any, Any]:
        """The numbers of the matches that have ended."""
        return np.flatnonzero(self.states["ending"] != PLAYING)
