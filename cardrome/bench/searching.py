"""How fast the searching agents think: positions a second, and how long their turns take."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from cardrome.arena.play import play_one
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import BotSettings, parse_player
from cardrome.bench import best_of
from cardrome.bench.kernels import search_many
from cardrome.games.family import find_edition, find_family
from cardrome.games.game import Game
from cardrome.games.locm.agents.registry import new_desks
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import LOCM_12

WIDTH = 128
"""Of the beam that is measured: that of `search`."""
ROUNDS = 5
"""The best of which counts: a machine that does something else meanwhile says nothing about the search."""


def turn_times(edition: str, name: str, games: int) -> tuple[list[float], list[Any]]:
    """Seconds of wall time for each battle turn of an agent against `greedy`, and the views it had to think about."""
    family = find_family(edition)
    times, views = [], []
    for seed in range(games):
        game: Game = family.new_game(find_edition(edition), family.deal(find_edition(edition), {"seed": str(seed)}))
        agents = [family.agents[each].new(seed) for each in (name, "greedy")]
        while game.to_move is not None:
            player, turn = game.to_move, game.turn
            start, first = time.perf_counter(), game.view(player)
            while game.to_move == player and game.turn == turn:
                game.push(agents[player].act(game.view(player)))
            if player == 0 and first.phase == "battle":
                times.append(time.perf_counter() - start)
                views.append(first)
    return times, views


def nodes_per_second(views: list[LocmView], times: int) -> tuple[float, float]:
    """Positions of one core a second with the learned evaluation, and positions of a turn, over views of LOCM 1.2."""
    kernel = find_family(LOCM_12.name).agents["search"].kernel
    assert kernel is not None
    states = np.concatenate([view.states for view in views]).view(np.recarray)
    memory = LOCM_12.rules, views[0].deals, states, new_desks(LOCM_12)
    nodes = search_many(kernel, *memory, WIDTH, times)
    return nodes / best_of(ROUNDS, lambda: search_many(kernel, *memory, WIDTH, times)), nodes / times


_BUSY = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(1_000_000): pass
"""
"""A program that keeps a core busy, but does not outlive a bench that was killed."""


@contextmanager
def busy_machine() -> Iterator[None]:
    """Every core has something else to do, too."""
    command = [sys.executable, "-c", _BUSY, str(os.getpid())]
    loops = [subprocess.Popen(command) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def answers_on_a_busy_machine(name: str, games: int) -> dict[str, float]:
    """Milliseconds that an agent as a bot takes for an answer, at the referee, and how many are late for a battle.

    Without the first answers, which contain the start of the program. No game ends early: the referee waits for ever.
    """
    command = shlex.join([sys.executable, "-m", "cardrome", "bot", name, "--edition", LOCM_12.name])
    specs = parse_player(command, FAMILY, 0), parse_player(command, FAMILY, 1)
    times: list[int] = []
    with busy_machine():
        for seed in range(games):
            replay = play_one(LOCM_12.name, specs, LocmDeal(seed), 0, BotSettings(Clock(running=False)))
            for seat in range(2):
                times += replay.answer_times(seat)[1:]
    middle, tenth, hundredth = (float(each) for each in np.percentile(times, [50, 90, 99]))
    return {
        "median": middle,
        "90%": tenth,
        "99%": hundredth,
        "longest": float(max(times)),
        "answers": len(times),
        "late": sum(each > LOCM_12.limits.battle + Clock().margin_ms for each in times),
    }


def measure_searching(quick: bool) -> dict[str, Any]:
    """The figures as plain data."""
    figures: dict[str, Any] = {"ms_per_turn": {}}
    for name in ("search-fast", "search", "search-max"):
        times, views = turn_times(LOCM_12.name, name, 1 if quick else 20 if name == "search-fast" else 5)
        middle, most = np.percentile(times, [50, 99]) * 1000
        figures["ms_per_turn"][name] = {"median": float(middle), "99%": float(most), "longest": max(times) * 1000}
    figures["nodes_per_second"], figures["nodes_per_turn"] = nodes_per_second(views, 50 if quick else 1000)
    figures["busy_ms_per_answer"] = answers_on_a_busy_machine("search-fast" if quick else "search", 1 if quick else 10)
    return figures
