"""Servers that are stopped, killed and started again: nothing finished is lost, and the event continues."""

from __future__ import annotations

import signal
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from cardrome.games.replay_files import decode_replay
from cardrome.server import host
from cardrome.server.store.records import EventTournament, MatchResult
from tests.arena.games import verify
from tests.cli.runner import cardrome
from tests.server.in_process import ServerThread, server_thread
from tests.server.processes import Client, add_teams, password, serving, store_of, until, write_event

ANN, BOB, CY = "ann", "bob", "cy"
TEAMS = [ANN, BOB, CY]
DECK = "1 C 10 1 1 0 0\n2 C 0 1 1 0 1\n3 C 0 1 1 0 1\n"
"""Whoever draws the first card can win with it in their next turn."""


def finished(path: Path) -> list[EventTournament]:
    with store_of(path) as store:
        return [each for each in store.tournaments() if each.finished_at is not None]


def until_finished(path: Path, count: int) -> None:
    with store_of(path) as store:
        until(lambda: sum(bool(each.finished_at) for each in store.tournaments()) >= count, "the end of tournaments")


def stored_matches(path: Path, tournament: int) -> list[MatchResult]:
    with store_of(path) as store:
        return store.matches(tournament)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_server_in_order(tmp_path: Path, number: int) -> None:
    path = write_event(tmp_path / "e.toml", rules={"turns": 2}, server={"turn_seconds": 0.02})
    add_teams(path, ANN, BOB)
    with serving(path) as server, server.client(ANN) as ann, server.client(BOB):
        until_finished(path, 2)
        ann.next_turn()
        assert server.stop(number) == 0
        assert f"stopping: {'SIGTERM' if number == signal.SIGTERM else 'Ctrl-C'}" in server.output
        assert b"ERR" not in ann.rest()
    assert len(finished(path)) >= 2


def test_a_second_server_on_the_same_store_is_refused(tmp_path: Path) -> None:
    with server_thread(tmp_path, [ANN], players=1) as server, server.client(ANN) as ann:
        second = cardrome("host", server.path, "--plain")
        assert second.returncode == 2
        assert second.stderr.startswith(f"cardrome: {tmp_path}/event.db: another process is running this event")
        assert second.stderr.count("\n") == 1
        assert ann.matches() == []


def test_matches_that_ended_in_the_last_turn_are_stored_when_the_server_is_stopped(tmp_path: Path) -> None:
    with (
        server_thread(tmp_path, [ANN, BOB], players=2, deck=DECK, rules={"turns": 100}) as server,
        Client(server.port) as ann,
        Client(server.port) as bob,
    ):
        first = "DRAW_CARD 1\nPLAY_CARD 1 1 -1\nDRAW_CARD 2\nPLAY_CARD 2 1 -1\n"
        turns = [first, first, "ATTACK 1 1\nATTACK 2 1\n", "FINISH_BLOCK 1\nFINISH_BLOCK 2\n"]
        text = "".join(f"WAIT\n{turn}" for turn in turns)
        for team, client in ((ANN, ann), (BOB, bob)):
            client.send(f"{team}\n{password(team)}\n{text}")
        # Whoever begins attacks in their second turn; the tournament ends in mid-turn, by FINISH_BLOCK. Then nobody
        # waits, so no tick follows that would store the results.
        until(lambda: "tournament 1 is over" in server.log, "the end of the tournament")
        assert not stored_matches(server.path, 1)
        server.stop()
        assert [each.number for each in finished(server.path)] == [1]
        results = stored_matches(server.path, 1)
    assert [(each.score_first, each.score_second, each.end_reason) for each in results] == 2 * [(40, -10, "health")]


def strike(matches: range) -> str:
    """Commands of some turns that win these matches, if the opponents do nothing about it."""
    turn = "".join(f"DRAW_CARD {match}\nPLAY_CARD {match} 1 -1\nATTACK {match} 1\n" for match in matches)
    return f"WAIT\n{turn}" * 6


def test_a_killed_server_continues_where_it_was(tmp_path: Path, database_url: str) -> None:
    def write(turn_seconds: float, **event: Any) -> Path:
        return write_event(
            tmp_path / "e.toml",
            deck=DECK,
            event={"store": database_url, "roster": "connected", "min_teams": 3, **event},
            server={"turn_seconds": turn_seconds},
            rules={"turns": 30},
        )

    path = write(0.02, tournaments=1)
    add_teams(path, *TEAMS)
    before_it = ServerThread(path, None)
    with before_it.client(ANN) as ann:
        ann.send(strike(range(1, 7)))
        with before_it.client(BOB), before_it.client(CY):
            assert len(before_it.results()) == 6
    path = write(0.25)  # so that the second tournament is not over before the server is killed
    with serving(path) as server, server.client(BOB) as bob, server.client(CY):
        bob.send(strike(range(7, 13)))
        with server.client(ANN) as ann:
            until(ann.matches, "the second tournament")
            before = ann.matches()
            scores = ann.ask("GET_FINAL_SCORE 1", 2)
            with store_of(path) as store:
                until(lambda: store.matches(2), "some matches of the second tournament are stored")
            server.kill()
    with store_of(path) as store:
        first, interrupted = store.tournaments()
        first_matches = store.matches(1)
        assert interrupted.finished_at is None
        assert len(store.matches(2)) < 6
        totals = {row.name: row.total for row in store.standings()}
    assert totals[ANN] > totals[BOB]
    path = write(0.05)
    after_it = ServerThread(path, None)
    with after_it.client(ANN) as ann:
        assert "tournament 2 was interrupted: it will be played again" in after_it.log
        until(ann.matches, "the second tournament again")
        assert ann.matches() == before
        assert ann.ask("GET_FINAL_SCORE 1", 2) == scores
        until_finished(path, 2)
        after_it.stop()
    check_event(path, first, first_matches, interrupted)


