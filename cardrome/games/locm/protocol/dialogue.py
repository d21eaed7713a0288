"""The referee's conversation with two bots, without the bots: who is asked what, and what their answer does.

A `Dialogue` knows nothing of processes or clocks. It says which call is due (`call`), takes the answer to it
(`answer`, None for none in time) and in the end tells scores and fault. The referee, the golden games and the checks
of bots all go through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from cardrome.errors import SyntaxFault
from cardrome.games.game import Ending, Outcome
from cardrome.games.locm.protocol.answers import (
    DRAFT_FAULT,
    TIMEOUT,
    parse_battle,
    parse_constructed,
    parse_draft,
)
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import PASS
from cardrome.games.locm.rules.state import NOBODY
from cardrome.games.replays import Call, ReplayFault, Seat


@dataclass(slots=True)
class Effect:
    """What an answer led to: the actions carried out, and how many were skipped as illegal."""

    done: list[str] = field(default_factory=list)
    ignored: int = 0
    after: list[LocmGame] = field(default_factory=list)
    """The game after each action carried out, if the dialogue keeps snapshots."""


class Dialogue:
    """One game between two players who are asked in turn."""

    def __init__(self, game: LocmGame, snapshots: bool = False) -> None:
        self.game = game
        self.snapshots = snapshots
        self.fault: ReplayFault | None = None
        self.actions = 0
        """Battle actions carried out, ends of turns not counted."""
        # Deck building: answers wait until both players have been asked.
        self._pending: list[tuple[str | None, Sequence[int] | None]] = []
        self._battle_calls = 0
        self._asked_turn = NOBODY  # the battle turn of the last call
        self.call: Call | None = self._next_call()

    @property
    def over(self) -> bool:
        """No further call will be made."""
        return self.call is None

    @property
    def winner(self) -> int | None:
        """Who won, once the game is over."""
        if self.fault is not None:
            return 1 - self.fault.player
        return self.game.winner if self.over else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, once it is over."""
        if self.fault is not None:
            scores = self.scores
            assert scores is not None
            return Outcome(1 - self.fault.player, Ending.FAULT, scores)
        return self.game.outcome if self.over else None

    @property
    def scores(self) -> tuple[int, int] | None:
        """The referee's scores: 1 and 0; after a fault -1 for the offender and 0 for the other."""
        winner = self.winner
        if winner is None:
            return None
        scores = [0, 0]
        if self.game.winner is not None:
            scores[self.game.winner] = 1
        if self.fault is not None:  # dead at the start of their turn and wrong as well: -1 and 1
            scores[self.fault.player] = -1
        return scores[0], scores[1]

    def answer(self, line: str | None, codes: Sequence[int] | None = None) -> Effect:
        """Take the answer to the present call; None means that there was none in time.

        If the caller composed the line of legal actions, ``codes`` are these, and the line is not read.
        """
        call = self.call
        if call is None:
            raise RuntimeError("the game is over: no answer is due")
        effect = Effect()
        if call.phase == "battle":
            self._answer_battle(call.player, line, codes, effect)
        else:
            self._pending.append((line, codes))
            if len(self._pending) == 2:
                answers, self._pending = self._pending, []
                self._judge_choices(answers)
        self.call = None if self.fault is not None else self._next_call()
        return effect

    def _next_call(self) -> Call | None:
        game, limits = self.game, self.game.edition.limits
        if game.phase == "battle":
            # A player who died at the start of their own turn is still asked; one who was killed is not.
            if game.winner is not None and (game.winner == game.current or self._asked_turn == game.turn):
                return None
            limit = limits.first_battle if self._battle_calls < 2 else limits.battle
            self._battle_calls += 1
            self._asked_turn = game.turn
            return Call(game.current, "battle", limit, game.input_text())
        player = len(self._pending)
        first = game.edition.constructed or game.deck_size(0) == 0
        limit = limits.first_build if first else limits.build
        return Call(player, game.phase, limit, game.input_text(player))

    def _judge_choices(self, answers: list[tuple[str | None, Sequence[int] | None]]) -> None:
        """Judge both players' deck building answers, player 0 first; the first wrong one ends the game."""
        for player, (line, codes) in enumerate(answers):
            try:
                choices = self._read_choices(line) if codes is None else codes
            except SyntaxFault as fault:
                self._lose(player, fault)
                return
            for code in choices:
                self.game.try_play(code)

    def _lose(self, player: int, fault: SyntaxFault) -> None:
        self.fault = ReplayFault(cast(Seat, player), fault.kind, str(fault))

    def _read_choices(self, line: str | None) -> list[int]:
        if line is None:
            raise SyntaxFault(TIMEOUT, "no answer in time")
        offered, edition = self.game.offered(), self.game.edition
        if edition.constructed:
            return parse_constructed(line, offered, edition.deck_size, edition.max_copies)
        if line == "":
            raise SyntaxFault(DRAFT_FAULT, "an empty line")
        return [parse_draft(line, offered)]

    def _read_actions(self, line: str | None) -> Iterator[int]:
        """The codes of a turn's actions, each to be taken when those before it have been carried out."""
        if line is None:
            raise SyntaxFault(TIMEOUT, "no answer in time")
        commands = parse_battle(line, self.game.edition.summon_names_lane)
        return (self.game.find_code(*command) for command in commands if command.kind != PASS)

    def _answer_battle(self, player: int, line: str | None, codes: Iterable[int] | None, effect: Effect) -> None:
        game = self.game
        try:
            codes = self._read_actions(line) if codes is None else codes
        except SyntaxFault as fault:
            self._lose(player, fault)
            return
        for code in codes:
            if game.winner is not None:
                # The game is decided. The referee stops at the next action that would change anything, and still
                # counts the illegal ones before it.
                if self._would_be_legal(code):
                    break
                effect.ignored += 1
            elif game.try_play(code):
                self.actions += 1
                effect.done.append(game.performed[player][-1].split(" ", 1)[1])
                if self.snapshots:
                    effect.after.append(game.copy())
            else:
                effect.ignored += 1
        if game.winner is None:
            game.try_play(0)

    def _would_be_legal(self, code: int) -> bool:
        """Whether it would be legal if the game were not over."""
        twin = self.game.copy()
        twin.states["winner"] = NOBODY
        return code in twin.legal_codes()
