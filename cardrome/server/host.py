"""Runs an event: the listening socket, the clock, the thread that writes results, and a snapshot after every tick."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import sys
import time
from collections.abc import Callable

import numpy as np

from cardrome.arena.secret import commitment, draw_secret, is_public, published_commitment
from cardrome.engine.warming import warm
from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.server.broadcast import Broadcast, Transmitter
from cardrome.server.connection import Lobby
from cardrome.server.desk import EventDesk
from cardrome.server.event import Event, Played, is_over
from cardrome.server.passwords import PasswordChecker
from cardrome.server.settings import EventPlan
from cardrome.server.snapshot import Load, Snapshot, TeamRow, TournamentRow
from cardrome.server.store.store import EventStore
from cardrome.server.store.unsaved import read_unsaved, write_unsaved
from cardrome.server.store.writer import ResultWriter
from cardrome.server.ticker import Ticker
from cardrome.server.tournament import points_of
from cardrome.wording import counted

COLUMNS = 24
"""The latest tournaments, which snapshots show. Totals count all."""
_NEEDED = ("cardrome.games.tapdeck.rules", "cardrome.games.tapdeck.protocol")
"""What an event calls; a program that hosts one may have declared agents and environments as well."""
_REFRESH_SECONDS = 2.0
_LAST_SECONDS = 2.0
"""How long a server that is stopped waits for a store that is away."""
_SWITCH_SECONDS = 0.001
"""How long another thread may keep the interpreter from the event's thread."""


