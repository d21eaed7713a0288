"""`check-bot`: games and rare positions played against a bot, and every fault explained to its author.

Where a referee would end the game at the first fault, the check goes on as if the bot had passed, so that one session
shows as many faults as possible. A run ends early only when the bot's process is gone or silent.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import AgentPlayer
from cardrome.arena.players.process import BotProcess
from cardrome.engine.random import player_seed
from cardrome.errors import BotFailure, CallerError
from cardrome.escaping import printable
from cardrome.games.examiner import Examiner, Judgement, Kinds, Remark, Severity, kinds, shown
from cardrome.games.family import find_family
from cardrome.games.game import Game
from cardrome.games.replays import Call, ProgramRecorder
from cardrome.wording import counted

KINDS = kinds(
    errors={
        "no-start": "The bot cannot be started.",
        "early-output": "The bot writes before it is asked anything. The line becomes its first answer.",
        "crash": "The bot's process ends, or closes its output, in the middle of a game.",
        "timeout": "The bot does not answer at all.",
        "late": "An answer comes after the time limit. The referee does not wait for it: the game is lost.",
        "too-much-output": "The bot writes without ever ending the line.",
        "noise": "Something else is written to standard output ahead of the answer, and is taken for the answer. "
        "Write debugging text to standard error.",
        "extra-output": "More than one line is written for one input. Each further line answers a later input.",
    },
    warnings={
        "slow-start": "The first answer takes longer than the official limit: only the start allowance saves it.",
        "slow": "An answer takes more than half of its time limit.",
    },
    notes={
        "non-ascii": "Text beyond ASCII.",
        "only-pass": "The bot could have acted and never did.",
        "gave-up": "The check stopped early, since the bot never got beyond the first question.",
    },
)
"""The kinds of fault that bots of every game can have."""

EDGE_TURNS = 3
"""Turns of the bot that are played from a rare position."""

_GLANCE = 0.001
"""Seconds to look for a line that should not be there, before each question."""
_SETTLE = 0.05
"""Seconds to wait for one when there is reason to expect it."""
_MOST_LINES = 100
"""Lines read without a question in one go. A bot that never stops writing must not hold us up."""
_HOPELESS = 2
"""Runs that fail at their first question before the check gives up."""


@dataclass(frozen=True, slots=True)
class Example:
    """Where a fault occurred: the run, the question's number in it, and the line the bot wrote."""

    where: str
    line: str
    message: str
    expected: str
    stderr: str = ""


@dataclass(slots=True)
class Finding:
    """All faults of one kind."""

    kind: str
    severity: Severity
    meaning: str
    example: Example
    count: int = 1


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the bot thought about one kind of question."""

    question: str
    limit_ms: float
    answers: int
    median_ms: float
    longest_ms: float


@dataclass(slots=True)
class CheckReport:
    """The result of a check. Findings are added to it while it runs."""

    command: list[str]
    edition: str
    seed: int
    kinds: Kinds
    runs: int = 0
    calls: int = 0
    _found: dict[str, Finding] = field(default_factory=dict)
    _times: dict[tuple[str, float], list[float]] = field(default_factory=dict)

    def add(self, kind: str, example: Example) -> None:
        """Add one more fault; the first of each kind is kept as the example."""
        found = self._found.get(kind)
        if found is not None:
            found.count += 1
        else:
            self._found[kind] = Finding(kind, *self.kinds[kind], example)

    def add_time(self, question: str, limit_ms: float, ms: float) -> None:
        """Add one more answer."""
        self._times.setdefault((question, limit_ms), []).append(ms)

    @property
    def findings(self) -> list[Finding]:
        """What was found, the gravest first."""
        found = [self._found[kind] for kind in self.kinds if kind in self._found]
        return sorted(found, key=lambda finding: list(Severity).index(finding.severity))

    @property
    def timings(self) -> list[Timing]:
        """How long the bot thought, by kind of question."""
        longest: dict[str, float] = {}
        for question, limit in self._times:
            longest[question] = max(limit, longest.get(question, 0))
        several = {question for question, limit in self._times if limit < longest[question]}
        return [
            Timing(
                f"first {question}" if question in several and limit == longest[question] else question,
                limit,
                len(times),
                round(statistics.median(times), 1),
                round(max(times), 1),
            )
            for (question, limit), times in self._times.items()
        ]

    def total(self, severity: Severity) -> int:
        """How many faults of a severity were seen, repetitions included."""
        return sum(finding.count for finding in self._found.values() if finding.severity is severity)

    @property
    def verdict(self) -> str:
        """The result in a line."""
        errors, warnings = self.total(Severity.ERROR), self.total(Severity.WARNING)
        calls = counted(self.calls, "call")
        if errors + warnings == 0:
            return f"no faults found in {calls}"
        return f"{counted(errors, 'error')}, {counted(warnings, 'warning')} in {calls}"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, for programs."""
        return {
            "command": self.command,
            "edition": self.edition,
            "seed": self.seed,
            "runs": self.runs,
            "calls": self.calls,
            **{f"{severity}s": self.total(severity) for severity in Severity},
            "findings": msgspec.to_builtins(self.findings),
            "timings": msgspec.to_builtins(self.timings),
            "verdict": self.verdict,
        }


