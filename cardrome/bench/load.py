"""Load for an event server: many teams that ask and act in all their matches, turn by turn, and time the answers.

    python -m cardrome.bench.load                     40 teams, 1,560 matches, 60 turns of a second
    python -m cardrome.bench.load --teams 10 --turns 20

The server and the teams run in two processes on this machine. Every team asks and acts, about fifteen commands, in
every match in which it may move. Afterwards the same machine echoes lines with a bare asyncio server, for comparison.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
import urllib.request
from collections.abc import Sequence
from typing import cast

import msgspec
import numpy as np

from cardrome.arena.event_loop import run
from cardrome.bench.server import PASSWORD, QUESTIONS, event_server, measure, replies_in
from cardrome.errors import CardromeError

_PATIENCE = 10.0
"""Seconds after which an answer that has not come will not come."""
_TOGETHER = 5
"""Matches in which a team moves at a time: it sends what it has to say in all of them, and awaits the replies."""
_REMEMBERED = 2
"""Creatures that a team commands in each match."""


class LoadReport(msgspec.Struct, frozen=True):
    """What the teams saw."""

    teams: int
    matches: int
    turns: int
    """Turns in which every team took part, at the least."""
    commands: int
    refused: int
    unanswered: int
    seconds: float
    commands_per_second: float
    median_ms: float
    p99_ms: float
    worst_ms: float


class _Match:
    """What a team knows of one of its matches."""

    __slots__ = ("creatures", "id", "to_move")

    def __init__(self, number: bytes, to_move: bool) -> None:
        self.id = number
        self.to_move = to_move
        self.creatures: list[bytes] = []


class _Line(asyncio.Protocol):
    """A connection on which some commands are sent together, and their replies awaited together."""

    def __init__(self) -> None:
        self.sent = self.answered = self.refused = 0
        self.times: list[tuple[float, int]] = []
        """Seconds until all replies to some commands had come, and how many commands these were."""
        self.matches = self.turns = 0
        self.is_waiting = False
        self._buffer: list[bytes] = []
        self._expected = 0
        self._found: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected."""
        self.transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        """The server is gone: whoever waits for an answer gets none."""
        if self._found is not None and not self._found.done():
            self._found.set_exception(error or CardromeError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        """Count what came; lines of data hold numbers and one letter, so replies are easily told apart."""
        self._buffer.append(data)
        if data.endswith(b"\n") and self._found is not None:
            text = b"".join(self._buffer)
            if replies_in(text) >= self._expected:
                self._buffer.clear()
                found, self._found = self._found, None
                found.set_result(text)

    async def exchange(self, data: bytes, replies: int) -> bytes:
        """Send commands; returns all their replies."""
        self._found = asyncio.get_running_loop().create_future()
        self._expected = replies
        self.sent += replies
        start = time.perf_counter()
        self.transport.write(data)
        text = await self._found
        self.times.append((time.perf_counter() - start, replies))
        self.answered += replies
        self.refused += text.count(b"ERR ")
        return text

    async def wait(self) -> None:
        """WAIT: both its replies are awaited, and no time is taken."""
        self.is_waiting = True
        try:
            await self.exchange(b"WAIT\n", 2)
            self.times.pop()
        except asyncio.CancelledError:
            self.sent -= 2
            raise
        finally:
            self.is_waiting = False


async def _play(line: _Line, name: str) -> None:
    """A team's part: log in, then in every turn go through the matches in which it may move, until cancelled."""
    while b"LOGIN\n" not in b"".join(line._buffer):
        await asyncio.sleep(0.01)
    line._buffer.clear()
    line.transport.write(f"{name}\n{PASSWORD}\n".encode())
    while not b"".join(line._buffer).endswith(b"OK\n"):
        await asyncio.sleep(0.01)
    line._buffer.clear()
    await line.wait()
    answer = await line.exchange(b"GET_MY_MATCHES\n", 1)
    ids = answer.splitlines()[2].split()
    info = await line.exchange(b"".join(b"GET_TURN_INFO %b\n" % number for number in ids), len(ids))
    first = [words == b"1" for words in (row.split()[0] for row in info.splitlines()) if words in (b"0", b"1")]
    matches = [_Match(number, to_move) for number, to_move in zip(ids, first, strict=True)]
    line.matches = len(matches)
    line.times.clear()
    while True:
        moving = [match for match in matches if match.to_move]
        for start in range(0, len(moving), _TOGETHER):
            await _move(line, moving[start : start + _TOGETHER])
        for match in matches:
            match.to_move = not match.to_move
        line.turns += 1
        await line.wait()


async def _move(line: _Line, matches: list[_Match]) -> None:
    """Fifteen commands on each of some matches: eight questions, three to see what there is, four to use it."""
    asked = [b"%b %b\n" % (question, match.id) for match in matches for question in _QUESTIONS]
    await line.exchange(b"".join(asked), len(asked))
    begun = [b"FINISH_BLOCK %b\nDRAW_CARD %b\nDRAW_CARD %b\n" % (match.id, match.id, match.id) for match in matches]
    answers = await line.exchange(b"".join(begun), 3 * len(matches))
    commands = [
        command for match, drawn in zip(matches, _drawn(answers), strict=True) for command in _use(match, drawn)
    ]
    await line.exchange(b"".join(commands), len(commands))


def _drawn(answers: bytes) -> list[list[bytes]]:
    """The cards that were drawn in each match, from the replies to three commands on each."""
    found: list[list[bytes]] = []
    replies = -1
    for row in answers.splitlines():
        if row == b"OK" or row.startswith(b"ERR"):
            replies += 1
            if replies % 3 == 0:
                found.append([])
        else:
            found[-1].append(row)
    return found


def _use(match: _Match, drawn: list[bytes]) -> list[bytes]:
    """Four commands that do something with creatures on the board and cards that were drawn."""
    number = match.id
    commands = [b"ATTACK %b %b\n" % (number, creature) for creature in match.creatures[:1]]
    commands += [b"ADD_MANA %b %b\n" % (number, creature) for creature in match.creatures[1:]]
    for row in drawn:
        card = row.split()
        commands.append(b"PLAY_CARD %b %b -1\n" % (number, card[0]))
        if card[1] == b"C" and card[5] == b"0" and len(match.creatures) < _REMEMBERED:
            match.creatures.append(card[0])
    return commands + [b"BURN_CARD %b\n" % number] * (4 - len(commands))


_QUESTIONS = [question.encode() for question in QUESTIONS]


async def load(port: int, teams: Sequence[str], seconds: float) -> LoadReport:
    """Let teams play all at once, for some time after the last of them has logged in, and tell how they were answered.

    The event must begin when all are connected, and last longer.
    """
    loop = asyncio.get_running_loop()
    lines = [(await loop.create_connection(_Line, "127.0.0.1", port))[1] for _ in teams]
    tasks = [loop.create_task(_play(line, name)) for line, name in zip(lines, teams, strict=True)]
    while not all(line.matches for line in lines):
        await asyncio.sleep(0.05)
    start = time.perf_counter()
    before = sum(line.answered for line in lines)
    await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    taken_seconds = time.perf_counter() - start
    turns = min(line.turns for line in lines)
    answered = sum(line.answered for line in lines)
    await _let_finish(lines, tasks)
    for line in lines:
        line.transport.close()
    taken = np.array([time for line in lines for time, _ in line.times]) * 1000
    weights = np.array([count for line in lines for _, count in line.times])
    order = np.argsort(taken)
    share = np.cumsum(weights[order]) / weights.sum()
    return LoadReport(
        teams=len(teams),
        matches=sum(line.matches for line in lines) // 2,
        turns=turns,
        commands=sum(line.sent for line in lines),
        refused=sum(line.refused for line in lines),
        unanswered=sum(line.sent - line.answered for line in lines),
        seconds=taken_seconds,
        commands_per_second=(answered - before) / taken_seconds,
        median_ms=float(taken[order][np.searchsorted(share, 0.5)]),
        p99_ms=float(taken[order][np.searchsorted(share, 0.99)]),
        worst_ms=float(taken.max()),
    )


async def _let_finish(lines: list[_Line], tasks: list[asyncio.Task[None]]) -> None:
    """Stop the teams where they wait for a turn; answers that are on their way are awaited."""
    stop = time.perf_counter() + _PATIENCE
    while tasks and time.perf_counter() < stop:
        for line, task in zip(lines, tasks, strict=True):
            if line.is_waiting:
                task.cancel()
        if all(task.done() for task in tasks):
            break
        await asyncio.sleep(0.001)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception) and not isinstance(result, (CardromeError, OSError)):
            raise result


