"""Connections: logins that are slow, many, or cannot be checked; limits; clients that are gone."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardrome.server import connection, passwords
from cardrome.server.connection import Lobby
from cardrome.server.passwords import Credentials, PasswordChecker, hash_password
from cardrome.server.settings import ServerSection
from cardrome.server.ticker import Ticker
from tests.server.in_memory import InMemoryEvent
from tests.server.processes import write_event

Test = Callable[[Lobby, int], Awaitable[None]]


def nobody(_: str) -> Credentials | None:
    return None


def run(path: Path, test: Test, find: Callable[[str], Credentials | None] = nobody, **settings: Any) -> list[str]:
    """Run a test with a lobby that listens; returns the log. The event's clock stands still."""
    cup = InMemoryEvent(write_event(path), ["ann", "bob"])
    limits = msgspec.structs.replace(ServerSection(connections_per_team=1000, connections_per_address=1000), **settings)

    async def main() -> None:
        ticker = Ticker(1000.0, lambda: None, cup.log.append)
        lobby = Lobby(cup.event, ticker, limits, PasswordChecker(find), cup.log.append)
        server = await asyncio.get_running_loop().create_server(lobby.new, "127.0.0.1", 0)
        try:
            await test(lobby, server.sockets[0].getsockname()[1])
        finally:
            server.close()
            lobby.close()
            await asyncio.sleep(0.01)

    asyncio.run(main())
    return cup.log


async def conversation(port: int, data: bytes) -> bytes:
    """Send something and no more; returns all that is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    writer.write_eof()
    answer = await reader.read()
    writer.close()
    return answer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "e.toml"


def test_a_login_that_cannot_be_checked_does_not_count_as_failed(path: Path) -> None:
    away = True

    def find(name: str) -> Credentials | None:
        if away:
            raise OSError("the store is away")
        return Credentials(1, stored)

    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        nonlocal away
        for _ in range(3):
            assert await conversation(port, b"ann\nsecret\n") == b"LOGIN\nPASS\nERR 5 internal error, sorry...\n"
        away = False
        assert await conversation(port, b"ann\nsecret\nNO\n") == b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"

    log = run(path, test, find, failed_logins_per_minute=1)
    assert log.count("a login could not be checked: OSError('the store is away')") == 3


def test_a_crowd_that_logs_in_at_once_is_let_in(path: Path) -> None:
    """As after a restart, when hundreds of clients come back at the same time."""
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        answers = await asyncio.gather(*(conversation(port, b"ann\nsecret\nNO\n") for _ in range(300)))
        assert set(answers) == {b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"}
        assert not lobby.connections

    run(path, test, lambda name: Credentials(1, stored), failed_logins_per_minute=1)


class Time:
    """The time as connections see it."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    for module in (connection, passwords):
        monkeypatch.setattr(module, "time", time)
    return time


def test_a_client_that_waits_for_a_password_check_is_not_cut_off(path: Path, clock: Time) -> None:
    stored = hash_password("secret")
    checking, goes_on = threading.Event(), threading.Event()

    def find(name: str) -> Credentials | None:
        checking.set()
        assert goes_on.wait(60)
        return Credentials(1, stored)

    async def test(lobby: Lobby, port: int) -> None:
        checked = asyncio.create_task(conversation(port, b"ann\nsecret\nNO\n"))
        silent = await greeted(port)
        while not checking.is_set():
            await asyncio.sleep(0.01)
        clock.now += 11
        lobby.drop_idle()
        goes_on.set()
        assert await checked == b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"
        assert await rest(silent) == b""

    run(path, test, find, login_seconds=10)


