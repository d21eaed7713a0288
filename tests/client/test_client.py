"""The clients against a real server, and against servers that misbehave."""

from __future__ import annotations

import asyncio
import inspect
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cardrome.client import requests
from cardrome.client.client import AsyncTapdeckClient, TapdeckClient
from cardrome.client.errors import BadReply, ClientError, CommandRefused, ConnectionLost, RefusalCode, was_refused
from cardrome.client.requests import Request
from cardrome.games.tapdeck.protocol.commands import SYNTAX
from cardrome.games.tapdeck.rules.cards import TapdeckCard
from tests.paths import ROOT
from tests.server.in_process import server_thread
from tests.server.processes import password

HOST = "127.0.0.1"
TEAMS = ["red", "blue"]
RED, BLUE = ("red", password("red")), ("blue", password("blue"))


@contextmanager
def refuses(code: RefusalCode) -> Iterator[None]:
    with pytest.raises(CommandRefused) as caught:
        yield
    assert caught.value.code == code


def in_turn(client: TapdeckClient) -> int:
    """The id of a match in which it is the client's turn; with two players there is one in every turn."""
    while True:
        ids = client.my_matches()
        infos = client.pipeline([requests.turn_info(match) for match in ids])
        for match, info in zip(ids, infos, strict=True):
            if isinstance(info, requests.TurnInfo) and info.mine:
                return match
        client.wait()


def test_both_clients_have_a_method_for_every_command() -> None:
    names = {syntax.name.lower().removeprefix("get_") for syntax in SYNTAX.values()}
    for kind in (TapdeckClient, AsyncTapdeckClient):
        assert all(inspect.getdoc(getattr(kind, name)) for name in names)


def test_every_command(tmp_path: Path) -> None:
    rules = {"turns": 40, "deck_size": 60}
    with server_thread(tmp_path, TEAMS, players=1, rules=rules, event={"min_teams": 2}) as server:
        with refuses(RefusalCode.BAD_LOGIN):
            TapdeckClient.connect(HOST, server.port, "red", "wrong")
        with (
            TapdeckClient.connect(HOST, server.port, *RED) as red,
            TapdeckClient.connect(HOST, server.port, *BLUE) as blue,
        ):
            blue.wait()
            match = in_turn(red)
            assert red.my_matches() == blue.my_matches()
            assert red.hp(match) == (10, 10, 10)
            assert red.card_limits(match) == (2, 2, 10)
            assert red.current_mana(match) == 0
            assert red.attackers(match) == ()
            deck = red.deck(match)
            red.finish_block(match)
            drawn = red.draw_card(match)
            assert drawn == deck[0]
            assert isinstance(drawn, TapdeckCard)
            assert drawn in red.hands(match).mine
            red.burn_card(match)
            red.discard_card(match, drawn.id)
            assert red.board(match) == ((), ())
            with refuses(RefusalCode.GAME_HAS_NOT_ENDED_YET):
                red.final_score(match)
            with refuses(RefusalCode.NOT_YOUR_TURN):
                blue.hp(match)
            with refuses(RefusalCode.NOT_YOUR_MATCH):
                blue.turn_info(999)
            with pytest.raises(ClientError):
                red.block(match, attacker=1, blocker=2)
            for order in (red.add_mana, red.attack, red.play_card):
                with pytest.raises(ClientError):
                    order(match, 1000)

            # Many at once: refusals take the place of results, and other commands are carried out.
            three: list[Request[Any]] = [requests.hp(999), requests.deck(match), requests.attack(match, 1000)]
            mixed: list[Any] = red.pipeline(three * 100)
            assert was_refused(mixed[0], RefusalCode.NOT_YOUR_MATCH)
            assert len(mixed[1]) == len(deck) - 2
            assert len(mixed) == 300
            assert red.pipeline([]) == []


def test_asyncio_client_serves_several_tasks(tmp_path: Path) -> None:
    async def main(port: int) -> None:
        with refuses(RefusalCode.BAD_LOGIN):
            await AsyncTapdeckClient.connect(HOST, port, "nobody", "x")
        async with (
            await AsyncTapdeckClient.connect(HOST, port, *RED) as red,
            await AsyncTapdeckClient.connect(HOST, port, *BLUE) as blue,
        ):
            await asyncio.gather(red.wait(), blue.wait())
            ids = await red.my_matches()
            infos = await asyncio.gather(*(red.turn_info(match) for match in ids for _ in range(20)))
            assert {info.mine for info in infos} == {False, True}
            mine = next(match for match, info in zip(ids, infos[::20], strict=True) if info.mine)
            assert (await red.hands(mine)) == ((), ())
            with refuses(RefusalCode.NO_SUCH_ATTACKER):
                await red.block(mine, 1, 2)
            # A caller that no longer wants its reply does not confuse the others.
            late = asyncio.ensure_future(red.deck(mine))
            await asyncio.sleep(0)
            late.cancel()
            assert (await red.hp(mine)).initial == 10
        with pytest.raises(ConnectionLost):
            await red.hp(mine)

    with server_thread(tmp_path, TEAMS, players=2) as server:
        asyncio.run(main(server.port))


