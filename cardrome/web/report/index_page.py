"""The first page of a report, and the page of an edition where there are several."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from cardrome.tournament.results.summary_records import Section, Summary
from cardrome.web.report.frame import (
    Names,
    counted,
    file_name,
    head,
    milliseconds,
    page,
    pairing_path,
    shown,
    shown_lines,
    table,
    when,
)
from cardrome.web.report.standings import editions_part, matrix_part, standings_part

SETTINGS_FILE = "tournament.toml"
"""Where the settings lie that play the tournament again, in the report's folder."""

COMMAND = f"cardrome tournament {SETTINGS_FILE}"
"""What plays the tournament again."""

_MATRIX_WORDS = "How many of 100 games the bot of the row won against the bot of the column; the best come first."


def index_page(summary: Summary, names: Names, replays: int) -> str:
    """The first page; ``replays`` is how many games can be watched."""
    several = len(summary.by_edition) > 1
    editions = [section for section in summary.by_edition if section.games] or list(summary.by_edition)

    def games_of(one: int, other: int) -> str:
        return f"bots/{one}.html#{other}" if several else pairing_path(editions[0].edition or "", one, other)

    def edition_page(name: str) -> str | None:
        return f"editions/{file_name(name)}.html" if several else None

    seats = (*summary.by_edition, summary.overall) if several else summary.by_edition
    parts = [
        _jump(summary),
        _tiles(summary, replays),
        '<h2 id="standings">Standings</h2>\n',
        f"<p>{_what_is_rated(summary)}</p>\n",
        standings_part(summary, summary.overall, names, ""),
    ]
    if summary.games:
        parts += [
            f'<h2 id="matrix">Who beat whom</h2>\n<p>{_MATRIX_WORDS}</p>\n',
            matrix_part(summary.overall, names, "", games_of),
            '<h2 id="editions">Editions and the first seat</h2>\n'
            "<p>How often whoever had the first turn won, over all mirrored pairs.</p>\n",
            editions_part(seats, edition_page),
        ]
    parts += [_faults(summary, names), _times(summary, names), _entrants(summary, names), _again(summary)]
    return page(summary.name, shown(summary.name), "".join(parts), lead=_lead(summary))


def edition_page(summary: Summary, section: Section, names: Names) -> str:
    """The page of one edition."""
    edition = section.edition or ""
    body = (
        f'<h2 id="standings">Standings</h2>\n{standings_part(summary, section, names, "../")}'
        f'<h2 id="matrix">Who beat whom</h2>\n<p>{_MATRIX_WORDS}</p>\n'
        f"{matrix_part(section, names, '../', lambda one, other: '../' + pairing_path(edition, one, other))}"
        f'<h2 id="editions">The first seat</h2>\n{editions_part([section], lambda name: None)}'
    )
    crumbs = [("../index.html", summary.name), (None, edition)]
    return page(f"{edition} · {summary.name}", shown(edition), body, crumbs=crumbs)


def _lead(summary: Summary) -> str:
    return f"{escape(_schedule(summary))} on {', '.join(map(shown, summary.editions))}, seed {summary.seed}"


def _schedule(summary: Summary) -> str:
    rounds = "" if summary.rounds is None else f" of {counted(summary.rounds, 'round')}"
    pairs = "" if summary.pairs is None else f", {counted(summary.pairs, 'pair')} of games each time two bots meet"
    names = {"round-robin": "Round robin", "gauntlet": "Gauntlet", "swiss": "Swiss tournament", "ladder": "Ladder"}
    return f"{names.get(summary.schedule, summary.schedule)}{rounds}{pairs}"


def _jump(summary: Summary) -> str:
    links = {"standings": "Standings"}
    if summary.games:
        links |= {"matrix": "Who beat whom", "editions": "First seat"}
    if summary.overall.forfeits or summary.left_out:
        links["faults"] = "Faults"
    if any(each.answers for each in summary.conducts):
        links["times"] = "Answer times"
    links |= {"bots": "Bots", "again": "Play it again"}
    items = "".join(f'<a href="#{where}">{name}</a>' for where, name in links.items())
    return f'<nav class="jump" aria-label="On this page">{items}</nav>\n'


