"""`cardrome referee`: one game, called as the original referees are called."""

from __future__ import annotations

import enum
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardrome.cli.console import tell
from cardrome.cli.options import (
    EditionOption,
    MarginOption,
    NoClockOption,
    SandboxOption,
    StartOption,
    TimeScaleOption,
    examples,
    not_locm,
)

if TYPE_CHECKING:
    from cardrome.games.locm.protocol.replay import LocmReplay
    from cardrome.games.locm.rules.deal import LocmDeal


class LogFormat(enum.StrEnum):
    """What a log looks like."""

    CARDROME = "cardrome"
    ORIGINAL = "original"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        short_help="Play one game, as the original referees do.",
        epilog=examples(
            'referee -p1 "python3 mybot.py" -p2 ./oldbot -d seed=1 -l game.json',
            "referee -p1 ./mybot -p2 greedy --edition locm-1.5 --sandbox",
        ),
    )(referee)


def referee(
    play: Annotated[str, typer.Argument(metavar="[play]", help="The word that the 1.5 referee expects; ignored.")] = "",
    first: Annotated[str, typer.Option("-p1", "--player-1", help="Who moves first: a command, or an agent.")] = "",
    second: Annotated[str, typer.Option("-p2", "--player-2", help="The player who moves second.")] = "",
    parameters: Annotated[
        list[str] | None,
        typer.Option("-d", "--deal", metavar="NAME=VALUE ...", help="Deal parameters; may be given several times."),
    ] = None,
    log: Annotated[Path | None, typer.Option("-l", "--log", help="Write the game to this file, as a replay.")] = None,
    log_format: Annotated[
        LogFormat,
        typer.Option("--log-format", help="A replay of cardrome, or the JSON that the original referees write."),
    ] = LogFormat.CARDROME,
    psyleague: Annotated[
        bool, typer.Option("--psyleague", help="Print the line of JSON that psyleague reads, and nothing else.")
    ] = False,
    edition: EditionOption = "locm-1.2",
    time_scale: TimeScaleOption = 1.0,
    timeout_margin: MarginOption = 50.0,
    start_allowance: StartOption = 5000.0,
    sandbox: SandboxOption = False,
    no_clock: NoClockOption = False,
) -> None:
    """Play one game and print its scores and parameters, as the original referees do.

    Scripts written for `java -jar LoCM.jar -p1 ... -p2 ... -d "seed=1" -l log.json` keep working, and so do
    cg-brutaltester (`-r "cardrome referee"`) and psyleague (`--psyleague`). If a fault decides the game, standard error
    says which.
    """
    from cardrome.arena.play import play_one
    from cardrome.arena.players.clock import Clock
    from cardrome.arena.players.player import BotSettings, parse_player
    from cardrome.arena.players.sandbox import Limits, protections
    from cardrome.errors import CallerError
    from cardrome.games.locm.family import FAMILY
    from cardrome.games.locm.rules.deal import random_seed
    from cardrome.games.replay_files import write_replays, write_whole

    if play not in ("", "play"):
        raise CallerError(f"expected options, got {play!r}")
    if not first or not second:
        raise CallerError("two players are needed: -p1 and -p2")
    if edition not in FAMILY.editions:
        raise not_locm(edition, "referee")
    chosen = FAMILY.editions[edition]
    deal = FAMILY.deal(chosen, {"seed": str(random_seed()), **deal_parameters(parameters or [])})
    clock = Clock(not no_clock, time_scale, timeout_margin, start_allowance)
    players = parse_player(first, FAMILY, 0), parse_player(second, FAMILY, 1)
    # Programs that call us take anything on standard error for a failure.
    if any(player.agent is None for player in players) and (sandbox or sys.stderr.isatty()):
        tell(protections(Limits(), sandbox))
    replay: Any = play_one(chosen.name, players, deal, 0, BotSettings(clock, Limits(), sandbox))
    _tell_fault(replay)
    parameters_used = {**deal.params(), **deal.seeds(chosen)}
    if log is not None and log_format is LogFormat.ORIGINAL:
        write_whole(log, [_json(original_log(replay, parameters_used)), b"\n"])
    elif log is not None:
        write_replays(log, [replay])
    if psyleague:
        print(_json(psyleague_result(replay, deal)).decode())
        return
    lines = [*map(str, replay.scores), *(f"{name}={value}" for name, value in parameters_used.items())]
    sys.stdout.write("\n".join(lines) + "\n")  # at once: a log may be on its way to the same place


