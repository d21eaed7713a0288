"""A position as text: what a seat may know, short and complete, with the legal actions numbered.

Like pages and the terminal, it draws what a `Seat` shows and knows no rules.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from cardrome.envs.text.answers import Reading, key_of, read_answer
from cardrome.games.family import find_family
from cardrome.games.frames import Json
from cardrome.games.game import Action, View
from cardrome.games.seat import Seat

_RIVER = 6
"""Cards of a shared deck that every position shows; all of them stand with the rules."""
_STATES = {
    "ready": "ready",
    "spent": "has attacked",
    "sick": "not ready",
    "tapped": "asleep",
    "attacking": "attacking",
    "blocked": "attacking, blocked",
}
_AREAS = {"creature": ("", "twin beside it", "twin in the other lane"), "item": ("", "whole lane", "both lanes")}
_SPELLS = {
    "heal": "heal {}",
    "damage": "damage {}",
    "take": "take {}",
    "buff": "buff +{}/+{}",
    "deactivate": "deactivate",
}
_HOW_TO_ANSWER = """\
Answer with the number of an action, or with its text; several in the order in which they are to be taken, such as
"3, 7, 0", are taken as long as they are legal. Numbers mean the list you were shown.
"""


class PositionText:
    """One position as its player may know it, in words, and what they answer.

    With a seat that has watched the game, everything is told that it saw since the frame ``since``; without one, the
    opponent's last turn as far as the view remembers it.
    """

    def __init__(self, view: View, seat: Seat | None = None, since: int = 0) -> None:
        self._view = view
        self._family = find_family(view.edition.name)
        self._seat = self._family.seat(view) if seat is None else seat
        self._head = self._seat.head(view)
        self._me = self._seat.player
        self._news = (
            self._seat.recalled(view) if seat is None else [frame["deed"] for frame in self._seat.frames[since:]]
        )

    # The texts

    @functools.cached_property
    def rules(self) -> str:
        """The rules in short, how to answer, and what is known for the whole game. To be told once."""
        parts = [self._family.reminder(self._view.edition).strip(), _HOW_TO_ANSWER.strip()]
        if self._seat.frames and "river" in self._seat.frames[-1]:
            parts.append("\n".join(["The deck, from the top:", *map(self._card_line, self._head["cards"])]))
        return "\n\n".join(parts) + "\n"

    @functools.cached_property
    def position(self) -> str:
        """Where the game stands, what happened, and the legal actions."""
        lines = [*self._state()]
        if told := list(self._told_news()):
            lines += ["What happened:", *told]
        if self._view.is_over:
            lines.append(self._result())
        elif self._moves:
            lines += self._listed()
        else:
            lines.append("It is the opponent's turn.")
        return "\n".join(lines) + "\n"

    @functools.cached_property
    def actions(self) -> dict[int, Action]:
        """The legal actions by the number that the text gives them."""
        return {number: Action(move["text"], move["code"]) for number, move in self._numbered}

    def read(self, answer: str) -> Reading:
        """The actions that an answer means, and what is wrong with it."""
        named: dict[str, list[int]] = {}
        for number, move in self._numbered:
            label = self._label(move)
            for name in {key_of(label), key_of(re.sub(r" #\d+", "", label))} - {""}:
                named.setdefault(name, []).append(number)
        return read_answer(self._view, self.actions, named, answer)

    @functools.cached_property
    def _moves(self) -> list[Json]:
        return self._seat.moves(self._view) if self._view.to_move == self._me else []

    @functools.cached_property
    def _numbered(self) -> list[tuple[int, Json]]:
        """The moves by number: from 0 on, or by card where the whole pool is to choose from."""
        if self._moves and self._moves[0]["kind"] == "choose":
            return [(self._head["cards"][move["card"]]["number"], move) for move in self._moves]
        return list(enumerate(self._moves))

    # Cards

    def _thing(self, thing: int) -> str:
        """A card in play, by name and id."""
        place = self._seat.things.get(thing)
        return f"#{thing}" if place is None else f"{self._name(self._head['cards'][place])} #{thing}"

    def _name(self, card: Json) -> str:
        if "spell" in card:
            return _SPELLS[card["spell"]].format(*card["power"])
        if "most" in card:  # creatures of a deck that has only numbers
            return "creature"
        return card.get("name") or f"card {card['number']}"

    def _facts(self, card: Json) -> str:
        """What a card costs and does."""
        creature = card["type"] == "creature"
        attack, defense = card.get("attack", 0), card.get("defense", 0)
        most = f" of {card['most']}" if card.get("most", defense) != defense else ""
        strength = f"{attack}/{defense}{most}" if creature else f"{attack:+}/{defense:+}" if attack or defense else ""
        kind = "" if creature or "spell" in card else f"{card['type']} item"
        my, foe, draw, mana = (card.get(key, 0) for key in ("my", "foe", "draw", "mana"))
        parts = [
            f"cost {card.get('cost', 0)}",
            " ".join(filter(None, (kind, strength, card.get("keywords", "")))),
            my and f"you {my:+}",
            foe and f"opponent {foe:+}",
            draw and f"draw {draw}",
            mana and f"gives {mana} mana",
            _AREAS["creature" if creature else "item"][card.get("area", 0)],
        ]
        return ", ".join(part for part in parts if part)

    def _card_line(self, card: Json) -> str:
        """A card of a shared deck."""
        return f"#{card['number']} {self._name(card)}, {self._facts(card)}"

    def _cards(self, places: Sequence[int]) -> str:
        """Many cards in short: those that are alike together, from cheap to expensive."""
        cards = self._head["cards"]
        counted = Counter(sorted(places, key=lambda place: (cards[place].get("cost", 0), place)))
        alike = [(f"{n}x " if n > 1 else "", cards[place]) for place, n in counted.items()]
        return "; ".join(f"{n}{self._name(card)} ({self._facts(card)})" for n, card in alike)

    # The state

    def _state(self) -> Iterator[str]:
        if not self._seat.frames:
            yield f"{self._view.edition.name}, {self._view.phase}. You are player {self._me}."
            yield str(self._view)
            return
        frame = self._seat.frames[-1]
        yield from self._building(frame) if frame["kind"] == "draft" else self._battle(frame)

    def _building(self, frame: Json) -> Iterator[str]:
        picks = [each["picks"][self._me] for each in self._seat.frames if each["kind"] == "draft"]
        chosen = [card for card in picks if card is not None]
        yield f"Deck building, card {len(chosen) + 1} of {self._head['deck_size']}. You are player {self._me}."
        if chosen:
            yield f"Your deck so far: {self._cards(chosen)}."

    def _battle(self, frame: Json) -> Iterator[str]:
        left = f" ({frame['left']} left, this one included)" if "left" in frame else ""
        phase = f", {frame['phase']}ing phase" if "phase" in frame else ""
        yield f"Turn {frame['turn']}{left}{phase}. You are player {self._me}."
        yield from self._side(frame, 1 - self._me)
        yield from self._side(frame, self._me)
        if rest := self._seat.rest(self._view):
            yield f"Your deck, in unknown order: {self._cards(rest)}."
        if "river" in frame:
            cards = self._head["cards"][frame["river"] :]
            yield f"Deck, {len(cards)} cards left" + (", from the top:" if cards else ".")
            yield from (f"  {self._card_line(card)}" for card in cards[:_RIVER])
        if threats := frame.get("threats"):
            total = sum(damage for _, damage in threats)
            yield f"Unblocked attackers will deal {total} damage to {self._who(frame['player'])} when blocking ends."

    def _side(self, frame: Json, p: int) -> Iterator[str]:
        side, runes = frame["sides"][str(p)], self._head["runes"]
        hand = side["hand"] if isinstance(side["hand"], int) else len(side["hand"])
        parts = [f"health {side['health']}"]
        if side.get("mana"):
            parts.append(f"mana {'/'.join(map(str, side['mana']))}")
        parts.append(f"hand {hand}")
        parts += [f"{key} {side[key]}" for key in ("deck", "draws", "burns") if side.get(key) is not None]
        if side.get("draw", 1) != 1:
            parts.append(f"next draw {side['draw']} cards")
        if runes:
            parts.append(f"runes {' '.join(str(rune) for rune in runes if rune <= side['rune']) or 'none'}")
        yield f"{'You' if p == self._me else 'Opponent'}: {', '.join(parts)}"
        for lane in range(self._head["lanes"]):
            row = side["rows"][str(lane)]
            where = f"lane {lane}" if self._head["lanes"] > 1 else "board"
            yield f"  {where}: {'; '.join(map(self._creature, row)) or 'empty'}"
        if not isinstance(side["hand"], int) and side["hand"]:
            yield "  hand:"
            yield from (f"    {self._held(thing)}" for thing in side["hand"])

    def _held(self, thing: int) -> str:
        return f"{self._thing(thing)}, {self._facts(self._head['cards'][self._seat.things[thing]])}"

    def _creature(self, creature: list[Any]) -> str:
        thing, attack, defense, keywords, state, *most = creature
        card = self._head["cards"][self._seat.things[thing]]
        of = f" of {most[0]}" if most and most[0] != defense else ""
        parts = [f"{self._thing(thing)} {attack}/{defense}{of} {keywords}".rstrip()]
        if card.get("mana"):
            parts.append(f"gives {card['mana']} mana")
        if state:
            parts.append(_STATES[state])
        return ", ".join(parts)

    def _who(self, player: int) -> str:
        return "you" if player == self._me else "the opponent"

    def _result(self) -> str:
        outcome = self._view.outcome
        assert outcome is not None
        won = "drawn" if outcome.winner is None else "won by you" if outcome.winner == self._me else "lost by you"
        scores = f", scores {outcome.scores[0]} and {outcome.scores[1]}" if self._family.has_scores else ""
        return f"The game is over, {won} ({outcome.ending}{scores})."

    # Moves

    def _listed(self) -> Iterator[str]:
        """The numbered actions; a pool of cards as a table."""
        if self._moves[0]["kind"] == "choose":
            need = self._head["deck_size"] - sum(
                frame["picks"][self._me] is not None for frame in self._seat.frames if frame["kind"] == "draft"
            )
            yield f"Choose {need} cards by number, one or several at once; for two copies, give a number twice."
            yield "Cards (number: cost, what it is; those without a colour are creatures):"
            for number, move in self._numbered:
                yield f"{number}: {self._facts(self._head['cards'][move['card']]).removeprefix('cost ')}"
            return
        yield "Actions:"
        for number, move in self._numbered:
            words = ": ".join(filter(None, (self._label(move), ", ".join(self._changes(move)))))
            yield f"{number}: {move['text']}" + (f" = {words}" if words else "")

    def _label(self, move: Json) -> str:
        """An action or a deed in words."""
        kind, lane = move["kind"], move.get("lane")
        if kind in ("pick", "choose"):
            card = self._head["cards"][move["card"]]
            return f"{self._name(card)}, {self._facts(card)}"
        actor = self._thing(move["actor"]) if "actor" in move else ""
        target = self._thing(move["target"]) if "target" in move else self._who(move["foe"]) if "foe" in move else ""
        where = f" to lane {lane}" if self._head.get("lanes", 1) > 1 else ""
        words = {
            "summon": f"summon {actor}{where}",
            "attack": f"{actor} attacks {target}",
            "use": f"use {actor}" + (f" on {target}" if target else ""),
            "cast": f"cast {actor}" + (f" on {target}" if target else ""),
            "play": f"play {actor}",
            "draw": f"draw {actor}",
            "burn": f"burn {actor}",
            "discard": f"discard {actor}",
            "tap": f"tap {actor}",
            "declare": f"{actor} attacks",
            "block": f"{actor} blocks {target}",
            "finish": "end blocking",
            "pass": "end the turn",
            "time": "the turn ends",
        }
        return words.get(kind, "")

    def _changes(self, deed: Json) -> Iterator[str]:
        """What a deed changes."""
        for kind, who, *values in deed.get("changes", ()):
            if kind == "dies":
                yield f"{self._thing(who)} dies"
            elif kind == "health":
                yield f"{'your' if who == self._me else 'their'} health {values[0]} -> {values[1]}"
            elif kind == "rune":
                yield f"{'your' if who == self._me else 'their'} rune {values[0]} breaks"
            elif kind == "draws":
                yield f"{self._who(who)} {'draw' if who == self._me else 'draws'} {values[0]}"
            elif kind == "mana" and values[1] > values[0]:
                yield f"+{values[1] - values[0]} mana"
            elif kind == "creature":
                attack, attack_now, defense, defense_now, gained, lost = values
                stronger = (attack, defense) != (attack_now, defense_now)
                parts = [f"{attack}/{defense} -> {attack_now}/{defense_now}"] if stronger else []
                parts += [f"gains {gained}"] if gained else []
                parts += [f"loses {lost}"] if lost else []
                yield f"{self._thing(who)} {', '.join(parts)}"

    # News

    def _told_news(self) -> Iterator[str]:
        """What was done and what came of it, the player's own actions left out."""
        for deed in self._news:
            start = deed["kind"] == "turn"
            if deed["kind"] in ("pick", "offer", "decks") or (deed.get("player") == self._me and not start):
                continue
            who = f"{self._who(deed['player'])}: " if "player" in deed and not start else ""
            words = ": ".join(filter(None, (self._label(deed), ", ".join(self._changes(deed)))))
            if words:
                yield f"  {who}{words}"
