"""Work spread over processes. One that dies is replaced, and what it was working on is tried again.

A bot that runs outside a sandbox can kill, stop or limit the process that referees its games. That does not save it
from losing: a game that does so again is played alone, one bot at a time, and the bot whose turn it then is loses it.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import connection, get_context, resource_tracker, util
from multiprocessing.context import SpawnContext
from typing import Any, Generic, TypeVar

from cardrome.arena.affinity import pinned
from cardrome.arena.players.cgroups import bot_groups, remove_groups_of
from cardrome.arena.players.orphans import adopt_orphans, children, kill_orphans, process_state
from cardrome.arena.working import LIMITED, work_on
from cardrome.errors import CallerError, InfrastructureFault

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""Items handed out to each process: the current one and the next, so that it never waits for us."""
LOOK_SECONDS = 0.5
"""The longest time between two reports, and between two looks whether a process was stopped."""
_END_SECONDS = 10.0
"""How long a process that has nothing more to do may take to end."""
_MANY_DEATHS = 3
"""After so many, an item is played alone as soon as its process has died once."""
_SPAN = 16
"""With ordered results, how far each process may be ahead of the slowest item."""


@dataclass(frozen=True)
class Died:
    """The process that worked on an item died, or had to be killed."""

    reason: str
    retried: bool
    """The item is tried again."""


@dataclass(eq=False)
class _Task(Generic[Item]):
    number: int
    item: Item
    played: Item
    """What is worked on: the item, or what it becomes when a bot is to lose it."""
    deaths: int = 0


_Ended = tuple[int, Item, Result | Died]


@cache
def _spawning() -> SpawnContext:
    """The context for worker processes: fresh interpreters that look for no libraries in the current folder.

    Bots lie in the current folder, and a file called ``random.py`` there must not be taken for a library.
    """
    # They are started with -c, which puts the current folder in front of Python's own modules unless -P is given too.
    # The same holds for the process that multiprocessing starts to clean up behind them. There is no public option.
    module: Any = util
    flags = module._args_from_interpreter_flags
    if "-P" not in flags():
        module._args_from_interpreter_flags = lambda: ["-P", *flags()]
    return get_context("spawn")


