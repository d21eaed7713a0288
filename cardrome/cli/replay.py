"""`cardrome replay`: record, show, check and publish single games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import progress
from cardrome.cli.options import EditionOption, JsonOption, series_seed

if TYPE_CHECKING:
    from cardrome.games.replays import Replay

group = typer.Typer(
    name="replay",
    help="Record, show, check and publish single games.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

FileArgument = Annotated[Path, typer.Argument(help="Replays: .json or .jsonl, plain or gzipped.")]
GameOption = Annotated[int | None, typer.Option("--game", min=1, help="Which replay of the file; the first is 1.")]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="The file to write.")]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(group)


@group.command()
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
    seed: Annotated[str | None, typer.Option("--seed", help="The deal's seed. Without it one is drawn.")] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="B moves first: the second game of a pair, with the same chances.")
    ] = False,
) -> None:
    """Play one game and keep it as a replay."""
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
        print(protections(settings.limits, settings.sandbox), file=sys.stderr)
    replay = play_one(edition, players, family.deal(chosen, {"seed": str(number)}), int(swap), settings)
    write_replays(out, [replay])
    print("\n".join([f"seed {number}", *family.title_lines(replay)]), file=sys.stderr)


@group.command()
def show(
    file: FileArgument,
    game: GameOption = None,
    turn: Annotated[int | None, typer.Option("--turn", min=0, help="Only this turn; the first is 0.")] = None,
    player: Annotated[int | None, typer.Option("--player", min=0, max=1, help="Only this player's turns.")] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board at every turn.")] = False,
    each: Annotated[bool, typer.Option("--each", help="Draw the position after every action.")] = False,
) -> None:
    """Print a replay: the decks, then every turn with its actions; of Tapdeck also the commands refused.

    Of a file with several replays, `--game` chooses one; without it they are listed.
    """
    from cardrome.errors import CallerError
    from cardrome.escaping import printable
    from cardrome.games.family import find_family
    from cardrome.games.replay_files import read_replays

    if game is None:
        replays = list(read_replays(file))
        if len(replays) > 1:
            for number, listed in enumerate(replays, 1):
                family = find_family(listed.edition)
                names = " v ".join(printable(name, 40) for name in listed.players)
                print(f"{number}: {family.identity(listed)} · {names} · {family.result_line(listed)}")
            return
    replay = chosen_replay(file, game)
    family = find_family(replay.edition)
    rerun = family.rerun(replay)
    lines = list(family.story(replay, rerun, turn, player, boards, each))
    if rerun.difference is not None:
        shown = printable(str(rerun.difference), 500)
        print(f"cardrome: this replay does not verify: {shown}", file=sys.stderr)
    if turn is not None and not lines:
        raise CallerError(
            f"turn {turn}: the game has no such turn" + ("" if player is None else f" of player {player}")
        )
    print("\n".join(lines).lstrip("\n"))


@group.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Replays: .json or .jsonl, plain or gzipped.")],
    as_json: JsonOption = False,
) -> None:
    """Play replays again and compare.

    Compared are the number of calls, fault, scores, winner, ending and final health; of Tapdeck what came of every
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
        import msgspec

        summary = {"replays": len(replays), "verified": verified, "differing": differing}
        print(msgspec.json.encode(summary).decode())
    else:
        from cardrome.escaping import printable

        for found in differing:
            shown = printable(str(found["difference"]), 500)
            print(f"{found['file']}: game {found['game']} ({found['edition']}): {shown}")
        print(f"{verified} of {len(replays)} replays verified")
    if differing:
        raise typer.Exit(1)


@group.command(name="input")
def bot_input(
    file: FileArgument,
    player: Annotated[int, typer.Option("--player", "-p", min=0, max=1, help="Whose input.")],
    call: Annotated[
        int | None,
        typer.Option(
            "--call", min=0, help="Which of their calls; the first is 0. Without it all, one after the other."
        ),
    ] = None,
    game: GameOption = None,
) -> None:
    """Print what a player was sent, byte for byte: to feed it to a bot again.

    In Tapdeck players ask by themselves: printed are their commands (>) and the answers (<), without questions that
    were answered, which replays do not hold.
    """
    from cardrome.errors import CallerError
    from cardrome.games.family import find_family

    replay = chosen_replay(file, game)
    sent = list(find_family(replay.edition).inputs(replay, player))
    if call is not None:
        if call >= len(sent):
            known = f", calls 0 to {len(sent) - 1}" if sent else ""
            raise CallerError(f"call {call}: player {player} has {len(sent)} calls{known}")
        sent = [sent[call]]
    sys.stdout.buffer.write(b"".join(sent))
    sys.stdout.buffer.flush()


@group.command()
def html(
    file: FileArgument,
    out: OutOption,
    game: GameOption = None,
    analysis: Annotated[
        Path | None,
        typer.Option("--analysis", help="What `cardrome analyse --json` said of the game: adds the curve of chances."),
    ] = None,
) -> None:
    """Make one self-contained page that shows a replay step by step; it needs no network and no server."""
    from cardrome.games.analysis import read_analysis
    from cardrome.games.replay_files import write_whole
    from cardrome.web.replay import replay_page

    replay = chosen_replay(file, game)
    found = None if analysis is None else read_analysis(analysis, replay)
    write_whole(out, [replay_page(replay, found).encode()])


def chosen_replay(file: Path, game: int | None) -> Replay:
    """The replay meant: the one with that number, or the first."""
    from cardrome.errors import CallerError
    from cardrome.games.replay_files import read_replays

    count = 0
    for count, replay in enumerate(read_replays(file), 1):
        if count == (game or 1):
            found: Replay = replay
            return found
    raise CallerError(f"{file}: game {game or 1} was asked for, but the file holds {count} replays")
