"""`cardrome match`: a series between two players."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import progress, tell
from cardrome.cli.options import (
    EditionOption,
    JobsOption,
    JsonOption,
    MarginOption,
    NoAffinityOption,
    NoClockOption,
    SandboxOption,
    SeedOption,
    StartOption,
    TimeScaleOption,
    checked_folder,
    examples,
    job_count,
    series_seed,
)
from cardrome.wording import counted

if TYPE_CHECKING:
    from cardrome.arena.players.behaviour import Behaviour
    from cardrome.arena.result import SeriesResult
    from cardrome.arena.sprt import SprtResult
    from cardrome.arena.statistics import Estimate
    from cardrome.arena.storage.recent import Kept
    from cardrome.cli.losses import LostGames

MOST_GAMES = 10**12
"""More would not end."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog=examples(
            "match greedy rule-based --games 2000",
            'match "python3 mybot.py" ./oldbot --games 200 --save runs/1',
            'match "java -jar bot.jar" greedy --sprt 0,20',
            "match mybots:Hasty search -e tapdeck --seed 1 --json",
        )
    )(match)


def match(
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="A built-in agent, policy:FILE, module:Class, or (LOCM) a command line."),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    edition: EditionOption = "locm-1.2",
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, max=MOST_GAMES, help="Games to play: two on each deal.")
    ] = 2000,
    seed: SeedOption = None,
    openings: Annotated[
        Path | None, typer.Option("--openings", help="A book of deals to play in order, one a line, instead of a seed.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", help="Stop when a test is decided: elo0,elo1 or elo0,elo1,alpha,beta."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="A folder to keep the games in: the same command then goes on.")
    ] = None,
    replays: Annotated[
        Path | None,
        typer.Option(
            "--replays", help="Write the games to this .jsonl or .jsonl.gz file, or to a new one in a folder."
        ),
    ] = None,
    no_replays: Annotated[
        bool, typer.Option("--no-replays", help="Keep no replays. Otherwise those of the latest series with bots are.")
    ] = False,
    folders: Annotated[
        list[Path] | None,
        typer.Option("--dir", help="The bots' working directory; given twice, that of A and that of B."),
    ] = None,
    time_scale: TimeScaleOption = 1.0,
    timeout_margin: MarginOption = 50.0,
    start_allowance: StartOption = 5000.0,
    no_clock: NoClockOption = False,
    sandbox: SandboxOption = False,
    no_affinity: NoAffinityOption = False,
    jobs: JobsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play a series and tell who is better, with error bars.

    Games come in mirrored pairs: each deal twice, seats swapped. The same seed gives the same result, whatever the
    number of jobs. Ctrl-C shows what is known so far. A bot that cannot be started, or ends before its first answer,
    stops the series with exit code 2.
    """
    from cardrome.arena.openings import read_openings
    from cardrome.arena.players.clock import Clock
    from cardrome.arena.players.player import BotSettings, is_program
    from cardrome.arena.players.sandbox import Limits, protections
    from cardrome.arena.series import play_series
    from cardrome.arena.sprt import Sprt
    from cardrome.arena.storage.recent import recent_folder
    from cardrome.cli.losses import lost_games
    from cardrome.games.family import find_family

    family = find_family(edition)
    chosen = family.editions[edition]
    if not family.has_programs:
        _refuse(family.title, no_clock=no_clock, sandbox=sandbox, dir=folders)
    places = _places(folders)
    file = _replay_file(replays, no_replays, edition)
    pairs = (games + 1) // 2
    if games % 2:
        print(f"{counted(games, 'game')}: {games + 1} are played, since every deal is played twice", file=sys.stderr)
    test = None if sprt is None else Sprt.parse(sprt)
    book = None if openings is None else read_openings(openings, chosen)
    number = _seed(seed, save, book is not None)
    if book is not None and pairs > len(book):
        print(
            f"{openings} has {counted(len(book), 'deal')} for {counted(pairs, 'pair')}: they will be repeated in order",
            file=sys.stderr,
        )
    clock = Clock(not no_clock, time_scale, timeout_margin, start_allowance)
    private = (*(str(path) for path in (save, openings, file) if path is not None), str(recent_folder()))
    settings = BotSettings(clock, Limits(), sandbox, private, not no_affinity, apart=True)
    if family.has_programs and (is_program(a, family) or is_program(b, family)):
        tell(protections(settings.limits, sandbox))
    play = partial(play_series, chosen, a, b, pairs, number, job_count(jobs), settings=settings)
    with ExitStack() as stack:
        saved = None
        if save is not None:
            from cardrome.tournament.series import SeriesStore  # a database takes long to import

            saved = stack.enter_context(SeriesStore.of(save, edition, (a, b), number, pairs, book))
        report = stack.enter_context(progress(f"{a} v {b}", pairs, "pairs", quiet=as_json))
        result = play(report, sprt=test, openings=book, save=saved, folders=places, keep=file is not None)
    for reason, count in result.played_again.items():
        tell(f"{counted(count, 'game was', 'games were')} played again: {reason}")
    lost = [lost_games(result, player) for player, bot in enumerate(result.bots) if bot is not None]
    wanted = {loss.number for each in lost for loss in (*each.faults, each.example) if loss is not None}
    kept = _keep(result, file, no_replays, wanted)
    again = None
    if result.interrupted:
        deals = ["--seed", str(number)] if openings is None else ["--openings", str(openings)]
        words = ["cardrome", "match", a, b, "-e", edition, "-n", str(games), *deals]
        words += [] if sprt is None else ["--sprt", sprt]
        words += [word for folder in folders or () for word in ("--dir", str(folder))]
        again = f"to go on:\n  {shlex.join([*words, '--save', str(save)])}"
        if save is None:
            again = f"not saved; a series that can go on:\n  {shlex.join(words)} --save DIR"
    if as_json:
        import msgspec

        faults = [fault for each in lost for fault in each.first_faults(kept)]
        replay_file = None if kept is None else str(kept.file)
        print(msgspec.json.encode({**result.summary(), "first_faults": faults, "replays": replay_file}).decode())
        if again is not None:
            print(again, file=sys.stderr)
    else:
        _print_series(result, lost, kept, again)
    if result.interrupted:
        raise typer.Exit(130)


def _refuse(family: str, **options: object) -> None:
    """Say which options mean nothing in a family, if one is given."""
    from cardrome.errors import CallerError

    for name, value in options.items():
        if value:
            option = "--" + name.replace("_", "-")
            raise CallerError(f"{option} is for games that programs can play on standard input; {family} is not one")


def _seed(text: str | None, save: Path | None, from_book: bool) -> int:
    """The seed to play with: the one given, that of the saved series, or a fresh one."""
    from cardrome.errors import CallerError

    if from_book:
        if text is not None:
            raise CallerError("--seed and --openings: the book fixes all deals, give only one of them")
        return 0
    if text is None and save is not None:
        from cardrome.tournament.series import saved_seed

        known = saved_seed(save)
        if known is not None:
            return known
    return series_seed(text)


def _places(folders: list[Path] | None) -> tuple[Path | None, Path | None]:
    """The working directories of A and B."""
    from cardrome.errors import CallerError

    if not folders:
        return None, None
    if len(folders) > 2:
        raise CallerError(f"--dir: there are two players, and {len(folders)} folders")
    places = [checked_folder(folder) for folder in folders]
    return places[0], places[-1]


def _replay_file(replays: Path | None, no_replays: bool, edition: str) -> Path | None:
    """The file that replays were asked to go to; it is looked at before anything is played."""
    from cardrome.arena.storage.recent import series_file
    from cardrome.errors import CallerError

    if replays is None:
        return None
    if no_replays:
        raise CallerError("--replays and --no-replays: give only one of them")
    is_file = replays.name.removesuffix(".gz").endswith((".json", ".jsonl")) or replays.exists()
    folder = replays.parent if is_file and not replays.is_dir() else replays
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallerError(f"--replays {replays}: {error.strerror}") from None
    return series_file(folder, edition) if folder == replays else replays


def _keep(result: SeriesResult, file: Path | None, no_replays: bool, wanted: set[int]) -> Kept | None:
    """Write the replays of a series: where they were asked to go, or among the recent ones."""
    from cardrome.arena.storage.recent import Kept, keep_recent
    from cardrome.errors import CallerError
    from cardrome.games.replay_files import write_replays

    replays = [replay for _, replay in result.replays]
    if file is not None:
        return Kept(file, {number: number for number in range(1, write_replays(file, replays) + 1)})
    if no_replays or not replays:
        return None
    try:
        return keep_recent(replays, result.edition.name, wanted)
    except (OSError, CallerError) as error:
        print(f"cardrome: the replays are not kept: {error}", file=sys.stderr)
        return None


def _print_series(result: SeriesResult, lost: Sequence[LostGames], kept: Kept | None, again: str | None) -> None:
    """Print the result of a series in the form that chess testers know; ``again`` is the command that goes on."""
    from rich.text import Text

    from cardrome.cli.console import console, folded
    from cardrome.cli.losses import COMMAND

    out = console()
    for line in _series_lines(result):
        out.print(Text(folded(line, sys.stdout)), soft_wrap=True)
    for each in lost:
        for line, style in each.lines(kept):
            whole = line.startswith(COMMAND)  # to be copied
            out.print(Text(line if whole else folded(line, sys.stdout), style=style), soft_wrap=True)
    if kept is not None and not any(each.losses for each in lost):
        out.print(Text(f"replays: {kept.file}"), soft_wrap=True)
    if result.interrupted:
        done, asked = len(result.games), 2 * result.asked_pairs
        out.print(f"stopped after {done} of {asked} games", style="yellow")
        if again is not None:
            out.print(Text(again, style="yellow"), soft_wrap=True)


def _series_lines(result: SeriesResult) -> list[str]:
    """The result of a series, line by line, from player A's side."""
    from cardrome.arena.elo import elo_text

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
        lines.append(_verdict(result.sprt))
    for name, report in zip((result.a, result.b), result.bots, strict=True):
        if report is not None:
            lines.append(_bot_line(name, report))
    if book is not None and games > 2 * len(book):
        lines.append(
            f"the book has {counted(len(book), 'deal')} for {counted(games // 2, 'pair')}: deals were repeated, "
            "and the intervals count repetitions as new evidence"
        )
    return lines


def _bot_line(name: str, report: Behaviour) -> str:
    """How a bot behaved: faults and times."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(report.faults.items()))
    faults = f"{report.error_rate:.1%} of games lost by faults ({kinds})" if kinds else "no faults"
    times = f"mean {report.mean_ms:.1f}, p99 {report.p99_ms:.0f}, max {report.worst_ms:.0f} ms a turn"
    return f"{name}: {faults}; {times}, {report.start_ms:.0f} ms to the first answer"


def _verdict(result: SprtResult) -> str:
    """What a sequential test says, in words."""
    from cardrome.arena.sprt import Decision

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
