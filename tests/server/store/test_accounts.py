"""Accounts: who may log in and play, from the command line or a file, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.errors import CallerError
from cardrome.server import passwords
from cardrome.server.passwords import PasswordChecker
from cardrome.server.store.accounts import Accounts, Imported, name_problem, password_problem, read_csv
from cardrome.server.store.store import EventStore


@pytest.fixture
def store(database_url: str) -> Iterator[EventStore]:
    with EventStore.open(database_url) as store:
        yield store


@pytest.fixture
def accounts(store: EventStore) -> Accounts:
    return store.accounts


def may_log_in(accounts: Accounts, name: str, password: str) -> bool:
    return PasswordChecker(accounts.credentials, accounts.replace_hash).check(name, password) is not None


def played(store: EventStore, *names: str) -> None:
    """Begin a tournament with these accounts."""
    store.begin_tournament(1, 7, "deck", "{}", 1, [store.accounts.get(name).id for name in names])


def test_an_account_is_added_and_logs_in(accounts: Accounts) -> None:
    ann = accounts.add("ann", "secret")
    assert (ann.name, ann.active) == ("ann", True)
    assert accounts.all() == [ann]
    assert may_log_in(accounts, "ann", "secret")
    assert not may_log_in(accounts, "ann", "wrong")
    assert not may_log_in(accounts, "bob", "secret")
    assert not may_log_in(accounts, "\0", "secret")
    with pytest.raises(CallerError, match="already an account 'ann'"):
        accounts.add("ann", "other")
    assert may_log_in(accounts, "ann", "secret")


def test_names_are_case_sensitive_and_listed_in_order(accounts: Accounts) -> None:
    for name in ("bob", "Ann", "ann", "élan", "☃"):
        accounts.add(name, "secret")
    assert [account.name for account in accounts.all()] == ["Ann", "ann", "bob", "élan", "☃"]
    assert len(accounts.roster()) == 5
    assert sorted(accounts.names().values()) == ["Ann", "ann", "bob", "élan", "☃"]


def test_a_password_is_changed(accounts: Accounts) -> None:
    accounts.add("ann", "secret")
    accounts.change_password("ann", "other")
    assert not may_log_in(accounts, "ann", "secret")
    assert may_log_in(accounts, "ann", "other")
    with pytest.raises(CallerError, match="no account 'bob'"):
        accounts.change_password("bob", "other")


def test_an_account_that_never_played_is_deleted_and_its_id_is_not_reused(accounts: Accounts) -> None:
    first = accounts.add("ann", "secret").id
    assert accounts.remove("ann") == "deleted"
    assert accounts.all() == []
    with pytest.raises(CallerError, match="no account 'ann'"):
        accounts.remove("ann")
    assert accounts.add("bob", "secret").id != first


def test_an_account_that_played_is_only_deactivated(store: EventStore, accounts: Accounts) -> None:
    ids = {name: accounts.add(name, "secret").id for name in ("ann", "bob", "cy")}
    played(store, "ann", "bob")
    assert accounts.remove("ann") == "deactivated"
    assert accounts.remove("cy") == "deleted"
    assert accounts.roster() == (ids["bob"],)
    assert accounts.names() == {ids["ann"]: "ann", ids["bob"]: "bob"}
    assert [account.name for account in accounts.all(removed=False)] == ["bob"]
    assert not may_log_in(accounts, "ann", "secret")
    with pytest.raises(CallerError, match="was removed; add it again"):
        accounts.change_password("ann", "other")
    again = accounts.add("ann", "fresh")
    assert (again.id, again.active) == (ids["ann"], True)
    assert may_log_in(accounts, "ann", "fresh")
    assert not may_log_in(accounts, "ann", "secret")


def test_a_hash_is_not_replaced_once_the_password_changed(accounts: Accounts) -> None:
    accounts.add("ann", "secret")
    old = accounts.credentials("ann")
    assert old is not None
    accounts.change_password("ann", "other")
    accounts.replace_hash(old, passwords.hash_password("secret"))
    assert may_log_in(accounts, "ann", "other")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "empty"),
        ("x" * 33, "more than 32"),
        ("a b", "white space"),
        ("a\tb", "white space"),
        ("a\u00a0b", "white space"),
        ("a\x00", "cannot be shown"),
        ("a\u200b", "cannot be shown"),
        ("\udcff", "cannot be shown"),
    ],
)
def test_impossible_names(name: str, problem: str) -> None:
    assert problem in str(name_problem(name))


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("", "empty"),
        ("x" * 201, "more than 200"),
        ("é" * 200, None),
        ("\N{SNOWMAN}" * 171, "more than 512 bytes"),
        (" secret", "white space"),
        ("secret\n", "white space"),
        ("sec\nret", "line ends"),
        ("sec\x00ret", "control"),
        ("sec\udcffret", "control"),
        ("correct horse battery", None),
    ],
)
def test_impossible_passwords(accounts: Accounts, password: str, problem: str | None) -> None:
    found = password_problem(password)
    assert found is None if problem is None else problem in (found or "")
    if problem is not None:
        with pytest.raises(CallerError) as caught:
            accounts.add("ann", password)
        assert not password or password not in str(caught.value)
        assert accounts.all() == []


@settings(max_examples=200)
@given(st.text(), st.text())
def test_what_is_accepted_arrives_over_the_wire_unchanged(name: str, password: str) -> None:
    """A line is UTF-8 without LF, and white space at its ends is stripped."""
    if name_problem(name) is None:
        assert name.encode().decode().strip(" \t\r") == name
        assert "\n" not in name
    if password_problem(password) is None:
        assert password.encode().decode().strip(" \t\r") == password
        assert "\n" not in password


def test_a_file_adds_updates_and_brings_back(store: EventStore, accounts: Accounts, tmp_path: Path) -> None:
    for name in ("ann", "bob", "cy"):
        accounts.add(name, "before")
    played(store, "ann", "bob")
    accounts.remove("bob")
    file = tmp_path / "teams.csv"
    file.write_bytes('\ufeffName,Password\r\nann,one\r\n\r\nbob,"two, or ""three"""\r\ndée,four\r\n'.encode())
    assert accounts.import_csv(file) == Imported(added=1, updated=1, reactivated=1)
    for name, password in (("ann", "one"), ("bob", 'two, or "three"'), ("dée", "four"), ("cy", "before")):
        assert may_log_in(accounts, name, password)
    assert accounts.import_csv(str(file)) == Imported(added=0, updated=3, reactivated=0)


