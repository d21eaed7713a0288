"""Replays of LOCM: games kept as edition, deal and answers, to be played again, checked and looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from cardrome.errors import CallerError, InvalidDeal, UnknownParameter
from cardrome.escaping import encodable
from cardrome.games.game import Action, Ending, Outcome
from cardrome.games.locm.protocol.answers import (
    BAD_ARGUMENTS,
    DRAFT_FAULT,
    TIMEOUT,
    UNKNOWN_COMMAND,
    WRONG_CARD_COUNT,
)
from cardrome.games.locm.protocol.dialogue import Dialogue, Effect
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.deal import LocmDeal, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import LocmEdition, find_edition
from cardrome.games.replay_files import NAME_LIMIT
from cardrome.games.replays import (
    TEXT_LIMIT,
    Call,
    Difference,
    ProcessEnd,
    ProcessEnds,
    ProgramRecorder,
    ReplayFault,
    ReplayRecord,
    Rerun,
    Seat,
    first_difference,
)

ANSWER_LIMIT = 10_000
"""Characters of an answer; a longer one counts as none."""
CALL_LIMIT = 2_000
"""More calls than any game makes."""

_Name = Annotated[str, Meta(max_length=NAME_LIMIT)]
_Line = Annotated[str, Meta(max_length=ANSWER_LIMIT, pattern=r"^[^\n]*\Z")]
_Count = Annotated[int, Meta(ge=0, lt=1 << 31)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer to one call: the line as the player gave it, None if none came in time, and the time taken."""

    answer: _Line | None
    ms: Annotated[int, Meta(ge=0)] | None = None


