"""What goes wrong at events: clients that vanish, flood, or never read; servers that are killed; taken ports."""

from __future__ import annotations

import contextlib
import random
import signal
import socket
import struct
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from cardrome.games.replay_files import decode_replay
from cardrome.server.store.records import MatchResult, StoredTournament
from cardrome.server.transcripts import unpacked
from tests.arena.games import verify
from tests.server.events import Client, Server, add_teams, cardrome, password, serving, store_of, until, write_event

ANN, BOB, CY = "ann", "bob", "cy"
TEAMS = [ANN, BOB, CY]


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A tournament that goes on for longer than all tests, and a server that is strict."""
    path = write_event(
        tmp_path_factory.mktemp("endless") / "e.toml",
        event={"roster": "all"},
        server={
            "connections_per_team": 3,
            "connections_per_address": 20,
            "login_seconds": 1,
            "unread_seconds": 1,
            "failed_logins_per_minute": 1000,
        },
        rules={"turns": 10_000},
    )
    add_teams(path, *TEAMS)
    with serving(path) as server:
        server.wait_for("tournament 1 begins")
        yield server


def still_serves(server: Server, team: str = ANN) -> None:
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
        assert len(client.matches()) == 4
        client.next_turn()
        client.next_turn()


def cut(client: Client) -> None:
    """End a connection as a machine does that has forgotten it."""
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def test_clients_that_vanish_in_mid_turn_leave_nothing_behind(endless: Server) -> None:
    for ending in (cut, Client.close):
        for _ in range(3):
            client = endless.client(ANN)
            client.send("GET_DECK 1\nGET_DECK 2\nWAIT\nGET_MY_MATCHES\nGET_")
            ending(client)
    still_serves(endless)


def test_connections_that_never_log_in_are_closed(endless: Server) -> None:
    silent, half, named = (Client(endless.port) for _ in range(3))
    half.send("an")
    named.send("ann\n")
    assert silent.rest() == half.rest() == b"LOGIN\n"
    assert named.rest() == b"LOGIN\nPASS\n"
    until(lambda: "127.0.0.1 was cut off: did not log in in time" in endless.output, "a word about it")
    for client in (silent, half, named):
        client.close()
    still_serves(endless)


def test_half_a_line_of_a_team_hurts_nobody(endless: Server) -> None:
    with endless.client(ANN) as client:
        client.send("GET_MY_MAT")
        still_serves(endless, BOB)
        client.send("CHES\n")
        assert client.lines(2) == ["OK", "4"]


def test_a_flood_is_served_and_others_meanwhile(endless: Server) -> None:
    many = 200_000
    with endless.client(ANN) as flood, endless.client(BOB) as other:
        flood.socket.setblocking(False)
        unsent = b"GET_HP 99\n" * many
        received = asked = 0
        while received < many:
            if unsent:
                with contextlib.suppress(BlockingIOError):
                    unsent = unsent[flood.socket.send(unsent[: 1 << 18]) :]
            with contextlib.suppress(BlockingIOError):
                received += flood.socket.recv(1 << 20).count(b"\n")
            if asked < 50:
                assert len(other.matches()) == 4
                asked += 1
        assert received == many
        assert asked == 50
    still_serves(endless)


def test_a_client_that_never_reads_is_dropped_and_costs_little(endless: Server) -> None:
    with endless.client(BOB) as probe:
        matches = probe.matches()
    before = endless.memory()
    hoarder = endless.client(CY)
    hoarder.socket.settimeout(1)
    line = b"".join(b"GET_DECK %d\n" % match for match in matches) * 1000
    with contextlib.suppress(OSError):  # held back, then cut off
        while True:
            hoarder.socket.sendall(line)
    endless.wait_for("cy was cut off: left its answers unread")
    assert endless.memory() - before < 50 << 20
    hoarder.close()
    still_serves(endless)


def test_random_bytes_hurt_nobody(endless: Server) -> None:
    noise = random.Random(5)
    for team in (None, ANN):
        for _ in range(3):
            with endless.client(team) as client:
                client.socket.settimeout(2)
                try:
                    for _ in range(20):
                        client.send(noise.randbytes(5000))
                except OSError:
                    pass  # it was closed
    still_serves(endless)


def test_a_team_has_at_most_so_many_connections(endless: Server) -> None:
    still_serves(endless, BOB)
    until(lambda: _connections(endless, BOB) == 0, "bob's connections are closed")
    clients = [endless.client(BOB) for _ in range(3)]
    with Client(endless.port) as fourth:
        fourth.send(f"bob\n{password(BOB)}\nGET_MY_MATCHES\n")
        assert fourth.rest() == b"LOGIN\nPASS\n"
    assert all(len(client.matches()) == 4 for client in clients)
    for client in clients:
        client.close()
    still_serves(endless, BOB)


def _connections(server: Server, team: str) -> int:
    logged = [line.split(" ", 1)[1] for line in list(server.lines)]
    came = sum(line.startswith(f"{team} logged in") for line in logged)
    return came - sum(line.startswith(f"{team} left") for line in logged)


def test_two_logins_of_a_team_at_once(endless: Server) -> None:
    clients = [Client(endless.port) for _ in range(2)]
    for client in clients:
        client.send(f"cy\n{password(CY)}\nGET_MY_MATCHES\n")
    assert [client.lines(5) for client in clients] == 2 * [["LOGIN", "PASS", "OK", "OK", "4"]]
    for client in clients:
        client.close()


def test_an_address_has_at_most_so_many_connections(endless: Server) -> None:
    until(lambda: all(_connections(endless, team) == 0 for team in TEAMS), "all are closed")
    clients = [Client(endless.port) for _ in range(40)]
    greeted = [client.rest() == b"LOGIN\n" for client in clients]  # until they are cut off for not logging in
    assert greeted.count(True) in range(1, 21)
    for client in clients:
        client.close()
    still_serves(endless)


def test_failed_logins_of_an_address_are_counted(tmp_path: Path) -> None:
    path = write_event(tmp_path / "e.toml", server={"failed_logins_per_minute": 5})
    add_teams(path, ANN)
    with serving(path) as server, server.client(ANN) as before:
        # All at once: those who fail are counted before the next are heard.
        clients = [Client(server.port) for _ in range(30)]
        for client in clients:
            client.send("ann\nwrong\n")
        for client in clients:
            assert client.rest() == b"LOGIN\nPASS\nERR 1 bad login or password\n"
            client.close()
        with Client(server.port) as client:
            assert client.log_in(ANN) == "ERR 1 bad login or password"  # unheard
        assert before.matches() == []  # whoever is in stays in


def test_a_second_server_on_the_same_store_is_refused(endless: Server) -> None:
    second = cardrome("host", endless.path, "--plain")
    assert second.returncode == 2
    assert second.stderr.startswith("cardrome: ")
    assert second.stderr.count("\n") == 1
    still_serves(endless)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_in_order(tmp_path: Path, number: int) -> None:
    path = write_event(tmp_path / "e.toml", event={"tournaments": 50}, rules={"turns": 2}, server={"turn_seconds": 0.1})
    add_teams(path, ANN, BOB)
    with serving(path) as server, server.client(ANN) as ann, server.client(BOB):
        until(lambda: len(finished(path)) >= 2, "two tournaments")
        ann.next_turn()
        assert server.stop(number) == 0
        assert f"stopping: {'SIGTERM' if number == signal.SIGTERM else 'Ctrl-C'}" in server.output
        assert b"ERR" not in ann.rest()
    assert len(finished(path)) >= 2


def finished(path: Path) -> list[StoredTournament]:
    with store_of(path) as store:
        return [each for each in store.tournaments() if each.finished_at is not None]


DECK = "1 C 10 1 1 0 0\n2 C 0 1 1 0 1\n3 C 0 1 1 0 1\n"


def test_matches_that_ended_in_the_last_turn_are_stored_when_the_server_is_stopped(tmp_path: Path) -> None:
    path = write_event(tmp_path / "e.toml", deck=DECK, server={"turn_seconds": 1.0}, rules={"turns": 100})
    add_teams(path, ANN, BOB)
    with serving(path) as server, Client(server.port) as ann, Client(server.port) as bob:
        script = "WAIT\n{0}WAIT\n{0}WAIT\n{1}WAIT\n{1}WAIT\n{2}WAIT\n{2}GET_FINAL_SCORE 1\nGET_FINAL_SCORE 2\n"
        first = "DRAW_CARD 1\nPLAY_CARD 1 1 -1\nDRAW_CARD 2\nPLAY_CARD 2 1 -1\n"
        text = script.format(first, "ATTACK 1 1\nATTACK 2 1\n", "FINISH_BLOCK 1\nFINISH_BLOCK 2\n")
        for team, client in ((ANN, ann), (BOB, bob)):
            client.send(f"{team}\n{password(team)}\n{text}")
        # Whoever begins strikes in his second turn; the tournament ends in mid-turn, by FINISH_BLOCK.
        server.wait_for("tournament 1 is over")
        assert server.stop() == 0
    assert [each.number for each in finished(path)] == [1]
    with store_of(path) as store:
        results = store.matches(1)
    assert [(each.score_first, each.score_second, each.end_reason) for each in results] == 2 * [(40, -10, "health")]


def strike(client: Client) -> None:
    """Win all matches in some turns, if nobody does anything about it."""
    until(client.matches, "a tournament")
    turn = "".join(f"DRAW_CARD {match}\nPLAY_CARD {match} 1 -1\nATTACK {match} 1\n" for match in client.matches())
    client.send(f"WAIT\n{turn}" * 6)


def stored_matches(path: Path, tournament: int) -> list[MatchResult]:
    with store_of(path) as store:
        return store.matches(tournament)


def test_a_killed_server_goes_on_where_it_was(tmp_path: Path, database_url: str) -> None:
    path = write_event(
        tmp_path / "e.toml",
        deck=DECK,
        event={"store": database_url, "roster": "all", "tournaments": 2},
        rules={"turns": 30},
        server={"turn_seconds": 0.1},
    )
    add_teams(path, *TEAMS)
    with serving(path) as server:
        with server.client(ANN) as ann:
            strike(ann)
            server.wait_for("tournament 2 begins")
        with server.client(ANN) as watching, server.client(BOB) as bob:
            before = watching.matches()
            scores = watching.ask("GET_FINAL_SCORE 1", 2)
            strike(bob)
            until(lambda: stored_matches(path, 2), "some matches of the second are stored")
            server.process.kill()
            server.ended()
    with store_of(path) as store:
        first, interrupted = store.tournaments()
        first_matches = store.matches(1)
        assert interrupted.finished_at is None
        assert len(store.matches(2)) < 6
        totals = {row.name: row.total for row in store.standings()}
    assert totals[ANN] > totals[BOB]
    with serving(path) as server:
        assert "tournament 2 was interrupted: it will be played again" in server.output
        with server.client(ANN) as ann:
            until(ann.matches, "tournament 2 again")
            assert ann.matches() == before
            assert ann.ask("GET_FINAL_SCORE 1", 2) == scores  # for ever
            strike(ann)
            assert server.ended() == 0
    with store_of(path) as store:
        tournaments = store.tournaments()
        standings = store.standings()
        matches = {each.number: store.matches(each.number) for each in tournaments}
        transcripts = [store.match(each.id) for rows in matches.values() for each in rows]
    assert [each.number for each in tournaments] == [1, 2]
    assert tournaments[0] == first
    assert matches[1] == first_matches
    again = tournaments[1]
    assert (again.attempts, again.seed, again.deck_text) == (2, interrupted.seed, interrupted.deck_text)
    assert (again.roster, again.first_match_id) == (interrupted.roster, interrupted.first_match_id)
    for rows in matches.values():  # every pair twice, and nothing twice
        assert sorted((each.first, each.second) for each in rows) == sorted(permutations(again.roster, 2))
    ids = [each.id for rows in matches.values() for each in rows]
    assert ids == list(range(1, 13))
    for row in standings:
        assert row.total == pytest.approx(sum(points for points in row.points if points is not None))
        assert len(row.points) == 2
    check_points(matches, {row.account: row.points for row in standings})
    for record in transcripts:
        assert record is not None
        text = unpacked(record.transcript)
        assert verify(decode_replay(text)) is None
        assert not any(password(team).encode() in text for team in TEAMS)


def check_points(matches: dict[int, list[MatchResult]], points: dict[int, tuple[float | None, ...]]) -> None:
    """Points are the sums of the ranks' powers, counted here once more from the matches."""
    for place, rows in enumerate(matches.values()):
        scores = [(each.first, each.score_first) for each in rows] + [(each.second, each.score_second) for each in rows]
        for account, given in points.items():
            ranks = [sum(other < score for _, other in scores) for who, score in scores if who == account]
            assert given[place] == pytest.approx(sum(rank**1.5 for rank in ranks))


