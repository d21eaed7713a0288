"""One tournament of an event: every pair plays twice on copies of one deck, all matches at the same time."""

from __future__ import annotations

import bisect
import datetime
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from cardrome.engine.random import below
from cardrome.games.replay_files import encode_replay
from cardrome.games.tapdeck.protocol.commands import FIRST_QUERY, Command
from cardrome.games.tapdeck.protocol.matchlog import MatchLog
from cardrome.games.tapdeck.protocol.replay import ReplayEvent, from_log
from cardrome.games.tapdeck.protocol.table import Table
from cardrome.games.tapdeck.rules.cards import cards_of
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.scoring import tournament_points
from cardrome.server.store.records import Counts, MatchRecord, MatchResult


def shuffle(items: list[tuple[int, int]], seed: int) -> None:
    """Shuffle items into an order that depends on the seed alone, in every version of Python."""
    state = seed
    for i in range(len(items) - 1, 0, -1):
        state, j = below(state, i + 1)
        items[i], items[j] = items[j], items[i]


class LiveMatch:
    """A match being played: who plays, and what they have done so far."""

    __slots__ = (
        "_acted", "_last_acted", "commands", "disconnects", "errors", "finished_at", "id", "index", "log", "players",
    )  # fmt: skip

    def __init__(self, match_id: int, index: int, players: tuple[int, int]) -> None:
        self.id = match_id
        self.index = index
        self.players = players
        self.log = MatchLog()
        self.commands = [0, 0]
        self.errors = [0, 0]
        self.disconnects = [0, 0]
        self.finished_at: float | None = None
        self._acted = [0, 0]
        self._last_acted = [-1, -1]

    def note_action(self, seat: int, turn: int) -> None:
        """A player acted in one of their turns."""
        if self._last_acted[seat] != turn:
            self._last_acted[seat] = turn
            self._acted[seat] += 1

    def counts(self, seat: int, turns: int) -> Counts:
        """What a player did in a match in which this many turns were begun."""
        own = (turns + 1 - seat) // 2
        return Counts(self.commands[seat], self.errors[seat], own - self._acted[seat], self.disconnects[seat])


