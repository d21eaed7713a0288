"""Clients of a Tapdeck server, plain and asyncio: one method for each command, and many commands in one write.

>>> with TapdeckClient.connect("localhost", 4000, "team", "secret") as client:  # doctest: +SKIP
...     for match, info in zip(ids, client.pipeline([requests.turn_info(match) for match in ids])):
...         print(match, info)

A refused command raises the `CommandRefused` of its code; in a pipeline, refusals stand in the place of results.
"""

from __future__ import annotations

import asyncio
import selectors
import socket
import time
from collections import deque
from collections.abc import Sequence
from typing import Any, Self, TypeVar, cast

from cardrome.client import requests
from cardrome.client.dialogue import Dialogue
from cardrome.client.errors import ClientError, CommandRefused, ConnectionLost
from cardrome.client.requests import Board, CardLimits, Hands, Health, Request, Score, TurnInfo
from cardrome.client.sockets import prepare, unreachable
from cardrome.games.tapdeck.rules.cards import TapdeckCard

T = TypeVar("T")
PATIENCE = 30.0
"""Seconds a server may be silent when an answer is due, unless something else is said."""


def _ended(dialogue: Dialogue) -> ConnectionLost:
    broken = "" if dialogue.between_replies else " in the middle of a reply"
    return ConnectionLost(f"the server ended the connection{broken}")


class TapdeckClient:
    """A client for plain, blocking code."""

    def __init__(self, connected: socket.socket, dialogue: Dialogue, timeout: float | None = PATIENCE) -> None:
        """Use `connect`, which also logs in."""
        self.timeout = timeout
        """Seconds to wait for the replies to one call; None waits for ever."""
        self._socket = connected
        self._dialogue = dialogue
        self._selector = selectors.DefaultSelector()
        self._socket.setblocking(False)
        prepare(self._socket)
        self._selector.register(self._socket, selectors.EVENT_READ)

    @classmethod
    def connect(cls, host: str, port: int, login: str, password: str, timeout: float | None = PATIENCE) -> Self:
        """A client that is logged in; `LoginRefused` if the server does not let it in."""
        dialogue = Dialogue(login, password)
        try:
            connected = socket.create_connection((host, port), timeout)
        except OSError as error:
            raise unreachable(host, port, error) from error
        client = cls(connected, dialogue, timeout)
        try:
            client._exchange(b"", timeout)
        except BaseException:
            client.close()
            raise
        return client

    def close(self) -> None:
        """End the connection. More than once is fine."""
        self._selector.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, request: Request[T]) -> T:
        """Send one command and return what the server answers; a refusal is raised."""
        reply = self.pipeline([request])[0]
        if isinstance(reply, CommandRefused):
            raise reply
        return reply

    def pipeline(self, batch: Sequence[Request[T]]) -> list[T | CommandRefused]:
        """Send many commands at once; returns the results in the same order, refusals among them."""
        return self._replies(batch, self.timeout)

    def wait(self, timeout: float | None = None) -> None:
        """Return when the next turn starts, however long that takes unless a time in seconds is given."""
        reply = self._replies([requests.wait()], timeout)[0]
        if isinstance(reply, CommandRefused):
            raise reply

    def my_matches(self) -> tuple[int, ...]:
        """The ids of your matches in this tournament."""
        return self.ask(requests.my_matches())

    def final_score(self, match: int) -> Score:
        """The scores of a match that has ended."""
        return self.ask(requests.final_score(match))

    def turn_info(self, match: int) -> TurnInfo:
        """Whether it is your turn, and how many turns are left."""
        return self.ask(requests.turn_info(match))

    def hp(self, match: int) -> Health:
        """The health of both players."""
        return self.ask(requests.hp(match))

    def card_limits(self, match: int) -> CardLimits:
        """Draws and burns left in this turn, and the size of a full hand."""
        return self.ask(requests.card_limits(match))

    def current_mana(self, match: int) -> int:
        """The mana you have now."""
        return self.ask(requests.current_mana(match))

    def deck(self, match: int) -> tuple[TapdeckCard, ...]:
        """The cards in the deck, top first."""
        return self.ask(requests.deck(match))

    def hands(self, match: int) -> Hands:
        """The cards in both hands."""
        return self.ask(requests.hands(match))

    def board(self, match: int) -> Board:
        """The creatures on the board, with their present values."""
        return self.ask(requests.board(match))

    def attackers(self, match: int) -> tuple[TapdeckCard, ...]:
        """The creatures that attack you now."""
        return self.ask(requests.attackers(match))

    def draw_card(self, match: int) -> TapdeckCard:
        """Take the top card of the deck; returns it."""
        return self.ask(requests.draw_card(match))

    def burn_card(self, match: int) -> None:
        """Remove the top card of the deck."""
        self.ask(requests.burn_card(match))

    def discard_card(self, match: int, card: int) -> None:
        """Remove a card from your hand."""
        self.ask(requests.discard_card(match, card))

    def add_mana(self, match: int, card: int) -> None:
        """Tap a creature for its mana."""
        self.ask(requests.add_mana(match, card))

    def play_card(self, match: int, card: int, target: int = -1) -> None:
        """Play a card: a creature on -1, a spell on -5 (you), -6 (the opponent) or a creature's id."""
        self.ask(requests.play_card(match, card, target))

    def attack(self, match: int, card: int) -> None:
        """Order a creature to attack."""
        self.ask(requests.attack(match, card))

    def block(self, match: int, attacker: int, blocker: int) -> None:
        """Let a creature of yours fight an attacker."""
        self.ask(requests.block(match, attacker, blocker))

    def finish_block(self, match: int) -> None:
        """End the blocking phase."""
        self.ask(requests.finish_block(match))

    def _replies(self, batch: Sequence[Request[T]], timeout: float | None) -> list[T | CommandRefused]:
        self._exchange(b"".join(map(self._dialogue.send, batch)), timeout)
        done = self._dialogue.done
        return [done.popleft() for _ in batch]

    def _exchange(self, outgoing: bytes, timeout: float | None) -> None:
        """Send and receive until nothing is due. Both at once: a server whose replies nobody takes may stop reading."""
        end = None if timeout is None else time.monotonic() + timeout
        try:
            while outgoing or self._dialogue.due or not self._dialogue.logged_in:
                wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if outgoing else 0)
                self._selector.modify(self._socket, wanted)
                ready = self._selector.select(None if end is None else max(end - time.monotonic(), 0))
                if not ready:
                    raise ConnectionLost(f"the server has been silent for {timeout:g} seconds")
                if ready[0][1] & selectors.EVENT_READ:
                    data = self._socket.recv(1 << 16)
                    if not data:
                        raise _ended(self._dialogue)
                    outgoing += self._dialogue.receive(data)
                if ready[0][1] & selectors.EVENT_WRITE:
                    outgoing = outgoing[self._socket.send(outgoing) :]
        except BaseException as error:  # Ctrl-C too: replies that nobody took must not be taken for later ones
            self.close()
            if isinstance(error, (OSError, ValueError, KeyError)) and not isinstance(error, ClientError):
                # The latter two: the client had been closed before.
                raise ConnectionLost(f"the connection broke: {error}") from error
            raise


