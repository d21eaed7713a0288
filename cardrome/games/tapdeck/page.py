"""What a page shows of a Tapdeck replay: every position once, and the commands that lead to them."""

from __future__ import annotations

from typing import Any

from cardrome.errors import CallerError
from cardrome.escaping import printable
from cardrome.games.tapdeck.protocol.board import spell_words
from cardrome.games.tapdeck.protocol.game import TapdeckCreature, TapdeckPosition
from cardrome.games.tapdeck.protocol.replay import TapdeckMoment, TapdeckRerun
from cardrome.games.tapdeck.protocol.replay_format import TapdeckReplay
from cardrome.games.tapdeck.protocol.story import consequences, result_line, words
from cardrome.games.tapdeck.rules.cards import TapdeckCard

Json = dict[str, Any]

_NAME = 60
"""Characters shown of a name."""
ITEM_LIMIT = 2_000_000
"""Steps, cards in hands and creatures of a page, all steps together: no browser likes a page of more."""


def page_data(replay: TapdeckReplay) -> Json:
    """What the page shows: the cards, the positions, a list of frames to step through, a log that points at them.

    `CallerError` if the match is too long for a page.
    """
    rerun, story = TapdeckRerun(replay), _Story()
    for moment in rerun:
        story.tell(moment)
    difference = rerun.difference
    event = replay.event
    return {
        "players": [printable(name, _NAME) for name in replay.players],
        "rules": replay.rules,
        "event": None if event is None else _event(replay),
        "omitted": replay.omitted,
        "result": result_line(replay),
        "difference": None if difference is None else printable(str(difference), 500),
        "cards": [_card(card) for card in replay.cards],
        "states": story.states,
        "frames": story.frames,
        "log": story.log,
    }


class _Story:
    """Tells a replay frame by frame: the start of a turn, a command, what the end of a turn brings."""

    def __init__(self) -> None:
        self.states: list[Json] = []
        self.frames: list[Json] = []
        self.log: list[Json] = []
        self._items = 0
        self._shown: TapdeckPosition | None = None

    def tell(self, moment: TapdeckMoment) -> None:
        """The next moment."""
        if not self.log or self.log[-1]["turn"] != moment.turn:
            player = moment.before.current
            self.log.append({"turn": moment.turn, "player": player, "frame": len(self.frames), "deeds": []})
            self._frame(moment.before, None)
        deeds: list[Json] = self.log[-1]["deeds"]
        if moment.command is not None:
            by_other = moment.player != moment.before.current
            deeds.append(
                {
                    "frame": len(self.frames),
                    "command": moment.command.text(),
                    "words": words(moment),
                    "refused": moment.code != 0,
                    "player": moment.player if by_other else None,
                }
            )
            self._frame(moment.after, words(moment))
        elif moment.after.is_over or any(consequences(moment.before, moment.after)):
            deeds.append({"frame": len(self.frames), "command": None, "words": words(moment), "refused": False})
            self._frame(moment.after, words(moment))

    def _frame(self, position: TapdeckPosition, told: str | None) -> None:
        if position is not self._shown:
            self._shown = position
            state = _state(position)
            self._items += sum(map(len, state["hands"])) + len(state["board"])
            self.states.append(state)
        self._items += 1
        if self._items > ITEM_LIMIT:
            raise CallerError("the match is too long for a page; `cardrome replay show` prints it")
        self.frames.append({"state": len(self.states) - 1, "words": told})


def _event(replay: TapdeckReplay) -> Json | None:
    event = replay.event
    if event is None:
        return None
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


def _state(position: TapdeckPosition) -> Json:
    places = {card.id: place for place, card in enumerate(position.cards)}
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
    """Card, owner, attack, health, the most of it, awake, attacking, blocked: short, since there are many."""
    values = (creature.owner, creature.attack, creature.health, creature.max_health)
    return [place, *values, int(creature.awake), creature.attacks, int(creature.blocked)]
