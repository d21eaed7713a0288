"""The page of one bot: where it stands, against whom it won, how long it thought and what went wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cardrome.tournament.records import GameKey
from cardrome.tournament.results.summary_records import Behaviour, Failure, Interval, Section, Summary
from cardrome.web.report.frame import (
    Names,
    counted,
    head,
    milliseconds,
    page,
    pairing_path,
    percent,
    range_bar,
    shown,
    shown_lines,
    signed,
    table,
    when,
)
from cardrome.web.report.plots import times_plot
from cardrome.web.report.replays import replay_path


def bot_page(summary: Summary, entrant: int, names: Names, replays: Collection[GameKey]) -> str:
    """The page; ``replays`` are those that have a page."""
    who = summary.entrant(entrant)
    facts = [f"version {shown(who.version)}"]
    if who.author:
        facts.append(f"by {shown(who.author, 100)}")
    facts.append(f"<code>{shown(who.agent or who.command or '', 200)}</code>")
    if not who.active:
        facts.append("no longer in the settings")
    several = len(summary.by_edition) > 1
    parts = []
    if who.problem is not None:
        parts.append(f'<h2 class="bad">Left out</h2>\n<pre>{shown_lines(who.problem)}</pre>\n')
    tiles = _tiles(summary, entrant)
    if tiles:
        parts.append(f'<dl class="tiles">{tiles}</dl>\n')
    if who.games:
        parts.append(f'<h2 id="results">Results</h2>\n{_results(summary, entrant, names, several)}')
    conduct = next((each for each in summary.conducts if each.entrant == entrant), None)
    if conduct is not None and conduct.answers:
        parts.append(_conduct(conduct, names.html[entrant]))
    failures = [failure for failure in summary.failures if failure.entrant == entrant]
    if conduct is not None and failures:
        parts.append(_faults(conduct, failures, names, replays))
    crumbs = [("../index.html", summary.name), (None, who.name)]
    heading = f"<bdi>{names.html[entrant]}</bdi>"
    return page(f"{who.name} · {summary.name}", heading, "".join(parts), lead=" · ".join(facts), crumbs=crumbs)


def _tiles(summary: Summary, entrant: int) -> str:
    sections = (summary.overall, *summary.by_edition) if len(summary.by_edition) > 1 else (summary.overall,)
    found = []
    for section in sections:
        line = next((line for line in section.standings if line.entrant == entrant), None)
        if line is None:
            continue
        name = shown(section.edition or "all editions")
        ranks = f" <small>{line.rank_low}–{line.rank_high}</small>" if line.rank_low != line.rank_high else ""
        found.append(
            f"<div><dt>Rank, {name}</dt><dd>{line.rank} <small>of {len(section.standings)}</small>{ranks}</dd></div>"
            f"<div><dt>Elo</dt><dd>{signed(line.elo)} "
            f"<small>{signed(line.low)} … {signed(line.high)}</small></dd></div>"
            f"<div><dt>Won</dt><dd>{percent(line.rate)} <small>of {counted(line.games, 'game')}</small></dd></div>"
        )
    return "".join(found)


def _results(summary: Summary, entrant: int, names: Names, several: bool) -> str:
    """Against each opponent, in each edition; opponents in the order of the standings."""
    order = {other: place for place, other in enumerate(summary.overall.matrix.entrants)}
    found = [
        (order[other], place, other, share, games)
        for place, section in enumerate(summary.by_edition)
        for other, share, games in _against(section, entrant)
    ]
    found.sort(key=lambda row: row[:2])

    def rows() -> Iterator[str]:
        before = None
        for _, place, other, share, games in found:
            edition = summary.by_edition[place].edition or ""
            edition_cell = f'<td class="l">{shown(edition)}</td>' if several else ""
            where = pairing_path(edition, entrant, other)
            # The first row about an opponent is where the matrix of all editions leads to.
            named = "" if other == before else f' id="{other}"'
            before = other
            yield (
                f'<tr{named}><th scope="row" class="name">{names.link(other, "../")}</th>'
                f"{edition_cell}"
                f'<td class="strong">{percent(share.value)}</td>'
                f'<td data-v="{share.low:.4f}">{percent(share.low)} … {percent(share.high)}</td>'
                f'<td>{range_bar(share)}</td><td>{games:,}</td><td class="l"><a href="../{where}">games</a></td></tr>\n'
            )

    heads = [
        head("Opponent", "name"),
        head("Edition", "l"),
        head("Won"),
        head("95 %"),
        head(""),
        head("Games"),
        head(""),
    ]
    return table(heads if several else [heads[0], *heads[2:]], rows())


def _against(section: Section, entrant: int) -> Iterator[tuple[int, Interval, int]]:
    matrix = section.matrix
    if entrant not in matrix.entrants:
        return
    row = matrix.entrants.index(entrant)
    for column, other in enumerate(matrix.entrants):
        rate, low, high = matrix.rate[row][column], matrix.low[row][column], matrix.high[row][column]
        if rate is not None and low is not None and high is not None:
            yield other, Interval(rate, low, high), matrix.games[row][column]


def _conduct(conduct: Behaviour, name: str) -> str:
    times = (
        f"<div><dt>Answers</dt><dd>{conduct.answers:,}</dd></div>"
        f"<div><dt>Mean</dt><dd>{milliseconds(conduct.mean_ms)}</dd></div>"
        f"<div><dt>99 % within</dt><dd>{milliseconds(conduct.p99_ms)}</dd></div>"
        f"<div><dt>Slowest</dt><dd>{milliseconds(conduct.worst_ms)}</dd></div>"
        f"<div><dt>Slowest first answer</dt><dd>{milliseconds(conduct.worst_first_ms)}</dd></div>"
    )
    return (
        '<h2 id="times">Answer times</h2>\n<p>The first answer of a game contains the start of the program; it is '
        f'not in the plot.</p>\n<dl class="tiles">{times}</dl>\n'
        f'<div class="both"><div class="figure">{times_plot(conduct.times, name)}</div></div>\n'
    )


def _faults(conduct: Behaviour, failures: list[Failure], names: Names, replays: Collection[GameKey]) -> str:
    total = sum(conduct.faults.values())
    kinds = ", ".join(f"{shown(kind)} {count:,}" for kind, count in conduct.faults.items())
    latest = "" if len(failures) == total else f" The latest {len(failures)} are listed."
    heads = [
        head("What happened", "wide"), head("Against", "name"), head("Game", "l"), head("Edition", "l"),
        head("When, UTC", "l"),
    ]  # fmt: skip
    # The first one is unfolded, so that nobody has to guess what is behind the others.
    rows = (_fault(failure, names, replays, place == 0) for place, failure in enumerate(failures))
    words = f"{counted(total, 'game')} lost by a fault: {kinds}.{latest}"
    return f'<h2 id="faults">Faults</h2>\n<p>{words}</p>\n{table(heads, rows, "list")}'


def _fault(failure: Failure, names: Names, replays: Collection[GameKey], unfolded: bool) -> str:
    key = GameKey(failure.edition, failure.a, failure.b, failure.pair, failure.game)  # type: ignore[arg-type]
    label = f"pair {failure.pair}, game {failure.game + 1}"
    game = f'<a href="../{replay_path(key)}">{label}</a>' if key in replays else label
    stderr = shown_lines(failure.stderr.strip("\n"))
    kind = " open" if unfolded else ""
    tail = f"<details{kind}><summary>standard error</summary><pre>{stderr}</pre></details>" if stderr else ""
    return (
        f'<tr><td class="wide"><span class="bad">{shown(failure.kind)}</span> {shown(failure.message, 400)}{tail}</td>'
        f'<td class="name">{names.link(failure.opponent, "../")}</td><td class="l">{game}</td>'
        f'<td class="l">{shown(failure.edition)}</td><td class="l">{when(failure.finished_at)}</td></tr>\n'
    )