class AsyncTapdeckClient(asyncio.Protocol):
    """A client for asyncio. Several tasks may use it at once: commands are sent in the order of the calls."""

    def __init__(self, dialogue: Dialogue, timeout: float | None = PATIENCE) -> None:
        """Use `connect`, which also logs in."""
        self.timeout = timeout
        """Seconds to wait for the replies to one call; None waits for ever."""
        self.lost: ClientError | None = None
        """Why the connection is of no use any more; None while it is."""
        loop = asyncio.get_running_loop()
        self._dialogue = dialogue
        self._transport: asyncio.Transport | None = None
        self._waiting: deque[tuple[int, asyncio.Future[list[Any]]]] = deque()
        self._ready: asyncio.Future[None] = loop.create_future()
        self._closed: asyncio.Future[None] = loop.create_future()

    @classmethod
    async def connect(cls, host: str, port: int, login: str, password: str, timeout: float | None = PATIENCE) -> Self:
        """A client that is logged in; `LoginRefused` if the server does not let it in."""
        dialogue = Dialogue(login, password)
        loop = asyncio.get_running_loop()
        client: Self | None = None
        try:
            async with asyncio.timeout(timeout):
                _, client = await loop.create_connection(lambda: cls(dialogue, timeout), host, port)
                await client._ready
        except TimeoutError:
            raise ConnectionLost(f"{host}:{port} has been silent for {timeout:g} seconds") from None
        except OSError as error:
            raise unreachable(host, port, error) from error
        finally:
            if client is not None and not dialogue.logged_in:
                await client.close()
        return client

    @property
    def between_replies(self) -> bool:
        """No reply is half read: a connection that ends here was not broken off."""
        return self._dialogue.between_replies

    async def close(self) -> None:
        """End the connection. More than once is fine."""
        self._give_up(ConnectionLost("the client has closed the connection"))
        if self._transport is not None:
            await asyncio.wait([self._closed])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast(asyncio.Transport, transport)
        prepare(transport.get_extra_info("socket"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        self._give_up(_ended(self._dialogue) if exc is None else ConnectionLost(f"the connection broke: {exc}"))
        if not self._closed.done():
            self._closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        if self.lost is not None or self._transport is None:
            return
        try:
            answers = self._dialogue.receive(data)
        except ClientError as error:
            self._give_up(error)
            return
        if answers:
            self._transport.write(answers)
        if self._dialogue.logged_in and not self._ready.done():
            self._ready.set_result(None)
        done = self._dialogue.done
        while self._waiting and len(done) >= self._waiting[0][0]:
            count, future = self._waiting.popleft()
            replies = [done.popleft() for _ in range(count)]
            if not future.done():  # whoever asked may have been cancelled since
                future.set_result(replies)

    def _give_up(self, error: ClientError) -> None:
        """Everyone who waits is told, and so is everyone who asks later."""
        if self.lost is None:
            self.lost = error
            waiting: list[asyncio.Future[Any]] = [self._ready, *(future for _, future in self._waiting)]
            for future in waiting:
                if not future.done():
                    future.set_exception(error)
                    future.exception()  # seen: nobody may be waiting for it any more
            self._waiting.clear()
        if self._transport is not None:
            self._transport.abort()

    async def ask(self, request: Request[T]) -> T:
        """Send one command and return what the server answers; a refusal is raised."""
        reply = (await self.pipeline([request]))[0]
        if isinstance(reply, CommandRefused):
            raise reply
        return reply

    async def pipeline(self, batch: Sequence[Request[T]]) -> list[T | CommandRefused]:
        """Send many commands at once; returns the results in the same order, refusals among them."""
        return await self._replies(batch, self.timeout)

    async def wait(self, timeout: float | None = None) -> None:
        """Return when the next turn starts, however long that takes unless a time in seconds is given."""
        reply = (await self._replies([requests.wait()], timeout))[0]
        if isinstance(reply, CommandRefused):
            raise reply

    async def my_matches(self) -> tuple[int, ...]:
        """The ids of your matches in this tournament."""
        return await self.ask(requests.my_matches())

    async def final_score(self, match: int) -> Score:
        """The scores of a match that has ended."""
        return await self.ask(requests.final_score(match))

    async def turn_info(self, match: int) -> TurnInfo:
        """Whether it is your turn, and how many turns are left."""
        return await self.ask(requests.turn_info(match))

    async def hp(self, match: int) -> Health:
        """The health of both players."""
        return await self.ask(requests.hp(match))

    async def card_limits(self, match: int) -> CardLimits:
        """Draws and burns left in this turn, and the size of a full hand."""
        return await self.ask(requests.card_limits(match))

    async def current_mana(self, match: int) -> int:
        """The mana you have now."""
        return await self.ask(requests.current_mana(match))

    async def deck(self, match: int) -> tuple[TapdeckCard, ...]:
        """The cards in the deck, top first."""
        return await self.ask(requests.deck(match))

    async def hands(self, match: int) -> Hands:
        """The cards in both hands."""
        return await self.ask(requests.hands(match))

    async def board(self, match: int) -> Board:
        """The creatures on the board, with their present values."""
        return await self.ask(requests.board(match))

    async def attackers(self, match: int) -> tuple[TapdeckCard, ...]:
        """The creatures that attack you now."""
        return await self.ask(requests.attackers(match))

    async def draw_card(self, match: int) -> TapdeckCard:
        """Take the top card of the deck; returns it."""
        return await self.ask(requests.draw_card(match))

    async def burn_card(self, match: int) -> None:
        """Remove the top card of the deck."""
        await self.ask(requests.burn_card(match))

    async def discard_card(self, match: int, card: int) -> None:
        """Remove a card from your hand."""
        await self.ask(requests.discard_card(match, card))

    async def add_mana(self, match: int, card: int) -> None:
        """Tap a creature for its mana."""
        await self.ask(requests.add_mana(match, card))

    async def play_card(self, match: int, card: int, target: int = -1) -> None:
        """Play a card: a creature on -1, a spell on -5 (you), -6 (the opponent) or a creature's id."""
        await self.ask(requests.play_card(match, card, target))

    async def attack(self, match: int, card: int) -> None:
        """Order a creature to attack."""
        await self.ask(requests.attack(match, card))

    async def block(self, match: int, attacker: int, blocker: int) -> None:
        """Let a creature of yours fight an attacker."""
        await self.ask(requests.block(match, attacker, blocker))

    async def finish_block(self, match: int) -> None:
        """End the blocking phase."""
        await self.ask(requests.finish_block(match))

    async def _replies(self, batch: Sequence[Request[T]], timeout: float | None) -> list[T | CommandRefused]:
        if self.lost is not None or self._transport is None:
            raise ConnectionLost(str(self.lost or "the client is not connected"))
        if not batch:
            return []
        future: asyncio.Future[list[T | CommandRefused]] = asyncio.get_running_loop().create_future()
        self._transport.write(b"".join(map(self._dialogue.send, batch)))
        self._waiting.append((len(batch), future))
        try:
            async with asyncio.timeout(timeout):
                return await future
        except TimeoutError:
            self._give_up(ConnectionLost(f"the server has been silent for {timeout:g} seconds"))
            raise ConnectionLost(f"the server has been silent for {timeout:g} seconds") from None
