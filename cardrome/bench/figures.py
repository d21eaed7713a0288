"""What this machine reaches: the figures behind ``cardrome bench``, measured in one run.

Engine, agents in bulk, search and start-up are the best of a few rounds, since machines are shared and noisy; what
plays for a while anyway (environments, referee, event server) is measured once. Ratios between the figures of one run
mean more than the figures.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import asdict

from cardrome.bench import best_of
from cardrome.bench.environments import measure_environments
from cardrome.bench.kernels import copy_many, mask_many, play_random_games
from cardrome.bench.referee import referee_cost
from cardrome.bench.searching import measure_searching
from cardrome.bench.server import measure as measure_throughput
from cardrome.engine.bulk import Games
from cardrome.engine.records import new_records
from cardrome.errors import CallerError
from cardrome.games.family import edition_names, find_edition, find_family
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import LocmDeal, blank_deals
from cardrome.games.locm.rules.edition import LOCM_12, MAX_ACTIONS, LocmEdition
from cardrome.games.locm.rules.state import State, new_states
from cardrome.games.tapdeck.rules.edition import TAPDECK

_PLAY_RANDOMLY = """
import sys, time
from cardrome.bench.figures import random_games
from cardrome.games.locm.rules.edition import find_edition
print(*random_games(find_edition(sys.argv[1]), int(sys.argv[2]), rounds=1))
"""

_FIRST_MASK = """
import cardrome
cardrome.new_game("locm-1.2", seed=1).legal_mask()
"""


class Speed(msgspec.Struct, frozen=True):
    """How fast whole games are played, deal and deck building included."""

    games_per_second: float
    actions_per_second: float
    actions_per_game: float


def _speed(games: int, seconds: float, actions: int) -> Speed:
    return Speed(games / seconds, actions / seconds, actions / games)


def random_games(edition: LocmEdition, games: int, rounds: int = 5) -> tuple[float, int]:
    """Play random games on one core; returns the seconds of the best round and the battle actions in it."""
    deals, states = blank_deals(edition), new_states()
    work = new_records(Workshop)
    play_random_games(edition.rules, deals, states, work, 1, 0)
    actions = 0

    def play() -> None:
        nonlocal actions
        actions = play_random_games(edition.rules, deals, states, work, games, 1)

    return best_of(rounds, play), actions


def random_play(edition: LocmEdition, games: int, rounds: int = 5) -> Speed:
    """How fast an edition is played at random."""
    return _speed(games, *random_games(edition, games, rounds))


def interpreted_play(edition: LocmEdition, games: int = 3) -> Speed:
    """The same in the interpreter, without compiling: what compiling buys is the ratio."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    output = _python(_PLAY_RANDOMLY, edition.name, str(games), environment=environment)
    seconds, actions = output.split()
    return _speed(games, float(seconds), int(actions))


def state_bytes() -> int:
    """The size of a state."""
    return State.dtype.itemsize


def copy_ns(times: int = 5_000_000) -> float:
    """Nanoseconds to copy a state."""
    states = new_states(33)
    copy_many(states, 0, 1, 1)
    return best_of(5, lambda: copy_many(states, 0, 1, times)) / times * 1e9


def sample_positions(edition: LocmEdition, n: int, seed: int = 1) -> tuple[LocmGame, list[LocmGame]]:
    """A game, and positions from its battle taken at random."""
    rng = np.random.default_rng(seed)
    game = LocmGame(edition, LocmDeal(seed))
    positions: list[LocmGame] = []
    while len(positions) < n:
        codes = game.legal_codes()
        if not codes:
            game = LocmGame(edition, LocmDeal(seed))
            continue
        game.push(int(rng.choice(codes)))
        if game.phase == "battle" and game.to_move is not None:
            positions.append(game.copy())
    return game, positions