def _tiles(summary: Summary, replays: int) -> str:
    bots = len(summary.overall.standings)
    faults = summary.overall.forfeits
    tiles = [("Bots", f"{bots:,}"), ("Games", f"{summary.games:,}"), ("Lost by a fault", f"{faults:,}")]
    if replays:
        tiles.append(("To be watched", f"{replays:,}"))
    if len(summary.editions) > 1:
        tiles.append(("Editions", str(len(summary.editions))))
    if summary.began_at is not None and summary.finished_at is not None:
        tiles.append(
            ("Played", f"{when(summary.began_at)} <small>to</small> {when(summary.finished_at)} <small>UTC</small>")
        )
    return f'<dl class="tiles">{"".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in tiles)}</dl>\n'


def _what_is_rated(summary: Summary) -> str:
    together = f"all {len(summary.editions)} editions together" if len(summary.editions) > 1 else "all games at once"
    return (
        f"Elo from {together}; 0 is the mean of all bots. Intervals hold the truth with 95 % confidence; they come "
        "from a bootstrap over mirrored pairs of games."
    )


def _faults(summary: Summary, names: Names) -> str:
    lines = [each for each in summary.conducts if each.faults]
    if not lines and not summary.left_out:
        return ""
    latest = {failure.entrant: failure for failure in reversed(summary.failures)}

    def rows() -> Iterator[str]:
        for each in sorted(lines, key=lambda each: (-sum(each.faults.values()), each.entrant)):
            kinds = ", ".join(f"{shown(kind)} {count:,}" for kind, count in each.faults.items())
            last = latest.get(each.entrant)
            message = "" if last is None else f"{shown(last.kind)}: {shown(last.message, 160)}"
            yield (
                f'<tr><th scope="row" class="name">{names.link(each.entrant, "")}</th>'
                f'<td class="strong">{sum(each.faults.values()):,}</td><td class="l">{kinds}</td>'
                f'<td class="wide">{message}</td>'
                f'<td class="l"><a href="bots/{each.entrant}.html#faults">show</a></td></tr>\n'
            )

    parts = ['<h2 id="faults">Faults</h2>\n']
    if lines:
        parts.append("<p>Games lost by a crash, a late answer or one that nobody understands.</p>\n")
        heads = [head("Bot", "name"), head("Games lost"), head("By kind", "l"), head("The latest", "wide"), head("")]
        parts.append(table(heads, rows()))
    parts += [
        f'<details open><summary class="bad"><bdi>{names.html[entrant.id]}</bdi> was left out</summary>'
        f"<pre>{shown_lines(entrant.problem or '')}</pre></details>\n"
        for entrant in summary.left_out
    ]
    return "".join(parts)


def _times(summary: Summary, names: Names) -> str:
    lines = [each for each in summary.conducts if each.answers]
    if not lines:
        return ""
    heads = [
        head("Bot", "name"),
        head("Answers"),
        head("Mean"),
        head("99 % within"),
        head("Slowest"),
        head("Slowest first answer", title="It contains the start of the program"),
    ]
    order = {line.entrant: line.rank for line in summary.overall.standings}
    rows = (
        f'<tr><th scope="row" class="name">{names.link(each.entrant, "")}</th><td>{each.answers:,}</td>'
        f"{_ms(each.mean_ms)}{_ms(each.p99_ms)}{_ms(each.worst_ms)}{_ms(each.worst_first_ms)}</tr>\n"
        for each in sorted(lines, key=lambda each: (order.get(each.entrant, 0), each.entrant))
    )
    return f'<h2 id="times">Answer times</h2>\n{table(heads, rows)}'


def _ms(value: float) -> str:
    return f'<td data-v="{value:.1f}">{milliseconds(value)}</td>'


def _entrants(summary: Summary, names: Names) -> str:
    heads = [
        head("Bot", "name"), head("Version", "l"), head("Author", "name"), head("Plays as", "wide"), head("Games"),
    ]  # fmt: skip
    rows = (
        f'<tr><th scope="row" class="name">{names.link(each.id, "")}</th><td class="l">{shown(each.version)}</td>'
        f'<td class="name">{shown(each.author, 100)}</td>'
        f'<td class="wide"><code>{shown(each.agent or each.command or "", 200)}</code></td>'
        f"<td>{each.games:,}</td></tr>\n"
        for each in summary.entrants
    )
    return f'<h2 id="bots">Bots</h2>\n{table(heads, rows)}'


def _again(summary: Summary) -> str:
    return (
        '<h2 id="again">Play it again</h2>\n'
        f'<p>With <a href="{SETTINGS_FILE}" download>{SETTINGS_FILE}</a> and the programs it names beside it, this '
        "command plays the same games on the same deals:</p>\n"
        f"<pre>{escape(COMMAND)}</pre>\n"
        f"<details><summary>The settings</summary><pre>{escape(summary.settings)}</pre></details>\n"
    )
