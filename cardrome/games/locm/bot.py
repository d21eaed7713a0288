"""An agent as a bot: it reads the messages of any LOCM referee from standard input and writes its answers.

Loading NumPy and the compiled rules takes longer than referees grant for most calls, so it happens in another process
(`brain`) while the first messages are awaited and answered. The first call of a phase, for which every referee grants
more time, waits a while for it. A call that cannot wait is answered at once, by a rule of thumb in deck building and by
PASS in battle, and the agent learns of it later. With a warm cache (`cardrome warm`) loading is over before the first
call has to be answered.

There are no threads, and this module imports nothing heavy: on a busy machine whoever has to wake up somebody else to
answer a call is late more easily.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Iterator

from cardrome.games.locm.brain import PASS, BrainProcess, complain

FIRST_DRAFT, DRAFT, CONSTRUCTED, FIRST_BATTLE, BATTLE = 0.8, 0.01, 2.5, 0.6, 0.01
"""Seconds that a call of each kind may wait for loading: well below the limits of all referees. The first call of a
game waits until the process has this age, since its time runs while the process is still starting, and long enough for
a busy machine to load: while that goes on, the calls that follow are late more easily."""

_PAUSE = 0.05
"""Seconds without input after which a message that cannot be read is considered over."""


class Lines:
    """The lines of a file descriptor. While it waits for them, it lets the brain say how its loading went."""

    def __init__(self, descriptor: int, brain: BrainProcess | None = None) -> None:
        self._descriptor = descriptor
        self._brain = brain
        self._waiting = b""

    def next(self) -> str:
        """The next line without its end; `EOFError` at the end of the input."""
        while b"\n" not in self._waiting:
            if self._brain is not None:
                self._brain.wait_or(self._descriptor)
            try:
                chunk = os.read(self._descriptor, 65536)
            except OSError:  # input that can no longer be read has ended
                chunk = b""
            if not chunk:
                raise EOFError
            self._waiting += chunk
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line.decode("ascii", "replace").removesuffix("\r")

    def drop_waiting(self) -> None:
        """Skip whatever has been sent so far."""
        self._waiting = b""
        while select.select([self._descriptor], [], [], _PAUSE)[0] and os.read(self._descriptor, 65536):
            pass


def read_message(lines: Lines) -> list[str] | None:
    """The lines of the next message, or None at the end of the input.

    The counts in a message say how long it is. At a line that cannot be right the message ends, and whatever else has
    been sent is skipped: a referee sends nothing more before it has its answer.
    """
    message: list[str] = []

    def take(fewest: int, most: int) -> list[int] | None:
        """The numbers of the next line; None if there are too few or too many of them."""
        message.append(lines.next())
        numbers = _numbers(message[-1])
        return numbers if fewest <= len(numbers) <= most else None

    try:
        if take(4, 5) and take(4, 5) and (counts := take(1, 2)):
            message += [lines.next() for _ in range(counts[1] if len(counts) > 1 else 0)]
            if cards := take(1, 1):
                message += [lines.next() for _ in range(cards[0])]
                return message
        lines.drop_waiting()
        return message
    except EOFError:
        return None


def _numbers(line: str) -> list[int]:
    """The numbers of a line; none if it holds anything else."""
    try:
        return [int(part) for part in line.split()]
    except ValueError:
        return []


def offered_cards(message: list[str]) -> list[list[str]]:
    """The fields of each card on offer; none in battle. The first eight fields are the same in all editions."""
    cards = []
    for line in reversed(message[4:]):
        fields = line.split()
        if len(fields) < 11 or fields[1] != "-1":
            break
        cards.append(fields)
    return cards[::-1]


def quick_answer(message: list[str]) -> str:
    """An answer that needs nothing loaded: the cards with most attack and defense for their cost, or PASS."""
    cards = offered_cards(message)

    def value(k: int) -> int:
        kind, cost, attack, defense = map(int, cards[k][3:7])
        return attack + defense - 2 * cost if kind == 0 else -100

    try:
        best = sorted(range(len(cards)), key=value, reverse=True)
    except ValueError:
        return PASS
    if len(cards) == 3:
        return f"PICK {best[0]}"
    return ";".join(f"CHOOSE {cards[k][0]}" for k in best[:30]) if len(cards) >= 30 else PASS


def process_age() -> float:
    """Seconds since this process was started; 0 where the system does not say."""
    try:
        with open("/proc/self/stat", encoding="utf-8", errors="replace") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return 0.0


class Bot:
    """Answers messages in order, by the agent as soon as it is loaded."""

    def __init__(self, brain: BrainProcess, clock: bool) -> None:
        self._brain = brain
        self._clock = clock
        self._complained = False
        self._asked: set[bool] = set()

    def answers(self) -> Iterator[str]:
        """One answer for each message, until the input ends. Raises whatever keeps the agent from being loaded."""
        lines = Lines(0, self._brain)
        while (message := read_message(lines)) is not None:
            yield self._answer(time.monotonic(), message)
        if not self._asked:
            self._brain.wait()

    def _answer(self, asked: float, message: list[str]) -> str:
        if self._brain.wait(self._patience(message)):
            return self._brain.answer(message, asked if self._clock else None)
        if not self._complained:
            complain("still loading, so the agent is not asked yet; run `cardrome warm` once to load faster")
            self._complained = True
        answer = quick_answer(message)
        self._brain.hear(message, answer)
        return answer

    def _patience(self, message: list[str]) -> float | None:
        """How many seconds this call may wait for loading; None without a clock."""
        offered = len(offered_cards(message))
        building = offered > 0
        first = building not in self._asked
        self._asked.add(building)
        if not self._clock:
            return None
        if offered > 3:
            return max(DRAFT, CONSTRUCTED - process_age())
        if building:
            return max(DRAFT, FIRST_DRAFT - process_age()) if first else DRAFT
        return FIRST_BATTLE if first else BATTLE


def run_bot(agent: str, edition: str, seed: int, clock: bool = True) -> int:
    """Be a bot on this process's standard input and output until the input ends; returns the exit code.

    Without a clock every call waits for loading, so that the answers depend on the seed alone.
    """
    brain = BrainProcess(agent, edition, seed)
    # Only answers go to the true standard output; what anything else prints goes to standard error.
    output = os.dup(1)
    with contextlib.suppress(OSError):  # standard error is closed
        os.dup2(2, 1)
    code = 0
    try:
        for answer in Bot(brain, clock).answers():
            os.write(output, answer.encode() + b"\n")
    except BrokenPipeError:  # the referee is gone
        pass
    except KeyboardInterrupt:
        code = 130
    finally:
        brain.end()
    return code
