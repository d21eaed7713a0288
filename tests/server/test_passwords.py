"""Passwords: only the right one is accepted, and nothing gives it away."""

from __future__ import annotations

import base64
import logging
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.server import passwords
from cardrome.server.passwords import (
    Credentials,
    PasswordChecker,
    hash_password,
    needs_rehash,
    random_password,
    verify_password,
)


def test_a_hash_tells_its_costs_and_has_a_salt_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "LOG_N", 14)
    one, two = hash_password("secret"), hash_password("secret")
    assert one.startswith("scrypt$14$8$1$")
    assert one != two
    assert "secret" not in one
    assert verify_password("secret", one)
    assert not verify_password("Secret", one)
    assert not needs_rehash(one)
    monkeypatch.setattr(passwords, "LOG_N", 15)
    assert needs_rehash(one)
    assert verify_password("secret", one)


@settings(max_examples=30)
@given(st.text(), st.text())
def test_only_the_same_text_fits(one: str, other: str) -> None:
    stored = hash_password(one)
    assert verify_password(one, stored)
    assert verify_password(other, stored) == (one == other)


def test_text_that_cannot_be_encoded_does_no_harm() -> None:
    assert verify_password("\udcff", hash_password("\udcff"))


@settings(max_examples=200)
@given(st.text() | st.from_regex(r"scrypt\$-?\d{1,3}\$-?\d{1,3}\$-?\d{1,3}\$[A-Za-z0-9+/=]*\$[A-Za-z0-9+/=]*"))
def test_a_malformed_hash_fits_nothing(stored: str) -> None:
    found = passwords._parse(stored)
    if found is None or found.r * found.p << found.log_n < 1 << 12:  # more takes too long
        assert not verify_password("", stored)
    assert needs_rehash(stored)


@pytest.mark.parametrize(
    "change",
    [
        lambda parts: parts[:-1],
        lambda parts: [*parts, "x"],
        lambda parts: ["bcrypt", *parts[1:]],
        lambda parts: [parts[0], "40", *parts[2:]],
        lambda parts: [parts[0], "0", *parts[2:]],
        lambda parts: [*parts[:4], "*", parts[5]],
        lambda parts: [*parts[:5], ""],
        lambda parts: [*parts[:5], base64.b64encode(b"short").decode()],
        lambda parts: [*parts[:4], parts[5], parts[4]],
    ],
)
def test_a_damaged_hash_fits_nothing(change) -> None:
    assert not verify_password("secret", "$".join(change(hash_password("secret").split("$"))))


def test_random_passwords_are_readable_and_differ() -> None:
    made = {random_password() for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch(r"([a-hjkmnp-z2-9]{4}-){2}[a-hjkmnp-z2-9]{4}", one) for one in made)


class Book:
    """Accounts in memory, and how often scrypt was called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.accounts = {"ann": Credentials(1, hash_password("secret")), "bob": Credentials(2, hash_password("secret"))}
        self.slow = 0
        real = passwords._derive

        def counted(password: str, of: passwords._Hash) -> bytes:
            self.slow += 1
            return real(password, of)

        self.checker = PasswordChecker(self.accounts.get, self.replace)
        monkeypatch.setattr(passwords, "_derive", counted)

    def replace(self, of: Credentials, stored: str) -> None:
        self.accounts.update({name: Credentials(of.account, stored) for name, it in self.accounts.items() if it == of})

    def check(self, name: str, password: str) -> tuple[int | None, int]:
        """The account, and how many slow hashes it took to find out."""
        before = self.slow
        return self.checker.check(name, password), self.slow - before


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> Book:
    return Book(monkeypatch)


def test_unknown_names_cost_what_known_ones_do(book: Book) -> None:
    assert book.check("ann", "wrong") == (None, 1)
    assert book.check("nobody", "wrong") == (None, 1)
    assert book.check("nobody", "wrong") == (None, 1)


def test_the_next_logins_of_an_account_are_quick(book: Book) -> None:
    assert [book.check("ann", "secret") for _ in range(3)] == [(1, 1), (1, 0), (1, 0)]
    assert book.check("ann", "wrong") == (None, 1)
    assert book.check("bob", "secret") == (2, 1)
    assert book.check("ann", "secret") == (1, 0)


def test_a_changed_password_is_noticed_at_once(book: Book) -> None:
    book.check("ann", "secret")
    book.accounts["ann"] = Credentials(1, hash_password("other"))
    assert book.check("ann", "secret")[0] is None
    assert book.check("ann", "other")[0] == 1
    del book.accounts["ann"]
    assert book.check("ann", "other") == (None, 1)


def test_an_old_hash_is_replaced_at_the_next_login(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    before = book.accounts["ann"].password_hash
    monkeypatch.setattr(passwords, "LOG_N", 5)
    assert book.check("ann", "wrong")[0] is None
    assert book.accounts["ann"].password_hash == before
    assert book.check("ann", "secret")[0] == 1
    assert book.accounts["ann"].password_hash.startswith("scrypt$5$")
    assert book.check("ann", "secret") == (1, 1)
    assert book.check("ann", "secret") == (1, 0)


def test_nothing_shows_a_password(book: Book, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    book.check("ann", "secret")
    everything = repr(book.checker) + repr(vars(book.checker)) + repr(book.accounts) + caplog.text
    assert "secret" not in everything
    assert "scrypt$" not in repr(book.accounts)
