"""The summary of a tournament: everything that reports and exports say, computed once.

Times are seconds since 1970, entrants are given by their ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from cardrome.arena.players.behaviour import Behaviour
from cardrome.arena.secret import is_public
from cardrome.arena.statistics import UNKNOWN_RATE, Estimate
from cardrome.engine.bulk import DRAWN
from cardrome.tournament.games import Entrant, GameTable, PlayedGame
from cardrome.tournament.results.pairs import PairResults, first_seat, win_rates
from cardrome.tournament.results.ratings import REPLICATES, Rating, rate
from cardrome.tournament.results.rounds import ladder_table
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import settings_text
from cardrome.tournament.store.store import TournamentSnapshot

_Rounds = Sequence[Sequence[Pairing]]


class EntrantLine(msgspec.Struct, frozen=True, kw_only=True):
    """Who entered, and what became of them."""

    id: int
    bot: str
    """The name that all its versions have."""
    name: str
    """The name to show: with the version, unless that is the first."""
    version: str
    author: str
    agent: str | None
    command: str | None
    active: bool
    problem: str | None
    """Why it was left out."""
    games: int


class LadderLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a ladder's table."""

    entrant: int
    rank: int
    mu: float
    sigma: float
    ordinal: float
    meetings: int
    """The number of results it comes from: all pairs of two entrants in a round are one result."""


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """Win rates of rows against columns, both in the order of ``entrants``; None where two never met."""

    entrants: tuple[int, ...] = ()
    rate: list[list[Estimate | None]] = []
    games: list[list[int]] = []


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """Results of one edition, or of all together."""

    edition: str | None
    """None: all editions."""
    games: int
    forfeits: int
    """Games lost by a fault."""
    drawn: int
    mean_turns: float | None
    standings: tuple[Rating, ...]
    """The best first."""
    without_forfeits: tuple[Rating, ...] | None
    """The same table without forfeits; None if there are none."""
    ladder: tuple[LadderLine, ...] | None
    """None if the tournament is not a ladder."""
    groups: int
    """Groups of entrants that never met; if there are several, ratings can be compared within a group only."""
    matrix: Matrix
    first_seat: Estimate
    """How often the player with the first turn won."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was lost by a fault."""

    edition: str
    a: int
    b: int
    pair: int
    game: int
    seed: int | None
    """None while deals are a secret."""
    entrant: int
    """Whose fault it was."""
    opponent: int
    kind: str
    message: str
    stderr: str
    """The last output of the program on standard error."""
    finished_at: float


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a report says."""

    name: str
    seed: int | None
    """What all deals follow from; None while it is a secret, because games are still to be played."""
    schedule: str
    editions: tuple[str, ...]
    pairs: int | None
    rounds: int | None
    limits: dict[str, Any]
    games: int
    planned: int | None
    """How many games it will have, as far as that is known; None if there is no end."""
    is_over: bool
    """Everything is played that the settings ask for."""
    began_at: float | None
    """When the first game ended."""
    finished_at: float | None
    """When the last game ended."""
    entrants: tuple[EntrantLine, ...]
    overall: Section
    by_edition: tuple[Section, ...]
    behaviours: dict[int, Behaviour]
    """Of programs, by entrant."""
    failures: tuple[Failure, ...]
    """The latest of each entrant, the latest first."""
    settings: str
    """A settings file that plays the same tournament, wherever the bots are."""

    @property
    def left_out(self) -> tuple[EntrantLine, ...]:
        """Those who were not admitted."""
        return tuple(entrant for entrant in self.entrants if entrant.problem is not None)

    def entrant(self, number: int) -> EntrantLine:
        """The entrant with an id."""
        return next(entrant for entrant in self.entrants if entrant.id == number)

    @property
    def seed_words(self) -> str:
        """The seed, or that it is a secret."""
        return "a secret seed, published with the last game" if self.seed is None else f"seed {self.seed}"

    def to_data(self) -> dict[str, Any]:
        """Everything as plain data, as it becomes JSON."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        del data["behaviours"]
        data["conducts"] = [
            {
                "entrant": entrant,
                "games": each.games,
                "answers": each.answers,
                "mean_ms": each.mean_ms,
                "p99_ms": each.p99_ms,
                "worst_ms": each.worst_ms,
                "worst_first_ms": each.worst_first_ms,
                "times": list(each.histogram),
                "faults": each.faults,
            }
            for entrant, each in self.behaviours.items()
        ]
        return data

    def to_json(self) -> str:
        """Everything as JSON, indented; the same summary gives the same text."""
        return msgspec.json.format(msgspec.json.encode(self.to_data()), indent=1).decode() + "\n"


