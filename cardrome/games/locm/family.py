"""Legends of Code and Magic as a game family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cardrome.errors import InvalidDeal, UnknownParameter
from cardrome.games.family import Family, later
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.cards import AREA_NAMES, TYPE_NAMES, Card
from cardrome.games.locm.rules.deal import LocmDeal, card_table, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import EDITIONS, LocmEdition

if TYPE_CHECKING:
    from cardrome.games.locm.protocol.replay import LocmReplay


class LocmFamily(Family[LocmEdition, "LocmReplay"]):
    """Legends of Code and Magic: draft or build a deck, then battle."""

    name = "locm"
    title = "Legends of Code and Magic"
    editions = EDITIONS
    has_programs = True
    has_frames = True
    has_analysis = True

    agents = later("agents.registry:AGENTS")
    replay_type = later("protocol.replay:LocmReplay")
    examiner = later("examiner:EXAMINER")
    why_illegal = later("examiner:explain")
    bulk_player = later("agents.batch:bulk_player")
    record = later("protocol.replay:LocmRecorder")
    rerun = later("protocol.replay:LocmRerun")
    inputs = later("protocol.replay:inputs")
    title_lines = later("protocol.story:title_lines")
    result_line = later("protocol.story:result_line")
    story = later("protocol.story:story")
    page_data = later("page:page_data")
    analyse = later("analysis:analyse")
    card_data = later("frames:card_data")
    game_at = later("page:game_at")
    seat = later("seat:LocmSeat")
    position_from = later("protocol.setup:from_dict")
    position_json = later("protocol.position:to_json")
    rulebook = later("rulebook:rulebook")
    reminder = later("rulebook:reminder")
    example = later("rulebook.scenes:example")
    encoding = later("encoding:encoding")
    stepper = later("episodes:LocmStepper")
    variant = later("rules.edition:variant")

    def deal(self, edition: LocmEdition, params: Mapping[str, str]) -> LocmDeal:
        """The deal with these parameters. Stricter than the referees, which ignore what they cannot read."""
        known = ("seed", *parameter_names(edition))
        for name, value in params.items():
            if name not in known:
                raise UnknownParameter(edition.name, name, known)
            if name.lower().endswith("seed") and parse_seed(value) is None:
                raise InvalidDeal(f"{name} is {value!r}; expected a whole number from -2^63 to 2^63 - 1")
        if "seed" not in params:
            raise InvalidDeal(
                "the seed is missing: agents' random choices follow from it, even where the deal does not need it"
            )
        deal = LocmDeal.from_params(params)
        if deal.overrides:
            deal.lay_out(edition)  # refuses impossible card lists
        return deal

    def new_game(self, edition: LocmEdition, deal: LocmDeal) -> LocmGame:  # type: ignore[override]
        """A new game."""
        return LocmGame(edition, deal)

    def identity(self, replay: LocmReplay) -> str:
        """The deal."""
        return f"{replay.edition} · seed {replay.deal['seed']}"

    def cards(self, edition: LocmEdition, deal: LocmDeal) -> Sequence[Card]:  # type: ignore[override]
        """The cards of a game: fixed ones, or those that the deal generates."""
        return card_table(edition, deal)

    def deals_cards(self, edition: LocmEdition) -> bool:
        """Only in constructed editions."""
        return edition.generated_cards

    def card_rows(self, edition: LocmEdition, deal: LocmDeal) -> Iterator[Mapping[str, str]]:  # type: ignore[override]
        """The cards of a game as a table for people."""
        for card in card_table(edition, deal):
            row = {"#": str(card.number), **({"name": card.name} if card.name else {}), "type": TYPE_NAMES[card.type]}
            row |= {"cost": str(card.cost), "strength": card.strength, "BCDGLW": card.abilities}
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


FAMILY = LocmFamily()
