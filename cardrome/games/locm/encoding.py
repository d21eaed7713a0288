"""What a learner sees and does in LOCM: rows of features and ranges of actions, for kernels, spaces and pages."""

from __future__ import annotations

import functools
from typing import Annotated

from cardrome.engine.records import Record, Records, f4, resized
from cardrome.errors import CallerError
from cardrome.games.learning.encoding import About, ActionRange, Encoding, Feature
from cardrome.games.locm.gym_locm import layouts
from cardrome.games.locm.rules.cardgen import GENERATED_CARDS
from cardrome.games.locm.rules.cards import COSTS
from cardrome.games.locm.rules.edition import BOARD_SIZE, DECK_SIZE, HAND_LIMIT, LOCM_12, USE_TARGETS, LocmEdition


class CardRow(Record):
    """A card; all zero where there is none."""

    creature: Annotated[f4, Feature("is a creature")]
    green: Annotated[f4, Feature("is a green item")]
    red: Annotated[f4, Feature("is a red item")]
    blue: Annotated[f4, Feature("is a blue item")]
    cost: Annotated[f4, Feature("mana it costs", 16, 0, 16)]
    attack: Annotated[f4, Feature("attack; of an item, the change", 16, -32, 32)]
    defense: Annotated[f4, Feature("defense; of an item, the change", 16, -32, 32)]
    breakthrough: Annotated[f4, Feature("has, gives or takes Breakthrough")]
    charge: Annotated[f4, Feature("Charge, in the same way")]
    drain: Annotated[f4, Feature("Drain")]
    guard: Annotated[f4, Feature("Guard")]
    lethal: Annotated[f4, Feature("Lethal")]
    ward: Annotated[f4, Feature("Ward")]
    my_health: Annotated[f4, Feature("change of the own health", 8, -16, 16)]
    opponent_health: Annotated[f4, Feature("change of the opponent's health", 8, -16, 16)]
    card_draw: Annotated[f4, Feature("additional cards next turn", 4, 0, 8)]
    lane: Annotated[f4, Feature("works on a whole lane, or brings a second creature into the same")]
    both_lanes: Annotated[f4, Feature("works on both lanes, or brings a second creature into the other")]


class SumRow(Record):
    """Cards added up: each column is the sum of theirs, divided by 32."""

    creature: Annotated[f4, Feature("creatures", 32, 0, 32)]
    green: Annotated[f4, Feature("green items", 32, 0, 32)]
    red: Annotated[f4, Feature("red items", 32, 0, 32)]
    blue: Annotated[f4, Feature("blue items", 32, 0, 32)]
    cost: Annotated[f4, Feature("mana they cost", 512, 0, 512)]
    attack: Annotated[f4, Feature("attack", 512, -512, 512)]
    defense: Annotated[f4, Feature("defense", 512, -1024, 512)]
    breakthrough: Annotated[f4, Feature("cards with Breakthrough", 32, 0, 32)]
    charge: Annotated[f4, Feature("with Charge", 32, 0, 32)]
    drain: Annotated[f4, Feature("with Drain", 32, 0, 32)]
    guard: Annotated[f4, Feature("with Guard", 32, 0, 32)]
    lethal: Annotated[f4, Feature("with Lethal", 32, 0, 32)]
    ward: Annotated[f4, Feature("with Ward", 32, 0, 32)]
    my_health: Annotated[f4, Feature("changes of the own health", 256, -512, 512)]
    opponent_health: Annotated[f4, Feature("changes of the opponent's health", 256, -512, 512)]
    card_draw: Annotated[f4, Feature("additional cards", 128, 0, 256)]
    lane: Annotated[f4, Feature("cards that work on a lane", 32, 0, 32)]
    both_lanes: Annotated[f4, Feature("cards that work on both lanes", 32, 0, 32)]


