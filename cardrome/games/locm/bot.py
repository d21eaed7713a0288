"""An agent as a bot: it reads the messages of any LOCM referee from standard input and writes its answers.

Loading NumPy and the compiled rules takes longer than referees grant for most calls, so it happens in a thread while
the first messages are awaited and answered. The first call of a phase, for which every referee grants more time, waits
a while for it. A call that cannot wait is answered at once, by a rule of thumb in deck building and by PASS in battle,
and the agent learns of it later. With a warm cache (`cardrome warm`) loading is over before the first call has to be
answered.

One thread loads, one reads lines and puts whole messages into a queue, and the main thread answers them. This module
therefore imports nothing heavy at its top.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeAlias

from cardrome.errors import CardromeError

if TYPE_CHECKING:
    from cardrome.games.agents import Agent
    from cardrome.games.locm.protocol.game import LocmView
    from cardrome.games.locm.protocol.reading import Reader

PASS = "PASS"
"""A valid answer in every phase: it takes the first offer, fills a deck, or ends a turn."""

FIRST_DRAFT, DRAFT, CONSTRUCTED, FIRST_BATTLE, BATTLE = 0.8, 0.01, 2.5, 0.6, 0.01
"""Seconds that a call of each kind may wait for loading: well below the limits of all referees. The first call of a
game waits until the process has this age, since its time runs while the process is still starting, and long enough for
a busy machine to load: while that goes on, the calls that follow are late more easily."""

_PAUSE = 0.05
"""Seconds without input after which a message that cannot be read is considered over."""

_SWITCH = 0.0005
"""Seconds after which the loading thread lets others go on: a call must not wait long for it."""


Asked: TypeAlias = tuple[float, list[str]]
"""A message, and when its last line came, by `time.monotonic`."""


class Lines:
    """The lines of a file descriptor. Python's own reader would hold a lock that keeps the process from ending."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting = b""

    def next(self) -> str:
        """The next line without its end; `EOFError` at the end of the input."""
        while b"\n" not in self._waiting:
            chunk = os.read(self._descriptor, 65536)
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


class Brain:
    """The agent and what it knows: all that takes time to load."""

    def __init__(self, agent: str, edition: str, seed: int) -> None:
        from cardrome.games.agents import find_agent
        from cardrome.games.locm.agents.registry import AGENTS
        from cardrome.games.locm.protocol.reading import Reader
        from cardrome.games.locm.rules.edition import find_edition

        self.reader: Reader = Reader(find_edition(edition))
        kind = find_agent(agent, AGENTS)
        if kind.check is not None:
            kind.check(self.reader.edition)
        ours = kind.kernel is not None or kind.check is not None  # others may not expect a blank position
        self._load_rules(kind.new(seed) if ours else None)
        self.agent: Agent = kind.new(seed)

    def _load_rules(self, agent: Agent | None) -> None:
        """Load every compiled entry that a turn needs, by calling it."""
        from cardrome.games.locm.protocol.game import LocmView, game_at
        from cardrome.games.locm.rules import actions
        from cardrome.games.locm.rules.deal import blank_deals
        from cardrome.games.locm.rules.state import BATTLE as BATTLE_PHASE
        from cardrome.games.locm.rules.state import new_states
        from cardrome.games.locm.rules.view import hide_in_place

        edition = self.reader.edition
        deals, states = blank_deals(edition), new_states()
        actions.new_game(edition.rules, states, 0)
        states["phase"] = BATTLE_PHASE
        hide_in_place(edition.rules, deals, states, 0, 0, 0)
        view = LocmView(edition, deals, states, ((), ()), 0)
        if agent is not None:
            agent.act(view)
        _ = view.legal_actions
        view.find_code(1, 0, 0)
        game_at(edition, deals, states).try_play(1)

    def hear(self, message: list[str], answer: str) -> None:
        """Take note of a message that was answered without the agent."""
        try:
            self.reader.read("\n".join(message))
            self.reader.answered(answer)
        except Exception as error:  # a message is never worth a crash
            complain(error if isinstance(error, CardromeError) else repr(error))

    def answer(self, message: list[str], asked: float | None = None) -> str:
        """The agent's answer to a message; PASS if the message cannot be read. With a clock, the moment it came."""
        try:
            view = self.reader.read("\n".join(message))
        except Exception as error:
            complain(error if isinstance(error, CardromeError) else repr(error))
            return PASS
        self.agent.due = None if asked is None else (asked, asked + self._limit(view))
        answer = decide_turn(self.agent, view)
        self.reader.answered(answer)
        return answer

    def _limit(self, view: LocmView) -> float:
        """Seconds that the referee grants for a call like this one, the first of its kind excepted."""
        limits = view.edition.limits
        return (limits.battle if view.phase == "battle" else limits.build) / 1000


