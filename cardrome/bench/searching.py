"""How fast the searching agents think: positions a second, and how long their turns take."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from cardrome.bench.kernels import search_many
from cardrome.games.family import find_edition, find_family
from cardrome.games.game import Game
from cardrome.games.locm.agents.registry import new_desks
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.locm.rules.edition import LOCM_12

WIDTH = 128
"""Of the beam that is measured: that of `search`."""


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
    search_many(kernel, *memory, WIDTH, 1)
    start = time.process_time()
    nodes = search_many(kernel, *memory, WIDTH, times)
    return nodes / (time.process_time() - start), nodes / times


def measure_searching(quick: bool) -> dict[str, Any]:
    """The figures as plain data."""
    figures: dict[str, Any] = {"ms_per_turn": {}}
    for name in ("search-fast", "search", "search-max"):
        times, views = turn_times(LOCM_12.name, name, 1 if quick else 20 if name == "search-fast" else 5)
        middle, most = np.percentile(times, [50, 99]) * 1000
        figures["ms_per_turn"][name] = {"median": float(middle), "99%": float(most), "longest": max(times) * 1000}
    figures["nodes_per_second"], figures["nodes_per_turn"] = nodes_per_second(views, 200 if quick else 5000)
    return figures
