"""Plots as SVG elements of a page: well-formed, the same every time, and names in them are only text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from cardrome.arena.players.behaviour import TIME_BINS
from cardrome.arena.statistics import Estimate
from cardrome.tournament.results.ratings import Rating
from cardrome.web.report.plots import bin_name, ratings_plot, times_plot

HOSTILE = '<img src=x onerror="a">'


def standing(entrant: int, elo: float) -> Rating:
    return Rating(
        entrant=entrant,
        rank=entrant,
        rank_low=1,
        rank_high=9,
        elo=Estimate(elo, elo - 20, elo + 20),
        one_sided=False,
        games=10,
        points=5,
        rate=0.5,
    )


def test_names_are_texts_whatever_they_contain() -> None:
    names = {1: HOSTILE, 2: "$x^2$ 漢字 \\alpha", 3: 'style="fill: red"'}
    svg = ratings_plot([standing(entrant, 100.0 * entrant) for entrant in names], names)
    root = ET.fromstring(svg)
    texts = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert "<img src=x onerro…" in texts
    assert "$x^2$ 漢字 \\alpha" in texts
    assert 'style="fill: red"' in texts
    assert not any("style" in element.attrib for element in root.iter())
    assert not any(element.tag.endswith(("}style", "}img", "}metadata")) for element in root.iter())


def test_the_same_data_give_the_same_plot() -> None:
    lines = [standing(k, -7.0 * k) for k in range(1, 30)]
    names = {k: f"bot {k}" for k in range(1, 30)}
    assert ratings_plot(lines, names) == ratings_plot(lines, names)
    assert "#0" not in ratings_plot(lines, names).replace("url(#", "").replace('"#m', "")


def test_a_single_bot_and_no_answers_can_be_drawn() -> None:
    ET.fromstring(ratings_plot([standing(1, 0.0)], {1: "alone"}))
    ET.fromstring(times_plot((0,) * TIME_BINS, "nobody"))
    ET.fromstring(times_plot((0,) * (TIME_BINS - 1) + (5,), HOSTILE))


def test_bins_have_names_that_tell_their_end() -> None:
    assert [bin_name(place) for place in (0, 1, 9, 10, 14, 15)] == [
        "<1 ms",
        "<2 ms",
        "<512 ms",
        "<1 s",
        "<16 s",
        "more",
    ]