def summarize(snapshot: TournamentSnapshot, *, replicates: int = REPLICATES) -> Summary:
    """The summary of a tournament at one moment."""
    stored, games = snapshot.settings, snapshot.games
    fixed, growing = _decoded(stored.fixed), _decoded(stored.growing)
    # The editions of the settings, then those that only earlier settings had.
    editions = tuple(dict.fromkeys((*growing.get("editions", ()), *sorted(games.editions))))
    schedule = str(fixed.get("schedule", "round-robin"))
    rounds = [each.pairings for each in snapshot.rounds] if schedule == "ladder" else None
    parts = [_section(games.of_editions([name]), (name,), name, rounds, replicates) for name in editions]
    overall = parts[0] if len(parts) == 1 else _section(games, editions, None, rounds, replicates)
    played = Counter(games["a"].tolist()) + Counter(games["b"].tolist())
    active = [entrant.bot for entrant in snapshot.entrants if entrant.active]
    planned, is_over = _planned(snapshot, fixed | growing)
    seed = stored.seed if is_public(stored.seed) or is_over else None
    facts = {"name": stored.name, **growing, "editions": list(editions), "schedule": schedule, "seed": seed}
    return Summary(
        name=stored.name,
        seed=seed,
        schedule=schedule,
        editions=editions,
        pairs=growing.get("pairs"),
        rounds=growing.get("rounds"),
        limits=fixed.get("limits", {}),
        games=len(games),
        planned=planned,
        is_over=is_over,
        began_at=float(games["finished_at"].min()) if len(games) else None,
        finished_at=float(games["finished_at"].max()) if len(games) else None,
        entrants=tuple(_line(entrant, played[entrant.id]) for entrant in snapshot.entrants),
        overall=overall,
        by_edition=tuple(parts),
        behaviours=snapshot.behaviours,
        failures=tuple(_failure(each, seed is not None) for each in snapshot.faults),
        settings=settings_text(facts, fixed.get("limits", {}), active),
    )


def all_played(snapshot: TournamentSnapshot) -> bool:
    """Whether all games that the last run had in mind are played. Then reports show the seed."""
    stored = snapshot.settings
    return _planned(snapshot, _decoded(stored.fixed) | _decoded(stored.growing))[1]


def _planned(snapshot: TournamentSnapshot, settings: Mapping[str, Any]) -> tuple[int | None, bool]:
    """How many games the last run had in mind, if that is known, and whether they are played."""
    if settings.get("schedule") in ("swiss", "ladder"):
        rounds = settings.get("rounds")
        if rounds is None:
            return None, False
        drawn = [2 * sum(each.pairs for each in one.pairings) for one in snapshot.rounds]
        finished = sum(each.finished_at is not None for each in snapshot.rounds)
        # Every round has as many games as the last one, unless bots enter or leave.
        ahead = max(int(rounds) - len(drawn), 0) * drawn[-1] if drawn else 0
        return sum(drawn) + ahead, finished >= int(rounds)
    active = [entrant for entrant in snapshot.entrants if entrant.active and entrant.problem is None]
    n, others = len(active), 0
    if settings.get("schedule") == "gauntlet":
        others = sum(entrant.bot.name not in settings.get("challengers", ()) for entrant in active)
    pairings = n * (n - 1) // 2 - others * (others - 1) // 2
    ids = [entrant.id for entrant in active]
    played = np.isin(snapshot.games["a"], ids) & np.isin(snapshot.games["b"], ids)
    wanted = 2 * pairings * int(settings.get("pairs", 0)) * len(settings.get("editions", ()))
    left = len(snapshot.games) - int(played.sum())  # played by bots that are no longer in the settings
    return wanted + left, 0 < wanted <= int(played.sum())


def _decoded(text: str) -> dict[str, Any]:
    value = msgspec.json.decode(text)
    return value if isinstance(value, dict) else {}


def _line(entrant: Entrant, games: int) -> EntrantLine:
    bot = entrant.bot
    return EntrantLine(
        id=entrant.id,
        bot=bot.name,
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
    forfeits = int(games.forfeit.sum())
    standings: tuple[Rating, ...] = ()
    without: tuple[Rating, ...] | None = None
    matrix, seat, groups = Matrix(), UNKNOWN_RATE, 0
    if len(games):
        results = PairResults.of_games(games)
        standings, found = rate(results, replicates=replicates)
        groups = len(found)
        matrix = _matrix(results, [rating.entrant for rating in standings])
        seat = first_seat(games)
    if forfeits:
        played = games.where(~games.forfeit)
        without = rate(PairResults.of_games(played), replicates=replicates).ratings if len(played) else ()
    return Section(
        edition=name,
        games=len(games),
        forfeits=forfeits,
        drawn=int((games["winner"] == DRAWN).sum()),
        mean_turns=float(games["turns"].mean()) if len(games) else None,
        standings=standings,
        without_forfeits=without,
        ladder=None if rounds is None else _ladder(games, editions, rounds),
        groups=groups,
        matrix=matrix,
        first_seat=seat,
    )


def _matrix(results: PairResults, order: list[int]) -> Matrix:
    """The matrix with the entrants in this order."""
    places = np.searchsorted(results.players, order).tolist()
    rates, won = win_rates(results), results.won()
    games = np.rint(won + won.T).astype(np.int64)
    return Matrix(
        entrants=tuple(order),
        rate=[[rates[row][column] for column in places] for row in places],
        games=games[np.ix_(places, places)].tolist(),
    )


def _ladder(games: GameTable, editions: tuple[str, ...], rounds: _Rounds) -> tuple[LadderLine, ...]:
    drawn = [[each for each in pairings if each.edition in editions] for pairings in rounds]
    return tuple(
        LadderLine(
            entrant=entrant,
            rank=rank,
            mu=rating.mu,
            sigma=rating.sigma,
            ordinal=rating.ordinal,
            meetings=rating.results,
        )
        for rank, (entrant, rating) in enumerate(ladder_table(games, drawn).standings(), 1)
    )


def _failure(record: PlayedGame, dealt: bool) -> Failure:
    key, side = record.key, record.fault_of or 0
    return Failure(
        edition=key.edition,
        a=key.a,
        b=key.b,
        pair=key.pair,
        game=key.game,
        seed=record.seed if dealt else None,
        entrant=(key.a, key.b)[side],
        opponent=(key.b, key.a)[side],
        kind=record.fault_kind or "unknown",
        message=record.fault_message,
        stderr=record.stderr[side],
        finished_at=record.finished_at,
    )
