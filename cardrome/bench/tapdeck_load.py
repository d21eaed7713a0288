"""Load an event server as a large event does, and say whether its turns held.

    python -m cardrome.bench.tapdeck_load                     40 teams, 1,560 matches, 60 turns of a second
    python -m cardrome.bench.tapdeck_load --teams 10 --turns 20

The server and the teams run in two processes on this machine. Every team asks and acts, about fifteen commands, in
every match in which it may move. Afterwards the same machine echoes lines with a bare asyncio server, for comparison.
"""

from __future__ import annotations

import argparse
import json
import urllib.request

import msgspec

from cardrome.arena.event_loop import run
from cardrome.bench.load import load
from cardrome.bench.server import event_server, measure


def main() -> None:
    parser = argparse.ArgumentParser(description="Load an event server.")
    parser.add_argument("--teams", type=int, default=40)
    parser.add_argument("--turns", type=int, default=60, help="turns of a match")
    parser.add_argument("--turn-seconds", type=float, default=1.0)
    parser.add_argument("--no-echo", action="store_true", help="leave out the comparison with an echo server")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    teams = [f"team{i}" for i in range(options.teams)]
    # All come from one address here, and all log in at once before the first tournament begins.
    server_text = f"turn_seconds = {options.turn_seconds}\nconnections_per_address = 1000\nlogin_seconds = 60"
    event_text = 'pause = 600\nroster = "connected"\nmin_teams = ' + str(len(teams))
    rules_text = f"turns = {options.turns}"
    with event_server(teams, server_text, rules_text, event_text, page=True) as server:
        report = run(load(server.port, teams, (options.turns - 4) * options.turn_seconds))
        with urllib.request.urlopen(f"{server.page}status.json") as answer:
            status = json.load(answer)["load"]
    result = {
        **msgspec.structs.asdict(report),
        "ticks": status["ticks"],
        "late_ticks": status["late_ticks"],
        "worst_tick_ms": round(status["worst_lag_ms"], 1),
    }
    if not options.no_echo:
        rates = measure(2.0)
        result |= msgspec.structs.asdict(rates)
        result["pipelined_to_echo"] = round(rates.pipelined / rates.echo_pipelined, 2)
        result["one_at_a_time_to_echo"] = round(rates.one_at_a_time / rates.echo_one_at_a_time, 2)
    if options.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(
            f"{name.replace('_', ' '):24} {value:,.2f}"
            if isinstance(value, float)
            else f"{name.replace('_', ' '):24} {value:,}"
        )


if __name__ == "__main__":
    main()
