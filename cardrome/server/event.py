"""An event without sockets, clocks and threads: teams, tournaments one after another, commands and ticks.

Its host calls `tick` once a turn and `answer` for every line of a team that is logged in, all in one thread. Results go
to a `ResultRecorder`.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
import numpy as np

from cardrome.arena.secret import derived
from cardrome.games.tapdeck.protocol.commands import (
    COMMANDS_LIMIT,
    ERROR_LINES,
    GET_FINAL_SCORE,
    GET_MY_MATCHES,
    NOT_YOUR_MATCH,
    WAIT,
    read_command,
)
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.legal import GAME_HAS_ENDED
from cardrome.server.settings import EventPlan
from cardrome.server.snapshot import Phase
from cardrome.server.store.records import EventTournament
from cardrome.server.tournament import LiveMatch, LiveTournament, PastScores
from cardrome.wording import counted

OK_WAIT = b"OK\n"
FORCED_WAIT = ERROR_LINES[COMMANDS_LIMIT]
WAIT_REPLIES = (OK_WAIT, FORCED_WAIT)
"""Replies after which a connection waits for the next turn. They are recognised by identity."""
WOKEN = b"OK\n"
"""What a waiting connection is sent when the next turn starts."""
LEAST_QUIET_AFTER_RESTART = 3
"""Turns before the first tournament after a restart, for teams to come back."""


class ResultRecorder(Protocol):
    """Stores an event's results. Calls return at once and are carried out in order."""

    def begin(self, tournament: LiveTournament) -> None:
        """A new tournament begins."""

    def save(self, tournament: LiveTournament, matches: list[LiveMatch]) -> None:
        """Some matches have ended."""

    def finish(self, tournament: LiveTournament) -> None:
        """All matches have ended and were passed to `save`."""


class Team:
    """An account in the running event."""

    __slots__ = ("commands_this_turn", "connections", "id", "left_at", "matches_text", "name")

    def __init__(self, account: int, name: str) -> None:
        self.id = account
        self.name = name
        self.connections = 0
        self.commands_this_turn = 0
        self.left_at = 0.0
        """When the last connection was closed, by `time.monotonic`."""
        self.matches_text: bytes | None = None
        """The answer to GET_MY_MATCHES, which stays the same for a whole tournament."""


class Played(msgspec.Struct, frozen=True):
    """A finished tournament, as far as the standings need it."""

    number: int
    attempts: int
    matches: int
    points: dict[int, float]


def is_over(plan: EventPlan, tournaments: list[EventTournament]) -> bool:
    """Whether the settings leave nothing more to play."""
    event = plan.settings.event
    if tournaments and tournaments[-1].finished_at is None:
        return False
    all_played = event.tournaments is not None and len(tournaments) >= event.tournaments
    return all_played or (event.ends_at is not None and datetime.datetime.now(datetime.UTC) >= event.ends_at)


