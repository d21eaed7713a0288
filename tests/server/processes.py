"""Live events for tests: settings files, server processes, and a client for scripted conversations."""

from __future__ import annotations

import os
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

CARDROME = [sys.executable, "-m", "cardrome"]
PATIENCE = 240.0
"""Seconds after which something that should have happened is a failure. A busy machine may be slow."""


def password(team: str) -> str:
    """The password of a team."""
    return f"pw-{team}-7q"


def write_event(path: Path, *, deck: str | None = None, **sections: Mapping[str, Any]) -> Path:
    """Write a settings file: a quick event, unless ``event``, ``server`` and ``rules`` say otherwise."""
    settings: dict[str, dict[str, Any]] = {
        "event": {"name": "Cup", "seed": 1, "pause": 0, "stay_seconds": 0},
        "server": {"host": "127.0.0.1", "port": 0, "page": False, "turn_seconds": 0.1},
        "rules": {"turns": 4, "initial_health": 10, "draws": 2, "burns": 2},
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
    """An event's store, beside the server that runs the event."""
    plan = read_plan(path)
    with EventStore.open(plan.store, claim=False, base=plan.folder) as store:
        yield store


def add_teams(path: Path, *teams: str) -> list[int]:
    """Add accounts; returns their ids."""
    file = path.with_suffix(".csv")
    file.write_text("name,password\n" + "".join(f"{team},{password(team)}\n" for team in teams))
    with store_of(path) as store:
        store.accounts.import_csv(file)
        return [store.accounts.get(team).id for team in teams]


def until(condition: Callable[[], object], what: str = "") -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for: {what}"
        time.sleep(0.02)


def started(*args: object, **environment: str) -> subprocess.Popen[str]:
    """Start a command without input, and read what it prints through pipes."""
    pipes: dict[str, Any] = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    command = list(map(str, args))
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, text=True, env=os.environ | environment, **pipes)


class ServerProcess:
    """A server process."""

    def __init__(self, path: Path, *options: object) -> None:
        command = [*CARDROME, "host", str(path), "--plain", *map(str, options)]
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
        """Wait for a line of output that contains these words."""
        until(lambda: words in self.output or self.process.poll() is not None, words)
        found = [line for line in self.lines if words in line]
        assert found, f"no {words!r} in:\n{self.output}"
        return found[0]

    @property
    def port(self) -> int:
        return int(self.wait_for("teams connect to").rpartition(" ")[2])

    def client(self, team: str) -> Client:
        """A connection of a team."""
        return Client(self.port, team)

    def memory(self) -> int:
        """The process's memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def ended(self) -> int:
        """Wait for the process to end; returns its exit code."""
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the process to end; returns its exit code."""
        self.process.send_signal(number)
        return self.ended()

    def kill(self) -> None:
        """Kill the process, whatever it is doing."""
        self.process.kill()
        self.ended()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def serving(path: Path, *options: object) -> Iterator[ServerProcess]:
    """A server process, which is killed at the end of the block."""
    server = ServerProcess(path, *options)
    try:
        _ = server.port
        yield server
    finally:
        server.kill()


class Client:
    """A connection for scripted conversations."""

    def __init__(self, port: int, team: str | None = None) -> None:
        """Connect, and log in as a team if one is named."""
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._received = b""
        if team is not None:
            assert self.log_in(team) == "OK"

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

    def exactly(self, expected: bytes) -> bytes:
        """As many bytes as are expected."""
        while len(self._received) < len(expected):
            more = self.socket.recv(1 << 16)
            assert more, f"closed after {self._received!r}"
            self._received += more
        received, self._received = self._received[: len(expected)], self._received[len(expected) :]
        return received

    def ask(self, command: str, lines: int = 1) -> list[str]:
        """Send a line; returns the lines of the reply, of which so many are expected."""
        self.send(f"{command}\n")
        return self.lines(lines)

    def rest(self) -> bytes:
        """Everything until the server closes the connection."""
        received = [self._received]
        try:
            while more := self.socket.recv(1 << 16):
                received.append(more)
        except ConnectionResetError:
            pass
        self._received = b""
        return b"".join(received)

    def log_in(self, team: str, secret: str | None = None) -> str:
        """Log in; returns the last line of that."""
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
        """Send WAIT, and wait for the next turn."""
        assert self.ask("WAIT", 2) == ["OK", "OK"]

    def close(self) -> None:
        self.socket.close()
