"""Connections of a server in this process: logins that are slow, many, or cannot be checked."""

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

from cardrome.server.accounts.passwords import Credentials, PasswordChecker, hash_password
from cardrome.server.connection import Lobby
from cardrome.server.settings import ServerSection
from cardrome.server.ticker import Ticker
from tests.server.events import write_event
from tests.server.paper import PaperEvent

Test = Callable[[Lobby, int], Awaitable[None]]


def nobody(_: str) -> Credentials | None:
    return None


def run(path: Path, test: Test, find: Callable[[str], Credentials | None] = nobody, **settings: Any) -> list[str]:
    """Run a test with a lobby that listens; its log. The clock stands still."""
    paper = PaperEvent(write_event(path), ["ann", "bob"])
    limits = msgspec.structs.replace(
        ServerSection(), connections_per_team=1000, connections_per_address=1000, **settings
    )

    async def main() -> None:
        ticker = Ticker(1000.0, lambda: None, paper.log.append)
        lobby = Lobby(paper.event, ticker, limits, PasswordChecker(find), paper.log.append)
        server = await asyncio.get_running_loop().create_server(lobby.new, "127.0.0.1", 0)
        try:
            await test(lobby, server.sockets[0].getsockname()[1])
        finally:
            server.close()
            lobby.close()
            await asyncio.sleep(0.01)

    asyncio.run(main())
    return paper.log


async def conversation(port: int, data: bytes) -> bytes:
    """Say something and no more; all that is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    writer.write_eof()
    answer = await reader.read()
    writer.close()
    return answer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "e.toml"


def test_a_login_that_cannot_be_checked_is_no_failed_one(path: Path) -> None:
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
    """As after a restart: hundreds of clients come back in the same moment."""
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        answers = await asyncio.gather(*(conversation(port, b"ann\nsecret\nNO\n") for _ in range(300)))
        assert set(answers) == {b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"}
        assert not lobby.connections

    run(path, test, lambda name: Credentials(1, stored), failed_logins_per_minute=1)


def test_who_waits_for_a_password_check_is_not_cut_off(path: Path) -> None:
    stored = hash_password("secret")
    goes_on = threading.Event()

    def find(name: str) -> Credentials | None:
        assert goes_on.wait(60)
        return Credentials(1, stored)

    async def test(lobby: Lobby, port: int) -> None:
        checked = asyncio.create_task(conversation(port, b"ann\nsecret\nNO\n"))
        silent = asyncio.create_task(conversation(port, b"ann\n"))
        await asyncio.sleep(0.2)
        lobby.drop_idle()
        goes_on.set()
        assert await checked == b"LOGIN\nPASS\nOK\nERR 2 unknown command\n"
        assert await silent == b"LOGIN\nPASS\n"

    run(path, test, find, login_seconds=0.1)


def cut(sock: Any) -> None:
    """Have a connection reset when it is closed."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_a_client_that_is_gone_while_it_waits_is_dropped_after_a_while(path: Path) -> None:
    """In a long pause, too, in which no turn comes that would show that nobody is there."""
    stored = hash_password("secret")

    async def test(lobby: Lobby, port: int) -> None:
        gone = asyncio.create_task(conversation(port, b"ann\nsecret\nWAIT\n"))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"ann\nsecret\nWAIT\nNO\n")
        while len(lobby.waiting) < 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        lobby.drop_idle()
        assert await gone == b"LOGIN\nPASS\nOK\nOK\n"
        while len(lobby.connections) > 1:
            await asyncio.sleep(0.01)
        lobby.wake()  # whoever is still there waits on
        assert await reader.readexactly(40) == b"LOGIN\nPASS\nOK\nOK\nOK\nERR 2 unknown command\n"[:40]
        writer.close()

    log = run(path, test, lambda name: Credentials(1, stored), unread_seconds=0.1)
    assert "ann was cut off: closed its side" in log


def test_who_leaves_during_the_check_is_not_logged_in(path: Path) -> None:
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
        await asyncio.sleep(0.2)
        assert lobby.event.teams == {}

    run(path, test, find)


def test_failed_logins_are_forgotten_after_a_minute(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardrome.server import connection

    now = 1000.0

    class Time:
        @staticmethod
        def monotonic() -> float:
            return now

    monkeypatch.setattr(connection, "time", Time)
    refused = b"LOGIN\nPASS\nERR 1 bad login or password\n"

    async def test(lobby: Lobby, port: int) -> None:
        nonlocal now
        assert lobby._may_try("127.0.0.1")
        for _ in range(2):
            assert await conversation(port, b"ann\nwrong\n") == refused
            now += 20
        assert not lobby._may_try("127.0.0.1")
        assert lobby._may_try("127.0.0.2")
        now += 20.5
        assert lobby._may_try("127.0.0.1")
        now += 20
        assert lobby._may_try("127.0.0.2")
        assert lobby._failures == {}

    run(path, test, failed_logins_per_minute=2)
