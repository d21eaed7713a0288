"""What teams and the server say to each other, byte by byte: in this process, and over TCP with a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardrome.games.tapdeck.protocol.commands import SYNTAX
from cardrome.games.tapdeck.protocol.errors import ERROR_LINES
from tests.server.events import Client, Server, add_teams, password, serving, write_event
from tests.server.paper import PaperEvent

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
SEED = 1
"""With it, ann has the first turn in match 1."""
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
"""What both teams say in each turn of the first tournament and the first of the second, and are answered."""


def said(team: str) -> bytes:
    """All that a team says, in one go: after each WAIT the server serves it in the turn that begins."""
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
    paper = PaperEvent(path, [ANN, BOB])
    talks = {team: paper.talk() for team in (ANN, BOB)}
    for team, talk in talks.items():
        data = said(team)
        for start in range(0, len(data), size):
            talk.hear(data[start : start + size])
        talk.serve()
    for _ in range(TURNS + 2):
        paper.tick()
    for team, talk in talks.items():
        assert talk.sent == answered(team)


def exactly(client: Client, expected: bytes) -> bytes:
    """As many bytes as are expected."""
    received = b""
    while len(received) < len(expected):
        more = client.socket.recv(len(expected) - len(received))
        assert more, received
        received += more
    return received


def test_every_command_is_answered_to_the_byte_over_tcp(tmp_path: Path) -> None:
    path = write_event(
        tmp_path / "e.toml",
        deck=DECK,
        event={"seed": SEED, "tournaments": 2},
        server={"turn_seconds": 0.5},
        rules={"turns": TURNS},
    )
    add_teams(path, ANN, BOB)
    with serving(path) as server:
        clients = {team: Client(server.port) for team in (ANN, BOB)}
        for team, client in clients.items():
            client.send(said(team))
        for team, client in clients.items():
            assert exactly(client, answered(team)).decode() == answered(team).decode()
        # The last tournament ends in no next turn: WAIT returns when the event closes, and then the connection does.
        for client in clients.values():
            client.send("WAIT\n" * TURNS)
        for client in clients.values():
            assert set(client.rest().splitlines()) == {b"OK"}
            client.close()
        assert server.ended() == 0
        assert "the event is over: all tournaments are played" in server.output


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits for a fourth team, which never comes."""
    path = write_event(
        tmp_path_factory.mktemp("quiet") / "e.toml", event={"min_teams": 4}, server={"login_seconds": 600}
    )
    add_teams(path, ANN, BOB, "élan")
    with serving(path) as server:
        yield server


def test_the_login_dialogue(quiet: Server) -> None:
    with Client(quiet.port) as client:
        assert client.line() == "LOGIN"
        client.send("ann\n")
        assert client.line() == "PASS"
        client.send(f"{password('ann')}\n")
        assert client.line() == "OK"
        assert client.ask("GET_MY_MATCHES", 3) == ["OK", "0", ""]


def test_login_lines_may_have_white_space_around_them_and_empty_lines_between(quiet: Server) -> None:
    with Client(quiet.port) as client:
        client.send(f"\n \t\r\n\t ann \r\n\r\n\n  {password('ann')}\t\r\nGET_MY_MATCHES\n")
        assert client.lines(6) == ["LOGIN", "PASS", "OK", "OK", "0", ""]


