"""Tapdeck as a game family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.engine.bulk import Games
from cardrome.errors import InvalidDeal, UnknownParameter
from cardrome.games.family import Family, Kernel, Progress
from cardrome.games.game import Position
from cardrome.games.replays import Rerun
from cardrome.games.tapdeck.agents.batch import play_pairs
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.page import page_data
from cardrome.games.tapdeck.protocol.board import card_words
from cardrome.games.tapdeck.protocol.game import TapdeckDeal, TapdeckGame, TapdeckPosition
from cardrome.games.tapdeck.protocol.position import from_dict, to_json
from cardrome.games.tapdeck.protocol.replay import TapdeckRecorder, TapdeckRerun, conversation
from cardrome.games.tapdeck.protocol.replay_format import TapdeckReplay
from cardrome.games.tapdeck.protocol.story import result_line, story, title_lines
from cardrome.games.tapdeck.rules.cards import TapdeckCard, cards_of
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

SEEDS = 1 << 62


class TapdeckFamily(Family[TapdeckEdition, TapdeckReplay]):
    """Tapdeck: one visible deck for both players. Its bots are TCP clients, which `cardrome host` lets play."""

    name = "tapdeck"
    title = "Tapdeck"
    editions = {TAPDECK.name: TAPDECK}  # noqa: RUF012 - never changed
    agents = AGENTS
    replay_type = TapdeckReplay
    no_programs = "Tapdeck bots are TCP clients; `cardrome host` runs an event for them"
    has_draws = True
    has_scores = True

    def seeds(self, seed: int, pairs: int) -> npt.NDArray[np.int64]:
        """The seeds of a series' decks."""
        return super().seeds(seed, pairs) & (SEEDS - 1)

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
            deal.lay_out(edition)  # complains about a deck that cannot be
        return deal

    def new_game(self, edition: TapdeckEdition, deal: TapdeckDeal) -> TapdeckGame:  # type: ignore[override]
        """A new match."""
        return TapdeckGame(edition, deal)

    def record(  # type: ignore[override]
        self, edition: TapdeckEdition, deal: TapdeckDeal, players: tuple[str, str]
    ) -> TapdeckRecorder:
        """A new match that is played turn by turn and written down."""
        return TapdeckRecorder(edition, deal, players)

    def play_bulk(
        self,
        edition: TapdeckEdition,
        agents: tuple[Kernel, Kernel],
        seeds: npt.NDArray[np.int64],
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Games:
        """Play pairs of built-in agents in bulk."""
        return play_pairs(edition, agents, seeds, jobs, progress)

    def rerun(self, replay: TapdeckReplay) -> TapdeckRerun:
        """Play a replay again, command by command."""
        return TapdeckRerun(replay)

    def title_lines(self, replay: TapdeckReplay) -> list[str]:
        """Which match it was, between whom, and how it ended."""
        return title_lines(replay)

    def result_line(self, replay: TapdeckReplay) -> str:
        """Who won, and why."""
        return result_line(replay)

    def identity(self, replay: TapdeckReplay) -> str:
        """Where the match was played, if at an event."""
        return replay.edition + ("" if replay.event is None else f" · match {replay.event.match_id}")

    def story(
        self,
        replay: TapdeckReplay,
        rerun: Rerun[Any],
        turn: int | None = None,
        player: int | None = None,
        boards: bool = False,
        each: bool = False,
    ) -> Iterator[str]:
        """A replay in words."""
        return story(replay, rerun, turn, player, boards, each)

    def inputs(self, replay: TapdeckReplay, player: int) -> Iterator[bytes]:
        """What a player said (>) and was answered (<), command by command."""
        return (spoken.encode() for spoken in conversation(replay, player))

    def page_data(self, replay: TapdeckReplay) -> dict[str, Any]:
        """What a page shows of a replay."""
        return page_data(replay)

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

    def position_from(self, data: Any) -> Position:
        """A position from plain data."""
        return from_dict(data)

    def position_json(self, position: TapdeckPosition) -> str:
        """A position as JSON for people."""
        return to_json(position)


FAMILY = TapdeckFamily()