class CreatureRow(Record):
    """A creature on the board: all zero where there is none."""

    present: Annotated[f4, Feature("a creature stands here")]
    attack: Annotated[f4, Feature("attack", 16, 0, 32)]
    defense: Annotated[f4, Feature("defense", 16, 0, 32)]
    breakthrough: Annotated[f4, Feature("has Breakthrough")]
    charge: Annotated[f4, Feature("has Charge")]
    drain: Annotated[f4, Feature("has Drain")]
    guard: Annotated[f4, Feature("has Guard")]
    lethal: Annotated[f4, Feature("has Lethal")]
    ward: Annotated[f4, Feature("has Ward")]
    can_attack: Annotated[f4, Feature("can attack now")]
    has_attacked: Annotated[f4, Feature("has attacked this turn")]


class TableRow(Record):
    """What is on the table besides cards."""

    second: Annotated[f4, Feature("the learner is player 1, who moves second")]
    turn: Annotated[f4, Feature("own turns before this one", 64, 0, 64)]
    health: Annotated[f4, Feature("own health", 32, -32, 64)]
    mana: Annotated[f4, Feature("mana left", 16, 0, 16)]
    max_mana: Annotated[f4, Feature("mana at the start of the turn", 16, 0, 16)]
    bonus_mana: Annotated[f4, Feature("the second player's bonus, while they have it")]
    hand: Annotated[f4, Feature("cards in hand", 8, 0, 8)]
    deck: Annotated[f4, Feature("cards in the own deck", 32, 0, 30)]
    next_draw: Annotated[f4, Feature("cards to draw next turn", 8, 0, 16)]
    rune: Annotated[f4, Feature("the next own rune", 32, 0, 25)]
    damage_taken: Annotated[f4, Feature("health lost since the last turn, where that brings cards", 32, 0, 64)]
    enemy_health: Annotated[f4, Feature("the opponent's health", 32, -32, 64)]
    enemy_mana: Annotated[f4, Feature("mana the opponent had left", 16, 0, 16)]
    enemy_max_mana: Annotated[f4, Feature("mana of the opponent's last turn", 16, 0, 16)]
    enemy_bonus_mana: Annotated[f4, Feature("the opponent's bonus")]
    enemy_hand: Annotated[f4, Feature("cards in the opponent's hand", 8, 0, 8)]
    enemy_deck: Annotated[f4, Feature("cards in the opponent's deck", 32, 0, 30)]
    enemy_next_draw: Annotated[f4, Feature("cards the opponent will draw", 8, 0, 16)]
    enemy_rune: Annotated[f4, Feature("the opponent's next rune", 32, 0, 25)]
    enemy_damage_taken: Annotated[f4, Feature("health the opponent lost, where that brings cards", 32, 0, 64)]


class BattleRow(Record):
    """What a player sees in battle."""

    table: Annotated[TableRow, About("both players, and the turn")]
    deck: Annotated[SumRow, About("the cards left in the own deck, whose order is unknown")]
    enemy_played: Annotated[SumRow, About("the cards that the opponent has played")]
    hand: Annotated[Records[CardRow], HAND_LIMIT, About("the cards in hand")]
    board: Annotated[Records[CreatureRow], BOARD_SIZE, About("the own creatures by place: lane by lane, oldest first")]
    enemy_board: Annotated[Records[CreatureRow], BOARD_SIZE, About("the opponent's creatures, in the same way")]


class BuildRow(Record):
    """Where deck building stands."""

    second: Annotated[f4, Feature("the learner is player 1, who moves second")]
    picks: Annotated[f4, Feature("cards chosen so far", 32, 0, 30)]


class CostRow(Record):
    """A cost, from 0 to 12."""

    picks: Annotated[f4, Feature("chosen cards of this cost", 32, 0, 30)]


class DraftRow(Record):
    """What a player sees in a draft."""

    table: Annotated[BuildRow, About("who chooses, and how far they are")]
    deck: Annotated[SumRow, About("the cards chosen so far, added up")]
    curve: Annotated[Records[CostRow], COSTS, About("the cards chosen so far by cost")]
    offer: Annotated[Records[CardRow], LOCM_12.offer_size, About("the cards to choose from")]
    picks: Annotated[Records[CardRow], DECK_SIZE, About("the cards chosen so far, in order")]


