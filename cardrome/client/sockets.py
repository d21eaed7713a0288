"""What both clients do with their sockets, and how they say that there is none."""

from __future__ import annotations

import os
import socket

from cardrome.client.errors import ConnectionLost

_KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""A server that is gone without a word is noticed after about a minute, in a WAIT too."""


def prepare(connected: socket.socket) -> None:
    """Let small packets go at once, and notice a dead server."""
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def unreachable(host: str, port: int, error: OSError) -> ConnectionLost:
    """Nobody answers at the address."""
    # An unknown host has a code of its own kind below 0, which only the error itself can name.
    reason = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else error.strerror or error
    return ConnectionLost(f"no connection to {host}:{port}: {reason}")