class Crew(Generic[Item, Result]):
    """Processes of this machine that work on items."""

    def __init__(
        self,
        work: Callable[[Item], Result],
        jobs: int,
        finish: Callable[[], None] | None = None,
        affinity: bool = False,
        blame: Callable[[Item, int, str], Item | None] | None = None,
    ) -> None:
        """``work`` and ``finish``, which every process calls at its end, must be functions that it can import.

        ``blame`` makes of an item one in which player 0 or 1 loses, for a reason; None if it is not a program.
        """
        self.jobs = jobs
        self._start = partial(_Worker[Item, Result], work, finish, affinity)
        self._blame = blame
        self._workers: list[_Worker[Item, Result]] = []
        self._again: deque[_Task[Item]] = deque()
        self._suspects: deque[_Task[Item]] = deque()
        self._before: Collection[int] = ()
        """Children of this process that are not ours: it had them before there were workers."""
        self._newest = -1
        self._deaths = 0
        self._patience = 2
        """Deaths of its process after which an item is played alone: a single one if there were many, or once a bot
        was found guilty. One that kills each of its processes only once would never be found."""

    def run(self, items: Iterable[Item], span: int | None = None) -> Generator[list[_Ended[Item, Result]], None, None]:
        """Work until there are no more items; yields what ended since the last time, with its number, in any order.

        No item is handed out that is ``span`` or more behind the oldest unfinished one. To stop cleanly, end the
        iterable; closing the generator drops what is being worked on.
        """
        adopt_orphans()  # the bots of a process that was killed become our children
        bot_groups()  # before there are processes in our own group
        if not self._workers:
            self._before = children()
        waiting = (_Task(number, item, item) for number, item in enumerate(items))
        self._newest = -1
        self._again.clear()
        self._suspects.clear()
        try:
            while True:
                busy = [worker for worker in self._workers if worker.tasks]
                if self._suspects and not busy:
                    yield self._play_alone(self._suspects.popleft())
                    continue
                if not self._suspects:
                    self._hand_out(waiting, span)
                    busy = [worker for worker in self._workers if worker.tasks]
                if not busy:
                    return
                yield self._collect(busy)
        finally:
            for worker in [worker for worker in self._workers if worker.tasks]:
                worker.kill()
                self._workers.remove(worker)

    def _hand_out(self, waiting: Iterator[_Task[Item]], span: int | None) -> None:
        """Give every process one item before any gets two."""
        for ahead in range(AHEAD):
            for place in range(self.jobs):
                if place < len(self._workers) and len(self._workers[place].tasks) > ahead:
                    continue
                task = self._again.popleft() if self._again else self._next(waiting, span)
                if task is None:
                    return
                if place >= len(self._workers):
                    self._workers.append(self._start())
                self._workers[place].give(task)

    def _next(self, waiting: Iterator[_Task[Item]], span: int | None) -> _Task[Item] | None:
        """The next item, unless it is too far behind the oldest unfinished one."""
        unfinished = [task.number for worker in self._workers for task in worker.tasks]
        if span is not None and unfinished and self._newest + 1 - min(unfinished) >= span:
            return None
        task = next(waiting, None)
        if task is not None:
            self._newest = task.number
        return task

    def _collect(self, busy: list[_Worker[Item, Result]]) -> list[_Ended[Item, Result]]:
        """What has ended; what was lost with a process is tried again."""
        ready = connection.wait([worker.pipe for worker in busy], LOOK_SECONDS)
        found: list[_Ended[Item, Result]] = []
        for worker in busy:
            if worker.pipe in ready or worker.is_stopped():
                found += [(task.number, task.item, result) for task, result in worker.take()]
            if worker.dead is not None:
                self._workers.remove(worker)
                self._kill_strangers()
                task, *others = worker.tasks
                task.deaths += 1
                self._deaths += 1
                if self._deaths >= _MANY_DEATHS:
                    self._patience = 1
                self._again.extend(others)
                (self._suspects if task.deaths >= self._patience else self._again).append(task)
                found.append((task.number, task.item, Died(f"a worker process {worker.dead}", retried=True)))
        return found

    def _play_alone(self, task: _Task[Item]) -> list[_Ended[Item, Result]]:
        """Play an item that killed its process again, with no other bot running, to see who does it."""
        self.close()  # ends programs that were kept
        self._kill_strangers()
        worker = self._start()
        worker.give(task, alone=True)
        try:
            while not (found := worker.take()) and worker.dead is None:
                connection.wait([worker.pipe], LOOK_SECONDS)
                worker.is_stopped()
        finally:
            worker.kill()
            self._kill_strangers()
        if found:
            return [(task.number, task.item, result) for task, result in found]
        reason = f"the process that refereed the game {worker.dead}, again and with nothing but this bot running"
        lost = None
        if self._blame is not None and worker.player is not None:
            lost = self._blame(task.played, worker.player, reason)
        if lost is None:
            return [(task.number, task.item, Died(f"a worker process {worker.dead}", retried=False))]
        self._patience = 1
        task.played, task.deaths = lost, 0
        self._again.append(task)
        return []

    def _kill_strangers(self) -> None:
        """Kill what the bots of dead processes left behind, also what hides: it could kill others to frame a bot."""
        kill_orphans(self._before, strangers=True)

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.dismiss()
        while self._workers:
            self._workers.pop().bury()


