"""Tapdeck as frames: every turn, every command, and what the end of a turn brings."""

from __future__ import annotations

from typing import Any

from cardrome.errors import CallerError
from cardrome.games.frames import Json
from cardrome.games.tapdeck.protocol.commands import Command
from cardrome.games.tapdeck.protocol.game import TapdeckCreature, TapdeckDeal, TapdeckPosition, is_query
from cardrome.games.tapdeck.protocol.rerun import TapdeckMoment
from cardrome.games.tapdeck.protocol.story import consequences
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.actions import MYSELF, OPPONENT
from cardrome.games.tapdeck.rules.cards import TapdeckCard, cards_of
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

ITEM_LIMIT = 2_000_000
"""Frames, cards in hands and creatures of one page: no browser copes with more."""

_KINDS = {
    actions.DRAW_CARD: "draw",
    actions.BURN_CARD: "burn",
    actions.DISCARD_CARD: "discard",
    actions.ADD_MANA: "tap",
    actions.ATTACK: "declare",
    actions.BLOCK: "block",
    actions.FINISH_BLOCK: "finish",
}
_SPELLS = {"H": "heal", "D": "damage", "T": "take", "B": "buff", "I": "deactivate"}
_LOOKS = {"H": "green", "D": "red", "T": "blue", "B": "green", "I": "blue"}
"""The frame in which a spell is drawn: those of the items of LOCM."""


def head(position: TapdeckPosition) -> Json:
    """What stays the same during a match, known to both players."""
    return {
        "edition": position.edition.name,
        "health": position.edition.initial_health,
        "runes": [],
        "lanes": 1,
        "slots": 0,
        "hidden": False,
        "cards": [card_face(card) for card in position.cards],
    }


def things(position: TapdeckPosition) -> dict[int, int]:
    """The card of each thing: all are known from the beginning."""
    return {card.id: place for place, card in enumerate(position.cards)}


class TapdeckFrames:
    """Collects the frames of a match."""

    def __init__(self) -> None:
        self.frames: list[Json] = []
        self._items = 0
        self._turn = -1
        self.tapped: set[int] = set()
        """Creatures that were awake before they fell asleep; the others have just been played."""
        self._sides: dict[str, Json] = {}
        self._shown: TapdeckPosition | None = None

    def begin_turn(self, position: TapdeckPosition) -> None:
        """Add the start of a turn, unless it has been added."""
        if self._turn != position.turn:
            self._turn = position.turn
            self._frame(position, {"kind": "turn", "player": position.current})

    def add(self, moment: TapdeckMoment) -> None:
        """Add one command, or the end of a turn."""
        self.begin_turn(moment.before)
        if moment.command is None and not moment.after.is_over and not any(consequences(moment.before, moment.after)):
            return
        was = {creature.id for creature in moment.before.creatures() if creature.awake}
        self.tapped = (self.tapped | was) - {creature.id for creature in moment.after.creatures() if creature.awake}
        self._frame(moment.after, deed(moment))

    def _frame(self, position: TapdeckPosition, deed: Json) -> None:
        if position is not self._shown:
            self._shown = position
            self._sides = {str(p): self._side(position, p) for p in (0, 1)}
            self._items += sum(len(side["hand"]) + len(side["rows"]["0"]) for side in self._sides.values())
        self._items += 1
        if self._items > ITEM_LIMIT:
            raise CallerError("the match is too long for a page; `cardrome replay show` prints it")
        self.frames.append(
            {
                "kind": "battle",
                "turn": position.turn,
                "left": position.turns_left,
                "player": None if position.is_over else position.current,
                "phase": "block" if position.blocking else "act",
                "river": position.top,
                "threats": _threats(position),
                "sides": self._sides,
                "deed": deed,
            }
        )

    def _side(self, position: TapdeckPosition, p: int) -> Json:
        mine = position.current == p and not position.is_over
        return {
            "health": position.health[p],
            "mana": [position.mana] if mine else None,
            "draws": position.draws_left if mine else None,
            "burns": position.burns_left if mine else None,
            "hand": [card.id for card in position.hand(p)],
            "rows": {"0": [self._creature(creature, mine) for creature in position.board(p)]},
        }

    def _creature(self, creature: TapdeckCreature, mine: bool) -> list[Any]:
        if creature.attacks:
            state = "blocked" if creature.blocked else "attacking"
        elif creature.awake:
            state = "ready" if mine else ""
        else:
            state = "tapped" if creature.id in self.tapped else "sick"
        return [creature.id, creature.attack, creature.health, "", state, creature.max_health]


