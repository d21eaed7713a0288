"""How late the event server's ticks are while connections flood it with lines.

    python -m cardrome.bench.flood                    nine connections of a team, then forty that never log in
    python -m cardrome.bench.flood --seconds 20

The server runs in a process of its own; this one floods it and takes the time between the turns of another team.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import selectors
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from cardrome.bench.server import ServerProcess, event_server, log_in

TURN = 0.25
FLOODS: dict[str, tuple[str | None, int, bytes]] = {
    "none": (None, 0, b""),
    "blank lines": ("flood", 9, b"\n" * (1 << 16)),
    "tiny lines": ("flood", 9, b"X\n" * (1 << 15)),
    "questions": ("flood", 9, b"GET_MY_MATCHES\n" * (1 << 12)),
    "no login": (None, 40, b"\n" * (1 << 16)),
}
"""Who floods, on how many connections, and with what. Without a flood, the figures are the machine's own."""


class FloodReport(msgspec.Struct, frozen=True):
    """What a flood did to the others."""

    ticks: int
    late_ticks: int
    worst_tick_ms: float
    longest_turn_ms: float
    """As another team saw it; a turn has 250 ms."""
    memory_mb: float
    """What the server's memory grew by at most."""


def flood(kind: str, seconds: float) -> FloodReport:
    """Flood a server for some time."""
    team, connections, data = FLOODS[kind]
    settings = f"turn_seconds = {TURN}\nlogin_seconds = 600\nconnections_per_address = 1000"
    with event_server(["a", "b", "flood"], settings, "turns = 10000", 'roster = "all"', page=True) as server:
        watcher = log_in(server.port, "a")
        file = watcher.makefile("rb", buffering=0)
        stop = threading.Event()
        lines = [
            socket.create_connection(("127.0.0.1", server.port)) if team is None else log_in(server.port, team)
            for _ in range(connections)
        ]
        before, memory = _load(server), _memory(server)
        flooding = threading.Thread(target=_send, args=(lines, data, stop), daemon=True)
        flooding.start()
        end, longest, most, last = time.monotonic() + seconds, 0.0, memory, None
        while time.monotonic() < end:
            watcher.sendall(b"WAIT\n")
            file.readline(), file.readline()
            now = time.monotonic()
            longest = longest if last is None else max(longest, now - last)
            last = now
            most = max(most, _memory(server))
        stop.set()
        flooding.join()
        after = _load(server)
        with contextlib.ExitStack() as closing:
            for line in (watcher, *lines):
                closing.enter_context(line)
    ticks, late = (after[name] - before[name] for name in ("ticks", "late_ticks"))
    return FloodReport(ticks, late, round(after["worst_lag_ms"], 1), round(1000 * longest, 1), (most - memory) / 1e6)


def _send(lines: Sequence[socket.socket], data: bytes, stop: threading.Event) -> None:
    """Send as much as the server takes on all connections, and read what it answers."""
    with selectors.DefaultSelector() as selector:
        for line in lines:
            line.setblocking(False)
            selector.register(line, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while not stop.is_set() and selector.get_map():
            for key, events in selector.select(0.1):
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                try:
                    if events & selectors.EVENT_READ and not connection.recv(1 << 16):
                        raise ConnectionResetError
                    if events & selectors.EVENT_WRITE:
                        connection.send(data)
                except BlockingIOError:
                    pass
                except OSError:  # the server has had enough of it
                    selector.unregister(connection)


def _load(server: ServerProcess) -> dict[str, Any]:
    with urllib.request.urlopen(f"{server.page}live/status.json") as answer:
        load: dict[str, Any] = json.load(answer)["load"]
    return load


def _memory(server: ServerProcess) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def measure(seconds: float) -> Iterator[tuple[str, FloodReport]]:
    """All floods, one after another."""
    for kind in FLOODS:
        yield kind, flood(kind, seconds)


def main() -> None:
    """Flood a server and print what came of it."""
    parser = argparse.ArgumentParser(description="Flood an event server.")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each flood")
    options = parser.parse_args()
    print(f"{'flood':12} {'ticks':>6} {'late':>6} {'worst tick':>12} {'longest turn':>13} {'memory':>9}")
    for kind, found in measure(options.seconds):
        print(
            f"{kind:12} {found.ticks:6,} {found.late_ticks:6,} {found.worst_tick_ms:9,.1f} ms"
            f" {found.longest_turn_ms:10,.1f} ms {found.memory_mb:6,.0f} MB"
        )


if __name__ == "__main__":
    main()
