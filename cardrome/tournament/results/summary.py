"""Makes the summary of a tournament from its store: all that reports and exports say, computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from cardrome.errors import CallerError
from cardrome.tournament.records import DRAW, TIME_BINS, Entrant
from cardrome.tournament.reproduction import settings_text
from cardrome.tournament.results.crosstable import WinMatrix, first_seat, win_matrix
from cardrome.tournament.results.game_table import GameTable, read_games
from cardrome.tournament.results.pair_results import Floats, Ints
from cardrome.tournament.results.ratings import REPLICATES, RatingTable, rate
from cardrome.tournament.results.round_results import ladder_table
from cardrome.tournament.results.summary_records import (
    Behaviour,
    EntrantLine,
    Failure,
    Interval,
    LadderStanding,
    Matrix,
    Section,
    Standing,
    Summary,
)
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.store.store import TournamentStore

__all__ = ["Summary", "summarize", "summarize_games"]

_Rounds = Sequence[Sequence[Pairing]]


def summarize(store: TournamentStore, *, replicates: int = REPLICATES) -> Summary:
    """The summary of a tournament as it stands; `CallerError` if the store holds none."""
    return summarize_games(store, read_games(store), replicates=replicates)


def summarize_games(store: TournamentStore, games: GameTable, *, replicates: int = REPLICATES) -> Summary:
    """The same for games that were read already."""
    # Read after the games: whoever plays in one of them is surely there.
    tournament, entrants = store.tournament(), store.entrants()
    if tournament is None:
        raise CallerError(f"{store.name} holds no tournament: none was begun there yet")
    fixed, growing = _decoded(tournament.fixed), _decoded(tournament.growing)
    editions = _in_order(growing.get("editions", ()), games.editions)
    schedule = str(fixed.get("schedule", "round-robin"))
    rounds = [each.pairings for each in store.rounds()] if schedule == "ladder" else None
    parts = [_section(games, (name,), name, rounds, replicates) for name in editions]
    overall = parts[0] if len(parts) == 1 else _section(games, editions, None, rounds, replicates)
    played = Counter(games.a.tolist()) + Counter(games.b.tolist())
    return Summary(
        name=tournament.name,
        seed=tournament.seed,
        schedule=schedule,
        editions=editions,
        pairs=growing.get("pairs"),
        rounds=growing.get("rounds"),
        limits=fixed.get("limits", {}),
        games=len(games),
        began_at=float(games.finished_at.min()) if len(games) else None,
        finished_at=float(games.finished_at.max()) if len(games) else None,
        entrants=tuple(_line(entrant, played[entrant.id]) for entrant in entrants),
        overall=overall,
        by_edition=tuple(parts),
        conducts=_behaviours(games),
        failures=_failures(games),
        settings=settings_text(tournament, schedule, editions, entrants, overall.matrix),
    )


def _decoded(text: str) -> dict[str, Any]:
    value = msgspec.json.decode(text)
    return value if isinstance(value, dict) else {}


def _in_order(named: Sequence[str], played: Sequence[str]) -> tuple[str, ...]:
    """The editions of the settings, then those that only earlier settings had."""
    return tuple(dict.fromkeys((*named, *sorted(played))))


def _line(entrant: Entrant, games: int) -> EntrantLine:
    bot = entrant.bot
    return EntrantLine(
        id=entrant.id,
        name=entrant.name,
        version=bot.version,
        author=bot.author,
        agent=bot.agent,
        command=bot.command,
        active=entrant.active,
        problem=entrant.problem,
        games=games,
    )


def _section(
    games: GameTable, editions: tuple[str, ...], name: str | None, rounds: _Rounds | None, replicates: int
) -> Section:
    places = games.of_editions(editions)
    players = _players(games, places)
    forfeits = int((games.fault_of[places] >= 0).sum())
    standings: tuple[Standing, ...] = ()
    without: tuple[Standing, ...] | None = None
    matrix = Matrix(entrants=(), rate=[], low=[], high=[], games=[])
    seat, groups = Interval(0.5, 0.0, 1.0), 0
    if len(places):
        results = games.results(places, players)
        table = rate(results.pairs(), replicates=replicates)
        standings, groups = _standings(table, players), len(table.groups)
        without = _without_forfeits(games, places, replicates) if forfeits else None
        order = [rating.player for rating in table.ratings]
        matrix = _matrix(win_matrix(results.pairs()), players, order)
        estimate = first_seat(results)
        seat = Interval(estimate.value, estimate.low, estimate.high)
    return Section(
        edition=name,
        games=len(places),
        forfeits=forfeits,
        drawn=int((games.winner[places] == DRAW).sum()),
        mean_turns=float(games.turns[places].mean()) if len(places) else None,
        standings=standings,
        without_forfeits=without,
        ladder=None if rounds is None else _ladder(games, places, editions, rounds),
        groups=groups,
        matrix=matrix,
        first_seat=seat,
    )


def _standings(table: RatingTable, players: Ints) -> tuple[Standing, ...]:
    return tuple(
        Standing(
            entrant=int(players[rating.player]),
            rank=rating.rank,
            rank_low=rating.rank_low,
            rank_high=rating.rank_high,
            elo=rating.elo,
            low=rating.low,
            high=rating.high,
            one_sided=rating.one_sided,
            games=rating.games,
            points=rating.points,
            rate=rating.points / rating.games if rating.games else 0.5,
        )
        for rating in table.ratings
    )


def _without_forfeits(games: GameTable, places: Ints, replicates: int) -> tuple[Standing, ...]:
    """Those who have games left, rated by these."""
    left = places[games.fault_of[places] < 0]
    if not len(left):
        return ()
    players = _players(games, left)
    return _standings(rate(games.results(left, players).pairs(), replicates=replicates), players)


def _players(games: GameTable, places: Ints) -> Ints:
    """The ids of all who play in some games."""
    return np.unique(np.concatenate([games.a[places], games.b[places]]))


def _matrix(found: WinMatrix, players: Ints, order: list[int]) -> Matrix:
    """The matrix with the best player in the first row and column."""
    places = np.ix_(order, order)
    return Matrix(
        entrants=tuple(int(players[place]) for place in order),
        rate=_optional(found.rate[places]),
        low=_optional(found.low[places]),
        high=_optional(found.high[places]),
        games=found.games[places].tolist(),
    )


def _optional(values: Floats) -> list[list[float | None]]:
    return [[None if value != value else value for value in row] for row in values.tolist()]


def _ladder(games: GameTable, places: Ints, editions: tuple[str, ...], rounds: _Rounds) -> tuple[LadderStanding, ...]:
    drawn = [[each for each in pairings if each.edition in editions] for pairings in rounds]
    standings = ladder_table(games.columns(places), drawn).standings()
    return tuple(
        LadderStanding(
            entrant=int(player),
            rank=place,
            mu=rating.mu,
            sigma=rating.sigma,
            ordinal=rating.ordinal,
            meetings=rating.pairs,
        )
        for place, (player, rating) in enumerate(standings, 1)
    )


def _behaviours(games: GameTable) -> tuple[Behaviour, ...]:
    """Of all programs, and of whoever lost a game by a fault."""
    faults: dict[int, Counter[str]] = {}
    for place in np.flatnonzero(games.fault_of >= 0).tolist():
        entrant = int((games.a, games.b)[games.fault_of[place]][place])
        faults.setdefault(entrant, Counter())[games.fault_kinds[games.fault_kind[place]]] += 1
    found = []
    for entrant in sorted({*games.times, *faults}):
        rows = np.concatenate([games.conduct_a[games.a == entrant], games.conduct_b[games.b == entrant]])
        rows = rows[rows[:, 0] >= 0]
        answers, total = (int(value) for value in rows[:, :2].sum(axis=0))
        worst, first = (int(rows[:, k].max(initial=0)) for k in (2, 3))
        times = games.times.get(entrant, np.zeros(TIME_BINS, np.int64))
        kinds = sorted(faults.get(entrant, Counter()).items(), key=lambda item: (-item[1], item[0]))
        found.append(
            Behaviour(
                entrant=entrant,
                games=len(rows),
                answers=answers,
                mean_ms=total / answers if answers else 0.0,
                p99_ms=_quantile(times, 0.99, worst),
                worst_ms=worst,
                worst_first_ms=first,
                times=tuple(times.tolist()),
                faults=dict(kinds),
            )
        )
    return tuple(found)


def _quantile(times: Ints, share: float, worst: int) -> int:
    """The end of the bin in which a share of answers is complete, or the worst answer if that is less."""
    count = int(times.sum())
    if not count:
        return 0
    place = int(np.searchsorted(np.cumsum(times), share * count))
    return worst if place >= TIME_BINS - 1 else min(1 << place, worst)


def _failures(games: GameTable) -> tuple[Failure, ...]:
    found = []
    for entrant, records in games.faults.items():
        for record in records:
            key = record.key
            conduct = record.conduct_b if record.fault_of else record.conduct_a
            found.append(
                Failure(
                    edition=key.edition,
                    a=key.a,
                    b=key.b,
                    pair=key.pair,
                    game=key.game,
                    seed=record.seed,
                    entrant=entrant,
                    opponent=key.a if record.fault_of else key.b,
                    kind=record.fault_kind or "unknown",
                    message=record.fault_message,
                    stderr="" if conduct is None else conduct.stderr,
                    finished_at=record.finished_at,
                )
            )
    found.sort(key=lambda failure: (-failure.finished_at, failure.edition, failure.a, failure.b, failure.pair))
    return tuple(found)
