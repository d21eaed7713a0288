"""Books of deals: a series can be played on chosen deals instead of deals that follow from a seed.

There is one deal per line, as a plain seed, as ``name=value`` pairs or as a JSON object::

    # my favourite deals
    17
    seed=18 draftChoicesSeed=4   # the offers of another deal
    {"seed": 19, "shufflePlayer0Seed": 5}
"""

from __future__ import annotations

import functools
import hashlib
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError, InvalidDeal
from cardrome.games.family import find_family
from cardrome.games.game import Deal, Edition
from cardrome.wording import json_problem, unreadable


@dataclass(frozen=True)
class Openings:
    """The deals of a book, in order. A series that needs more starts over with the first."""

    name: str
    """The name of its file."""
    deals: tuple[Deal, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if not self.deals:
            raise CallerError(f"{self.name}: no deals; write one per line, such as a seed")

    def __len__(self) -> int:
        return len(self.deals)

    @functools.cached_property
    def plain(self) -> bool:
        """Every deal follows from its seed alone."""
        return not any(len(deal.params()) > 1 for deal in self.deals)

    def deal(self, pair: int) -> Deal:
        """The deal of a pair."""
        return self.deals[pair % len(self.deals)]

    def seeds(self, pairs: int, start: int = 0) -> npt.NDArray[np.int64]:
        """The main seeds of some pairs, from number ``start`` on."""
        book = np.array([deal.seed for deal in self.deals], np.int64)
        return book[np.arange(start, start + pairs) % len(book)]

    @functools.cached_property
    def digest(self) -> str:
        """Identifies the book by its deals; comments and spelling do not matter."""
        deals = [sorted(deal.params().items()) for deal in self.deals]
        return hashlib.sha256(msgspec.json.encode(deals)).hexdigest()


def read_openings(path: str | Path, edition: Edition) -> Openings:
    """Read a book of deals for an edition; errors name the line."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CallerError(unreadable(path, error)) from None
    except UnicodeDecodeError as error:
        raise CallerError(f"{path}: not valid UTF-8: {error.reason} at byte {error.start}") from None
    return parse_openings(text, edition, str(path))


def parse_openings(text: str, edition: Edition, name: str = "openings") -> Openings:
    """A book of deals from its text."""
    family = find_family(edition.name)
    deals = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            params = _parse_json(line) if line.lstrip().startswith("{") else parse_parameters(line)
            if params is not None:
                deals.append(family.deal(edition, params))
        except CallerError as error:
            raise CallerError(f"{name}, line {number}: {error}") from None
    return Openings(Path(name).name, tuple(deals))


def parse_parameters(text: str) -> dict[str, str] | None:
    """The parameters that words stand for: a seed, or ``name=value`` pairs. None if there are none.

    A value may hold spaces, quoted or not: words without a name belong to the value before them.
    """
    try:
        words = shlex.split(text, comments=True)
    except ValueError:
        raise InvalidDeal("missing closing quotation mark") from None
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return {"seed": words[0]}
    params: dict[str, str] = {}
    name = ""
    for word in words:
        before, equals, value = word.partition("=")
        if equals:
            name = before
            if name in params:
                raise InvalidDeal(f"{name} is given twice")
            params[name] = value
        elif name:
            params[name] += f" {word}"
        else:
            raise InvalidDeal(f"{word!r}: expected a single seed, or name=value pairs such as seed=1")
    return params


def _parse_json(line: str) -> dict[str, str]:
    """The parameters of a line that is a JSON object."""
    try:
        params = msgspec.json.decode(line, type=dict[str, int | str])
    except msgspec.DecodeError as error:
        raise InvalidDeal(f"expected a JSON object of numbers and texts: {json_problem(error)}") from None
    return {name: str(value) for name, value in params.items()}
