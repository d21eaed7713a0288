"""Compiled entries as files: where they are kept, when they are trusted, and how they are loaded without Numba.

A file is a unit's object code followed by a checksum. It is read once, and what was read is verified and loaded. A
file that is damaged, or that somebody else could have written, counts as missing: the unit is compiled again.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import fcntl
import functools
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from cardrome.engine.fingerprint import short_hash

_FORMAT = "2"  # of the files; raise it when this module stores them differently
_CHECKSUM_SIZE = 32
_DAY = 86_400.0
_KEPT_VERSIONS = 8
"""Versions of a unit that are kept, those last used: other checkouts and other Pythons may share the folder."""
_KEPT_DAYS = 60
"""For which unused files are kept."""
_PATIENCE_SECONDS = 120.0
"""For another process that compiles the same unit; afterwards this one compiles it too, which does no harm."""
_PRIVATE = "CARDROME_PRIVATE_CACHE"
"""The environment variable that tells child processes of a private folder."""


# --- Where --------------------------------------------------------------------------------------------------------


@functools.cache
def cache_folder() -> Path:
    """The user's folder for compiled code."""
    base = os.environ.get("CARDROME_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "cardrome"
    )
    return Path(base) / "kernels"


def private_folder() -> Path:
    """A folder for this process and its children where the user's cannot be used; removed when the process exits."""
    folder = os.environ.get(_PRIVATE)
    if folder is None or not os.path.isdir(folder):
        folder = os.environ[_PRIVATE] = tempfile.mkdtemp(prefix="cardrome-kernels-")
        atexit.register(_remove_private, folder, os.getpid())
    return Path(folder)


@functools.cache
def cache_problem() -> str | None:
    """Why the user's folder cannot be used, if it cannot. Then there is a private one, for child processes too."""
    folder = cache_folder()
    try:
        _make_folder(folder)
        if os.access(folder, os.W_OK | os.X_OK):
            return None
        problem = "Permission denied"
    except OSError as error:
        problem = error.strerror or str(error)
    with contextlib.suppress(OSError):
        private_folder()
    return f"{folder} cannot be written ({problem})"


