"""Settings in TOML files: read into a typed struct, with errors that name the file, the key and what is allowed."""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from cardrome.errors import CallerError

T = TypeVar("T", bound=msgspec.Struct)

SIZE_LIMIT = 1 << 20
"""Bytes of a settings file: more than any needs."""


def read_toml(path: Path, kind: type[T]) -> T:
    """The settings in a file. Unknown keys are errors, so that a slip of the pen never passes for a default."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CallerError(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > SIZE_LIMIT:
        raise CallerError(f"{path}: {len(data):,} bytes; settings have at most {SIZE_LIMIT:,}")
    try:
        return msgspec.convert(tomllib.loads(data.decode("utf-8-sig")), kind)
    except UnicodeDecodeError:
        raise CallerError(f"{path}: is no UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise CallerError(f"{path}: is no TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise CallerError(f"{path}: {_explained(str(error), kind)}") from None


def _explained(message: str, kind: type[msgspec.Struct]) -> str:
    """msgspec's message in our words: the key first, then what is wrong with it."""
    what, _, where = message.partition(" - at `$")
    key = where.removesuffix("`").lstrip(".")
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown:
        known = list(_fields(kind, key))
        near = difflib.get_close_matches(unknown[1], known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        return f"unknown key {_joined(key, unknown[1])}; {hint}"
    missing = re.fullmatch(r"Object missing required field `(.*)`", what)
    if missing:
        return f"{_joined(key, missing[1])} is missing"
    return f"{key}: {what[:1].lower()}{what[1:]}" if key else what


def _joined(section: str, name: str) -> str:
    return f"{section}.{name}" if section else name


def _fields(kind: Any, key: str) -> tuple[str, ...]:
    """The keys of the section that a dotted path leads to."""
    for part in filter(None, re.sub(r"\[.*?\]", ".[]", key).split(".")):
        if part == "[]":
            kind = get_args(kind)[-1] if get_args(kind) else kind
        else:
            kind = get_type_hints(kind).get(part, kind)
        structs = [each for each in get_args(kind) if isinstance(each, type) and issubclass(each, msgspec.Struct)]
        kind = structs[0] if structs and not isinstance(kind, type) else kind
    fields: tuple[str, ...] = getattr(kind, "__struct_encode_fields__", ())
    return fields
