"""Compiled rules as files: made with Numba once, kept in the user's cache folder, loaded through llvmlite alone."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

_FORMAT = "1"  # of the cached files; raise it when this module stores them differently


@contextlib.contextmanager
def only_linking() -> Iterator[None]:
    """Keep Numba from optimising every function on the way and making machine code of it.

    Only the finished entry is wanted, as a file, and it holds all functions inlined; it is optimised as a whole in
    the end. This makes a cold start three times as fast. What is compiled inside can be linked but not called.
    """
    from numba import _dynfunc
    from numba.core.codegen import JITCodeLibrary
    from numba.core.cpu import CPUContext
    from numba.core.registry import cpu_target

    def stand_in(context: Any, library: Any, fndesc: Any, env: Any) -> Any:
        library._ensure_finalized()
        address = ctypes.cast(_unreachable, ctypes.c_void_p).value
        return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", address, env, (library,))

    _ = cpu_target.target_context  # sets up Numba's own runtime, which does need code in memory
    replaced = {
        (JITCodeLibrary, "_optimize_final_module"): lambda library: None,
        (JITCodeLibrary, "_finalize_final_module"): lambda library: setattr(library, "_finalized", True),
        (CPUContext, "get_executable"): stand_in,
    }
    originals = {place: getattr(*place) for place in replaced}
    collecting = gc.isenabled()
    gc.disable()  # compiling makes millions of small objects and hardly any garbage
    for (owner, name), replacement in replaced.items():
        setattr(owner, name, replacement)
    try:
        yield
    finally:
        for (owner, name), original in originals.items():
            setattr(owner, name, original)
        if collecting:
            gc.enable()


def exported(compiled: Any, symbol: str) -> bytes:
    """The object code of a Numba C function, its long mangled name replaced by ours."""
    import llvmlite.binding as llvm

    library = compiled._library
    library._optimize_final_module()
    module = llvm.parse_bitcode(library._final_module.as_bitcode())
    mangled = compiled._wrapper_name
    for function in module.functions:
        if function.name == mangled:
            function.name = symbol
    code: bytes = library._codegen._tm.emit_object(module)
    return code


class _Engine:
    """LLVM's loader for cached object code."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        # Object code of Numba names its runtime's error paths. Kernels never raise or allocate, so these are
        # never called; they are given an address only so that the loader has nothing unresolved.
        for symbol in _RUNTIME_SYMBOLS:
            if not llvm.address_of_symbol(symbol):
                llvm.add_symbol(symbol, ctypes.cast(_unreachable, ctypes.c_void_p).value)
        machine = llvm.Target.from_default_triple().create_target_machine()
        self.llvm = llvm
        self.jit = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)

    def load(self, path: Path, symbol: str) -> int:
        self.jit.add_object_file(self.llvm.ObjectFileRef.from_path(str(path)))
        self.jit.finalize_object()
        address: int = self.jit.get_function_address(symbol)
        if not address:
            raise RuntimeError(f"{path} holds no {symbol}; remove the file and try again")
        return address


_RUNTIME_SYMBOLS = (
    "NRT_Free",
    "NRT_Allocate",
    "NRT_MemInfo_alloc_aligned",
    "NRT_MemInfo_alloc_safe_aligned",
    "NRT_MemInfo_call_dtor",
    "numba_do_raise",
    "numba_gil_ensure",
    "numba_gil_release",
    "numba_runtime_build_excinfo_struct",
    "numba_unpickle",
)


def _give_up() -> None:
    os.write(2, b"cardrome: a compiled rule reached Numba's runtime, which no rule may do\n")
    os.abort()


_unreachable = ctypes.CFUNCTYPE(None)(_give_up)


@functools.cache
def _engine() -> _Engine:
    return _Engine()


def load(path: Path, symbol: str) -> int:
    """Load cached object code; returns the address of the function."""
    return _engine().load(path, symbol)


@functools.cache
def cache_folder() -> Path:
    """The cache folder for this CPU and compiler."""
    base = os.environ.get("CARDROME_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "cardrome"
    )
    return Path(base) / "kernels" / _machine_key()


def _machine_key() -> str:
    """What object code depends on besides its source. (Each llvmlite release serves one Numba release.)"""
    import llvmlite
    import llvmlite.binding as llvm

    parts = [_FORMAT, os.uname().machine, sys.version, np.__version__, llvmlite.__version__]
    parts += [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return _hash("\0".join(parts).encode())


@functools.cache
def source_key(module: str) -> str:
    """A hash of the source of a module and of every module of ours that it imports, directly or not."""
    sources: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = _source(name)
            waiting += [found.decode() for found in _IMPORT.findall(sources[name])]
    return _hash(b"\0".join(name.encode() + b"\0" + sources[name] for name in sorted(sources)))


_IMPORT = re.compile(rb"^from (cardrome\.[\w.]+) import", re.MULTILINE)


def _source(module: str) -> bytes:
    file = getattr(sys.modules.get(module), "__file__", None)
    return Path(file).read_bytes() if file else b""


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=10).hexdigest()


def store(path: Path, data: bytes) -> Path:
    """Write a cache file so that another process sees all of it or nothing; returns where it was written.

    Where the cache cannot be written to, that is a folder of this process alone.
    """
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    except OSError:
        path = _private_folder() / path.name
        handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(temporary, path)
    return path


@functools.cache
def _private_folder() -> Path:
    """A folder for compiled code that goes with the process."""
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="cardrome-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@functools.cache
def announce() -> None:
    """Tell, once, why the first use takes a while."""
    print("cardrome: compiling the rules, once…", file=sys.stderr, flush=True)
