"""How a rule is compiled. Beside `cardrome.engine.objectcode`, this is the one place that knows Numba.

Rules are plain Python functions over NumPy records. Two decorators turn them into native code:

``@kernel``
    a rule, callable from other kernels (and from Python, slowly, for tests and debuggers), inlined where it is called;
    ``@large_kernel`` is the same, not inlined;
``@entry(DTYPE, int, ...)``
    a kernel that Python calls: an array of each record dtype given, or a plain integer.

An entry is compiled once with Numba and kept as object code in the user's cache folder, under a key made of its own
source, that of every module it uses, the CPU and the compiler's version. From then on it is loaded through
llvmlite alone, so a warm process never imports Numba: it starts in a third of the time.

``NUMBA_DISABLE_JIT=1`` runs everything in the interpreter instead, unchanged. Kernels follow three habits that make
both modes agree: they allocate nothing (scratch arrays are passed in), they raise nothing, and they say
``int(x)`` before arithmetic that could leave the range of a small NumPy integer.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from cardrome.engine.objectcode import announce, cache_folder, exported, load, only_linking, source_key, store

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""True when kernels run in the interpreter, for debuggers, coverage and differential tests."""


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """A record dtype whose fields read as attributes in kernels and in the interpreter alike."""
    return np.dtype((np.record, list(fields)))


class Kernel:
    """A rule: called by other kernels when they are compiled, by Python as the plain function it is."""

    def __init__(self, function: Callable[..., Any], inline: bool = True) -> None:
        self.function = function
        self.inline = inline
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """Run the plain function."""
        return self.function(*args)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's compiled form of the rule, made on first use."""
        import numba

        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        compiler = numba.njit(nogil=True, error_model="numpy", forceinline=self.inline, no_rewrites=True, **wrappers)
        return compiler(self.function)

    @property
    def _numba_type_(self) -> Any:
        """Tells Numba's type inference that this object, met in another kernel, is a compiled function."""
        return _kernel_type()(self.dispatcher)


@functools.cache
def _kernel_type() -> Any:
    """The Numba type of a kernel: a compiled function that takes every integer as int64.

    Left alone, Numba compiles a function anew for each width of integer, and for each constant, it is called with.
    """
    from numba.core import types
    from numba.extending import models, register_model

    def widened(argument: Any) -> Any:
        if isinstance(argument, (types.Integer, types.IntegerLiteral)):
            return types.int64
        return types.boolean if isinstance(argument, types.BooleanLiteral) else argument

    class KernelType(types.Dispatcher):  # type: ignore[misc]
        def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
            return super().get_call_type(context, tuple(map(widened, args)), kws)

    register_model(KernelType)(models.OpaqueModel)
    return KernelType


def kernel(function: F) -> F:
    """Mark a rule as compilable, to be inlined where it is called. In the interpreter it stays the function it is."""
    return function if INTERPRETED else Kernel(function)  # type: ignore[return-value]


def large_kernel(function: F) -> F:
    """Mark a kernel that is too large to be copied to every place that calls it."""
    return function if INTERPRETED else Kernel(function, inline=False)  # type: ignore[return-value]


class Entry:
    """A compiled kernel as Python sees it: arrays go in as they are, integers come out."""

    def __init__(self, function: Callable[..., Any], parameters: tuple[Any, ...]) -> None:
        self.function = function
        self.parameters = tuple(int if p is int else np.dtype(p) for p in parameters)
        self.name = f"{function.__module__}.{function.__qualname__}"
        # Taken now, since a file that is edited while the process runs is not what was imported.
        self.key = source_key(function.__module__)
        functools.update_wrapper(self, function)
        ENTRIES[self.name] = self

    def __call__(self, *args: Any) -> int:
        """Run the entry."""
        return self.native(*self._flatten(args))

    def bind(self, *arrays: np.ndarray[Any, Any]) -> Callable[..., int]:
        """The entry with its leading arrays fixed: calls cost about a microsecond less for each of them.

        The arrays are kept alive by the returned function; the remaining arguments must be integers.
        """
        if any(p is not int for p in self.parameters[len(arrays) :]):
            raise TypeError(f"{self.name}: bind every array, or none")
        native, head = self.native, self._flatten(arrays)

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

    @functools.cached_property
    def native(self) -> Any:
        """The C function: loaded from the cache, compiled first where the cache lacks it."""
        path = self.path
        if not path.exists():
            announce()
            path = store(path, self.compile())
        address = load(path, self.symbol)
        kinds: list[Any] = [ctypes.c_int64]
        for parameter in self.parameters:
            kinds += [ctypes.c_int64] if parameter is int else [ctypes.c_void_p, ctypes.c_int64]
        return ctypes.CFUNCTYPE(*kinds)(address)

    @property
    def path(self) -> Path:
        """Where the compiled code is kept."""
        return cache_folder() / f"{self.name}-{self.key}.o"

    @property
    def symbol(self) -> str:
        """The name of the compiled function in its object code."""
        return self.name.replace(".", "_")

    def compile(self) -> bytes:
        """Compile to object code with Numba; the symbol is the entry's name."""
        import numba
        from numba.core import types

        arguments, signature, call = [], [], []
        for i, parameter in enumerate(self.parameters):
            if parameter is int:
                arguments.append(f"x{i}")
                signature.append(types.int64)
                call.append(f"x{i}")
            else:
                arguments += [f"p{i}", f"n{i}"]
                signature += [types.CPointer(numba.from_dtype(parameter)), types.int64]
                call.append(f"carray(p{i}, n{i})")
        # Numba's C functions take pointers, ours take arrays: a one-line adapter, made from the signature.
        source = f"def adapter({', '.join(arguments)}):\n    return int(target({', '.join(call)}))\n"
        scope = {"carray": numba.carray, "target": Kernel(self.function).dispatcher}
        exec(source, scope)  # text made two lines above from the positions of parameters
        with only_linking():
            compiled = numba.cfunc(types.int64(*signature), nogil=True, error_model="numpy")(scope["adapter"])
            compiled._library._ensure_finalized()
        return exported(compiled, self.symbol)


ENTRIES: dict[str, Entry] = {}
"""Every entry declared so far, by its dotted name."""


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


def warm(jobs: int = 1) -> int:
    """Compile every entry declared so far, so that later processes find them ready; returns how many there are.

    With several jobs each package's entries are compiled in a process
    of their own.
    """
    from concurrent.futures import ThreadPoolExecutor

    missing: dict[str, set[str]] = {}
    for each in ENTRIES.values():
        if not each.path.exists():
            package = ".".join(each.name.split(".")[:4])
            missing.setdefault(package, set()).add(each.function.__module__)
    if jobs > 1 and len(missing) > 1:
        announce()
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(_compile_modules, missing.values()))
    for each in ENTRIES.values():
        _ = each.native
    return len(ENTRIES)


def _compile_modules(modules: set[str]) -> None:
    """Compile the entries of some modules in another process; what goes wrong there shows up when they are loaded."""
    import subprocess

    code = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "from cardrome.engine.kernel import ENTRIES\n"
        "for each in ENTRIES.values():\n"
        "    if each.function.__module__ in sys.argv: each.native\n"
    )
    subprocess.run([sys.executable, "-c", code, *sorted(modules)], check=False, stderr=subprocess.DEVNULL)