def mask_ns(edition: LocmEdition = LOCM_12, times: int = 1_000_000) -> float:
    """Nanoseconds to write the legal action mask, over the positions of a random game."""
    game, positions = sample_positions(edition, 256)
    states = np.concatenate([position.states for position in positions]).view(np.recarray)
    codes, mask = np.zeros(MAX_ACTIONS, np.int16), np.zeros(edition.n_actions, np.uint8)
    mask_many(edition.rules, game.deals, states, codes, mask, 1)
    return best_of(5, lambda: mask_many(edition.rules, game.deals, states, codes, mask, times)) / times * 1e9


def inputs_per_second(edition: LocmEdition = LOCM_12) -> float:
    """Turn inputs written as text, byte-exact, from Python."""
    _, positions = sample_positions(edition, 256)
    return len(positions) / best_of(5, lambda: [position.input_text() for position in positions])


def _bulk(edition: str, a: str, b: str) -> Callable[[npt.NDArray[np.int64], int], Games]:
    """Plays pairs of games between two built-in agents; what it takes is compiled already."""
    family, chosen = find_family(edition), find_edition(edition)
    ours, theirs = family.agents[a].kernel, family.agents[b].kernel
    assert ours is not None
    assert theirs is not None
    kernels = ours, theirs
    family.play_bulk(chosen, kernels, family.seeds(0, 1))
    return lambda seeds, jobs: family.play_bulk(chosen, kernels, seeds, jobs)


def bulk_play(edition: str, a: str, b: str, pairs: int, jobs: int = 1) -> Speed:
    """How fast two built-in agents play in bulk, deciding from views, by wall time."""
    play, seeds, actions = _bulk(edition, a, b), find_family(edition).seeds(1, pairs), 0

    def work() -> None:
        nonlocal actions
        actions = int(play(seeds, jobs).actions.sum())

    return _speed(2 * pairs, best_of(3, work, time.perf_counter), actions)


def search_ms_per_turn(pairs: int) -> float:
    """Milliseconds that Tapdeck's `search` thinks about a turn on average, against itself."""
    play, seeds, turns = _bulk("tapdeck", "search", "search"), find_family("tapdeck").seeds(1, max(pairs, 1)), 0

    def work() -> None:
        nonlocal turns
        turns = int(play(seeds, 1).turns.sum())

    return best_of(2, work) / turns * 1000


def help_seconds(rounds: int) -> float:
    """Wall time of ``cardrome --help``."""
    return best_of(rounds, lambda: _run([sys.executable, "-m", "cardrome", "--help"]), time.perf_counter)


def warm_start_seconds(rounds: int) -> float:
    """Wall time from the start of a process to its first legal mask, the rules being compiled."""
    return best_of(rounds, lambda: _python(_FIRST_MASK), time.perf_counter)


def cold_start_seconds() -> tuple[float, float]:
    """Wall time with an empty cache: to the first legal mask, and until everything is compiled."""
    with tempfile.TemporaryDirectory(prefix="cardrome-bench-") as folder:
        environment = {**os.environ, "CARDROME_CACHE_DIR": folder}
        start = time.perf_counter()
        _python(_FIRST_MASK, environment=environment)
        first = time.perf_counter() - start
    with tempfile.TemporaryDirectory(prefix="cardrome-bench-") as folder:
        environment = {**os.environ, "CARDROME_CACHE_DIR": folder}
        start = time.perf_counter()
        _run([sys.executable, "-m", "cardrome", "warm"], environment)
        return first, time.perf_counter() - start


def machine() -> dict[str, Any]:
    """What was measured on."""
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": _processor(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def _python(code: str, *args: str, environment: dict[str, str] | None = None) -> str:
    return _run([sys.executable, "-c", code, *args], environment)


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[:3]} failed: {done.stderr[-2000:]}")
    return done.stdout


BULK_PAIRS = {"random": 8000, "greedy": 4000}
"""Pairs of Tapdeck matches that agents play against themselves."""


def note(what: str) -> None:
    """Say what is being measured."""
    print(f"measuring {what}…", file=sys.stderr, flush=True)


