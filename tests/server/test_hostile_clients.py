"""Clients that vanish, flood the server, never read, or send noise: nobody else is disturbed."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardrome.server import passwords
from tests.server.in_process import ServerThread, server_thread
from tests.server.processes import Client, add_teams, password, serving, until, write_event

ANN, BOB, CY = "ann", "bob", "cy"


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A tournament that lasts longer than all tests."""
    with server_thread(
        tmp_path_factory.mktemp("endless"),
        [ANN, BOB, CY],
        players=None,
        event={"roster": "all"},
        server={"turn_seconds": 0.05, "connections_per_team": 3},
        rules={"turns": 10_000},
    ) as server:
        yield server


def still_serves(server: ServerThread, team: str = ANN) -> None:
    """A team logs in, sees its matches, and the turns go by."""

    found: list[Client] = []

    def logged_in() -> bool:  # connections that were just closed may still count
        client = Client(server.port)
        with contextlib.suppress(AssertionError, ConnectionError):
            if client.log_in(team) == "OK":
                found.append(client)
                return True
        client.close()
        return False

    until(logged_in, "a login")
    with found[0] as client:
        until(lambda: len(client.matches()) == 4, "the tournament")
        client.next_turn()
        client.next_turn()


def all_gone(server: ServerThread) -> None:
    until(lambda: not server.host.lobby.connections, "all connections are closed")


def cut(client: Client) -> None:
    """Reset a connection, as a machine does that has forgotten it."""
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def test_clients_that_vanish_in_mid_turn_leave_nothing_behind(endless: ServerThread) -> None:
    for ending in (cut, Client.close):
        all_gone(endless)
        for _ in range(3):
            client = endless.client(ANN)
            client.send("GET_DECK 1\nGET_DECK 2\nWAIT\nGET_MY_MATCHES\nGET_")
            ending(client)
    still_serves(endless)
    all_gone(endless)


def test_half_a_line_of_a_team_disturbs_nobody(endless: ServerThread) -> None:
    still_serves(endless)
    with endless.client(ANN) as client:
        client.send("GET_MY_MAT")
        still_serves(endless, BOB)
        client.send("CHES\n")
        assert client.lines(2) == ["OK", "4"]


def test_a_flood_is_served_and_others_meanwhile(endless: ServerThread) -> None:
    many = 100_000
    still_serves(endless)
    with endless.client(ANN) as flood, endless.client(BOB) as other:
        flood.socket.setblocking(False)
        unsent = memoryview(b"GET_HP 99\n" * many)
        received = asked = 0
        while received < many:
            if unsent:  # in so small pieces that the other asks often enough on any machine
                with contextlib.suppress(BlockingIOError):
                    unsent = unsent[flood.socket.send(unsent[: 1 << 14]) :]
            with contextlib.suppress(BlockingIOError):
                received += flood.socket.recv(1 << 20).count(b"\n")
            if asked < 50:
                assert len(other.matches()) == 4
                asked += 1
        assert received == many
        assert asked == 50
    still_serves(endless)


def test_random_bytes_disturb_nobody(endless: ServerThread) -> None:
    noise = random.Random(5)
    for team in (None, ANN):
        for _ in range(3):
            with Client(endless.port, team) as client, contextlib.suppress(OSError):  # the server may close it
                client.socket.settimeout(2)
                for _ in range(20):
                    client.send(noise.randbytes(5000))
    still_serves(endless)


def test_the_connections_of_a_team_are_limited(endless: ServerThread) -> None:
    all_gone(endless)
    clients = [endless.client(BOB) for _ in range(3)]
    with Client(endless.port) as fourth:
        fourth.send(f"bob\n{password(BOB)}\nGET_MY_MATCHES\n")
        assert fourth.rest() == b"LOGIN\nPASS\n"
    assert all(len(client.matches()) == 4 for client in clients)
    for client in clients:
        client.close()
    still_serves(endless, BOB)


def test_two_logins_of_a_team_at_once(endless: ServerThread) -> None:
    still_serves(endless, CY)
    all_gone(endless)
    clients = [Client(endless.port) for _ in range(2)]
    for client in clients:
        client.send(f"cy\n{password(CY)}\nGET_MY_MATCHES\n")
    assert [client.lines(5) for client in clients] == 2 * [["LOGIN", "PASS", "OK", "OK", "4"]]
    for client in clients:
        client.close()


def test_a_client_that_never_reads_is_disconnected_and_costs_little(tmp_path: Path) -> None:
    path = write_event(tmp_path / "e.toml", server={"unread_seconds": 0.5}, rules={"turns": 10_000})
    add_teams(path, BOB, CY)
    with serving(path) as server, server.client(BOB) as bob, server.client(CY) as hoarder:
        until(bob.matches, "a tournament")
        before = server.memory()
        hoarder.socket.settimeout(0.5)
        line = b"".join(b"GET_DECK %d\n" % match for match in bob.matches()) * 1000
        with contextlib.suppress(OSError):  # held back, then cut off
            while True:
                hoarder.socket.sendall(line)
        server.wait_for("cy was cut off: left its answers unread")
        assert server.memory() - before < 50 << 20
        assert len(bob.matches()) == 2


def test_failed_logins_lock_out_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "LOCKED_SECONDS", 3600)
    with server_thread(tmp_path, [ANN, BOB], players=1000, server={"failed_logins_per_minute": 5}) as server:
        before = server.client(ANN)
        clients = [Client(server.port) for _ in range(30)]
        for client in clients:
            client.send("ann\nwrong\n")
        answers = [client.rest() for client in clients]
        for client in clients:
            client.close()
        checked = answers.count(b"LOGIN\nPASS\nERR 1 bad login or password\n")
        assert checked in (5, 6)  # two are checked at a time
        assert answers.count(b"LOGIN\nPASS\nERR 7 too many failed logins, try again in a minute\n") == 30 - checked
        with Client(server.port) as client:
            assert client.log_in(ANN) == "ERR 7 too many failed logins, try again in a minute"  # although it is right
        with Client(server.port) as client:
            assert client.log_in(BOB) == "OK"  # from the same hall
        monkeypatch.setattr(passwords, "LOCKED_SECONDS", 0)
        with Client(server.port) as client:
            assert client.log_in(ANN) == "OK"
        assert before.matches() == []  # a team that is logged in stays
        before.close()
    told = [line for line in server.log if "failed" in line]
    assert told == ["a login as ann from 127.0.0.1 failed", "30 more logins as ann from 127.0.0.1 failed"]
