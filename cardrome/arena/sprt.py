"""Sequential tests: play until it is clear whether a player is better, and no longer.

A sequential probability ratio test (SPRT) compares two hypotheses, "ahead by elo0" (H0) and "ahead by elo1" (H1), by
the logarithm of their likelihood ratio (LLR), and ends when it leaves an interval. This is the generalised test over
mirrored pairs: a hypothesis fixes only the expected score, and takes the most likely chances of winning none, one or
both games of a pair that yield this score.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Any

from cardrome.arena.elo import rate_of_elo
from cardrome.arena.statistics import PairCounts
from cardrome.errors import CallerError

LOOK_EVERY = 32
"""Pairs between two looks at the result. Fixed, so that a test ends at the same pair with any number of jobs."""

UNSEEN = 1e-3
"""The count of a result that has not occurred yet: a likelihood needs it to be possible."""

FORM = "expected elo0,elo1 or elo0,elo1,alpha,beta, as in 0,10 or 0,10,0.05,0.05"


class Decision(enum.Enum):
    """The verdict of a sequential test."""

    H0 = "H0"
    """The lead is elo0 or less rather than elo1."""
    H1 = "H1"
    """The lead is elo1 or more rather than elo0."""
    CONTINUE = "continue"
    """Not clear yet."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of logistic Elo; alpha and beta are the chances of accepting H1 and H0 wrongly."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (0 < rate_of_elo(self.elo0) < rate_of_elo(self.elo1) < 1):
            raise CallerError(f"SPRT from {self.elo0:g} to {self.elo1:g} Elo: elo0 must be below elo1, and both finite")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise CallerError(f"SPRT with {name}={chance:g}: a chance of error lies between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """A test from ``elo0,elo1`` or ``elo0,elo1,alpha,beta``."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            raise CallerError(f"SPRT {text!r}: {FORM}") from None
        if len(numbers) not in (2, 4):
            raise CallerError(f"SPRT {text!r}: {FORM}")
        return cls(*numbers)

    def __str__(self) -> str:
        return f"{self.elo0:g},{self.elo1:g},{self.alpha:g},{self.beta:g}"

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at or below which H0 is accepted, and the one at or above which H1 is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: PairCounts) -> float:
        """The log-likelihood ratio of H1 over H0 after these pairs."""
        if sum(counts) == 0:
            return 0.0
        seen = [count or UNSEEN for count in counts]
        # The likelihood of the observed frequencies themselves is common to both hypotheses, and cancels out.
        return _constrained_log_likelihood(seen, rate_of_elo(self.elo1)) - _constrained_log_likelihood(
            seen, rate_of_elo(self.elo0)
        )

    def decide(self, counts: PairCounts) -> Decision:
        """The verdict after these pairs."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        return Decision.H0 if llr <= lower else Decision.H1 if llr >= upper else Decision.CONTINUE


@dataclass(frozen=True, slots=True)
class SprtResult:
    """A test after the pairs of a series, and whether it is decided."""

    test: Sprt
    llr: float
    decision: Decision

    def summary(self) -> dict[str, Any]:
        """Everything as plain data, for ``--json``."""
        test = self.test
        return {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "llr": self.llr,
            "bounds": list(test.bounds),
            "decision": self.decision.value,
        }

    def __str__(self) -> str:
        lower, upper = self.test.bounds
        way = self.llr / (upper if self.llr >= 0 else -lower)
        span = f"[{self.test.elo0:.2f}, {self.test.elo1:.2f}]"
        return f"{self.llr:.2f} ({way:.1%}) ({lower:.2f}, {upper:.2f}) {span}"


class Watch:
    """A test that follows a series pair by pair and looks at the result at fixed intervals."""

    def __init__(self, test: Sprt, results: int = 3) -> None:
        """``results`` is the number of different results of a pair: 3, or 5 where games can be drawn."""
        self.test = test
        self.decision = Decision.CONTINUE
        self._counts = [0] * results

    def follow(self, pairs: list[int]) -> int:
        """Take the next pairs, each as the index of its result in the counts; returns how many precede the decision."""
        for k, result in enumerate(pairs):
            if self.decision is not Decision.CONTINUE:
                return k
            self._counts[result] += 1
            if sum(self._counts) % LOOK_EVERY == 0:
                self.decision = self.test.decide(tuple(self._counts))
        return len(pairs)


def _constrained_log_likelihood(seen: list[float], score: float) -> float:
    """The greatest log-likelihood of the counts among chances with this expected score, up to a constant.

    By Lagrange, the chances are frequency / (1 + t * (share - score)) for the one t that yields the score.
    """
    away = [k / (len(seen) - 1) - score for k in range(len(seen))]

    # All chances are positive between these bounds, where the excess over the score falls from plus to minus infinity.
    low, high = -1 / away[-1], -1 / away[0]
    t = 0.0
    for _ in range(64):  # halvings, enough for all digits of a float; Newton's steps are much fewer
        excess = slope = 0.0
        for n, x in zip(seen, away, strict=True):
            ratio = x / (1 + t * x)
            excess += n * ratio
            slope += n * ratio * ratio
        if excess > 0:
            low = t
        else:
            high = t
        step = excess / slope
        if abs(excess * step) < 1e-14:  # twice what the likelihood could still gain
            break
        t = t + step if low < t + step < high else (low + high) / 2
    return -sum(n * math.log1p(t * x) for n, x in zip(seen, away, strict=True))
