"""Records: what kernels work on, each declared once, as a class that readers, editors and type checkers understand.

A `Record` class lists the fields of a record in order, and has the dtype made from them:

    class Held(Record):
        card: u1
        id: i1

    class Player(Record):
        health: i4
        n_lane: Annotated[Integers, "i1", 2]
        hand: Annotated[Records[Held], 8]

    players = new_records(Player, 2)

A record in memory is a `RecordItem` in the interpreter and a pointer in compiled code. Its class is named in
annotations (``def draw_one(player: Player)``) and wherever a dtype is expected (``@entry(Player, int)``). Where a class
for people has the natural name already (`Card`), the record's is called after it (`CardRecord`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np

i1: TypeAlias = Annotated[int, "i1"]
i2: TypeAlias = Annotated[int, "i2"]
i4: TypeAlias = Annotated[int, "i4"]
i8: TypeAlias = Annotated[int, "i8"]
u1: TypeAlias = Annotated[int, "u1"]
f4: TypeAlias = Annotated[float, "f4"]
f8: TypeAlias = Annotated[float, "f8"]
flag: TypeAlias = Annotated[bool, "i1"]
"""Yes or no, kept as 1 or 0."""

Integers: TypeAlias = np.ndarray[Any, np.dtype[np.integer[Any]]]
"""Many integers: a field, annotated with their type and shape, or an array of its own."""
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.floating[Any]]]
"""Many real numbers, likewise."""


class Note:
    """What people are told of a field, among the annotations that make its layout."""


class Record:
    """The base of all record classes."""

    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        cls.dtype = dtype_of(cls)

    @classmethod
    def offset_of(cls, name: str) -> int:
        """How many bytes of a record stand before a field."""
        assert cls.dtype.fields is not None
        return cls.dtype.fields[name][1]

    if TYPE_CHECKING:  # fields by name, as Python code reads and writes them

        def __getitem__(self, name: str) -> Any: ...
        def __setitem__(self, name: str, value: Any) -> None: ...


R = TypeVar("R", bound=Record)


class RecordItem(np.record):  # type: ignore[misc]  # not final, whatever its stub says
    """One record of an array. NumPy's own way to a field by its name takes several times as long."""

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"a record has no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self.dtype.names or ()):
            raise AttributeError(f"a record has no field {name!r}")
        self[name] = value


class Records(np.recarray[Any, np.dtype[np.void]], Generic[R]):
    """An array of records: its items have the fields of R, and it has them as columns."""

    # recarray's would make every record one of its own kind.
    __array_finalize__ = np.ndarray.__array_finalize__  # type: ignore[assignment]
    __getattribute__ = np.ndarray.__getattribute__

    def __getattr__(self, name: str) -> Any:
        if self.dtype.names is None or name not in self.dtype.names:
            raise AttributeError(f"an array of records has no attribute {name!r}")
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if self.dtype.names is not None and name in self.dtype.names:
            self[name] = value
        else:
            np.ndarray.__setattr__(self, name, value)

    if not TYPE_CHECKING:

        def __getitem__(self, key):
            found = np.ndarray.__getitem__(self, key)
            # A column of numbers is an ordinary array.
            return found.view(np.ndarray) if type(found) is Records and found.dtype.names is None else found

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: int) -> R: ...
        @overload
        def __getitem__(self, key: slice | np.ndarray[Any, Any]) -> Records[R]: ...
        @overload
        def __getitem__(self, key: str) -> np.ndarray[Any, Any]: ...
        def __getitem__(self, key: Any) -> Any: ...
        def __iter__(self) -> Iterator[R]: ...  # type: ignore[override]


CACHE_LINE = 64
"""Bytes that a processor reads at once. Its widest instructions take twice as long where they straddle two."""


def dtype_of(declared: type) -> np.dtype[Any]:
    """The dtype made from the annotations of a class: a `Record`, or a dataclass that kernels may read as well.

    Fields follow each other without gaps, but for long arrays of real numbers, which begin with a cache line.
    """
    hints = get_type_hints(declared, include_extras=True)
    hints.pop("dtype", None)
    formats = [_layout(hint) for hint in hints.values()]
    offsets, end = [], 0
    for each in formats:
        offsets.append(_up_to(end, _alignment(each)))
        end = offsets[-1] + each.itemsize
    size = _up_to(end, max(map(_alignment, formats), default=1))
    fields = {"names": list(hints), "formats": formats, "offsets": offsets, "itemsize": size}
    # Our own kind at every level: with plain structured dtypes attributes work in compiled code only.
    return np.dtype((RecordItem, fields))


@functools.cache
def _alignment(dtype: np.dtype[Any]) -> int:
    """Multiples of how many bytes a field should begin at."""
    if dtype.base.fields is not None:
        return max(_alignment(each) for each, *_ in dtype.base.fields.values())
    return CACHE_LINE if dtype.base.kind == "f" and dtype.itemsize >= CACHE_LINE else 1


def _up_to(place: int, multiple: int) -> int:
    return -(-place // multiple) * multiple


def _layout(hint: Any) -> np.dtype[Any]:
    """The type of a field, with its shape if it is an array."""
    parts: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, parts = hint.__origin__, tuple(each for each in hint.__metadata__ if not isinstance(each, Note))
    if get_origin(hint) is Records:
        (hint,) = get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Record):
        parts = (hint.dtype, *parts)
    return np.dtype(parts if len(parts) > 1 else parts[0])


def resized(kind: type[R], name: str, **fields: int | type[Record]) -> type[R]:
    """A record class like another, but for the lengths of some of its arrays, or the classes of some of its records."""
    hints = get_type_hints(kind, include_extras=True)
    del hints["dtype"]
    for field, new in fields.items():
        if isinstance(new, int):
            notes = (new if isinstance(each, int) else each for each in hints[field].__metadata__)
            hints[field] = Annotated[(hints[field].__origin__, *notes)]
        else:
            hints[field] = new
    made: type[R] = type(name, (Record,), {"__doc__": kind.__doc__, "__annotations__": hints})
    return made


def record_dtype(kind: Any) -> np.dtype[Any]:
    """The dtype of a record that a kernel takes, from its annotation."""
    if not isinstance(kind, type) or not (issubclass(kind, Record) or dataclasses.is_dataclass(kind)):
        raise TypeError(f"{kind} is not a record")
    return kind.dtype if issubclass(kind, Record) else dtype_of(kind)


def new_records(kind: type[R], n: int = 1) -> Records[R]:
    """An array of n records, all zero."""
    alignment = _alignment(kind.dtype)
    array: Any
    if alignment == 1:
        array = np.zeros(n, kind.dtype)
    else:
        size = n * kind.dtype.itemsize
        memory = np.zeros(size + alignment, np.uint8)
        start = -memory.ctypes.data % alignment
        array = memory[start : start + size].view(kind.dtype)
    return array.view(Records)


def fill(record: Any, values: Any) -> None:
    """Give the fields of a record the values that a dataclass has under the same names."""
    for field in dataclasses.fields(values):
        if field.name in record.dtype.names:
            record[field.name] = getattr(values, field.name)


A = TypeVar("A", bound=np.ndarray[Any, Any])


def duplicate(array: A) -> A:
    """A copy of an array of records, byte by byte: NumPy's own copy goes field by field and takes 20 times as long."""
    copy: Any = np.frombuffer(bytearray(array.tobytes()), array.dtype).view(Records)
    return copy