class PoolRow(Record):
    """A card of the pool."""

    card: CardRow
    copies: Annotated[f4, Feature("copies in the deck", 2, 0, 2)]


class ConstructedRow(Record):
    """What a player who constructs a deck sees."""

    table: Annotated[BuildRow, About("who chooses, and how far they are")]
    deck: Annotated[SumRow, About("the cards chosen so far, added up")]
    curve: Annotated[Records[CostRow], COSTS, About("the cards chosen so far by cost")]
    pool: Annotated[Records[PoolRow], GENERATED_CARDS, About("all cards of the pool")]


class PhaseRow(Record):
    """The phase of the game."""

    battle: Annotated[f4, Feature("decks are built, the battle goes on")]


class DraftMatchRow(Record):
    """What a player sees in a whole game with a draft. What belongs to the other phase is all zero."""

    phase: Annotated[PhaseRow, About("the phase of the game")]
    battle: BattleRow
    draft: DraftRow


@functools.cache
def draft_rows(alternatives: int, deck_size: int) -> tuple[type[DraftRow], type[DraftMatchRow]]:
    """What a player sees in a draft and in a whole game, with this many cards in an offer and in a deck."""
    if (alternatives, deck_size) == (LOCM_12.offer_size, LOCM_12.deck_size):
        return DraftRow, DraftMatchRow
    suffix = f"{alternatives}x{deck_size}"
    draft = resized(DraftRow, f"DraftRow{suffix}", offer=alternatives, picks=deck_size)
    return draft, resized(DraftMatchRow, f"DraftMatchRow{suffix}", draft=draft)


class ConstructedMatchRow(Record):
    """What a player sees in a whole game with constructed decks. What belongs to the other phase is all zero."""

    phase: Annotated[PhaseRow, About("the phase of the game")]
    battle: BattleRow
    constructed: ConstructedRow


@functools.lru_cache(100)
def encoding(edition: LocmEdition, task: str) -> Encoding:
    """What a learner sees and does in an edition: in battle, in deck building, or in the whole match."""
    building = "constructed" if edition.constructed else "draft"
    if task not in ("battle", building, "match"):
        raise CallerError(f"{edition.name} has no task {task!r}; it has battle, {building} and match")
    choices = (
        ActionRange("CHOOSE", GENERATED_CARDS, "pool row")
        if edition.constructed
        else ActionRange("PICK", edition.offer_size, "offer row")
    )
    ranges = (*(() if task == building else battle_actions(edition)), *(() if task == "battle" else (choices,)))
    return Encoding(edition, task, observed_row(edition, task), ranges, layouts(edition, task))


def observed_row(edition: LocmEdition, task: str) -> type[Record]:
    """What is observed in a task. A match has the kind of deck building that its edition has."""
    if task == "battle":
        return BattleRow
    if edition.constructed:
        return ConstructedMatchRow if task == "match" else ConstructedRow
    draft, match = draft_rows(edition.offer_size, edition.deck_size)
    return match if task == "match" else draft


def battle_actions(edition: LocmEdition) -> tuple[ActionRange, ...]:
    """The actions of a battle, as the engine numbers them."""
    lanes, slots = edition.lanes, edition.lane_slots
    return (
        ActionRange("PASS", 1, "ends the turn"),
        ActionRange("SUMMON", HAND_LIMIT * lanes, f"hand row × {lanes} lanes" if lanes > 1 else "hand row"),
        ActionRange(
            "USE",
            HAND_LIMIT * USE_TARGETS,
            f"hand row × {USE_TARGETS} targets: none, then the rows of the own board, then those of the enemy board",
        ),
        ActionRange(
            "ATTACK",
            BOARD_SIZE * (1 + slots),
            f"board row × {1 + slots} targets: the opponent, then the enemies of its lane",
        ),
    )
