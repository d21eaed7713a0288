"""A tree of whole turns: the player's, the opponent's answers, the answers to those.

The most promising leaf is expanded, again and again: the turns that the search of one turn gives become its children.
A position is worth what the best of its children is to the player who chooses. A round expands a number of leaves and
leaves a tree that can be grown further, so an agent may stop after any of them.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import large_kernel
from cardrome.engine.records import Integers, Record, Records, f4, flag, i1, i2, i4, i8
from cardrome.games.learning.network import chance
from cardrome.games.tapdeck.agents.evaluate import Weights
from cardrome.games.tapdeck.agents.plan import Plan, copy_plan, copy_position, copy_state
from cardrome.games.tapdeck.agents.search.brain import Brain
from cardrome.games.tapdeck.agents.search.memory import MOST_LINES, UNIT, Effort, TurnSearch, forget
from cardrome.games.tapdeck.agents.search.turn import search_turn
from cardrome.games.tapdeck.agents.search.worth import AHEAD_AT_THE_END
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import MAX_HAND, Rules
from cardrome.games.tapdeck.rules.state import PLAYING, Creature, State
from cardrome.games.tapdeck.rules.turn import start_turn

MOST_NODES = 16384
"""Positions of a tree."""
MOST_HELD = 100
"""Creatures of a position that can be imagined further. Boards of more are rated as they are."""
MOST_TURNS = 3200
"""Turns that can be imagined before the tree is full."""


BEYOND = 1 << 40
"""More than any value."""
SETTLED = int(UNIT * AHEAD_AT_THE_END) // 2
"""A position worth more than this is won."""


class Budget(Record):
    """How much a searching agent looks at."""

    root: Effort
    """For the turn to be played."""
    inner: Effort
    """For every turn that is imagined."""
    turns: i4
    """Turns that are imagined."""
    curiosity: f4
    """How much turns that do not seem the best are explored."""
    share: f4
    """Of the time for a turn, where a clock is running."""


class Held(Record):
    """A position as a turn begins, in a tenth of the memory that a state takes."""

    health: Annotated[Integers, "i4", 2]
    turn: i2
    top: i2
    n_creatures: i2
    current: i1
    ending: i1
    n_hand: Annotated[Integers, "i2", 2]
    hands: Annotated[Integers, "i2", (2, MAX_HAND)]
    creatures: Annotated[Records[Creature], MOST_HELD]


class Node(Record):
    """A position of the tree."""

    parent: i4
    first: i4
    """Its children are in a row from here."""
    n: i4
    visits: i4
    """Expansions in and below it."""
    value: i8
    """What it is worth to the player who searches."""
    over: flag
    """Nothing more can be found out."""
    held: Held


class Tree(Record):
    """Scratch memory for a search; `lines` are the turns that lead to the children of the first node."""

    turn: TurnSearch
    n: i8
    state: State
    lines: Annotated[Records[Plan], MOST_LINES]
    nodes: Annotated[Records[Node], MOST_NODES]


@large_kernel
def hold(held: Held, s: State) -> None:
    """Keep a position; there must be room for its creatures."""
    copy_position(held, s)


@large_kernel
def unfold(rules: Rules, s: State, held: Held) -> None:
    """A position that was kept, as a turn begins."""
    copy_position(s, held)
    start_turn(rules, s)


@large_kernel
def expand(brain: Brain, w: Weights, rules: Rules, deck: Deck, tree: Tree, k: int, e: Effort, me: int) -> None:
    """Give a node its children, by searching the turn of the tree's state."""
    node, t = tree.nodes[k], tree.turn
    search_turn(brain, w, rules, deck, t, tree.state, e)
    mover = int(tree.state.current)
    node.first = tree.n
    node.n = t.n_lines
    for i in range(t.n_lines):
        child, line = tree.nodes[tree.n], t.lines[i]
        child.parent = k
        child.n = 0
        child.visits = 0
        child.value = line.value if mover == me else -line.value
        fits = line.state.n_creatures <= MOST_HELD
        child.over = line.state.ending != PLAYING or abs(line.value) > SETTLED or not fits
        if fits:
            hold(child.held, line.state)
        tree.n += 1


@large_kernel
def choose_child(tree: Tree, k: int, curiosity: float, sign: int) -> int:
    """The child to look into next: one that is good for the player who chooses, or has been looked into seldom."""
    node = tree.nodes[k]
    best, best_score = -1, 0.0
    root = float(node.visits + 1) ** 0.5
    for i in range(node.first, node.first + node.n):
        child = tree.nodes[i]
        if not child.over:
            score = chance(sign * int(child.value) / UNIT) + curiosity * root / (1 + int(child.visits))
            if best < 0 or score > best_score:
                best, best_score = i, score
    return best


@large_kernel
def back_up(tree: Tree, k: int, me: int) -> None:
    """Carry what was found at a node up to the first one."""
    while k >= 0:
        node = tree.nodes[k]
        sign = 1 if node.held.current == me else -1
        best, over = -BEYOND, True
        for i in range(node.first, node.first + node.n):
            child = tree.nodes[i]
            best = max(best, sign * int(child.value))
            over = over and child.over
        node.value = sign * best
        node.visits += 1
        node.over = over or best > SETTLED
        k = int(node.parent)


@large_kernel
def plant(brain: Brain, w: Weights, rules: Rules, deck: Deck, tree: Tree, s: State, b: Budget) -> None:
    """Begin a tree: the first node and its children."""
    forget(tree.turn)
    tree.n = 1
    node = tree.nodes[0]
    node.parent = -1
    node.visits = 0
    node.over = False
    node.held.current = s.current
    copy_state(tree.state, s)
    expand(brain, w, rules, deck, tree, 0, b.root, int(s.current))
    for i in range(node.n):
        copy_plan(tree.lines[i], tree.turn.lines[i])
    back_up(tree, 0, int(s.current))
    node.over = node.over or node.n == 1


@large_kernel
def deepen(brain: Brain, w: Weights, rules: Rules, deck: Deck, tree: Tree, b: Budget, steps: int) -> bool:
    """Expand the most promising leaf, some times, within the budget; returns whether going on could tell more."""
    root = tree.nodes[0]
    me = int(root.held.current)
    left = min(steps, int(b.turns) - int(root.visits) + 1)
    while left > 0 and not root.over and tree.n + int(b.inner.lines) <= MOST_NODES:
        k = 0
        while tree.nodes[k].n > 0:
            sign = 1 if tree.nodes[k].held.current == me else -1
            k = choose_child(tree, k, float(b.curiosity), sign)
        unfold(rules, tree.state, tree.nodes[k].held)
        expand(brain, w, rules, deck, tree, k, b.inner, me)
        back_up(tree, k, me)
        left -= 1
    return bool(root.visits <= b.turns and not root.over and tree.n + int(b.inner.lines) <= MOST_NODES)


@large_kernel
def choose_turn(tree: Tree, plan: Plan) -> None:
    """The turn to be played: the one that is worth most; of those, the one that was looked into most."""
    root = tree.nodes[0]
    best = 0
    for i in range(1, int(root.n)):
        child, so_far = tree.nodes[root.first + i], tree.nodes[root.first + best]
        if child.value > so_far.value or (child.value == so_far.value and child.visits > so_far.visits):
            best = i
    copy_plan(plan, tree.lines[best])
