"""`cardrome bench`: what this machine reaches. `cardrome warm`: compile everything now."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cardrome.cli.console import print_json
from cardrome.cli.options import JsonOption, examples, job_count


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog=examples("bench --quick", "bench -e locm-1.2 -e tapdeck --json"))(bench)
    app.command(epilog=examples("warm"))(warm)


def warm() -> None:
    """Compile rules and agents now, not at the first game."""
    import time

    from cardrome.engine import warming
    from cardrome.games.family import families
    from cardrome.wording import counted

    start = time.perf_counter()
    for family in families():
        warming.declare(family.package, "training")
    count = warming.warm()
    print(f"{counted(count, 'kernel')} ready in {time.perf_counter() - start:.1f} s")


def bench(
    edition: Annotated[
        list[str] | None,
        typer.Option("--edition", "-e", metavar="EDITION", help="Only these editions; may be given several times."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds, and no cold compile.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how fast this machine plays.

    Games and actions per second on one core, copies, masks, inputs, agents in bulk, start-up times: the best of a few
    rounds. Environments, referee and server are measured once. Compare ratios inside one run: machines are noisy.
    """
    from cardrome.bench.figures import measure

    figures = measure(edition, quick, job_count(0))
    if as_json:
        print_json(figures)
    else:
        print_figures(figures)


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


def print_environments(figures: dict[str, Any]) -> None:
    """The figures of environments as a table."""
    from cardrome.cli.console import console, plain_table

    table = plain_table("environments", "opponent", "steps/s", "all cores", "ratio", "to bulk play")
    for edition, found in figures.items():
        for opponent in ("random", "greedy"):
            each = found[opponent]
            numbers = f"{each['steps_per_second']:,.0f}", f"{each['all_cores_steps_per_second']:,.0f}"
            table.add_row(edition, opponent, *numbers, f"{each['speed_up']:.2f} ×", f"{each['to_bulk_play']:.2f}")
        table.add_row(edition, "random, one game", f"{found['single_steps_per_second']:,.0f}", "", "", "")
        table.add_row(edition, "observation and mask", f"{found['observation_ns']:.0f} ns", "", "", "")
    console().print(table)


def print_figures(figures: dict[str, Any]) -> None:
    """The figures as tables."""
    from cardrome.cli.console import console, plain_table
    from cardrome.wording import counted

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
    jobs = counted(cores["jobs"], "job")
    rows.append((f"random v random, {jobs}", f"{cores['random v random']:,.0f} games/s"))
    rows.append((f"{jobs} to one", f"{cores['speed_up']:.2f} ×"))
    search = figures["searching"]
    for name, times in search["ms_per_turn"].items():
        rows.append((f"{name}, median and 99% of turns", f"{times['median']:.1f} and {times['99%']:.1f} ms"))
    rows.append(("positions searched, with the network", f"{search['nodes_per_second'] / 1e6:.1f} million/s"))
    rows.append(("positions of a turn", f"{search['nodes_per_turn']:,.0f}"))
    busy = search["busy_ms_per_answer"]
    answers = f"{busy['median']:.0f}, {busy['90%']:.0f}, {busy['99%']:.0f}, {busy['longest']:.0f} ms"
    rows.append(("bot on a busy machine, 50, 90, 99, 100% of answers", answers))
    bots = figures["referee"]
    rows.append((f"referee, two {bots['bots']} bots that pass", f"{bots['games_per_second']:.0f} games/s"))
    rows.append(("referee's own time", f"{bots['cpu_ms_per_call']:.2f} ms a call"))
    rows.append((f"referee, {jobs} to one", f"{bots['speed_up']:.2f} ×"))
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
    if figures["environments"]:
        print_environments(figures["environments"])
