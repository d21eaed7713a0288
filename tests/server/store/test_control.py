"""The operator's orders in the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrome.errors import CallerError
from cardrome.server.passwords import PasswordChecker
from cardrome.server.store.control import KEPT, TEXT_LENGTH, Orders
from cardrome.server.store.store import EventStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.db"


def test_orders_are_there_when_the_store_is_opened_again(path: Path) -> None:
    with EventStore.open(path) as store:
        assert store.control.orders() == Orders()
        store.control.announce("  lunch at noon ")
        store.control.pause(True)
    with EventStore.open(path) as store:
        orders = store.control.orders()
        assert orders.paused
        assert [each.text for each in orders.announcements] == ["lunch at noon"]
        store.control.pause(False)
        store.control.withdraw(orders.announcements[0].id)
        store.control.withdraw(99)
        assert store.control.orders() == Orders()


def test_announcements_are_bounded(path: Path) -> None:
    with EventStore.open(path) as store:
        for text in ("", " ", "x" * (TEXT_LENGTH + 1), "two\nlines", "\u202eturned", "\x00"):
            with pytest.raises(CallerError, match="the announcement"):
                store.control.announce(text)
        for n in range(KEPT + 3):
            store.control.announce(f"<b>{n}</b>")
        shown = [each.text for each in store.control.orders().announcements]
    assert shown == [f"<b>{n}</b>" for n in range(KEPT + 2, 2, -1)]


def test_the_operator_has_no_password_until_one_is_given(path: Path) -> None:
    with EventStore.open(path) as store:
        checker = PasswordChecker(store.control.credentials)
        assert checker.check("", "") is None
        store.control.pause(True)
        assert checker.check("", "") is None
        store.control.change_password("long-and-secret")
        assert checker.check("", "long-and-secret") == 0
        assert checker.check("", "") is None
        marks = {store.control.credentials().mark}  # type: ignore[union-attr]
        store.control.change_password("another")
        assert checker.check("", "long-and-secret") is None
        marks.add(store.control.credentials().mark)  # type: ignore[union-attr]
        assert len(marks) == 2
        assert store.control.orders().paused
        with pytest.raises(CallerError, match="empty"):
            store.control.change_password("")
    assert b"another" not in path.read_bytes()
