"""Runs an event: the listening socket, the clock, the store's thread, and a snapshot after every tick."""

from __future__ import annotations

import asyncio
import gc
import os
import secrets
import socket
import sys
import time
from collections.abc import Callable

import numpy as np

from cardrome.engine.kernel import warm
from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.scoring import tournament_points
from cardrome.server.accounts.passwords import PasswordChecker
from cardrome.server.connection import Lobby
from cardrome.server.event import Event, Played
from cardrome.server.settings import EventPlan
from cardrome.server.snapshot import Load, Snapshot, TeamRow, TournamentRow
from cardrome.server.store.store import EventStore
from cardrome.server.store.writer import StoreKeeper
from cardrome.server.ticker import Ticker

COLUMNS = 24
"""Tournaments that snapshots show, the latest ones. Totals count all."""
_REFRESH_SECONDS = 2.0
_SWITCH_SECONDS = 0.001
"""How long another thread may keep the interpreter from the one that ticks."""


class EventHost:
    """One run of an event on its store."""

    def __init__(self, plan: EventPlan, store: EventStore, log: Callable[[str], None]) -> None:
        self.plan = plan
        self.store = store
        self.log = log
        self.port = 0
        """Where teams connect, once it runs."""
        self.publish: Callable[[Snapshot], None] = lambda snapshot: None
        self.failure: str | None = None
        """Why the run had to end, if it had to."""
        self.seed = self._register()
        self._keeper = StoreKeeper(
            store, plan.settings.event.name, plan.rules_text, self._kept, self._log_soon, self._failed
        )
        self.event = Event(plan, self.seed, self._keeper, log)
        self.event.everybody = lambda: self._keeper.everybody
        self._resume()
        self.ticker = Ticker(plan.settings.server.turn_seconds, self._tick, log)
        checker = PasswordChecker(store.accounts.credentials, store.accounts.replace_hash)
        self.lobby = Lobby(self.event, self.ticker, plan.settings.server, checker, log)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._refreshed = 0.0
        self._last_look = (time.monotonic(), 0, 0)
        self._rates = (0.0, 0.0)

    def _register(self) -> int:
        """Note which event this is; returns its seed."""
        known = self.store.event()
        given = self.plan.settings.event.seed
        if given is None:
            given = known.seed if known is not None else secrets.randbits(31)
        self.store.register(self.plan.settings.event.name, given, self.plan.rules_text)
        return given

    def _resume(self) -> None:
        """Take over what earlier runs finished."""
        again = self.store.unfinished()
        if again is not None:
            results = self.store.matches(again.number)
            if len(results) == again.matches:
                # It was played to its end, and only its last word was not written.
                scores: dict[int, list[int]] = {account: [] for account in again.roster}
                for result in results:
                    scores[result.first].append(result.score_first)
                    scores[result.second].append(result.score_second)
                points = tournament_points(list(scores.values()))
                self.store.finish_tournament(again.number, dict(zip(scores, points, strict=True)))
                again = None
            else:
                again = self.store.restart_tournament(again.number)
                self.log(f"tournament {again.number} was interrupted: it will be played again")
        stored = [each for each in self.store.tournaments() if each.finished_at is not None]
        standings = self.store.standings()
        scores_by_match = self.store.scores_by_match()
        played = []
        for place, each in enumerate(stored):
            points_of = {row.account: row.points[place] for row in standings}
            known = {account: value for account, value in points_of.items() if value is not None}
            played.append(Played(each.number, each.attempts, each.matches, known))
            ids = range(each.first_match_id, each.first_match_id + each.matches)
            self.event.archive.add(each.first_match_id, np.array([scores_by_match[i] for i in ids], np.int32))
        seen = set((again or stored[-1]).roster) if again or stored else set()
        self.event.resume(played, seen, self.store.next_match_id(), again)
        if played:
            self.log(f"going on after {len(played)} finished tournament{'s' if len(played) > 1 else ''}")

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Hold the event until it is over or `stop` is called. ``ready`` is called once teams can connect."""
        loop = self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        server = self.plan.settings.server
        warm()  # what is compiled on first use would make that use late
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            try:
                listener = await loop.create_server(self.lobby.new, server.host, server.port, backlog=1024)
            except (OSError, ValueError) as error:
                reason = _reason(error)
                raise CallerError(f"cannot listen on {server.host} port {server.port}: {reason}") from None
            self.port = listener.sockets[0].getsockname()[1]
            gc.collect()
            gc.freeze()  # what is here now stays: the collector need not look at it every time
            self.ticker.start()
            self._publish()
            ready()
            await self._stopped.wait()
            self.ticker.stop()
            listener.close()
            self.event.save_ended()
            self.lobby.close()
            self._publish()
            await asyncio.sleep(0.05)  # for the last answers to be on their way
        finally:
            gc.unfreeze()
            await loop.run_in_executor(None, self._keeper.close)

    def stop(self, why: str) -> None:
        """End this run. A tournament that is being played will be played again from its beginning."""
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
            here = {each.session.team.id for each in self.lobby.connections if each.session.team is not None}
            self._keeper.refresh(here, lambda removed: self._soon(self._turn_out, removed))
        self._publish()
        if self.event.phase == "over":
            self.stop("the event is over")

    def _turn_out(self, removed: set[int]) -> None:
        """Cut the connections of accounts that were removed."""
        for connection in list(self.lobby.connections):
            team = connection.session.team
            if team is not None and team.id in removed:
                connection.abort("its account was removed")

    def _kept(self, played: Played) -> None:
        self._soon(self.event.kept, played)

    def _failed(self, why: str) -> None:
        self._soon(self._fail, why)

    def _fail(self, why: str) -> None:
        self.log(why)
        self.failure = self.failure or why
        self.stop("results cannot be stored")

    def _log_soon(self, message: str) -> None:
        self._soon(self.log, message)

    def _soon(self, function: Callable[..., None], *args: object) -> None:
        """Call in the event's thread; directly once its loop is gone."""
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
        self.publish(self.snapshot())

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
            seed=self.seed,
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
        )

    def _standings(self, shown: list[Played]) -> tuple[TeamRow, ...]:
        event, names = self.event, self._keeper.names
        accounts = set(self._keeper.everybody).union(*(each.points for each in shown), event.totals)
        order = sorted(accounts, key=lambda account: (-event.totals.get(account, 0.0), names.get(account, "")))
        rows: list[TeamRow] = []
        for place, account in enumerate(order, 1):
            total = event.totals.get(account, 0.0)
            rank = rows[-1].rank if rows and rows[-1].total == total else place
            team = event.teams.get(account)
            points = tuple(each.points.get(account) for each in shown)
            rows.append(TeamRow(rank, names.get(account, "?"), team.connections if team else 0, total, points))
        return tuple(rows)


def _reason(error: OSError | ValueError) -> str:
    """Why an address cannot be listened on, in the system's words; a ValueError is about what is no host's name."""
    if isinstance(error, socket.gaierror):
        return error.strerror or str(error)
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)  # asyncio repeats the address in its own
    return str(error)
