"""Positions of a match as readable data: to save them, to share them, to set them up by hand.

    >>> game = from_dict({"edition": "tapdeck", "deck": ["1 C 2 2 2 0 1"], "board": [{"card": 1, "owner": 0}]})
    >>> game.players[0].board[0].attack
    2

Everything has a default: the deck of seed 0, the first turn, full health, empty hands and an empty board. A card is
named by its id. Those above the last one named have left the deck too, and are gone, unless `drawn` says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cardrome.errors import CallerError, InvalidPosition
from cardrome.games.position_data import read_struct, require
from cardrome.games.tapdeck.protocol.game import TapdeckDeal, TapdeckGame, TapdeckPosition, TapdeckView
from cardrome.games.tapdeck.rules.cards import deck_of, deck_text, parse_card
from cardrome.games.tapdeck.rules.edition import BOUNDS, MAX_DECK, TapdeckEdition
from cardrome.games.tapdeck.rules.state import BY_HEALTH, BY_TURNS, PLAYING

_Seat = Literal[0, 1]
_Count = Annotated[int, Meta(ge=0, le=MAX_DECK)]
_Turn = Annotated[int, Meta(ge=0, le=BOUNDS["turns"][1])]
_Amount = Annotated[int, Meta(ge=0, le=1_000_000)]
"""More than all cards of a deck can add up to."""
_Life = Annotated[int, Meta(ge=1, le=1_000_000)]
_Id = Annotated[int, Meta(ge=1, le=MAX_DECK)]


class RulesData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The edition's numbers that are not the usual ones."""

    initial_health: int | None = None
    turns: int | None = None
    draws: int | None = None
    burns: int | None = None
    hand_limit: int | None = None
    deck_size: int | None = None


class CreatureData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A creature on the board; its numbers are those of its card unless they are given."""

    card: _Id
    owner: _Seat
    attack: _Amount | None = None
    health: _Life | None = None
    max_health: _Life | None = None
    awake: bool = False
    attacks: _Count = 0
    """Its place among the attackers of a turn, from 1 on."""
    blocked: bool = False


class PositionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A position, field by field. Whose turn it is, and whether the match is over, follows from turn and health."""

    format: Literal["cardrome-position"] = "cardrome-position"
    version: Literal[1] = 1
    edition: Literal["tapdeck"]
    rules: RulesData = RulesData()
    seed: Annotated[int, Meta(ge=0, le=(1 << 62) - 1)] = 0
    deck: list[str] = []
    """The whole deck as the wire describes cards, top first; empty: the one that follows from the seed."""
    viewer: _Seat | None = None
    turn: _Turn = 0
    health: tuple[_Amount, _Amount] | None = None
    mana: _Amount = 0
    draws_left: _Amount | None = None
    burns_left: _Amount | None = None
    blocking: bool = True
    """The blocking phase, with which a turn begins, is not over."""
    drawn: _Count | None = None
    """Cards that have left the deck."""
    attackers: _Count | None = None
    """Attacks declared in this turn, those of creatures that are dead by now included."""
    hands: tuple[list[_Id], list[_Id]] = ([], [])
    board: list[CreatureData] = []


def from_dict(data: object) -> TapdeckGame | TapdeckView:
    """A position from plain data: a view if it names a viewer, else a game to go on with.

    `InvalidPosition` names the place of whatever is wrong.
    """
    given = read_struct(data, PositionData)
    game = TapdeckGame(_edition(given), _deal(given))
    beginning = game.copy()
    _check(game, given)
    _fill(game, given)
    if game != beginning:
        game.deal = None  # a deal without the actions that led here would be half the truth
    return game if given.viewer is None else game.view(given.viewer)


def _edition(given: PositionData) -> TapdeckEdition:
    numbers = msgspec.structs.asdict(given.rules)
    try:
        return TapdeckEdition(**{name: value for name, value in numbers.items() if value is not None})
    except CallerError as error:
        raise InvalidPosition(f"rules.{error}") from None


def _deal(given: PositionData) -> TapdeckDeal:
    if not given.deck:
        return TapdeckDeal(given.seed)
    try:
        deck_of([parse_card(line, f"deck[{place}]: card") for place, line in enumerate(given.deck)])
    except CallerError as error:
        raise InvalidPosition(str(error)) from None
    return TapdeckDeal(given.seed, "\n".join(given.deck))


