"""The sandbox, with bots that try to get out. Where bubblewrap is missing, what is said about it."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from cardrome.arena.players import sandbox
from cardrome.arena.players.process import BotProcess, Limits
from cardrome.arena.players.sandbox import protections, sandbox_problem, sandboxed
from cardrome.errors import CallerError

PATIENCE = 30.0


def inside(code: str) -> str:
    """What a Python bot prints in the sandbox; errors are printed as their class."""
    wrapped = f"try:\n    {code}\nexcept Exception as error: print(type(error).__name__)\ninput()"
    with BotProcess(sandboxed([sys.executable, "-u", "-c", wrapped])) as bot:
        return bot.ask(b"", PATIENCE).decode()


available = [None] if sandbox_problem() is None else []
"""A parameter for tests that need the sandbox: CI has it."""


@pytest.mark.parametrize("_", available)
def test_a_bot_plays_in_the_sandbox(_: None) -> None:
    assert inside("print('PASS')") == "PASS"


@pytest.mark.parametrize("_", available)
def test_a_bot_in_a_temporary_folder_sees_its_own_files(_: None, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print(open('notes').read()); input()")
    (tmp_path / "notes").write_text("remembered")
    with BotProcess(sandboxed([sys.executable, "bot.py"], tmp_path), folder=tmp_path) as bot:
        assert bot.ask(b"", PATIENCE) == b"remembered"


@pytest.mark.parametrize("_", available)
def test_passwords_cannot_be_read(_: None) -> None:
    assert inside("print(repr(open('/etc/shadow').read()))") in ("''", "PermissionError", "FileNotFoundError")


@pytest.mark.parametrize("_", available)
def test_there_is_no_network(_: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5); print('connected')"
        assert inside(code) in ("ConnectionRefusedError", "OSError")


@pytest.mark.parametrize("_", available)
def test_files_cannot_be_written_but_tmp_can(_: None, tmp_path: Path) -> None:
    assert inside(f"open({str(Path(__file__).parent / 'left_behind')!r}, 'w'); print('written')") == "OSError"
    assert inside("open('/tmp/mine', 'w').write('x'); print(open('/tmp/mine').read())") == "x"
    assert not os.path.exists("/tmp/mine")


@pytest.mark.parametrize("_", available)
def test_other_processes_are_out_of_sight(_: None) -> None:
    assert inside("import os; print(len([p for p in os.listdir('/proc') if p.isdigit()]))") in ("1", "2", "3")


def test_one_line_tells_which_protections_are_on() -> None:
    off, on = protections(Limits(), sandbox=False), protections(Limits(memory=1 << 30), sandbox=True)
    assert "memory 16 GiB" in off
    assert off.endswith("sandbox: off")
    assert "memory 1 GiB" in on
    assert "no network" in on


def test_a_sandbox_that_cannot_be_had_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("bwrap") is None
    sandbox.sandbox_problem.cache_clear()
    try:
        with pytest.raises(CallerError, match="apt install bubblewrap"):
            sandboxed(["true"])
    finally:
        sandbox.sandbox_problem.cache_clear()