def measure(names: Sequence[str] | None, quick: bool, jobs: int) -> dict[str, Any]:
    """All figures as plain data, for the editions named, or all."""
    chosen = [find_edition(name) for name in names or edition_names()]
    others = [each for each in chosen if not isinstance(each, LocmEdition) and each is not TAPDECK]
    if names and others:
        raise CallerError(f"{others[0].name} cannot be measured; expected editions of LOCM, or {TAPDECK.name}")
    chosen = [each for each in chosen if each not in others]
    figures = measure_locm([each for each in chosen if isinstance(each, LocmEdition)], quick, jobs)
    if TAPDECK in chosen:
        figures["tapdeck"] = measure_tapdeck(quick)
    note("environments")
    figures["environments"] = measure_environments([each.name for each in chosen], quick, jobs)
    return figures


def measure_locm(editions: Sequence[LocmEdition], quick: bool, jobs: int) -> dict[str, Any]:
    """The figures of LOCM and of everything that is measured on it: states, agents, referee, start-up."""
    rounds, scale = (2, 4) if quick else (7, 1)
    figures: dict[str, Any] = {"machine": machine(), "editions": {}}
    for edition in editions:
        note(f"random play on {edition.name}")
        games = (2000 if edition.generated_cards else 8000) // scale
        figures["editions"][edition.name] = asdict(random_play(edition, games, rounds))
    note("states, masks, inputs")
    figures["state_bytes"] = state_bytes()
    figures["copy_ns"] = copy_ns(5_000_000 // scale)
    figures["mask_ns"] = mask_ns(times=1_000_000 // scale)
    figures["inputs_per_second"] = inputs_per_second()
    note("the interpreter")
    compiled = figures["editions"].get(LOCM_12.name, {}).get("actions_per_second")
    slow = interpreted_play(LOCM_12).actions_per_second
    figures["interpreted_actions_per_second"] = slow
    figures["compiled_to_interpreted"] = (compiled or random_play(LOCM_12, 2000, 2).actions_per_second) / slow
    note("agents in bulk")
    figures["agents"] = {
        f"{name} v {name}": bulk_play(LOCM_12.name, name, name, pairs // scale).games_per_second
        for name, pairs in (("random", 8000), ("greedy", 800), ("rule-based", 800))
    }
    alone = figures["agents"]["random v random"]
    together = bulk_play(LOCM_12.name, "random", "random", 16000 // scale, jobs).games_per_second
    figures["all_cores"] = {
        "jobs": jobs,
        "random v random": together,
        "speed_up": together / alone,
    }
    note("agents that search")
    figures["searching"] = measure_searching(quick)
    note("the referee")
    games = 10 if quick else 120
    cost, shared = referee_cost(games), referee_cost(2 * games, jobs)
    figures["referee"] = {
        "bots": cost.bots,
        "games_per_second": cost.games_per_second,
        "cpu_ms_per_call": cost.cpu_ms_per_call,
        "calls_per_game": cost.calls_per_game,
        "all_cores_games_per_second": shared.games_per_second,
        "speed_up": shared.games_per_second / cost.games_per_second,
    }
    note("start-up")
    starts = 2 if quick else 5
    figures["help_seconds"] = help_seconds(starts)
    figures["warm_start_seconds"] = warm_start_seconds(starts)
    if not quick:
        note("cold compile")
        figures["cold_start_seconds"], figures["cold_compile_seconds"] = cold_start_seconds()
    return figures


def measure_tapdeck(quick: bool) -> dict[str, Any]:
    """The figures of Tapdeck as plain data."""
    note("tapdeck")
    scale = 4 if quick else 1
    return {
        "play": {
            f"{name} v {name}": asdict(bulk_play(TAPDECK.name, name, name, pairs // scale))
            for name, pairs in BULK_PAIRS.items()
        },
        "search_ms_per_turn": search_ms_per_turn(8 // scale),
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