def test_a_header_is_optional_and_may_be_in_either_order(tmp_path: Path) -> None:
    file = tmp_path / "teams.csv"
    file.write_text("ann,one\n")
    assert read_csv(file) == {"ann": "one"}
    file.write_text("password, name\none,ann\n")
    assert read_csv(file) == {"ann": "one"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"ann,secret\nann,secret2\n", "line 2: 'ann' is already on line 1"),
        (b"ann,x\nbob;secret\n", "line 2: expected name,password, found 1 field"),
        (b"ann,x\nbob,secret,1\n", "line 2: expected name,password, found 3 fields"),
        (b"name,password\nbob, secret\n", "line 2: the password begins"),
        (b"name,password\nbob,\n", "line 2: the password is empty"),
        (b"name,password\n\nbob secret,x\n", "line 3: the name contains white space"),
        (b'bob,"secret\n', "line 1: unexpected end of data"),
        (b"ann,x\nbob,secret\xff\n", "line 2: not UTF-8"),
        (b"name,password\n", "no accounts found"),
        (b"", "no accounts found"),
    ],
)
def test_a_wrong_file_changes_nothing(accounts: Accounts, tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "teams.csv"
    file.write_bytes(content)
    with pytest.raises(CallerError) as caught:
        accounts.import_csv(file)
    assert str(caught.value).startswith(str(file))
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)
    assert accounts.all() == []


def test_the_first_problems_of_a_file_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "teams.csv"
    file.write_text("ann,x\n" + "bob\n" * 12)
    with pytest.raises(CallerError) as caught:
        read_csv(file)
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{file}: nothing was imported"
    assert lines[1] == "  line 2: expected name,password, found 1 field"
    assert lines[-1] == "  and 2 more"
    assert len(lines) == 12


def test_a_file_that_is_not_there(accounts: Accounts, tmp_path: Path) -> None:
    with pytest.raises(CallerError, match=r"none\.csv cannot be read: No such file"):
        accounts.import_csv(tmp_path / "none.csv")
