"""Replays: games kept as edition, deal and answers, to be played again, checked and looked at.

A `Transcript` writes one down while it is played. `verify` plays it again and compares, `input_at` gives what a player
was sent, `moments` go through it call by call. The files are described in `cardrome.games.locm.protocol.replay_format`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from cardrome.errors import CallerError
from cardrome.games.difference import Difference
from cardrome.games.locm.protocol.answers import (
    BAD_ARGUMENTS,
    DRAFT_FAULT,
    TIMEOUT,
    UNKNOWN_COMMAND,
    WRONG_CARD_COUNT,
)
from cardrome.games.locm.protocol.dialogue import Call, Dialogue, Effect
from cardrome.games.locm.protocol.game import Game
from cardrome.games.locm.protocol.golden import RecordedGame, absent
from cardrome.games.locm.protocol.replay_format import (
    ANSWER_LIMIT,
    TEXT_LIMIT,
    Answer,
    EndingName,
    ProcessEnd,
    Replay,
    ReplayFault,
    Seat,
    decode_replay,
    encode_replay,
    read_replays,
    write_replay,
    write_replays,
)
from cardrome.games.locm.rules.deal import Deal, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import Edition
from cardrome.games.printable import encodable
from cardrome.games.replay_files import NAME_LIMIT

__all__ = [
    "Answer",
    "Difference",
    "Moment",
    "ProcessEnd",
    "Replay",
    "ReplayFault",
    "Transcript",
    "decode_replay",
    "encode_replay",
    "from_golden",
    "input_at",
    "inputs",
    "moments",
    "read_replays",
    "verify",
    "write_replay",
    "write_replays",
]

TOO_MUCH_OUTPUT = "too-much-output"
_LINE_FAULTS = (DRAFT_FAULT, WRONG_CARD_COUNT, UNKNOWN_COMMAND, BAD_ARGUMENTS)
"""Faults of a line that was given. Any other kind (a timeout, a crash) means that there was none."""


class Transcript:
    """A dialogue that is written down. Answer through it instead of through the dialogue."""

    def __init__(self, edition: Edition, deal: Deal, players: tuple[str, str]) -> None:
        self.edition = edition
        self.deal = deal
        self.players = players
        self.dialogue = Dialogue(Game(edition, deal))
        self._calls: list[Answer] = []
        self._reasons: dict[int, tuple[str, str]] = {}

    @property
    def call(self) -> Call | None:
        """The call that is due; None when the game is over."""
        return self.dialogue.call

    def answer(self, line: str, ms: int | None = None) -> Effect:
        """Take a player's answer to the present call. One that is too long counts as none."""
        if "\n" in line:
            raise ValueError("an answer is a single line")
        if len(line) > ANSWER_LIMIT:
            message = f"an answer of {len(line):,} characters; at most {ANSWER_LIMIT:,} are read"
            return self.no_answer(TOO_MUCH_OUTPUT, message, ms)
        line = encodable(line)
        effect = self.dialogue.answer(line)
        self._calls.append(Answer(line, ms))
        return effect

    def no_answer(self, kind: str = TIMEOUT, message: str = "no answer in time", ms: int | None = None) -> Effect:
        """The present call gets no answer, for the reason given: late, crashed, or whatever else kept it away."""
        if kind in _LINE_FAULTS:
            raise ValueError(f"{kind!r} is the fault of a line that was given")
        call = self.call
        effect = self.dialogue.answer(None)
        assert call is not None  # or the dialogue would have refused the answer
        self._reasons[call.player] = kind, message
        self._calls.append(Answer(None, ms))
        return effect

    def replay(self, processes: tuple[ProcessEnd | None, ProcessEnd | None] | None = None) -> Replay:
        """The replay, once the game is over."""
        result = _result(self.dialogue)
        fault = result.fault
        if fault is not None:
            kind, message = self._reasons.get(fault.player, (fault.kind, fault.message))
            fault = ReplayFault(fault.player, encodable(kind), encodable(message)[:TEXT_LIMIT])
        if processes is not None:
            processes = _clipped(processes[0]), _clipped(processes[1])
        first, second = (encodable(name)[:NAME_LIMIT] for name in self.players)
        return Replay(
            edition=self.edition.name,
            deal=_parameters(self.edition, self.deal),
            players=(first, second),
            calls=tuple(self._calls),
            fault=fault,
            processes=processes,
            scores=result.scores,
            winner=result.winner,
            ending=result.ending,
            final_health=result.final_health,
        )


@dataclass(frozen=True, slots=True)
class Moment:
    """One call of a replay: the game when it was made, the answer, what the answer did, the game then."""

    number: int
    """The call's number in the game, from 0 on."""
    own_number: int
    """Its number among the calls to the same player."""
    call: Call
    recorded: Answer
    before: Game
    effect: Effect
    after: Game


def moments(replay: Replay) -> Iterator[Moment]:
    """Play a replay again, call by call; answers behind the end of the game are left out."""
    dialogue = Dialogue(Game(replay.rule_set, replay.dealt))
    asked = [0, 0]
    for number, recorded in enumerate(replay.calls):
        call = dialogue.call
        if call is None:
            return
        before = dialogue.game.copy()
        effect = dialogue.answer(recorded.answer)
        own = asked[call.player]
        asked[call.player] += 1
        yield Moment(number, own, call, recorded, before, effect, dialogue.game.copy())