def _remove_private(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # and not a fork of that process
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def machine_key() -> str:
    """A hash of everything, apart from its source, that object code depends on."""
    import llvmlite
    import llvmlite.binding as llvm

    parts = [_FORMAT, os.uname().machine, sys.version, np.__version__, llvmlite.__version__, _numba_version()]
    parts += [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    parts += sorted(f"{name}={value}" for name, value in os.environ.items() if _changes_code(name))
    parts.append(Path(__file__).with_name("compiler.py").read_text("utf-8"))
    return short_hash("\0".join(parts).encode())


def _changes_code(variable: str) -> bool:
    """Whether an environment variable may change what Numba compiles."""
    harmless = ("NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")
    return variable.startswith("NUMBA_") and variable not in harmless


def _numba_version() -> str:
    """Numba's version, without importing it, which would take longer than all the rest of a warm start."""
    spec = find_spec("numba")
    if spec is not None and spec.origin is not None:
        with contextlib.suppress(OSError):
            return Path(spec.origin).with_name("_version.py").read_text("utf-8")
    from importlib.metadata import version  # ten times as slow

    return version("numba")


# --- Reading and writing ------------------------------------------------------------------------------------------


def read(name: str) -> bytes | None:
    """The object code of that name; None if it is missing, damaged or not to be trusted."""
    private = os.environ.get(_PRIVATE)
    for folder in [cache_folder()] + ([Path(private)] if private else []):
        with contextlib.suppress(OSError):
            code = _read(folder / name)
            if code is not None:
                return code
    return None


def _read(path: Path) -> bytes | None:
    if not _is_ours(os.stat(path.parent)):
        return None
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status):
            return None
        data = file.read()
    code = data[:-_CHECKSUM_SIZE]
    if data[-_CHECKSUM_SIZE:] != _checksum(path.name, code):
        return None
    if time.time() - status.st_mtime > _DAY:
        with contextlib.suppress(OSError):
            os.utime(path)  # so that `_remove_old` knows it is in use
    return code


def _is_ours(status: os.stat_result) -> bool:
    """Whether only this user and root can have written a file, or into a folder."""
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _checksum(name: str, code: bytes) -> bytes:
    return hashlib.blake2b(name.encode() + b"\0" + code, digest_size=_CHECKSUM_SIZE).digest()


def write(name: str, code: bytes) -> None:
    """Store object code, in the private folder if the user's cannot be used."""
    for folder in (cache_folder, private_folder):
        with contextlib.suppress(OSError):
            _write(folder() / name, code)
            return


def _write(path: Path, code: bytes) -> None:
    """Write a file so that others see all of it or nothing, also after a power failure."""
    _make_folder(path.parent)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with open(handle, "wb") as file:
            file.write(code + _checksum(path.name, code))
            file.flush()
            os.fchmod(handle, 0o644)
            os.fsync(handle)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    _remove_old(path)


def _make_folder(folder: Path) -> None:
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    if not _is_ours(os.stat(folder)):
        raise PermissionError(f"{folder} can be written to by others")


def _remove_old(newest: Path) -> None:
    """Remove what has not been used for long, and all but the last versions of a unit.

    A process that uses a removed file has loaded it already, or compiles it again.
    """
    unit, versions, now = newest.name.rpartition("-")[0], 0, time.time()
    with contextlib.suppress(OSError):
        files = [(each.stat(follow_symlinks=False).st_mtime, each) for each in os.scandir(newest.parent)]
        for used, each in sorted(files, key=lambda file: file[0], reverse=True):
            finished = each.name.endswith(".o")
            version = finished and each.name.rpartition("-")[0] == unit
            versions += version
            if (version and versions > _KEPT_VERSIONS) or now - used > (_KEPT_DAYS if finished else 1) * _DAY:
                with contextlib.suppress(OSError):
                    os.unlink(each.path)


@contextlib.contextmanager
def compiling(name: str) -> Iterator[None]:
    """Wait while another process compiles the same unit. This saves work, and nothing else depends on it."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            _make_folder(cache_folder())
            path = cache_folder() / f"{name}.lock"
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            stack.callback(os.close, lock)
            deadline = time.monotonic() + _PATIENCE_SECONDS
            while time.monotonic() < deadline:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    stack.callback(path.unlink, missing_ok=True)
                    break
                time.sleep(0.05)
        yield


# --- Loading ------------------------------------------------------------------------------------------------------

RUNTIME_SYMBOLS = (
    "NRT_Free",
    "NRT_Allocate",
    "NRT_MemInfo_alloc_aligned",
    "NRT_MemInfo_alloc_safe_aligned",
    "NRT_MemInfo_call_dtor",
    "NRT_incref",
    "numba_do_raise",
    "numba_gil_ensure",
    "numba_gil_release",
    "numba_runtime_build_excinfo_struct",
    "numba_unpickle",
)
"""Functions of Numba's runtime that object code may name, in paths that are never taken: kernels neither raise nor
allocate."""


def _give_up() -> None:
    os.write(2, b"cardrome: a compiled rule reached Numba's runtime, which no rule may do\n")
    os.abort()


_give_up_function = ctypes.CFUNCTYPE(None)(_give_up)
UNREACHABLE = ctypes.cast(_give_up_function, ctypes.c_void_p).value
"""The address of a function that is never called."""


@functools.cache
def _loader() -> Any:
    """LLVM's loader for object code."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for symbol in RUNTIME_SYMBOLS:
        if not llvm.address_of_symbol(symbol):
            llvm.add_symbol(symbol, UNREACHABLE)
    machine = llvm.Target.from_default_triple().create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def add_symbol(symbol: str, address: int) -> None:
    """Let object code that is loaded from now on call a function by its name."""
    import llvmlite.binding as llvm

    _loader()
    llvm.add_symbol(symbol, address)


def load(code: bytes, symbol: str) -> int:
    """Load object code; returns the address of its function. Not for several threads at once."""
    from llvmlite.binding import ObjectFileRef

    loader = _loader()
    loader.add_object_file(ObjectFileRef.from_data(code))
    loader.finalize_object()
    address: int = loader.get_function_address(symbol)
    if not address:
        raise RuntimeError(f"compiled code lacks {symbol}")
    return address
