"""The cheapest way to sort an even number of participants into twos: a minimum-cost perfect matching.

Edmonds' method. Every vertex has a price, and the slack of an edge is its cost above what its two ends pay. Prices only
ever move so that no slack becomes negative; edges without slack may be used. Alternating trees grow along them from all
unmatched vertices at once. Two trees that touch give one more match; a tree that touches itself closes an odd cycle,
which from then on is treated as one vertex, a blossom, with a price of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

_FREE, _OUTER, _INNER = 0, 1, 2
_FAR = np.iinfo(np.int64).max
HIGHEST_COST = 1 << 56
"""Costs must stay below it, so that sums of prices fit into 64 bits."""


def cheapest_matching(cost: npt.NDArray[np.int64]) -> list[int]:
    """Each vertex's partner in a perfect matching of minimum cost.

    `cost` is a symmetric matrix of numbers from 0 to `HIGHEST_COST`, with an even number of rows; its diagonal does not
    count. The result depends on the matrix alone: of equally cheap matchings it is always the same.
    """
    n = len(cost)
    if n % 2 or cost.shape != (n, n) or (n and (cost.min() < 0 or cost.max() >= HIGHEST_COST)):
        raise ValueError("expected a square matrix of an even number of rows, with costs in range")
    return _Search(cost).run() if n else []


@dataclass(eq=False, slots=True)
class _Node:
    """A vertex, or a blossom: an odd cycle of nodes."""

    base: int
    """The one vertex that is matched to the outside, or not at all."""
    vertices: list[int]
    cycle: list[_Node] = field(default_factory=list)
    """The children of a blossom in order; the first holds the base."""
    links: list[tuple[int, int]] = field(default_factory=list)
    """The edge from each child to the next one: a vertex of the former, a vertex of the latter."""
    parent: _Node | None = None
    price: int = 0
    label: int = _FREE
    entry: tuple[int, int] | None = None
    """The edge by which the tree came here, from the vertex outside to the vertex inside; None at a root."""


class _Search:
    def __init__(self, cost: npt.NDArray[np.int64]) -> None:
        self.n = n = len(cost)
        # Four times the cost: prices begin even and move by halves of slacks, so all of them stay whole numbers.
        self.cost = 4 * cost.astype(np.int64)
        np.fill_diagonal(self.cost, _FAR // 2)
        self.price = self.cost.min(axis=1) // 2
        self.mate = [-1] * n
        self.nodes = [_Node(vertex, [vertex]) for vertex in range(n)]
        self.top = list(self.nodes)
        self.top_number = np.arange(n)
        """Tells outermost nodes apart: the first vertex that each vertex's node holds."""
        self.queue: list[int] = []

    def run(self) -> list[int]:
        for u in range(self.n):
            if self.mate[u] < 0:
                for v in np.flatnonzero(self.slacks(u) == 0).tolist():
                    if self.mate[v] < 0:
                        self.mate[u], self.mate[v] = v, u
                        break
        while -1 in self.mate:
            self.plant()
            while not self.grow():
                self.reprice()
            for node in self.outermost():
                if node.label == _OUTER and node.cycle and node.price == 0:
                    self.dissolve(node)
        return self.mate

    def slacks(self, u: int) -> npt.NDArray[np.int64]:
        return self.cost[u] - self.price[u] - self.price  # type: ignore[no-any-return]

    def outermost(self) -> list[_Node]:
        return list(dict.fromkeys(self.top))

    def settle(self, node: _Node) -> None:
        """Make a node an outermost one."""
        node.parent = None
        for vertex in node.vertices:
            self.top[vertex] = node
        self.top_number[node.vertices] = node.vertices[0]

    def plant(self) -> None:
        """Begin a tree at every unmatched node."""
        self.queue = []
        for node in self.outermost():
            node.label, node.entry = _FREE, None
            if self.mate[node.base] < 0:
                self.make_outer(node, None)

    def make_outer(self, node: _Node, entry: tuple[int, int] | None) -> None:
        node.label, node.entry = _OUTER, entry
        self.queue.extend(node.vertices)

    def make_inner(self, node: _Node, entry: tuple[int, int]) -> None:
        """Take a matched node into a tree, and with it the node that it is matched to."""
        node.label, node.entry = _INNER, entry
        beyond = self.mate[node.base]
        self.make_outer(self.top[beyond], (node.base, beyond))

    def grow(self) -> bool:
        """Follow edges without slack until two trees touch (and one more match is made) or there are no more."""
        while self.queue:
            u = self.queue.pop()
            for v in np.flatnonzero(self.slacks(u) == 0).tolist():
                ours, theirs = self.top[u], self.top[v]
                if ours is theirs or theirs.label == _INNER:
                    continue
                if theirs.label == _FREE:
                    self.make_inner(theirs, (u, v))
                    continue
                path, other = self.path_to_root(ours), self.path_to_root(theirs)
                if path[-1] is other[-1]:
                    self.close_blossom(path, other, u, v)
                else:
                    self.augment(u, v)
                    self.augment(v, u)
                    return True
        return False

    def path_to_root(self, node: _Node) -> list[_Node]:
        path = [node]
        while path[-1].entry is not None:
            path.append(self.top[path[-1].entry[0]])
        return path

    def close_blossom(self, path: list[_Node], other: list[_Node], u: int, v: int) -> None:
        """Make one node of the cycle that the edge from u to v closes, given its ends' paths to the root."""
        while len(path) > 1 and len(other) > 1 and path[-2] is other[-2]:
            path.pop()
            other.pop()
        # From the node where the paths meet up to u, over to v, and back.
        cycle = [*reversed(path), *other[:-1]]
        links = [node.entry for node in reversed(path[:-1])] + [(u, v)]
        links += [node.entry and node.entry[::-1] for node in other[:-1]]
        blossom = _Node(cycle[0].base, [vertex for node in cycle for vertex in node.vertices], cycle)
        blossom.links = [link for link in links if link is not None]
        blossom.label, blossom.entry = _OUTER, cycle[0].entry
        for node in cycle:
            if node.label == _INNER:
                self.queue.extend(node.vertices)
        self.settle(blossom)
        for node in cycle:
            node.parent = blossom

    def augment(self, u: int, v: int) -> None:
        """Match u to v, and exchange matched and unmatched edges from u to the root of its tree."""
        while True:
            outer = self.top[u]
            self.rebase(outer, u)
            self.mate[u] = v
            if outer.entry is None:
                return
            inner = self.top[outer.entry[0]]
            assert inner.entry is not None
            beyond, inside = inner.entry
            self.rebase(inner, inside)
            self.mate[inside] = beyond
            u, v = beyond, inside

    def rebase(self, node: _Node, vertex: int) -> None:
        """Match the inside of a node in such a way that this vertex is left for a match outside."""
        if node.base == vertex:
            return
        k = self.place(node, vertex)
        self.rebase(node.cycle[k], vertex)
        # The children after it are matched two by two along the cycle, up to where it ends again.
        node.cycle = node.cycle[k:] + node.cycle[:k]
        node.links = node.links[k:] + node.links[:k]
        for i in range(1, len(node.cycle), 2):
            u, v = node.links[i]
            self.rebase(node.cycle[i], u)
            self.rebase(node.cycle[i + 1], v)
            self.mate[u], self.mate[v] = v, u
        node.base = vertex

    def place(self, blossom: _Node, vertex: int) -> int:
        """Which of a blossom's children holds a vertex."""
        node = self.nodes[vertex]
        while node.parent is not blossom:
            assert node.parent is not None
            node = node.parent
        return blossom.cycle.index(node)

    def reprice(self) -> None:
        """Move prices until an edge loses its slack or an inner blossom its price."""
        label = np.array([node.label for node in self.top])
        outer, inner = np.flatnonzero(label == _OUTER), np.flatnonzero(label == _INNER)
        slack = self.cost[outer] - self.price[outer, None] - self.price
        free = slack[:, label == _FREE]
        step = int(free.min()) if free.size else _FAR
        # Both ends of an edge between outer nodes pay; those inside one node cannot be used.
        between = np.where(self.top_number[outer, None] == self.top_number[outer], _FAR, slack[:, outer])
        step = min(step, int(between.min()) // 2)
        blossoms = [node for node in self.outermost() if node.cycle]
        step = min([step, *(node.price // 2 for node in blossoms if node.label == _INNER)])
        self.price[outer] += step
        self.price[inner] -= step
        for node in blossoms:
            node.price += 2 * step * ((node.label == _OUTER) - (node.label == _INNER))
        self.queue = outer[(free == step).any(axis=1) | (between == 2 * step).any(axis=1)].tolist()
        for node in blossoms:
            if node.label == _INNER and node.price == 0:
                self.open_inner(node)

    def dissolve(self, blossom: _Node) -> None:
        """Give a blossom's children back, and theirs too if they have no price; no tree holds it."""
        for child in blossom.cycle:
            self.settle(child)
            if child.cycle and child.price == 0:
                self.dissolve(child)

    def open_inner(self, blossom: _Node) -> None:
        """Give back the children of an inner blossom; those between its entry and its base stay in the tree."""
        assert blossom.entry is not None
        entered = self.place(blossom, blossom.entry[1])
        for child in blossom.cycle:
            self.settle(child)
            child.label, child.entry = _FREE, None
        for node, entry in self.way_to_base(blossom, entered):
            node.label, node.entry = _INNER, entry
            beyond = self.mate[node.base]
            after = self.top[beyond]
            if after.label != _OUTER:
                self.make_outer(after, (node.base, beyond))
        # A child without a label may touch outer nodes without slack already.
        self.queue = [vertex for vertex in range(self.n) if self.top[vertex].label == _OUTER]

    def way_to_base(self, blossom: _Node, k: int) -> Iterator[tuple[_Node, tuple[int, int]]]:
        """The inner nodes of the alternating way from child k to the base of a blossom, each with the edge into it."""
        cycle, links = blossom.cycle, blossom.links
        entry = blossom.entry
        assert entry is not None
        # Matched edges lead from children of odd place to the next one: with them first, the way is of even length.
        while True:
            yield cycle[k], entry
            if k == 0:
                return
            if k % 2:
                entry, k = links[(k + 1) % len(links)], (k + 2) % len(cycle)
            else:
                entry, k = links[k - 2][::-1], k - 2