async def greeted(port: int, data: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection that was asked for a name."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    assert await reader.readline() == b"LOGIN\n"
    return reader, writer


async def rest(client: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> bytes:
    """Everything until the server closes a connection."""
    reader, writer = client
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def test_connections_that_do_not_log_in_are_cut_off(path: Path, clock: Time) -> None:
    async def test(lobby: Lobby, port: int) -> None:
        clients = [await greeted(port, data) for data in (b"", b"an", b"ann\n")]
        assert await clients[2][0].readline() == b"PASS\n"
        clock.now += 10
        lobby.drop_idle()
        assert len(lobby.connections) == 3
        clock.now += 1
        lobby.drop_idle()
        assert [await rest(client) for client in clients] == [b"", b"", b""]

    log = run(path, test, login_seconds=10)
    assert log == [
        "127.0.0.1 was cut off: did not log in in time",
        "2 more connections from 127.0.0.1 cut off: did not log in in time",
    ]


def cut(sock: Any) -> None:
    """Have a connection reset when it is closed."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_a_client_that_is_gone_while_it_waits_is_cut_off_after_a_while(path: Path, clock: Time) -> None:
    """Even in a long pause, when no turn starts that would show that nobody is there."""
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        gone = asyncio.create_task(conversation(port, b"ann\nsecret\nWAIT\n"))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"ann\nsecret\nWAIT\nNO\n")
        while len(lobby.waiting) < 2 or all(each.silent_since is None for each in lobby.waiting):
            await asyncio.sleep(0.01)
        clock.now += 11
        lobby.drop_idle()
        assert await gone == b"LOGIN\nPASS\nOK\nOK\n"
        while len(lobby.connections) > 1:
            await asyncio.sleep(0.01)
        lobby.wake()  # the other one still waits
        assert await reader.readexactly(40) == b"LOGIN\nPASS\nOK\nOK\nOK\nERR 2 unknown command\n"[:40]
        writer.close()

    log = run(path, test, lambda name: Credentials(1, stored), unread_seconds=10)
    assert "ann was cut off: closed its side" in log


def test_a_client_that_leaves_during_the_check_is_not_logged_in(path: Path) -> None:
    stored = hash_password("secret")
    begun, goes_on = threading.Event(), threading.Event()

    def find(name: str) -> Credentials | None:
        begun.set()
        assert goes_on.wait(60)
        return Credentials(1, stored)

    async def test(lobby: Lobby, port: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"ann\nsecret\n")
        while not begun.is_set():
            await asyncio.sleep(0.01)
        cut(writer.get_extra_info("socket"))
        writer.transport.abort()
        while lobby.connections:
            await asyncio.sleep(0.01)
        goes_on.set()
        while lobby._checks.locked() or lobby._checks._value < 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        assert lobby.event.teams == {}

    run(path, test, find)


def test_failed_logins_are_forgotten_after_a_minute(path: Path, clock: Time) -> None:
    stored = hash_password("secret")
    refused = b"LOGIN\nPASS\nERR 1 bad login or password\n"
    locked = b"LOGIN\nPASS\nERR 7 too many failed logins, try again in a minute\n"

    async def test(lobby: Lobby, port: int) -> None:
        async def log_in(name: bytes, password: bytes = b"wrong") -> bytes:
            return await conversation(port, name + b"\n" + password + b"\nNO\n")

        assert await log_in(b"ann") == refused
        clock.now += 39.5
        assert await log_in(b"ann") == refused
        clock.now += 0.5
        for _ in range(3):
            assert await log_in(b"ann") == locked
        assert await log_in(b"ann", b"secret") == locked  # from this address; nobody else is locked out
        assert await log_in(b"bob", b"secret") == b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"
        clock.now += 20.5
        assert await log_in(b"ann", b"secret") == b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"
        assert await log_in(b"ann") == refused
        clock.now += 61
        lobby.drop_idle()
        assert lobby.failures._times == {}

    accounts = {"ann": Credentials(1, stored), "bob": Credentials(2, stored)}
    log = run(path, test, accounts.get, failed_logins_per_minute=2)
    assert [line for line in log if "failed" in line] == [
        "a login as ann from 127.0.0.1 failed",
        "5 more logins as ann from 127.0.0.1 failed",
        "1 more login as ann from 127.0.0.1 failed",
    ]


def test_a_team_whose_password_is_guessed_at_its_own_address_still_gets_in(path: Path, clock: Time) -> None:
    """Of many logins, one a second is checked: the right one gets in soon, and guessing stays slow."""
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        async def log_in(password: bytes) -> bytes:
            return (await conversation(port, b"ann\n" + password + b"\n")).splitlines()[2][:5]

        assert [await log_in(b"wrong") for _ in range(4)] == [b"ERR 1", b"ERR 1", b"ERR 7", b"ERR 7"]
        for _ in range(3):
            clock.now += 1
            assert await log_in(b"wrong") == b"ERR 1"
            assert await log_in(b"wrong") == b"ERR 7"
            clock.now += 0.9
            assert await log_in(b"secret") == b"ERR 7"
        clock.now += 0.1
        assert await log_in(b"secret") == b"OK"
        assert await log_in(b"wrong") == b"ERR 7"

    run(path, test, lambda name: Credentials(1, stored), failed_logins_per_minute=2)


def test_names_that_nobody_has_count_as_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guessing names costs the server neither a line of its log nor a slow check each."""
    monkeypatch.setattr(passwords, "LOCKED_SECONDS", 3600)
    checked: list[str] = []
    monkeypatch.setattr(PasswordChecker, "check", lambda self, name, password: checked.append(name))

    async def test(lobby: Lobby, port: int) -> None:
        for number in range(30):
            answer = await conversation(port, b"team%d\nsecret\n" % number)
            assert answer.startswith(b"LOGIN\nPASS\nERR 1 " if number < 5 else b"LOGIN\nPASS\nERR 7 ")

    log = run(path, test, failed_logins_per_minute=5)
    assert len(checked) == 5
    assert log == [
        "a login as a team that does not exist from 127.0.0.1 failed",
        "29 more logins as teams that do not exist from 127.0.0.1 failed",
    ]


def test_connections_that_do_not_log_in_make_room_for_those_that_do(path: Path) -> None:
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        idle = [await greeted(port) for _ in range(5)]
        for _ in range(3):
            answer = await conversation(port, b"ann\nsecret\nNO\n")
            assert answer == b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"
        clients = []
        for _ in range(8):  # those who are in do not count
            clients.append(await greeted(port, b"ann\nsecret\n"))
            assert await clients[-1][0].readexactly(8) == b"PASS\nOK\n"
        for _, writer in clients:
            writer.close()
        assert await rest(idle[0]) == b""
        for _, writer in idle:
            writer.close()

    log = run(path, test, lambda name: Credentials(1, stored), connections_before_login=5)
    assert "127.0.0.1 was cut off: others want to log in" in log


def test_an_address_full_of_connections_that_do_not_log_in_still_takes_those_that_do(path: Path) -> None:
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        member = await greeted(port, b"ann\nsecret\n")
        assert await member[0].readexactly(8) == b"PASS\nOK\n"
        idle = [await greeted(port) for _ in range(20)]
        assert len(lobby.connections) == 5
        answer = await conversation(port, b"ann\nsecret\nNO\n")
        assert answer == b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"
        assert await rest(idle[0]) == b""
        for _, writer in idle:
            writer.close()
        while len(lobby.connections) > 1:
            await asyncio.sleep(0.01)
        members = [member, *[await greeted(port, b"ann\nsecret\n") for _ in range(4)]]
        for each in members[1:]:
            assert await each[0].readexactly(8) == b"PASS\nOK\n"
        assert await rest(await asyncio.open_connection("127.0.0.1", port)) == b""  # who has logged in stays
        for _, writer in members:
            writer.close()

    log = run(path, test, lambda name: Credentials(1, stored), connections_per_address=5)
    assert [line for line in log if "cut off" in line] == [
        "127.0.0.1 was cut off: others want to log in",
        "16 more connections from 127.0.0.1 cut off: others want to log in",
    ]


def test_connections_are_served_in_turn(path: Path) -> None:
    """However much one of them sends, the next gets its answer after a portion."""
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        flood, other = [await greeted(port, b"ann\nsecret\n") for _ in range(2)]
        for reader, _ in (flood, other):
            assert await reader.readexactly(8) == b"PASS\nOK\n"
        flood[1].write(b"\n" * 5_000_000)
        while not lobby.event.commands:
            await asyncio.sleep(0)
        for _ in range(20):
            other[1].write(b"NO\n")
            assert await other[0].readline() == b"ERR 2 unknown command\n"
        assert lobby.event.commands < 1_000_000
        kept = [len(each.session._data) for each in lobby.connections]
        assert max(kept) <= 2 * connection._READ_BYTES
        for _, writer in (flood, other):
            writer.transport.abort()

    run(path, test, lambda name: Credentials(1, stored))