class Event:
    """The state of an event and everything that can happen to it."""

    def __init__(self, plan: EventPlan, secret: int, recorder: ResultRecorder, log: Callable[[str], None]) -> None:
        self.plan = plan
        self.secret = secret
        """Fixes all decks and match ids; nobody but the organiser may know it before the event is over."""
        self.phase: Phase = "waiting"
        self.tournament: LiveTournament | None = None
        self.ticks = 0
        self.commands = 0
        self.refused = 0
        self.teams: dict[int, Team] = {}
        self.seen: set[int] = set()
        self.played: list[Played] = []
        self.totals: dict[int, float] = {}
        """Every team's points from all tournaments that count."""
        self.past_scores = PastScores()
        self.on_new_turn: Callable[[], None] = lambda: None
        self.everybody: Callable[[], tuple[int, ...]] = lambda: ()
        """All accounts that may play."""
        self.is_paused: Callable[[], bool] = lambda: False
        """Whether the operator lets no tournament begin. One that has begun is played to its end."""
        self._recorder = recorder
        self._log = log
        self._next_number = 1
        self._next_match_id = 1
        self._next_start = 0
        self._again: EventTournament | None = None
        self._ended: list[LiveMatch] = []
        self._limit = plan.settings.server.commands_per_turn
        self._counted: list[Team] = []

    # Teams come and go

    def arrive(self, account: int, name: str) -> Team:
        """A team has logged in on another connection."""
        team = self.teams.get(account)
        if team is None:
            team = self.teams[account] = Team(account, name)
        team.connections += 1
        self.seen.add(account)
        return team

    def leave(self, team: Team) -> None:
        """One of a team's connections is gone."""
        team.connections -= 1
        if team.connections == 0:
            team.left_at = time.monotonic()
            if self.tournament is not None:
                self.tournament.note_disconnect(team.id)

    # Resuming

    def resume(self, played: list[Played], seen: set[int], next_match_id: int, again: EventTournament | None) -> None:
        """Continue an earlier run. ``again`` is an interrupted tournament, which is played again from its start."""
        for each in played:
            self.count(each)
        self.seen |= seen
        self._next_number = len(played) + 1
        self._next_match_id = next_match_id
        self._again = again
        if played or again:
            self.phase = "pause"
            self._next_start = max(self.plan.settings.event.pause, LEAST_QUIET_AFTER_RESTART)

    @property
    def turns_to_start(self) -> int | None:
        """Turns until the next tournament may begin; None while one is played, or if that depends on other things."""
        left = self._next_start - self.ticks
        return left if self.phase == "pause" and not self.is_paused() and left > 0 else None

    # Commands

    def answer(self, team: Team, line: bytes) -> bytes:
        """The reply to a line that is not blank."""
        if not self.count_command(team):
            self.refused += 1
            return FORCED_WAIT
        command = read_command(line)
        if type(command) is int:
            self.refused += 1
            return ERROR_LINES[command]
        kind, match_id, _, _ = command  # type: ignore[misc]
        tournament = self.tournament
        if tournament is not None and kind < WAIT:
            match = tournament.find(match_id)
            if match is not None and team.id in match.players:
                reply, done = tournament.command(match, team.id, command)  # type: ignore[arg-type]
                self.refused += not done
                return reply
        if kind == WAIT:
            return OK_WAIT
        if kind == GET_MY_MATCHES:
            return self._my_matches(team)
        return self._answer_past(team, kind, match_id)

    def count_command(self, team: Team) -> bool:
        """A team has sent a line; returns whether it is within the limit of the turn."""
        self.commands += 1
        if self._limit:
            if team.commands_this_turn >= self._limit:
                return False
            if team.commands_this_turn == 0:
                self._counted.append(team)
            team.commands_this_turn += 1
        return True

    def internal_error(self, error: Exception) -> None:
        """A command failed because of a bug."""
        self.refused += 1
        self._log(f"internal error: {error!r}")

    def _my_matches(self, team: Team) -> bytes:
        if team.matches_text is None:
            ids = [match.id for match in self.tournament.of(team.id)] if self.tournament else []
            team.matches_text = f"OK\n{len(ids)}\n{' '.join(map(str, ids))}\n".encode()
        return team.matches_text

    def _answer_past(self, team: Team, kind: int, match_id: int) -> bytes:
        """The reply about a match that is not in the present tournament."""
        found = self.past_scores.find(match_id)
        if found is not None and team.id in found[:2]:
            if kind == GET_FINAL_SCORE:
                first, second = found[2:] if found[0] == team.id else (found[3], found[2])
                return b"OK\n%d %d\n" % (first, second)
            self.refused += 1
            return ERROR_LINES[GAME_HAS_ENDED]
        self.refused += 1
        return ERROR_LINES[NOT_YOUR_MATCH]

    # Time

    def tick(self) -> None:
        """End a turn and begin the next."""
        self.ticks += 1
        for team in self._counted:
            team.commands_this_turn = 0
        self._counted.clear()
        if self.phase == "playing" and self.tournament is not None:
            self.tournament.tick()
        self.save_ended()
        if self.phase == "playing":
            self.on_new_turn()
        elif self.phase != "over" and self.ticks >= self._next_start:
            self._continue()

    def _continue(self) -> None:
        """Begin the next tournament if it is time and there are teams; end the event if there is none left."""
        event = self.plan.settings.event
        now = datetime.datetime.now(datetime.UTC)
        if self._again is None:
            if event.tournaments is not None and self._next_number > event.tournaments:
                return self._end("all tournaments are played")
            if event.ends_at is not None and now >= event.ends_at:
                return self._end("its time is up")
            if self.is_paused() or (event.starts_at is not None and now < event.starts_at):
                return None
            roster = self._roster()
            if len(roster) < event.min_teams:
                return None
            self._begin(roster)
        elif self.is_paused():
            return None
        else:
            self._begin_again(self._again)
            self._again = None
        self.phase = "playing"
        for team in self.teams.values():
            team.matches_text = None
        self.on_new_turn()
        return None

    def _roster(self) -> tuple[int, ...]:
        who = self.plan.settings.event.roster
        allowed = self.everybody()
        if who == "all":
            return tuple(sorted(allowed))
        if who == "connected":
            present = {team.id for team in self.teams.values() if team.connections}
        else:
            present = self.seen
        return tuple(sorted(present.intersection(allowed)))

    def _begin(self, roster: tuple[int, ...]) -> None:
        number = self._next_number
        seed = derived(self.secret, "event", number)
        deck = self.plan.deck
        if deck is None:
            deck = deck_from_seed(self.plan.edition.deck_size, seed)
        self._start(number, seed, deck, roster, self._next_match_id, 1)
        assert self.tournament is not None
        self._recorder.begin(self.tournament)

    def _begin_again(self, stored: EventTournament) -> None:
        deck = parse_deck(stored.deck_text, f"the deck of tournament {stored.number}")
        self._start(stored.number, stored.seed, deck, stored.roster, stored.first_match_id, stored.attempts)

    def _start(
        self,
        number: int,
        seed: int,
        deck: np.recarray[Any, Any],
        roster: tuple[int, ...],
        first_match_id: int,
        attempts: int,
    ) -> None:
        self.tournament = LiveTournament(
            number, seed, self.plan.edition, deck, roster, first_match_id, self._match_ended, attempts
        )
        self._next_number = number + 1
        self._next_match_id = first_match_id + len(self.tournament.matches)
        again = f", attempt {attempts}" if attempts > 1 else ""
        matches = counted(len(self.tournament.matches), "match", "matches")
        self._log(f"tournament {number} begins{again}: {counted(len(roster), 'team')}, {matches}")

    def _match_ended(self, match: LiveMatch) -> None:
        self._ended.append(match)
        tournament = self.tournament
        if tournament is not None and tournament.over:
            self.phase = "pause"
            self._next_start = self.ticks + 1 + self.plan.settings.event.pause
            self.past_scores.add(tournament.first_match_id, tournament.final_scores())
            self._log(f"tournament {tournament.number} is over")

    def save_ended(self) -> None:
        """Record the matches that have ended since the last tick. A run that is stopped between ticks calls it too."""
        tournament = self.tournament
        if tournament is None or not self._ended:
            return
        ended, self._ended = self._ended, []
        self._recorder.save(tournament, ended)
        if tournament.over:
            self._recorder.finish(tournament)

    def count(self, played: Played) -> None:
        """A tournament is stored, and counts from now on."""
        self.played.append(played)
        for account, points in played.points.items():
            self.totals[account] = self.totals.get(account, 0.0) + points

    def _end(self, why: str) -> None:
        self.phase = "over"
        self._log(f"the event is over: {why}")
        self._log(f"the secret of its decks: {self.secret}")
        self.on_new_turn()
