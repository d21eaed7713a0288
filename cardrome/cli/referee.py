"""`cardrome referee`: one game, called as the original referees are called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        short_help="Play one game, as the original referees do.",
        epilog=examples(
            'referee -p1 "python3 mybot.py" -p2 ./oldbot -d "seed=1" -l game.json',
            "referee -p1 ./mybot -p2 greedy --edition locm-1.5 --sandbox",
        ),
    )(referee)


def referee(
    play: Annotated[str, typer.Argument(metavar="[play]", help="The word that the 1.5 referee expects; ignored.")] = "",
    first: Annotated[str, typer.Option("-p1", "--player-1", help="Who moves first: a command, or an agent.")] = "",
    second: Annotated[str, typer.Option("-p2", "--player-2", help="The player who moves second.")] = "",
    parameters: Annotated[str, typer.Option("-d", "--deal", help="Deal parameters: name=value ...")] = "",
    log: Annotated[Path | None, typer.Option("-l", "--log", help="Write the game as a replay to this file.")] = None,
    edition: EditionOption = "locm-1.2",
    time_scale: TimeScaleOption = 1.0,
    timeout_margin: MarginOption = 50.0,
    start_allowance: StartOption = 5000.0,
    sandbox: SandboxOption = False,
    no_clock: NoClockOption = False,
) -> None:
    """Play one game and print its scores and parameters, as the original referees do.

    Scripts written for `java -jar LoCM.jar -p1 ... -p2 ... -d "seed=1" -l log.json` keep working. If a fault decides
    the game, standard error says which.
    """
    import sys

    from cardrome.arena.play import play_one
    from cardrome.arena.players.clock import Clock
    from cardrome.arena.players.player import BotSettings, parse_player
    from cardrome.arena.players.sandbox import Limits, protections
    from cardrome.errors import CallerError
    from cardrome.escaping import printable
    from cardrome.games.locm.family import FAMILY
    from cardrome.games.locm.rules.deal import LocmDeal
    from cardrome.games.replay_files import write_replays

    if play not in ("", "play"):
        raise CallerError(f"expected options, got {play!r}")
    if not first or not second:
        raise CallerError("two players are needed: -p1 and -p2")
    if edition not in FAMILY.editions:
        raise not_locm(edition, "referee")
    chosen = FAMILY.editions[edition]
    deal = LocmDeal.from_params(parse_parameters(parameters))
    clock = Clock(not no_clock, time_scale, timeout_margin, start_allowance)
    players = parse_player(first, FAMILY, 0), parse_player(second, FAMILY, 1)
    if any(player.agent is None for player in players):
        print(protections(Limits(), sandbox), file=sys.stderr)
    replay = play_one(chosen.name, players, deal, 0, BotSettings(clock, Limits(), sandbox))
    if replay.fault is not None:
        name = replay.players[replay.fault.player]
        fault = f"player {replay.fault.player} ({name}): {replay.fault.kind}: {replay.fault.message}"
        end = replay.processes[replay.fault.player] if replay.processes else None
        for line in (fault, *(end.stderr.splitlines() if end is not None else ())):
            print(printable(line, 1000), file=sys.stderr)  # a bot's words may hold anything
    for score in replay.scores:
        print(score)
    for name, value in {**deal.params(), **deal.seeds(chosen)}.items():
        print(f"{name}={value}")
    if log is not None:
        write_replays(log, [replay])


def parse_parameters(text: str) -> dict[str, str]:
    """``name=value`` pairs, separated by spaces, as the original option takes them."""
    from cardrome.errors import CallerError

    parameters = {}
    for pair in text.split():
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise CallerError(f"-d: expected name=value, got {pair!r}")
        parameters[name] = value
    return parameters
