"""How a rule is written so that it can be compiled.

Rules are plain Python functions over records (`cardrome.engine.records`). Decorators turn them into native code:

``@kernel``
    a rule, callable from other kernels (and from Python, slowly, for tests and debuggers), inlined where it is called;
    ``@large_kernel`` is the same, not inlined; ``@vector_kernel`` likewise, for loops over arrays that share
    no memory; ``@shared_kernel`` is compiled once for all entries that call it; ``@deferred_kernel`` likewise, when it
    is first called;
``@entry(State, int, ...)``
    a kernel that Python calls, with an array for each record class or dtype given, and a plain integer for each `int`.

Entries and shared kernels are the units that are compiled, once, with Numba (`cardrome.engine.compiler`), and kept as
object code in the user's cache folder (`cardrome.engine.objectcode`). From then on they are loaded through llvmlite
alone, so a warm process never imports Numba: it starts in a third of the time.

``NUMBA_DISABLE_JIT=1`` runs everything in the interpreter instead, unchanged. Kernels follow three habits that make
both modes agree: they allocate nothing (scratch arrays are passed in), they raise nothing, and they say
``int(x)`` before arithmetic that could leave the range of a small NumPy integer.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import threading
from collections.abc import Callable
from types import FunctionType, NoneType
from typing import Any, TypeVar, cast, get_type_hints

import numpy as np

from cardrome.engine import objectcode
from cardrome.engine.fingerprint import called_functions, fingerprint, short_hash
from cardrome.engine.records import record_dtype

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""True when kernels run in the interpreter, for debuggers, coverage and differential tests."""


class Kernel:
    """A rule: called by other kernels when they are compiled, by Python as the plain function it is."""

    def __init__(self, function: Callable[..., Any], inline: bool) -> None:
        self.function = cast(FunctionType, function)
        self.inline = inline
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """Run the plain function."""
        return self.function(*args)

    @property
    def _numba_type_(self) -> Any:
        """Tells Numba's type inference that this object, met in another function, is a compiled function."""
        from cardrome.engine.compiler import numba_type

        return numba_type(self)


def kernel(function: F) -> F:
    """Mark a rule as compilable, to be inlined where it is called. In the interpreter it stays the function it is."""
    return function if INTERPRETED else cast(F, Kernel(function, inline=True))


def large_kernel(function: F) -> F:
    """Mark a kernel that is too large to be copied to every place that calls it."""
    return function if INTERPRETED else cast(F, Kernel(function, inline=False))


class VectorKernel(Kernel):
    """A large kernel that may be compiled as if no argument shared memory with another."""


def vector_kernel(function: F) -> F:
    """Mark a large kernel of loops over arrays, so that they become vector instructions.

    Nothing that it writes through one argument may be reached through another: the compiler relies on it.
    """
    return function if INTERPRETED else cast(F, VectorKernel(function, inline=False))


