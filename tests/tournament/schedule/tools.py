"""Questions to schedules, and results to answer them from."""

from __future__ import annotations

from cardrome.tournament.schedule.pairing import Pairing, Total

ONE = ("locm-1.2",)
TWO = ("locm-1.2", "locm-1.5")
Totals = dict[tuple[str, int, int], Total]


def couples(pairings: list[Pairing] | None) -> list[tuple[int, int]]:
    assert pairings is not None
    return [(pairing.a, pairing.b) for pairing in pairings]


def add(results: Totals, pairing: Pairing, points: float) -> None:
    key = pairing.edition, pairing.a, pairing.b
    before = results.get(key, Total(0, 0))
    results[key] = Total(before.points + points, before.pairs + pairing.pairs)