def deal_parameters(texts: list[str]) -> dict[str, str]:
    """What all -d say: each may hold several ``name=value`` pairs, as the original option does."""
    from cardrome.arena.openings import parse_parameters
    from cardrome.errors import CallerError

    try:
        return parse_parameters("\n".join(texts)) or {}
    except CallerError as error:
        raise CallerError(f"-d: {error}") from None


def _tell_fault(replay: LocmReplay) -> None:
    from cardrome.escaping import printable

    if replay.fault is None:
        return
    player = replay.fault.player
    fault = f"player {player} ({replay.players[player]}): {replay.fault.kind}: {replay.fault.message}"
    for line in (fault, *_stderr(replay, player).splitlines()):
        print(printable(line, 1000), file=sys.stderr)  # a bot's words may hold anything


def original_log(replay: LocmReplay, parameters: dict[str, Any]) -> dict[str, Any]:
    """A game in the JSON of the original framework, a frame for every call.

    What its viewer draws is empty. Of standard error only the end is known, and stands in the last frame.
    """
    frames = len(replay.calls)
    outputs: dict[str, list[str | None]] = {"referee": [None] * frames}
    errors: dict[str, list[str | None]] = {"referee": [None] * frames}
    for player in (0, 1):
        # Players are asked in turn from the first call to the last.
        answers = [call.answer if k % 2 == player else None for k, call in enumerate(replay.calls)]
        outputs[str(player)] = [None if answer is None else f"{answer}\n" for answer in answers]
        errors[str(player)] = [*[None] * (frames - 1), _stderr(replay, player) or None]
    summaries = [""] * frames
    if replay.fault is not None:
        summaries[-1] = f"${replay.fault.player}: {replay.fault.kind}: {replay.fault.message}"
    return {
        "errors": errors,
        "outputs": outputs,
        "summaries": summaries,
        "views": [],
        "scores": {str(player): score for player, score in enumerate(replay.scores)},
        "uinput": [f"{name}={value}" for name, value in parameters.items()],
        "metadata": "",
        "tooltips": [],
        "ids": {"0": 0, "1": 1},
        "refereeInput": "\n".join(f"{name}={value}" for name, value in parameters.items()),
        "agents": [
            {"index": player, "name": name, "avatar": "", "agentId": player}
            for player, name in enumerate(replay.players)
        ],
    }


def psyleague_result(replay: LocmReplay, deal: LocmDeal) -> dict[str, Any]:
    """What psyleague reads of a game: ranks, errors, and what bots tell about it on standard error.

    A bot's line ``[PDATA] name = value`` is data of the player, ``[PDATA+]`` adds up, ``[TDATA]`` is data of the game.
    """
    test_data: dict[str, Any] = {}
    player_data: list[dict[str, Any]] = [{}, {}]
    for player in (0, 1):
        for line in _stderr(replay, player).splitlines():
            words = line.split()
            if len(words) < 4 or words[2] != "=":
                continue
            tag, name, _, value = words[:4]
            if tag == "[TDATA]":
                test_data[name] = value
            elif tag == "[PDATA]":
                player_data[player][name] = value
            elif tag == "[PDATA+]":
                player_data[player][name] = _number(player_data[player].get(name, 0.0)) + _number(value)
    at_fault = None if replay.fault is None else replay.fault.player
    return {
        "ranks": [int(player != replay.winner) for player in (0, 1)],
        "errors": [int(player == at_fault) for player in (0, 1)],
        "test_data": {**test_data, "seed": deal.seed, "edition": replay.edition},  # whatever bots say of these
        "player_data": player_data,
    }


def _number(value: str | float) -> float:
    try:
        return float(value)
    except ValueError:
        return 0.0


def _stderr(replay: LocmReplay, player: int) -> str:
    end = None if replay.processes is None else replay.processes[player]
    return "" if end is None else end.stderr


def _json(data: Any) -> bytes:
    import msgspec

    return msgspec.json.encode(data)
