"""Writes an event's results to its store in a thread of its own, so that no turn ever waits for a disk."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.errors import CallerError
from cardrome.server.event import Played
from cardrome.server.store.control import Orders
from cardrome.server.store.store import EventStore
from cardrome.server.store.unsaved import BeginTournament, FinishTournament, SaveMatches, StoreWrite, carry_out
from cardrome.server.tournament import LiveMatch, LiveTournament

BATCH = 64
"""Matches written at a time: other threads get the interpreter between two batches."""
_RETRY_SECONDS = 2.0


class _Job:
    """Something for the writer's thread to do: a write, or a look at the accounts."""

    def __init__(self, make: Callable[[], StoreWrite] | None, then: Callable[[], None] = lambda: None) -> None:
        self._make = make
        self._write: StoreWrite | None = None
        self.then = then

    @property
    def write(self) -> StoreWrite | None:
        """The write, made when it is first asked for: transcripts take a while."""
        if self._write is None and self._make is not None:
            self._write = self._make()
        return self._write

    @property
    def is_write(self) -> bool:
        """Whether something would be lost without it."""
        return self._make is not None


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

        ``stored`` is called with every tournament that is stored, ``failed`` if the store refuses something for good:
        then nothing more is written, and all the rest is `unsaved`.
        """
        self.names: dict[int, str] = {}
        self.everybody: tuple[int, ...] = ()
        """The accounts that may play, as of the last look at the store."""
        self.orders = Orders()
        """The operator's, as of the same."""
        self._store = store
        self._looking = threading.Lock()
        self.look()
        self._event_name = event_name
        self._rules_text = rules_text
        self._stored = stored
        self._log = log
        self._failed = failed
        self._jobs: deque[_Job] = deque()
        """What is left to do; the first one is being done."""
        self._news = threading.Condition()
        self._closing = False
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    def begin(self, tournament: LiveTournament) -> None:
        """A new tournament begins."""
        write = BeginTournament(
            tournament.number,
            tournament.seed,
            "\n".join(tournament.deck_lines),
            self._rules_text,
            tournament.first_match_id,
            tournament.roster,
        )
        self._put(_Job(lambda: write))

    def save(self, tournament: LiveTournament, matches: list[LiveMatch]) -> None:
        """Some matches have ended."""
        for start in range(0, len(matches), BATCH):
            batch = matches[start : start + BATCH]
            self._put(_Job(lambda batch=batch: self._records(tournament, batch)))  # type: ignore[misc]

    def _records(self, tournament: LiveTournament, matches: list[LiveMatch]) -> SaveMatches:
        names = self.names
        return SaveMatches(
            [
                tournament.record(match, self._event_name, (names.get(first, "?"), names.get(second, "?")))
                for match in matches
                for first, second in [match.players]
            ]
        )

    def finish(self, tournament: LiveTournament) -> None:
        """All matches have ended and were passed to `save`."""

        def then() -> None:
            assert isinstance(job.write, FinishTournament)
            number, matches = tournament.number, len(tournament.matches)
            self._stored(Played(number, tournament.attempts, matches, job.write.points))

        job = _Job(lambda: FinishTournament(tournament.number, tournament.points()), then)
        self._put(job)

    def look(self, here: Iterable[int] = ()) -> set[int]:
        """Read who may play and what the operator wants: both change while the event runs. Any thread may call this.

        Returns those of the accounts ``here`` that no longer exist.
        """
        with self._looking:  # or an older look could come last
            names, everybody = self._store.accounts.names(), self._store.accounts.roster()
            self.orders, self.names, self.everybody = self._store.control.orders(), names, everybody
        return set(here).difference(everybody)

    def later(self, function: Callable[[], None]) -> None:
        """Call a function in the writer's thread."""
        self._put(_Job(None, function))

    @property
    def is_behind(self) -> bool:
        """Not everything is stored yet."""
        with self._news:
            return any(job.is_write for job in self._jobs)

    def close(self, seconds: float | None = None) -> bool:
        """Stop once everything is stored, or refused, and wait for that, but not longer than this.

        Returns whether everything is stored.
        """
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join(seconds)
        return not self._thread.is_alive() and not self.is_behind

    def unsaved(self) -> list[StoreWrite]:
        """What is not stored, or not known to be."""
        with self._news:
            jobs = list(self._jobs)
        return [write for job in jobs if (write := job.write) is not None]

    def give_up(self) -> None:
        """Stop, although the store is unavailable."""
        self._given_up.set()

    def _put(self, job: _Job) -> None:
        with self._news:
            self._jobs.append(job)
            self._news.notify()

    def _work(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._jobs or self._closing)
                if not self._jobs:
                    return
                job = self._jobs[0]
            if not self._do(job) or self._given_up.is_set():
                return
            with self._news:
                self._jobs.popleft()

    def _do(self, job: _Job) -> bool:
        """Do a job, however long the store is away; False if it cannot be done."""
        complained = False
        while True:
            try:
                if job.write is not None:
                    carry_out(self._store, job.write)
                job.then()
                break
            except DatabaseUnavailable as error:
                if not complained:
                    self._log(f"the store is unavailable, results are held until it is back: {error}")
                    complained = True
                if self._given_up.wait(_RETRY_SECONDS):
                    return False
            except Exception as error:
                # Nothing that follows could be stored without it: all of it is kept for the next start.
                self._failed(str(error) if isinstance(error, CallerError) else repr(error))
                return False
        if complained:
            self._log("the store is back")
        return True