def decide_turn(agent: Agent, view: LocmView) -> str:
    """Everything that an agent does in a turn, or chooses at once, as one answer line. Its actions change the view.

    If the agent fails, the turn ends with what it has done so far.
    """
    phase = view.phase
    actions: list[str] = []
    try:
        _act(agent, view, actions)
    except Exception as error:  # whatever an agent does wrong, the bot goes on
        complain(f"the agent failed: {error!r}")
        if phase == "constructed":
            actions.append(PASS)  # fills the deck
    return ";".join(actions) or PASS


def _act(agent: Agent, view: LocmView, actions: list[str]) -> None:
    """Let an agent act until its turn is over, or fail; its actions are added to the list."""
    from cardrome.games.locm.protocol.game import game_at

    game = game_at(view.edition, view.deals, view.states, view.performed)
    phase = view.phase
    while view.to_move == view.viewer and view.phase == phase:
        planned = list(agent.plan(view))
        if not planned:
            raise ValueError("it planned no action")
        for choice in planned:
            action = view.legal_action(choice)
            if action == PASS:
                return
            actions.append(action)
            if phase == "draft":
                return  # one card at a time, and the last one must not start a battle that the view cannot know
            game.try_play(action.code)
            view.performed = game.performed
            if view.to_move != view.viewer or view.phase != phase:
                break


def process_age() -> float:
    """Seconds since this process was started; 0 where the system does not say."""
    try:
        with open("/proc/self/stat", encoding="utf-8", errors="replace") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return 0.0


def complain(problem: object) -> None:
    """Report a problem on standard error, where it cannot be mistaken for an answer."""
    with contextlib.suppress(OSError):
        print(f"cardrome bot: {problem}", file=sys.stderr, flush=True)


class Bot:
    """Answers messages in order, by the agent as soon as it is loaded."""

    def __init__(self, messages: queue.SimpleQueue[Asked | None], brain: Future[Brain], clock: bool) -> None:
        self._messages = messages
        self._loading = brain
        self._clock = clock
        self._unheard: list[tuple[list[str], str]] = []
        self._asked: set[bool] = set()

    def answers(self) -> Iterator[str]:
        """One answer for each message, until the input ends. Raises whatever keeps the agent from being loaded."""
        while True:
            asked = self._messages.get()
            if asked is None:
                if self._loading.done() or not self._asked:
                    self._loading.result()  # raises what went wrong, if anything did
                return
            yield self._answer(*asked)

    def _answer(self, asked: float, message: list[str]) -> str:
        try:
            brain = self._loading.result(self._patience(message))
        except TimeoutError:
            if not self._unheard:
                complain("still loading, so the agent is not asked yet; run `cardrome warm` once to load faster")
            answer = quick_answer(message)
            self._unheard.append((message, answer))
            return answer
        for heard, answer in self._unheard:
            brain.hear(heard, answer)
        self._unheard = []
        return brain.answer(message, asked if self._clock else None)

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
    # Only answers go to the true standard output; what anything else prints, such as the agent, goes to standard error.
    output = os.dup(1)
    with contextlib.suppress(OSError):  # standard error is closed
        os.dup2(2, 1)
    messages: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
    brain: Future[Brain] = Future()

    def load() -> None:
        try:
            brain.set_result(Brain(agent, edition, seed))
        except BaseException as error:
            brain.set_exception(error)
            messages.put(None)  # wakes the main thread, which raises it

    def listen() -> None:
        lines = Lines(0)
        with contextlib.suppress(OSError):  # input that can no longer be read has ended
            while (message := read_message(lines)) is not None:
                messages.put((time.monotonic(), message))
        messages.put(None)

    sys.setswitchinterval(_SWITCH)
    for work in (load, listen):
        threading.Thread(target=work, daemon=True).start()
    code = 0
    try:
        for answer in Bot(messages, brain, clock).answers():
            os.write(output, answer.encode() + b"\n")
    except BrokenPipeError:  # the referee is gone
        pass
    except KeyboardInterrupt:
        code = 130
    if not brain.done():
        os._exit(code)  # a thread that is compiling cannot be ended in any other way
    return code
