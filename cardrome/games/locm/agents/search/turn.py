"""All ways to play one turn, as far as they are promising: a beam of positions that grows action by action.

Positions that differ only in the order in which they were reached are looked at once. Every position is also a way to
end the turn; the best of them are the candidates.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.random import MASK, mix
from cardrome.engine.records import Integers, Record, Records, f4, flag, i2, i4, i8
from cardrome.games.locm.agents.evaluate import Weights, is_guarded
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.agents.search.worth import SURE, Mind, worth_of
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.cards import BLUE_ITEM, CHARGE, GREEN_ITEM, GUARD, WARD
from cardrome.games.locm.rules.edition import BOARD_SIZE, MAX_ACTIONS, Rules
from cardrome.games.locm.rules.legal import list_actions
from cardrome.games.locm.rules.state import DealRecord, Player, State

LONGEST = 24
"""Actions of a turn that are searched; nobody has that many."""
WIDEST = 256
"""Positions of one length that are kept, at the most."""
MOST_CHILDREN = 16384
SEEN = 1 << 15
"""Places in the table of positions that were seen."""
MOST_CANDIDATES = 64

TYPICAL_CHARGE = 6
"""The attack of a creature that an item may send into battle at once."""


class Line(Record):
    """Some actions of a turn, and what they lead to."""

    value: f4
    """What the position is worth before anybody answers."""
    total: Annotated[float, "f8"]
    """The sum of what samples said of it, and their number."""
    samples: i4
    doomed: flag
    """The opponent's creatures win on the spot, whatever cards there are."""
    n: i4
    actions: Annotated[Integers, "i2", LONGEST]


class Node(Record):
    """A position of the beam."""

    state: State
    n: i4
    actions: Annotated[Integers, "i2", LONGEST]


class Child(Record):
    """A position that may go on the beam."""

    value: f4
    parent: i2
    action: i2


class TurnSearch(Record):
    """Scratch memory for the search of a turn."""

    number: i8
    """Of searches so far; it makes what earlier ones have left in `seen` meaningless."""
    nodes: i8
    """Positions looked at, since the memory was made."""
    n_lines: i4
    lines: Annotated[Records[Line], MOST_CANDIDATES]
    """The best ways to end the turn."""
    least: i4
    """Once there are as many as are kept: the place of the least valuable of them, and its value, which is the bar."""
    bar: f4
    spare: Annotated[Records[Line], 1]
    beam: Annotated[Records[Node], WIDEST]
    grown: Annotated[Records[Node], WIDEST]
    children: Annotated[Records[Child], MOST_CHILDREN]
    order: Annotated[Integers, "i4", WIDEST]
    seen: Annotated[Integers, "i8", SEEN]
    trial: Annotated[Records[State], 1]
    codes: Annotated[Integers, "i2", MAX_ACTIONS]


# Positions that are the same


@large_kernel
def fingerprint(rules: Rules, s: State, salt: int) -> int:
    """The same for positions of one turn that differ only in the order in which things happened."""
    h = salt
    for p in range(2):
        side = s.players[p]
        for lane in range(rules.lanes):
            start = lane * int(rules.lane_slots)
            for place in range(start, start + int(side.n_lane[lane])):
                c = side.board[place]
                code = int(c.attack) << 32 | int(c.defense) << 20 | int(c.abilities) << 12
                h += mix(code | int(c.can_attack) << 3 | int(c.has_attacked) << 2 | p << 1 | lane)
        h += mix(int(side.health) << 20 ^ int(side.mana) << 12 ^ int(side.next_draw) << 4 ^ p << 40 ^ 0x5555 << 48)
    me = s.players[s.current]
    for i in range(me.n_hand):
        h += mix(int(me.hand[i].card) + (0x7777 << 32))
    return h & MASK


# What is kept


@kernel
def sink(children: Records[Child], order: Integers, root: int, n: int) -> None:
    """Restore the heap below a place: the least valuable child is on top."""
    top = int(order[root])
    value = children[top].value
    i = root
    below = 2 * i + 1
    while below < n:
        if below + 1 < n and children[order[below + 1]].value < children[order[below]].value:
            below += 1
        if children[order[below]].value >= value:
            break
        order[i] = order[below]
        i = below
        below = 2 * i + 1
    order[i] = top


