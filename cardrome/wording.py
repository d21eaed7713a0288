"""Words that messages have in common, so that the same thing is said the same way everywhere."""

from __future__ import annotations

import os
import re

_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def counted(count: int, one: str, many: str = "") -> str:
    """A count and its noun: `1 match`, `1,200 matches`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def unreadable(path: str | os.PathLike[str], error: OSError) -> str:
    """Why a file cannot be read."""
    return f"{os.fspath(path)} cannot be read: {error.strerror or error}"


def unwritable(path: str | os.PathLike[str], error: OSError) -> str:
    """Why a file or folder cannot be written."""
    return f"{os.fspath(path)} cannot be written: {error.strerror or error}"


def json_problem(error: Exception) -> str:
    """What a JSON parser complains about, with the place first: `turns[3].ms: expected a whole number, got a text`."""
    what, _, where = str(error).partition(" - at `$")
    place = where.removesuffix("`").replace("[...]", ".*").lstrip(".")  # some key, the parser does not say which
    missing = re.fullmatch(r"Object missing required field `(.*)`", what)
    if missing:
        return f"{place}.{missing[1]} is missing" if place else f"{missing[1]} is missing"
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown:
        what = f"unknown field {unknown[1]}"
    what = what.replace("JSON is malformed:", "not JSON:").replace(
        "Input data was truncated", "not JSON: it has no end"
    )
    what = re.sub(r"`([\w| ]+)`", lambda found: _named(found[1]), what)
    return (f"{place}: " if place else "") + what[:1].lower() + what[1:]


def _named(kinds: str) -> str:
    return " or ".join(_KINDS.get(kind, f"`{kind}`") for kind in kinds.split(" | "))
