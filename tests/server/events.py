"""Live events for tests: a settings file, a real server process, and a client that says what it is told to."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from cardrome.server.settings import read_plan
from cardrome.server.store.store import EventStore

PATIENCE = 60.0
"""Seconds for what takes a moment. Nothing is measured against it; a busy machine is slow."""


def password(team: str) -> str:
    """The password of a test's team."""
    return f"pw-{team}-7q"


def write_event(path: Path, *, deck: str | None = None, **sections: Mapping[str, Any]) -> Path:
    """A settings file: a quick event on this machine, unless ``event``, ``server`` and ``rules`` say otherwise."""
    settings: dict[str, dict[str, Any]] = {
        "event": {"name": "Cup", "seed": 1, "pause": 0},
        "server": {"host": "127.0.0.1", "port": 0, "page": False, "turn_seconds": 0.2},
        "rules": {"turns": 4},
    }
    for name, section in sections.items():
        settings[name] |= section
    if deck is not None:
        path.with_suffix(".deck").write_text(deck)
        settings["rules"]["deck"] = path.with_suffix(".deck").name
    lines = []
    for name, section in settings.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {_toml(value)}" for key, value in section.items()]
    path.write_text("\n".join(lines))
    return path


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


@contextmanager
def store_of(path: Path) -> Iterator[EventStore]:
    """An event's store, looked at beside the server."""
    plan = read_plan(path)
    with EventStore.open(plan.store, claim=False, base=plan.folder) as store:
        yield store


def add_teams(path: Path, *teams: str) -> list[int]:
    """Make accounts from a CSV file; their ids."""
    file = path.with_suffix(".csv")
    file.write_text("name,password\n" + "".join(f"{team},{password(team)}\n" for team in teams))
    with store_of(path) as store:
        store.accounts.import_csv(file)
        return [store.accounts.get(team).id for team in teams]


def cardrome(*args: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    command = [sys.executable, "-m", "cardrome", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, **options)


def until(condition: Callable[[], object], what: str = "") -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.02)


class Server:
    """A server process."""

    def __init__(self, path: Path, *options: object) -> None:
        command = [sys.executable, "-m", "cardrome", "host", str(path), "--plain", *map(str, options)]
        self.path = path
        self.lines: list[str] = []
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def output(self) -> str:
        return "\n".join(list(self.lines))

    def wait_for(self, words: str) -> str:
        """The first line of output with these words in it."""
        until(lambda: words in self.output or self.process.poll() is not None, words)
        found = [line for line in self.lines if words in line]
        assert found, f"no {words!r} in:\n{self.output}"
        return found[0]

    @property
    def port(self) -> int:
        return int(self.wait_for("teams connect to").rpartition(" ")[2])

    def client(self, team: str | None = None) -> Client:
        """A connection, logged in as a team."""
        client = Client(self.port)
        if team is not None:
            assert client.log_in(team) == "OK", self.output
        return client

    def memory(self) -> int:
        """Bytes the process has in memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def ended(self) -> int:
        """Wait for the process to end; its exit code."""
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, and wait."""
        self.process.send_signal(number)
        return self.ended()

    def kill(self) -> None:
        """Let nothing be left, whatever state it is in."""
        self.process.kill()
        self.ended()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def serving(path: Path, *options: object) -> Iterator[Server]:
    """A running server, killed at the end."""
    server = Server(path, *options)
    try:
        _ = server.port
        yield server
    finally:
        server.kill()


class Client:
    """A connection for scripted conversations."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._received = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, data: bytes | str) -> None:
        self.socket.sendall(data.encode() if isinstance(data, str) else data)

    def line(self) -> str:
        """The next line, without its end."""
        while b"\n" not in self._received:
            more = self.socket.recv(1 << 16)
            assert more, f"closed after {self._received!r}"
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line.decode()

    def lines(self, count: int) -> list[str]:
        return [self.line() for _ in range(count)]

    def ask(self, command: str, lines: int = 1) -> list[str]:
        """Send a line; the lines of the reply, as many as are expected."""
        self.send(f"{command}\n")
        return self.lines(lines)

    def rest(self) -> bytes:
        """All that still comes, until the server closes."""
        received = [self._received]
        try:
            while more := self.socket.recv(1 << 16):
                received.append(more)
        except ConnectionResetError:
            pass
        self._received = b""
        return b"".join(received)

    def log_in(self, team: str, secret: str | None = None) -> str:
        """The login dialogue; its last line."""
        assert self.line() == "LOGIN"
        assert self.ask(team) == ["PASS"]
        return self.ask(secret or password(team))[0]

    def matches(self) -> list[int]:
        """The ids of GET_MY_MATCHES."""
        ok, count, ids = self.ask("GET_MY_MATCHES", 3)
        assert ok == "OK"
        assert len(ids.split()) == int(count)
        return [int(number) for number in ids.split()]

    def next_turn(self) -> None:
        """WAIT, and wait."""
        assert self.ask("WAIT", 2) == ["OK", "OK"]

    def close(self) -> None:
        self.socket.close()
