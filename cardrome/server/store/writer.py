"""Writes an event's results to its store in a thread of its own, so that no turn ever waits for a disk."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.server.event import Played
from cardrome.server.store.store import EventStore
from cardrome.server.tournament import LiveMatch, LiveTournament

BATCH = 64
"""Matches written at a time: other threads get the interpreter between two batches."""
_RETRY_SECONDS = 2.0


class ResultWriter:
    """Carries out an event's writes in order. While the store is unavailable, it keeps trying."""

    def __init__(
        self,
        store: EventStore,
        event_name: str,
        rules_text: str,
        stored: Callable[[Played], None],
        log: Callable[[str], None],
        failed: Callable[[str], None],
    ) -> None:
        """The functions are called in the writer's thread.

        ``stored`` is called with every tournament that is stored, ``failed`` if the store refuses something for good.
        """
        self.names: dict[int, str] = store.accounts.names()
        self.everybody: tuple[int, ...] = store.accounts.roster()
        """The accounts that may play, as of the last `refresh`."""
        self._store = store
        self._event_name = event_name
        self._rules_text = rules_text
        self._stored = stored
        self._log = log
        self._failed = failed
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    def begin(self, tournament: LiveTournament) -> None:
        """A new tournament begins."""

        def job() -> None:
            self._store.begin_tournament(
                tournament.number,
                tournament.seed,
                "\n".join(tournament.deck_lines),
                self._rules_text,
                tournament.first_match_id,
                tournament.roster,
            )

        self._jobs.put(job)

    def save(self, tournament: LiveTournament, matches: list[LiveMatch]) -> None:
        """Some matches have ended."""
        for start in range(0, len(matches), BATCH):
            batch = matches[start : start + BATCH]
            self._jobs.put(lambda batch=batch: self._save(tournament, batch))  # type: ignore[misc]

    def _save(self, tournament: LiveTournament, matches: list[LiveMatch]) -> None:
        names = self.names
        self._store.save_matches(
            tournament.record(match, self._event_name, (names[match.players[0]], names[match.players[1]]))
            for match in matches
        )

    def finish(self, tournament: LiveTournament) -> None:
        """All matches have ended and were passed to `save`."""

        def job() -> None:
            points = tournament.points()
            self._store.finish_tournament(tournament.number, points)
            self._stored(Played(tournament.number, tournament.attempts, len(tournament.matches), points))

        self._jobs.put(job)

    def refresh(self, here: Collection[int], removed: Callable[[set[int]], None]) -> None:
        """Read who may play: accounts are added and removed while the event runs.

        ``removed`` is called, in the writer's thread, with those of the accounts ``here`` that no longer exist.
        """

        def job() -> None:
            self.names = self._store.accounts.names()
            self.everybody = self._store.accounts.roster()
            gone = set(here).difference(self.everybody)
            if gone:
                removed(gone)

        self._jobs.put(job)

    def close(self) -> None:
        """Carry out what is left, then stop. A store that is unavailable gets only a few more seconds."""
        self._jobs.put(None)
        self._thread.join(timeout=5)
        self._closing.set()
        self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            complained = False
            while True:
                try:
                    job()
                    break
                except DatabaseUnavailable as error:
                    if not complained:
                        self._log(f"the store is unavailable, results are held until it is back: {error}")
                        complained = True
                    if self._closing.wait(_RETRY_SECONDS):
                        return
                except Exception as error:
                    # Nothing that follows would count either; after a restart the tournament is played again.
                    self._failed(f"could not be stored: {error!r}")
                    break
            if complained:
                self._log("the store is back")
