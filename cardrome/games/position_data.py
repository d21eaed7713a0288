"""Positions that people read and write: plain data read into structs, and written as JSON.

Every error names the place it is about.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from cardrome.errors import InvalidPosition
from cardrome.escaping import printable

T = TypeVar("T", bound=msgspec.Struct)

_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_WIDTH = 110
_FILLED = frozenset({"deck", "played", "offers", "actions", "performed"})
"""Lists whose items stand side by side; those of other lists have a line each."""
_UNKNOWN, _MISSING = "Object contains unknown field `", "Object missing required field `"


def read_struct(data: object, kind: type[T], place: str = "") -> T:
    """Plain data as a struct; ``place`` is where in the position the data stands. `InvalidPosition` if it is wrong."""
    try:
        return msgspec.convert(data, kind)
    except UnicodeEncodeError:
        raise InvalidPosition(f"{place or 'position'}: half a character (a lone surrogate) in a text") from None
    except msgspec.ValidationError as error:
        raise InvalidPosition(_explain(str(error), data, kind, place)) from None


def require(condition: object, complaint: str) -> None:
    """Refuse a position for which the condition does not hold."""
    if not condition:
        raise InvalidPosition(complaint)


def unexpected(place: str, expected: str, value: object) -> InvalidPosition:
    """The error for a value that is wrong."""
    return InvalidPosition(f"{place}: expected {expected}, got {_shown(value)}")


def bounded(place: str, value: int, low: int, high: int) -> int:
    """A number whose bounds depend on the rest of the position."""
    if not low <= value <= high:
        raise unexpected(place, str(low) if low == high else f"a number from {low} to {high}", value)
    return value


def _explain(message: str, data: Any, kind: type[T], place: str) -> str:
    """What msgspec says, with our paths, the value that it found and names that may have been meant."""
    what, at, path = message.rpartition(" - at `$")
    what, path = (what, path.removesuffix("`")) if at else (message, "")
    try:
        value, expected = data, inspect.type_info(kind)
        for name, index in _STEP.findall(path):
            value = value[name or int(index)]
            expected = _inner(expected, name, index)
        known = [field.name for field in _one_of(expected, inspect.StructType).fields] if _UNKNOWN in what else []
    except (LookupError, TypeError, StopIteration):  # a key that looks like the end of a message
        return printable(f"{place or 'position'}: {message}")
    where = (place + path).removeprefix(".")
    if what.startswith(_MISSING):
        return f"{where}.{what[len(_MISSING) : -1]}: missing".removeprefix(".")
    if what.startswith(_UNKNOWN):
        key = what[len(_UNKNOWN) : -1]
        return f"{where}.{printable(key)}: unknown key; {hint(key, known)}".removeprefix(".")
    return str(unexpected(where or "position", _described(expected), value))


def hint(name: str, known: Sequence[str]) -> str:
    """Which of the known names may have been meant by one that is not known."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"


def _inner(kind: inspect.Type, name: str, index: str) -> inspect.Type:
    """The type of a struct's field, or of a list's item."""
    if name:
        return next(field.type for field in _one_of(kind, inspect.StructType).fields if field.name == name)
    items = _one_of(kind, inspect.ListType, inspect.TupleType)
    return items.item_types[int(index)] if isinstance(items, inspect.TupleType) else items.item_type


def _one_of(kind: inspect.Type, *wanted: type[inspect.Type]) -> Any:
    """The type itself, or the one in a union, that is of a wanted kind."""
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return next(each for each in kinds if isinstance(each, wanted))


def _described(kind: inspect.Type) -> str:
    """A type in words."""
    match kind:
        case inspect.UnionType():
            return " or ".join(map(_described, kind.types))
        case inspect.LiteralType():
            return " or ".join(map(_shown, kind.values))
        case inspect.IntType():
            return "a number" if kind.ge is None else f"a number from {kind.ge} to {kind.le}"
        case inspect.ListType() if kind.max_length is not None:
            return f"a list of {'' if kind.min_length == kind.max_length else 'at most '}{kind.max_length}"
        case inspect.TupleType():
            return f"a list of {len(kind.item_types)}"
    plain = {"BoolType": "true or false", "NoneType": "null", "StrType": "a text", "ListType": "a list"}
    return plain.get(type(kind).__name__, "an object")


def _shown(value: object) -> str:
    """A value as a message can show it."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return printable(json.dumps(value, ensure_ascii=False), 60)


def pretty(value: Any, margin: str = "", key: str = "") -> str:
    """JSON with one line for each thing that people look for."""
    nested = isinstance(value, (dict, list)) and any(isinstance(item, (dict, list)) for item in _items(value))
    inner = margin + "  "
    if isinstance(value, dict) and (nested or not margin):
        parts = [f"{json.dumps(name)}: {pretty(item, inner, name)}" for name, item in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(parts) + f"\n{margin}}}"
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list) or not value:
        return text
    if nested and key not in _FILLED:
        parts = [pretty(item, inner, "") for item in value]
        return f"[\n{inner}" + f",\n{inner}".join(parts) + f"\n{margin}]"
    if len(margin) + len(key) + len(text) <= _WIDTH:
        return text
    return _fill(value, margin, inner)


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _fill(items: list[Any], margin: str, inner: str) -> str:
    """A list with as many items in a line as fit."""
    lines = [inner]
    for i, item in enumerate(items):
        text = json.dumps(item, ensure_ascii=False) + ("," if i < len(items) - 1 else "")
        if lines[-1] != inner and len(lines[-1]) + 1 + len(text) > _WIDTH:
            lines.append(inner)
        lines[-1] += text if lines[-1] == inner else f" {text}"
    return "\n".join(["[", *lines, f"{margin}]"])