@large_kernel
def select(children: Records[Child], order: Integers, n: int, width: int) -> int:
    """Put the most valuable children, no more than ``width``, into ``order``; returns how many there are."""
    kept = min(width, n)
    for j in range(kept):
        order[j] = j
    for j in range(kept // 2 - 1, -1, -1):
        sink(children, order, j, kept)
    for j in range(kept, n):
        if children[j].value > children[order[0]].value:
            order[0] = j
            sink(children, order, 0, kept)
    return kept


@kernel
def least_line(t: TurnSearch) -> int:
    """The place of the least valuable line."""
    least = 0
    for i in range(1, t.n_lines):
        if t.lines[i].value < t.lines[least].value:
            least = i
    return least


@kernel
def keep_line(t: TurnSearch, node: Node, action: int, value: float, limit: int) -> None:
    """Keep a way to end the turn, a position of the beam and perhaps one more action, if it is among the best."""
    at = int(t.n_lines)
    if at >= limit:
        if t.bar >= value:
            return
        at = int(t.least)
    else:
        t.n_lines = at + 1
    line = t.lines[at]
    n = int(node.n)
    for i in range(n):
        line.actions[i] = node.actions[i]
    if action > 0:
        line.actions[n] = action
        n += 1
    line.n = n
    line.value = value
    line.total = 0.0
    line.samples = 0
    line.doomed = False
    if t.n_lines >= limit:
        t.least = least_line(t)
        t.bar = t.lines[t.least].value


# Winning at once


@large_kernel
def could_win(deal: DealRecord, s: State) -> bool:
    """The damage that creatures and payable cards could do at the very best, guards not considered, is enough."""
    me, foe = s.players[s.current], s.players[1 - s.current]
    damage = 0
    for place in range(BOARD_SIZE):
        if me.board[place].can_attack:
            damage += int(me.board[place].attack)
    for i in range(me.n_hand):
        card = deal.cards[me.hand[i].card]
        if card.cost <= me.mana:
            damage += max(0, -int(card.opponent_health))
            if card.type == BLUE_ITEM:
                damage += max(0, -int(card.defense))
            elif card.type == GREEN_ITEM:
                damage += max(0, int(card.attack)) * BOARD_SIZE if card.area > 0 else max(0, int(card.attack))
                damage += TYPICAL_CHARGE if card.abilities & CHARGE else 0
            elif card.abilities & CHARGE:
                damage += int(card.attack) * (2 if card.area > 0 else 1)
    return damage >= foe.health


@kernel
def breach(rules: Rules, s: State, viewer: int) -> float:
    """How close the viewer is to winning this turn: what counts while a win is searched, and nothing else."""
    me, foe = s.players[viewer], s.players[1 - viewer]
    value = -int(foe.health)
    for lane in range(rules.lanes):
        start = lane * int(rules.lane_slots)
        ready, guard = 0, 0
        for place in range(start, start + int(me.n_lane[lane])):
            ready += int(me.board[place].attack) * int(me.board[place].can_attack)
        if is_guarded(rules, foe, lane):
            guard = guard_strength(foe, start, int(foe.n_lane[lane]))
        value += max(0, ready - guard)
    return float(value)


@kernel
def guard_strength(foe: Player, start: int, n: int) -> int:
    """Roughly the damage needed to clear a lane of its guards."""
    needed = 0
    for place in range(start, start + n):
        c = foe.board[place]
        if c.abilities & GUARD:
            needed += int(c.defense) + (2 if c.abilities & WARD else 0)
    return needed


# The search


@large_kernel
def grow_beam(rules: Rules, deal: DealRecord, t: TurnSearch, kept: int) -> None:
    """The children that are kept become the beam."""
    for j in range(kept):
        child = t.children[t.order[j]]
        parent, node = t.beam[child.parent], t.grown[j]
        node.state = parent.state
        apply_battle(rules, deal, node.state, int(child.action))
        n = int(parent.n)
        for i in range(n):
            node.actions[i] = parent.actions[i]
        node.actions[n] = child.action
        node.n = n + 1
    for j in range(kept):
        t.beam[j] = t.grown[j]


@large_kernel
def search_turn(
    brain: Brain,
    w: Weights,
    rules: Rules,
    deal: DealRecord,
    view: State,
    t: TurnSearch,
    m: Mind,
    width: int,
    limit: int,
) -> bool:
    """Search the rest of a turn for the ``limit`` best ways to end it, or, if that is 0, for a win and nothing else.

    Returns whether there is a win; then it is the only line.
    """
    viewer = int(view.current)
    t.number += 1
    now = mix(int(t.number))
    t.n_lines = 0
    t.beam[0].state = view
    t.beam[0].n = 0
    if limit > 0:
        keep_line(t, t.beam[0], 0, worth_of(brain, w, rules, deal, view, viewer, m), limit)
    trial = t.trial[0]
    n_beam, depth = 1, 0
    while n_beam > 0 and depth < LONGEST - 1:
        depth += 1
        n = 0
        for i in range(n_beam):
            node = t.beam[i]
            n_codes = int(list_actions(rules, deal, node.state, t.codes))
            for k in range(1, n_codes):  # the first is PASS
                action = int(t.codes[k])
                t.trial[0] = node.state
                apply_battle(rules, deal, trial, action)
                t.nodes += 1
                if trial.winner == viewer:
                    t.n_lines = 0
                    keep_line(t, node, action, SURE, 1)
                    return True
                mark = fingerprint(rules, trial, 0)
                slot = mark & (SEEN - 1)
                if t.seen[slot] != mark ^ now and n < MOST_CHILDREN:
                    t.seen[slot] = mark ^ now
                    if limit > 0:
                        value = worth_of(brain, w, rules, deal, trial, viewer, m)
                        keep_line(t, node, action, value, limit)
                    else:
                        value = breach(rules, trial, viewer)
                    child = t.children[n]
                    child.value = value
                    child.parent = i
                    child.action = action
                    n += 1
        n_beam = int(select(t.children, t.order, n, width))
        grow_beam(rules, deal, t, n_beam)
    return False
