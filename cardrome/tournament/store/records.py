"""What a tournament's store gives besides the records that it takes."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from cardrome.arena.storage.store import differences, values_in
from cardrome.tournament.schedule.pairing import Pairing


class StoredTournament(msgspec.Struct, frozen=True):
    """Which tournament a store holds."""

    name: str
    seed: int
    fixed: str
    """JSON: the settings that its games depend on."""
    growing: str
    """JSON: the settings that may become more, as they were the last time."""

    def differences(self, name: str, seed: int | None, fixed: str) -> list[str]:
        """What another tournament has otherwise, each as a phrase: ``limits.clock is true there and false here``."""
        there = {"name": repr(self.name), "seed": str(self.seed), **values_in(self.fixed)}
        here = {"name": repr(name), "seed": str(self.seed if seed is None else seed), **values_in(fixed)}
        return differences(there, here)


class StoredRound(msgspec.Struct, frozen=True):
    """A round as it was drawn. Times are seconds since 1970."""

    number: int
    """From 0 on, as schedules count."""
    pairings: tuple[Pairing, ...]
    began_at: float
    finished_at: float | None
    """None while games of it are missing."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Games as arrays, sorted by edition, A, B, pair and game, whatever the order in which they were saved."""

    editions: tuple[str, ...]
    """Those asked for, in that order, or all there are by name."""
    edition: npt.NDArray[np.int64]
    """A place in ``editions``."""
    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    """Entrants' ids."""
    pair: npt.NDArray[np.int64]
    game: npt.NDArray[np.int64]
    winner: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    score_a: npt.NDArray[np.float64]
    score_b: npt.NDArray[np.float64]
    """NaN in families without scores."""
    forfeit: npt.NDArray[np.bool_]
    """Whether a fault decided the game, and not play."""

    def __len__(self) -> int:
        return len(self.a)


class ConductTotal(msgspec.Struct, frozen=True, kw_only=True):
    """How an entrant behaved in all its games."""

    games: int
    """In which it was a program; of these are the times."""
    answers: int
    total_ms: int
    worst_ms: int
    """The slowest answer, first answers left out."""
    worst_first_ms: int
    times: tuple[int, ...]
    """Answers by time, `TIME_BINS` counts, first answers left out."""
    faults: dict[str, int]
    """How many games it lost by a fault, by the kind of fault."""

    @property
    def mean_ms(self) -> float:
        """Of all answers, first ones included; 0 if there was none."""
        return self.total_ms / self.answers if self.answers else 0.0
