"""What a server answers over TCP: to logins, to odd lines, and to teams over their limit of commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardrome.games.tapdeck.protocol.commands import ERROR_LINES
from tests.server.in_process import ServerThread, server_thread
from tests.server.processes import Client, password

ANN, BOB = "ann", "bob"


def err(code: int) -> str:
    return ERROR_LINES[code].decode().rstrip("\n")


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server whose event does not begin."""
    with server_thread(tmp_path_factory.mktemp("quiet"), [ANN, BOB, "élan"], players=1000) as server:
        yield server


def test_the_login_dialogue(quiet: ServerThread) -> None:
    with Client(quiet.port) as client:
        assert client.line() == "LOGIN"
        client.send("ann\n")
        assert client.line() == "PASS"
        client.send(f"{password('ann')}\n")
        assert client.line() == "OK"
        assert client.ask("GET_MY_MATCHES", 3) == ["OK", "0", ""]


def test_login_lines_may_have_white_space_around_them_and_empty_lines_between(quiet: ServerThread) -> None:
    with Client(quiet.port) as client:
        client.send(f"\n \t\r\n\t ann \r\n\r\n\n  {password('ann')}\t\r\nGET_MY_MATCHES\n")
        assert client.lines(6) == ["LOGIN", "PASS", "OK", "OK", "0", ""]


def test_names_need_not_be_ascii(quiet: ServerThread) -> None:
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
def test_a_bad_login_is_refused_and_the_connection_closed(quiet: ServerThread, name: bytes, secret: bytes) -> None:
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
def test_how_lines_are_read(quiet: ServerThread, line: bytes, reply: bytes) -> None:
    with quiet.client("ann") as client:
        client.send(line + b"\nNO\n")
        end = b"ERR 2 unknown command\n"
        assert client.exactly(reply + end) == reply + end


def test_lines_may_arrive_in_pieces(quiet: ServerThread) -> None:
    with quiet.client("ann") as client:
        for letter in b"GET_MY_MATCHES\nGET_HP 1\n":
            client.send(bytes([letter]))
        assert client.lines(4) == ["OK", "0", "", err(930)]


def test_many_lines_at_once_are_answered_in_order(quiet: ServerThread) -> None:
    with quiet.client("ann") as client:
        client.send("GET_MY_MATCHES\nGET_HP 1\nNO\n" * 2000)
        expected = f"OK\n0\n\n{err(930)}\nERR 2 unknown command\n".encode() * 2000
        assert client.exactly(expected) == expected


def test_over_long_lines_are_dropped_and_the_third_closes_the_connection(quiet: ServerThread) -> None:
    with quiet.client("ann") as client:
        client.send(b"GET_MY_MATCHES" + b" " * 1010 + b"\n")  # 1,024 bytes: just not too long
        assert client.lines(3) == ["OK", "0", ""]
        client.send(b"GET_MY_MATCHES" + b" " * 1011 + b"\nNO\n")
        assert client.lines(2) == ["ERR 3 bad format", "ERR 2 unknown command"]
        client.send(b"x" * 1025)
        assert client.line() == "ERR 3 bad format"  # without waiting for its end
        client.send(b"x" * 300_000 + b"\nNO\n")
        assert client.line() == "ERR 2 unknown command"
        client.send(b"x" * 1025)
        assert client.rest() == b"ERR 3 bad format\n"


def test_an_over_long_name_or_password_closes_the_connection(quiet: ServerThread) -> None:
    with Client(quiet.port) as client:
        client.send(b"x" * 1025)
        assert client.rest() == b"LOGIN\nERR 3 bad format\n"


def test_all_connections_of_a_team_act_for_it(quiet: ServerThread) -> None:
    clients = [quiet.client("bob") for _ in range(5)]
    for client in clients:
        client.send("GET_MY_MATCHES\n")
    for client in clients:
        assert client.lines(3) == ["OK", "0", ""]
        client.close()


def test_a_client_that_sends_no_more_is_answered_and_closed(quiet: ServerThread) -> None:
    with Client(quiet.port) as client:
        client.send(f"ann\n{password('ann')}\nGET_MY_MATCHES\nGET_HP 1\nGET_")
        client.socket.shutdown(1)
        assert client.rest() == f"LOGIN\nPASS\nOK\nOK\n0\n\n{err(930)}\n".encode()


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """An endless event in which a team may send three commands a turn."""
    with (
        server_thread(
            tmp_path_factory.mktemp("hurried"),
            [ANN, BOB],
            players=1,
            server={"commands_per_turn": 3},
            rules={"turns": 1000},
        ) as server,
        server.client(ANN) as ann,
        server.client(BOB),
    ):
        ann.next_turn()
        yield server


def test_a_team_over_the_limit_is_made_to_wait(hurried: ServerThread) -> None:
    with hurried.client(ANN) as client:
        client.send("WAIT\n" + "GET_FINAL_SCORE 1\n" * 4 + "GET_FINAL_SCORE 2\nWAIT\nNO\n")
        refused, limit = err(933), err(6)
        # The fourth is not carried out; what follows is served, and counts, in the next turn.
        assert client.lines(2) == ["OK", "OK"]
        assert client.lines(5) == [refused, refused, refused, limit, "OK"]
        assert client.lines(4) == [refused, "OK", "OK", "ERR 2 unknown command"]


def test_the_limit_is_the_teams_not_the_connections(hurried: ServerThread) -> None:
    with hurried.client(BOB) as one, hurried.client(BOB) as two, hurried.client(ANN) as ann:
        ann.next_turn()
        one.send("WAIT\nNO\nNO\nNO\nNO\n")
        two.send("WAIT\nNO\nNO\nNO\nNO\n")
        replies = [client.lines(7) for client in (one, two)]
        assert sum(lines.count("ERR 6 commands limit reached, forced waiting activated") for lines in replies) >= 2


def test_lines_behind_wait_are_served_in_the_new_turn_and_others_meanwhile(hurried: ServerThread) -> None:
    with hurried.client(ANN) as waiting, hurried.client(ANN) as other:
        waiting.next_turn()
        before = int(waiting.ask("GET_TURN_INFO 1", 2)[1].split()[1])
        waiting.send("WAIT\nGET_TURN_INFO 1\n")
        assert waiting.line() == "OK"
        assert other.ask("NO") in ([err(2)], [err(6)])
        assert waiting.lines(2) == ["OK", "OK"]
        assert int(waiting.line().split()[1]) <= before - 1


def test_a_client_that_waits_and_sends_no_more_is_woken_and_closed(hurried: ServerThread) -> None:
    with Client(hurried.port) as client:
        client.send(f"ann\n{password('ann')}\nWAIT\n")
        client.socket.shutdown(1)
        replies = client.rest().splitlines()
        assert replies[:3] == [b"LOGIN", b"PASS", b"OK"]
        assert replies[-1] == b"OK"
        assert len(replies) == 5
