"""What pages draw: places on an axis, the matrix and its seats, times as bars."""

from __future__ import annotations

import pytest

from cardrome.arena.players.behaviour import TIME_BINS
from cardrome.arena.statistics import Estimate
from cardrome.tournament.results.ratings import Rating
from cardrome.web.tournaments.figures import Seats, axis_of, bin_name, cells, time_bars
from tests.web.tournaments.conftest import Cup


def standing(elo: float, half: float) -> Rating:
    return Rating(
        entrant=1, rank=1, rank_low=1, rank_high=9, elo=Estimate(elo, elo - half, elo + half), one_sided=False,
        games=10, points=5, rate=0.5,
    )  # fmt: skip


@pytest.mark.parametrize("values", [[(0.0, 0.0)], [(10.0, 3.0)], [(615.0, 73.0), (-874.0, 125.0)], [(-5000.0, 900.0)]])
def test_all_intervals_lie_on_the_axis_with_a_few_round_marks(values: list[tuple[float, float]]) -> None:
    lines = [standing(*value) for value in values]
    axis = axis_of(lines)
    for line in lines:
        assert 0 <= float(axis.place(line.elo.low)[:-1]) <= float(axis.place(line.elo.high)[:-1]) <= 100
    assert 1 <= len(axis.ticks) <= 7
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)


def test_cells_and_seats_count_the_same_games(families: Cup) -> None:
    _, summary, games = families
    seats = Seats(games)
    found = dict(cells(summary.overall, seats))
    assert list(found) == list(summary.overall.matrix.entrants)
    for one, row in found.items():
        for cell in row:
            if cell is None:
                continue
            ours = (games["a"] == one) & (games["b"] == cell.other) | (games["a"] == cell.other) & (games["b"] == one)
            assert cell.games == ours.sum()
            first, second = seats.rates(one, cell.other)
            assert first is not None
            assert second is not None
            # As many games on each seat: the mean of both is the whole.
            assert abs((first + second) / 2 - cell.won / 100) < 0.006
            back = next(each for each in found[cell.other] if each is not None and each.other == one)
            assert cell.won + back.won in (99, 100, 101)
            assert {cell.shade[0], back.shade[0]} in ({"w", "l"}, {"w"})


def test_times_are_bars_of_shares() -> None:
    assert time_bars((0,) * TIME_BINS) == []
    bars = time_bars((0, 0, 3, 1) + (0,) * (TIME_BINS - 4))
    assert [(bar.label, bar.share, round(bar.length)) for bar in bars] == [
        ("<2 ms", 0.0, 0),
        ("<4 ms", 0.75, 100),
        ("<8 ms", 0.25, 33),
        ("<16 ms", 0.0, 0),
    ]
    assert [bar.label for bar in time_bars((0,) * (TIME_BINS - 1) + (5,))] == ["<16 s", "≥16 s"]


def test_bins_have_names_that_tell_their_end() -> None:
    assert [bin_name(place) for place in (0, 1, 9, 10, 14)] == ["<1 ms", "<2 ms", "<512 ms", "<1 s", "<16 s"]
