"""Tapdeck as a game family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cardrome.errors import IllegalAction, InvalidDeal, UnknownParameter
from cardrome.games.family import Family, later
from cardrome.games.tapdeck.protocol.commands import MEANINGS
from cardrome.games.tapdeck.protocol.game import TapdeckDeal, TapdeckGame
from cardrome.games.tapdeck.protocol.story import card_words
from cardrome.games.tapdeck.rules.cards import TapdeckCard, cards_of
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

SEEDS = 1 << 62

if TYPE_CHECKING:
    from cardrome.games.tapdeck.protocol.replay import TapdeckReplay


class TapdeckFamily(Family[TapdeckEdition, "TapdeckReplay"]):
    """Tapdeck: one visible deck for both players. Its bots are TCP clients, which `cardrome host` lets play."""

    name = "tapdeck"
    title = "Tapdeck"
    editions = {TAPDECK.name: TAPDECK}  # noqa: RUF012 - never changed
    no_programs = "Tapdeck bots are TCP clients; `cardrome host` runs an event for them"
    has_draws = True
    has_scores = True
    has_frames = True
    has_secrets = False
    has_analysis = True

    agents = later("agents.registry:AGENTS")
    replay_type = later("protocol.replay:TapdeckReplay")
    bulk_player = later("agents.batch:bulk_player")
    record = later("protocol.replay:TapdeckRecorder")
    rerun = later("protocol.rerun:TapdeckRerun")
    inputs = later("protocol.rerun:inputs")
    title_lines = later("protocol.story:title_lines")
    result_line = later("protocol.story:result_line")
    story = later("protocol.story:story")
    page_data = later("page:page_data")
    analyse = later("analysis:analyse")
    card_data = later("frames:card_data")
    game_at = later("page:game_at")
    seat = later("seat:TapdeckSeat")
    position_from = later("protocol.position:from_dict")
    position_json = later("protocol.position:to_json")
    rulebook = later("rulebook:rulebook")
    reminder = later("rulebook:reminder")
    example = later("rulebook.scenes:example")
    encoding = later("episodes:encoding")
    stepper = later("episodes:TapdeckStepper")

    def seeds(
        self, seed: int | npt.NDArray[np.int64], pairs: int, start: int | npt.NDArray[np.int64] = 0
    ) -> npt.NDArray[np.int64]:
        """The seeds of a series' decks."""
        return super().seeds(seed, pairs, start) & (SEEDS - 1)

    def variant(
        self, edition: TapdeckEdition, deck_size: int | None = None, alternatives: int | None = None
    ) -> TapdeckEdition:
        """An edition with another deck."""
        varied = edition if deck_size is None else replace(edition, deck_size=deck_size)
        return super().variant(varied, None, alternatives)

    def deal(self, edition: TapdeckEdition, params: Mapping[str, str]) -> TapdeckDeal:
        """The deal with these parameters: a seed, or a deck."""
        for name in params:
            if name not in ("seed", "deck"):
                raise UnknownParameter(edition.name, name, ("seed", "deck"))
        seed = params.get("seed", "0" if "deck" in params else "")
        if not seed.isdecimal() or not int(seed) < SEEDS:
            raise InvalidDeal(f"seed is {seed!r}; expected a whole number from 0 to {SEEDS - 1}")
        deal = TapdeckDeal(int(seed), params.get("deck"))
        if deal.deck is not None:
            deal.lay_out(edition)  # refuses an impossible deck
        return deal

    def new_game(self, edition: TapdeckEdition, deal: TapdeckDeal) -> TapdeckGame:  # type: ignore[override]
        """A new match."""
        return TapdeckGame(edition, deal)

    def why_illegal(self, game: TapdeckGame, action: str) -> str:
        """Why the player to move may not take an action: what the wire would answer."""
        try:
            code = game.action_code(action)
        except IllegalAction as error:
            return str(error)
        if code in game.legal_codes():
            return ""
        refused = game.copy().act(code)  # the wire ends a blocking phase by itself; players say so
        return MEANINGS[refused] if refused else "the blocking phase is open; FINISH_BLOCK ends it"

    def identity(self, replay: TapdeckReplay) -> str:
        """Where the match was played, if at an event."""
        return replay.edition + ("" if replay.event is None else f" · match {replay.event.match_id}")

    def cards(self, edition: TapdeckEdition, deal: TapdeckDeal) -> Sequence[TapdeckCard]:  # type: ignore[override]
        """The deck, top first."""
        return cards_of(deal.lay_out(edition))

    def card_rows(  # type: ignore[override]
        self, edition: TapdeckEdition, deal: TapdeckDeal
    ) -> Iterator[Mapping[str, str]]:
        """The deck as a table for people."""
        for card in self.cards(edition, deal):
            yield {"id": str(card.id), "type": card.kind, "cost": str(card.cost), "name": card_words(card)}

    def edition_facts(self, edition: TapdeckEdition) -> dict[str, Any]:
        """An edition's numbers."""
        return {"name": edition.name, "summary": edition.summary, **edition.numbers()}

    def edition_size(self, edition: TapdeckEdition) -> str:
        """The deck."""
        return f"{edition.deck_size} new cards, {edition.turns} turns"


FAMILY = TapdeckFamily()