class _Worker(Generic[Item, Result]):
    """A process that works on the items it receives, one after the other."""

    def __init__(self, work: Callable[[Item], Result], finish: Callable[[], None] | None, affinity: bool) -> None:
        context = _spawning()
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=work_on, args=(theirs, work, finish, affinity), daemon=True)
        # Ctrl-C is for this process. The new one starts with the signal blocked, and unblocks it once it ignores it.
        # The first process would bring the tracker of resources with it, whose start unblocks the signal too early.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self.tasks: deque[_Task[Item]] = deque()
        """What it has not finished, in order."""
        self.player: int | None = None
        """Whose turn it is, if bots play one at a time."""
        self.dead: str | None = None
        """How the process ended, if it did."""
        self._look_at = 0.0
        self._looked_stopped = False

    def give(self, task: _Task[Item], alone: bool = False) -> None:
        """Send an item. If the process is gone, `take` notices."""
        self.tasks.append(task)
        with contextlib.suppress(OSError):
            self.pipe.send((task.played, alone))

    def take(self) -> list[tuple[_Task[Item], Result]]:
        """What has ended; `dead` says whether the process is."""
        ended: list[tuple[_Task[Item], Result]] = []
        try:
            while self.dead is None and self.tasks and self.pipe.poll():
                kind, value = self.pipe.recv()
                if kind == "turn":
                    self.player = value
                elif kind == "done":
                    ended.append((self.tasks.popleft(), value))
                else:
                    raise _ERRORS[kind](value)
        except (EOFError, OSError):
            self._process.join(1.0)
            self.kill()
            self.dead = _how(self._process.exitcode)
        return ended

    def is_stopped(self) -> bool:
        """Whether somebody has stopped the process, which would hang it: it is killed."""
        now = time.monotonic()
        if now < self._look_at:
            return False
        self._look_at = now + LOOK_SECONDS
        stopped = process_state(self._process.pid or 0) in ("T", "t")
        # Seen twice, since a terminal stops and continues all processes, one after the other.
        if stopped and self._looked_stopped:
            self._process.kill()
            self.kill()
            self.dead = "was stopped"
        self._looked_stopped = stopped
        return self.dead is not None

    def dismiss(self) -> None:
        """Let the process end once its items are done."""
        self.pipe.close()

    def bury(self) -> None:
        """Wait for the process to end; kill it if that takes too long."""
        self._process.join(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process now. It is asked first, so that it can kill its bots."""
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_END_SECONDS)  # a daemon of a bot that traces it could make this last for ever
        self.pipe.close()
        remove_groups_of(self._process.pid or 0)
        kill_orphans()


def _how(code: int | None) -> str:
    """How a process ended."""
    if code is None:
        return "could not be ended"
    if code == LIMITED:
        return "had its limits lowered"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


_ERRORS: dict[str, type[Exception]] = {"caller": CallerError, "fault": InfrastructureFault, "bug": RuntimeError}


def spread(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int,
    finish: Callable[[], None] | None = None,
    affinity: bool = False,
    blame: Callable[[Item, int, str], Item | None] | None = None,
    apart: bool = False,
    retried: Callable[[int, str], None] | None = None,
) -> Generator[Result, None, None]:
    """The results of the items, in order; with several jobs, or ``apart``, they are computed by a `Crew` of processes.

    ``finish`` is called at the end in every process that has worked. With ``affinity`` every process keeps to a core of
    its own, if there are enough. ``retried`` is told the number of an item that is tried again, and why.
    """
    if jobs <= 1 and not apart:
        try:
            for item in items:
                with pinned(affinity):  # item by item, since the caller's own code runs between them
                    result = work(item)
                yield result
        finally:
            if finish is not None:
                finish()
        return
    crew: Crew[Item, Result] = Crew(work, jobs, finish, affinity, blame)
    finished: dict[int, Result] = {}
    following = 0
    with contextlib.closing(crew), contextlib.closing(crew.run(items, _SPAN * jobs)) as batches:
        for batch in batches:
            for number, _, outcome in batch:
                if not isinstance(outcome, Died):
                    finished[number] = outcome
                elif not outcome.retried:
                    raise InfrastructureFault(f"{outcome.reason}, every time it was tried")
                elif retried is not None:
                    retried(number, outcome.reason)
            while following in finished:
                yield finished.pop(following)
                following += 1