def check_event(
    path: Path, first: EventTournament, first_matches: list[MatchResult], interrupted: EventTournament
) -> None:
    """Both tournaments are complete and count once; the first one was left alone."""
    with store_of(path) as store:
        tournaments = store.tournaments()
        standings = store.standings()
        matches = {each.number: store.matches(each.number) for each in tournaments}
        records = [store.match(each.id) for rows in matches.values() for each in rows]
    assert [each.number for each in tournaments] == [1, 2]
    assert tournaments[0] == first
    assert matches[1] == first_matches
    again = tournaments[1]
    assert (again.attempts, again.seed, again.deck_text) == (2, interrupted.seed, interrupted.deck_text)
    assert (again.roster, again.first_match_id) == (interrupted.roster, interrupted.first_match_id)
    for rows in matches.values():  # every pair twice, and nothing twice
        assert sorted((each.first, each.second) for each in rows) == sorted(permutations(again.roster, 2))
    assert [each.id for rows in matches.values() for each in rows] == list(range(1, 13))
    for row in standings:
        assert row.total == pytest.approx(sum(points for points in row.points if points is not None))
        assert len(row.points) == 2
    check_points(matches, {row.account: row.points for row in standings})
    for record in records:
        assert record is not None
        assert verify(decode_replay(record.transcript)) is None
        assert not any(password(team).encode() in record.transcript for team in TEAMS)


def check_points(matches: dict[int, list[MatchResult]], points: dict[int, tuple[float | None, ...]]) -> None:
    """Points are the sums of the ranks' powers, computed here once more from the matches."""
    for place, rows in enumerate(matches.values()):
        scores = [(each.first, each.score_first) for each in rows] + [(each.second, each.score_second) for each in rows]
        for account, given in points.items():
            ranks = [sum(other < score for _, other in scores) for who, score in scores if who == account]
            assert given[place] == pytest.approx(sum(rank**1.5 for rank in ranks))


def test_accounts_change_while_it_runs_and_passwords_appear_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "_REFRESH_SECONDS", 0.05)
    settings = {"roster": "connected"}
    with server_thread(
        tmp_path, [], players=None, event=settings, rules={"turns": 6}, server={"turn_seconds": 0.05}
    ) as server:
        path = server.path
        secrets = {team: f"secret-of-{team}" for team in TEAMS}
        with store_of(path) as store:
            for team, secret in secrets.items():
                store.accounts.add(team, secret)
        clients = {team: Client(server.port) for team in TEAMS}
        # At once: an account that was just added is not taken for one that was removed.
        assert [client.log_in(team, secrets[team]) for team, client in clients.items()] == ["OK"] * 3
        until(lambda: all(client.matches() for client in clients.values()), "they play")
        for client in clients.values():
            client.next_turn()
        with store_of(path) as store:
            store.accounts.remove(CY)
        assert set(clients[CY].rest().splitlines()) <= {b"OK"}
        until(lambda: "cy was cut off: its account was removed" in server.log, "a word about it")
        with Client(server.port) as client:
            assert client.log_in(CY, secrets[CY]) == "ERR 1 bad login or password"
        until(lambda: len(clients[ANN].matches()) == 2, "tournaments without cy")
        with store_of(path) as store:
            store.accounts.change_password(BOB, "another-secret")
        with Client(server.port) as old, Client(server.port) as fresh:
            assert old.log_in(BOB, secrets[BOB]) == "ERR 1 bad login or password"
            assert fresh.log_in(BOB, "another-secret") == "OK"
        for client in clients.values():
            client.close()
        server.stop()
        said = "\n".join(server.log)
    with store_of(path) as store:
        texts = [record.transcript for number in range(1, 20) if (record := store.match(number)) is not None]
    assert texts
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file()) + b"".join(texts)
    for secret in (*secrets.values(), "another-secret"):
        assert secret not in said
        assert secret.encode() not in data


def test_what_teams_did_is_stored(tmp_path: Path) -> None:
    with server_thread(
        tmp_path,
        [ANN, BOB],
        players=None,
        event={"tournaments": 1},
        rules={"turns": 6},
        server={"turn_seconds": 0.1},
    ) as server:
        with Client(server.port) as ann, Client(server.port) as bob:
            ann.send(f"ann\n{password(ANN)}\nWAIT\nGET_TURN_INFO 1\nGET_FINAL_SCORE 1\n")
            bob.send(f"bob\n{password(BOB)}\nWAIT\nDRAW_CARD 1\nDRAW_CARD 2\nWAIT\nDRAW_CARD 1\nDRAW_CARD 2\nWAIT\n")
            assert ann.lines(8)[-1].startswith("ERR 933")
            bob.lines(14)  # the draws of two turns
        results = server.results()
        with store_of(server.path) as store:
            bob_id = store.accounts.get(BOB).id
    assert [each.id for each in results] == [1, 2]
    for each in results:
        anns, bobs = each.counts_first, each.counts_second
        if each.first == bob_id:
            anns, bobs = bobs, anns
        assert (anns.commands, anns.errors, anns.idle_turns) == ((2, 1, 3) if each.id == 1 else (0, 0, 3))
        assert anns.disconnects == 1
        # One of two draws is in bob's turn, the other is refused: bob acts in one of their three turns.
        assert (bobs.commands, bobs.errors, bobs.idle_turns) == (2, 1, 2)
        assert bobs.disconnects == 1
