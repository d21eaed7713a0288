"""A ladder: no fixed end, entrants come and go, and games are played where they are most informative."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError
from cardrome.tournament.schedule.pairing import Pairing, Ratings, Results, check_settings, field_of, totals_of

_Floats = npt.NDArray[np.float64]

MOST_PAIRINGS = 3
"""The most pairings of an entrant in one round: what they show is known only afterwards."""


@dataclass(frozen=True)
class Ladder:
    """Half as many pairings in a round as there are entrants, each chosen as the most useful one.

    A pairing is useful if a game is expected to make the ratings much more certain: if one of the two ratings is
    uncertain and the strengths are similar. It is less useful the more often it was played. A new or uncertain entrant
    may play several opponents in a round while settled ones pause.

    Entrants may join, leave, or be replaced by a new version (which is a new entrant) between rounds. Entrants
    without a rating count as average, with the largest uncertainty of all.
    """

    pairs_per_round: int
    editions: Sequence[str]
    rounds: int | None = None
    beta: float = 25 / 6
    """How much an entrant's play varies between games: a standard deviation on the scale of the ratings."""

    def __post_init__(self) -> None:
        check_settings(self.editions, rounds=self.rounds, pairs_per_round=self.pairs_per_round)
        if not 0 < self.beta < float("inf"):
            raise CallerError(f"beta must be a positive number, got {self.beta}")

    def round(
        self, number: int, entrants: Iterable[int], results: Results, ratings: Ratings | None = None
    ) -> list[Pairing] | None:
        """One round; see `Schedule`. Ratings of anybody else are ignored."""
        field = field_of(entrants)
        if self.rounds is not None and number >= self.rounds:
            return None
        mu, variance = self._beliefs(field, ratings or {})
        pairings = []
        for edition in self.editions:
            place = {entrant: k for k, entrant in enumerate(field)}
            meetings = np.zeros((len(field), len(field)))
            for (a, b), total in totals_of(results, edition).items():
                if a in place and b in place:
                    meetings[place[a], place[b]] = meetings[place[b], place[a]] = total.pairs / self.pairs_per_round
            couples = sorted(self._choose(mu, variance.copy(), meetings))
            first = number * self.pairs_per_round
            pairings += [Pairing(edition, field[i], field[j], first, self.pairs_per_round) for i, j in couples]
        return pairings

    def games(self, entrants: int) -> int | None:
        """See `Schedule`."""
        if self.rounds is None:
            return None
        return 2 * (entrants // 2) * self.rounds * self.pairs_per_round * len(self.editions)

    def _beliefs(self, field: list[int], ratings: Ratings) -> tuple[_Floats, _Floats]:
        """Each entrant's strength and its variance."""
        known = [ratings[entrant] for entrant in field if entrant in ratings]
        for mu, sigma in known:
            if not (np.isfinite(mu) and 0 < sigma < float("inf")):
                raise CallerError(f"a rating must be a number and have a positive deviation, got {mu} and {sigma}")
        average = sum(mu for mu, _ in known) / len(known) if known else 0.0
        unknown = average, max([2 * self.beta, *(sigma for _, sigma in known)])
        beliefs = np.array([ratings.get(entrant, unknown) for entrant in field], float)
        return beliefs[:, 0], beliefs[:, 1] ** 2

    def _choose(self, mu: _Floats, variance: _Floats, meetings: _Floats) -> list[tuple[int, int]]:
        """The couples of a round, as places in the field."""
        n = len(mu)
        couples: list[tuple[int, int]] = []
        count = np.zeros(n, int)
        # Only half of the matrix is used, so that every couple appears once.
        value = np.array([self._values(i, mu, variance, meetings) for i in range(n)])
        value[np.tril_indices(n)] = -np.inf
        while len(couples) < n // 2:
            i, j = divmod(int(np.argmax(value)), n)
            couples.append((i, j))
            value[i, j] = -np.inf
            chosen = [i, j]
            count[chosen] += 1
            noise = variance[i] + variance[j] + self._game_noise(mu[i] - mu[j], variance[i] + variance[j])
            variance[chosen] -= variance[chosen] ** 2 / noise
            for k in chosen:
                fresh = self._values(k, mu, variance, meetings)
                if count[k] >= MOST_PAIRINGS:
                    fresh[:] = -np.inf
                # What was ruled out stays ruled out.
                value[k] = np.where(np.isneginf(value[k]), -np.inf, fresh)
                value[:, k] = np.where(np.isneginf(value[:, k]), -np.inf, fresh)
        return couples

    def _values(self, i: int, mu: _Floats, variance: _Floats, meetings: _Floats) -> _Floats:
        """How useful one more pairing of entrant i with each other is, on a logarithmic scale.

        It is the variance that a Kalman filter expects a single game to remove from both, divided by the square root of
        the number of their meetings. So two entrants meet in proportion to the square of the gain, and every pairing is
        played at some time.
        """
        both = variance[i] + variance
        gain = (variance[i] ** 2 + variance**2) / (both + self._game_noise(mu[i] - mu, both))
        # Rounded, so that machines whose logarithms differ in the last digit agree on ties.
        return np.round(np.log(gain) - np.log1p(meetings[i]) / 2, 9)  # type: ignore[no-any-return]

    def _game_noise(self, lead: _Floats, both: _Floats) -> _Floats:
        """The variance of the difference in strength as seen in one game, large where the winner is clear."""
        scale = 2 * self.beta**2
        surprise = np.clip(np.abs(lead) / np.sqrt(scale + both), 0, 300)
        # 1 / (p (1 - p)) of the favourite's chance p.
        return scale * (2 + np.exp(surprise) + np.exp(-surprise))
