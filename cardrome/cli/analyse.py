"""`cardrome analyse`: why a game was lost."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import console, page_width, plain_table, print_json, progress
from cardrome.cli.options import JsonOption, PlayerOption, examples, seat_of
from cardrome.cli.replay import FileArgument, GameOption, chosen_replay

if TYPE_CHECKING:
    from rich.table import Table

    from cardrome.games.analysis import DeckAnalysis, GameAnalysis, Move, TurnAnalysis

_MOMENTS = 3
"""Turns that are told in full."""
_PICKS = 5
_NAME = 14
_LEVELS = "▁▂▃▄▅▆▇█"
_NUMBERS = ("no", "one", "two", "three")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog=examples(
            "analyse lost.json",
            "analyse lost.json --player mybot --html lost.html",
            "analyse games.jsonl --game 3 --json > analysis.json",
        )
    )(analyse)


def analyse(
    file: FileArgument,
    game: GameOption = None,
    player: PlayerOption = None,
    agent: Annotated[
        str, typer.Option("--agent", "-a", metavar="AGENT", help="Whose opinion: a built-in agent that searches.")
    ] = "search",
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write the replay's page, with the curve of the chances."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Explain why a game was lost.

    Every turn stands beside what a strong agent would have played, with what the difference cost: for each turn the
    chance to win before and after it, missed wins, and the moments that cost most; then the decks beside those that the
    agent would have built. It judges by what the player could know, not by hidden cards.
    """
    from cardrome.errors import UnknownAgent
    from cardrome.games.family import find_family

    replay = chosen_replay(file, game, tell=True)
    family = find_family(replay.edition)
    seat = None if player is None else seat_of(replay.players, player)
    if family.has_analysis and agent not in family.agents:
        raise UnknownAgent(agent, family.agents)
    total = replay.turns or sum(1 for _ in family.rerun(replay))
    with progress("thinking", total, "turns", quiet=as_json) as report:
        found = family.analyse(replay, agent, seat, report)
    if html is not None:
        from cardrome.games.replay_files import write_whole
        from cardrome.web.replay import replay_page

        write_whole(html, [replay_page(replay, found).encode()])
        print(f"wrote {html}: open it in a browser", file=sys.stderr)
    if as_json:
        print_json(found.plain())
    else:
        _tell(found, family.title_lines(replay), seat, family.has_secrets)


# What is printed


def _tell(found: GameAnalysis, title: list[str], seat: int | None, hidden: bool) -> None:
    from cardrome.escaping import printable

    names = [printable(name, _NAME) for name in found.players]
    if names[0] == names[1]:
        names = [f"{printable(name, _NAME - 2)} {p}" for p, name in enumerate(found.players)]
    out = console()

    def say(text: str = "", indent: str = "") -> None:
        lines = textwrap.wrap(text, page_width(out), subsequent_indent=indent, break_on_hyphens=False)
        out.print("\n".join(lines), markup=False, soft_wrap=True)

    for line in title:
        say(line, line[: len(line) - len(line.lstrip())] + "  ")
    if found.difference is not None:
        say(f"this replay does not verify, so this is as far as it goes: {found.difference}", "  ")
    chances = "chances fitted to games" if found.calibrated else "chances not fitted to games of this edition yet"
    known = ", by what each player could know" if hidden else ""
    say(f"as {found.agent} sees it{known} · {chances}")
    if found.turns:
        say()
        whose = seat or 0
        out.print(f"chances of {names[whose]}, turn by turn: {_sparks(found, whose)}", markup=False, soft_wrap=True)
        say()
        out.print(_table(found.turns, names, out.width))
        say()
        for line, indent in _moments(found, names, seat):
            say(line, indent)
    else:
        say("no turn to look at")
    for deck in found.decks:
        say()
        for line in _deck(deck, names[deck.player]):
            say(line, "  ")


def _sparks(found: GameAnalysis, player: int) -> str:
    """The curve of a player's chances in one line of text."""
    chances = [1 - chance if player else chance for chance in found.curve().values()]
    return "".join(_LEVELS[min(len(_LEVELS) - 1, int(chance * len(_LEVELS)))] for chance in chances)


def _table(turns: tuple[TurnAnalysis, ...], names: list[str], width: int) -> Table:
    from rich.text import Text

    from cardrome.games.analysis import WORTH_TELLING

    table = plain_table("turn", "player", "before", "after", "lost", "played, and what was better")
    *narrow, last = table.columns
    widths = 4, max(map(len, names)), 6, 5, 4
    for column, least in zip(narrow, widths, strict=True):
        column.width = least
    last.max_width = max(20, width - sum(widths) - 2 * len(widths))
    narrow[0].justify, narrow[1].justify, last.justify = "right", "left", "left"
    for turn in turns:
        played = _line(turn.played) if not turn.fault else f"({turn.fault})"
        better, lost = "", ""
        if turn.cost >= WORTH_TELLING:
            better, lost = f"\n→ {_line(turn.preferred)}", f"{100 * turn.cost:.0f}"
            if turn.missed_win:
                better = better.replace("→", "→ wins:", 1)
        cells = str(turn.turn), names[turn.player], f"{turn.chance_before:.0%}", f"{turn.chance_after:.0%}", lost
        table.add_row(*map(Text, cells), Text(played + better, overflow="ellipsis"))
    return table


def _line(moves: tuple[Move, ...]) -> str:
    return "; ".join(move.words for move in moves) or "nothing"


def _moments(found: GameAnalysis, names: list[str], seat: int | None) -> Iterator[tuple[str, str]]:
    """The worst turns in full; each line with the indentation of those that follow when it is too long."""
    from cardrome.games.analysis import advice

    worst = found.worst(_MOMENTS)
    if not worst:
        yield f"No turn cost a point: {found.agent} would have played no better.", ""
        return
    yield ("The moment that cost most" if len(worst) == 1 else f"The {_NUMBERS[len(worst)]} moments that cost most"), ""
    for turn in worst:
        who = "you" if turn.player == seat else names[turn.player]
        shift = f"{turn.chance_before:.0%} → {turn.chance_after:.0%}"
        yield f"turn {turn.turn}: {who} lost {100 * turn.cost:.0f} points ({shift})", "  "
        yield f"    {advice(turn)}", " " * 4
        if not turn.fault:
            for title, moves in (("played", turn.played), ("better", turn.preferred)):
                yield f"    {title}  {'; '.join(move.action for move in moves) or 'PASS'}", " " * 12


def _deck(deck: DeckAnalysis, name: str) -> Iterator[str]:
    yield f"The deck of {name}: {deck.chance:.0%} to win an even game against the drafter's from the same cards"
    yield f"  {'cost':<9}" + "".join(f"{cost:>6}" for cost in deck.costs)
    yield f"  {'cards':<9}" + "".join(f"{count or '·':>6}" for count in deck.curve)
    yield f"  {'drafter':<9}" + "".join(f"{count or '·':>6}" for count in deck.preferred_curve)
    yield f"  {'usual':<9}" + "".join(f"{count:>6.1f}" for count in deck.usual_curve)
    worst = sorted(deck.picks, key=lambda pick: -pick.cost)[:_PICKS]
    for pick in worst:
        if 100 * pick.cost >= 0.5:
            where = "" if pick.number is None else f"pick {pick.number}: "
            yield f"  {where}{pick.preferred}, not {pick.taken}: {100 * pick.cost:.1f} points"
