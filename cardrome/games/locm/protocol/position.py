"""Positions as readable data: to save them, to share them, to set them up by hand.

    >>> game = from_dict({"edition": "locm-1.2", "players": [{"board": [[3, 7], []]}, {"board": [[116], []]}]})
    >>> game.legal_actions
    ['PASS', 'ATTACK 1 2', 'ATTACK 3 2']

`to_dict` and `to_json` write everything of a position, so that reading gives back the same bytes. What people write
may leave out almost all of it: `cardrome.games.locm.protocol.setup.position` fills it in and checks it.

A card is named by its number. A game whose deal and actions are known carries both, and is read by playing it again;
any other position spells out its deal. A view names its viewer and writes ``"?"`` for each card hidden from them.
"""

from __future__ import annotations

import json
from typing import Any

from cardrome.games.locm.protocol.game import LocmGame, LocmPosition, LocmView
from cardrome.games.locm.protocol.setup.deal import HIDDEN_CARD
from cardrome.games.locm.protocol.setup.position import FORMAT, VERSION, from_dict, replayed
from cardrome.games.locm.rules.cards import AREA_NAMES, HIDDEN, TYPE_NAMES, abilities_text
from cardrome.games.locm.rules.deal import parameter_names
from cardrome.games.locm.rules.edition import DECK_SIZE
from cardrome.games.locm.rules.state import BATTLE, UNKNOWN_ID

__all__ = ["from_dict", "to_dict", "to_json"]

_WIDTH = 110
_FILLED = frozenset({"deck", "played", "offers", "actions", "performed"})
"""Lists whose items stand side by side; those of other lists have a line each."""


def to_dict(position: LocmPosition) -> dict[str, Any]:
    """A position as plain data, complete: `from_dict` gives back an equal one."""
    state = position.state
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "edition": position.edition.name}
    if isinstance(position, LocmView):
        data["viewer"] = position.viewer
    data["phase"] = position.phase
    data["turn"] = position.turn
    data["current"] = position.current
    data["winner"] = position.winner
    data["summoned"] = int(state.summoned)
    data["clones"] = int(state.clones)
    data["players"] = [_player(position, p) for p in range(2)]
    data |= _deal(position)
    return data


def to_json(position: LocmPosition) -> str:
    """A position as JSON for people: stable, a line for each card in hand and each creature."""
    return _pretty(to_dict(position), "", "") + "\n"


def _player(position: LocmPosition, p: int) -> dict[str, Any]:
    player = position.state.players[p]
    names = ("health", "mana", "max_mana", "bonus_mana", "rune", "next_draw", "shown_draw", "damage_taken")
    data: dict[str, Any] = {name: int(player[name]) for name in names}
    if position.state.phase != BATTLE:
        data["deck"] = [_held(position, player.deck[i]) for i in range(player.n_deck)]
        return data
    data["hand"] = [_held(position, player.hand[i]) for i in range(player.n_hand)]
    data["board"] = [_lane(position, player, lane) for lane in range(position.edition.lanes)]
    data["deck"] = [_held(position, player.deck[i]) for i in range(DECK_SIZE - player.n_deck, DECK_SIZE)]
    data["played"] = [_held(position, player.deck[i]) for i in range(player.n_played)]
    data["performed"] = list(position.performed[p])
    return data


def _held(position: LocmPosition, held: Any) -> Any:
    """A card in a hand or deck. Before the battle it has no id."""
    if held.card == HIDDEN:
        return HIDDEN_CARD
    number = _number(position, held.card)
    return number if held.id == UNKNOWN_ID else {"card": number, "id": int(held.id)}


def _number(position: LocmPosition, index: int) -> int:
    return int(position.deals[0].cards[index].number)


def _lane(position: LocmPosition, player: Any, lane: int) -> list[dict[str, Any]]:
    first = lane * position.edition.lane_slots
    return [_creature(position, player.board[place]) for place in range(first, first + player.n_lane[lane])]


def _creature(position: LocmPosition, creature: Any) -> dict[str, Any]:
    return {
        "card": _number(position, creature.card),
        "id": int(creature.id),
        "attack": int(creature.attack),
        "defense": int(creature.defense),
        "abilities": abilities_text(creature.abilities),
        "can_attack": bool(creature.can_attack),
        "has_attacked": bool(creature.has_attacked),
        "touched": bool(creature.touched),
        "order": int(creature.order),
    }


def _deal(position: LocmPosition) -> dict[str, Any]:
    """The deal: as parameters with the actions that led here, or spelled out."""
    edition = position.edition
    if isinstance(position, LocmGame) and position.deal is not None:
        params = position.deal.params()
        known = ("seed", *parameter_names(edition))
        # A state that somebody changed by hand is no longer what the actions lead to.
        if params.keys() <= set(known) and replayed(edition, position.deal, position.actions) == position:
            return {"deal": params, "actions": list(position.actions)}
    deal = position.deals[0]
    data: dict[str, Any] = {"shuffle_seeds": [str(seed) for seed in deal.shuffle_seed]}
    if edition.constructed:
        data["cards"] = [_card(deal.cards[i]) for i in range(deal.n_cards)]
    else:
        data["offers"] = [
            HIDDEN_CARD if HIDDEN in offer else [_number(position, index) for index in offer] for offer in deal.offers
        ]
    return {"deal": data}


def _card(card: Any) -> dict[str, Any]:
    """A card of a generated table, without what is 0."""
    data: dict[str, Any] = {"number": int(card.number), "type": TYPE_NAMES[card.type], "cost": int(card.cost)}
    data |= {name: int(card[name]) for name in ("attack", "defense") if card[name]}
    if card.abilities:
        data["abilities"] = abilities_text(card.abilities)
    data |= {name: int(card[name]) for name in ("my_health", "opponent_health", "card_draw") if card[name]}
    if card.area:
        data["area"] = AREA_NAMES[card.area]
    return data


def _pretty(value: Any, margin: str, key: str) -> str:
    """JSON with a line for each thing that people look for, and no more lines than that."""
    nested = isinstance(value, (dict, list)) and any(isinstance(item, (dict, list)) for item in _items(value))
    inner = margin + "  "
    if isinstance(value, dict) and (nested or not margin):
        parts = [f"{json.dumps(name)}: {_pretty(item, inner, name)}" for name, item in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(parts) + f"\n{margin}}}"
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list) or not value:
        return text
    if nested and key not in _FILLED:
        parts = [_pretty(item, inner, "") for item in value]
        return f"[\n{inner}" + f",\n{inner}".join(parts) + f"\n{margin}]"
    if len(margin) + len(key) + len(text) <= _WIDTH:
        return text
    return _fill(value, margin, inner)


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _fill(items: list[Any], margin: str, inner: str) -> str:
    """A list with as many items in a line as fit."""
    lines = [inner]
    for i, item in enumerate(items):
        text = json.dumps(item, ensure_ascii=False) + ("," if i < len(items) - 1 else "")
        if lines[-1] != inner and len(lines[-1]) + 1 + len(text) > _WIDTH:
            lines.append(inner)
        lines[-1] += text if lines[-1] == inner else f" {text}"
    return "\n".join(["[", *lines, f"{margin}]"])
