"""A game as a terminal of 80 columns shows it to the person who plays: drawn from frames, as pages are.

It knows no rules and no game: what a `Seat` shows it puts into lines, in the words of the pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.text import Text

from cardrome.escaping import printable
from cardrome.games.frames import Json
from cardrome.web import words

if TYPE_CHECKING:
    from cardrome.arena.duel import Duel

WIDTH = 80
_MINE, _THEIRS, _FAINT = "bold cyan", "bold yellow", "dim"
_MARKS = {"ready": "▸", "attacking": "»", "blocked": "×", "sick": "z", "tapped": "z", "spent": "·"}
_BARS = " ▁▂▃▄▅▆▇█"
_COSTLY = 8
"""The last column of the mana curve."""
_RIVER = 3
"""Cards of a shared deck that are shown."""


class Screen:
    """Puts what a person sees into lines of text."""

    def __init__(self, duel: Duel, language: str) -> None:
        self._duel = duel
        self.t = partial(words.text, language)
        self._head = duel.seat.head(duel.game.view(duel.player))
        self._me = duel.player

    @property
    def _names(self) -> list[str]:
        return [self.t("terminal.you") if p == self._me else printable(self._duel.opponent, 30) for p in (0, 1)]

    # Cards

    def _card(self, thing: int) -> Json:
        found: Json = self._head["cards"][self._duel.seat.things[thing]]
        return found

    def _name(self, card: Json) -> str:
        """What a card is called: unnamed ones by kind and number, spells by what they do."""
        if "spell" in card:
            first, second = [*card["power"], 0, 0][:2]
            return self.t(f"spell.{card['spell']}", n=first, a=first, b=second)
        return card.get("name") or self.t(f"numbered.{card['type']}", number=card["number"])

    def _strength(self, card: Json) -> str:
        if "spell" in card:
            return ""
        if card["type"] == "creature":
            return f"{card.get('attack', 0)}/{card.get('defense', 0)}"
        attack, defense = card.get("attack", 0), card.get("defense", 0)
        return f"{attack:+}/{defense:+}" if attack or defense else ""

    def _effects(self, card: Json) -> str:
        """What a card does beside fighting, in a few signs."""
        my, foe, draw, mana, area = (card.get(key, 0) for key in ("my", "foe", "draw", "mana", "area"))
        parts = [
            my and self.t("terminal.my", n=f"{my:+}"),
            foe and self.t("terminal.foe", n=f"{foe:+}"),
            draw and self.t("terminal.draw", n=draw),
            mana and self.t("terminal.mana", n=mana),
            area and self.t(f"terminal.area.{'creature' if card['type'] == 'creature' else 'item'}.{area}"),
        ]
        return " ".join(part for part in parts if part)

    def _card_line(self, card: Json, width: int = WIDTH - 8) -> Text:
        """A card in one line: cost, name, strength, keywords, effects."""
        named = card["type"] != "creature" and "name" in card  # others have their kind in their name
        kind = self.t(f"type.{card['type']}").lower() if named else ""
        line = Text(f"({card.get('cost', 0):>2}) ")
        line.append(f"{clip(self._name(card), 24):<24} ", _COLOURS.get(card["type"], ""))
        line.append(f"{self._strength(card):>7} {card.get('keywords', ''):<6} ")
        line.append(" ".join(filter(None, (kind, self._effects(card)))), _FAINT)
        return _clipped(line, width)

    # The board

    def board(self) -> Iterator[Text]:
        """What is on the table now."""
        if not self._duel.seat.frames:
            yield from (Text(line) for line in str(self._duel.game.view(self._me)).splitlines())
            return
        frame = self._duel.seat.frames[-1]
        yield from self._building(frame) if frame["kind"] == "draft" else self._battle(frame)

    def _battle(self, frame: Json) -> Iterator[Text]:
        me, foe = self._me, 1 - self._me
        title = f" {self._head['edition']} · {self.t('turn.title').lower()} {frame['turn']} "
        if "left" in frame:
            phase = f" · {self.t('phase.' + frame['phase'])}" if frame["player"] is not None else ""
            title += f"· {self.t('turn.left', n=frame['left'])}{phase} "
        yield Text(title.center(WIDTH, "─"), _FAINT)
        yield self._player(frame, foe)
        if not isinstance(frame["sides"][str(foe)]["hand"], int):
            yield from self._hand(frame, foe)
        yield from self._lanes(frame)
        yield self._player(frame, me)
        yield from self._hand(frame, me)
        if "river" in frame:
            yield from self._river(frame["river"])

    def _player(self, frame: Json, p: int) -> Text:
        side = frame["sides"][str(p)]
        line = Text(f"{'▸' if frame['player'] == p else ' '} ")
        line.append(f"{self._names[p]:<12}", _MINE if p == self._me else _THEIRS)
        line.append(f" ♥ {side['health']:<3}", "bold")
        hand = side["hand"] if isinstance(side["hand"], int) else len(side["hand"])
        parts = [self.t("terminal.hand", n=hand)]
        if side.get("mana"):
            parts.insert(0, self.t("hero.mana", n="/".join(map(str, side["mana"]))))
        parts += [
            self.t(f"terminal.{key}", n=side[key]) for key in ("deck", "draws", "burns") if side.get(key) is not None
        ]
        if side.get("draw", 1) != 1:
            parts.append(self.t("terminal.next-draw", n=side["draw"]))
        if left := [str(rune) for rune in self._head["runes"] if rune <= side.get("rune", 0)]:
            parts.append(self.t("terminal.runes", list=" ".join(left)))
        return line.append("  ".join(parts))

    def _lanes(self, frame: Json) -> Iterator[Text]:
        lanes = range(self._head["lanes"])
        width = WIDTH // len(lanes) - 1
        names = [self.t("lane.left"), self.t("lane.right")] if len(lanes) > 1 else [self.t("lane.only")]
        yield Text("┬".join(f"─ {name} ".ljust(width, "─") for name in names), _FAINT)
        rows = [self._rows(frame, p, lanes, width) for p in (1 - self._me, self._me)]
        yield from rows[0]
        yield Text("┼".join("─" * width for _ in lanes), _FAINT)
        yield from rows[1]
        yield Text("┴".join("─" * width for _ in lanes), _FAINT)

    def _rows(self, frame: Json, p: int, lanes: range, width: int) -> list[Text]:
        columns = [
            [self._creature(creature, width) for creature in frame["sides"][str(p)]["rows"][str(n)]] for n in lanes
        ]
        lines = []
        for i in range(max(1, *map(len, columns))):
            line = Text()
            for n, column in enumerate(columns):
                line.append("│" if n else "", _FAINT)
                line.append_text(column[i] if i < len(column) else Text(" " * width))
            lines.append(line)
        return lines

    def _creature(self, creature: list[Any], width: int) -> Text:
        thing, attack, defense, keywords, state, *most = creature
        card, mark = self._card(thing), _MARKS.get(state, " ")
        of = f" ({most[0]})" if most and most[0] != defense else ""
        strength = f"{attack}/{defense}{of} {keywords}".ljust(12)
        room = width - 8 - len(strength)
        mana = f" {self.t('terminal.mana', n=card['mana'])}" if card.get("mana") else ""
        line = Text(f" {mark} {thing:>3} ", "bold" if state in ("ready", "attacking") else "")
        line.append(clip(self._name(card) + mana, room).ljust(room)).append(f" {strength}", "bold")
        return _clipped(line, width)

    def _hand(self, frame: Json, p: int) -> Iterator[Text]:
        for thing in frame["sides"][str(p)]["hand"]:
            yield Text(f"   {thing:>3} ").append_text(self._card_line(self._card(thing)))

    def _river(self, top: int) -> Iterator[Text]:
        cards = self._head["cards"][top:]
        yield Text(f"  {self.t('river.title')} ({self.t('terminal.deck', n=len(cards))})", _FAINT)
        for card in cards[:_RIVER]:
            yield Text(f"   {card['number']:>3} ").append_text(self._card_line(card))

    # Deck building

    def _building(self, frame: Json) -> Iterator[Text]:
        title = f" {self._head['edition']} · {self.t('draft.pick', n=frame['round'] + 1)} "
        yield Text(f"{title}{self.t('draft.of', n=self._head['deck_size'])} ".center(WIDTH, "─"), _FAINT)
        chosen = [each["picks"][self._me] for each in self._duel.seat.frames if each["kind"] == "draft"]
        deck = [self._head["cards"][card] for card in chosen if card is not None]
        if deck:
            yield from self._curve(deck)

    def _curve(self, deck: list[Json]) -> Iterator[Text]:
        """How many cards of each cost are in the deck."""
        counts = Counter(min(card.get("cost", 0), _COSTLY) for card in deck)
        most = max(counts.values())
        bars = "".join(f"  {_BARS[-(-8 * counts[cost] // most)] * 2}" for cost in range(_COSTLY + 1))
        costs = "".join(f"{cost:>4}" for cost in range(_COSTLY)) + f"{_COSTLY}+".rjust(4)
        yield Text(f"  {self.t('terminal.curve'):<14}{bars}")
        yield Text(f"  {'':<14}{costs}", _FAINT)

    # Moves

    def moves(self, moves: list[Json]) -> Iterator[Text]:
        """The legal moves, numbered from 1."""
        if moves and moves[0]["kind"] == "choose":
            yield from self._pool(moves)
            return
        for number, move in enumerate(moves, 1):
            line = Text(f"{number:>4}  ", "bold")
            if move["kind"] == "pick":
                line.append_text(self._card_line(self._head["cards"][move["card"]]))
            else:
                line.append(f"{move['text']:<16} ", _FAINT).append(self._told(move))
            yield from _wrapped(line, 6)

    def brief(self, moves: list[Json]) -> Iterator[Text]:
        """The legal moves in columns, without what they would do: for where the board takes most of the screen."""
        texts = [move["text"] for move in moves]
        width = max(map(len, texts)) + 6
        columns = max(1, WIDTH // width)
        rows = -(-len(texts) // columns)
        for row in range(rows):
            line = Text()
            for n in range(row, len(texts), rows):
                line.append(f"{n + 1:>4}", "bold").append(f" {texts[n]}".ljust(width - 4))
            line.rstrip()
            yield line

    def number(self, moves: list[Json], move: Json) -> int:
        """What a person types for a move: its place, or the card's number where the whole pool is to choose from."""
        if move["kind"] != "choose":
            return moves.index(move) + 1
        number: int = self._head["cards"][move["card"]]["number"]
        return number

    def _pool(self, moves: list[Json]) -> Iterator[Text]:
        """The cards to choose from, in two columns."""
        cells = []
        for move in moves:
            card, number = self._head["cards"][move["card"]], self.number(moves, move)
            kind = " " if card["type"] == "creature" else self.t(f"terminal.kind.{card['type']}")
            cell = Text(f"{number:>4} ", "bold").append(
                f"({card.get('cost', 0):>2}) {kind} ", _COLOURS.get(card["type"], "")
            )
            cell.append(f"{self._strength(card):>7} {card.get('keywords', ''):<6} ").append(_signs(card), _FAINT)
            cells.append(_clipped(cell, WIDTH // 2 - 1))
        rows = -(-len(cells) // 2)
        for left, right in zip(cells[:rows], [*cells[rows:], Text()], strict=False):
            left.pad_right(WIDTH // 2 - len(left))
            yield left.append_text(right)
        yield from _wrapped(Text(self.t("terminal.legend"), _FAINT), 0)

    def _told(self, deed: Json) -> str:
        """A deed in words, and what it changed or would change."""
        return self.t("terminal.colon").join(filter(None, (self._sentence(deed), ", ".join(self._changes(deed)))))

    def _sentence(self, deed: Json) -> str:
        """A deed in words."""
        kind = deed["kind"]
        if kind == "action":
            return ""
        values = {"actor": self._name(self._card(deed["actor"])) if "actor" in deed else ""}
        if "target" in deed:
            values["target"] = self._name(self._card(deed["target"]))
        elif "foe" in deed:
            values["target"] = self._names[deed["foe"]]
        if kind == "summon" and self._head["lanes"] > 1:
            return self.t("deed.summon", **values, lane=self.t("lane.to-right" if deed["lane"] else "lane.to-left"))
        if kind in ("use", "cast"):
            return self.t("deed.use-on" if "target" in values else "deed.use", **values)
        if kind == "pass" and "code" in deed:
            return self.t("terminal.pass")
        return self.t(f"deed.{'play' if kind == 'summon' else kind}", **values)

    def _changes(self, deed: Json) -> Iterator[str]:
        """What a deed changed, or would change."""
        for kind, who, *values in deed.get("changes", ()):
            if kind in ("health", "draws"):
                name = self._names[who]
            elif kind in ("dies", "creature"):
                name = self._name(self._card(who))
            if kind == "dies":
                yield self.t("change.dies", name=name)
            elif kind == "health":
                yield f"{name} ♥ {values[0]} → {values[1]}"
            elif kind == "rune":
                yield self.t("change.rune", n=values[0])
            elif kind == "draws":
                yield f"{name} +{self.t('change.draws', n=values[0])}"
            elif kind == "mana" and values[1] > values[0]:
                yield self.t("change.mana", n=values[1] - values[0])
            elif kind == "creature":
                attack, attack_now, defense, defense_now, gained, lost = values
                if (attack, defense) != (attack_now, defense_now):
                    yield f"{name} {attack}/{defense} → {attack_now}/{defense_now}"
                yield from (self.t("change.gains", name=name, keyword=self.t(f"keyword.{letter}")) for letter in gained)
                yield from (self.t("change.loses", name=name, keyword=self.t(f"keyword.{letter}")) for letter in lost)

    # What happened

    def story(self, frames: list[Json]) -> Iterator[Text]:
        """What the opponent did, and what else happened, line by line."""
        for frame in frames:
            deed = frame["deed"]
            if deed["kind"] == "turn":
                changes = ", ".join(self._changes(deed))
                if changes:
                    yield Text(f"  {changes}", _FAINT)
            elif deed["kind"] not in ("pick", "offer", "decks"):
                name = self._names[deed["player"]] + self.t("terminal.colon")
                line = Text("  ").append(name, _MINE if deed["player"] == self._me else _THEIRS)
                yield from _wrapped(line.append(self._told(deed)), 4)

    def result(self) -> Text:
        """How the game ended."""
        outcome = self._duel.outcome
        assert outcome is not None
        if outcome.winner is None:
            return Text(self.t("result.drawn", a=outcome.scores[0], b=outcome.scores[1]), "bold")
        mine = outcome.winner == self._me
        won = self.t("terminal.won" if mine else "terminal.lost")
        why = "" if self._duel.resigned else f" ({self.t(f'terminal.ending.{outcome.ending}')})"
        return Text(won + why, _MINE if mine else _THEIRS)


_COLOURS = {"green": "green", "red": "red", "blue": "blue"}


def _signs(card: Json) -> str:
    """The effects of a card where there is little room."""
    signs = {"my": "♥{:+}", "foe": "✗{:+}", "draw": "↑{}"}
    area = ("", "=", "≡")[card.get("area", 0)]
    return " ".join([*(sign.format(card[key]) for key, sign in signs.items() if key in card), area])


def clip(text: str, width: int) -> str:
    """A text that fits, with a mark where it was cut."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _clipped(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    return line


def _wrapped(line: Text, indent: int) -> Iterator[Text]:
    """A line in as many as it needs, the later ones indented."""
    from rich.console import Console

    pieces = line.wrap(Console(width=WIDTH), WIDTH - indent)
    for n, piece in enumerate(pieces):
        yield Text(" " * indent).append_text(piece) if n else piece
