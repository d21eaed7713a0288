"""Clients of a Tapdeck server, blocking and for asyncio, with the same methods.

>>> with TapdeckClient.connect("localhost", 20000, "team", "secret") as client:  # doctest: +SKIP
...     ids = client.my_matches()
...     for match, board in zip(ids, client.pipeline([requests.board(match) for match in ids])):
...         print(match, board)

A refused command raises `CommandRefused`; in a pipeline, the refusal takes the place of the result.
"""

from __future__ import annotations

import asyncio
import functools
import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Generic, ParamSpec, Self, TypeVar, cast, overload

from cardrome.client import requests
from cardrome.client.conversation import Conversation
from cardrome.client.errors import ClientError, CommandRefused, ConnectionLost
from cardrome.client.requests import Request

P = ParamSpec("P")
T = TypeVar("T")
PATIENCE = 30.0
"""Seconds to wait for a reply, by default."""
LONGEST_WAIT = 1.0
"""Seconds after which a wait is begun anew: a signal that came just before it is handled only once it is over."""
_KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Notices within a minute that a server has vanished, even during a WAIT."""


class _CommandMethod(Generic[P, T]):
    """A command as a method of a client: returns its result, or for asyncio a coroutine of it."""

    def __init__(self, request: Callable[P, Request[T]]) -> None:
        self._request = request
        self.__doc__ = request.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: TapdeckClient, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncTapdeckClient, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: TapdeckClient | AsyncTapdeckClient | None, owner: type) -> Any:
        if client is None:
            return self

        @functools.wraps(self._request)
        def ask(*args: P.args, **kwargs: P.kwargs) -> Any:
            return client.ask(self._request(*args, **kwargs))

        return ask


class _Commands:
    """The methods that both clients have, one for each command but WAIT."""

    my_matches = _CommandMethod(requests.my_matches)
    final_score = _CommandMethod(requests.final_score)
    turn_info = _CommandMethod(requests.turn_info)
    hp = _CommandMethod(requests.hp)
    card_limits = _CommandMethod(requests.card_limits)
    current_mana = _CommandMethod(requests.current_mana)
    deck = _CommandMethod(requests.deck)
    hands = _CommandMethod(requests.hands)
    board = _CommandMethod(requests.board)
    attackers = _CommandMethod(requests.attackers)
    draw_card = _CommandMethod(requests.draw_card)
    burn_card = _CommandMethod(requests.burn_card)
    discard_card = _CommandMethod(requests.discard_card)
    add_mana = _CommandMethod(requests.add_mana)
    play_card = _CommandMethod(requests.play_card)
    attack = _CommandMethod(requests.attack)
    block = _CommandMethod(requests.block)
    finish_block = _CommandMethod(requests.finish_block)


class TapdeckClient(_Commands):
    """A client for blocking code."""

    def __init__(self, connected: socket.socket, conversation: Conversation, timeout: float | None = PATIENCE) -> None:
        """Use `connect`, which also logs in."""
        self.timeout = timeout
        """Seconds to wait for the replies to one call; None waits for ever."""
        self._socket = connected
        self._conversation = conversation
        self._selector = selectors.DefaultSelector()
        self._socket.setblocking(False)
        _set_options(self._socket)
        self._selector.register(self._socket, selectors.EVENT_READ)

    @classmethod
    def connect(cls, host: str, port: int, login: str, password: str, timeout: float | None = PATIENCE) -> Self:
        """Connect and log in; `CommandRefused` if the server refuses the login."""
        conversation = Conversation(login, password)
        try:
            connected = socket.create_connection((host, port), timeout)
        except OSError as error:
            raise _unreachable(host, port, error) from error
        client = cls(connected, conversation, timeout)
        try:
            client._exchange(b"", timeout)
        except BaseException:
            client.close()
            raise
        return client

    def close(self) -> None:
        """Close the connection. Calling it again does nothing."""
        self._selector.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, request: Request[T]) -> T:
        """Send a command and return its result; a refusal is raised."""
        return _result(self.pipeline([request])[0])

    def pipeline(self, batch: Sequence[Request[T]]) -> list[T | CommandRefused]:
        """Send many commands in one write; returns their results in order, with refusals among them."""
        return self._replies(batch, self.timeout)

    def wait(self, timeout: float | None = None) -> None:
        """Return when the next turn starts; by default, however long that takes."""
        _result(self._replies([requests.wait()], timeout)[0])

    def _replies(self, batch: Sequence[Request[T]], timeout: float | None) -> list[T | CommandRefused]:
        self._exchange(b"".join(map(self._conversation.send, batch)), timeout)
        done = self._conversation.done
        return [done.popleft() for _ in batch]

    def _exchange(self, outgoing: bytes, timeout: float | None) -> None:
        """Send and receive until nothing is due. Both at once: a server stops reading while its replies pile up."""
        end = None if timeout is None else time.monotonic() + timeout
        try:
            while outgoing or self._conversation.due or not self._conversation.logged_in:
                wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if outgoing else 0)
                self._selector.modify(self._socket, wanted)
                rest = LONGEST_WAIT if end is None else end - time.monotonic()
                ready = self._selector.select(max(min(rest, LONGEST_WAIT), 0))
                if not ready:
                    if rest <= 0:
                        raise _silent("the server", timeout)
                    continue
                if ready[0][1] & selectors.EVENT_READ:
                    data = self._socket.recv(1 << 16)
                    if not data:
                        raise _ended(self._conversation)
                    outgoing += self._conversation.receive(data)
                if ready[0][1] & selectors.EVENT_WRITE:
                    outgoing = outgoing[self._socket.send(outgoing) :]
        except BaseException as error:  # Ctrl-C too: the next call must not read the replies that are still to come
            self.close()
            if isinstance(error, (OSError, ValueError, KeyError)) and not isinstance(error, ClientError):
                # A closed selector raises the latter two.
                raise ConnectionLost(f"the connection broke: {error}") from error
            raise


class AsyncTapdeckClient(_Commands, asyncio.Protocol):
    """A client for asyncio. Several tasks may share it: commands are sent in the order of the calls."""

    def __init__(self, conversation: Conversation, timeout: float | None = PATIENCE) -> None:
        """Use `connect`, which also logs in."""
        self.timeout = timeout
        """Seconds to wait for the replies to one call; None waits for ever."""
        self.lost: ClientError | None = None
        """Why the connection can no longer be used; None while it can."""
        loop = asyncio.get_running_loop()
        self._conversation = conversation
        self._transport: asyncio.Transport | None = None
        self._waiting: deque[tuple[int, asyncio.Future[list[Any]]]] = deque()
        self._ready: asyncio.Future[None] = loop.create_future()
        self._closed: asyncio.Future[None] = loop.create_future()

    @classmethod
    async def connect(cls, host: str, port: int, login: str, password: str, timeout: float | None = PATIENCE) -> Self:
        """Connect and log in; `CommandRefused` if the server refuses the login."""
        conversation = Conversation(login, password)
        loop = asyncio.get_running_loop()
        client: Self | None = None
        try:
            async with asyncio.timeout(timeout):
                _, client = await loop.create_connection(lambda: cls(conversation, timeout), host, port)
                await client._ready
        except TimeoutError:
            raise _silent(f"{host}:{port}", timeout) from None
        except OSError as error:
            raise _unreachable(host, port, error) from error
        finally:
            if client is not None and not conversation.logged_in:
                await client.close()
        return client

    @property
    def between_replies(self) -> bool:
        """No reply is half read, so a connection that ends here was not broken off."""
        return self._conversation.between_replies

    async def close(self) -> None:
        """Close the connection. Calling it again does nothing."""
        self._give_up(ConnectionLost("the client has closed the connection"))
        if self._transport is not None:
            await asyncio.wait([self._closed])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def ask(self, request: Request[T]) -> T:
        """Send a command and return its result; a refusal is raised."""
        return _result((await self.pipeline([request]))[0])

    async def pipeline(self, batch: Sequence[Request[T]]) -> list[T | CommandRefused]:
        """Send many commands in one write; returns their results in order, with refusals among them."""
        return await self._replies(batch, self.timeout)

    async def wait(self, timeout: float | None = None) -> None:
        """Return when the next turn starts; by default, however long that takes."""
        _result((await self._replies([requests.wait()], timeout))[0])

    async def _replies(self, batch: Sequence[Request[T]], timeout: float | None) -> list[T | CommandRefused]:
        if self.lost is not None or self._transport is None:
            raise ConnectionLost(str(self.lost or "the client is not connected"))
        if not batch:
            return []
        future: asyncio.Future[list[T | CommandRefused]] = asyncio.get_running_loop().create_future()
        self._transport.write(b"".join(map(self._conversation.send, batch)))
        self._waiting.append((len(batch), future))
        try:
            async with asyncio.timeout(timeout):
                return await future
        except TimeoutError:
            self._give_up(_silent("the server", timeout))
            raise _silent("the server", timeout) from None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast(asyncio.Transport, transport)
        _set_options(transport.get_extra_info("socket"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        self._give_up(_ended(self._conversation) if exc is None else ConnectionLost(f"the connection broke: {exc}"))
        if not self._closed.done():
            self._closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        if self.lost is not None or self._transport is None:
            return
        try:
            answers = self._conversation.receive(data)
        except ClientError as error:
            self._give_up(error)
            return
        if answers:
            self._transport.write(answers)
        if self._conversation.logged_in and not self._ready.done():
            self._ready.set_result(None)
        done = self._conversation.done
        while self._waiting and len(done) >= self._waiting[0][0]:
            count, future = self._waiting.popleft()
            replies = [done.popleft() for _ in range(count)]
            if not future.done():  # the caller may have been cancelled
                future.set_result(replies)

    def _give_up(self, error: ClientError) -> None:
        """Fail all calls that wait for replies, and all later ones."""
        if self.lost is None:
            self.lost = error
            waiting: list[asyncio.Future[Any]] = [self._ready, *(future for _, future in self._waiting)]
            for future in waiting:
                if not future.done():
                    future.set_exception(error)
                    future.exception()  # marks it as retrieved, in case nobody waits for it any more
            self._waiting.clear()
        if self._transport is not None:
            self._transport.abort()


def _result(reply: T | CommandRefused) -> T:
    if isinstance(reply, CommandRefused):
        raise reply
    return reply


def _ended(conversation: Conversation) -> ConnectionLost:
    broken = "" if conversation.between_replies else " in the middle of a reply"
    return ConnectionLost(f"the server ended the connection{broken}")


def _silent(who: str, seconds: float | None) -> ConnectionLost:
    return ConnectionLost(f"{who} has been silent for {seconds:g} seconds")


def _unreachable(host: str, port: int, error: OSError) -> ConnectionLost:
    # Failed look-ups of a host have negative codes, which strerror() does not know.
    reason = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else error.strerror or error
    return ConnectionLost(f"no connection to {host}:{port}: {reason}")


def _set_options(connected: socket.socket) -> None:
    """Send small packets at once, and notice a dead server."""
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
