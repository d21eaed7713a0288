"""What an entry consists of: the functions it calls, directly or not, and the constants they use.

Compiled code is kept under a hash of all that. It is taken from memory, where Numba takes it from too, and not from the
source files: an edit while the process runs makes no difference, a constant that is read from a file does, and a new
docstring or comment recompiles nothing.
"""

from __future__ import annotations

import enum
import functools
import hashlib
from collections.abc import Container, Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_LIBRARIES = ("numpy", "numba", "math")
"""Packages that compiled code may use but whose functions are not looked into: the cache knows their versions."""


def fingerprint(function: FunctionType, parameters: Iterable[Any]) -> str:
    """A hash of everything that the compiled code of an entry depends on, except the machine and the compiler."""
    parts = [_described(each) for each in parameters]
    parts += [_function_text(each) for each in called_functions(function)]
    return short_hash("\0".join(parts).encode())


def short_hash(data: bytes) -> str:
    """A hash for file names."""
    return hashlib.blake2b(data, digest_size=10).hexdigest()


def called_functions(function: FunctionType, leaves: Container[FunctionType] = ()) -> list[FunctionType]:
    """The function and all that it calls, directly or not, in a fixed order; but not what ``leaves`` call."""
    found: dict[FunctionType, None] = {}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found[each] = None
            if each not in leaves:
                waiting += _callees(each)
    return list(found)


@functools.cache
def _callees(function: FunctionType) -> tuple[FunctionType, ...]:
    return tuple(found for _, value in _used(function) if (found := _plain_function(value)) is not None)


def _plain_function(value: Any) -> FunctionType | None:
    """The Python function behind a kernel, an entry or a compiled function."""
    found = getattr(value, "__wrapped__", value)
    if isinstance(found, FunctionType) and found.__module__.partition(".")[0] not in _LIBRARIES:
        return found
    return None


def _used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals and closure variables that a function uses, and what it may use of modules among them."""
    names = list(_names(function.__code__))
    scope = dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ())))
    for name in names:
        if name in function.__globals__:
            scope.setdefault(name, function.__globals__[name])
    for name, value in scope.items():
        yield name, value
        if isinstance(value, ModuleType):
            for attribute in names:
                if hasattr(value, attribute):
                    yield f"{name}.{attribute}", getattr(value, attribute)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@functools.cache
def _function_text(function: FunctionType) -> str:
    """A function's code and the values it uses. Functions among these are named only: they have texts of their own."""
    parts = [f"{function.__module__}.{function.__qualname__}", _described(function.__defaults__)]
    parts.append(_code_text(function.__code__, function.__doc__))
    parts += [f"{name}={_described(value)}" for name, value in _used(function)]
    return "\n".join(parts)


def _code_text(code: CodeType, docstring: str | None = None) -> str:
    constants = [_described(each) for each in code.co_consts if docstring is None or each != docstring]
    names = code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars, code.co_argcount
    return f"{code.co_code.hex()} {names} {constants}"


def _described(value: Any) -> str:
    """A text that differs if compiled code that uses the value could differ."""
    if isinstance(value, np.dtype):
        return _layout(value)
    if isinstance(value, np.ndarray):
        return f"{_layout(value.dtype)}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, tuple):
        return f"({','.join(map(_described, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_described, value)))}}}"
    if isinstance(value, CodeType):
        return _code_text(value)
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, enum.EnumMeta):
        members: list[enum.Enum] = list(value)
        return f"{value.__qualname__}{[(each.name, each.value) for each in members]}"
    if hasattr(value, "__qualname__"):  # a kernel, a type, a built-in function
        how = f"{getattr(value, 'inline', '')}{_described(getattr(value, 'signature', ()))}"
        return f"{type(value).__name__} {value.__module__}.{value.__qualname__} {how}"
    # Numbers and strings. If it is something without a text of its own, it never compares equal, and is compiled anew.
    return repr(value)


@functools.cache
def _layout(dtype: np.dtype[Any]) -> str:
    """A dtype with every field, name and offset."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return f"{_layout(base)}{shape}"
    if dtype.fields is None:
        return dtype.str
    fields = (f"{name}:{field[1]}:{_layout(field[0])}" for name, field in dtype.fields.items())
    return f"{dtype.itemsize}{{{','.join(fields)}}}"
