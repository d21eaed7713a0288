"""Every command and its answer, byte by byte: in memory, and over TCP."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrome.games.tapdeck.protocol.commands import ERROR_LINES, SYNTAX
from tests.server.in_memory import InMemoryEvent
from tests.server.in_process import server_thread
from tests.server.processes import Client, password, write_event

DECK = """\
1 C 0 1 1 0 1
2 C 0 1 1 0 1
3 C 1 2 2 0 0
4 C 1 2 2 0 0
38 D 2 0 0 1 -1
37 H 0 1 0 0 -1
22 T 2 0 0 0 -1
15 B 1 2 0 0 -1
13 I 0 0 0 0 -1
42 C 1 2 2 5 0
"""
SEED = 2
"""A seed with which ann has the first turn in match 1."""
TURNS = 6


def err(code: int) -> str:
    return ERROR_LINES[code].decode().rstrip("\n")


ANN, BOB = "ann", "bob"
Lines = list[tuple[str, str]]


SCRIPT: list[dict[str, Lines]] = [
    {
        ANN: [
            ("GET_MY_MATCHES", "OK\n2\n1 2"),
            ("GET_TURN_INFO 1", "OK\n1 6"),
            ("GET_HP 1", "OK\n10 10 10"),
            ("GET_CARD_LIMITS 1", "OK\n2 2 10"),
            ("GET_CURRENT_MANA 1", "OK\n0"),
            ("GET_DECK 1", f"OK\n10\n{DECK.rstrip()}"),
            ("GET_HANDS 1", "OK\n0 0"),
            ("GET_BOARD 1", "OK\n0 0"),
            ("GET_ATTACKERS 1", "OK\n0"),
            ("DRAW_CARD 1", "OK\n1 C 0 1 1 0 1"),
            ("DRAW_CARD 1", "OK\n2 C 0 1 1 0 1"),
            ("DRAW_CARD 1", err(907)),
            ("PLAY_CARD 1 1 -5", err(915)),
            ("PLAY_CARD 1 1 -1", "OK"),
            ("PLAY_CARD 1 2 -1", "OK"),
            ("PLAY_CARD 1 3 -1", err(906)),
            ("ADD_MANA 1 1", err(905)),
            ("ATTACK 1 1", err(905)),
            ("FINISH_BLOCK 1", err(911)),
            ("BLOCK 1 3 1", err(911)),
            ("GET_FINAL_SCORE 1", err(933)),
            ("GET_TURN_INFO 2", "OK\n0 6"),
        ],
        BOB: [
            ("GET_MY_MATCHES", "OK\n2\n1 2"),
            ("GET_TURN_INFO 1", "OK\n0 6"),
            ("GET_HP 1", err(913)),
            ("GET_DECK 1", err(913)),
            ("DRAW_CARD 1", err(913)),
            ("FINISH_BLOCK 1", err(913)),
            ("GET_FINAL_SCORE 1", err(933)),
            ("GET_TURN_INFO 2", "OK\n1 6"),
        ],
    },
    {
        BOB: [
            ("DRAW_CARD 1", "OK\n3 C 1 2 2 0 0"),
            ("DRAW_CARD 1", "OK\n4 C 1 2 2 0 0"),
            ("GET_HANDS 1", "OK\n2 0\n3 C 1 2 2 0 0\n4 C 1 2 2 0 0"),
            ("PLAY_CARD 1 4 -1", "OK"),
            ("PLAY_CARD 1 3 -1", "OK"),
            (
                "GET_BOARD 1",
                "OK\n2 2\n3 C 1 2 2 0 0 0\n4 C 1 2 2 0 0 0\n1 C 0 1 1 0 1 0\n2 C 0 1 1 0 1 0",
            ),
            ("DISCARD_CARD 1 3", err(906)),
            ("ADD_MANA 1 1", err(903)),
            ("PLAY_CARD 1 999 -1", err(900)),
        ],
    },
    {
        ANN: [
            ("FINISH_BLOCK 1", "OK"),
            ("ADD_MANA 1 1", "OK"),
            ("GET_CURRENT_MANA 1", "OK\n1"),
            ("DRAW_CARD 1", "OK\n38 D 2 0 0 1 -1"),
            ("DRAW_CARD 1", "OK\n37 H 0 1 0 0 -1"),
            ("PLAY_CARD 1 38 42", err(916)),
            ("PLAY_CARD 1 38 -6", "OK"),
            ("PLAY_CARD 1 37 -6", "OK"),
            ("GET_HP 1", "OK\n10 10 9"),
            ("GET_CARD_LIMITS 1", "OK\n0 2 10"),
            (
                "GET_BOARD 1",
                "OK\n2 2\n1 C 0 1 1 0 1 0\n2 C 0 1 1 0 1 1\n3 C 1 2 2 0 0 0\n4 C 1 2 2 0 0 0",
            ),
        ],
    },
    {
        BOB: [
            ("GET_HP 1", "OK\n10 9 10"),
            ("ATTACK 1 3", "OK"),
            ("ATTACK 1 4", "OK"),
            ("GET_ATTACKERS 1", "OK\n0"),
            ("DRAW_CARD 1", "OK\n22 T 2 0 0 0 -1"),
            ("PLAY_CARD 1 22 -5", "OK"),
            ("GET_CARD_LIMITS 1", "OK\n3 2 10"),
            ("DRAW_CARD 1", "OK\n15 B 1 2 0 0 -1"),
            ("DRAW_CARD 1", "OK\n13 I 0 0 0 0 -1"),
            ("PLAY_CARD 1 15 3", "OK"),
            ("DISCARD_CARD 1 13", "OK"),
            ("GET_DECK 1", "OK\n1\n42 C 1 2 2 5 0"),
            ("BURN_CARD 1", "OK"),
            ("BURN_CARD 1", err(918)),
            ("GET_DECK 1", "OK\n0"),
        ],
    },
    {
        ANN: [
            ("GET_ATTACKERS 1", "OK\n2\n3 C 2 4 4 0 0\n4 C 1 2 2 0 0"),
            ("BLOCK 1 9 2", err(910)),
            ("BLOCK 1 4 1", err(905)),
            ("BLOCK 1 4 2", "OK"),
            ("BLOCK 1 4 2", err(912)),
            ("GET_ATTACKERS 1", "OK\n2\n3 C 2 4 4 0 0\n4 C 1 2 2 0 0"),
            ("FINISH_BLOCK 1", "OK"),
            ("GET_HP 1", "OK\n10 8 9"),
            ("GET_ATTACKERS 1", "OK\n0"),
            ("DRAW_CARD 1", err(918)),
            ("GET_TURN_INFO 1", "OK\n1 2"),
        ],
    },
    {BOB: [("GET_TURN_INFO 1", "OK\n1 1"), ("GET_FINAL_SCORE 1", err(933))]},
    {
        ANN: [
            ("GET_MY_MATCHES", "OK\n2\n3 4"),
            ("GET_FINAL_SCORE 1", "OK\n14 16"),
            ("GET_FINAL_SCORE 2", "OK\n15 15"),
            ("GET_TURN_INFO 1", err(932)),
            ("DRAW_CARD 1", err(932)),
            ("GET_FINAL_SCORE 3", err(933)),
            ("GET_FINAL_SCORE 5", err(930)),
        ],
        BOB: [("GET_FINAL_SCORE 1", "OK\n16 14"), ("GET_HP 2", err(932))],
    },
]
"""What both teams say and are answered, in each turn of the first tournament and the first turn of the second."""


def said(team: str) -> bytes:
    """Everything that a team says, in one go: what stands behind a WAIT is served in the next turn."""
    turns = ["".join(f"{line}\n" for line, _ in turn.get(team, [])) for turn in SCRIPT]
    return (f"{team}\n{password(team)}\nWAIT\n" + "WAIT\n".join(turns)).encode()


def answered(team: str) -> bytes:
    turns = ["".join(f"{reply}\n" for _, reply in turn.get(team, [])) for turn in SCRIPT]
    return ("LOGIN\nPASS\nOK\nOK\nOK\n" + "OK\nOK\n".join(turns)).encode()


def test_the_script_has_every_command() -> None:
    words = {line.split()[0].encode() for turn in SCRIPT for lines in turn.values() for line, _ in lines}
    assert words | {b"WAIT"} == set(SYNTAX)


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_every_command_is_answered_to_the_byte(tmp_path: Path, size: int) -> None:
    path = write_event(tmp_path / "e.toml", deck=DECK, event={"seed": SEED}, rules={"turns": TURNS})
    cup = InMemoryEvent(path, [ANN, BOB])
    talks = {team: cup.talk() for team in (ANN, BOB)}
    for team, talk in talks.items():
        data = said(team)
        for start in range(0, len(data), size):
            talk.hear(data[start : start + size])
        talk.serve()
    for _ in range(TURNS + 2):
        cup.tick()
    for team, talk in talks.items():
        assert talk.sent == answered(team)


def test_every_command_is_answered_to_the_byte_over_tcp(tmp_path: Path) -> None:
    sections = {"event": {"seed": SEED, "tournaments": 2}, "rules": {"turns": TURNS}}
    with server_thread(tmp_path, [ANN, BOB], players=2, deck=DECK, **sections) as server:
        clients = {team: Client(server.port) for team in (ANN, BOB)}
        for team, client in clients.items():
            client.send(said(team))
        for team, client in clients.items():
            assert client.exactly(answered(team)).decode() == answered(team).decode()
        # No turn follows the last tournament: WAIT returns when the event is over, and when the server closes.
        for client in clients.values():
            client.send("WAIT\n" * (TURNS + 1))
        for client in clients.values():
            assert set(client.rest().splitlines()) == {b"OK"}
            client.close()
        assert len(server.results()) == 4
        assert "the event is over: all tournaments are played" in server.log
