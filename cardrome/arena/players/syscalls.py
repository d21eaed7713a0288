"""System calls that the sandbox refuses: those for keyrings, which no namespace keeps apart.

A process inherits the session keyring of the one who started it, with their keys for encrypted folders, network shares
or single sign-on, and finds others of the same user by their numbers. Container engines refuse these calls too.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct

_FIRST_CALLS = {0xC000003E: 248, 0x40000003: 286, 0xC00000B7: 217}
"""The number of add_key, which request_key and keyctl follow, on x86-64, 32-bit x86 and 64-bit ARM, by the kernel's
names of these: a process may make the calls of another kind of program."""
_X32 = 0x40000000
"""What is added to the numbers of calls in the x32 mode of x86-64."""

# A program for the kernel's packet filter, which is given a record of the call: its number, and the architecture.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _AND, _MINUS, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x14, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


def _step(code: int, value: int, skip_if: int = 0, skip_else: int = 0) -> bytes:
    return struct.pack("HBBI", code, skip_if, skip_else, value)


def _filter() -> bytes:
    """The program that looks at every call."""
    steps = [_step(_LOAD, _ARCHITECTURE)]
    for architecture, first in _FIRST_CALLS.items():
        steps += [
            _step(_IF_EQUAL, architecture, 0, 6),
            _step(_LOAD, _NUMBER),
            _step(_AND, 0xFFFFFFFF ^ _X32),
            _step(_MINUS, first),
            _step(_IF_AT_LEAST, 3, 1, 0),
            _step(_RETURN, _REFUSE),
            _step(_RETURN, _ALLOW),
        ]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


_FILTER = _filter()


def filter_pipe() -> int:
    """A new pipe from which bubblewrap reads the filter; its number has two digits, as the launcher uses the others."""
    ours, theirs = os.pipe()
    try:
        os.write(theirs, _FILTER)
        return fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, 10)
    finally:
        os.close(ours)
        os.close(theirs)
