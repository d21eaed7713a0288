"""The stores that the site shows. A tournament may be running in one: it is read seldom, and never in its way.

Readers do not hinder the writer of either database. What costs something is reading all games and rating them, so that
is done only when something has changed, and takes no more than a tenth of the time.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
import sqlalchemy as sa

from cardrome.arena.storage.database import NothingThere
from cardrome.errors import CallerError
from cardrome.games.replays import Replay
from cardrome.tournament.games import Entrant, GameKey, GameTable
from cardrome.tournament.results.summary import Summary, summarize
from cardrome.tournament.store.store import Pulse, TournamentStore
from cardrome.tournament.work import can_be_played_again, replay_of
from cardrome.web.tournaments.addresses import slug

PAUSE = 2.0
"""Seconds after which it is looked again whether a store has changed."""
REST = 9.0
"""And at least this many times as long as the last look took."""
RECENT = 60.0
"""Seconds since its last game for which a tournament counts as running."""
REPLAYS = 32
"""Replays that are kept at hand, since playing a game again may take a while."""


@dataclass(frozen=True)
class Moment:
    """A tournament as it was when its store was read."""

    stamp: str
    """Differs between two moments that look different."""
    summary: Summary
    games: GameTable
    entrants: dict[int, Entrant]

    @property
    def is_running(self) -> bool:
        """Games were ending until just now, and there are more to come."""
        latest = self.summary.finished_at
        return not self.summary.is_over and latest is not None and time.time() - latest < RECENT

    @cached_property
    def speed(self) -> float | None:
        """Games a second, over the last minute that has any."""
        ended = self.games["finished_at"]
        if not len(ended):
            return None
        recent = ended[ended > ended.max() - RECENT]
        span = float(recent.max() - recent.min())
        return len(recent) / span if span > 1 else None


class ShownTournament:
    """One store, opened as soon as there is one. Any thread may ask."""

    def __init__(self, name: str, where: str) -> None:
        self.id = name
        self._where = where
        self._store: TournamentStore | None = None
        self._opening, self._reading, self._playing = threading.Lock(), threading.Lock(), threading.Lock()
        self._moment: Moment | None = None
        self._next = 0.0
        self._replays: OrderedDict[GameKey, Replay | None] = OrderedDict()

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()

    def pulse(self) -> Pulse | None:
        """What the store holds by now; None if nothing yet. `CallerError` if it cannot be read."""
        store = self._opened()
        return None if store is None else store.pulse()

    def moment(self) -> Moment | None:
        """The tournament as it is, or was a short while ago; None if it was not started yet."""
        # Whoever comes while another reads is content with what was read before.
        if time.monotonic() >= self._next and self._reading.acquire(blocking=self._moment is None):
            try:
                self._look()
            finally:
                self._reading.release()
        return self._moment

    def _look(self) -> None:
        began = time.monotonic()
        pulse = self.pulse()
        if pulse is None or self._store is None:
            return
        stamp = hashlib.sha256(msgspec.json.encode(pulse)).hexdigest()[:16]
        if self._moment is None or self._moment.stamp != stamp:
            snapshot = self._store.snapshot()
            entrants = {entrant.id: entrant for entrant in snapshot.entrants}
            self._moment = Moment(stamp, summarize(snapshot), snapshot.games, entrants)
        took = time.monotonic() - began
        self._next = time.monotonic() + max(PAUSE, REST * took)

    def watchable(self, keys: Sequence[GameKey]) -> Collection[GameKey]:
        """The games that can be watched: those that were kept, and those that can be played again."""
        if not keys or self._store is None or self._moment is None:
            return ()
        entrants = self._moment.entrants
        again: dict[tuple[str, int, int], bool] = {}
        for key in keys:
            three = key.edition, key.a, key.b
            if three not in again:
                again[three] = can_be_played_again(key.edition, entrants[key.a], entrants[key.b])
        kept = self._store.replays([key for key in keys if not again[key.edition, key.a, key.b]])
        return {key for key in keys if again[key.edition, key.a, key.b] or key in kept}

    def replay(self, key: GameKey) -> Replay | None:
        """The replay of a game, kept or played again; None if there is none. One game is played at a time."""
        with self._playing:
            if key not in self._replays:
                record = None if self._store is None else self._store.game(key)
                entrants = {} if self._moment is None else self._moment.entrants
                self._replays[key] = None if record is None else replay_of(record, entrants)
                if len(self._replays) > REPLAYS:
                    self._replays.popitem(last=False)
            self._replays.move_to_end(key)
            return self._replays[key]

    def store(self) -> TournamentStore:
        """The open store."""
        if self._store is None:
            raise NothingThere(f"{self.id} does not exist")
        return self._store

    def _opened(self) -> TournamentStore | None:
        with self._opening:
            if self._store is None:
                try:
                    self._store = TournamentStore.open(self._where, claim=False, create=False)
                except NothingThere:
                    return None
        return self._store


def shown(stores: Sequence[str]) -> dict[str, ShownTournament]:
    """The tournaments in these stores, by the names that their addresses have."""
    found: dict[str, ShownTournament] = {}
    for where in stores:
        name = own = slug(_name(where))
        number = 1
        while name in found:
            number += 1
            name = f"{own}-{number}"
        found[name] = ShownTournament(name, where)
    return found


def _name(where: str) -> str:
    """What a store is called: its file or database, without user, password and server."""
    if "://" not in where:
        return Path(where).stem
    try:
        return Path(sa.make_url(where).database or "").stem or "tournament"
    except (sa.exc.ArgumentError, ValueError):
        raise CallerError("not a database URL") from None
