"""How late the event server's ticks are while many people watch one match.

    python -m cardrome.bench.spectators                  nobody, then 200 spectators of a match
    python -m cardrome.bench.spectators --viewers 400 --seconds 20

The server runs in a process of its own, four teams draw, play and attack in all their matches, and this process reads
what the spectators are sent.
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
from typing import Any
from urllib.parse import urlsplit

import msgspec

from cardrome.bench.server import ServerProcess, event_server, exchange, log_in

TURN = 0.25
TEAMS = ("a", "b", "c", "d")
RULES = "turns = 10000\ninitial_health = 10000\ndeck_size = 1000"
"""A match that goes on for as long as it is watched."""


class SpectatorReport(msgspec.Struct, frozen=True):
    """What the spectators did to the event, and what they got."""

    spectators: int
    ticks: int
    late_ticks: int
    """By more than 50 ms."""
    worst_tick_ms: float
    """Since the server was started."""
    mean_tick_ms: float
    messages: float
    """Received by each spectator, in the mean."""
    kilobytes: float
    """The same."""


def watch(spectators: int, seconds: float) -> SpectatorReport:
    """Run an event whose first match so many people watch."""
    settings = f"turn_seconds = {TURN}\nconnections_per_address = 1000\nwatch_delay = 1"
    with (
        event_server(TEAMS, settings, RULES, 'roster = "all"', page=True) as server,
        contextlib.ExitStack() as all_,
    ):
        stop = threading.Event()
        lines = [all_.enter_context(log_in(server.port, team)) for team in TEAMS]
        players = [threading.Thread(target=_play, args=(line, stop), daemon=True) for line in lines]
        for player in players:
            player.start()
        while _status(server)["phase"] != "playing":
            time.sleep(0.05)
        viewers = [all_.enter_context(_viewer(server)) for _ in range(spectators)]
        time.sleep(2 * TURN)  # they have got what there was
        before, end, lags = _status(server)["load"], time.monotonic() + seconds, []
        counts = [0, 0]
        reading = threading.Thread(target=_read, args=(viewers, stop, counts), daemon=True)
        reading.start()
        while time.monotonic() < end:
            time.sleep(TURN)
            lags.append(_status(server)["load"]["last_lag_ms"])
        after = _status(server)["load"]
        stop.set()
        for thread in (reading, *players):
            thread.join()
    ticks, late = (after[name] - before[name] for name in ("ticks", "late_ticks"))
    each = max(spectators, 1)
    return SpectatorReport(
        spectators,
        ticks,
        late,
        round(after["worst_lag_ms"], 1),
        round(sum(lags) / len(lags), 2),
        round(counts[0] / each, 1),
        round(counts[1] / each / 1000, 1),
    )


def _viewer(server: ServerProcess) -> socket.socket:
    """Somebody who watches the first match."""
    assert server.page is not None
    host = urlsplit(server.page)
    connection = socket.create_connection((host.hostname, host.port))
    connection.sendall(b"GET /live/matches/1/events HTTP/1.1\r\nHost: bench\r\n\r\n")
    return connection


def _read(viewers: Sequence[socket.socket], stop: threading.Event, counts: list[int]) -> None:
    """Count the messages and bytes that all of them are sent."""
    with selectors.DefaultSelector() as selector:
        for viewer in viewers:
            viewer.setblocking(False)
            selector.register(viewer, selectors.EVENT_READ)
        while not stop.wait(0 if viewers else 0.1):
            for key, _ in selector.select(0.1):
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                with contextlib.suppress(BlockingIOError):
                    data = connection.recv(1 << 16)
                    counts[0] += data.count(b"data: ")
                    counts[1] += len(data)


def _play(line: socket.socket, stop: threading.Event) -> None:
    """Draw, play and attack in all matches, once a turn."""
    file = line.makefile("rb", buffering=0)
    while not stop.is_set():
        line.sendall(b"WAIT\n")
        file.readline(), file.readline()
        line.sendall(b"GET_MY_MATCHES\n")
        matches = [file.readline() for _ in range(3)][2].split()
        for match in matches:
            line.sendall(b"DRAW_CARD %b\n" % match)
            if file.readline() == b"OK\n":
                card = file.readline().split()[0]
                exchange(line, b"PLAY_CARD %b %b -1\nATTACK %b %b\n" % (match, card, match, card), 2)


def _status(server: ServerProcess) -> dict[str, Any]:
    with urllib.request.urlopen(f"{server.page}live/status.json") as answer:
        status: dict[str, Any] = json.load(answer)
    return status


def measure(viewers: int, seconds: float) -> Iterator[SpectatorReport]:
    """Without spectators, and with them."""
    for count in (0, viewers):
        yield watch(count, seconds)


def main() -> None:
    """Have a match watched and print what came of it."""
    parser = argparse.ArgumentParser(description="Many spectators on one match of an event.")
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each measurement")
    options = parser.parse_args()
    print(f"{'spectators':>10} {'ticks':>6} {'late':>5} {'mean tick':>10} {'worst tick':>11} {'messages':>9} {'kB':>7}")
    for found in measure(options.viewers, options.seconds):
        print(
            f"{found.spectators:10} {found.ticks:6} {found.late_ticks:5} {found.mean_tick_ms:7.2f} ms"
            f" {found.worst_tick_ms:8.1f} ms {found.messages:9} {found.kilobytes:7}"
        )


if __name__ == "__main__":
    main()
