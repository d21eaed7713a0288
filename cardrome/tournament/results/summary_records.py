"""What a report of a tournament says, as plain data. Times are seconds since 1970, entrants are given by their ids."""

from __future__ import annotations

from typing import Any

import msgspec


class Interval(msgspec.Struct, frozen=True):
    """A share with the interval that holds it with 95% confidence."""

    value: float
    low: float
    high: float


class EntrantLine(msgspec.Struct, frozen=True, kw_only=True):
    """Who entered, and what became of it."""

    id: int
    name: str
    """As it is shown, with its version if that is not the first."""
    version: str
    author: str
    agent: str | None
    command: str | None
    active: bool
    problem: str | None
    """Why it was left out."""
    games: int


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a rating table; see docs/ratings.md."""

    entrant: int
    rank: int
    rank_low: int
    rank_high: int
    elo: float
    low: float
    high: float
    one_sided: bool
    """All games won, or all lost: one end of the interval is an assumption."""
    games: int
    points: float
    rate: float


class LadderStanding(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a ladder's table."""

    entrant: int
    rank: int
    mu: float
    sigma: float
    ordinal: float
    meetings: int
    """Results it comes from: all pairs of two entrants in a round are one."""


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """Win rates of rows against columns, both in the order of ``entrants``; None where two did not meet."""

    entrants: tuple[int, ...]
    rate: list[list[float | None]]
    low: list[list[float | None]]
    high: list[list[float | None]]
    games: list[list[int]]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """Results of one edition, or of all together."""

    edition: str | None
    """None: all editions."""
    games: int
    forfeits: int
    """Games lost by a fault."""
    drawn: int
    mean_turns: float | None
    standings: tuple[Standing, ...]
    """The best first."""
    without_forfeits: tuple[Standing, ...] | None
    """The same table without games that a fault decided; None if there was none."""
    ladder: tuple[LadderStanding, ...] | None
    """None if the tournament is no ladder."""
    groups: int
    """Groups of entrants that never met; with more than one, ratings compare within a group only."""
    matrix: Matrix
    first_seat: Interval
    """How often whoever had the first turn won."""


class Behaviour(msgspec.Struct, frozen=True, kw_only=True):
    """How an entrant's program behaved. Times are in ms; first answers, which contain the start, count in no time but
    ``worst_first_ms`` and the mean."""

    entrant: int
    games: int
    answers: int
    mean_ms: float
    p99_ms: int
    """99 % of its answers took no longer: the end of the bin of the histogram in which that answer lies."""
    worst_ms: int
    worst_first_ms: int
    times: tuple[int, ...]
    faults: dict[str, int]
    """Games it lost by a fault, by kind, the most frequent first."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was lost by a fault."""

    edition: str
    a: int
    b: int
    pair: int
    game: int
    seed: int
    entrant: int
    """Whose fault it was."""
    opponent: int
    kind: str
    message: str
    stderr: str
    """The last of what the program wrote to standard error."""
    finished_at: float


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a report says."""

    name: str
    seed: int
    schedule: str
    editions: tuple[str, ...]
    pairs: int | None
    rounds: int | None
    limits: dict[str, Any]
    games: int
    began_at: float | None
    """When the first game ended."""
    finished_at: float | None
    """When the last game ended."""
    entrants: tuple[EntrantLine, ...]
    overall: Section
    by_edition: tuple[Section, ...]
    conducts: tuple[Behaviour, ...]
    """Of programs, and of whoever lost a game by a fault."""
    failures: tuple[Failure, ...]
    """The latest of each entrant, the latest first."""
    settings: str
    """A settings file that plays the same tournament, where the bots are."""

    @property
    def left_out(self) -> tuple[EntrantLine, ...]:
        """Those who were not admitted."""
        return tuple(entrant for entrant in self.entrants if entrant.problem is not None)

    def entrant(self, number: int) -> EntrantLine:
        """The entrant with an id."""
        return next(entrant for entrant in self.entrants if entrant.id == number)

    def to_data(self) -> dict[str, Any]:
        """Everything as plain data, as it becomes JSON."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return data

    def to_json(self) -> str:
        """Everything as JSON, indented; the same summary gives the same text."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"
