"""`cardrome replay`: record, show, check and publish single games."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardrome.cli.console import console, folded, plain_table, print_json, progress, tell
from cardrome.cli.options import (
    DealSeedOption,
    EditionOption,
    JsonOption,
    OutOption,
    PlayerOption,
    examples,
    seat_of,
    series_seed,
)
from cardrome.wording import counted

if TYPE_CHECKING:
    from cardrome.games.replays import Replay

group = typer.Typer(
    name="replay",
    help="Record, show, check and publish single games.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Replays: .json or .jsonl, plain or gzipped.")]
GameOption = Annotated[
    int | None, typer.Option("--game", min=1, metavar="N", help="Which replay of the file; the first is 1.")
]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(group)


@group.command(
    epilog=examples(
        "replay record greedy random -o game.json",
        'replay record "python3 mybot.py" search --seed 7 -o game.json',
    )
)
def record(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A built-in agent, policy:FILE, module:Class, or (LOCM) a command line. It moves first."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    out: OutOption,
    edition: EditionOption = "locm-1.2",
    seed: DealSeedOption = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="B moves first: the second game of a pair, with the same chances.")
    ] = False,
) -> None:
    """Play one game and keep it as a replay.

    It says on standard error how the game ended.
    """
    from cardrome.arena.play import play_one
    from cardrome.arena.players.player import BotSettings, parse_player
    from cardrome.arena.players.sandbox import protections
    from cardrome.games.family import find_family
    from cardrome.games.replay_files import write_replays

    family = find_family(edition)
    chosen = family.editions[edition]
    players = parse_player(a, family, 0), parse_player(b, family, 1)
    number, settings = series_seed(seed), BotSettings()
    if any(player.agent is None for player in players):
        tell(protections(settings.limits, settings.sandbox))
    replay = play_one(edition, players, family.deal(chosen, {"seed": str(number)}), int(swap), settings)
    write_replays(out, [replay])
    print("\n".join([f"seed {number}", *family.title_lines(replay)]), file=sys.stderr)
    print(f"wrote {out}; `cardrome replay show {shlex.quote(str(out))}` tells the game", file=sys.stderr)


@group.command(
    epilog=examples(
        "replay show game.json",
        "replay show game.json --turn 12 --boards",
        "replay show games.jsonl --game 3 --player 1",
        "replay show games.jsonl --json     # a record of each game",
    )
)
def show(
    file: FileArgument,
    game: GameOption = None,
    turn: Annotated[
        int | None, typer.Option("--turn", min=0, metavar="N", help="Only this turn; the first is 0.")
    ] = None,
    player: PlayerOption = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board at every turn.")] = False,
    each: Annotated[bool, typer.Option("--each", help="Draw the position after every action.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print a replay, turn by turn.

    First the decks, then every turn with its actions; of Tapdeck also the commands refused. Of a file with several
    replays, `--game` chooses one; without it they are listed.
    """
    from cardrome.errors import CallerError
    from cardrome.escaping import printable
    from cardrome.games.family import find_family
    from cardrome.games.replay_files import read_replays

    if game is None:
        replays = list(read_replays(file))
        if len(replays) > 1:
            _list(replays, as_json)
            return
    replay = chosen_replay(file, game)
    family = find_family(replay.edition)
    seat = None if player is None else seat_of(replay.players, player)
    rerun = family.rerun(replay)
    lines = list(family.story(replay, rerun, turn, seat, boards, each))
    if turn is not None and not lines:
        whose = "" if seat is None else f" of player {seat}"
        raise CallerError(f"--turn {turn}: the game has no such turn{whose}; its last is {_last_turn(replay)}")
    difference = None if rerun.difference is None else str(rerun.difference)
    if as_json:
        print_json(_record(game or 1, replay) | {"difference": difference, "story": lines})
        return
    if difference is not None:
        print(f"cardrome: this replay does not verify: {printable(difference, 500)}", file=sys.stderr)
    print("\n".join(folded(line, sys.stdout) for line in lines).lstrip("\n"))


def _list(replays: Sequence[Replay], as_json: bool) -> None:
    """A line or a record for each replay of a file."""
    from rich.text import Text

    from cardrome.escaping import printable
    from cardrome.games.family import find_family

    if as_json:
        print_json([_record(number, replay) for number, replay in enumerate(replays, 1)])
        return
    table = plain_table("game", "deal", "players", "result")
    for column in table.columns:
        column.justify = "left"
        column.no_wrap = column.header != "result"
    for number, replay in enumerate(replays, 1):
        family = find_family(replay.edition)
        names = " v ".join(printable(name, 24) for name in replay.players)
        table.add_row(str(number), family.identity(replay), Text(names), Text(family.result_line(replay)))
    console().print(table)


