"""Editions: the numbers and switches in which the versions of Legends of Code and Magic differ.

A person reads `LocmEdition`; kernels read the same numbers from a `Rules` record. A rule never asks which edition
it serves, only for the field that makes the difference.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Annotated

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Integers, Record, Records, fill, flag, i1, i2, new_records
from cardrome.errors import CallerError, UnknownEdition
from cardrome.games.locm.rules.cards import FIXED_CARDS, MAX_CARDS

HAND_LIMIT = 8
DECK_SIZE = 30
"""Cards of a deck; variants may have fewer."""
OFFER_LIMIT = 10
"""Cards of a draft round that a deal has room for: every edition offers fewer, variants may offer as many."""
BOARD_SIZE = 6
MAX_ACTIONS = 160

PASS, SUMMON, USE, ATTACK = range(4)
"""Kinds of battle action, in the order of their codes."""

OWN_TARGETS, ENEMY_TARGETS, USE_TARGETS = 1, 1 + BOARD_SIZE, 1 + 2 * BOARD_SIZE
"""Targets of an item: 0 is none, then come the places of the player's own board, then those of the enemy's; the number
of targets."""


class Rules(Record):
    """An edition as kernels see it: its numbers, and tables made from them."""

    lanes: i1
    lane_slots: i1
    lane_of: Annotated[Integers, "i1", BOARD_SIZE]
    start_health: i1
    first_hand: i1
    second_hand: i1
    mana_cap: i1
    bonus_mana: i1
    turn_limit: i1
    rune_step: i1
    top_rune: i1
    damage_per_extra_card: i1
    missing_card_damage: i1
    generated_cards: flag
    area_effects: flag
    offer_size: i1
    deck_size: i1
    max_copies: i1
    draft_pool: i2
    constructed_pool: i2
    ids_by_deck_position: flag
    id_base: i1
    id_step: i1
    id_player_step: i1
    clone_id_step: i1
    first_clone_id: i1
    shows_draw: flag
    shows_rune: flag
    shows_actions: flag
    shows_lane: flag
    shows_area: flag
    fades: flag
    n_allowed: i2
    allowed: Annotated[Integers, "u1", MAX_CARDS]
    n_actions: i2
    first_use: i2
    first_attack: i2
    action_kind: Annotated[Integers, "i1", MAX_ACTIONS]
    """What an action code means: its kind, the hand position or the place on the board it starts from, its target."""
    action_source: Annotated[Integers, "i1", MAX_ACTIONS]
    action_target: Annotated[Integers, "i1", MAX_ACTIONS]


# Action codes: 0 is PASS, then come all SUMMONs, USEs and ATTACKs, ordered by source and target.


@kernel
def summon_code(rules: Rules, position: int, lane: int) -> int:
    """SUMMON: the card at a position of the hand, into a lane."""
    return 1 + position * int(rules.lanes) + lane


@kernel
def use_code(rules: Rules, position: int, target: int) -> int:
    """USE: the card at a position of the hand, on a target."""
    return int(rules.first_use) + position * USE_TARGETS + target


@kernel
def attack_code(rules: Rules, place: int, target: int) -> int:
    """ATTACK: the creature at a place, on the opponent (target 0) or on an enemy of its lane (counted from 1)."""
    return int(rules.first_attack) + place * (1 + int(rules.lane_slots)) + target


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Milliseconds a bot may think, per kind of call."""

    first_build: int
    build: int
    first_battle: int
    battle: int


