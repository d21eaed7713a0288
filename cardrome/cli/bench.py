"""`cardrome bench`: what this machine reaches. `cardrome warm`: compile everything now."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from cardrome.cli.options import JsonOption, job_count

BULK_PAIRS = {"random": 8000, "greedy": 4000}
"""Pairs of Tapdeck matches that agents play against themselves."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(bench)
    app.command()(warm)


def warm() -> None:
    """Compile rules and agents now, not at the first game."""
    import time

    import cardrome.games.locm.agents.batch
    import cardrome.games.locm.agents.registry
    import cardrome.games.locm.protocol.game
    import cardrome.games.tapdeck.agents.batch
    import cardrome.games.tapdeck.agents.registry
    import cardrome.games.tapdeck.protocol.table  # noqa: F401 - these bring in every kernel that games need
    from cardrome.engine.kernel import warm as compile_all

    start = time.perf_counter()
    count = compile_all(job_count(0))
    print(f"{count} kernels ready in {time.perf_counter() - start:.1f} s")


def bench(
    edition: Annotated[
        list[str] | None, typer.Option("--edition", "-e", help="Only these editions; may be given several times.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds, and no cold compile.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how fast this machine plays.

    Games and actions per second on one core, copies, masks, inputs, agents in bulk, start-up times. Figures are the
    best of a few rounds. Compare ratios inside one run: machines are noisy.
    """
    from cardrome.games.family import find_edition
    from cardrome.games.locm.rules.edition import EDITIONS
    from cardrome.games.tapdeck.rules.edition import TAPDECK

    chosen = [find_edition(name) for name in edition] if edition else [*EDITIONS.values(), TAPDECK]
    figures = measure([each for each in chosen if each is not TAPDECK], quick)
    if TAPDECK in chosen:
        figures["tapdeck"] = measure_tapdeck(quick)
    if as_json:
        import msgspec

        print(msgspec.json.encode(figures).decode())
    else:
        print_figures(figures)


def measure(editions: list[Any], quick: bool) -> dict[str, Any]:
    """All figures as plain data, editions by their names."""
    from cardrome.bench import engine as m
    from cardrome.bench.referee import referee_cost
    from cardrome.games.locm.rules.edition import LOCM_12

    def note(what: str) -> None:
        print(f"measuring {what}…", file=sys.stderr, flush=True)

    rounds, scale = (2, 4) if quick else (7, 1)
    figures: dict[str, Any] = {"machine": m.machine(), "editions": {}}
    for edition in editions:
        note(f"random play on {edition.name}")
        play = m.random_play(edition, (2000 if edition.generated_cards else 8000) // scale, rounds)
        figures["editions"][edition.name] = {
            "games_per_second": play.games_per_second,
            "actions_per_second": play.actions_per_second,
            "actions_per_game": play.actions_per_game,
        }
    note("states, masks, inputs")
    figures["state_bytes"] = m.state_bytes()
    figures["copy_ns"] = m.copy_ns()
    figures["mask_ns"] = m.mask_ns()
    figures["inputs_per_second"] = m.inputs_per_second()
    note("the interpreter")
    compiled = figures["editions"].get(LOCM_12.name, {}).get("actions_per_second")
    slow = m.interpreted_play(LOCM_12).actions_per_second
    figures["interpreted_actions_per_second"] = slow
    figures["compiled_to_interpreted"] = (compiled or m.random_play(LOCM_12, 2000, 2).actions_per_second) / slow
    note("agents in bulk")
    both = job_count(0)
    figures["agents"] = {
        f"{name} v {name}": m.agent_games_per_second(name, name, pairs // scale)
        for name, pairs in (("random", 8000), ("greedy", 800), ("rule-based", 800))
    }
    alone = figures["agents"]["random v random"]
    figures["all_cores"] = {
        "jobs": both,
        "random v random": (together := m.agent_games_per_second("random", "random", 16000 // scale, both)),
        "speed_up": together / alone,
    }
    note("the referee")
    cost, shared = referee_cost(120 // scale), referee_cost(240 // scale, both)
    figures["referee"] = {
        "bots": cost.bots,
        "games_per_second": cost.games_per_second,
        "cpu_ms_per_call": cost.cpu_ms_per_call,
        "calls_per_game": cost.calls_per_game,
        "all_cores_games_per_second": shared.games_per_second,
        "speed_up": shared.games_per_second / cost.games_per_second,
    }
    note("start-up")
    figures["help_seconds"] = m.help_seconds()
    figures["warm_start_seconds"] = m.warm_start_seconds()
    if not quick:
        note("cold compile")
        figures["cold_start_seconds"], figures["cold_compile_seconds"] = m.cold_start_seconds()
    return figures


def measure_tapdeck(quick: bool) -> dict[str, Any]:
    """The figures of Tapdeck as plain data."""
    from cardrome.bench.tapdeck import bulk_play, search_ms_per_turn

    print("measuring tapdeck…", file=sys.stderr, flush=True)
    scale = 4 if quick else 1
    play = {f"{name} v {name}": bulk_play(name, name, pairs // scale) for name, pairs in BULK_PAIRS.items()}
    return {
        "play": {
            pairing: {
                "games_per_second": speed.games_per_second,
                "actions_per_second": speed.actions_per_second,
                "actions_per_game": speed.actions_per_game,
            }
            for pairing, speed in play.items()
        },
        "search_ms_per_turn": search_ms_per_turn(8 // scale),
        "server": measure_server(0.3 if quick else 1.0),
    }


def measure_server(seconds: float) -> dict[str, float]:
    """Commands a second that an event server answers, and lines a second that a bare echo server sends back."""
    import msgspec

    from cardrome.bench.server import measure as measure_throughput

    print("measuring the event server…", file=sys.stderr, flush=True)
    found = measure_throughput(seconds)
    rates: dict[str, float] = msgspec.structs.asdict(found)
    rates["pipelined_to_echo"] = found.pipelined / found.echo_pipelined
    rates["one_at_a_time_to_echo"] = found.one_at_a_time / found.echo_one_at_a_time
    return rates


def print_tapdeck(figures: dict[str, Any]) -> None:
    """The figures of Tapdeck as a table."""
    from cardrome.cli.console import console, plain_table

    table = plain_table("tapdeck", "games/s", "actions/s", "actions/game")
    for pairing, play in figures["play"].items():
        numbers = play["games_per_second"], play["actions_per_second"], play["actions_per_game"]
        table.add_row(pairing, f"{numbers[0]:,.0f}", f"{numbers[1]:,.0f}", f"{numbers[2]:.1f}")
    console().print(table)
    console().print(f"search: {figures['search_ms_per_turn']:.1f} ms a turn")
    table = plain_table("event server", "commands/s", "bare echo, lines/s", "ratio")
    for name, words in (("pipelined", "pipelined"), ("one_at_a_time", "one at a time")):
        server = figures["server"]
        rates = f"{server[name]:,.0f}", f"{server['echo_' + name]:,.0f}", f"{server[name + '_to_echo']:.2f}"
        table.add_row(words, *rates)
    console().print(table)


def print_figures(figures: dict[str, Any]) -> None:
    """The figures as tables."""
    from cardrome.cli.console import console, plain_table

    out = console()
    machine = figures["machine"]
    out.print(f"{machine['processor']}, one core of {machine['cores']}; Python {machine['python']}", style="dim")
    table = plain_table("random play", "games/s", "battle actions/s", "actions/game")
    for name, play in figures["editions"].items():
        numbers = play["games_per_second"], play["actions_per_second"], play["actions_per_game"]
        table.add_row(name, f"{numbers[0]:,.0f}", f"{numbers[1]:,.0f}", f"{numbers[2]:.1f}")
    out.print(table)
    table = plain_table("everything else (locm-1.2)", "")
    rows = [
        ("state", f"{figures['state_bytes']} bytes"),
        ("copy of a state", f"{figures['copy_ns']:.1f} ns"),
        ("legal action mask", f"{figures['mask_ns']:.0f} ns"),
        ("turn inputs as text", f"{figures['inputs_per_second']:,.0f} /s"),
        ("actions in the interpreter", f"{figures['interpreted_actions_per_second']:,.0f} /s"),
        ("compiled to interpreted", f"{figures['compiled_to_interpreted']:,.0f} ×"),
    ]
    rows += [(f"{pairing}, from views", f"{rate:,.0f} games/s") for pairing, rate in figures["agents"].items()]
    cores = figures["all_cores"]
    rows.append((f"random v random, {cores['jobs']} jobs", f"{cores['random v random']:,.0f} games/s"))
    rows.append((f"{cores['jobs']} jobs to one", f"{cores['speed_up']:.2f} ×"))
    bots = figures["referee"]
    rows.append((f"referee, two {bots['bots']} bots that pass", f"{bots['games_per_second']:.0f} games/s"))
    rows.append(("referee's own time", f"{bots['cpu_ms_per_call']:.2f} ms a call"))
    rows.append((f"referee, {cores['jobs']} jobs to one", f"{bots['speed_up']:.2f} ×"))
    rows.append(("cardrome --help", f"{figures['help_seconds']:.2f} s"))
    rows.append(("warm start, to the first mask", f"{figures['warm_start_seconds']:.2f} s"))
    if "cold_start_seconds" in figures:
        rows.append(("cold start, to the first mask", f"{figures['cold_start_seconds']:.1f} s"))
        rows.append(("cold compile of everything", f"{figures['cold_compile_seconds']:.1f} s"))
    for what, value in rows:
        table.add_row(what, value)
    out.print(table)
    if "tapdeck" in figures:
        print_tapdeck(figures["tapdeck"])