def test_accounts_change_while_it_runs_and_passwords_appear_nowhere(tmp_path: Path) -> None:
    path = write_event(
        tmp_path / "e.toml", event={"roster": "connected"}, rules={"turns": 6}, server={"turn_seconds": 0.1}
    )
    with serving(path) as server:
        assert "no accounts yet" in server.output
        added = cardrome("host", "accounts", "add", path, ANN, BOB, CY)
        secrets = dict(line.split() for line in added.stdout.splitlines())
        assert list(secrets) == TEAMS
        clients = {team: Client(server.port) for team in TEAMS}
        # At once: who was added a moment ago is not taken for one who was removed.
        assert [client.log_in(team, secrets[team]) for team, client in clients.items()] == ["OK"] * 3
        until(lambda: all(client.matches() for client in clients.values()), "they play")
        for client in clients.values():
            client.next_turn()
        assert cardrome("host", "accounts", "remove", path, CY).returncode == 0
        assert set(clients[CY].rest().splitlines()) <= {b"OK"}
        server.wait_for("cy was cut off: its account was removed")
        with Client(server.port) as client:
            assert client.log_in(CY, secrets[CY]) == "ERR 1 bad login or password"
        until(lambda: len(clients[ANN].matches()) == 2, "tournaments without cy")
        changed = cardrome("host", "accounts", "passwd", path, BOB)
        new = changed.stdout.split()[1]
        with Client(server.port) as old, Client(server.port) as fresh:
            assert old.log_in(BOB, secrets[BOB]) == "ERR 1 bad login or password"
            assert fresh.log_in(BOB, new) == "OK"
        for client in clients.values():
            client.close()
        assert server.stop() == 0
        for secret in (*secrets.values(), new):
            assert secret not in server.output
    with store_of(path) as store:
        texts = [unpacked(record.transcript) for number in range(1, 20) if (record := store.match(number)) is not None]
    assert texts
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file()) + b"".join(texts)
    for secret in (*secrets.values(), new):
        assert secret.encode() not in data