def test_names_need_not_be_ascii(quiet: Server) -> None:
    with quiet.client("élan") as client:
        assert client.ask("GET_MY_MATCHES", 3) == ["OK", "0", ""]


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        (b"ann", b"wrong"),
        (b"Ann", password("ann").encode()),
        (b"nobody", password("ann").encode()),
        (b"ann", password("bob").encode()),
        (b"\xff\xfe", b"\xff"),
        (b"\0", b"\0"),
        (b"an n", password("ann").encode()),
    ],
)
def test_a_bad_login_is_told_and_the_connection_closed(quiet: Server, name: bytes, secret: bytes) -> None:
    with Client(quiet.port) as client:
        client.send(name + b"\n" + secret + b"\nGET_MY_MATCHES\n")
        assert client.rest() == b"LOGIN\nPASS\nERR 1 bad login or password\n"


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b"get_my_matches", b"OK\n0\n\n"),
        (b"Get_My_Matches", b"OK\n0\n\n"),
        (b" \tGET_MY_MATCHES  \r", b"OK\n0\n\n"),
        (b"\n\r\n \t \nGET_MY_MATCHES", b"OK\n0\n\n"),
        (b"GET_MY_MATCHES 1", b"ERR 4 too many arguments\n"),
        (b"WAIT 1", b"ERR 4 too many arguments\n"),
        (b"GET_HP", b"ERR 3 bad format\n"),
        (b"GET_HP 1 2", b"ERR 4 too many arguments\n"),
        (b"GET_HP x", b"ERR 3 bad format\n"),
        (b"GET_HP 1_0", b"ERR 3 bad format\n"),
        ("GET_HP ٣".encode(), b"ERR 3 bad format\n"),
        (b"GET_HP 1.0", b"ERR 3 bad format\n"),
        (b"PLAY_CARD 1 2", b"ERR 3 bad format\n"),
        (b"PLAY_CARD 1 2 x y", b"ERR 4 too many arguments\n"),
        (b"HELLO", b"ERR 2 unknown command\n"),
        (b"\v", b"ERR 2 unknown command\n"),
        (b"GET_HP\v1", b"ERR 2 unknown command\n"),
        ("ÉTÉ".encode(), b"ERR 2 unknown command\n"),
        (b"\xff\xfe", b"ERR 3 bad format\n"),
        (b"\0", b"ERR 2 unknown command\n"),
        (b"GET_HP \xff", b"ERR 3 bad format\n"),
        *(
            (line, ERROR_LINES[930])
            for line in (
                b"GET_FINAL_SCORE 1",
                b"get_turn_info\t 1 \r",
                b"GET_HP +1",
                b"GET_HP -1",
                b"GET_HP 0",
                b"GET_HP " + b"9" * 900,
                b"PLAY_CARD 1 -2 003",
                b"BLOCK 1 2 3",
                b"DRAW_CARD 4",
            )
        ),
    ],
)
def test_how_lines_are_read(quiet: Server, line: bytes, reply: bytes) -> None:
    with quiet.client("ann") as client:
        client.send(line + b"\nNO\n")
        end = b"ERR 2 unknown command\n"
        assert exactly(client, reply + end) == reply + end


def test_what_comes_in_pieces_is_put_together(quiet: Server) -> None:
    with quiet.client("ann") as client:
        for letter in b"GET_MY_MATCHES\nGET_HP 1\n":
            client.send(bytes([letter]))
        assert client.lines(4) == ["OK", "0", "", err(930)]


def test_many_lines_at_once_are_answered_in_order(quiet: Server) -> None:
    with quiet.client("ann") as client:
        client.send("GET_MY_MATCHES\nGET_HP 1\nNO\n" * 2000)
        expected = f"OK\n0\n\n{err(930)}\nERR 2 unknown command\n".encode() * 2000
        assert exactly(client, expected) == expected


def test_over_long_lines_are_dropped_and_the_third_closes_the_connection(quiet: Server) -> None:
    with quiet.client("ann") as client:
        client.send(b"GET_MY_MATCHES" + b" " * 1010 + b"\n")  # 1,024 bytes: just not too long
        assert client.lines(3) == ["OK", "0", ""]
        client.send(b"GET_MY_MATCHES" + b" " * 1011 + b"\nNO\n")
        assert client.lines(2) == ["ERR 3 bad format", "ERR 2 unknown command"]
        client.send(b"x" * 1025)
        assert client.line() == "ERR 3 bad format"  # nobody waits for its end
        client.send(b"x" * 300_000 + b"\nNO\n")
        assert client.line() == "ERR 2 unknown command"
        client.send(b"x" * 1025)
        assert client.rest() == b"ERR 3 bad format\n"