class Unit:
    """A kernel that has object code of its own, with the kernels that it calls, but for the shared ones."""

    def __init__(self, function: Callable[..., Any], parameters: tuple[Any, ...], returned: type = int) -> None:
        self.function = cast(FunctionType, function)
        self.parameters = parameters
        """The dtype of each record, or array of them, that it takes, and `int` for each integer."""
        self.signature = *parameters, returned
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.symbol = self.name.replace(".", "_")
        """The name of the compiled function in its object code."""
        UNITS[self.name] = self

    @functools.cached_property
    def functions(self) -> set[FunctionType]:
        """Those compiled with it: its own and all that it calls, but for shared kernels."""
        return self._called() - SHARED.keys() | {self.function}

    @functools.cached_property
    def callees(self) -> list[SharedKernel]:
        """The shared kernels that it calls."""
        return [SHARED[each] for each in self._called() & SHARED.keys() - {self.function}]

    def _called(self) -> set[FunctionType]:
        return set(called_functions(self.function, leaves=SHARED.keys() - {self.function}))

    @functools.cached_property
    def address(self) -> int:
        """Where its code is in memory: loaded from the cache, compiled first where the cache lacks it."""
        for each in self.callees:
            each.announce_symbol()
        code = self.stored_code()
        if code is None:
            announce_compiling()
            code = self.compile()
        return objectcode.load(code, self.symbol)

    def is_loaded(self) -> bool:
        """Whether its code is in memory already."""
        return "address" in self.__dict__

    @functools.cached_property
    def file(self) -> str:
        """The name under which the compiled code is kept."""
        key = fingerprint(self.function, self.signature) + objectcode.machine_key()
        return f"{self.name}-{short_hash(key.encode())}.o"

    def stored_code(self) -> bytes | None:
        """The object code from the cache, if it is there."""
        return objectcode.read(self.file)

    def compile(self) -> bytes:
        """Compile to object code and store it."""
        from cardrome.engine.compiler import object_code

        return self.store(lambda: object_code(self))

    def store(self, compiled: Callable[[], bytes]) -> bytes:
        """Compile in the way given, unless another process has just done so, and store the object code."""
        with objectcode.compiling(self.file):
            code = self.stored_code()
            if code is None:
                code = compiled()
                objectcode.write(self.file, code)
        return code


