"""The pages that list the games of two bots in one edition, some hundreds on each."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from cardrome.tournament.records import DRAW, GameKey
from cardrome.tournament.results.game_table import GameTable
from cardrome.tournament.results.pair_results import Ints
from cardrome.tournament.results.summary_records import Interval, Section, Summary
from cardrome.web.report.frame import (
    Names,
    counted,
    file_name,
    head,
    page,
    pairing_path,
    percent,
    range_bar,
    shown,
    table,
)
from cardrome.web.report.replays import replay_path

ROWS = 400
"""Games on a page, pairs being kept together: browsers open so many at once."""


def pairing_pages(
    summary: Summary,
    section: Section,
    games: GameTable,
    one: int,
    other: int,
    places: Ints,
    names: Names,
    replays: Collection[GameKey],
) -> Iterator[tuple[str, str]]:
    """Path and text of each page about two bots; ``places`` are those of their games."""
    edition = section.edition or ""
    count = math.ceil(len(places) / ROWS)
    share = _share(section, one, other)
    label = f"{names.plain[one]} v {names.plain[other]}"
    heading = f"{names.link(one, '../../')} v {names.link(other, '../../')}"
    lead = f"{shown(edition)} · {counted(len(places), 'game')}"
    top = ""
    if share is not None:
        top = (
            f"<p><bdi>{names.html[one]}</bdi> won <b>{percent(share.value)}</b>, 95 % interval {percent(share.low)} … "
            f"{percent(share.high)} {range_bar(share)}</p>\n"
        )
    several = len(summary.by_edition) > 1
    crumbs = [
        ("../../index.html", summary.name),
        (f"../../editions/{file_name(edition)}.html" if several else None, edition),
        (None, label),
    ]
    for number in range(1, count + 1):
        part = places[(number - 1) * ROWS : number * ROWS]
        links = _links(edition, one, other, number, count)
        body = f"{top}{links}{_games(games, part, names, replays)}{links}"
        title = f"{label} · {edition} · {summary.name}"
        yield pairing_path(edition, one, other, number), page(title, heading, body, lead=lead, crumbs=crumbs)


def _share(section: Section, one: int, other: int) -> Interval | None:
    matrix = section.matrix
    row, column = matrix.entrants.index(one), matrix.entrants.index(other)
    rate, low, high = matrix.rate[row][column], matrix.low[row][column], matrix.high[row][column]
    return None if rate is None or low is None or high is None else Interval(rate, low, high)


def _links(edition: str, one: int, other: int, number: int, count: int) -> str:
    if count == 1:
        return ""
    near = [page for page in range(1, count + 1) if page in (1, count) or abs(page - number) <= 4]
    items = [
        f"<b>{each}</b>" if each == number else f'<a href="../../{pairing_path(edition, one, other, each)}">{each}</a>'
        for each in near
    ]
    return f'<nav class="pages" aria-label="Pages">Page {" ".join(items)} of {count}</nav>\n'


def _games(games: GameTable, places: Ints, names: Names, replays: Collection[GameKey]) -> str:
    scored = bool((games.score_a[places] == games.score_a[places]).any())
    heads = [
        head("Pair", up=True), head("First turn", "name"), head("Winner", "name"), head("Replay", "l"),
        *([head("Score")] if scored else []), head("Turns"), head("Ended by", "l"),
        head("Deal", title="The seed that both games of the pair were dealt from"),
    ]  # fmt: skip
    return table(heads, _rows(games, places, scored, names, replays))


def _rows(games: GameTable, places: Ints, scored: bool, names: Names, replays: Collection[GameKey]) -> Iterator[str]:
    columns = (games.a, games.b, games.pair, games.game, games.seed, games.winner, games.turns, games.fault_of)
    numbers = zip(*(column[places].tolist() for column in columns), places.tolist(), strict=True)
    edition = games.editions[games.edition[places[0]]]
    for a, b, pair, game, seed, winner, turns, fault, place in numbers:
        sides = a, b
        score = ""
        if scored:
            score = f"<td>{games.score_a[place]:.0f} : {games.score_b[place]:.0f}</td>"
        ended = "play"
        if fault >= 0:
            kind = shown(games.fault_kinds[games.fault_kind[place]])
            ended = f'<span class="bad">{kind} of <bdi>{names.html[sides[fault]]}</bdi></span>'
        won = "<i>draw</i>" if winner == DRAW else f"<bdi>{names.html[sides[winner]]}</bdi>"
        key = GameKey(edition, a, b, pair, game)
        watch = f'<a href="../../{replay_path(key)}">watch</a>' if key in replays else ""
        yield (
            f'<tr><td>{pair}</td><td class="name"><bdi>{names.html[sides[game]]}</bdi></td>'
            f'<td class="name">{won}</td><td class="l">{watch}</td>{score}<td>{turns}</td><td class="l">{ended}</td>'
            f'<td class="soft">{seed}</td></tr>\n'
        )