def main() -> None:
    """Load a server and print what came of it."""
    parser = argparse.ArgumentParser(description="Load an event server.")
    parser.add_argument("--teams", type=int, default=40)
    parser.add_argument("--turns", type=int, default=60, help="turns of a match")
    parser.add_argument("--turn-seconds", type=float, default=1.0)
    parser.add_argument("--no-echo", action="store_true", help="leave out the comparison with an echo server")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    teams = [f"team{i}" for i in range(options.teams)]
    # All come from one address here, and all log in at once before the first tournament begins.
    server_text = f"turn_seconds = {options.turn_seconds}\nconnections_per_address = 1000\nlogin_seconds = 60"
    event_text = 'pause = 600\nroster = "connected"\nmin_teams = ' + str(len(teams))
    rules_text = f"turns = {options.turns}"
    with event_server(teams, server_text, rules_text, event_text, page=True) as server:
        report = run(load(server.port, teams, (options.turns - 4) * options.turn_seconds))
        with urllib.request.urlopen(f"{server.page}live/status.json") as answer:
            status = json.load(answer)["load"]
    result = {
        **msgspec.structs.asdict(report),
        "ticks": status["ticks"],
        "late_ticks": status["late_ticks"],
        "worst_tick_ms": round(status["worst_lag_ms"], 1),
    }
    if not options.no_echo:
        rates = measure(2.0)
        result |= msgspec.structs.asdict(rates)
        result["pipelined_to_echo"] = round(rates.pipelined / rates.echo_pipelined, 2)
        result["one_at_a_time_to_echo"] = round(rates.one_at_a_time / rates.echo_one_at_a_time, 2)
    if options.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(
            f"{name.replace('_', ' '):24} {value:,.2f}"
            if isinstance(value, float)
            else f"{name.replace('_', ' '):24} {value:,}"
        )


if __name__ == "__main__":
    main()