def test_an_over_long_name_or_password_closes_the_connection(quiet: Server) -> None:
    with Client(quiet.port) as client:
        client.send(b"x" * 1025)
        assert client.rest() == b"LOGIN\nERR 3 bad format\n"


def test_all_connections_of_a_team_act_for_it(quiet: Server) -> None:
    clients = [quiet.client("bob") for _ in range(5)]
    for client in clients:
        client.send("GET_MY_MATCHES\n")
    for client in clients:
        assert client.lines(3) == ["OK", "0", ""]
        client.close()


def test_a_client_that_sends_no_more_is_answered_and_closed(quiet: Server) -> None:
    with Client(quiet.port) as client:
        client.send(f"ann\n{password('ann')}\nGET_MY_MATCHES\nGET_HP 1\nGET_")
        client.socket.shutdown(1)
        assert client.rest() == f"LOGIN\nPASS\nOK\nOK\n0\n\n{err(930)}\n".encode()


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An endless event in which a team may give three commands a turn."""
    path = write_event(
        tmp_path_factory.mktemp("hurried") / "e.toml",
        server={"commands_per_turn": 3, "turn_seconds": 0.3},
        rules={"turns": 1000},
    )
    add_teams(path, ANN, BOB)
    with serving(path) as server, server.client(ANN) as ann, server.client(BOB) as bob:
        ann.next_turn()
        bob.next_turn()
        yield server


def test_a_team_over_the_limit_is_made_to_wait(hurried: Server) -> None:
    with hurried.client(ANN) as client:
        client.send("WAIT\n" + "GET_FINAL_SCORE 1\n" * 4 + "GET_FINAL_SCORE 2\nWAIT\nNO\n")
        refused, limit = err(933), err(6)
        # The fourth is not carried out; what follows is served, and counted, in the next turn.
        assert client.lines(2) == ["OK", "OK"]
        assert client.lines(5) == [refused, refused, refused, limit, "OK"]
        assert client.lines(4) == [refused, "OK", "OK", "ERR 2 unknown command"]


def test_the_limit_is_the_teams_not_the_connections(hurried: Server) -> None:
    with hurried.client(BOB) as one, hurried.client(BOB) as two, hurried.client(ANN) as ann:
        ann.next_turn()
        one.send("WAIT\nNO\nNO\nNO\nNO\n")
        two.send("WAIT\nNO\nNO\nNO\nNO\n")
        replies = [client.lines(7) for client in (one, two)]
        assert sum(lines.count("ERR 6 commands limit reached, forced waiting activated") for lines in replies) >= 2


def test_lines_behind_wait_are_served_in_the_new_turn_and_others_meanwhile(hurried: Server) -> None:
    with hurried.client(ANN) as waiting, hurried.client(ANN) as other:
        waiting.next_turn()
        before = int(waiting.ask("GET_TURN_INFO 1", 2)[1].split()[1])
        waiting.send("WAIT\nGET_TURN_INFO 1\n")
        assert waiting.line() == "OK"
        assert other.ask("NO") in ([err(2)], [err(6)])
        assert waiting.lines(2) == ["OK", "OK"]
        assert int(waiting.line().split()[1]) <= before - 1


def test_a_client_that_waits_and_sends_no_more_is_woken_and_closed(hurried: Server) -> None:
    with Client(hurried.port) as client:
        client.send(f"ann\n{password('ann')}\nWAIT\n")
        client.socket.shutdown(1)
        replies = client.rest().splitlines()
        assert replies[:3] == [b"LOGIN", b"PASS", b"OK"]
        assert replies[-1] == b"OK"
        assert len(replies) == 5
