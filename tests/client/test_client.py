"""The clients against a real server, and against servers that misbehave."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cardrome.client import requests
from cardrome.client.client import AsyncTapdeckClient, TapdeckClient
from cardrome.client.errors import (
    BadReply,
    ClientError,
    ConnectionLost,
    ForcedWaiting,
    GameHasNotEndedYet,
    LoginRefused,
    NoSuchAttacker,
    NotYourMatch,
    NotYourTurn,
)
from cardrome.client.requests import Request
from cardrome.games.tapdeck.rules.cards import TapdeckCard
from tests.server.live_server import PASSWORD, live_server

HOST = "127.0.0.1"


def in_turn(client: TapdeckClient) -> int:
    """The id of a match in which it is the client's turn; with two players there is one in every turn."""
    while True:
        ids = client.my_matches()
        infos = client.pipeline([requests.turn_info(match) for match in ids])
        for match, info in zip(ids, infos, strict=True):
            if isinstance(info, requests.TurnInfo) and info.mine:
                return match
        client.wait()


def test_every_command(tmp_path: Path) -> None:
    with live_server(
        tmp_path, ["red", "blue"], server="turn_seconds = 3", rules="turns = 40\ndeck_size = 60"
    ) as server:
        with pytest.raises(LoginRefused):
            TapdeckClient.connect(HOST, server.port, "red", "wrong")
        with (
            TapdeckClient.connect(HOST, server.port, "red", PASSWORD) as red,
            TapdeckClient.connect(HOST, server.port, "blue", PASSWORD) as blue,
        ):
            blue.wait()
            red.wait()  # close to the start of a turn, so that the rest fits into it
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
            with pytest.raises(GameHasNotEndedYet):
                red.final_score(match)
            with pytest.raises(NotYourTurn):
                blue.hp(match)
            with pytest.raises(NotYourMatch):
                blue.turn_info(999)
            with pytest.raises(ClientError):
                red.block(match, 1, 2)
            for order in (red.add_mana, red.attack, red.play_card):
                with pytest.raises(ClientError):
                    order(match, 1000)

            # Many at once: refusals stand among the results, and other commands go on.
            three: list[Request[Any]] = [requests.hp(999), requests.deck(match), requests.attack(match, 1000)]
            mixed: list[Any] = red.pipeline(three * 100)
            assert isinstance(mixed[0], NotYourMatch)
            assert len(mixed[1]) == len(deck) - 2
            assert len(mixed) == 300
            assert red.pipeline([]) == []


def test_asyncio_client_serves_several_tasks(tmp_path: Path) -> None:
    async def main(port: int) -> None:
        with pytest.raises(LoginRefused):
            await AsyncTapdeckClient.connect(HOST, port, "nobody", "x")
        async with (
            await AsyncTapdeckClient.connect(HOST, port, "red", PASSWORD) as red,
            await AsyncTapdeckClient.connect(HOST, port, "blue", PASSWORD) as blue,
        ):
            await asyncio.gather(red.wait(), blue.wait())
            ids = await red.my_matches()
            infos = await asyncio.gather(*(red.turn_info(match) for match in ids for _ in range(20)))
            assert {info.mine for info in infos} == {False, True}
            mine = next(match for match, info in zip(ids, infos[::20], strict=True) if info.mine)
            assert (await red.hands(mine)) == ((), ())
            with pytest.raises(NoSuchAttacker):
                await red.block(mine, 1, 2)
            # One who no longer wants his answer does not confuse the others.
            late = asyncio.ensure_future(red.deck(mine))
            await asyncio.sleep(0)
            late.cancel()
            assert (await red.hp(mine)).initial == 10
        with pytest.raises(ConnectionLost):
            await red.hp(mine)

    with live_server(tmp_path, ["red", "blue"], server="turn_seconds = 2") as server:
        asyncio.run(main(server.port))


def test_forced_waiting(tmp_path: Path) -> None:
    limits = "turn_seconds = 0.3\ncommands_per_turn = 5"
    with (
        live_server(tmp_path, ["red", "blue"], event='roster = "all"', server=limits) as server,
        TapdeckClient.connect(HOST, server.port, "red", PASSWORD) as red,
    ):
        red.wait()
        replies = red.pipeline([requests.my_matches()] * 12)
        forced = [reply for reply in replies if isinstance(reply, ForcedWaiting)]
        assert forced
        assert len(forced) < len(replies)


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
        with suppress(OSError):  # the client may have had enough
            connection.sendall(reply)

    with fake_server(say) as port, TapdeckClient.connect(HOST, port, "a", "b") as client:
        with pytest.raises(ConnectionLost):
            client.pipeline([requests.hp(1), requests.hp(2)])
        with pytest.raises(ConnectionLost):
            client.hp(1)
    with fake_server(say) as port:
        asyncio.run(asynchronous(port))


def test_silence_is_not_waited_for_longer_than_asked() -> None:
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


def test_nobody_there() -> None:
    with socket.create_server((HOST, 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ConnectionLost, match="refused"):
        TapdeckClient.connect(HOST, port, "a", "b")
    with pytest.raises(ConnectionLost, match="refused"):
        asyncio.run(AsyncTapdeckClient.connect(HOST, port, "a", "b"))
