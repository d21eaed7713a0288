"""What all schedules share: pairings, results, and the deals that pairs are played on.

A schedule is asked for one round at a time and given the results of the rounds before, and its answer depends on these
alone. So a tournament that is stopped and resumed, with any number of jobs, plays the same games. Entrants are numbers
that never change; neither their order nor the order of results matters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from cardrome.arena.secret import derived
from cardrome.errors import CallerError


@dataclass(frozen=True, slots=True, order=True)
class Pairing:
    """Mirrored pairs of games for two entrants to play, numbered from ``first_pair`` on; ``a`` is less than ``b``."""

    edition: str
    a: int
    b: int
    first_pair: int
    pairs: int


class Total(NamedTuple):
    """The score of one entrant against another over all their pairs."""

    points: float
    """Of ``a``: one for a game won, half a point for a draw. The rest of the two points of a pair are ``b``'s."""
    pairs: int


Results = Mapping[tuple[str, int, int], Total]
"""Totals by edition, ``a`` and ``b``, where ``a`` is less than ``b``."""

Ratings = Mapping[int, tuple[float, float]]
"""The estimated strength of each entrant, and its standard deviation."""


class Schedule(Protocol):
    """Decides round by round who plays."""

    def round(
        self, number: int, entrants: Iterable[int], results: Results, ratings: Ratings | None = None
    ) -> list[Pairing] | None:
        """The pairings of a round, or None if the tournament is over.

        ``number`` counts the rounds played before, and ``results`` are the results of exactly these rounds. ``ratings``
        must follow from them; only a ladder uses ratings. Raises `CallerError` if entrants or results are unusable.
        """

    def games(self, entrants: int) -> int | None:
        """The number of games that this many entrants play in all; None if there is no end."""


def estimate(schedule: Schedule, entrants: Iterable[int]) -> int | None:
    """The number of games of a schedule if the entrants stay the same; None if it is open-ended."""
    return schedule.games(len(field_of(entrants)))


def deal_seed(master_seed: int, edition: str, k: int) -> int:
    """The seed of the deal that pair k of an edition is played on, the same in all pairings of a tournament.

    It is a hash of a text, the same on every machine and in every version, and has 62 bits, so that different pairs
    have different seeds for all practical purposes.
    """
    if k < 0:
        raise CallerError(f"pairs are numbered from 0, got {k}")
    return derived(master_seed, "deal", edition, k)


def field_of(entrants: Iterable[int]) -> list[int]:
    """The entrants in ascending order; `CallerError` if there are fewer than two, or one appears twice."""
    field = sorted(entrants)
    twice = [a for a, b in itertools.pairwise(field) if a == b]
    if twice:
        raise CallerError(f"entrant {twice[0]} appears twice")
    if len(field) < 2:
        raise CallerError(f"a tournament needs at least two entrants, got {'only one' if field else 'none'}")
    return field


def totals_of(results: Results, edition: str) -> dict[tuple[int, int], Total]:
    """The totals of one edition by ``a`` and ``b``; `CallerError` if one of them is impossible."""
    totals = {}
    for (name, a, b), total in results.items():
        if name == edition:
            points, pairs = total
            if not (a < b and pairs >= 0 and 0 <= points <= 2 * pairs):
                raise CallerError(f"{edition}: {points} points in {pairs} pairs of {a} and {b} is not a result")
            # Plain numbers, since True + True is True among NumPy's.
            totals[a, b] = Total(float(points), int(pairs))
    return totals


def check_settings(editions: Sequence[str], **counts: int | None) -> None:
    """`CallerError` if there is no edition or one appears twice, or if a count is less than one."""
    if isinstance(editions, str) or not editions or len(set(editions)) < len(editions):
        raise CallerError(f"expected different editions, got {editions!r}")
    for name, count in counts.items():
        if count is not None and count < 1:
            raise CallerError(f"{name} must be at least 1, got {count}")