@dataclass(frozen=True, slots=True)
class LocmEdition:
    """One concrete rule set. The defaults are those of LOCM 1.2."""

    name: str
    summary: str

    # The board
    lanes: int = 2
    lane_slots: int = 3

    # Players
    start_health: int = 30
    first_hand: int = 4
    second_hand: int = 5
    mana_cap: int = 12
    bonus_mana: int = 1
    """Extra mana of the second player, until one of their turns ends with none left."""

    # Drawing and the end of the game
    turn_limit: int = 50
    """A player's turns before drawing starts to hurt."""
    top_rune: int = 25
    rune_step: int = 5
    """Runes stand every `rune_step` health from `top_rune` down; 0: the edition has no runes."""
    damage_per_extra_card: int = 0
    """Health lost since the last own turn that brings one extra card; 0: it brings none."""
    missing_card_damage: int = 0
    """Damage of each card that an empty deck owes (and of each turn over the limit); 0: runes break instead."""

    # Deck building
    offer_size: int = 3
    """Cards shown in a draft round; 0: the deck is constructed freely from a pool shown at once."""
    deck_size: int = DECK_SIZE
    draft_pool: int = 60
    constructed_pool: int = 120
    max_copies: int = 2
    """Copies of one card in a constructed deck."""
    league: int = 4
    """Which cards may be offered: 1 to 3 are the Wood leagues, 4 is everything."""

    # Cards
    generated_cards: bool = False
    area_effects: bool = False

    # Instance ids: base + step * k + player_step * player
    ids_by_deck_position: bool = True
    """k is the position in the shuffled deck; otherwise the order in which the cards were chosen."""
    id_base: int = 1
    id_step: int = 2
    id_player_step: int = 1
    clone_id_step: int = 0
    """A clone's id is its original's plus this; 0: clones are numbered from `first_clone_id` on."""
    first_clone_id: int = 61

    # What bots are shown
    shows_draw: bool = True
    shows_rune: bool = True
    shows_actions: bool = True
    shows_lane: bool = True
    shows_area: bool = False
    fades: bool = True
    """A creature that fought, or that an item touched, shows 0 for its health and draw effects from then on."""
    summon_names_lane: bool = True
    draft_ids_separators: str = r"\s_"
    limits: TimeLimits = TimeLimits(first_build=1000, build=100, first_battle=1000, battle=200)

    # How recordings name it
    version: str = "1.2"
    build: str | None = None

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def constructed(self) -> bool:
        """Decks are constructed from a pool rather than drafted from offers."""
        return self.offer_size == 0

    @property
    def n_actions(self) -> int:
        """How many action codes there are."""
        return int(self.rules[0].n_actions)

    @property
    def rules(self) -> Records[Rules]:
        """The edition as kernels take it: an array of one record."""
        return rules_record(self)

    @property
    def seed_names(self) -> tuple[str, ...]:
        """The derived seeds, in the order in which the referee draws them."""
        if self.constructed:
            return ("cardGenSeed", "constructedChoicesSeed", "shufflePlayer0Seed", "shufflePlayer1Seed")
        return ("draftChoicesSeed", "shufflePlayer0Seed", "shufflePlayer1Seed")

    @property
    def allowed_cards(self) -> list[int]:
        """Indices of the fixed cards that may be offered."""
        return [i for i, card in enumerate(FIXED_CARDS) if card.league <= self.league]


LOCM_12 = LocmEdition("locm-1.2", "two lanes, draft of 30 picks, runes")

LOCM_10 = replace(
    LOCM_12,
    name="locm-1.0",
    summary="one lane, contest build of 2018",
    lanes=1,
    lane_slots=6,
    bonus_mana=0,
    shows_draw=False,
    shows_actions=False,
    shows_lane=False,
    summon_names_lane=False,
    draft_ids_separators=r"\s",
    limits=TimeLimits(first_build=1000, build=100, first_battle=1000, battle=100),
    version="1.0",
    build="contest",
)

LOCM_10_MULTI = replace(
    LOCM_10,
    name="locm-1.0-multi",
    summary="one lane, multiplayer build: bonus mana, opponent's actions shown",
    bonus_mana=1,
    shows_draw=True,
    shows_actions=True,
    build="multi",
)

