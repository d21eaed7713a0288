"""`cardrome web` as a process: where it listens, what it says, how it ends."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "cardrome", "web", "--no-open"]


def test_it_serves_until_ctrl_c_and_ends_cleanly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with subprocess.Popen(
        [*COMMAND, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
        assert address is not None
        assert b"Cardrome" in urllib.request.urlopen(address[0]).read()
        server.send_signal(signal.SIGINT)
        assert (server.wait(), server.stderr.read()) == (0, "")
    secret = tmp_path / "cardrome" / "web-secret"
    assert (len(secret.read_bytes()), secret.stat().st_mode & 0o777) == (32, 0o600)


def test_a_port_that_is_taken_is_named_with_one_that_is_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = subprocess.run([*COMMAND, "--port", str(port)], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert re.fullmatch(
        rf"cardrome: the page cannot be served on 127\.0\.0\.1:{port}: Address already in use; --port \d+ is free\n",
        result.stderr,
    )
