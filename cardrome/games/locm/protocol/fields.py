"""Reading JSON that people write by hand: every field is checked, and every complaint names the place it is about."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from cardrome.errors import InvalidPosition


def shown(value: object) -> str:
    """A value that was not expected, fit to stand in a message."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else text[:57] + "..."


def unexpected(path: str, expected: str, value: object) -> InvalidPosition:
    """The error for a value of the wrong kind."""
    return InvalidPosition(f"{path or 'position'}: expected {expected}, got {shown(value)}")


def integer(path: str, value: object, low: int, high: int) -> int:
    """A number between two bounds. JSON's true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise unexpected(path, str(low) if low == high else f"a number from {low} to {high}", value)
    return value


def listed(path: str, value: object, at_most: int | None = None, noun: str = "items") -> list[tuple[str, Any]]:
    """The items of a list, each with its path."""
    if not isinstance(value, list):
        raise unexpected(path, "a list", value)
    if at_most is not None and len(value) > at_most:
        raise InvalidPosition(f"{path}: expected at most {at_most} {noun}, got {len(value)}")
    return [(f"{path}[{i}]", item) for i, item in enumerate(value)]


class Fields:
    """The fields of one JSON object. Those it lacks have a default."""

    def __init__(self, path: str, value: object, known: Iterable[str]) -> None:
        if not isinstance(value, dict):
            raise unexpected(path, "an object", value)
        self.path = path
        self.values: dict[str, Any] = value
        names = list(known)
        for key in value:
            if key not in names:
                near = difflib.get_close_matches(str(key), names, n=1, cutoff=0.4)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"
                raise InvalidPosition(f"{self.at(str(key))}: unknown key; {hint}")

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def at(self, name: str) -> str:
        """The path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def get(self, name: str, default: Any) -> Any:
        """A field as it is."""
        return self.values.get(name, default)

    def integer(self, name: str, low: int, high: int, default: int) -> int:
        """A number between two bounds."""
        return integer(self.at(name), self.values[name], low, high) if name in self.values else default

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.get(name, default)
        if not isinstance(value, bool):
            raise unexpected(self.at(name), "true or false", value)
        return value

    def one_of(self, name: str, choices: Sequence[Any], default: Any) -> Any:
        """One of a few values."""
        value = self.get(name, default)
        # 1 and true are equal for Python, but not for whoever reads the file.
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise unexpected(self.at(name), " or ".join(map(shown, choices)), value)
        return value

    def items(self, name: str, at_most: int | None = None, noun: str = "items") -> list[tuple[str, Any]]:
        """The items of a list, each with its path; none if the field is left out."""
        return listed(self.at(name), self.get(name, []), at_most, noun)
