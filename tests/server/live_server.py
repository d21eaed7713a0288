"""A real server process on a free port, for tests of what connects to it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cardrome.server.settings import read_plan
from cardrome.server.store.store import EventStore

PASSWORD = "open sesame"
CARDROME = [sys.executable, "-m", "cardrome"]
PATIENCE = 240
"""Seconds after which a process that should have ended is a failure."""


class LiveServer:
    """An event whose teams all have the same password."""

    def __init__(self, folder: Path, teams: Sequence[str], event: str = "", server: str = "", rules: str = "") -> None:
        self.file = folder / "event.toml"
        self.file.write_text(
            f'[event]\nname = "test"\nseed = 5\n{event}\n'
            f'[server]\nhost = "127.0.0.1"\nport = 0\npage = false\n{server}\n[rules]\n{rules}\n'
        )
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.started: list[subprocess.Popen[str]] = []
        plan = read_plan(self.file)
        with EventStore.open(plan.store, base=plan.folder) as store:
            for team in teams:
                store.accounts.add(team, PASSWORD)

    def start(self) -> None:
        """Start it, on the port of the first time if it was started before; returns when teams can connect."""
        command = [*CARDROME, "host", "run", str(self.file), "--plain", "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"connect to .* port (\d+)", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError("the server did not start")

    def end(self, number: int = signal.SIGINT) -> str:
        """Stop it; returns what it said."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        if self.process.stdout is not None and self.process.stdout.closed:
            return ""  # it was ended before
        return self.process.communicate(timeout=PATIENCE)[0]

    def join(self, team: str, *words: str, **environment: str) -> subprocess.Popen[str]:
        """A team of ours."""
        command = [*CARDROME, "join", f"127.0.0.1:{self.port}", "--login", team, "--json", "--jobs", "1", *words]
        self.started.append(started(command, CARDROME_PASSWORD=PASSWORD, **environment))
        return self.started[-1]

    def example(self, team: str, *command: str) -> subprocess.Popen[str]:
        """A team that is another program."""
        self.started.append(started([*command, "127.0.0.1", str(self.port), team], TAPDECK_PASSWORD=PASSWORD))
        return self.started[-1]

    def results(self) -> list[Any]:
        """All matches that ended."""
        plan = read_plan(self.file)
        with EventStore.open(plan.store, claim=False, base=plan.folder) as store:
            return [match for each in store.tournaments() for match in store.matches(each.number)]


def started(command: Sequence[str], **environment: str) -> subprocess.Popen[str]:
    pipes: dict[str, Any] = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, text=True, env={**os.environ, **environment}, **pipes)


def summary(process: subprocess.Popen[str], code: int = 0) -> dict[str, Any]:
    """What a team of ours says when it has ended."""
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, err
    found: dict[str, Any] = json.loads(out)
    return found


@contextmanager
def live_server(folder: Path, teams: Sequence[str], **sections: str) -> Iterator[LiveServer]:
    """A running server. It ends with the block, and so does whoever was started to play there."""
    server = LiveServer(folder, teams, **sections)
    server.start()
    try:
        yield server
    finally:
        server.end()
        for process in server.started:
            if process.poll() is None:
                process.kill()
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            process.wait()
