"""What came of a series: the games, and what they say about the two players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cardrome.arena.elo import elo_difference, likelihood_of_superiority, normalised_elo
from cardrome.arena.openings import Openings
from cardrome.arena.players.behaviour import Behaviour, behaviour_in, total
from cardrome.arena.players.player import parse_player
from cardrome.arena.sprt import Decision, SprtResult
from cardrome.arena.statistics import (
    Estimate,
    PairCounts,
    count_pairs,
    lost_split_won,
    mean_score,
    pair_win_rate,
    wilson,
)
from cardrome.engine.bulk import DRAWN, Games
from cardrome.games.family import AnyFamily, find_family
from cardrome.games.game import Edition
from cardrome.games.replays import Replay


class Loss(NamedTuple):
    """A game of a series that a player lost."""

    number: int
    """Of the game in this run; the first is 1."""
    seat: int
    """Of the player who lost."""
    replay: Replay

    @property
    def reason(self) -> str:
        """Why: the kind of their fault, or else how the game ended."""
        fault = self.replay.fault
        return self.replay.ending if fault is None else fault.kind


def lost_by_reason(losses: Iterable[Loss]) -> dict[str, int]:
    """How many games were lost for each reason, the most frequent first."""
    return dict(Counter(str(loss.reason) for loss in losses).most_common())


@dataclass(frozen=True)
class SeriesResult:
    """The games of a series and what they say; rates are those of player A."""

    edition: Edition
    a: str
    b: str
    seed: int
    asked_pairs: int
    games: Games
    """One record for each game played, two for each pair, in order of the pairs."""
    sprt: SprtResult | None = None
    """The sequential test that was asked for, as it stands."""
    openings: Openings | None = None
    """The book that the deals come from; the seed has no part in it then."""
    replays: Sequence[tuple[int, Replay]] = ()
    """The games of this run, if bots played or they were to be kept: who moved first (0 = A, 1 = B), and the game."""
    played_again: Mapping[str, int] = field(default_factory=dict)
    """How many games of this run had to be begun again, by the reason: a bot may have killed the process that refereed
    them."""

    @property
    def interrupted(self) -> bool:
        """The series was stopped before its end, and not by its test."""
        decided = self.sprt is not None and self.sprt.decision is not Decision.CONTINUE
        return len(self.games) < 2 * self.asked_pairs and not decided

    @property
    def family(self) -> AnyFamily:
        """The family of the edition."""
        return find_family(self.edition.name)

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """A's points in each pair: one for a game won, half a point for one that is drawn."""
        return half_points(self.games) / 2

    @property
    def wins(self) -> tuple[int, int]:
        """Games won by A and by B."""
        return int((self.games.winner == 0).sum()), int((self.games.winner == 1).sum())

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return int((self.games.winner == DRAWN).sum())

    @property
    def pair_counts(self) -> PairCounts:
        """Pairs by A's points: of which A won none, one, both, or in steps of half a point if there can be draws."""
        return count_pairs(self.points, self.family.has_draws)

    @property
    def mean_scores(self) -> tuple[Estimate, Estimate] | None:
        """A's and B's mean scores, in a family that has scores."""
        if not self.family.has_scores:
            return None
        return mean_score(self.games.score_a), mean_score(self.games.score_b)

    @property
    def win_rate(self) -> Estimate:
        """How often A wins."""
        return pair_win_rate(self.pair_counts)

    @property
    def elo(self) -> Estimate:
        """How many Elo points A is ahead."""
        return elo_difference(self.pair_counts)

    @property
    def normalised_elo(self) -> Estimate:
        """A's lead measured in standard deviations of a game, on the scale of chess testers."""
        return normalised_elo(self.pair_counts)

    @property
    def superiority(self) -> float:
        """How likely it is that A is the better player (LOS)."""
        return likelihood_of_superiority(self.pair_counts)

    @property
    def first_seat(self) -> Estimate:
        """How often the player who moves first wins."""
        n = len(self.games)
        won = (self.games.winner == self.games.first) + (self.games.winner == DRAWN) / 2
        rate = float(won.mean()) if n else 0.5
        return wilson(rate, n)

    @property
    def bots(self) -> tuple[Behaviour | None, Behaviour | None]:
        """How each player behaved as a bot, in the games of this run; None for agents."""
        reports = [
            total(behaviour_in(replay, player ^ first) for first, replay in self.replays)
            if parse_player(name, self.family).agent is None
            else None
            for player, name in enumerate((self.a, self.b))
        ]
        return reports[0], reports[1]

    def losses(self, player: int) -> list[Loss]:
        """The games of this run that A (0) or B (1) lost, as far as there are replays."""
        return [
            Loss(number, player ^ first, replay)
            for number, (first, replay) in enumerate(self.replays, 1)
            if replay.winner == 1 ^ player ^ first
        ]

    def summary(self) -> dict[str, Any]:
        """Everything as plain data, for ``--json``, in which infinite numbers become null."""
        rate, first, elo, normalised = self.win_rate, self.first_seat, self.elo, self.normalised_elo
        n, book = len(self.games), self.openings
        return {
            "edition": self.edition.name,
            "players": [self.a, self.b],
            "seed": self.seed if book is None else None,
            "openings": None if book is None else {"name": book.name, "deals": len(book), "digest": book.digest},
            "games": n,
            "asked_games": 2 * self.asked_pairs,
            "complete": not self.interrupted,
            "wins": list(self.wins),
            "win_rate": rate.value,
            "win_rate_95": [rate.low, rate.high],
            "elo": elo.value,
            "elo_95": [elo.low, elo.high],
            "normalised_elo": normalised.value,
            "normalised_elo_95": [normalised.low, normalised.high],
            "likelihood_of_superiority": self.superiority,
            "pairs": dict(zip(("lost", "split", "won"), lost_split_won(self.pair_counts), strict=True)),
            "sprt": None if self.sprt is None else self.sprt.summary(),
            "first_seat_win_rate": first.value,
            "first_seat_win_rate_95": [first.low, first.high],
            "turns_per_game": float(self.games.turns.mean()) if n else None,
            "actions_per_game": float(self.games.actions.mean()) if n else None,
            "bots": [
                None if report is None else report.summary() | {"lost": lost_by_reason(self.losses(player))}
                for player, report in enumerate(self.bots)
            ],
            "played_again": dict(self.played_again),
            **self._summary_of_scores(),
        }

    def _summary_of_scores(self) -> dict[str, Any]:
        """What only some families have: draws and scores."""
        found: dict[str, Any] = {}
        if self.family.has_draws:
            found |= {"draws": self.draws, "pairs_by_half_points": list(self.pair_counts)}
        if (scores := self.mean_scores) is not None:
            found["mean_scores"] = [score.value for score in scores]
            found["mean_scores_95"] = [[score.low, score.high] for score in scores]
        return found


def half_points(games: Games) -> npt.NDArray[np.int64]:
    """A's points in each pair, twice: 2 for a game won, 1 for one that is drawn."""
    points = 2 * np.asarray(games.winner == 0, np.int64) + (games.winner == DRAWN)
    return np.asarray(points[0::2] + points[1::2], np.int64)