def inputs(replay: Replay, player: int) -> Iterator[bytes]:
    """All that a player was sent, call by call."""
    dialogue = Dialogue(Game(replay.rule_set, replay.dealt))
    for recorded in replay.calls:
        if dialogue.call is None:
            return
        if dialogue.call.player == player:
            yield dialogue.call.text.encode()
        dialogue.answer(recorded.answer)


def input_at(replay: Replay, player: int, call: int) -> bytes:
    """The very bytes that a player was sent at one of his calls; the first is number 0."""
    if player not in (0, 1):
        raise CallerError(f"player {player}: expected 0 or 1")
    sent = list(inputs(replay, player))
    if not 0 <= call < len(sent):
        raise CallerError(f"call {call}: player {player} was asked {len(sent)} times, calls 0 to {len(sent) - 1}")
    return sent[call]


def verify(replay: Replay) -> Difference | None:
    """Play a replay again; returns the first thing that comes out differently from what it says, or None."""
    dialogue = Dialogue(Game(replay.rule_set, replay.dealt))
    for number, recorded in enumerate(replay.calls):
        if dialogue.over:
            return Difference("calls", str(len(replay.calls)), f"the end of the game after {number}")
        dialogue.answer(recorded.answer)
    if dialogue.call is not None:
        got = f"a {dialogue.call.phase} call to player {dialogue.call.player}"
        return Difference("calls", f"the end of the game after {len(replay.calls)}", got)
    result = _result(dialogue)
    for name, expected, found in (
        ("fault", _shown_fault(replay.fault), _shown_fault(_given_kind(result.fault, replay))),
        ("scores", str(list(replay.scores)), str(list(result.scores))),
        ("winner", f"player {replay.winner}", f"player {result.winner}"),
        ("ending", replay.ending, result.ending),
        ("final health", _shown_health(replay.final_health), _shown_health(result.final_health)),
    ):
        if expected != found:
            return Difference(name, expected, found)
    return None


def from_golden(record: RecordedGame, players: tuple[str, str] = ("player 0", "player 1")) -> Replay:
    """A golden game as a replay. What its record says of the result is kept, right or wrong; the rest is played."""
    transcript = Transcript(record.edition, record.deal, players)
    for turn in record.turns:
        if transcript.call is None:
            break
        if turn.out is None:
            transcript.no_answer()
        else:
            transcript.answer(turn.out)
    if transcript.call is not None:
        raise CallerError(f"the recorded game breaks off: after {len(record.turns)} calls it is not over")
    replay = transcript.replay()
    fault, health = replay.fault, replay.final_health
    if record.error is None:
        fault = None
    elif record.error is not absent:
        message = "" if fault is None or fault.kind != record.error.kind else fault.message
        fault = ReplayFault(cast(Seat, record.error.player), record.error.kind, message)
    if record.final_health is not absent and record.final_health:
        health = record.final_health[0], record.final_health[1]
    return Replay(
        edition=replay.edition,
        deal=replay.deal,
        players=replay.players,
        calls=tuple(Answer(turn.out) for turn in record.turns),
        fault=fault,
        scores=replay.scores if record.scores is absent else (record.scores[0], record.scores[1]),
        winner=replay.winner if record.winner is absent else cast(Seat, record.winner),
        ending=replay.ending,
        final_health=health,
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """What came of a game, as replays write it."""

    fault: ReplayFault | None
    scores: tuple[int, int]
    winner: Seat
    ending: EndingName
    final_health: tuple[int, int] | None


def _result(dialogue: Dialogue) -> _Result:
    outcome, scores, fault = dialogue.outcome, dialogue.scores, dialogue.fault
    if outcome is None or scores is None:
        raise CallerError("the game is not over: it has no replay yet")
    return _Result(
        None if fault is None else ReplayFault(cast(Seat, fault.player), fault.kind, fault.message),
        scores,
        cast(Seat, outcome.winner),
        outcome.ending.value,
        dialogue.game.health if dialogue.game.phase == "battle" else None,
    )


def _given_kind(found: ReplayFault | None, replay: Replay) -> ReplayFault | None:
    """A missing answer with the reason the replay gives: playing again cannot tell a crash from a timeout."""
    said = replay.fault
    if found is None or found.kind != TIMEOUT or said is None or said.kind in _LINE_FAULTS:
        return found
    return ReplayFault(found.player, said.kind, found.message)


def _shown_fault(fault: ReplayFault | None) -> str:
    """A fault as it is compared: its words may change from one version of the program to the next."""
    return "none" if fault is None else f"{fault.kind} of player {fault.player}"


def _shown_health(health: tuple[int, int] | None) -> str:
    return "none" if health is None else str(list(health))


def _parameters(edition: Edition, deal: Deal) -> dict[str, str]:
    """A deal's parameters without those that the referees ignore."""
    known = ("seed", *parameter_names(edition))
    return {
        name: value
        for name, value in deal.params().items()
        if name in known and (not name.lower().endswith("seed") or parse_seed(value) is not None)
    }


def _clipped(end: ProcessEnd | None) -> ProcessEnd | None:
    return None if end is None else ProcessEnd(end.exit_code, end.signal, encodable(end.stderr)[-TEXT_LIMIT:])
