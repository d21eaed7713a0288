"""Writes an event's results to its store, in a thread of its own, so that no turn ever waits for a disk."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection

import msgspec

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.server.event import Played
from cardrome.server.store.records import MatchRecord
from cardrome.server.store.store import EventStore
from cardrome.server.tournament import LiveMatch, LiveTournament
from cardrome.server.transcripts import transcript

BATCH = 64
"""Matches written at a time: between two batches other threads get the interpreter."""
_RETRY_SECONDS = 2.0


class StoreKeeper:
    """Carries out what an event wants kept, in order. A store that is away is tried again until it is back."""

    def __init__(
        self,
        store: EventStore,
        event_name: str,
        rules_text: str,
        kept: Callable[[Played], None],
        log: Callable[[str], None],
        failed: Callable[[str], None],
    ) -> None:
        """``kept``, ``log``, and ``failed`` if the store refuses something, are called in the keeper's thread."""
        self.names: dict[int, str] = store.accounts.names()
        self.everybody: tuple[int, ...] = store.accounts.roster()
        """The accounts that may play, as of the last `refresh`."""
        self._store = store
        self._event_name = event_name
        self._rules_text = rules_text
        self._kept = kept
        self._log = log
        self._failed = failed
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._given_up = threading.Event()
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
        records = []
        for match in matches:
            result = tournament.result(match)
            names = self.names[match.players[0]], self.names[match.players[1]]
            text = transcript(self._event_name, tournament, match, result, names)
            records.append(MatchRecord(**msgspec.structs.asdict(result), transcript=text))
        self._store.save_matches(records)

    def finish(self, tournament: LiveTournament) -> None:
        """All matches have ended and were given to `save`."""

        def job() -> None:
            points = tournament.points()
            self._store.finish_tournament(tournament.number, points)
            self._kept(Played(tournament.number, tournament.attempts, len(tournament.matches), points))

        self._jobs.put(job)

    def refresh(self, here: Collection[int], removed: Callable[[set[int]], None]) -> None:
        """Look who may play: accounts are added and removed while the event goes on.

        ``removed`` is called, in the keeper's thread, with the accounts among those ``here`` that are there no more.
        """

        def job() -> None:
            self.names = self._store.accounts.names()
            self.everybody = self._store.accounts.roster()
            gone = set(here).difference(self.everybody)
            if gone:
                removed(gone)

        self._jobs.put(job)

    def close(self) -> None:
        """Carry out what is left, then stop. A store that is away is not waited for any more."""
        self._jobs.put(None)
        self._thread.join(timeout=5)
        self._given_up.set()
        self._thread.join()

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            complained = False
            while True:
                try:
                    job()
                    break
                except DatabaseUnavailable as error:
                    if not complained:
                        self._log(f"the store is away, results are held until it is back: {error}")
                        complained = True
                    if self._given_up.wait(_RETRY_SECONDS):
                        return
                except Exception as error:
                    # Nothing that follows would count either; after a restart the tournament is played again.
                    self._failed(f"could not be stored: {error!r}")
                    break
            if complained:
                self._log("the store is back")
