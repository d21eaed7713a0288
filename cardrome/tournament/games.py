"""Entrants and games of a tournament: one game with all that is kept of it, or many in a table.

A table has columns; in it games travel from the engine to the store and to the report.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from cardrome.arena.players.behaviour import Behaviour
from cardrome.engine.bulk import DRAWN, GAME
from cardrome.errors import UnknownEdition
from cardrome.games.family import find_family
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Side = Literal[0, 1]
_SIDES: tuple[Side, Side] = (0, 1)


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot in one version. All results refer to it by its id."""

    id: int
    bot: BotSection
    active: bool
    """Whether the settings file still has the bot in this version."""
    problem: str | None
    """Why it was not admitted; None if it was."""

    @property
    def name(self) -> str:
        """The name to show: with the version, unless that is the first."""
        return self.bot.name if self.bot.version == "1" else f"{self.bot.name} {self.bot.version}"


class GameKey(msgspec.Struct, frozen=True, order=True):
    """Identifies a game: a pair of games of two entrants on one deal, and which of the two."""

    edition: str
    a: int
    b: int
    pair: int
    game: Side
    """0: A has the first turn; 1: B has."""


class MissingGames:
    """The games of pairings that are not stored, each once. They are counted and not listed: there may be billions."""

    def __init__(self, wanted: Sequence[Pairing], stored: Mapping[tuple[str, int, int], Sequence[int]]) -> None:
        """``stored`` has the stored games by edition, A and B: twice the pair, plus 1 for the second game, sorted."""
        ranges: dict[tuple[str, int, int], list[range]] = {}
        self._lots: list[tuple[tuple[str, int, int], range, list[range]]] = []
        self._stored = stored
        for each in wanted:
            key = each.edition, each.a, each.b
            before = ranges.setdefault(key, [])
            pairs = range(each.first_pair, each.first_pair + each.pairs)
            self._lots.append((key, pairs, before[:]))
            before.append(pairs)

    def __len__(self) -> int:
        return sum(map(self._count, self._lots))

    def _count(self, lot: tuple[tuple[str, int, int], range, list[range]]) -> int:
        key, pairs, before = lot
        if before:
            return sum(1 for _ in self._keys(*lot))
        stored = self._stored.get(key, ())
        return 2 * len(pairs) - (bisect_left(stored, 2 * pairs.stop) - bisect_left(stored, 2 * pairs.start))

    def __iter__(self) -> Iterator[GameKey]:
        return chain.from_iterable(self.lots())

    def lots(self) -> list[Iterator[GameKey]]:
        """The games of each pairing."""
        return [self._keys(*lot) for lot in self._lots]

    def _keys(self, key: tuple[str, int, int], pairs: range, before: list[range]) -> Iterator[GameKey]:
        stored = iter(self._stored.get(key, ()))
        skipped = next(stored, None)
        for pair in pairs:
            if any(pair in earlier for earlier in before):
                continue
            for game in _SIDES:
                while skipped is not None and skipped < 2 * pair + game:
                    skipped = next(stored, None)
                if skipped != 2 * pair + game:
                    yield GameKey(*key, pair, game)


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game with everything that is kept of it."""

    key: GameKey
    seed: int
    """Of its deal."""
    winner: Literal[0, 1, 2]
    """0 for A, 1 for B, `DRAWN`."""
    turns: int
    actions: int
    score_a: int = 0
    score_b: int = 0
    """In families that have scores."""
    ending: int = 0
    """Why it ended, as a place in `cardrome.games.game.ENDINGS`."""
    fault_of: Side | None = None
    """Who lost the game by a fault: 0 for A, 1 for B."""
    fault_kind: str | None = None
    fault_message: str = ""
    behaviours: tuple[Behaviour | None, Behaviour | None] = (None, None)
    """Of A and B if they are programs."""
    stderr: tuple[str, str] = ("", "")
    """The last output of A and B on standard error."""
    replay: bytes | None = None
    """The replay as compressed JSON, if it is kept."""
    finished_at: float
    """Seconds since 1970."""

    @property
    def at_fault(self) -> int | None:
        """The entrant who lost the game by a fault."""
        return None if self.fault_of is None else (self.key.a, self.key.b)[self.fault_of]


KEY = ("edition", "a", "b", "pair", "first")
"""The columns that identify a game. Who has the first turn tells the two games of a pair apart."""

ANSWERS = np.dtype([("answers", "i4"), ("total_ms", "i8"), ("worst_ms", "i8"), ("first_ms", "i8")])
"""The answers of a program in a game: how many, and the time of all, of the slowest later one, and of the first."""

ROW = np.dtype(
    [
        *((name, "i4") for name in KEY[:4]),
        *((name, GAME[name]) for name in GAME.names or ()),
        ("fault_of", "i1"),
        ("fault_kind", "i2"),
        ("finished_at", "f8"),
        ("answers", ANSWERS, 2),
    ]
)
"""A game: which one, what the engine says of it, who was at fault, when it ended, and the answers of A and B.