def find_examiner(edition: str) -> Examiner:
    """Who judges bots that play the edition; `CallerError` if programs cannot play it."""
    family = find_family(edition)
    if family.examiner is None:
        raise CallerError(f"check-bot cannot check programs for {edition}: {family.no_programs}")
    return family.examiner


def check_bot(
    command: Sequence[str],
    edition: str,
    seed: int = 0,
    games: int = 4,
    clock: Clock = Clock(),
    edges: Sequence[str] | None = None,
    quiet_seconds: float = 0.5,
    progress: Callable[[int], None] = lambda finished: None,
    folder: Path | None = None,
) -> CheckReport:
    """Play games and rare positions against a bot; the report has everything it did wrong.

    ``edges`` names the positions, by default all that the game's examiner has. Before everything else the bot is left
    alone for ``quiet_seconds``, to see whether it writes unasked. It runs in ``folder``.
    """
    examiner, family = find_examiner(edition), find_family(edition)
    report = CheckReport(list(command), edition, seed, {**KINDS, **examiner.kinds})
    checker = _Checker(report, examiner, clock, partial(BotProcess, report.command, folder=folder))
    if not checker.watch_start(quiet_seconds):
        return report
    runs: list[tuple[str, str | None]] = [(f"game {k + 1}", None) for k in range(games)]
    runs += [(f"position: {name}", name) for name in (examiner.edges if edges is None else edges)]
    for k, (name, edge) in enumerate(runs):
        within_64_bits = (seed + k + (1 << 63)) % (1 << 64) - (1 << 63)
        deal = family.deal(family.editions[edition], {"seed": str(within_64_bits)})
        recorder = family.record(family.editions[edition], deal, ("player 0", "player 1"))
        assert isinstance(recorder, ProgramRecorder)
        opponent = AgentPlayer(family.find_agent(examiner.opponents[k // 2 % len(examiner.opponents)]))
        checker.play(name, recorder, deal.seed, k % 2, opponent, edge)
        progress(k + 1)
        if checker.hopeless >= _HOPELESS:
            message = f"the bot failed at the first question {counted(checker.hopeless, 'time')}"
            report.add("gave-up", Example(f"after {name}", "", message, "fix the errors above and check again"))
            break
    checker.finish()
    return report


class _Checker:
    """Plays runs, each with a fresh process, and writes down what happens."""

    def __init__(self, report: CheckReport, examiner: Examiner, clock: Clock, start: Callable[[], BotProcess]) -> None:
        self.report, self.examiner, self.clock, self._start = report, examiner, clock, start
        self.hopeless = 0
        self._chances = 0  # battle questions with something to do
        self._actions = 0
        self._where = ""
        self._first = True

    def watch_start(self, seconds: float) -> bool:
        """Start the bot and ask it nothing; returns whether it can be started at all."""
        self._where = "before the first input"
        try:
            with self._start() as bot:
                line = bot.ask(b"", seconds).decode("utf-8", "replace")
                self._add(Remark("early-output", "a line nobody asked for", "silence until the first input"), line)
        except BotFailure as failure:
            if failure.kind == "no-start":
                self._add(Remark("no-start", str(failure), "a program and its arguments, as in 'python3 bot.py'"))
                return False
            if failure.kind != "timeout":  # silence is what we hope for
                self._fail(failure)
        return True

    def play(
        self, name: str, recorder: ProgramRecorder, seed: int, seat: int, opponent: AgentPlayer, edge: str | None
    ) -> None:
        """Play a whole game, or what comes before the battle and then some turns from a rare position."""
        self.report.runs += 1
        self._first = True
        opponent.begin(player_seed(seed, 1 - seat))
        title = f"{name}, seed {seed}, player {seat}"
        self._where = f"{title}, at the start"
        try:
            with self._start() as bot:
                if edge is None:
                    self._converse(bot, recorder, seat, opponent, f"{title} against {opponent.name}")
                else:
                    self._converse(bot, recorder, seat, opponent, title, until_battle=True)
                    at_edge = self.examiner.edge(edge, recorder.agent_game(), seat)
                    if at_edge is not None:
                        self._converse(bot, at_edge, seat, opponent, title, EDGE_TURNS)
                self._end(bot)
        except BotFailure as failure:
            self._fail(failure)
            self.hopeless += self._first

    def finish(self) -> None:
        """Judge what only all runs together show."""
        if self._chances > 0 and self._actions == 0:
            message = f"no action was carried out in {counted(self._chances, 'turn')} that offered some"
            self._where = "all runs"
            self._add(Remark("only-pass", message, "an action now and then"))

    def _converse(
        self,
        bot: BotProcess,
        recorder: ProgramRecorder,
        seat: int,
        opponent: AgentPlayer,
        title: str,
        turns: int | None = None,
        until_battle: bool = False,
    ) -> None:
        """Put the questions of a game to the bot and the opponent, until it is over or enough was seen."""
        asked = 0
        while (call := recorder.call) is not None:
            if until_battle and call.phase == "battle":
                return
            if call.player != seat:
                opponent.answer(recorder, call, None)
                continue
            if asked == turns:
                return
            asked += 1
            self._where = f"{title}, {call.phase} question {asked}"
            line, judgement = self._question(bot, recorder.agent_game(), call)
            if judgement.readable:
                recorder.answer(line)
            else:
                recorder.act([])

    def _question(self, bot: BotProcess, game: Game, call: Call) -> tuple[str, Judgement]:
        """Ask the bot, and judge what it answers."""
        if not self._first:
            self._take_unasked(bot, _GLANCE)
        seconds = self.clock.seconds(call, self._first)
        patience = None if seconds is None else 3 * seconds + 1
        self.report.calls += 1
        start = time.monotonic()
        raw = bot.ask(call.text.encode(), patience)
        self._judge_time(call, (time.monotonic() - start) * 1000)
        self._first = False
        answers = [self._judge(game, call, raw)]
        # A line that cannot be read may be debugging text ahead of the real answer.
        while not answers[-1][1].readable and len(answers) < _MOST_LINES:
            further = self._line(bot, _SETTLE)
            if further is None:
                break
            answers.append(self._judge(game, call, further))
        (line, judgement), *others = answers
        if others and others[-1][1].readable:
            ahead = "a line is" if len(others) == 1 else f"{len(others)} lines are"
            expected = f"only the answer, {shown(others[-1][0])}"
            self._add(Remark("noise", f"{ahead} written ahead of the answer", expected), line)
            line, judgement = others[-1]
        else:
            for other, _ in others:
                self._add(_EXTRA, other)
        for remark in judgement.remarks:
            self._add(remark, line)
        if call.phase == "battle":
            self._chances += len(game.legal_codes()) > 1
            self._actions += judgement.actions
        return line, judgement

    def _judge(self, game: Game, call: Call, raw: bytes) -> tuple[str, Judgement]:
        """A line that the bot wrote, and what there is to say about it."""
        line = raw.decode("utf-8", "replace")
        judgement = self.examiner.judge(game, call, line)
        if raw.isascii():
            return line, judgement
        problem = "the line is not valid UTF-8" if "\ufffd" in line else "the line has characters beyond ASCII"
        remark = Remark("non-ascii", problem, "ASCII: not every viewer and referee shows anything else")
        return line, Judgement(judgement.readable, (remark, *judgement.remarks), judgement.actions)

    def _judge_time(self, call: Call, ms: float) -> None:
        """Compare a time with its limit. Process start is allowed for once, in the first answer."""
        question = "first answer" if self._first else call.phase
        if not self.clock.running or call.limit_ms is None:
            self.report.add_time(question, 0, ms)
            return
        limit, allowed = call.limit_ms * self.clock.scale, (self.clock.seconds(call, self._first) or 0) * 1000
        self.report.add_time(question, limit, ms)
        expected = f"an answer within {limit:g} ms"
        if ms > allowed:
            self._add(Remark("late", f"the answer took {ms:.0f} ms", expected))
        elif self._first:
            if ms > limit + self.clock.margin_ms:
                self._add(Remark("slow-start", f"the first answer took {ms:.0f} ms", expected))
        elif ms > limit / 2:
            self._add(Remark("slow", f"the answer took {ms:.0f} ms", expected))

    def _line(self, bot: BotProcess, seconds: float) -> bytes | None:
        """A line that the bot wrote without being asked, if one comes in time."""
        try:
            return bot.ask(b"", seconds)
        except BotFailure as failure:
            if failure.kind != "timeout":
                raise
            return None

    def _take_unasked(self, bot: BotProcess, seconds: float) -> None:
        """Report lines that nobody asked for and drop them, so that questions and answers stay in step."""
        for _ in range(_MOST_LINES):
            line = self._line(bot, seconds)
            if line is None:
                return
            self._add(_EXTRA, line.decode("utf-8", "replace"))

    def _end(self, bot: BotProcess) -> None:
        """The run is over. A bot that ends by itself now, without complaint, does no harm."""
        try:
            self._take_unasked(bot, _SETTLE)
        except BotFailure as failure:
            if failure.kind != "crash" or failure.exit_code != 0:
                raise

    def _fail(self, failure: BotFailure) -> None:
        expected = {
            "timeout": "one line, ended and flushed, for each input",
            "crash": "a process that goes on until it is ended",
            "too-much-output": "one short line",
        }
        self._add(Remark(failure.kind, str(failure), expected.get(failure.kind, "")), stderr=failure.stderr)

    def _add(self, remark: Remark, line: str = "", stderr: str = "") -> None:
        tail = "\n".join(printable(each) for each in stderr.splitlines()[-5:])
        written = shown(line) if line else ""
        self.report.add(remark.kind, Example(self._where, written, remark.message, remark.expected, tail))


_EXTRA = Remark("extra-output", "a line beyond the one answer", "one line for each input, and nothing else")
