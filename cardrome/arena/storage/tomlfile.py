"""Settings files in TOML, read into typed structs. Errors name the file, the key and what is allowed."""

from __future__ import annotations

import datetime
import difflib
import re
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from cardrome.errors import CallerError
from cardrome.wording import unreadable

T = TypeVar("T", bound=msgspec.Struct)

SIZE_LIMIT = 1 << 20
"""The largest settings file, in bytes."""
_SHOWN = 60
"""Characters of a wrong value that an error shows."""


def read_toml(path: Path, kind: type[T]) -> T:
    """The settings in a file. Unknown keys are errors, so that a typo is never taken for a default."""
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)  # and no more: it may be a device without end
    except OSError as error:
        raise CallerError(unreadable(path, error)) from None
    if len(data) > SIZE_LIMIT:
        raise CallerError(f"{path}: a settings file has at most {SIZE_LIMIT:,} bytes, this one has more")
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CallerError(f"{path}: not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CallerError(f"{path}: not valid TOML: {error}") from None
    except ValueError:  # Python reads no decimal number of more than 4,300 digits
        raise CallerError(f"{path}: a number has thousands of digits") from None
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise CallerError(f"{path}: {_explained(str(error), kind, document)}") from None


def _explained(message: str, kind: type[msgspec.Struct], document: Any) -> str:
    """msgspec's message, reworded: the key first, then what is wrong with it, and what was found."""
    what, _, where = message.partition(" - at `$")
    key = where.removesuffix("`").lstrip(".")
    parts = re.findall(r"\[.*?\]|[^.\[]+", key)
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown:
        known: tuple[str, ...] = getattr(_kind_at(kind, parts), "__struct_encode_fields__", ())
        near = difflib.get_close_matches(unknown[1], known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        return f"unknown key {_joined(key, unknown[1])}; {hint}"
    missing = re.fullmatch(r"Object missing required field `(.*)`", what)
    if missing:
        return f"{_joined(key, missing[1])} is missing"
    what = what[:1].lower() + what[1:].partition(", got")[0]
    if what.startswith("invalid enum value"):
        what = f"expected one of {', '.join(map(repr, _choices(_kind_at(kind, parts))))}"
    what = what.replace(" | null`", "`").replace("`object`", "a table")
    if "[...]" in parts:  # msgspec does not say which key of a table it was
        return f"{key}: {what}"
    return f"{key}: {what}, got {_shown(_value_at(document, parts))}"


def _joined(section: str, name: str) -> str:
    return f"{section}.{name}" if section else name


def _kind_at(kind: Any, parts: list[str]) -> Any:
    """The type at the end of a path."""
    for part in parts:
        kind = _struct_in(kind)
        if part.startswith("["):
            kind = get_args(kind)[0 if get_origin(kind) is list else -1] if get_args(kind) else kind
        else:
            kind = get_type_hints(kind).get(part, kind)
    return _struct_in(kind)


def _struct_in(kind: Any) -> Any:
    """The struct itself, where the type is an optional one."""
    if isinstance(kind, type) or get_origin(kind) in (list, dict, tuple):
        return kind
    structs = [each for each in get_args(kind) if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    return structs[0] if structs else kind


def _choices(kind: Any) -> tuple[Any, ...]:
    """The allowed values of a type that lists them."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(choice for each in get_args(kind) for choice in _choices(each))


def _value_at(document: Any, parts: list[str]) -> Any:
    for part in parts:
        document = document[int(part[1:-1])] if part.startswith("[") else document[part]
    return document


def _shown(value: Any) -> str:
    """A value as a settings file writes it."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return "a number that is far too large"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
