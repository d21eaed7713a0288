"""All figures of ``cardrome bench``, measured in one run: compare ratios inside it, since machines are noisy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from cardrome.bench import engine as m
from cardrome.bench.referee import referee_cost
from cardrome.bench.server import measure as measure_throughput
from cardrome.games.family import edition_names, find_edition
from cardrome.games.locm.rules.edition import LOCM_12, LocmEdition
from cardrome.games.tapdeck.rules.edition import TAPDECK

BULK_PAIRS = {"random": 8000, "greedy": 4000}
"""Pairs of Tapdeck matches that agents play against themselves."""


def note(what: str) -> None:
    """Say what is being measured."""
    print(f"measuring {what}…", file=sys.stderr, flush=True)


def measure(names: Sequence[str] | None, quick: bool, jobs: int) -> dict[str, Any]:
    """All figures as plain data, for the editions named, or all."""
    chosen = [find_edition(name) for name in names or edition_names()]
    figures = measure_locm([each for each in chosen if isinstance(each, LocmEdition)], quick, jobs)
    if TAPDECK in chosen:
        figures["tapdeck"] = measure_tapdeck(quick)
    return figures


def measure_locm(editions: Sequence[LocmEdition], quick: bool, jobs: int) -> dict[str, Any]:
    """The figures of LOCM and of everything that is measured on it: states, agents, referee, start-up."""
    rounds, scale = (2, 4) if quick else (7, 1)
    figures: dict[str, Any] = {"machine": m.machine(), "editions": {}}
    for edition in editions:
        note(f"random play on {edition.name}")
        games = (2000 if edition.generated_cards else 8000) // scale
        figures["editions"][edition.name] = asdict(m.random_play(edition, games, rounds))
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
    figures["agents"] = {
        f"{name} v {name}": m.bulk_play(LOCM_12.name, name, name, pairs // scale).games_per_second
        for name, pairs in (("random", 8000), ("greedy", 800), ("rule-based", 800))
    }
    alone = figures["agents"]["random v random"]
    together = m.bulk_play(LOCM_12.name, "random", "random", 16000 // scale, jobs).games_per_second
    figures["all_cores"] = {
        "jobs": jobs,
        "random v random": together,
        "speed_up": together / alone,
    }
    note("the referee")
    cost, shared = referee_cost(120 // scale), referee_cost(240 // scale, jobs)
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
    note("tapdeck")
    scale = 4 if quick else 1
    return {
        "play": {
            f"{name} v {name}": asdict(m.bulk_play(TAPDECK.name, name, name, pairs // scale))
            for name, pairs in BULK_PAIRS.items()
        },
        "search_ms_per_turn": m.search_ms_per_turn(8 // scale),
        "server": measure_server(0.3 if quick else 1.0),
    }


def measure_server(seconds: float) -> dict[str, float]:
    """Commands a second that an event server answers, and lines a second that a bare echo server sends back."""
    note("the event server")
    found = measure_throughput(seconds)
    rates: dict[str, float] = asdict(found)
    rates["pipelined_to_echo"] = found.pipelined / found.echo_pipelined
    rates["one_at_a_time_to_echo"] = found.one_at_a_time / found.echo_one_at_a_time
    return rates