class LocmReplay(ReplayRecord, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished game: everything it takes to play it again, and what came of it."""

    edition: str
    deal: dict[str, Annotated[str, Meta(max_length=ANSWER_LIMIT)]]
    """The deal's parameters, by the names of docs/deals.md."""
    players: tuple[_Name, _Name]
    calls: Annotated[tuple[Answer, ...], Meta(max_length=CALL_LIMIT)]
    """The answers, in the order in which the referee asked."""
    fault: ReplayFault | None
    processes: ProcessEnds | None = None
    scores: tuple[int, int]
    winner: Seat
    ending: Ending
    final_health: tuple[int, int] | None
    """None if the game ended before the battle."""
    turns: _Count | None = None
    actions: _Count | None = None

    @property
    def rule_set(self) -> LocmEdition:
        """The edition that was played."""
        return find_edition(self.edition)

    @property
    def dealt(self) -> LocmDeal:
        """The deal that was played."""
        return LocmDeal.from_params(self.deal)

    def answer_times(self, seat: int) -> list[int]:
        """How long each answer of a player took, in ms."""
        # Players are asked in turn from the first call to the last, in deck building and in battle.
        return [call.ms for call in self.calls[seat::2] if call.ms is not None]

    def check(self) -> None:
        """The deal must be the same whenever it is dealt: nothing missing, nothing misspelt."""
        edition = self.rule_set
        if "seed" not in self.deal:
            raise InvalidDeal("deal: the seed is missing")
        for name, value in self.deal.items():
            if name not in ("seed", *parameter_names(edition)):
                raise UnknownParameter(edition.name, name, parameter_names(edition))
            if name.lower().endswith("seed") and parse_seed(value) is None:
                raise InvalidDeal(f"deal: {name} is {value!r}; expected a signed 64-bit number")
        if any(name.startswith("predefined") for name in self.deal):
            self.dealt.lay_out(edition)


TOO_MUCH_OUTPUT = "too-much-output"
_LINE_FAULTS = (DRAFT_FAULT, WRONG_CARD_COUNT, UNKNOWN_COMMAND, BAD_ARGUMENTS)
"""Faults of a line that was given. Any other kind (a timeout, a crash) means that there was none."""


class LocmRecorder(ProgramRecorder):
    """A dialogue that is written down. Answer through it instead of through the dialogue."""

    def __init__(
        self,
        edition: LocmEdition,
        deal: LocmDeal,
        players: tuple[str, str] = ("player 0", "player 1"),
        game: LocmGame | None = None,
    ) -> None:
        """A new game, or one that goes on from a position."""
        self.edition = edition
        self.deal = deal
        self.players = players
        self.game = LocmGame(edition, deal) if game is None else game
        self.dialogue = Dialogue(self.game)
        self._calls: list[Answer] = []
        self._reasons: dict[int, tuple[str, str]] = {}

    @property
    def call(self) -> Call | None:
        """The call that is due; None when the game is over."""
        return self.dialogue.call

    def agent_game(self) -> LocmGame:
        """A copy of the game in which the player who is asked is to move: the same object at every call."""
        assert self.call is not None
        game: LocmGame = super().agent_game()
        # Deck building: the first player's answer is not judged before both are in. What they took is hidden anyway.
        while game.current != self.call.player:
            game.try_play(game.legal_codes()[0])
        return game

    def act(self, actions: Sequence[Action]) -> None:
        """Take an agent's answer. Its line leaves out PASS, which says no more than the end of the line does."""
        told = [action for action in actions if action != "PASS"]
        line = ";".join(told) or "PASS"
        self.dialogue.answer(line, [action.code for action in told] or None)
        self._calls.append(Answer(line))

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

    def replay(self, processes: ProcessEnds | None = None) -> LocmReplay:
        """The replay, once the game is over."""
        outcome, fault = _outcome(self.dialogue), self.dialogue.fault
        if fault is not None:
            kind, message = self._reasons.get(fault.player, (fault.kind, fault.message))
            fault = ReplayFault(fault.player, encodable(kind), encodable(message)[:TEXT_LIMIT])
        if processes is not None:
            processes = _clipped(processes[0]), _clipped(processes[1])
        first, second = (encodable(name)[:NAME_LIMIT] for name in self.players)
        game = self.game
        return LocmReplay(
            edition=self.edition.name,
            deal=_parameters(self.edition, self.deal),
            players=(first, second),
            calls=tuple(self._calls),
            fault=fault,
            processes=processes,
            scores=outcome.scores,
            winner=cast(Seat, outcome.winner),
            ending=outcome.ending,
            final_health=game.final_health,
            turns=game.turn + 1,
            actions=self.dialogue.actions,
        )


@dataclass(frozen=True, slots=True)
class LocmMoment:
    """One call of a replay: the game when it was made, the answer, what the answer did, the game then."""

    number: int
    """The call's number in the game, from 0 on."""
    own_number: int
    """Its number among the calls to the same player."""
    call: Call
    recorded: Answer
    before: LocmGame
    effect: Effect
    after: LocmGame


class LocmRerun(Rerun[LocmMoment]):
    """A LOCM replay that is played again, call by call; answers behind the end of the game are left out."""

    def __init__(self, replay: LocmReplay) -> None:
        self.replay = replay
        self.dialogue = Dialogue(LocmGame(replay.rule_set, replay.dealt), snapshots=True)

    def __iter__(self) -> Iterator[LocmMoment]:
        dialogue, calls, asked = self.dialogue, self.replay.calls, [0, 0]
        now = dialogue.game.copy()
        for number, recorded in enumerate(calls):
            call, before = dialogue.call, now
            if call is None:
                self.difference = Difference("calls", str(len(calls)), f"the end of the game after {number}")
                return
            effect = dialogue.answer(recorded.answer)
            if dialogue.snapshots:
                now = dialogue.game.copy()
            own = asked[call.player]
            asked[call.player] += 1
            yield LocmMoment(number, own, call, recorded, before, effect, now)
        self.difference = self._compare()

    def verify(self) -> Difference | None:
        """Play it to the end and compare, without keeping positions on the way."""
        self.dialogue.snapshots = False
        return super().verify()

    def _compare(self) -> Difference | None:
        replay, dialogue = self.replay, self.dialogue
        if dialogue.call is not None:
            got = f"a {dialogue.call.phase} call to player {dialogue.call.player}"
            return Difference("calls", f"the end of the game after {len(replay.calls)}", got)
        outcome, game = _outcome(dialogue), dialogue.game
        return first_difference(
            [
                ("fault", _shown_fault(replay.fault), _shown_fault(_given_kind(dialogue.fault, replay))),
                ("scores", list(replay.scores), list(outcome.scores)),
                ("winner", f"player {replay.winner}", f"player {outcome.winner}"),
                ("ending", replay.ending, outcome.ending),
                ("final health", _shown_health(replay.final_health), _shown_health(game.final_health)),
                ("turns", replay.turns, game.turn + 1),
                ("actions", replay.actions, dialogue.actions),
            ]
        )


def inputs(replay: LocmReplay, player: int) -> Iterator[bytes]:
    """All that a player was sent, call by call."""
    if player not in (0, 1):
        raise CallerError(f"player {player}: expected 0 or 1")
    for moment in LocmRerun(replay):
        if moment.call.player == player:
            yield moment.call.text.encode()


def _outcome(dialogue: Dialogue) -> Outcome:
    if dialogue.outcome is None:
        raise CallerError("the game is not over: it has no replay yet")
    return dialogue.outcome


def _given_kind(found: ReplayFault | None, replay: LocmReplay) -> ReplayFault | None:
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


def _parameters(edition: LocmEdition, deal: LocmDeal) -> dict[str, str]:
    """A deal's parameters without those that the referees ignore."""
    known = ("seed", *parameter_names(edition))
    return {
        name: value
        for name, value in deal.params().items()
        if name in known and (not name.lower().endswith("seed") or parse_seed(value) is not None)
    }


def _clipped(end: ProcessEnd | None) -> ProcessEnd | None:
    return None if end is None else ProcessEnd(end.exit_code, end.signal, encodable(end.stderr)[-TEXT_LIMIT:])