class EventHost:
    """One run of an event on its store."""

    def __init__(self, plan: EventPlan, store: EventStore, log: Callable[[str], None]) -> None:
        self.plan = plan
        self.store = store
        self.log = log
        self.port = 0
        """The port for teams, once the event runs."""
        self.publish: Callable[[Snapshot, Broadcast | None], None] = lambda snapshot, broadcast: None
        self.failure: str | None = None
        """Why the run had to stop, if it had to."""
        self.secret = self._register()
        self.commitment = commitment(self.secret)
        """Tells which event this is; `published_commitment` is for others."""
        read_unsaved(plan.unsaved, self.commitment, store, log)
        self._writer = ResultWriter(
            store,
            plan.settings.event.name,
            plan.rules_text,
            stored=lambda played: self._soon(self.event.count, played),
            log=lambda message: self._soon(self.log, message),
            failed=lambda why: self._soon(self._fail, why),
        )
        self.event = Event(plan, self.secret, self._writer, log)
        self.event.everybody = lambda: self._writer.everybody
        self.event.is_paused = lambda: self._writer.orders.paused
        self._resume()
        if store.is_published() and not is_public(self.secret) and not is_over(plan, store.tournaments()):
            log(
                "warning: the secret of this event was published, so everybody can compute the decks of further "
                "tournaments; an event with another store has a new secret"
            )
        self.ticker = Ticker(plan.settings.server.turn_seconds, self._tick, log)
        checker = PasswordChecker(store.accounts.credentials, store.accounts.replace_hash)
        self.lobby = Lobby(self.event, self.ticker, plan.settings.server, checker, log)
        self._kept_failures = store.control.failed_logins()
        self.lobby.failures.counts.update(self._kept_failures)
        self.desk = EventDesk(store, self.lobby, checker, self._look)
        self._transmitter = Transmitter(plan.settings.server.watch_delay)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._refreshed = 0.0
        self._over_since: float | None = None
        self._last_look = (time.monotonic(), 0, 0)
        self._rates = (0.0, 0.0)

    def _register(self) -> int:
        """Store which event this is; returns its secret."""
        known = self.store.event()
        given = self.plan.settings.event.seed
        if given is None:
            given = known.secret if known is not None else draw_secret()
        self.store.register(self.plan.settings.event.name, given, self.plan.rules_text)
        return given

    def _resume(self) -> None:
        """Take over the results of earlier runs."""
        again = self.store.unfinished()
        if again is not None:
            results = self.store.matches(again.number)
            if len(results) == again.matches:
                # All of it was played, and only its points were not stored.
                rows = [(each.first, each.second, each.score_first, each.score_second) for each in results]
                self.store.finish_tournament(again.number, points_of(again.roster, rows))
                again = None
            else:
                try:
                    parse_deck(again.deck_text)
                except CallerError:
                    raise self.store.damaged(f"the deck of tournament {again.number} cannot be read") from None
                again = self.store.restart_tournament(again.number)
                self.log(f"tournament {again.number} was interrupted: it will be played again")
        stored = [each for each in self.store.tournaments() if each.finished_at is not None]
        standings = self.store.standings()
        scores_by_match = self.store.scores_by_match()
        played = []
        for place, each in enumerate(stored):
            points = {row.account: value for row in standings if (value := row.points[place]) is not None}
            played.append(Played(each.number, each.attempts, each.matches, points))
            scores = [scores_by_match[match_id] for match_id in each.match_ids]
            self.event.past_scores.add(each.first_match_id, np.array(scores, np.int32))
        seen = set((again or stored[-1]).roster) if again or stored else set()
        self.event.resume(played, seen, self.store.next_match_id(), again)
        if played:
            self.log(f"continuing after {counted(len(played), 'finished tournament')}")

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Run the event until it is over or `stop` is called. ``ready`` is called once teams can connect."""
        loop = self._loop = self.desk.loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        server = self.plan.settings.server
        warm(_NEEDED)  # or the first use of each kernel would make a turn late
        switch_interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            try:
                listener = await loop.create_server(self.lobby.new, server.host, server.port, backlog=1024)
            except (OSError, ValueError) as error:
                reason = _reason(error)
                hint = "; --port chooses another" if getattr(error, "errno", None) == errno.EADDRINUSE else ""
                raise CallerError(f"cannot listen on {server.host} port {server.port}: {reason}{hint}") from None
            self.port = listener.sockets[0].getsockname()[1]
            gc.collect()
            gc.freeze()  # what exists now stays, so the collector need not look at it every time
            self.ticker.start()
            self._publish()
            ready()
            await self._stopped.wait()
            self.ticker.stop()
            listener.close()
            self.event.save_ended()
            self._keep_failures()
            if self.event.phase == "over":
                self.lobby.wake()
            self.lobby.close()
            self._publish()
            await asyncio.sleep(0.05)  # let the last answers be sent
        finally:
            gc.unfreeze()
            sys.setswitchinterval(switch_interval)
            await loop.run_in_executor(None, self._save_the_rest)

    def _save_the_rest(self) -> None:
        """Store what is not stored yet; if the store stays away or refuses it, leave it for the next start."""
        file = self.plan.unsaved
        while not self._writer.close(_LAST_SECONDS):
            try:
                write_unsaved(file, self.commitment, self._writer.unsaved())
            except CallerError as error:
                self.log(f"neither the store nor this file can be written, still trying: {error}")
                time.sleep(_LAST_SECONDS)
                continue
            self._writer.give_up()
            self.failure = f"the store cannot be used: what is not stored is in {file}, which the next start reads"
            return

    def stop(self, why: str) -> None:
        """Stop this run. A tournament that is being played will be played again from its start."""
        if self._stopped is None or self._stopped.is_set():
            return
        tournament = self.event.tournament
        interrupted = tournament is not None and not tournament.over
        later = f"; tournament {tournament.number} will be played again" if interrupted and tournament else ""
        self.log(f"stopping: {why}{later}")
        self._stopped.set()

    def _tick(self) -> None:
        self.event.tick()
        self.lobby.drop_idle()
        now = time.monotonic()
        if now - self._refreshed >= _REFRESH_SECONDS:
            self._refreshed = now
            self._writer.later(self._look)
            self._keep_failures()
        self._publish()
        if self.event.phase == "over":
            self._stay(now)

    def _keep_failures(self) -> None:
        """Store how many logins have failed, if that has changed."""
        counts = dict(self.lobby.failures.counts)
        if counts != self._kept_failures:
            self._kept_failures = counts
            self._writer.later(lambda: self.store.control.keep_failed_logins(counts))

    def _stay(self, now: float) -> None:
        """The event is over: stay for at least a turn, in which teams can ask for the last scores.

        Nothing is stopped before all results are stored, unless the organiser asks for it.
        """
        seconds = self.plan.settings.event.stay_seconds
        if self._over_since is None:
            self._over_since = now
            self._writer.later(self.store.note_published)
        elif seconds is not None and now - self._over_since >= seconds and not self._writer.is_behind:
            self.stop("the event is over")

    def _look(self) -> None:
        """Something may have changed in the store. Any thread may say so."""
        here = list(self.event.teams)  # before the look: what comes later may be newer than what it finds
        if removed := self._writer.look(here):
            self._soon(self._disconnect, removed)

    def _disconnect(self, removed: set[int]) -> None:
        """Cut the connections of removed accounts."""
        for connection in list(self.lobby.connections):
            team = connection.session.team
            if team is not None and team.id in removed:
                connection.abort("its account was removed")

    def _fail(self, why: str) -> None:
        self.failure = self.failure or "the event had to stop: its store cannot be used"
        self.log(f"the store refuses results: {why}")
        self.stop("results cannot be stored")

    def _soon(self, function: Callable[..., None], *args: object) -> None:
        """Call a function in the event's thread; directly once its loop is closed."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(function, *args)
        else:
            function(*args)

    def _publish(self) -> None:
        now, commands, refused = time.monotonic(), self.event.commands, self.event.refused
        then, commands_then, refused_then = self._last_look
        if now - then >= 0.9:
            self._rates = (commands - commands_then) / (now - then), (refused - refused_then) / (now - then)
            self._last_look = now, commands, refused
        self._transmitter.take(self.event.tournament, self._writer.names)
        self.publish(self.snapshot(), self._transmitter.broadcast)

    def snapshot(self) -> Snapshot:
        """The event at this moment."""
        event, plan = self.event, self.plan
        tournament = event.tournament
        playing = tournament is not None and event.phase == "playing"
        shown = event.played[-COLUMNS:]
        rows = [TournamentRow(each.number, "finished", len(each.points), each.matches, each.attempts) for each in shown]
        if tournament is not None and not any(each.number == tournament.number for each in shown):
            matches = len(tournament.matches)
            row = TournamentRow(tournament.number, "playing", len(tournament.roster), matches, tournament.attempts)
            rows.append(row)
        return Snapshot(
            event=plan.settings.event.name,
            phase=event.phase,
            commitment=published_commitment(self.secret),
            secret=str(self.secret) if event.phase == "over" else None,
            tick=event.ticks,
            turn_seconds=plan.settings.server.turn_seconds,
            tournament=tournament.number if tournament else (event.played[-1].number if event.played else None),
            planned_tournaments=plan.settings.event.tournaments,
            turns_left=tournament.turns_left if tournament is not None and playing else None,
            matches=len(tournament.matches) if tournament else 0,
            matches_running=tournament.running if tournament else 0,
            tournaments=tuple(rows),
            teams=self._standings(shown),
            load=Load(
                connections=len(self.lobby.connections),
                commands_per_second=self._rates[0],
                refused_per_second=self._rates[1],
                last_lag_ms=1000 * self.ticker.last_lag,
                worst_lag_ms=1000 * self.ticker.worst_lag,
                late_ticks=self.ticker.late,
                ticks=self.ticker.ticks,
            ),
            turns=plan.edition.turns,
            paused=self._writer.orders.paused,
            announcements=self._writer.orders.announcements,
            starts_at=None if (at := plan.settings.event.starts_at) is None else at.timestamp(),
            turns_to_start=event.turns_to_start,
        )

    def _standings(self, shown: list[Played]) -> tuple[TeamRow, ...]:
        event, names, now = self.event, self._writer.names, time.monotonic()
        accounts = set(self._writer.everybody).union(*(each.points for each in shown), event.totals)
        order = sorted(accounts, key=lambda account: (-event.totals.get(account, 0.0), names.get(account, "")))
        rows: list[TeamRow] = []
        for place, account in enumerate(order, 1):
            total = event.totals.get(account, 0.0)
            rank = rows[-1].rank if rows and rows[-1].total == total else place
            team = event.teams.get(account)
            points = tuple(each.points.get(account) for each in shown)
            here = team.connections if team else 0
            away = None if team is None or here else int(now - team.left_at)
            rows.append(TeamRow(rank, names.get(account, "?"), here, total, points, away))
        return tuple(rows)


def _reason(error: OSError | ValueError) -> str:
    """Why the server cannot listen on an address. A ValueError is about a malformed host name."""
    if isinstance(error, socket.gaierror):
        return error.strerror or str(error)
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)  # asyncio repeats the address in its own
    return str(error)