class SharedKernel(Unit, Kernel):
    """A kernel compiled once for all that call it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        *taken, returned = get_type_hints(function).values()
        if returned not in (int, NoneType):
            raise TypeError(f"{function.__qualname__}: a shared kernel returns an integer or nothing, not {returned}")
        parameters = tuple(int if each is int else record_dtype(each) for each in taken)
        Kernel.__init__(self, function, inline=False)
        Unit.__init__(self, function, parameters, returned)
        SHARED[self.function] = self

    def announce_symbol(self) -> None:
        """Let LLVM know where it is, before anything is loaded that calls it."""
        assert self.address


class DeferredKernel(SharedKernel):
    """A shared kernel that is compiled and loaded when it is first called, by way of Python."""

    @functools.cached_property
    def _way(self) -> Any:
        """A C function that leads to it."""
        kind = ctypes.CFUNCTYPE(*[ctypes.c_int64] * len(self.signature))
        native: Callable[..., int] | None = None

        def call(*args: int) -> int:
            nonlocal native
            if native is None:
                with _LOADING:
                    native = kind(self.address)
            return native(*args)

        return kind(call)

    def announce_symbol(self) -> None:
        """Let LLVM know the way to it; or, once it is loaded, where it is."""
        way = self.address if self.is_loaded() else ctypes.cast(self._way, ctypes.c_void_p).value or 0
        objectcode.add_symbol(self.symbol, way)


def shared_kernel(function: F) -> F:
    """Mark a large kernel that is compiled by itself: once for all that call it, and while they are compiled.

    It takes records and integers and returns an integer or nothing, as its annotations say.
    """
    return function if INTERPRETED else cast(F, SharedKernel(function))


def deferred_kernel(function: F) -> F:
    """Mark a shared kernel that most programs never call, so that they need not compile it.

    A call takes two microseconds longer than that of a shared kernel.
    """
    return function if INTERPRETED else cast(F, DeferredKernel(function))


def load_now(deferred: Callable[..., Any]) -> None:
    """Load a deferred kernel ahead of an entry that is about to be: that calls it without the way through Python.

    For entries that run for long in the main thread. Python drops a Ctrl-C that arrives while it is on such a way.
    """
    if isinstance(deferred, DeferredKernel):
        assert deferred.address


class Entry(Unit):
    """A compiled kernel as Python sees it: arrays go in as they are, integers come out."""

    def __init__(self, function: Callable[..., Any], parameters: tuple[Any, ...]) -> None:
        super().__init__(function, tuple(int if p is int else np.dtype(p) for p in parameters))
        self._native: Callable[..., int] | None = None
        functools.update_wrapper(self, function)
        ENTRIES[self.name] = self

    def __call__(self, *args: Any) -> int:
        """Run the entry."""
        return (self._native or self.load())(*self._flatten(args))

    def bind(self, *arrays: np.ndarray[Any, Any]) -> Callable[..., int]:
        """The entry with its leading arrays fixed: calls cost about a microsecond less for each of them.

        The arrays are kept alive by the returned function; the remaining arguments must be integers.
        """
        if any(p is not int for p in self.parameters[len(arrays) :]):
            raise TypeError(f"{self.name}: bind every array, or none")
        native, head = self.load(), self._flatten(arrays)

        def bound(*integers: int, alive: tuple[Any, ...] = arrays) -> int:
            return native(*head, *integers)

        return bound

    def _flatten(self, args: tuple[Any, ...]) -> list[int]:
        flat: list[int] = []
        for parameter, arg in zip(self.parameters, args, strict=False):
            if parameter is int:
                flat.append(int(arg))
            else:
                # Comparing record types is slow; arrays made by this package carry the very same object.
                if (arg.dtype is not parameter and arg.dtype != parameter) or not arg.flags.c_contiguous:
                    raise TypeError(f"{self.name}: expected a contiguous array of {parameter}, got {arg.dtype}")
                flat += (arg.ctypes.data, arg.size)
        return flat

    def load(self) -> Callable[..., int]:
        """The C function: loaded from the cache, compiled first where the cache lacks it."""
        if self._native is None:
            with _LOADING:
                if self._native is None:  # no other thread was faster
                    kinds: list[Any] = [ctypes.c_int64]
                    for parameter in self.parameters:
                        kinds += [ctypes.c_int64] if parameter is int else [ctypes.c_void_p, ctypes.c_int64]
                    self._native = ctypes.CFUNCTYPE(*kinds)(self._address())
        return self._native

    def _address(self) -> int:
        if not _UNSUPPORTED:
            try:
                return self.address
            except Exception as error:  # of any kind: who knows how Numba will change
                reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        from cardrome.engine.compiler import plain_address

        address = plain_address(self)  # raises if the fault is in the kernels
        if not _UNSUPPORTED:
            _UNSUPPORTED.append(reason)
            announce(f"this version of Numba is not supported yet ({reason}); every process compiles the rules again")
        return address


UNITS: dict[str, Unit] = {}
"""Every unit declared so far, by its dotted name."""
ENTRIES: dict[str, Entry] = {}
"""The entries among them."""
SHARED: dict[FunctionType, SharedKernel] = {}
"""The shared kernels, by their functions."""

_LOADING = threading.Lock()
_UNSUPPORTED: list[str] = []
"""Why entries have to be compiled with Numba's public interface alone, if they have."""


@functools.cache
def announce(message: str) -> None:
    """Print once why something takes a while; not in worker processes, whose parent has done so."""
    from multiprocessing import parent_process

    if parent_process() is None:
        print(f"cardrome: {message}", file=sys.stderr, flush=True)


def announce_compiling() -> None:
    """Tell that rules are being compiled, and why that will be so every time, if it will."""
    problem = objectcode.cache_problem()
    hint = "CARDROME_CACHE_DIR can name another folder"
    announce("compiling the rules, once…" if problem is None else f"compiling for this run only: {problem}; {hint}")


class PlainEntry:
    """An entry in the interpreter: the function as it is."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> int:
        """Run the function."""
        return int(self.function(*args))

    def bind(self, *arrays: np.ndarray[Any, Any]) -> Callable[..., int]:
        """The function with its leading arrays fixed."""
        return functools.partial(self, *arrays)


def entry(*parameters: Any) -> Callable[[Callable[..., Any]], Entry | PlainEntry]:
    """Declare a kernel that Python calls; ``parameters`` are record dtypes (arrays of them) or ``int``."""

    def declare(function: Callable[..., Any]) -> Entry | PlainEntry:
        return PlainEntry(function) if INTERPRETED else Entry(function, parameters)

    return declare
