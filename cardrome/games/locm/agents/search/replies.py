"""What the opponent may answer: lines of a turn are played on with imagined cards, and the better half is looked at
again, until one is left."""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.random import below, step
from cardrome.engine.records import Integers, Record, Records, i2, i4, i8
from cardrome.games.locm.agents.evaluate import Weights
from cardrome.games.locm.agents.rule_based import Trials, act_by_rules
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.agents.search.turn import (
    LONGEST,
    TurnSearch,
    could_win,
    fingerprint,
    search_turn,
)
from cardrome.games.locm.agents.search.worth import Mind, chance, worth_of
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.edition import PASS, Rules
from cardrome.games.locm.rules.state import NOBODY, DealRecord, State
from cardrome.games.locm.rules.view import SCRATCH_SIZE, fill_in

MOST_SAMPLES = 64
"""Imagined hands of one round."""
WIN_WIDTH = 64
"""Width of the beam that looks for a win."""
MOST_IN_REPLY = 40
"""Actions of an imagined turn."""


class Budget(Record):
    """How much a searching agent looks at."""

    width: i4
    """Positions of one length, in the search of a turn."""
    lines: i4
    """Ways to end the turn that are played on."""
    samples: i4
    """Imagined hands of the first round; each round that follows has twice as many, for half of the lines."""
    rounds: i4
    turns: i4
    """Turns that are played on, the opponent's first."""


class Search(Record):
    """Scratch memory, and the plan for the rest of the turn."""

    mind: Mind
    turn: TurnSearch
    roots: Annotated[Records[State], MOST_SAMPLES]
    """The position with imagined cards."""
    deal: Annotated[Records[DealRecord], 1]
    trial: Annotated[Records[State], 1]
    scratch: Annotated[Integers, "i2", SCRATCH_SIZE]
    chance: Annotated[float, "f8"]
    """To win, by the line that was chosen."""
    expected: i8
    """The position in which the plan goes on."""
    next: i2
    n: i2
    plan: Annotated[Integers, "i2", LONGEST]


@large_kernel
def play_on(
    brain: Brain, w: Weights, rules: Rules, deal: DealRecord, s: State, viewer: int, turns: int, m: Mind, trials: Trials
) -> float:
    """The viewer's chance to win once some turns were played on by rule of trials; s is the end of their turn."""
    for _ in range(turns):
        if s.winner == NOBODY:
            apply_battle(rules, deal, s, PASS)
        n = 0
        action = -1
        while s.winner == NOBODY and action != PASS and n < MOST_IN_REPLY:
            action = act_by_rules(w, rules, deal, s, trials)
            if action != PASS:
                apply_battle(rules, deal, s, action)
            n += 1
    if s.winner != NOBODY:
        return 1.0 if s.winner == viewer else 0.0
    mover = int(s.current)
    p = chance(worth_of(brain, w, rules, deal, s, mover, m))
    return p if mover == viewer else 1.0 - p


@kernel
def rating(t: TurnSearch, i: int) -> float:
    """What samples said of a line, on average."""
    return float(t.lines[i].total) / max(1, int(t.lines[i].samples))


@large_kernel
def better_half(t: TurnSearch, alive: int) -> int:
    """Move the better half of the lines to the front; returns how many they are."""
    keep = max(1, alive // 2)
    for i in range(keep):
        best = i
        for j in range(i + 1, alive):
            if rating(t, j) > rating(t, best):
                best = j
        t.spare[0] = t.lines[i]
        t.lines[i] = t.lines[best]
        t.lines[best] = t.spare[0]
    return keep


@large_kernel
def rate_lines(
    brain: Brain,
    w: Weights,
    b: Budget,
    rules: Rules,
    deal: DealRecord,
    view: State,
    search: Search,
    trials: Trials,
    seed: int,
) -> None:
    """Play all lines on with the same imagined cards, then the better half with more, and so on; the best is first."""
    t, m = search.turn, search.mind
    viewer = int(view.current)
    alive, samples = int(t.n_lines), min(int(b.samples), MOST_SAMPLES)
    search.deal[0] = deal
    trial = search.trial[0]
    for _ in range(b.rounds):
        for k in range(samples):
            seed = step(seed)
            search.roots[k] = view
            fill_in(rules, search.deal[0], search.roots[k], viewer, search.scratch, seed)
        for i in range(alive):
            line = t.lines[i]
            for k in range(samples):
                search.trial[0] = search.roots[k]
                for j in range(line.n):
                    apply_battle(rules, deal, trial, int(line.actions[j]))
                line.total += play_on(brain, w, rules, deal, trial, viewer, int(b.turns), m, trials)
            line.samples += samples
        alive = int(better_half(t, alive))
        samples = min(2 * samples, MOST_SAMPLES)
    t.n_lines = alive


@kernel
def certain(t: TurnSearch) -> None:
    """Nothing is to be rated: the only line is a win."""
    t.lines[0].total = 1.0
    t.lines[0].samples = 1


@large_kernel
def plan_turn(
    brain: Brain,
    w: Weights,
    b: Budget,
    rules: Rules,
    deal: DealRecord,
    view: State,
    search: Search,
    trials: Trials,
    slips: float,
    random: int,
) -> int:
    """Plan the rest of the turn; returns the next state of the agent's generator."""
    t = search.turn
    random = step(random)
    won = could_win(deal, view) and search_turn(brain, w, rules, deal, view, t, search.mind, WIN_WIDTH, 0)
    if not won:
        won = search_turn(brain, w, rules, deal, view, t, search.mind, int(b.width), int(b.lines))
    chosen = 0
    if won:
        certain(t)
    else:
        n = int(t.n_lines)
        rate_lines(brain, w, b, rules, deal, view, search, trials, random)
        if slips > 0.0:
            random, u = below(random, 4096)
            if u < slips * 4096.0:
                random, chosen = below(random, n)
    line = t.lines[chosen]
    for i in range(line.n):
        search.plan[i] = line.actions[i]
    search.n = line.n
    search.next = 0
    search.chance = rating(t, 0)
    return random


@kernel
def begins_turn(rules: Rules, view: State, search: Search) -> bool:
    """There is no plan for this position."""
    return bool(search.expected != fingerprint(rules, view, int(view.turn)))


@large_kernel
def follow_plan(rules: Rules, deal: DealRecord, view: State, search: Search) -> int:
    """The next action of the plan; PASS at its end."""
    search.expected = 0
    if search.next >= search.n:
        return PASS
    action = int(search.plan[search.next])
    search.next += 1
    search.trial[0] = view
    apply_battle(rules, deal, search.trial[0], action)
    if search.trial[0].winner == NOBODY:
        search.expected = fingerprint(rules, search.trial[0], int(view.turn))
    return action
