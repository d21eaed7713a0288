"""The agent behind a bot, in a process of its own: loading it, or even compiling for it, takes seconds on a busy
machine and must never keep an answer waiting that does not need it.

The bot's process asks by lines of JSON and gets one for each: what kept the agent from being loaded, if anything, then
answers.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any

from cardrome.errors import CallerError, CardromeError

if TYPE_CHECKING:
    from cardrome.games.agents import Agent
    from cardrome.games.locm.protocol.game import LocmView
    from cardrome.games.locm.protocol.reading import Reader

PASS = "PASS"
"""A valid answer in every phase: it takes the first offer, fills a deck, or ends a turn."""

PR_SET_PDEATHSIG = 1
"""Linux: the signal that a process gets when the one that started it ends."""


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


class BrainProcess:
    """A brain in a process that is forked from this one, which has no threads."""

    def __init__(self, agent: str, edition: str, seed: int) -> None:
        questions, answers = os.pipe(), os.pipe()
        parent, self.pid = os.getpid(), os.fork()
        if self.pid == 0:
            os.close(questions[1])
            os.close(answers[0])
            try:
                _think(agent, edition, seed, parent, questions[0], answers[1])
                sys.stdout.flush()  # to where the agent's own prints go
            except Exception:
                traceback.print_exc()
            finally:
                os._exit(0)  # what the other process has begun is not this one's to end
        os.close(questions[0])
        os.close(answers[1])
        self._questions = os.fdopen(questions[1], "w", encoding="utf-8")
        self._answers = os.fdopen(answers[0], encoding="utf-8")
        self._loaded = self._idle = False
        self._unheard: list[tuple[list[str], str]] = []

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the agent, with or without an end. Whether it is loaded; raises whatever keeps it from that."""
        if not self._loaded and select.select([self._answers], [], [], seconds)[0]:
            problem, ours = self._next()
            if problem is not None:
                raise (CallerError if ours else CardromeError)(problem)
            self._loaded = self._idle = True
        return self._loaded

    def wait_or(self, other: int) -> None:
        """Wait until a file descriptor can be read, and notice meanwhile how the loading went."""
        while not self._loaded and other not in select.select([self._answers.fileno(), other], [], [])[0]:
            self.wait()

    def hear(self, message: list[str], answer: str) -> None:
        """Let the agent know of a message that was answered without it."""
        self._unheard.append((message, answer))

    def answer(self, message: list[str], asked: float | None = None) -> str:
        """The agent's answer to a message."""
        self._idle = False
        with contextlib.suppress(BrokenPipeError):  # there will be no answer
            print(json.dumps([self._unheard, message, asked]), file=self._questions, flush=True)
        self._unheard = []
        answer = str(self._next())
        self._idle = True
        return answer

    def end(self) -> None:
        """End the process: by its own way if it waits for a question, at once if it still loads or thinks."""
        if not self._idle:
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._questions.close()
        os.waitpid(self.pid, 0)

    def _next(self) -> Any:
        line = self._answers.readline()
        if not line:
            raise CardromeError("the agent's process has ended")
        return json.loads(line)


def _think(agent: str, edition: str, seed: int, parent: int, questions: int, answers: int) -> None:
    """Run as the brain's process, until its questions end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks ends this one,
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # and nothing is left of it if it is killed
    if os.getppid() != parent:
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)  # what agents print is no answer
    except OSError:  # standard error is closed
        os.dup2(nothing, 1)
    with contextlib.suppress(BrokenPipeError), os.fdopen(questions) as asked, os.fdopen(answers, "w") as said:
        try:
            brain = Brain(agent, edition, seed)
        except CardromeError as error:
            print(json.dumps((str(error), isinstance(error, CallerError))), file=said, flush=True)
            return
        print(json.dumps((None, True)), file=said, flush=True)
        for line in asked:
            unheard, message, moment = json.loads(line)
            for heard, answer in unheard:
                brain.hear(heard, answer)
            print(json.dumps(brain.answer(message, moment)), file=said, flush=True)


def complain(problem: object) -> None:
    """Report a problem on standard error, where it cannot be mistaken for an answer."""
    with contextlib.suppress(OSError):
        print(f"cardrome bot: {problem}", file=sys.stderr, flush=True)