def _named(given: PositionData) -> Iterator[tuple[str, int]]:
    """All cards that are not in the deck and not gone: where they are named, and their ids."""
    for player, hand in enumerate(given.hands):
        yield from ((f"hands[{player}][{i}]", number) for i, number in enumerate(hand))
    yield from ((f"board[{i}].card", creature.card) for i, creature in enumerate(given.board))


def _check(game: TapdeckGame, given: PositionData) -> None:
    """Refuse what the rules do not allow."""
    edition, places = game.edition, {card.id: place for place, card in enumerate(game.cards)}
    require(given.turn <= edition.turns, f"turn: {given.turn}, but the match has {edition.turns} turns")
    require((given.drawn or 0) <= len(places), f"drawn: {given.drawn} cards of a deck of {len(places)}")
    seen: dict[int, str] = {}
    for place, number in _named(given):
        require(number in places, f"{place}: the deck has no card {number}")
        require(number not in seen, f"{place}: card {number} is also at {seen.get(number)}")
        seen[number] = place
        left = given.drawn is None or places[number] < given.drawn
        require(left, f"{place}: card {number} is still in the deck, of which {given.drawn} cards are drawn")
    for player, hand in enumerate(given.hands):
        allowed = f"hands[{player}]: {len(hand)} cards; the limit is {edition.hand_limit}"
        require(len(hand) <= edition.hand_limit, allowed)
    for player, health in enumerate(given.health or ()):
        most = f"health[{player}]: {health}, but nobody has more than {edition.initial_health}"
        require(health <= edition.initial_health, most)
    require(given.health != (0, 0), "health: both players are dead; the first to die ends the match")
    mover = given.turn % 2
    for i, creature in enumerate(given.board):
        card, place = game.cards[places[creature.card]], f"board[{i}]"
        require(card.kind == "C", f"{place}.card: card {card.id} is not a creature")
        health, most_health = creature.health or card.health, creature.max_health or card.max_health
        require(health <= most_health, f"{place}.health: {health} of at most {most_health}")
        over = given.turn == edition.turns
        attacking = given.blocking == (creature.owner != mover) or over
        require(not creature.attacks or attacking, f"{place}.attacks: its owner cannot be attacking at this moment")
        blocked = not creature.blocked or (creature.attacks and given.blocking)
        require(blocked, f"{place}.blocked: only an attacker is blocked, in the blocking phase")


def _fill(game: TapdeckGame, given: PositionData) -> None:
    s, edition = game.states[0], game.edition
    places = {card.id: place for place, card in enumerate(game.cards)}
    s.turn, s.mana, s.blocking = given.turn, given.mana, given.blocking
    s.top = max([0, *(places[number] + 1 for _, number in _named(given))]) if given.drawn is None else given.drawn
    s.draws_left = edition.draws if given.draws_left is None else given.draws_left
    s.burns_left = edition.burns if given.burns_left is None else given.burns_left
    if given.health is not None:
        s.health[:] = given.health
    over = given.turn == edition.turns
    s.current = 1 if over else given.turn % 2
    s.ending = BY_HEALTH if 0 in s.health else BY_TURNS if over else PLAYING
    for player, hand in enumerate(given.hands):
        s.n_hand[player] = len(hand)
        s.hands[player, : len(hand)] = [places[number] for number in sorted(hand)]
    s.n_creatures = len(given.board)
    for place, creature in enumerate(sorted(given.board, key=lambda each: each.card)):
        card = game.cards[places[creature.card]]
        values = [
            getattr(card, name) if getattr(creature, name) is None else getattr(creature, name)
            for name in ("attack", "health", "max_health")
        ]
        flags = creature.attacks, creature.owner, creature.awake, creature.blocked, 0
        s.creatures[place] = (*values, places[creature.card], *flags)
    declared = [creature.attacks for creature in given.board if creature.owner == s.current]
    s.declared = max([0, *declared]) if given.attackers is None else given.attackers


def to_json(position: TapdeckPosition) -> str:
    """A position as JSON for people: complete, so that reading it gives back an equal one."""
    edition, default = position.edition, TapdeckEdition()
    rules = {name: value for name, value in edition.numbers().items() if value != getattr(default, name)}
    data = PositionData(
        edition="tapdeck",
        rules=RulesData(**rules),
        deck=deck_text(position.cards).splitlines(),
        viewer=position.viewer if isinstance(position, TapdeckView) else None,  # type: ignore[arg-type]
        turn=position.turn,
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
