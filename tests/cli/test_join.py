"""`cardrome join`: what it asks for, and how it ends. Whole events are played in tests/server/test_team.py."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardrome.cli import app
from cardrome.cli.join import _address, _match_filter, progress_line
from cardrome.client.team import TeamRecord
from cardrome.errors import CallerError
from tests.client.test_team import wait_for
from tests.server.live_server import CARDROME, PATIENCE, live_server, started


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "CARDROME_PASSWORD"} | environment
    return subprocess.run(
        [*CARDROME, "join", *words], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
    )


def test_a_refused_login_is_wrong_use(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("not it\n")
    with live_server(tmp_path, ["red"]) as server:
        done = run(f"127.0.0.1:{server.port}", "--login", "red", "--password-file", str(secret), "--agent", "random")
    assert done.returncode == 2
    assert "refuses the login of red: bad login or password" in done.stderr
    assert "Traceback" not in done.stderr
    assert "not it" not in done.stderr


def test_ctrl_c_prints_what_was_done(tmp_path: Path) -> None:
    with live_server(tmp_path, ["red"]) as server:
        team = server.join("red", "--agent", "random")
        wait_for(team, "logged in")
        team.send_signal(signal.SIGINT)
        out, err = team.communicate(timeout=PATIENCE)
    assert team.returncode == 130
    assert '"commands":0' in out
    assert "Traceback" not in err


def test_a_server_that_is_not_there() -> None:
    words = ["127.0.0.1:1", "--login", "red", "--agent", "random", "--patience", "0"]
    done = run(*words, CARDROME_PASSWORD="x")
    assert done.returncode == 1
    assert "no connection to 127.0.0.1:1: Connection refused" in done.stderr


def test_without_a_password() -> None:
    process = started([*CARDROME, "join", "localhost:1", "--login", "red", "--agent", "random"], CARDROME_PASSWORD="")
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "--password-file" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "--login", "a"], "expected HOST:PORT"),
        (["host:x", "--login", "a"], "expected HOST:PORT"),
        (["host:99999999", "--login", "a"], "expected HOST:PORT"),
        (["host:1", "--login", "a", "--agent", "gredy"], "did you mean greedy"),
        (["host:1", "--login", "a", "--matches", "1-x"], "expected ids and ranges"),
        (["host:1", "--login", "a", "--agent", "greedy", "--budget", "5"], "--budget is for the agent search"),
        (["host:1", "--login", "a", "--password-file", "/nowhere/at/all"], "cannot be read"),
    ],
)
def test_wrong_use(words: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["join", *words], env={"CARDROME_PASSWORD": "x"})
    assert isinstance(result.exception, CallerError)
    assert message in str(result.exception)


def test_there_is_no_option_for_the_password() -> None:
    assert "--password " not in CliRunner().invoke(app, ["join", "--help"]).output


def test_words() -> None:
    assert _address("[::1]:20000") == ("::1", 20000)
    only = _match_filter("3,5,10-12")
    assert [number for number in range(20) if only(number)] == [3, 5, 10, 11, 12]
    record = TeamRecord(1, 3, 1, 40, Counter({913: 2}), matches=4, running=3, turns_left=9)
    line = progress_line("red", record)
    assert line == (
        "red: tournament 1, 9 turns left, 3 of 4 matches going on, 40 commands, 2 refused (913: 2), 1 late turns"
    )
