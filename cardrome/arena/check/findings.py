"""What a check of a bot found: kinds of fault, how grave they are, one example of each."""

from __future__ import annotations

import enum
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cardrome.arena.check.illegal import Why


class Severity(enum.StrEnum):
    """How grave a finding is."""

    ERROR = "error"
    """It loses the game, or puts question and answer out of step."""
    WARNING = "warning"
    """It loses nothing by itself, but hardly is what the bot's writer wants."""
    NOTE = "note"
    """Good to know."""


_ERRORS = {
    "no-start": "The bot cannot be started.",
    "early-output": "The bot writes before it is asked anything. The line becomes its first answer.",
    "crash": "The bot's process ends, or closes its output, in the middle of a game.",
    "timeout": "The bot does not answer at all.",
    "late": "An answer comes after the time limit. The referee does not wait for it: the game is lost.",
    "too-much-output": "The bot writes without ever ending the line.",
    "noise": "Something else is written to standard output ahead of the answer, and is taken for the answer. "
    "Write debugging text to standard error.",
    "extra-output": "More than one line is written for one input. Each further line becomes the answer to a later one.",
    "lower-case": "Commands are upper case.",
    "unknown-command": "The line has a command that does not exist. The whole line is refused: the game is lost.",
    "bad-arguments": "A command's arguments cannot be read. The whole line is refused: the game is lost.",
    "deck-answer": "An answer of the deck building is refused: the game is lost.",
    "wrong-card-count": "The deck has the wrong number of cards: the game is lost.",
    "empty-deck-answer": "An empty line answers a question of the deck building: the game is lost.",
}
_WARNINGS = {
    "slow-start": "The first answer takes longer than the official limit, and passes only by the start allowance.",
    "slow": "An answer takes more than half of its time limit.",
    "empty-line": "An empty line. The original referee of 1.0 and 1.2 crashes on it; write PASS.",
    "lost-command": "A command stands in the text behind another and is not carried out. A ; separates commands.",
}
_NOTES = {
    "pass-in-the-middle": "PASS stands before other actions. It does not end the turn: they are carried out.",
    "free-text": "Text behind an action. Only viewers show it.",
    "non-ascii": "Text beyond ASCII.",
    "only-pass": "The bot could have acted and never did.",
    "gave-up": "The check stopped early, since the bot never got beyond the first question.",
}
_ILLEGAL = {
    Why.NOT_IN_HAND: "a card that is not in hand",
    Why.NOT_A_CREATURE: "SUMMON of an item",
    Why.NOT_AN_ITEM: "USE of a creature",
    Why.NOT_ENOUGH_MANA: "not enough mana",
    Why.NO_SUCH_LANE: "a lane that does not exist",
    Why.LANE_FULL: "a lane that is full",
    Why.NEEDS_TARGET: "an item without its target",
    Why.NO_SUCH_TARGET: "a target that is not there",
    Why.WRONG_TARGET: "the wrong kind of target",
    Why.NOT_ON_BOARD: "an attacker that is not on the own board",
    Why.CANNOT_ATTACK: "an attacker that cannot attack yet",
    Why.HAS_ATTACKED: "an attacker that has attacked already",
    Why.OTHER_LANE: "a target in another lane",
    Why.GUARDS_FIRST: "a target behind creatures with Guard",
}
KINDS: dict[str, tuple[Severity, str]] = {
    **{kind: (Severity.ERROR, meaning) for kind, meaning in _ERRORS.items()},
    **{
        f"illegal-{why}": (Severity.WARNING, f"Illegal action, which the referee skips: {what}.")
        for why, what in _ILLEGAL.items()
    },
    **{kind: (Severity.WARNING, meaning) for kind, meaning in _WARNINGS.items()},
    **{kind: (Severity.NOTE, meaning) for kind, meaning in _NOTES.items()},
}
"""Every kind of finding: its severity and what it means. The gravest stand first."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One fault in one answer: its kind, what exactly was wrong, and what would be right."""

    kind: str
    message: str
    expected: str = ""


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
class Report:
    """The result of a check. Findings are added to it while it runs."""

    command: list[str]
    edition: str
    seed: int
    runs: int = 0
    calls: int = 0
    _found: dict[str, Finding] = field(default_factory=dict)
    _times: dict[tuple[str, float], list[float]] = field(default_factory=dict)

    def add(self, kind: str, example: Example) -> None:
        """One more fault; the first of each kind is kept as the example."""
        found = self._found.get(kind)
        if found is not None:
            found.count += 1
        else:
            severity, meaning = KINDS[kind]
            self._found[kind] = Finding(kind, severity, meaning, example)

    def add_time(self, question: str, limit_ms: float, ms: float) -> None:
        """One more answer."""
        self._times.setdefault((question, limit_ms), []).append(ms)

    @property
    def findings(self) -> list[Finding]:
        """What was found, the gravest first."""
        return [self._found[kind] for kind in KINDS if kind in self._found]

    @property
    def timings(self) -> list[Timing]:
        """How long the bot thought, by kind of question."""
        return [
            Timing(question, limit, len(times), round(statistics.median(times), 1), round(max(times), 1))
            for (question, limit), times in self._times.items()
        ]

    def total(self, severity: Severity) -> int:
        """How many faults of a severity were seen, repetitions included."""
        return sum(finding.count for finding in self._found.values() if finding.severity is severity)

    @property
    def verdict(self) -> str:
        """The result in a line."""
        errors, warnings = self.total(Severity.ERROR), self.total(Severity.WARNING)
        calls = _counted(self.calls, "call")
        if errors + warnings == 0:
            return f"no faults found in {calls}"
        return f"{_counted(errors, 'error')}, {_counted(warnings, 'warning')} in {calls}"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, for programs."""
        import msgspec

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

    def lines(self) -> Iterable[str]:
        """The report for people, line by line; the verdict comes last."""
        for severity in Severity:
            findings = [finding for finding in self.findings if finding.severity is severity]
            if findings:
                yield f"{severity.upper()}S"
            for finding in findings:
                yield from _finding_lines(finding)
                yield ""
        for timing in self.timings:
            limit = f"of {timing.limit_ms:g} ms" if timing.limit_ms else "(no clock)"
            yield (
                f"time: {timing.question}: median {timing.median_ms:g} ms, longest {timing.longest_ms:g} ms {limit}, "
                f"{_counted(timing.answers, 'answer')}"
            )
        yield self.verdict


def _finding_lines(finding: Finding) -> Iterable[str]:
    example = finding.example
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    yield f"  {finding.kind}{times}: {finding.meaning}"
    yield f"    where:    {example.where}"
    if example.line:
        yield f"    line:     {example.line}"
    yield f"    what:     {example.message}"
    if example.expected:
        yield f"    expected: {example.expected}"
    for line in example.stderr.splitlines():
        yield f"    stderr:   {line}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
