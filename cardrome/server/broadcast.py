"""What spectators may see of a tournament in play: everything until some turns ago.

The event's thread leaves a `Broadcast` behind after each tick; the page makes of it what its viewers ask for, in
threads of its own. A match that somebody watches is played again there, from its log (`cardrome.games.tapdeck.live`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cardrome.games.tapdeck.live import LiveRecording
from cardrome.games.tapdeck.rules.scoring import scores_of
from cardrome.server.tournament import LiveTournament, points_of


class Broadcast(NamedTuple):
    """A tournament as spectators see it. Other threads may read what a tournament never changes, and its logs."""

    tournament: LiveTournament
    turn: int
    """Turns that are over for spectators."""
    health: np.ndarray[Any, Any]
    """Both players' health in every match by then."""
    over: bool
    names: Mapping[int, str]
    """Of all accounts."""

    def players(self, index: int) -> tuple[str, str]:
        """The names of a match's players."""
        first, second = self.tournament.matches[index].players
        return self.names.get(first, "?"), self.names.get(second, "?")

    @property
    def running(self) -> np.ndarray[Any, Any]:
        """Which matches are going on, as far as spectators know."""
        alive = (self.health[:, 0] > 0) & (self.health[:, 1] > 0)
        return alive & (self.turn < self.tournament.edition.turns)

    def points(self) -> dict[int, float]:
        """Every player's points if all matches ended now."""
        scores = scores_of(self.tournament.edition, self.health)
        players = np.array([match.players for match in self.tournament.matches], np.int64)
        return points_of(self.tournament.roster, np.hstack([players, scores]).tolist())

    def recording(self, index: int) -> LiveRecording:
        """A match for spectators, from its beginning."""
        tournament = self.tournament
        log = tournament.matches[index].log
        return LiveRecording(tournament.edition, tournament.deck, log, self.players(index))


class Transmitter:
    """Holds back what happened in the latest turns. It belongs to the event's thread."""

    def __init__(self, delay: int) -> None:
        """``delay`` is the number of turns by which spectators are behind."""
        self._delay = delay
        self._past: deque[np.ndarray[Any, Any]] = deque(maxlen=delay + 1)
        self._latest: tuple[LiveTournament, int] | None = None
        self.broadcast: Broadcast | None = None

    def take(self, tournament: LiveTournament | None, names: Mapping[int, str]) -> None:
        """A turn has ended. When a tournament is over, there is nothing left to hold back."""
        if tournament is None:
            return
        now = tournament.table.turn
        if self._latest == (tournament, now) and not tournament.over:
            return
        if self._latest is None or self._latest[0] is not tournament:
            self._past.clear()
        self._latest = tournament, now
        self._past.append(tournament.table.states["health"].copy())
        if tournament.over:
            self.broadcast = Broadcast(tournament, now, self._past[-1], True, names)
        else:
            self.broadcast = Broadcast(tournament, max(now - self._delay, 0), self._past[0], False, names)
