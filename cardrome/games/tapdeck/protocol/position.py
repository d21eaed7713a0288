"""Positions of a match as readable data: to save them, to share them, to set them up by hand.

A deck, or the seed of one, is enough; everything else has a default: the first turn, full health, empty hands and
boards. A card is named by its id, and is in the deck unless it has left it (`drawn` counts those) or the position
says where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cardrome.errors import CallerError, InvalidPosition
from cardrome.games.game import Ending
from cardrome.games.position_data import read_struct
from cardrome.games.tapdeck.protocol.game import TapdeckDeal, TapdeckGame, TapdeckPosition, TapdeckView
from cardrome.games.tapdeck.rules.cards import deck_text
from cardrome.games.tapdeck.rules.edition import MAX_DECK, TapdeckEdition
from cardrome.games.tapdeck.rules.state import BY_HEALTH, BY_TURNS, PLAYING

_ENDINGS: Mapping[Ending | None, int] = {None: PLAYING, Ending.HEALTH: BY_HEALTH, Ending.TURNS: BY_TURNS}

_Seat = Literal[0, 1]
_Count = Annotated[int, Meta(ge=0, le=(1 << 15) - 1)]
_Amount = Annotated[int, Meta(ge=-(1 << 31), le=(1 << 31) - 1)]
_Id = Annotated[int, Meta(ge=1, le=MAX_DECK)]


class CreatureData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A creature on the board; its numbers are those of its card unless they are given."""

    card: _Id
    owner: _Seat
    attack: _Amount | None = None
    health: _Amount | None = None
    max_health: _Amount | None = None
    awake: bool = False
    attacks: _Count = 0
    """Its place among the attackers of a turn, from 1 on."""
    blocked: bool = False


class PositionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A position, field by field."""

    format: Literal["cardrome-position"] = "cardrome-position"
    version: Literal[1] = 1
    edition: Literal["tapdeck"]
    rules: dict[str, int] = {}
    """The edition's numbers that are not the usual ones."""
    seed: Annotated[int, Meta(ge=0, le=(1 << 62) - 1)] = 0
    deck: list[str] = []
    """The whole deck as the wire describes cards, top first; empty: the one that follows from the seed."""
    viewer: _Seat | None = None
    turn: _Count = 0
    current: _Seat | None = None
    """By default the turn says it: the first player has the even ones."""
    ending: Literal["health", "turns"] | None = None
    health: tuple[_Amount, _Amount] | None = None
    mana: _Amount = 0
    draws_left: _Count | None = None
    burns_left: _Count | None = None
    blocking: bool = False
    drawn: _Count = 0
    """Cards that have left the deck."""
    attackers: _Count = 0
    """Attacks declared in this turn, or to be blocked in it."""
    hands: tuple[list[_Id], list[_Id]] = ([], [])
    board: list[CreatureData] = []


def from_dict(data: object) -> TapdeckGame | TapdeckView:
    """A position from plain data: a view if it names a viewer, else a game to go on with.

    `InvalidPosition` names the place of whatever is wrong.
    """
    given = read_struct(data, PositionData)
    try:
        edition = TapdeckEdition(**given.rules)
        deal = TapdeckDeal(given.seed, "\n".join(given.deck) if given.deck else None)
        game = TapdeckGame(edition, deal)
    except (CallerError, TypeError) as error:
        raise InvalidPosition(f"rules or deck: {error}") from None
    _fill(game, given)
    return game if given.viewer is None else TapdeckView(game, given.viewer)


def _fill(game: TapdeckGame, given: PositionData) -> None:
    s, edition = game.states[0], game.edition
    places = {card.id: place for place, card in enumerate(game.cards)}
    named = [*given.hands[0], *given.hands[1], *(creature.card for creature in given.board)]
    for number in named:
        if number not in places:
            raise InvalidPosition(f"card {number}: the deck has no such card")
        if places[number] >= given.drawn:
            raise InvalidPosition(f"card {number}: it is still in the deck, of which {given.drawn} cards are drawn")
    if len(set(named)) < len(named):
        raise InvalidPosition("hands and board: a card is in two places")
    if given.drawn > len(places):
        raise InvalidPosition(f"drawn: {given.drawn} of a deck of {len(places)} cards")
    if given.turn >= edition.turns and given.ending is None:
        raise InvalidPosition(f"turn {given.turn}: the match has {edition.turns} turns")
    s.turn, s.top, s.mana, s.declared = given.turn, given.drawn, given.mana, given.attackers
    s.current = given.turn % 2 if given.current is None else given.current
    s.ending = _ENDINGS[None if given.ending is None else Ending(given.ending)]
    s.blocking = given.blocking
    s.draws_left = edition.draws if given.draws_left is None else given.draws_left
    s.burns_left = edition.burns if given.burns_left is None else given.burns_left
    s.health[:] = (edition.initial_health,) * 2 if given.health is None else given.health
    for player, hand in enumerate(given.hands):
        if len(hand) > s.hands.shape[1]:
            raise InvalidPosition(f"hands[{player}]: {len(hand)} cards; at most {s.hands.shape[1]} fit")
        s.n_hand[player] = len(hand)
        s.hands[player, : len(hand)] = [places[number] for number in sorted(hand)]
    s.n_creatures = len(given.board)
    for place, creature in enumerate(sorted(given.board, key=lambda each: each.card)):
        card = game.cards[places[creature.card]]
        if card.kind != "C":
            raise InvalidPosition(f"board: card {card.id} is not a creature")
        values = [
            getattr(card, name) if getattr(creature, name) is None else getattr(creature, name)
            for name in ("attack", "health", "max_health")
        ]
        flags = creature.attacks, creature.owner, creature.awake, creature.blocked, 0
        s.creatures[place] = (*values, places[creature.card], *flags)


def to_json(position: TapdeckPosition) -> str:
    """A position as JSON for people: complete, so that reading it gives back an equal one."""
    edition, default = position.edition, TapdeckEdition()
    rules = {name: value for name, value in edition.numbers().items() if value != getattr(default, name)}
    outcome = position.outcome
    data = PositionData(
        edition="tapdeck",
        rules=rules,
        deck=deck_text(position.cards).splitlines(),
        viewer=position.viewer if isinstance(position, TapdeckView) else None,  # type: ignore[arg-type]
        turn=position.turn,
        current=position.current,  # type: ignore[arg-type]
        ending=None if outcome is None else outcome.ending.value,  # type: ignore[arg-type]
        health=position.health,
        mana=position.mana,
        draws_left=position.draws_left,
        burns_left=position.burns_left,
        blocking=position.blocking,
        drawn=position.top,
        attackers=int(position.state.declared),
        hands=([card.id for card in position.hand(0)], [card.id for card in position.hand(1)]),
        board=[
            CreatureData(
                creature.card.id,
                creature.owner,  # type: ignore[arg-type]
                creature.attack,
                creature.health,
                creature.max_health,
                creature.awake,
                creature.attacks,
                creature.blocked,
            )
            for creature in position.creatures()
        ],
    )
    fields: dict[str, Any] = {"format": data.format, "version": data.version, **msgspec.to_builtins(data)}
    return msgspec.json.format(msgspec.json.encode(fields), indent=2).decode() + "\n"
