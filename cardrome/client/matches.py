"""What a team knows of its matches: whose turn it is, what was done in it, and how matches ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardrome.client.errors import CommandRefused
from cardrome.client.rebuild import Look, Memory, Rebuilt, edition_of, rebuild
from cardrome.client.requests import Score, TurnInfo
from cardrome.games.tapdeck.rules.edition import TapdeckEdition


class TeamMatch:
    """One match, as far as it is known."""

    def __init__(self, match_id: int, sure: bool) -> None:
        """``sure``: nothing can have been done in it that is not known here."""
        self.id = match_id
        self._begin(sure)

    def _begin(self, sure: bool) -> None:
        """Nothing is known yet."""
        self.info: TurnInfo | None = None
        """As of the last look; None before the first."""
        self.ended = False
        self.score: Score | None = None
        self.memory = Memory()
        self.sure = sure
        """What was done in this turn is remembered; if not, whether blocking is over must be found out."""
        self._turns: int | None = None
        self._draws_and_burns: tuple[int, int] | None = None
        self._untouched = sure

    @property
    def to_move(self) -> bool:
        """It is the team's turn."""
        return not self.ended and self.info is not None and self.info.mine

    def note_turn(self, info: TurnInfo) -> None:
        """The match goes on, and this is the turn."""
        known = self.info
        if known is not None and info.left > known.left:
            # Turns never come back: the server has begun the tournament again.
            self._begin(sure=True)
        elif known is not None and info.left != known.left:
            self.memory.new_turn()
            self.sure = self._untouched = True
        self.info = info
        self.ended = False
        if self._turns is None:
            self._turns = info.left

    def edition(self, look: Look) -> TapdeckEdition:
        """The numbers of the match. Those of draws and burns are seen at the beginning of a turn."""
        if self._untouched or self._draws_and_burns is None:
            self._draws_and_burns = look.limits.draws, look.limits.burns
        return edition_of(look, self._turns, *self._draws_and_burns)

    def rebuild(self, look: Look) -> Rebuilt:
        """The match as agents see it."""
        self.memory.note_cards(look)
        if look.attackers:
            self.memory.ordered.clear()  # blocking is open, so none of the orders that may have been lost arrived
        return rebuild(look, self.memory, self.edition(look))

    def note_sent(self, codes: Sequence[int], replies: Sequence[Any]) -> None:
        """Actions were commanded, with these replies."""
        self._untouched = False
        for code, reply in zip(codes, replies, strict=True):
            if isinstance(reply, CommandRefused):
                self.memory.note_refused(code, reply.code)
            else:
                self.memory.note(code)

    def note_lost(self, codes: Sequence[int]) -> None:
        """Actions were commanded, and the connection broke before the replies came: they may have been carried out."""
        self._untouched = self.sure = False
        for code in codes:
            self.memory.note(code)
        self.memory.blocking_over = False
