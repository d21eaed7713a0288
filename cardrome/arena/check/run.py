"""Checking a bot: games and rare positions played against it, and every fault explained to its writer.

Where a referee would end the game at the first fault, the check goes on as if the bot had passed: one session shows
as many faults as possible. It ends a run only when the bot's process is gone or silent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from cardrome.arena.check.answers import Judgement, judge_answer, shown
from cardrome.arena.check.findings import Example, Remark, Report, Severity
from cardrome.arena.check.positions import EDGES, Table
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import AgentPlayer
from cardrome.arena.players.process import BotProcess
from cardrome.engine.random import player_seed
from cardrome.errors import BotFailure
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.replay import LocmRecorder
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import Edition
from cardrome.games.replays import Call

__all__ = ["Report", "Severity", "check_bot", "total_runs"]

OPPONENTS = ("random", "rule-based")
"""Who sits opposite, in turn: one for surprises, one that plays to win."""
EDGE_TURNS = 3
"""How many turns of the bot follow from an edge position."""

_GLANCE = 0.001
"""Seconds to look for a line that should not be there, before each question."""
_SETTLE = 0.05
"""Seconds to wait for one, when there is reason to expect it."""
_MOST_LINES = 100
"""Lines that are read without a question in one go. A bot that never stops writing must not hold us."""
_HOPELESS = 2
"""Runs that fail at their first question before the check gives up."""


def check_bot(
    command: Sequence[str],
    edition: Edition,
    seed: int = 0,
    games: int = 4,
    clock: Clock = Clock(),  # noqa: B008 - frozen
    positions: Sequence[str] = tuple(EDGES),
    quiet_seconds: float = 0.5,
    progress: Callable[[int], None] = lambda finished: None,
) -> Report:
    """Play games and edge positions against a bot; the report has everything it did wrong.

    The positions are named as in `EDGES`. Before everything else the bot is left alone for `quiet_seconds`, to see
    whether it writes unasked.
    """
    report = Report(list(command), edition.name, seed)
    checker = _Checker(report, edition, clock)
    if not checker.watch_start(quiet_seconds):
        return report
    runs: list[tuple[str, str | None]] = [(f"game {k + 1}", None) for k in range(games)]
    runs += [(f"position: {name}", name) for name in positions]
    for k, (name, edge) in enumerate(runs):
        opponent = OPPONENTS[k // 2 % len(OPPONENTS)]
        checker.play(name, Deal(_wrapped(seed + k)), k % 2, opponent, edge)
        progress(k + 1)
        if checker.hopeless >= _HOPELESS:
            message = f"the bot failed at the first question {checker.hopeless} times"
            report.add("gave-up", Example(f"after {name}", "", message, "mend the errors above and check again"))
            break
    checker.finish()
    return report


def total_runs(games: int) -> int:
    """How many runs a check has."""
    return games + len(EDGES)


def _wrapped(seed: int) -> int:
    """A seed within 64 bits, as Java counts."""
    return (seed + (1 << 63)) % (1 << 64) - (1 << 63)


class _Checker:
    """Plays runs, each with a fresh process, and writes down what happens."""

    def __init__(self, report: Report, edition: Edition, clock: Clock) -> None:
        self.report, self.edition, self.clock = report, edition, clock
        self.hopeless = 0
        self._chances = 0  # battle questions with something to do
        self._played = 0
        self._where = ""
        self._first = True

    def watch_start(self, seconds: float) -> bool:
        """Start the bot and ask it nothing; returns whether it can be started at all."""
        self._where = "before the first input"
        try:
            with BotProcess(self.report.command) as bot:
                line = bot.ask(b"", seconds).decode("utf-8", "replace")
                self._add(Remark("early-output", "a line nobody asked for", "silence until the first input"), line)
        except BotFailure as failure:
            if failure.kind == "no-start":
                self._add(Remark("no-start", str(failure), "a program and its arguments, as in 'python3 bot.py'"))
                return False
            if failure.kind != "timeout":  # silence is what we hope for
                self._fail(failure)
        return True

    def play(self, name: str, deal: Deal, seat: int, opponent_name: str, edge: str | None) -> None:
        """One run: a whole game, or deck building and some turns from an edge position."""
        self.report.runs += 1
        self._first = True
        opponent = AgentPlayer(AGENTS[opponent_name])
        opponent.begin(player_seed(deal.seed, 1 - seat))
        title = f"{name}, seed {deal.seed}, player {seat}"
        self._where = f"{title}, at the start"
        try:
            with BotProcess(self.report.command) as bot:
                recorder = LocmRecorder(self.edition, deal)
                if edge is None:
                    self._converse(bot, recorder, seat, opponent, f"{title} against {opponent_name}")
                else:
                    self._converse(bot, recorder, seat, opponent, title, until_battle=True)
                    position = EDGES[edge](Table(recorder.dialogue.game, seat))
                    if position is not None:
                        at_edge = LocmRecorder(self.edition, deal, game=position)
                        self._converse(bot, at_edge, seat, opponent, title, EDGE_TURNS)
                self._end(bot)
        except BotFailure as failure:
            self._fail(failure)
            self.hopeless += self._first

    def finish(self) -> None:
        """Judge what only all runs together show."""
        if self._chances > 0 and self._played == 0:
            message = f"no action was carried out in {self._chances} turns that offered some"
            self._where = "all runs"
            self._add(Remark("only-pass", message, "SUMMON, ATTACK or USE now and then"))

    def _converse(
        self,
        bot: BotProcess,
        recorder: LocmRecorder,
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
                recorder.answer(opponent.ask(recorder, call, None))
                continue
            if asked == turns:
                return
            asked += 1
            self._where = f"{title}, {call.phase} question {asked}"
            judgement = self._question(bot, recorder.dialogue.game, call)
            recorder.dialogue.answer(judgement.line if judgement.readable else "PASS")

    def _question(self, bot: BotProcess, game: LocmGame, call: Call) -> Judgement:
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
        judgements = [judge_answer(game, call, raw)]
        # A line that cannot be read may be debugging text ahead of the real answer.
        while not judgements[-1].readable and len(judgements) < _MOST_LINES:
            further = self._line(bot, _SETTLE)
            if further is None:
                break
            judgements.append(judge_answer(game, call, further))
        judgement, *others = judgements
        if others and others[-1].readable:
            judgement, ahead = others[-1], "a line is" if len(others) == 1 else f"{len(others)} lines are"
            expected = f"only the answer, {shown(judgement.line)}"
            self._add(Remark("noise", f"{ahead} written ahead of the answer", expected), judgements[0].line)
        else:
            for other in others:
                self._add(_extra(), other.line)
        for remark in judgement.remarks:
            self._add(remark, judgement.line)
        if call.phase == "battle":
            self._chances += len(game.legal_codes()) > 1
            self._played += judgement.played
        return judgement

    def _judge_time(self, call: Call, ms: float) -> None:
        """Compare a time with its limit. Process start is allowed for once, in the first answer."""
        if not self.clock.running or call.limit_ms is None:
            self.report.add_time("first answer" if self._first else call.phase, 0, ms)
            return
        limit, allowed = call.limit_ms * self.clock.scale, (self.clock.seconds(call, self._first) or 0) * 1000
        self.report.add_time("first answer" if self._first else call.phase, limit, ms)
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
            self._add(_extra(), line.decode("utf-8", "replace"))

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
        tail = "\n".join(stderr.splitlines()[-5:])
        written = shown(line) if line else ""
        self.report.add(remark.kind, Example(self._where, written, remark.message, remark.expected, tail))


def _extra() -> Remark:
    return Remark("extra-output", "a line beyond the one answer", "one line for each input, and nothing else")
