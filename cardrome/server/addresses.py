"""Where other machines can reach this one."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Iterator

_ANY = ("", "0.0.0.0", "::")
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that nobody has, to ask which of ours would be used to reach others."""


def reachable_addresses(host: str) -> list[str]:
    """What to connect to if a server listens on an address; if it listens on all, those of this machine."""
    if host not in _ANY:
        return [host]
    found = dict.fromkeys(each for each in _candidates() if (host == "::" or ":" not in each) and _is_useful(each))
    return list(found) or ["127.0.0.1"]


def _candidates() -> Iterator[str]:
    for family, address in _ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((address, 9))  # nothing is sent
            yield asking.getsockname()[0]
    with contextlib.suppress(OSError):
        for found in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            yield str(found[4][0])


def _is_useful(address: str) -> bool:
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)
