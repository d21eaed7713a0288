"""Legends of Code and Magic as a game family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.engine.bulk import Games
from cardrome.errors import InvalidDeal, UnknownParameter
from cardrome.games.examiner import Examiner
from cardrome.games.family import Family, Kernel, Progress
from cardrome.games.game import Position
from cardrome.games.locm.agents.batch import play_pairs
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition
from cardrome.games.locm.protocol.replay import LocmRecorder, LocmRerun, inputs
from cardrome.games.locm.protocol.replay_format import LocmReplay
from cardrome.games.locm.protocol.story import result_line, story, title_lines
from cardrome.games.locm.rules.cards import AREA_NAMES, TYPE_NAMES, Card
from cardrome.games.locm.rules.deal import LocmDeal, card_table, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import EDITIONS, LocmEdition
from cardrome.games.replays import Rerun


class LocmFamily(Family[LocmEdition, LocmReplay]):
    """Legends of Code and Magic: draft or build a deck, then battle."""

    name = "locm"
    title = "Legends of Code and Magic"
    editions = EDITIONS
    agents = AGENTS
    replay_type = LocmReplay
    has_programs = True

    # What few commands need is imported when it is asked for: a process that plays starts sooner.

    @property
    def examiner(self) -> Examiner:
        """Judges the answers of bots."""
        from cardrome.games.locm.check.examiner import LocmExaminer

        return LocmExaminer()

    def deal(self, edition: LocmEdition, params: Mapping[str, str]) -> LocmDeal:
        """The deal with these parameters. Stricter than the referees, who take what they cannot read as absent."""
        known = ("seed", *parameter_names(edition))
        for name, value in params.items():
            if name not in known:
                raise UnknownParameter(edition.name, name, known)
            if name.lower().endswith("seed") and parse_seed(value) is None:
                raise InvalidDeal(f"{name} is {value!r}; expected a whole number from {-(1 << 63)} to {(1 << 63) - 1}")
        if "seed" not in params:
            raise InvalidDeal("no seed; the agents' chance follows from it, even where the deal does not")
        deal = LocmDeal.from_params(params)
        if deal.overrides:
            deal.lay_out(edition)  # complains about card lists that cannot be
        return deal

    def new_game(self, edition: LocmEdition, deal: LocmDeal) -> LocmGame:  # type: ignore[override]
        """A new game."""
        return LocmGame(edition, deal)

    def record(self, edition: LocmEdition, deal: LocmDeal, players: tuple[str, str]) -> LocmRecorder:  # type: ignore[override]
        """A new game that is asked call by call and written down."""
        return LocmRecorder(edition, deal, players)

    def play_bulk(
        self,
        edition: LocmEdition,
        agents: tuple[Kernel, Kernel],
        seeds: npt.NDArray[np.int64],
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Games:
        """Play pairs of built-in agents in bulk."""
        return play_pairs(edition, agents, seeds, jobs, progress)

    def rerun(self, replay: LocmReplay) -> LocmRerun:
        """Play a replay again, call by call."""
        return LocmRerun(replay)

    def title_lines(self, replay: LocmReplay) -> list[str]:
        """Which game it was, between whom, and how it ended."""
        return title_lines(replay)

    def result_line(self, replay: LocmReplay) -> str:
        """Who won, and why."""
        return result_line(replay)

    def identity(self, replay: LocmReplay) -> str:
        """The deal."""
        return f"{replay.edition} · seed {replay.deal['seed']}"

    def story(
        self,
        replay: LocmReplay,
        rerun: Rerun[Any],
        turn: int | None = None,
        player: int | None = None,
        boards: bool = False,
        each: bool = False,
    ) -> Iterator[str]:
        """A replay in words."""
        return story(replay, rerun, turn, player, boards, each)

    def inputs(self, replay: LocmReplay, player: int) -> Iterator[bytes]:
        """What a player was sent, call by call, byte for byte."""
        return inputs(replay, player)

    def page_data(self, replay: LocmReplay) -> dict[str, Any]:
        """What a page shows of a replay."""
        from cardrome.games.locm.page import page_data

        return page_data(replay)

    def cards(self, edition: LocmEdition, deal: LocmDeal) -> Sequence[Card]:  # type: ignore[override]
        """The cards of a game: fixed ones, or those that the deal generates."""
        return card_table(edition, deal)

    def card_rows(self, edition: LocmEdition, deal: LocmDeal) -> Iterator[Mapping[str, str]]:  # type: ignore[override]
        """The cards of a game as a table for people."""
        for card in card_table(edition, deal):
            row = {"number": str(card.number), "name": card.name, "type": TYPE_NAMES[card.type]}
            row |= {name: str(getattr(card, name)) for name in ("cost", "attack", "defense")}
            row["keywords"] = card.abilities
            effects = {"me": card.my_health, "foe": card.opponent_health, "draw": card.card_draw}
            row |= {name: f"{value:+d}" if value else "" for name, value in effects.items()}
            yield row | ({"area": AREA_NAMES[card.area]} if edition.area_effects else {})

    def edition_facts(self, edition: LocmEdition) -> dict[str, Any]:
        """An edition's numbers and switches."""
        return asdict(edition)

    def edition_size(self, edition: LocmEdition) -> str:
        """Board, cards and actions."""
        cards = "120 new" if edition.generated_cards else str(len(edition.allowed_cards))
        return f"{edition.lanes} × {edition.lane_slots} board, {cards} cards, {edition.n_actions} actions"

    def position_from(self, data: Any) -> Position:
        """A position from plain data."""
        from cardrome.games.locm.protocol.setup import from_dict

        return from_dict(data)

    def position_json(self, position: LocmPosition) -> str:
        """A position as JSON for people."""
        from cardrome.games.locm.protocol.position import to_json

        return to_json(position)


FAMILY = LocmFamily()
