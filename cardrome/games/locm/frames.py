"""LOCM as frames: what is to be seen of a position, what an action changed, and the cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.games.frames import Json
from cardrome.games.locm.protocol.answers import BotAction
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition
from cardrome.games.locm.protocol.sides import all_cards, card_at
from cardrome.games.locm.rules.cards import TYPE_NAMES, Card, abilities_text
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import ATTACK, SUMMON, LocmEdition


def head(position: LocmPosition) -> Json:
    """What stays the same during a game, as far as both players know it."""
    edition = position.edition
    return {
        "edition": edition.name,
        "health": edition.start_health,
        "runes": list(range(edition.top_rune, 0, -edition.rune_step)) if edition.rune_step else [],
        "lanes": edition.lanes,
        "slots": edition.lane_slots,
        "hidden": True,
        "cards": [_face(card) for card in all_cards(position)],
    }


def _face(card: Card) -> Json:
    """A card as pages draw it."""
    values = {
        "number": card.number,
        "name": card.name,
        "type": TYPE_NAMES[card.type],
        "cost": card.cost,
        "attack": card.attack,
        "defense": card.defense,
        "keywords": card.keywords,
        "my": card.my_health,
        "foe": card.opponent_health,
        "draw": card.card_draw,
        "area": card.area,
    }
    return {key: value for key, value in values.items() if value or key == "number"}  # generated cards count from 0


# Positions


def board(position: LocmPosition, deed: Json, things: dict[int, int]) -> Json:
    """The frame of a battle position. ``things`` learns which cards are to be seen; of a view, no others."""
    sides = {str(p): _side(position, p, things) for p in (0, 1)}
    shown = {key: value for key, value in deed.items() if value not in (None, "", [])}
    return {"kind": "battle", "turn": position.turn, "player": position.current, "sides": sides, "deed": shown}


def _side(position: LocmPosition, p: int, things: dict[int, int]) -> Json:
    values = _values(position.state.players[p])
    slots, mine, n = position.edition.lane_slots, p == position.current, values["n_hand"]
    creatures, hand = values["board"].tolist(), values["hand"][:n].tolist()
    rows = {
        str(lane): [_creature(mine, *creature) for creature in creatures[lane * slots : lane * slots + count]]
        for lane, count in enumerate(values["n_lane"][: position.edition.lanes].tolist())
    }
    known = position.viewer in (None, p)
    things |= {number: card for card, number in (hand if known else values["deck"][: values["n_played"]].tolist())}
    things |= {creature[4]: creature[3] for creature in creatures if creature[2]}
    return {
        "health": values["health"],
        "mana": [values["mana"], values["max_mana"]],
        "rune": values["rune"],
        "draw": values["next_draw"],
        "deck": values["n_deck"],
        "hand": [number for _, number in hand] if known else n,
        "rows": rows,
    }


def _values(record: Any) -> Json:
    """All fields of a record as plain values. Asking NumPy for one field at a time takes ten times as long."""
    return dict(zip(record.dtype.names, record.item(), strict=True))


def _creature(
    mine: bool,
    attack: int,
    defense: int,
    order: int,
    card: int,
    number: int,
    abilities: int,
    can_attack: int,
    has_attacked: int,
    *_: int,
) -> list[Any]:
    state = "" if not mine else "ready" if can_attack else "spent" if has_attacked else "sick"
    return [number, attack, defense, abilities_text(abilities).replace("-", ""), state]


# Actions


class Look:
    """What of a battle position actions change in the open."""

    __slots__ = ("creatures", "current", "hands", "health", "position", "runes")

    def __init__(self, position: LocmPosition) -> None:
        players = position.states.view(np.ndarray)["players"][0]
        self.position = position
        self.current = position.current
        self.creatures = {
            number: (attack, defense, abilities)
            for side in players["board"].tolist()
            for attack, defense, order, _, number, abilities, *_ in side
            if order
        }
        self.health: list[int] = players["health"].tolist()
        self.runes: list[int] = players["rune"].tolist()
        self.hands: list[int] = players["n_hand"].tolist()


def told(before: Look, command: BotAction, after: Look) -> Json:
    """A legal action that was carried out, as a deed."""
    kind, source, target = command
    if kind == SUMMON:
        return {"kind": "summon", "actor": source, "lane": target or 0, "changes": changes(before, after)}
    aim = None if target is None or target < 0 else target
    if kind == ATTACK:
        struck = {}
        if aim is not None:
            struck = {aim: before.creatures[source][0], source: before.creatures[aim][0]}
        deed: Json = {"kind": "attack", "actor": source, "changes": changes(before, after, struck)}
        return deed | ({"foe": 1 - before.current} if aim is None else {"target": aim})
    me = after.position.state.players[before.current]
    used = card_at(after.position, int(me.deck[me.n_played - 1].card))  # the last card played: it is open by now
    assert used is not None
    struck = dict.fromkeys(before.creatures, -used.defense) if used.defense < 0 else {}
    deed = {"kind": "use", "actor": source, "changes": changes(before, after, struck)}
    if aim is None:
        return deed | ({"foe": 1 - before.current} if used.defense < 0 or used.opponent_health < 0 else {})
    return deed | {"target": aim}


def turn_start(before: Look | None, after: Look) -> Json:
    """The start of a turn, as a deed; ``before`` is the end of the turn before."""
    player = after.current
    if before is None:
        return {"kind": "turn", "player": player}
    drawn = after.hands[player] - before.hands[player]
    draws: list[list[Any]] = [["draws", player, drawn]] if drawn > 0 else []
    return {"kind": "turn", "player": player, "changes": [*draws, *changes(before, after)]}


def changes(before: Look, after: Look, struck: dict[int, int] | None = None) -> list[list[Any]]:
    """What is different now, in the order in which it is shown. ``struck`` is the damage that each creature took."""
    was, now = before.creatures, after.creatures
    found: list[list[Any]] = [["enters", thing] for thing in now if thing not in was]
    for thing, old in was.items():
        new = now.get(thing)
        if new is not None and old != new:
            gained, lost = new[2] & ~old[2], old[2] & ~new[2]
            found.append(["creature", thing, old[0], new[0], old[1], new[1], _letters(gained), _letters(lost)])
    found += [["dies", thing, (struck or {}).get(thing, 0)] for thing in was if thing not in now]
    for p, (health, left) in enumerate(zip(before.health, after.health)):
        if health != left:
            found.append(["health", p, health, left])
    step = before.position.edition.rune_step
    for p, (rune, left) in enumerate(zip(before.runes, after.runes)):
        if rune != left and step:
            found += [["rune", p, broken] for broken in range(rune, left, -step)]
    return found


def _letters(abilities: int) -> str:
    return abilities_text(abilities).replace("-", "")


def card_data(edition: LocmEdition, deal: LocmDeal) -> list[Json]:
    """The cards of a game as pages draw them: those that the edition allows, or those that the deal generates."""
    cards = all_cards(LocmGame(edition, deal))
    places = range(len(cards)) if edition.generated_cards else edition.allowed_cards
    return [_face(cards[place]) for place in places]
