"""What a learner sees and does, as numbers: the shape of observations and actions, and what each number means.

An observation is a record of float32 numbers, declared as a class whose fields say what they mean (`Feature`). The same
memory is read in two ways: as a flat vector, and as blocks, which are rows of features (cards, creatures) or a row by
itself. Scales are powers of two, so every number of the game can be read back exactly.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from cardrome.engine.records import Note, Record, Records

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Feature(Note):
    """A number of an observation: a value of the game, kept within ``low`` and ``high``, divided by ``scale``."""

    meaning: str
    scale: int = 1
    low: int = 0
    high: int = 1


@dataclass(frozen=True)
class About(Note):
    """What a block of an observation holds."""

    meaning: str


@dataclass(frozen=True)
class Block:
    """A part of an observation: one row of features, or several."""

    name: str
    meaning: str
    start: int
    """Its first index in the flat vector."""
    rows: int
    """0: it is one row by itself, not a list of rows."""
    features: tuple[tuple[str, Feature], ...]
    """The columns by name."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the block in the structured form."""
        return (self.rows, len(self.features)) if self.rows else (len(self.features),)

    @property
    def stop(self) -> int:
        """The index after its last."""
        return self.start + max(self.rows, 1) * len(self.features)


@dataclass(frozen=True)
class ActionRange:
    """Consecutive actions of one kind."""

    name: str
    count: int
    meaning: str
    """Which of them means what, in terms of the observation's rows."""


@dataclass(frozen=True)
class Column:
    """A number of an observation in another project's layout: a game value, at least ``low``, over ``divisor``."""

    block: str
    row: int
    values: tuple[tuple[str, int], ...]
    """The features whose values are added up, at most two, and how often."""
    divisor: int
    low: int = -(1 << 16)


@dataclass(frozen=True)
class Encoding:
    """The observations and actions of one task in one edition."""

    edition: Any
    task: str
    """What the learner does: the phases of the game in which they decide."""
    row: type[Record]
    """What an observation is in memory."""
    ranges: tuple[ActionRange, ...]
    """All actions, in order."""
    layouts: Mapping[str, tuple[Column, ...]] = field(default_factory=dict, compare=False)
    """Observations as other projects lay them out, by name; the actions are the same."""

    @functools.cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The parts of an observation, in order."""
        return tuple(_blocks(self.row))

    @property
    def size(self) -> int:
        """Numbers in an observation."""
        return self.row.dtype.itemsize // 4

    @functools.cached_property
    def n_actions(self) -> int:
        """How many actions there are."""
        return sum(each.count for each in self.ranges)

    @functools.cached_property
    def digest(self) -> str:
        """Identifies the encoding: a policy can only be used with encodings of the same digest."""
        facts = [
            [
                (each.name, each.shape, [(name, f.scale, f.low, f.high) for name, f in each.features])
                for each in self.blocks
            ],
            [(each.name, each.count) for each in self.ranges],
        ]
        return hashlib.sha256(json.dumps([self.task, *facts]).encode()).hexdigest()[:16]

    def bounds(self) -> tuple[Floats, Floats]:
        """The least and the greatest value of each number."""
        low, high = np.zeros(self.size, np.float32), np.zeros(self.size, np.float32)
        for block in self.blocks:
            for end, name in ((low, "low"), (high, "high")):
                row = [getattr(feature, name) / feature.scale for _, feature in block.features]
                end[block.start : block.stop] = np.tile(row, max(block.rows, 1))
        return low, high

    def split(self, flat: Floats) -> dict[str, Floats]:
        """Flat observations as blocks by name: views of the same memory."""
        return {
            each.name: flat[..., each.start : each.stop].reshape(*flat.shape[:-1], *each.shape) for each in self.blocks
        }

    def laid_out(self, layout: str, flat: Floats) -> Floats:
        """Flat observations in one of `layouts`."""
        places, counts, lows, divisors = self._columns[layout]
        values = (flat[..., places] * counts).sum(-1)
        return (np.maximum(values, lows) / divisors).astype(np.float32)

    @functools.cached_property
    def _columns(self) -> dict[str, tuple[npt.NDArray[Any], ...]]:
        """For each layout: the places of the numbers, how often each value counts, least values and divisors."""
        blocks = {block.name: block for block in self.blocks}
        found: dict[str, tuple[npt.NDArray[Any], ...]] = {}
        for layout, columns in self.layouts.items():
            places, counts = np.zeros((len(columns), 2), np.intp), np.zeros((len(columns), 2))
            for i, column in enumerate(columns):
                block = blocks[column.block]
                names = [name for name, _ in block.features]
                for k, (name, count) in enumerate(column.values):
                    at = names.index(name)
                    places[i, k] = block.start + column.row * len(names) + at
                    counts[i, k] = count * block.features[at][1].scale
            lows, divisors = np.array([[each.low, each.divisor] for each in columns], np.float64).T
            found[layout] = places, counts, lows, divisors
        return found


def _fields(row: type[Record]) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Each field's name, its type and its notes."""
    for name, hint in get_type_hints(row, include_extras=True).items():
        if name != "dtype":
            kind, notes = (hint.__origin__, hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
            yield name, get_args(kind)[0] if get_origin(kind) is Records else kind, notes


def _blocks(row: type[Record], prefix: str = "", start: int = 0) -> Iterator[Block]:
    """Fields with an `About` are blocks; others consist of blocks and prefix their names."""
    for name, inner, notes in _fields(row):
        place = start + row.offset_of(name) // 4
        about = next((each for each in notes if isinstance(each, About)), None)
        if about is None:
            yield from _blocks(inner, f"{name}_", place)
        else:
            rows = next((each for each in notes if isinstance(each, int)), 0)
            yield Block(prefix + name, about.meaning, place, rows, tuple(_features(inner)))


def _features(row: type[Record]) -> Iterator[tuple[str, Feature]]:
    for name, inner, notes in _fields(row):
        feature = next((each for each in notes if isinstance(each, Feature)), None)
        if feature is None:
            yield from _features(inner)
        else:
            yield name, feature