def _record(number: int, replay: Replay) -> dict[str, Any]:
    """What is known of a replay without playing it again."""
    names = ("edition", "players", "winner", "ending", "scores", "turns", "actions", "fault")
    return {"game": number} | {name: getattr(replay, name) for name in names}


def _last_turn(replay: Replay) -> int:
    from cardrome.games.family import find_family

    return max((moment.before.turn for moment in find_family(replay.edition).rerun(replay)), default=0)


@group.command(epilog=examples("replay verify game.json", "replay verify replays/*.jsonl.gz --json"))
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Replays: .json or .jsonl, plain or gzipped.")],
    as_json: JsonOption = False,
) -> None:
    """Play replays again and compare.

    This compares the number of calls, fault, scores, winner, ending and final health; of Tapdeck what came of every
    command, ending, final health, scores and turns. Exit code 1 if any differs.
    """
    from cardrome.games.family import find_family
    from cardrome.games.replay_files import read_replays

    replays = [(path, number, replay) for path in files for number, replay in enumerate(read_replays(path), 1)]
    differing = []
    with progress("verifying", len(replays), "replays", quiet=as_json) as report:
        for finished, (path, number, replay) in enumerate(replays, 1):
            difference = find_family(replay.edition).rerun(replay).verify()
            if difference is not None:
                differing.append(
                    {"file": str(path), "game": number, "edition": replay.edition, "difference": difference}
                )
            report(finished)
    verified = len(replays) - len(differing)
    if as_json:
        print_json({"replays": len(replays), "verified": verified, "differing": differing})
    else:
        from cardrome.escaping import printable

        for found in differing:
            shown = printable(str(found["difference"]), 500)
            print(f"{found['file']}: game {found['game']} ({found['edition']}): {shown}")
        print(f"{verified} of {counted(len(replays), 'replay')} verified")
    if differing:
        raise typer.Exit(1)


@group.command(
    name="input",
    epilog=examples(
        "replay input game.json --player 0 | ./mybot     # what it answers",
        "replay input game.json --player 0 --call 35     # one turn",
    ),
)
def bot_input(
    file: FileArgument,
    player: Annotated[
        str,
        typer.Option("--player", "-p", metavar="PLAYER", help="Whose input: 0, who moves first, 1, or their name."),
    ],
    call: Annotated[
        int | None,
        typer.Option(
            "--call",
            min=0,
            metavar="N",
            help="Which of their calls; the first is 0. Without it all, one after the other.",
        ),
    ] = None,
    game: GameOption = None,
) -> None:
    """Print what a player was sent, byte for byte.

    Feed it to a bot again to debug it. In Tapdeck players ask by themselves: printed are their commands (>) and the
    answers (<), without questions that were answered, which replays do not hold.
    """
    from cardrome.errors import CallerError
    from cardrome.games.family import find_family

    replay = chosen_replay(file, game, tell=True)
    seat = seat_of(replay.players, player)
    sent = list(find_family(replay.edition).inputs(replay, seat))
    if call is not None:
        if call >= len(sent):
            known = f"expected 0 to {len(sent) - 1}" if sent else "there is none"
            raise CallerError(f"--call {call}: player {seat} has {counted(len(sent), 'call')}; {known}")
        sent = [sent[call]]
    sys.stdout.buffer.write(b"".join(sent))
    sys.stdout.buffer.flush()


@group.command(epilog=examples("replay html game.json -o game.html", "replay html games.jsonl --game 3 -o game.html"))
def html(
    file: FileArgument,
    out: OutOption,
    game: GameOption = None,
    analysis: Annotated[
        Path | None,
        typer.Option(
            "--analysis",
            metavar="FILE",
            help="What `cardrome analyse --json` said of the game: adds the curve of chances.",
        ),
    ] = None,
) -> None:
    """Make a page that shows a replay step by step.

    It is one file that needs no network and no server.
    """
    from cardrome.games.analysis import read_analysis
    from cardrome.games.replay_files import write_whole
    from cardrome.web.replay import replay_page

    replay = chosen_replay(file, game, tell=True)
    found = None if analysis is None else read_analysis(analysis, replay)
    write_whole(out, [replay_page(replay, found).encode()])
    print(f"wrote {out}: open it in a browser", file=sys.stderr)


def chosen_replay(file: Path, game: int | None, tell: bool = False) -> Replay:
    """The replay meant: the one with that number, or the first. With ``tell``, say so if there are others."""
    from cardrome.errors import CallerError
    from cardrome.games.replay_files import read_replays

    replays, count = read_replays(file), 0
    for count, replay in enumerate(replays, 1):
        if count == (game or 1):
            if tell and game is None and next(replays, None) is not None:
                print(
                    f"cardrome: {file} holds several games: this is the first; see --game",
                    file=sys.stderr,
                )
            found: Replay = replay
            return found
    raise CallerError(f"--game {game or 1}: {file} holds {counted(count, 'replay')}")