``edition`` and ``fault_kind`` are places in the table's lists of names. A fault that did not happen is -1, and so is
the number of answers of a player who is not a program, or where answers were not read."""


@dataclass(frozen=True, eq=False)
class GameTable:
    """Games, one in each row. ``table["winner"]`` is a column."""

    rows: npt.NDArray[Any]
    """An array of `ROW`."""
    editions: tuple[str, ...] = ()
    fault_kinds: tuple[str, ...] = ()
    records: Mapping[int, PlayedGame] = field(default_factory=dict)
    """The whole records of games that were just played and have more to keep than a row: texts, replays. By row."""

    @classmethod
    def played(cls, edition: str, a: int, b: int, pairs: Sequence[int], games: npt.NDArray[Any]) -> GameTable:
        """Games of two entrants as the engine leaves them, in the order of their pairs; they have ended just now."""
        rows = blank_rows(len(games))
        plain = np.asarray(games)
        for name in plain.dtype.names or ():
            rows[name] = plain[name]
        rows["a"], rows["b"], rows["finished_at"] = a, b, time.time()
        rows["pair"] = np.repeat(pairs, len(games) // max(len(pairs), 1))
        return cls(rows, (edition,))

    @classmethod
    def of_records(cls, records: Sequence[PlayedGame]) -> GameTable:
        """Single games as a table."""
        editions: dict[str, int] = {}
        kinds: dict[str, int] = {}
        rows: list[tuple[Any, ...]] = []  # of plain numbers: filling an array field by field takes three times as long
        more = {}
        for place, record in enumerate(records):
            key, fault = record.key, (-1, -1)
            if record.fault_of is not None:
                fault = record.fault_of, kinds.setdefault(record.fault_kind or "unknown", len(kinds))
            rows.append(
                (
                    editions.setdefault(key.edition, len(editions)), key.a, key.b, key.pair, record.seed,
                    record.score_a, record.score_b, record.actions, record.turns, key.game, record.winner,
                    record.ending, *fault, record.finished_at, list(map(_answers, record.behaviours)),
                )
            )  # fmt: skip
            if record.fault_of is not None or record.replay is not None or any(record.behaviours):
                more[place] = record
        return cls(np.array(rows, ROW), tuple(editions), tuple(kinds), more)

    @classmethod
    def joined(cls, tables: Sequence[GameTable]) -> GameTable:
        """The games of several tables in one."""
        if len(tables) == 1:
            return tables[0]
        editions, kinds = (
            tuple(dict.fromkeys(name for table in tables for name in getattr(table, names)))
            for names in ("editions", "fault_kinds")
        )
        rows = np.empty(sum(map(len, tables)), ROW)  # quicker than joining arrays of records
        records: dict[int, PlayedGame] = {}
        start = 0
        for table in tables:
            part = rows[start : start + len(table)]
            part[:] = table.rows
            if table.editions != editions:
                part["edition"] = _renumbered(table["edition"], table.editions, editions)
            if table.fault_kinds != kinds:
                part["fault_kind"] = _renumbered(table["fault_kind"], table.fault_kinds, kinds)
            records |= {start + place: record for place, record in table.records.items()}
            start += len(table)
        return cls(rows, editions, kinds, records)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = self.rows[column]
        return found

    @property
    def points(self) -> Floats:
        """A's points in each game: 1, 0.5 for a draw, or 0."""
        return np.where(self["winner"] == DRAWN, 0.5, 1.0 - self["winner"])

    @property
    def forfeit(self) -> npt.NDArray[np.bool_]:
        """Whether a fault decided the game."""
        return np.asarray(self["fault_of"] >= 0)

    @property
    def at_fault(self) -> Ints:
        """The entrant who lost the game by a fault; only meaningful where the game is a forfeit."""
        return np.where(self["fault_of"] == 0, self["a"], self["b"])

    @property
    def entrants(self) -> Ints:
        """The ids of all who play in these games, sorted."""
        return np.unique(np.concatenate([self["a"], self["b"]])).astype(np.int64)

    def where(self, chosen: npt.NDArray[Any]) -> GameTable:
        """Some of the games, given by a mask or by rows; their records stay behind."""
        return GameTable(self.rows[chosen], self.editions, self.fault_kinds)

    def of_editions(self, names: Sequence[str]) -> GameTable:
        """The games of some editions."""
        wanted = [place for place, name in enumerate(self.editions) if name in names]
        return self.where(np.isin(self["edition"], wanted))

    def keys(self) -> list[GameKey]:
        """Identifies all games, in the order of the rows."""
        columns = (self[name].tolist() for name in KEY)
        return [GameKey(self.editions[edition], *key) for edition, *key in zip(*columns, strict=True)]

    def key(self, place: int) -> GameKey:
        """Identifies the game in a row."""
        return self.where(np.array([place])).keys()[0]

    def record(self, place: int) -> PlayedGame:
        """A game by itself: the whole record if it is here, or else what its row says."""
        if place in self.records:
            return self.records[place]
        row = self.rows[place]
        return PlayedGame(
            key=self.key(place),
            fault_of=None if row["fault_of"] < 0 else int(row["fault_of"]),  # type: ignore[arg-type]
            fault_kind=None if row["fault_kind"] < 0 else self.fault_kinds[row["fault_kind"]],
            **{name: row[name].item() for name in _SAME},
        )

    def pair_places(self) -> Ints:
        """For each game the number of its pair, when pairs are sorted by the two entrants, pair and edition."""
        low, high = np.minimum(self["a"], self["b"]).astype(np.int64), np.maximum(self["a"], self["b"])
        _, pairing = np.unique(low * (high.max(initial=0) + 1) + high, return_inverse=True)
        number = self["pair"].astype(np.int64) * max(len(self.editions), 1) + self["edition"]
        _, number = np.unique(number, return_inverse=True)
        _, place = np.unique(pairing * (len(self) + 1) + number, return_inverse=True)
        return np.asarray(place, np.int64)

    def pairings(self) -> Iterator[tuple[str, int, int, Ints]]:
        """Edition, two entrants, the lower id first, and the rows of their games; sorted by edition and ids."""
        low, high = np.minimum(self["a"], self["b"]), np.maximum(self["a"], self["b"])
        # Within an edition and two entrants, games keep their order.
        order = np.lexsort((self["a"], high, low, self["edition"]))
        keys = np.stack([self["edition"][order], low[order], high[order]])
        starts = np.flatnonzero(np.any(keys[:, 1:] != keys[:, :-1], axis=0)) + 1
        for places in np.split(order, starts) if len(order) else ():
            first = places[0]
            yield self.editions[self["edition"][first]], int(low[first]), int(high[first]), places


def has_scores(edition: str) -> bool:
    """Whether games of an edition end with scores. An edition that was renamed or removed has none."""
    try:
        return find_family(edition).has_scores
    except UnknownEdition:
        return False


_SAME = ("seed", "winner", "turns", "actions", "score_a", "score_b", "ending", "finished_at")
"""Columns that a record has under the same name."""


def _answers(behaviour: Behaviour | None) -> tuple[int, int, int, int]:
    """The `ANSWERS` of a player who behaved like this; None: not a program."""
    if behaviour is None:
        return -1, 0, 0, 0
    return behaviour.answers, behaviour.total_ms, behaviour.worst_ms, behaviour.worst_first_ms


def blank_rows(count: int) -> npt.NDArray[Any]:
    """Rows to be filled in: no faults and no programs."""
    rows = np.zeros(count, ROW)
    rows["fault_of"] = rows["fault_kind"] = -1
    rows["answers"]["answers"] = -1
    return rows


def _renumbered(column: npt.NDArray[Any], old: Sequence[str], new: Sequence[str]) -> npt.NDArray[Any]:
    """Places in one list of names as places in another; what has none keeps -1."""
    places: npt.NDArray[Any] = np.array([*(new.index(name) for name in old), -1])[column]
    return places
