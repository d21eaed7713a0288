"""How many commands a second the event server answers, beside a bare echo server on the same machine."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from cardrome.arena.event_loop import run
from cardrome.errors import CardromeError
from cardrome.server.store.accounts import Accounts
from cardrome.server.store.store import EventStore

QUESTIONS = (
    "GET_TURN_INFO",
    "GET_HP",
    "GET_CARD_LIMITS",
    "GET_CURRENT_MANA",
    "GET_HANDS",
    "GET_BOARD",
    "GET_ATTACKERS",
    "GET_DECK",
)
"""What a player asks at the beginning of a turn."""
PASSWORD = "measure-me"
_SLICES = 9
"""Turns that the servers take; the figures are those of the middle one."""


class Throughput(msgspec.Struct, frozen=True):
    """Commands a second, and echoed lines a second in the same run."""

    pipelined: float
    one_at_a_time: float
    echo_pipelined: float
    echo_one_at_a_time: float


class ServerProcess:
    """An event server in a process of its own, with its teams, in a folder that goes away with it."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes], port: int, page: str | None) -> None:
        self.folder = folder
        self.process = process
        self.port = port
        self.page = page


@contextlib.contextmanager
def event_server(
    teams: Sequence[str], server: str = "", rules: str = "", event: str = "", page: bool = False
) -> Iterator[ServerProcess]:
    """Run an event for some teams, whose password is `PASSWORD`. The texts are further lines of its settings."""
    with tempfile.TemporaryDirectory(prefix="cardrome-") as name:
        folder = Path(name)
        file = folder / "event.toml"
        file.write_text(
            f'[event]\nname = "measured"\nseed = 1\n{event}\n'
            f'[server]\nhost = "127.0.0.1"\npage_host = "127.0.0.1"\npage_port = 0\npage = {str(page).lower()}\n'
            f"{server}\n"
            f"[rules]\n{rules}\n"
        )
        with EventStore.open(folder / "event.db", claim=False) as store:
            add_teams(store.accounts, teams, folder)
        command = [sys.executable, "-m", "cardrome", "host", str(file), "--port", "0", "--plain"]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log)
        try:
            port, address = _address(process, folder / "log", page)
            yield ServerProcess(folder, process, port, address)
        finally:
            process.kill()
            process.wait()


def add_teams(accounts: Accounts, teams: Sequence[str], folder: Path) -> None:
    """Make accounts with the measuring password."""
    file = folder / "teams.csv"
    file.write_text("".join(f"{team},{PASSWORD}\n" for team in teams))
    accounts.import_csv(file)


def _address(process: subprocess.Popen[bytes], log: Path, page: bool) -> tuple[int, str | None]:
    """The port and, if it has one, the page of a server that has just been started."""
    while process.poll() is None:
        time.sleep(0.02)
        text = log.read_text()
        port = re.search(r"^teams connect to .* port (\d+)\n", text, re.MULTILINE)
        address = re.search(r"^standings: (\S+)\n", text, re.MULTILINE)
        if port is not None and (address is not None or not page):
            return int(port[1]), None if address is None else address[1]
    raise CardromeError("the server did not start")


def log_in(port: int, team: str) -> socket.socket:
    """A connection of a team, ready for commands."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    file = connection.makefile("rb", buffering=0)
    for answer in (team, PASSWORD):
        file.readline()
        connection.sendall(answer.encode() + b"\n")
    if file.readline() != b"OK\n":
        raise CardromeError(f"{team} could not log in")
    return connection


def replies_in(data: bytes) -> int:
    """How many replies begin in some bytes of answers. Lines of data hold numbers and one letter, never these words."""
    return data.count(b"OK\n") + data.count(b"ERR ")


def exchange(connection: socket.socket, data: bytes, replies: int, echo: bool = False) -> None:
    """Send commands and read all their replies (or their echo, line by line)."""
    connection.sendall(data)
    seen, rest = 0, b""
    while seen < replies:
        chunk = connection.recv(1 << 18)
        if not chunk:
            raise CardromeError("the server closed the connection")
        if echo:
            seen += chunk.count(b"\n")
        else:
            chunk = rest + chunk
            cut = chunk.rfind(b"\n") + 1
            seen += replies_in(chunk[:cut])
            rest = chunk[cut:]


def measure(seconds: float = 1.0) -> Throughput:
    """Measure one connection: with many commands on the way, and with one at a time.

    The two servers take turns many times, so that what else the machine does falls on both.
    """
    turn, roster = f"turn_seconds = {6 * seconds + 1}", 'roster = "all"'
    with (
        event_server("ab", turn, "turns = 10000", roster) as server,
        log_in(server.port, "a") as commanded,
        _echo_server() as port,
        socket.create_connection(("127.0.0.1", port)) as echoed,
    ):
        echoed.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        exchange(commanded, b"WAIT\n", 2)  # the first turn begins
        lines = _turn_of_commands(_match_to_move(commanded))
        together = [b"".join(lines) * 20]
        slices: list[list[float]] = [[], [], [], []]
        for _ in range(_SLICES):
            part = seconds / _SLICES
            slices[0].append(_rate(commanded, together, 20 * len(lines), part))
            slices[1].append(_rate(echoed, together, 20 * len(lines), part, echo=True))
            slices[2].append(_rate(commanded, lines, 1, part))
            slices[3].append(_rate(echoed, lines, 1, part, echo=True))
    pipelined, echo_pipelined, one_at_a_time, echo_one_at_a_time = (statistics.median(rates) for rates in slices)
    return Throughput(pipelined, one_at_a_time, echo_pipelined, echo_one_at_a_time)


def _turn_of_commands(match: int) -> list[bytes]:
    """What a player may send in a turn: fifteen lines."""
    actions = ["FINISH_BLOCK", "DRAW_CARD", "DRAW_CARD", "BURN_CARD"]
    lines = [f"{command} {match}\n" for command in (*QUESTIONS, *actions)]
    lines += [f"ADD_MANA {match} 1\n", f"ATTACK {match} 1\n", f"PLAY_CARD {match} 1 -1\n"]
    return [line.encode() for line in lines]


def _match_to_move(connection: socket.socket) -> int:
    """A match in which it is this player's turn."""
    file = connection.makefile("rb", buffering=0)
    connection.sendall(b"GET_MY_MATCHES\n")
    ids = [file.readline() for _ in range(3)][2].split()
    for match in ids:
        connection.sendall(b"GET_TURN_INFO %b\n" % match)
        if [file.readline() for _ in range(2)][1].startswith(b"1"):
            return int(match)
    raise CardromeError("it is nobody's turn")


def _rate(connection: socket.socket, messages: list[bytes], replies: int, seconds: float, echo: bool = False) -> float:
    """Replies a second, when messages are sent one after another for some time."""
    for message in messages:  # once to warm up
        exchange(connection, message, replies, echo)
    count = 0
    start = time.perf_counter()
    while (taken := time.perf_counter() - start) < seconds:
        for message in messages:
            exchange(connection, message, replies, echo)
        count += replies * len(messages)
    return count / taken


@contextlib.contextmanager
def _echo_server() -> Iterator[int]:
    command = [sys.executable, "-c", "from cardrome.bench import server; server.echo_lines()"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


def echo_lines() -> None:
    """A bare echo server, which shows what asyncio costs by itself: prints its port and serves until it is killed."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
            await writer.drain()
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    run(main())
