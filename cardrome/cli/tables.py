"""Results as tables for people."""

from __future__ import annotations

from rich.text import Text

from cardrome.arena.elo import elo_text
from cardrome.arena.players.behaviour import Behaviour
from cardrome.arena.series import SeriesResult
from cardrome.arena.sprt import Decision, SprtResult
from cardrome.arena.statistics import Estimate
from cardrome.cli.console import console


def print_series(result: SeriesResult, again: str | None = None) -> None:
    """Print the result of a series in the form that chess testers know; ``again`` is the command that goes on."""
    out = console()
    for line in series_lines(result):
        out.print(Text(line))
    if result.interrupted:
        done, asked = len(result.games), 2 * result.asked_pairs
        out.print(f"stopped after {done} of {asked} games", style="yellow")
        if again is not None:
            out.print(Text(again, style="yellow"), soft_wrap=True)


def series_lines(result: SeriesResult) -> list[str]:
    """The result of a series, line by line, from player A's side."""
    games, (wins, losses), rate = len(result.games), result.wins, result.win_rate
    book = result.openings
    deals = f"seed {result.seed}" if book is None else f"deals of {book.name}"
    drawn = f", Draws: {result.draws}" if result.family.has_draws else ""
    points = wins + result.draws / 2
    lines = [
        f"Results of {result.a} vs {result.b} ({games} games on {result.edition.name}, {deals}):",
        f"Elo: {elo_text(result.elo)}, nElo: {elo_text(result.normalised_elo)}",
        f"LOS: {result.superiority * 100:.2f} %, First seat: {_percent(result.first_seat)}",
        f"Games: {games}, Wins: {wins}, Losses: {losses}{drawn}, Points: {points:.1f} ({rate.value * 100:.2f} %)",
        f"Pairs(0-2): {list(result.pair_counts)}",
    ]
    if (scores := result.mean_scores) is not None:
        lines.append(
            f"Mean score: {scores[0].value:.2f} v {scores[1].value:.2f} ({_interval(scores[0])} for {result.a})"
        )
    if result.sprt is not None:
        lines.append(f"LLR: {result.sprt}")
    verb = "made" if result.family.has_draws else "won"
    lines.append(f"{result.a} {verb} {_percent(rate)}{' of the points' if result.family.has_draws else ''}")
    if result.sprt is not None:
        lines.append(verdict(result.sprt))
    for name, report in zip((result.a, result.b), result.bots, strict=True):
        if report is not None:
            lines.append(bot_line(name, report))
    if book is not None and games > 2 * len(book):
        lines.append(
            f"the book has {len(book)} deals for {games // 2} pairs: deals were repeated, "
            "and the intervals count repetitions as new evidence"
        )
    return lines


def bot_line(name: str, report: Behaviour) -> str:
    """How a bot behaved: faults and times."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(report.faults.items()))
    faults = f"{report.error_rate:.1%} of games lost by faults ({kinds})" if kinds else "no faults"
    times = f"mean {report.mean_ms:.1f}, p99 {report.p99_ms:.0f}, max {report.worst_ms:.0f} ms a turn"
    return f"{name}: {faults}; {times}, {report.start_ms:.0f} ms to the first answer"


def verdict(result: SprtResult) -> str:
    """What a sequential test says, in words."""
    test = result.test
    if result.decision is Decision.H1:
        return f"SPRT: H1 accepted: the lead is {test.elo1:g} Elo rather than {test.elo0:g}, or more"
    if result.decision is Decision.H0:
        return f"SPRT: H0 accepted: the lead is {test.elo0:g} Elo rather than {test.elo1:g}, or less"
    return "SPRT: undecided; more games would tell"


def _interval(score: Estimate) -> str:
    return f"95 % interval: {score.low:.2f} to {score.high:.2f}"


def _percent(estimate: Estimate) -> str:
    value, low, high = (100 * part for part in (estimate.value, estimate.low, estimate.high))
    return f"{value:.2f} % (95 % interval: {low:.2f} % to {high:.2f} %)"