def test_forced_waiting(tmp_path: Path) -> None:
    with (
        server_thread(
            tmp_path, TEAMS, players=1, event={"roster": "all"}, server={"commands_per_turn": 5}, rules={"turns": 60}
        ) as server,
        TapdeckClient.connect(HOST, server.port, *RED) as red,
    ):
        red.wait()
        replies = red.pipeline([requests.my_matches()] * 12)
        forced = [reply for reply in replies if was_refused(reply, RefusalCode.COMMANDS_LIMIT)]
        assert forced
        assert len(forced) < len(replies)


def test_the_example_in_the_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "tapdeck-clients.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    creatures = "".join(f"{number} C 1 1 1 {number % 2} 0\n" for number in range(1, 21))
    with server_thread(tmp_path, TEAMS, players=1, deck=creatures, event={"roster": "all"}) as server:
        with TapdeckClient.connect(HOST, server.port, *BLUE) as blue:
            blue.wait()
        monkeypatch.setenv("CARDROME_PASSWORD", password("red"))
        names: dict[str, Any] = {}
        for _ in range(3):
            exec(example.replace("20000", str(server.port)).replace("localhost", HOST), names)
            assert len(names["boards"]) == 1


@contextmanager
def fake_server(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that says OK to any login, then does something else."""
    listener = socket.create_server((HOST, 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            lines = connection.makefile("rb")
            for question in (b"LOGIN\n", b"PASS\n"):
                connection.sendall(question)
                lines.readline()
            connection.sendall(b"OK\n")
            lines.readline()
            answer(connection)
            lines.close()

    thread = threading.Thread(target=serve)
    thread.start()
    with listener:
        yield listener.getsockname()[1]
        thread.join()


@pytest.mark.parametrize("reply", [b"", b"OK\n10", b"OK\n10 4 8\nand more\n", b"NO\n", b"OK\n" + b"9" * 100_000])
def test_a_server_that_breaks_off_or_babbles(reply: bytes) -> None:
    async def asynchronous(port: int) -> None:
        async with await AsyncTapdeckClient.connect(HOST, port, "a", "b") as client:
            with pytest.raises(ConnectionLost) as caught:
                await client.pipeline([requests.hp(1), requests.hp(2)])
            assert isinstance(caught.value, BadReply) == (reply.endswith((b"\n", b"999")))

    def say(connection: socket.socket) -> None:
        with suppress(OSError):  # the client may have left
            connection.sendall(reply)

    with fake_server(say) as port, TapdeckClient.connect(HOST, port, "a", "b") as client:
        with pytest.raises(ConnectionLost):
            client.pipeline([requests.hp(1), requests.hp(2)])
        with pytest.raises(ConnectionLost):
            client.hp(1)
    with fake_server(say) as port:
        asyncio.run(asynchronous(port))


def test_the_time_for_a_reply_is_limited() -> None:
    stop = threading.Event()

    def silent(connection: socket.socket) -> None:
        stop.wait()

    with fake_server(silent) as port:
        client = TapdeckClient.connect(HOST, port, "a", "b")
        with pytest.raises(ConnectionLost, match="silent"):
            client.wait(timeout=0.05)
        stop.set()

    async def asynchronous(port: int) -> None:
        client = await AsyncTapdeckClient.connect(HOST, port, "a", "b")
        with pytest.raises(ConnectionLost, match="silent"):
            await client.wait(timeout=0.05)
        stop.set()
        await client.close()

    stop.clear()
    with fake_server(silent) as port:
        asyncio.run(asynchronous(port))


def test_a_server_that_is_not_there() -> None:
    with socket.create_server((HOST, 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ConnectionLost, match="refused"):
        TapdeckClient.connect(HOST, port, "a", "b")
    with pytest.raises(ConnectionLost, match="refused"):
        asyncio.run(AsyncTapdeckClient.connect(HOST, port, "a", "b"))
