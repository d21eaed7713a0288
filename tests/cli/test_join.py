"""`cardrome join`: what it asks for, and how it ends. Whole events are played in tests/client/test_team.py."""

from __future__ import annotations

import json
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from cardrome.cli.join import _address, _match_filter, progress_line
from cardrome.client import team
from cardrome.client.team import TeamRecord
from tests.cli.runner import cardrome
from tests.server.in_process import server_thread
from tests.server.processes import CARDROME, PATIENCE, password, started


def test_a_team_plays_until_the_event_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team, "PATIENCE_AT_THE_END", 0.1)
    monkeypatch.setattr(team, "PATIENCE_BEFORE_IT", 0.1)
    secret = tmp_path / "password"
    secret.write_text(password("red") + "\n")
    with (
        server_thread(
            tmp_path,
            ["red", "blue"],
            players=None,
            event={"tournaments": 1},
            server={"turn_seconds": 0.1},
            rules={"turns": 20},
        ) as server,
        server.client("blue"),
    ):
        address = f"127.0.0.1:{server.port}"
        words = ["--login", "red", "--password-file", secret, "--agent", "greedy", "--matches", "1", "--json"]
        done = cardrome("join", address, *words)
        results = server.results()
    assert done.returncode == 0, done.stderr
    assert f"logged in as red at {address}" in done.stderr
    assert "a tournament with 1 match" in done.stderr
    record = json.loads(done.stdout)
    assert record["tournaments"] == 1
    assert set(record["refused"]) <= {"913", "932"}
    assert len(results) == 2


def test_a_refused_login_is_wrong_use(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("not it\n")
    with server_thread(tmp_path, ["red"], players=1) as server:
        address = f"127.0.0.1:{server.port}"
        done = cardrome("join", address, "--login", "red", "--password-file", secret, "--agent", "random")
    assert done.returncode == 2
    assert "refuses the login of red: bad login or password" in done.stderr
    assert "not it" not in done.stderr


def wait_for(process: subprocess.Popen[str], words: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(f"it ended without saying {words!r}")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_team_that_is_stopped_prints_what_was_done(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with server_thread(tmp_path, ["red"], players=1) as server:
        words = ["join", f"127.0.0.1:{server.port}", "--login", "red", "--agent", "random", "--json"]
        process = started(*CARDROME, *words, CARDROME_PASSWORD=password("red"))
        wait_for(process, "logged in")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert '"commands":0' in out
    assert "Traceback" not in err
    assert "Task was destroyed" not in err


def test_a_server_that_is_not_there() -> None:
    words = ["127.0.0.1:1", "--login", "red", "--agent", "random", "--patience", "0"]
    done = cardrome("join", *words, env={"CARDROME_PASSWORD": "x"})
    assert done.returncode == 1
    assert "no connection to 127.0.0.1:1: Connection refused" in done.stderr
    assert done.stdout == ""


def test_without_a_password() -> None:
    words = ["localhost:1", "--login", "red", "--agent", "random"]
    done = cardrome("join", *words, env={"CARDROME_PASSWORD": ""})
    assert done.returncode == 2
    assert "--password-file" in done.stderr


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
    done = cardrome("join", *words, env={"CARDROME_PASSWORD": "x"})
    assert done.returncode == 2
    assert message in done.stderr


def test_there_is_no_option_for_the_password() -> None:
    assert "--password " not in cardrome("join", "--help").stdout


def test_words() -> None:
    assert _address("[::1]:20000") == ("::1", 20000)
    only = _match_filter("3,5,10-12")
    assert [number for number in range(20) if only(number)] == [3, 5, 10, 11, 12]
    record = TeamRecord(1, 3, 1, 40, Counter({913: 2}), matches=4, running=3, turns_left=9)
    line = progress_line("red", record)
    assert line == (
        "red: tournament 1, 9 turns left, 3 of 4 matches going on, 40 commands, 2 refused (913: 2), 1 late turn"
    )
    alone = TeamRecord(1, commands=1, matches=1, running=1, turns_left=1)
    assert progress_line("red", alone) == "red: tournament 1, 1 turn left, 1 of 1 match going on, 1 command"