class LiveTournament:
    """The matches of a tournament. Players are account ids; match ids are consecutive, in an order of their own."""

    def __init__(
        self,
        number: int,
        seed: int,
        edition: TapdeckEdition,
        deck: np.recarray[Any, Any],
        roster: Sequence[int],
        first_match_id: int,
        on_end: Callable[[LiveMatch], None],
        attempts: int = 1,
    ) -> None:
        self.number = number
        self.attempts = attempts
        """More than 1 if the tournament was interrupted and is played again."""
        self.seed = seed
        self.edition = edition
        self.deck = deck
        self.deck_lines = tuple(str(card) for card in cards_of(deck))
        self.roster = tuple(roster)
        self.first_match_id = first_match_id
        pairings = [(a, b) for a in self.roster for b in self.roster if a != b]
        shuffle(pairings, seed)  # so that an id tells nothing about who plays
        self.table = Table(edition, deck, len(pairings))
        self.matches = [LiveMatch(first_match_id + i, i, pair) for i, pair in enumerate(pairings)]
        self.running = len(self.matches)
        self._on_end = on_end
        self._of: dict[int, list[LiveMatch]] = {account: [] for account in self.roster}
        for match in self.matches:
            for account in match.players:
                self._of[account].append(match)

    @property
    def over(self) -> bool:
        """All matches have ended."""
        return self.running == 0

    @property
    def turns_left(self) -> int:
        """Turns left in the longest match, including the present one."""
        return max(self.edition.turns - self.table.turn, 0)

    def of(self, account: int) -> list[LiveMatch]:
        """A player's matches by id; none for someone who does not take part."""
        return self._of.get(account, [])

    def find(self, match_id: int) -> LiveMatch | None:
        """The match with this id; None if it is not one of this tournament."""
        index = match_id - self.first_match_id
        return self.matches[index] if 0 <= index < len(self.matches) else None

    def command(self, match: LiveMatch, account: int, command: Command) -> tuple[bytes, bool]:
        """Carry out a command of one of a match's players: the reply, and whether the command was accepted."""
        seat = 0 if match.players[0] == account else 1
        kind = command.kind
        reply, code, ended = self.table.command(match.index, seat, kind, command.first, command.second)
        if match.finished_at is not None:  # its record is closed, and only its final score can be asked for
            return reply, code == 0
        match.commands[seat] += 1
        if code:
            match.errors[seat] += 1
            match.log.add(self.table.turn, seat, code, command)
        elif kind < FIRST_QUERY:
            match.log.add(self.table.turn, seat, 0, command)
            match.note_action(seat, self.table.turn)
        if ended:
            self._close(match)
        return reply, code == 0

    def tick(self) -> None:
        """Start the next turn in all matches."""
        left = self.table.tick()
        if left != self.running:
            for index in self.table.ended():
                match = self.matches[index]
                if match.finished_at is None:
                    self._close(match)

    def note_disconnect(self, account: int) -> None:
        """A player's last connection is gone."""
        for match in self.of(account):
            if match.finished_at is None:
                match.disconnects[match.players.index(account)] += 1

    def result(self, match: LiveMatch) -> MatchResult:
        """The result of an ended match."""
        outcome = self.table.outcome(match.index)
        assert outcome is not None
        assert match.finished_at is not None
        turns, health = self.table.turns_played(match.index), self.table.health(match.index)
        return MatchResult(
            id=match.id,
            tournament=self.number,
            first=match.players[0],
            second=match.players[1],
            score_first=outcome.scores[0],
            score_second=outcome.scores[1],
            health_first=health[0],
            health_second=health[1],
            end_reason=outcome.ending.value,
            turns_played=turns,
            counts_first=match.counts(0, turns),
            counts_second=match.counts(1, turns),
            finished_at=match.finished_at,
        )

    def record(self, match: LiveMatch, event: str, names: tuple[str, str]) -> MatchRecord:
        """An ended match with its transcript, in which the event and the players have these names."""
        result = self.result(match)
        outcome = self.table.outcome(match.index)
        assert outcome is not None
        finished = datetime.datetime.fromtimestamp(result.finished_at, datetime.UTC)
        replay = from_log(
            match.log,
            edition=self.edition,
            deck=self.deck_lines,
            players=names,
            ending=outcome.ending,
            health=self.table.health(match.index),
            scores=outcome.scores,
            turns_played=result.turns_played,
            event=ReplayEvent(event, self.number, match.id, finished),
        )
        return MatchRecord(**msgspec.structs.asdict(result), transcript=encode_replay(replay, check=False))

    def points(self) -> dict[int, float]:
        """The tournament points of every player, once all matches have ended."""
        return points_of(self.roster, self.final_scores().tolist())

    def final_scores(self) -> np.ndarray[Any, Any]:
        """First player, second player and their scores, in a row for each match, once all have ended."""
        return np.hstack([np.array([match.players for match in self.matches], np.int32), self.table.scores()])

    def _close(self, match: LiveMatch) -> None:
        match.finished_at = time.time()
        match.log.close()
        self.running -= 1
        self._on_end(match)


def points_of(roster: Sequence[int], rows: Sequence[tuple[int, int, int, int]]) -> dict[int, float]:
    """Tournament points from all matches of a tournament: first player, second player and their scores."""
    scores: dict[int, list[int]] = {account: [] for account in roster}
    for first, second, score_first, score_second in rows:
        scores[first].append(score_first)
        scores[second].append(score_second)
    return dict(zip(scores, tournament_points(list(scores.values())), strict=True))


class PastScores:
    """The final scores of all finished tournaments, which teams may ask for at any time.

    The match ids of a tournament are consecutive, so four numbers a match are enough.
    """

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._blocks: list[np.ndarray[Any, Any]] = []

    def add(self, first_match_id: int, rows: np.ndarray[Any, Any]) -> None:
        """Add the final scores of a tournament, whose match ids are larger than those of earlier ones."""
        self._starts.append(first_match_id)
        self._blocks.append(rows.astype(np.int32))

    def find(self, match_id: int) -> tuple[int, int, int, int] | None:
        """First player, second player and their scores; None if there was no such match."""
        block = bisect.bisect_right(self._starts, match_id) - 1
        if block < 0:
            return None
        index = match_id - self._starts[block]
        if index >= len(self._blocks[block]):
            return None
        first, second, score_first, score_second = self._blocks[block][index].tolist()
        return first, second, score_first, score_second
