"""What the page of a Tapdeck match shows: every position once, and the commands that lead to it. `page.js` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from cardrome.errors import CallerError
from cardrome.escaping import printable
from cardrome.games.tapdeck.protocol.game import TapdeckCreature, TapdeckPosition
from cardrome.games.tapdeck.protocol.replay import ReplayEvent, TapdeckMoment, TapdeckReplay, TapdeckRerun
from cardrome.games.tapdeck.protocol.story import consequences, result_line, spell_words, words
from cardrome.games.tapdeck.rules.cards import TapdeckCard

Json = dict[str, Any]

_NAME = 60
"""Characters shown of a name."""
ITEM_LIMIT = 2_000_000
"""Frames, cards in hands and creatures of one page: no browser copes with more."""


def page_data(replay: TapdeckReplay) -> Json:
    """What the page shows, ready for JSON: the result, the deck, positions, frames that show them, and the log.

    `CallerError` if the match is too long for a page.
    """
    rerun, frames = TapdeckRerun(replay), _TapdeckFrames(replay.cards)
    for moment in rerun:
        frames.add(moment)
    difference = rerun.difference
    return {
        "edition": replay.edition,
        "players": [printable(name, _NAME) for name in replay.players],
        "rules": msgspec.to_builtins(replay.rules),
        "event": None if replay.event is None else _event(replay.event),
        "omitted": replay.omitted,
        "result": result_line(replay),
        "difference": None if difference is None else printable(str(difference), 500),
        "cards": [_card(card) for card in replay.cards],
        "states": frames.states,
        "frames": frames.frames,
        "log": frames.log,
    }


class _TapdeckFrames:
    """Collects the frames of a match: the start of each turn, each command, and what the end of a turn brings."""

    def __init__(self, cards: Sequence[TapdeckCard]) -> None:
        self.states: list[Json] = []
        self.frames: list[Json] = []
        self.log: list[Json] = []
        self._places = {card.id: place for place, card in enumerate(cards)}
        self._items = 0
        self._shown: TapdeckPosition | None = None

    def add(self, moment: TapdeckMoment) -> None:
        """Add one command, or the end of a turn."""
        owner = moment.before.current
        if not self.log or self.log[-1]["turn"] != moment.turn:
            self.log.append({"turn": moment.turn, "player": owner, "frame": len(self.frames), "deeds": []})
            self._frame(moment.before, None)
        if moment.command is None and not moment.after.is_over and not any(consequences(moment.before, moment.after)):
            return
        told = words(moment)
        self.log[-1]["deeds"].append(
            {
                "frame": len(self.frames),
                "command": None if moment.command is None else moment.command.text(),
                "words": told,
                "refused": moment.code != 0,
                "player": None if moment.player == owner else moment.player,
            }
        )
        self._frame(moment.after, told)

    def _frame(self, position: TapdeckPosition, told: str | None) -> None:
        if position is not self._shown:
            self._shown = position
            state = _state(position, self._places)
            self._items += sum(map(len, state["hands"])) + len(state["board"])
            self.states.append(state)
        self._items += 1
        if self._items > ITEM_LIMIT:
            raise CallerError("the match is too long for a page; `cardrome replay show` prints it")
        self.frames.append({"state": len(self.states) - 1, "words": told})


def _event(event: ReplayEvent) -> Json:
    when = None if event.finished_at is None else f"{event.finished_at:%Y-%m-%d %H:%M:%S %Z}"
    return {"name": printable(event.name, _NAME), "tournament": event.tournament, "match": event.match_id, "at": when}


def _card(card: TapdeckCard) -> Json:
    spell = card.kind != "C"
    return {
        "id": card.id,
        "kind": card.kind,
        "words": spell_words(card) if spell else "creature",
        "strength": None if spell else [card.attack, card.health, card.max_health],
        "cost": card.cost,
        "mana": 0 if spell else card.mana,
    }


def _state(position: TapdeckPosition, places: dict[int, int]) -> Json:
    return {
        "turn": position.turn,
        "left": position.turns_left,
        "player": None if position.is_over else position.current,
        "blocking": position.blocking,
        "health": position.health,
        "mana": position.mana,
        "draws": position.draws_left,
        "burns": position.burns_left,
        "top": position.top,
        "hands": [[places[card.id] for card in position.hand(player)] for player in (0, 1)],
        "board": [_creature(creature, places[creature.card.id]) for creature in position.creatures()],
    }


def _creature(creature: TapdeckCreature, place: int) -> list[int]:
    """Card, owner, attack, health and its maximum, awake, attacking, blocked: a list because there are many."""
    values = (creature.owner, creature.attack, creature.health, creature.max_health)
    return [place, *values, int(creature.awake), creature.attacks, int(creature.blocked)]
