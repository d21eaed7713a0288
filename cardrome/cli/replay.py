"""`cardrome replay`: record, show, check and publish single games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.options import EditionOption, JsonOption, series_seed
from cardrome.cli.progress import progress

if TYPE_CHECKING:
    from cardrome.games.replays import AnyReplay

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
    a: Annotated[str, typer.Argument(metavar="A", help="A built-in agent, or module:Class. It moves first.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    out: OutOption,
    edition: EditionOption = "locm-1.2",
    seed: Annotated[str | None, typer.Option("--seed", help="The deal's seed. Without it one is drawn.")] = None,
) -> None:
    """Play one game between two agents and keep it as a replay."""
    from cardrome.arena.families import TAPDECK_FAMILY, family_of, find_any_edition

    record_family = _record_tapdeck if family_of(find_any_edition(edition)) is TAPDECK_FAMILY else _record_locm
    lines = record_family(a, b, out, edition, seed)
    print("\n".join(lines), file=sys.stderr)


def _record_locm(a: str, b: str, out: Path, edition: str, seed: str | None) -> list[str]:
    from cardrome.arena.recording import record_game
    from cardrome.games.locm.agents.registry import find_agent
    from cardrome.games.locm.protocol.replay import write_replay
    from cardrome.games.locm.protocol.replay_text import title_lines
    from cardrome.games.locm.rules.deal import Deal
    from cardrome.games.locm.rules.edition import find_edition

    chosen, agents = find_edition(edition), (find_agent(a), find_agent(b))
    replay = record_game(chosen, Deal(series_seed(seed)), agents)
    write_replay(out, replay)
    return title_lines(replay)


def _record_tapdeck(a: str, b: str, out: Path, edition: str, seed: str | None) -> list[str]:
    from cardrome.arena.tapdeck_recording import record_tapdeck
    from cardrome.games.tapdeck.agents.registry import find_tapdeck_agent
    from cardrome.games.tapdeck.protocol.replay import write_replay
    from cardrome.games.tapdeck.protocol.replay_text import title_lines
    from cardrome.games.tapdeck.rules.edition import TAPDECK

    agents = find_tapdeck_agent(a), find_tapdeck_agent(b)
    # Decks have no negative seeds; one that is drawn may be.
    chosen = abs(series_seed(None)) if seed is None else series_seed(seed)
    replay = record_tapdeck(TAPDECK, chosen, agents)
    write_replay(out, replay)
    return [f"deck of seed {chosen}", *title_lines(replay)]


@group.command()
def show(
    file: FileArgument,
    game: GameOption = None,
    turn: Annotated[int | None, typer.Option("--turn", min=0, help="Only this turn; the first is 0.")] = None,
    player: Annotated[int | None, typer.Option("--player", min=0, max=1, help="Only this player's turns.")] = None,
    boards: Annotated[
        bool, typer.Option("--boards", help="Draw the board before each turn, of Tapdeck at its end.")
    ] = False,
    each: Annotated[bool, typer.Option("--each", help="Draw the position after each command; for Tapdeck.")] = False,
) -> None:
    """Print a replay: the decks, then every turn with its actions; of Tapdeck also the commands refused.

    Of a file with several replays, `--game` chooses one; without it they are listed.
    """
    from cardrome.errors import CallerError
    from cardrome.games.printable import printable
    from cardrome.games.replays import read_any, verify_any

    if game is None:
        replays = list(read_any(file))
        if len(replays) > 1:
            for number, each_one in enumerate(replays, 1):
                names = " v ".join(printable(name, 40) for name in each_one.players)
                print(f"{number}: {_identity(each_one)} · {names} · {_result(each_one)}")
            return
    replay = _choose(file, game)
    difference = verify_any(replay)
    if difference is not None:
        shown = printable(str(difference), 500)
        print(f"cardrome: this replay does not verify: {shown}", file=sys.stderr)
    lines = _log(replay, turn, player, boards, each)
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
    from cardrome.games.replays import read_any
    from cardrome.games.replays import verify_any as first_difference

    replays = [(path, number, replay) for path in files for number, replay in enumerate(read_any(path), 1)]
    differing = []
    with progress("verifying", len(replays), "replays", quiet=as_json) as report:
        for finished, (path, number, replay) in enumerate(replays, 1):
            difference = first_difference(replay)
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
        from cardrome.games.printable import printable

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
        typer.Option("--call", min=0, help="Which of his calls; the first is 0. Without it all, one after the other."),
    ] = None,
    game: GameOption = None,
) -> None:
    """Print what a player was sent, byte for byte: to feed it to a bot again.

    In Tapdeck players ask by themselves: printed are his commands (>) and the answers (<), without questions that
    were answered, which replays do not hold.
    """
    from cardrome.games.locm.protocol.replay import Replay, input_at, inputs
    from cardrome.games.tapdeck.protocol.replay import conversation

    replay = _choose(file, game)
    if isinstance(replay, Replay):
        sent = b"".join(inputs(replay, player)) if call is None else input_at(replay, player, call)
    else:
        spoken = list(conversation(replay, player))
        if call is not None:
            spoken = [_nth(spoken, call, f"player {player} gave {len(spoken)} commands")]
        sent = "".join(spoken).encode()
    sys.stdout.buffer.write(sent)
    sys.stdout.buffer.flush()


@group.command()
def html(file: FileArgument, out: OutOption, game: GameOption = None) -> None:
    """Make one self-contained page that shows a replay step by step; it needs no network and no server."""
    from cardrome.games.replay_files import write_whole
    from cardrome.web.replay import replay_page

    write_whole(out, [replay_page(_choose(file, game)).encode()])


def _choose(file: Path, game: int | None) -> AnyReplay:
    """The replay meant: the one with that number, or the first."""
    from cardrome.errors import CallerError
    from cardrome.games.replays import read_any

    count = 0
    for count, replay in enumerate(read_any(file), 1):
        if count == (game or 1):
            return replay
    raise CallerError(f"{file}: game {game or 1} was asked for, but the file holds {count} replays")


def _nth(spoken: list[str], call: int, have: str) -> str:
    from cardrome.errors import CallerError

    if call >= len(spoken):
        raise CallerError(f"call {call}: {have}, calls 0 to {len(spoken) - 1}" if spoken else f"call {call}: {have}")
    return spoken[call]


# What depends on the family of games


def _identity(replay: AnyReplay) -> str:
    """What tells a game from others: its deal, or where it was played."""
    from cardrome.games.locm.protocol.replay import Replay

    if isinstance(replay, Replay):
        return f"{replay.edition} · seed {replay.deal['seed']}"
    return replay.edition + ("" if replay.event is None else f" · match {replay.event.match_id}")


def _result(replay: AnyReplay) -> str:
    from cardrome.games.locm.protocol import replay_text as locm
    from cardrome.games.locm.protocol.replay import Replay
    from cardrome.games.tapdeck.protocol import replay_text as tapdeck

    return locm.result_line(replay) if isinstance(replay, Replay) else tapdeck.result_line(replay)


def _log(replay: AnyReplay, turn: int | None, player: int | None, boards: bool, each: bool) -> list[str]:
    from cardrome.errors import CallerError
    from cardrome.games.locm.protocol import replay_text as locm
    from cardrome.games.locm.protocol.replay import Replay
    from cardrome.games.tapdeck.protocol import replay_text as tapdeck

    if not isinstance(replay, Replay):
        return list(tapdeck.log_lines(replay, turn, player, boards, each))
    if each:
        raise CallerError(f"--each is for Tapdeck; this is a game of {replay.edition}: use --boards")
    return list(locm.log_lines(replay, turn, player, boards))
