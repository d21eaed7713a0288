"""`cardrome host` as an organiser runs it."""

from __future__ import annotations

import contextlib
import json
import socket
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from cardrome.server.passwords import PasswordChecker
from tests.cli.runner import cardrome
from tests.server.processes import add_teams, password, store_of, write_event

QUICK: dict[str, Any] = {
    "event": {"tournaments": 2, "roster": "all"},
    "rules": {"turns": 2},
    "server": {"turn_seconds": 0.01},
}
"""An event that plays itself, in a moment."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_event(tmp_path / "cup.toml")


def may_log_in(path: Path, name: str, secret: str) -> bool:
    with store_of(path) as store:
        return PasswordChecker(store.accounts.credentials).check(name, secret) is not None


def test_new_writes_settings_that_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "my cup.toml"
    done = cardrome("host", "new", path)
    assert done.returncode == 0
    assert f"cardrome host accounts add {path}" in done.stdout
    assert cardrome("host", "accounts", "list", path).returncode == 0
    text = path.read_text()
    again = cardrome("host", "new", path)
    assert again.returncode == 2
    assert "exists already and was left alone" in again.stderr
    assert path.read_text() == text


def test_accounts_are_added_listed_changed_and_removed(path: Path) -> None:
    added = cardrome("host", "accounts", "add", path, "bob", "ann")
    assert added.returncode == 0
    secrets = dict(line.split() for line in added.stdout.splitlines())
    assert list(secrets) == ["bob", "ann"]
    assert all(may_log_in(path, name, secret) for name, secret in secrets.items())
    assert cardrome("host", "accounts", "list", path).stdout == "ann\nbob\n"

    changed = cardrome("host", "accounts", "passwd", path, "ann", "--password-stdin", input="a new one\n")
    assert (changed.returncode, changed.stdout) == (0, "ann\n")  # a given password is not repeated
    assert may_log_in(path, "ann", "a new one")
    assert not may_log_in(path, "ann", secrets["ann"])

    given = cardrome("host", "accounts", "add", path, "cy", "--password-stdin", input="given\r\n")
    assert (given.returncode, given.stdout) == (0, "cy\n")
    assert may_log_in(path, "cy", "given")

    with store_of(path) as store:
        store.begin_tournament(1, 1, "deck", "{}", 1, [1, 2])
    assert cardrome("host", "accounts", "remove", path, "cy").stdout == "cy is removed\n"
    assert cardrome("host", "accounts", "remove", path, "bob").stdout == "bob is removed; its results are kept\n"
    assert cardrome("host", "accounts", "list", path).stdout == "ann\nbob  (removed)\n"
    rows = json.loads(cardrome("host", "accounts", "list", path, "--json").stdout)
    assert [(row["name"], row["active"]) for row in rows] == [("ann", True), ("bob", False)]
    assert not any("hash" in key or "password" in key for row in rows for key in row)


def test_accounts_are_imported_from_a_file(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "teams.csv"
    file.write_text("name,password\nann,first\nbob,second\n")
    done = cardrome("host", "accounts", "import", path, file)
    assert (done.returncode, done.stdout) == (0, "2 added, 0 updated\n")
    file.write_text("bob,third\ncy,fourth\n")
    assert cardrome("host", "accounts", "import", path, file).stdout == "1 added, 1 updated\n"
    assert may_log_in(path, "bob", "third")
    file.write_text("dan,fifth\nbob;sixth\n")
    wrong = cardrome("host", "accounts", "import", path, file)
    assert wrong.returncode == 2
    assert f"{file}, line 2: expected name,password, found 1 field" in wrong.stderr
    assert "sixth" not in wrong.stderr
    assert cardrome("host", "accounts", "list", path).stdout == "ann\nbob\ncy\n"


def test_others_cannot_read_the_store(path: Path) -> None:
    cardrome("host", "accounts", "add", path, "ann")
    [database] = path.parent.glob("cup.db")
    assert stat.S_IMODE(database.stat().st_mode) & stat.S_IRWXO == 0


def test_standings_and_transcripts(path: Path, tmp_path: Path) -> None:
    write_event(path, **QUICK)
    empty = cardrome("host", "standings", path)
    assert (empty.returncode, empty.stdout.split()) == (0, ["team", "total"])
    add_teams(path, "ann", "bob")
    held = cardrome("host", path, "--plain")
    assert held.returncode == 0, held.stderr
    assert "the event is over: all tournaments are played" in held.stdout
    shown = cardrome("host", "standings", path).stdout.split()
    assert shown == ["team", "total", "T1", "T2", "ann", "0", "0", "0", "bob", "0", "0", "0"]
    data = json.loads(cardrome("host", "standings", path, "--json").stdout)
    assert data["tournaments"] == [1, 2]
    assert [(row["name"], row["total"], row["points"]) for row in data["teams"]] == [
        ("ann", 0.0, [0.0, 0.0]),
        ("bob", 0.0, [0.0, 0.0]),
    ]
    with contextlib.closing(sqlite3.connect(path.with_name("cup.db"))) as database, database:
        database.execute("UPDATE event_entries SET points = 8 WHERE tournament = 1")
        database.execute("UPDATE event_entries SET points = 2.8284271 WHERE tournament = 2 AND position = 0")
    assert {"10.83", "8.00", "2.83", "0.00"} <= set(cardrome("host", "standings", path).stdout.split())

    printed = cardrome("host", "transcript", path, 3)
    assert printed.returncode == 0
    replay = json.loads(printed.stdout)
    assert sorted(replay["players"]) == ["ann", "bob"]
    assert password("ann") not in printed.stdout
    out = tmp_path / "match.json"
    assert cardrome("host", "transcript", path, 3, "--out", out).returncode == 0
    assert json.loads(out.read_text()) == replay
    verified = cardrome("replay", "verify", out)
    assert verified.returncode == 0, verified.stderr
    wrong = cardrome("host", "transcript", path, 99)
    assert wrong.returncode == 2
    assert "match 99: no match with this id has ended" in wrong.stderr
    nowhere = cardrome("host", "transcript", path, 3, "--out", tmp_path / "none" / "x.json")
    assert nowhere.returncode == 2
    assert "cannot be written: No such file" in nowhere.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("{folder}/none.toml",), "none.toml cannot be read: No such file or directory"),
        (("run", "{path}", "--port", "70000"), "--port: expected at most 65535, got '70000'"),
        (("new", "{folder}/none/x.toml"), "cannot be written: No such file or directory"),
        (("standings", "{folder}/none.toml"), "cannot be read"),
        (("accounts", "add", "{path}", "an n"), "the name contains white space"),
        (("accounts", "add", "{path}", "a", "b", "--password-stdin"), "--password-stdin works for one team at a time"),
        (("accounts", "passwd", "{path}", "nobody"), "there is no account 'nobody'"),
        (("accounts", "remove", "{path}", "nobody"), "there is no account 'nobody'"),
        (("accounts", "import", "{path}", "{folder}/none.csv"), "none.csv cannot be read: No such file or directory"),
        (("accounts", "list", "{folder}/none.toml"), "none.toml cannot be read"),
        (("{bad}",), "bad.toml: unknown key event.tournament; did you mean tournaments?"),
        (("{nostore}",), "cardrome: "),
    ],
)
def test_wrong_use_is_explained(path: Path, tmp_path: Path, args: tuple[str, ...], message: str) -> None:
    (tmp_path / "bad.toml").write_text("[event]\nname = 'x'\ntournament = 3\n")
    (tmp_path / "nostore.toml").write_text(
        "[event]\nname = 'x'\nstore = 'none/x.db'\n[server]\nport = 0\npage = false\n"
    )
    names = {"path": path, "folder": tmp_path, "bad": tmp_path / "bad.toml", "nostore": tmp_path / "nostore.toml"}
    done = cardrome("host", *(arg.format(**names) for arg in args))
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_event_with_other_rules_cannot_continue_in_the_same_store(path: Path) -> None:
    write_event(path, **QUICK)
    add_teams(path, "ann", "bob")
    assert cardrome("host", path, "--plain").returncode == 0
    write_event(path, **{**QUICK, "rules": {"turns": 4}})
    done = cardrome("host", path, "--plain")
    assert done.returncode == 2
    assert "rules: turns is 2 there and 4 here" in done.stderr


def test_a_port_that_is_taken_is_explained(path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cardrome("host", path, "--plain", "--port", port)
        assert done.returncode == 2
        assert (
            done.stderr
            == f"cardrome: cannot listen on 127.0.0.1 port {port}: Address already in use; --port chooses another\n"
        )
        done = cardrome("host", path, "--plain", "--page", "--page-port", port)
        assert done.returncode == 2
        assert str(port) in done.stderr
        assert "Traceback" not in done.stderr


def test_an_event_without_accounts_says_so(path: Path) -> None:
    write_event(path, event={"ends_at": "2020-01-01T00:00:00Z"}, server={"turn_seconds": 0.01})
    done = cardrome("host", path, "--plain")
    assert done.returncode == 0, done.stderr
    assert f"no accounts yet: cardrome host accounts add {path} TEAM" in done.stdout
    assert "the event is over: its time is up" in done.stdout
