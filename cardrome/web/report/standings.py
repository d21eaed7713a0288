"""Standings and the matrix of win rates, as parts of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cardrome.tournament.results.summary_records import Section, Standing, Summary
from cardrome.web.report.frame import Names, counted, head, percent, range_bar, shown, signed, table
from cardrome.web.report.plots import ratings_plot

FEW = 12
"""Up to so many bots the matrix has room for intervals."""


def standings_part(summary: Summary, section: Section, names: Names, up: str) -> str:
    """The table beside its plot; the ladder's first, and the table without forfeits folded up."""
    if not section.standings:
        return '<p class="soft">No game has been played yet.</p>\n'
    parts = []
    if section.ladder is not None:
        parts.append(_ladder(section, names, up))
    if section.groups > 1:
        parts.append(
            f'<p class="bad">The bots fall into {section.groups} groups that never met: '
            "ratings can be compared within a group only.</p>\n"
        )
    parts.append(
        f'<div class="both">{_table(summary, section.standings, names, up)}'
        f'<div class="figure">{ratings_plot(section.standings, names.plain)}</div></div>\n'
    )
    if any(line.one_sided for line in section.standings):
        parts.append('<p class="soft">* won all games, or lost all: how far away it is cannot be known.</p>\n')
    if section.without_forfeits is not None:
        count = counted(section.forfeits, "game", "games")
        parts.append(
            f"<details><summary>The same without the {count} that a fault decided</summary>\n"
            f"{_table(summary, section.without_forfeits, names, up)}</details>\n"
        )
    return "".join(parts)


def _table(summary: Summary, standings: Sequence[Standing], names: Names, up: str) -> str:
    people = {entrant.id: entrant for entrant in summary.entrants}
    heads = [
        head("#", up=True),
        head("Bot", "name"),
        head("Elo"),
        head("95 %", title="The interval that holds the true rating with 95 % confidence", up=True),
        head("Ranks", title="The ranks it may have, with 95 % confidence", up=True),
        head("Won"),
        head("Games"),
    ]

    def rows() -> Iterator[str]:
        for line in standings:
            gone = "" if people[line.entrant].active else ' <small title="no longer in the settings">left</small>'
            ranks = f"{line.rank_low}" if line.rank_low == line.rank_high else f"{line.rank_low}–{line.rank_high}"
            yield (
                f'<tr><td>{line.rank}</td><th scope="row" class="name">{names.link(line.entrant, up)}{gone}</th>'
                f'<td class="strong">{signed(line.elo)}{"*" if line.one_sided else ""}</td>'
                f'<td data-v="{line.low:.1f}">{signed(line.low)} … {signed(line.high)}</td>'
                f'<td data-v="{line.rank_low}">{ranks}</td><td>{percent(line.rate)}</td><td>{line.games:,}</td></tr>\n'
            )

    return table(heads, rows())


def _ladder(section: Section, names: Names, up: str) -> str:
    heads = [
        head("#", up=True),
        head("Bot", "name"),
        head("Ladder", title="The skill it has almost certainly: mu - 3 sigma"),
        head("μ"),
        head("σ", up=True),
        head("Results"),
    ]
    rows = (
        f'<tr><td>{line.rank}</td><th scope="row" class="name">{names.link(line.entrant, up)}</th>'
        f'<td class="strong">{line.ordinal:.2f}</td><td>{line.mu:.2f}</td><td>{line.sigma:.2f}</td>'
        f"<td>{line.meetings:,}</td></tr>\n"
        for line in section.ladder or ()
    )
    return f"{table(heads, rows)}<h2>Elo</h2>\n"


def matrix_part(section: Section, names: Names, up: str, where: Callable[[int, int], str]) -> str:
    """The win rates as a heat map. ``where`` gives the page about two bots."""
    matrix = section.matrix
    few = len(matrix.entrants) <= FEW
    columns = "".join(
        f'<th scope="col"><a href="{up}bots/{entrant}.html" title="{names.html[entrant]}">'
        f"<span><bdi>{names.html[entrant]}</bdi></span></a></th>"
        for entrant in matrix.entrants
    )

    def cell(i: int, j: int) -> str:
        rate, low, high = matrix.rate[i][j], matrix.low[i][j], matrix.high[i][j]
        if rate is None or low is None or high is None:
            return '<td class="self"></td>' if i == j else "<td></td>"
        one, other = matrix.entrants[i], matrix.entrants[j]
        level = round(abs(rate - 0.5) * 20)
        says = (
            f"{names.html[one]} won {percent(rate)} of {counted(matrix.games[i][j], 'game')} against "
            f"{names.html[other]}, 95 % interval {100 * low:.0f}–{100 * high:.0f} %"
        )
        within = f"<small>{100 * low:.0f}–{100 * high:.0f}</small>" if few else ""
        return (
            f'<td class="{"w" if rate >= 0.5 else "d"} m{level}"><a href="{where(one, other)}" title="{says}">'
            f"{100 * rate:.0f}{within}</a></td>"
        )

    size = range(len(matrix.entrants))
    rows = "".join(
        f'<tr><th scope="row">{names.link(entrant, up)}</th>{"".join(cell(i, j) for j in size)}</tr>\n'
        for i, entrant in enumerate(matrix.entrants)
    )
    kind = "box matrix few" if few else "box matrix"
    return (
        f'<div class="{kind}" tabindex="0"><table><thead><tr><th></th>{columns}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody></table></div>\n{_SCALE}"
        '<p id="cell" aria-live="polite"></p>\n'
    )


_SCALE = (
    '<p class="scale">0 % <span>'
    + "".join(f'<i class="d m{level}"></i>' for level in range(10, 0, -1))
    + "".join(f'<i class="w m{level}"></i>' for level in range(11))
    + "</span> 100 % won by the bot of the row</p>\n"
)


def editions_part(sections: Sequence[Section], where: Callable[[str], str | None]) -> str:
    """What there is to say of each edition, the worth of the first seat above all."""
    heads = [
        head("Edition", "l"),
        head("First seat won"),
        head("95 %"),
        head(""),
        head("Games"),
        head("Turns", title="Of a game, on average"),
        head("Drawn"),
        head("Faults"),
    ]
    rows = []
    for section in sections:
        name, seat = shown(section.edition or "all together"), section.first_seat
        link = None if section.edition is None else where(section.edition)
        title = f'<a href="{link}">{name}</a>' if link else name
        turns = "" if section.mean_turns is None else f"{section.mean_turns:.1f}"
        rows.append(
            f'<tr><th scope="row" class="l">{title}</th><td class="strong">{percent(seat.value)}</td>'
            f"<td>{percent(seat.low)} … {percent(seat.high)}</td><td>{range_bar(seat)}</td>"
            f"<td>{section.games:,}</td><td>{turns}</td><td>{section.drawn:,}</td><td>{section.forfeits:,}</td></tr>\n"
        )
    return table(heads, rows, "")