def _threats(position: TapdeckPosition) -> list[list[int]]:
    """Attackers that nobody blocks yet, and how much each will hurt the player who may still block."""
    if position.is_over or not position.blocking:
        return []
    attackers = position.board(1 - position.current)
    return [[each.id, each.attack] for each in attackers if each.attacks and not each.blocked]


def deed(moment: TapdeckMoment) -> Json:
    """What a command, or the end of a turn, did."""
    command, before, after = moment.command, moment.before, moment.after
    if command is None:
        return {"kind": "time", "player": moment.player, "changes": _changes(before, after, {})}
    deed: Json = {"player": moment.player, "text": command.text()}
    if moment.code:
        return {**deed, "kind": "illegal", "reason": str(moment.code), "changes": _changes(before, after, {})}
    return {**deed, **_told(moment, command)}


def _told(moment: TapdeckMoment, command: Command) -> Json:
    """A command that was carried out."""
    before, after = moment.before, moment.after
    if is_query(command.kind):
        return {"kind": "query"}
    struck: dict[int, int] = {}
    board = {creature.id: creature for creature in before.creatures()}
    if command.kind in (actions.DRAW_CARD, actions.BURN_CARD):
        deed: Json = {"actor": before.cards[before.top].id}
    elif command.kind == actions.BLOCK:
        deed = {"actor": command.second, "target": command.first}
        struck = {command.second: board[command.first].attack, command.first: board[command.second].attack}
    elif command.kind == actions.FINISH_BLOCK:
        deed = {}
    else:
        deed = {"actor": command.first}
    if command.kind == actions.ATTACK:
        deed["foe"] = 1 - moment.player
    if command.kind == actions.PLAY_CARD:
        card = next(each for each in before.cards if each.id == command.first)
        deed["kind"] = "play" if card.kind == "C" else "cast"
        if card.kind != "C" and card.kind != "T":
            aim = {MYSELF: moment.player, OPPONENT: 1 - moment.player}.get(command.second)
            deed |= {"target": command.second} if aim is None else {"foe": aim}
        if card.kind == "D":
            struck = {command.second: card.attack}
    return {"kind": _KINDS.get(command.kind, ""), **deed, "changes": _changes(before, after, struck)}


def _changes(before: TapdeckPosition, after: TapdeckPosition, struck: dict[int, int]) -> list[list[Any]]:
    """What is different now, in the order in which it is shown. ``struck`` is the damage that each creature took."""
    if before is after:
        return []
    was = {creature.id: creature for creature in before.creatures()}
    now = {creature.id: creature for creature in after.creatures()}
    changes: list[list[Any]] = [["enters", thing] for thing in now if thing not in was]
    for thing, old in was.items():
        new = now.get(thing)
        if new is not None and (old.attack, old.health) != (new.attack, new.health):
            changes.append(["creature", thing, old.attack, new.attack, old.health, new.health, "", ""])
    changes += [["dies", thing, struck.get(thing, 0)] for thing in was if thing not in now]
    if before.current == after.current and before.mana != after.mana:
        changes.append(["mana", before.current, before.mana, after.mana])
    changes += [["health", p, before.health[p], after.health[p]] for p in (0, 1) if before.health[p] != after.health[p]]
    return changes


def card_face(card: TapdeckCard) -> Json:
    """A card as pages draw it."""
    if card.kind != "C":
        kind = {"type": _LOOKS[card.kind], "spell": _SPELLS[card.kind]}
        return {"number": card.id, **kind, "cost": card.cost, "power": _power(card)}
    values = {"attack": card.attack, "defense": card.health, "most": card.max_health, "cost": card.cost}
    return {"number": card.id, "type": "creature", **values, "mana": card.mana}


def _power(card: TapdeckCard) -> list[int]:
    """The numbers of a spell."""
    return {"H": [card.health], "B": [card.attack, card.health], "I": []}.get(card.kind, [card.attack])


def card_data(edition: TapdeckEdition, deal: TapdeckDeal) -> list[Json]:
    """The cards of a deck as pages draw them, top first."""
    return [card_face(card) for card in cards_of(deal.lay_out(edition))]