def test_what_teams_did_is_stored(tmp_path: Path) -> None:
    path = write_event(
        tmp_path / "e.toml",
        event={"tournaments": 1},
        rules={"turns": 6},
        server={"turn_seconds": 0.5},
    )
    add_teams(path, ANN, BOB)
    with serving(path) as server:
        with Client(server.port) as ann, Client(server.port) as bob:
            ann.send(f"ann\n{password(ANN)}\nWAIT\nGET_TURN_INFO 1\nGET_FINAL_SCORE 1\n")
            bob.send(f"bob\n{password(BOB)}\nWAIT\nDRAW_CARD 1\nDRAW_CARD 2\nWAIT\nDRAW_CARD 1\nDRAW_CARD 2\nWAIT\n")
            assert ann.lines(8)[-1].startswith("ERR 933")
            bob.lines(14)  # the draws of two turns
        server.wait_for("bob left")
        assert server.ended() == 0
    with store_of(path) as store:
        results = store.matches(1)
        bob_id = store.accounts.get(BOB).id
    assert [each.id for each in results] == [1, 2]
    for each in results:
        anns, bobs = each.counts_first, each.counts_second
        if each.first == bob_id:
            anns, bobs = bobs, anns
        assert (anns.commands, anns.errors, anns.idle_turns) == ((2, 1, 3) if each.id == 1 else (0, 0, 3))
        assert anns.disconnects == 1
        # One of two draws is in bob's turn, the other is refused: he acts in one of his three turns.
        assert (bobs.commands, bobs.errors, bobs.idle_turns) == (2, 1, 2)
        assert bobs.disconnects == 1


def test_a_port_that_is_taken_is_explained(tmp_path: Path) -> None:
    path = write_event(tmp_path / "e.toml")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cardrome("host", path, "--plain", "--port", port)
        assert done.returncode == 2
        assert done.stderr == f"cardrome: cannot listen on 127.0.0.1 port {port}: Address already in use\n"
        done = cardrome("host", path, "--plain", "--page", "--page-port", port)
        assert done.returncode == 2
        assert str(port) in done.stderr
        assert "Traceback" not in done.stderr