LOCM_15 = LocmEdition(
    "locm-1.5",
    "two lanes, decks built from 120 generated cards, area effects",
    top_rune=0,
    rune_step=0,
    damage_per_extra_card=5,
    missing_card_damage=10,
    offer_size=0,
    generated_cards=True,
    area_effects=True,
    ids_by_deck_position=False,
    id_base=0,
    id_step=2,
    id_player_step=60,
    clone_id_step=1,
    shows_rune=False,
    shows_area=True,
    fades=False,
    limits=TimeLimits(first_build=4000, build=4000, first_battle=1000, battle=200),
    version="1.5",
)

LOCM_15_2022 = replace(
    LOCM_15,
    name="locm-1.5-2022",
    summary="1.5 with the instance ids of the 2022 competition",
    id_base=1,
    id_step=1,
    id_player_step=30,
    clone_id_step=0,
    build="2022",
)


def _leagues(base: LocmEdition) -> list[LocmEdition]:
    """The Wood leagues of a 1.0 build, from the lowest: they restrict the cards and nothing else."""
    return [
        replace(base, name=f"{base.name}-wood{4 - level}", summary=f"Wood {4 - level} league: {cards}", league=level)
        for level, cards in (
            (1, "plain creatures only"),
            (2, "creatures without Drain, Lethal, Ward"),
            (3, "no card with Drain, Lethal, Ward"),
        )
    ]


EDITIONS: dict[str, LocmEdition] = {
    e.name: e
    for e in [*_leagues(LOCM_10), LOCM_10, *_leagues(LOCM_10_MULTI), LOCM_10_MULTI, LOCM_12, LOCM_15, LOCM_15_2022]
}
"""Every edition by its name."""


def find_edition(name: str) -> LocmEdition:
    """The edition of that name."""
    try:
        return EDITIONS[name]
    except KeyError:
        raise UnknownEdition(name, EDITIONS) from None


def variant(edition: LocmEdition, deck_size: int | None = None, alternatives: int | None = None) -> LocmEdition:
    """An edition with decks of another size, and with another number of cards in each round of its draft."""
    deck_size = edition.deck_size if deck_size is None else deck_size
    if not edition.second_hand <= deck_size <= DECK_SIZE:
        raise CallerError(
            f"deck_size is {deck_size}; allowed are {edition.second_hand} (the first hand of the second player) to "
            f"{DECK_SIZE} (cards have ids for no more)"
        )
    if alternatives is None:
        return replace(edition, deck_size=deck_size)
    if edition.constructed:
        raise CallerError(f"alternatives: {edition.name} has no draft")
    if not 1 <= alternatives <= OFFER_LIMIT:
        raise CallerError(f"alternatives is {alternatives}; allowed are 1 to {OFFER_LIMIT}")
    return replace(edition, deck_size=deck_size, offer_size=alternatives)


@functools.cache
def rules_record(edition: LocmEdition) -> Records[Rules]:
    """The edition as an array of one record, for kernels."""
    array = new_records(Rules)
    rules = array[0]
    fill(rules, edition)
    allowed = edition.allowed_cards
    rules.n_allowed = len(allowed)
    rules.allowed[: len(allowed)] = allowed

    rules.lane_of[:] = [place // edition.lane_slots for place in range(BOARD_SIZE)]

    rules.first_use = summon_code(rules, HAND_LIMIT, 0)
    rules.first_attack = use_code(rules, HAND_LIMIT, 0)
    rules.n_actions = attack_code(rules, BOARD_SIZE, 0)
    for kind, code, sources, targets in (
        (SUMMON, summon_code, HAND_LIMIT, edition.lanes),
        (USE, use_code, HAND_LIMIT, USE_TARGETS),
        (ATTACK, attack_code, BOARD_SIZE, 1 + edition.lane_slots),
    ):
        for source in range(sources):
            for target in range(targets):
                place = code(rules, source, target)
                rules.action_kind[place], rules.action_source[place], rules.action_target[place] = kind, source, target
    array.flags.writeable = False
    return array
