"""Pictures of positions: what a player sees, laid out once, and painted as SVG or as pixels.

A position is given as its seat's last frame (`cardrome.games.frames`), so any game that has frames is drawn; of others
the text is. All pictures have the same size.
"""

from __future__ import annotations

import functools
import html
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError
from cardrome.games.frames import Json
from cardrome.games.game import View

if TYPE_CHECKING:
    from cardrome.games.family import AnyFamily
    from cardrome.games.seat import Seat

WIDTH, HEIGHT = 960, 640
_PANEL, _GAP, _HEADER = 148, 6, 30

_TABLE, _FELT, _INK, _PALE, _GOLD = "#1d2730", "#26333d", "#f2efe6", "#9fb0bb", "#e8c15a"
_FACES = {"creature": "#efe3c8", "green": "#cfe5c0", "red": "#efc6bd", "blue": "#c3d9ee"}
_PRINT, _BACK = "#22201c", "#51616e"
_RIMS = {"ready": "#7bd36a", "attacking": "#ff8a5c", "blocked": "#8d8d8d", "spent": "#6b7780", "tapped": "#6b7780"}
_EFFECTS = {"my": "me", "foe": "foe", "draw": "draw", "mana": "mana"}


class Shape(NamedTuple):
    """A rectangle, or with a text, that text: in the middle of the rectangle, or at its left edge."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    rim: str = ""
    text: str = ""
    size: int = 0
    left: bool = False


def svg(shapes: Sequence[Shape]) -> str:
    """A picture as an SVG element, complete by itself, for a page or a notebook."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="Helvetica, Arial, sans-serif" dominant-baseline="central">'
    ]
    for s in shapes:
        if s.text:
            x, anchor = (s.x, "start") if s.left else (s.x + s.width / 2, "middle")
            place = f'x="{x:g}" y="{s.y + s.height / 2:g}" text-anchor="{anchor}" font-size="{s.size}"'
            lines.append(f'<text {place} fill="{s.fill}">{html.escape(s.text)}</text>')
        else:
            rim = f' stroke="{s.rim}" stroke-width="3"' if s.rim else ""
            place = f'x="{s.x:g}" y="{s.y:g}" width="{s.width:g}" height="{s.height:g}" rx="5"'
            lines.append(f'<rect {place} fill="{s.fill}"{rim}/>')
    return "\n".join([*lines, "</svg>\n"])


def pixels(shapes: Sequence[Shape]) -> npt.NDArray[np.uint8]:
    """A picture as rows of red, green and blue."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise CallerError('pictures need Pillow: pip install "cardrome[envs]"') from None
    image = Image.new("RGB", (WIDTH, HEIGHT), _TABLE)
    pen = ImageDraw.Draw(image)
    for s in shapes:
        if s.text:
            at = (s.x if s.left else s.x + s.width / 2, s.y + s.height / 2)
            pen.text(at, s.text, s.fill, _font(s.size), anchor="lm" if s.left else "mm")
        else:
            pen.rounded_rectangle((s.x, s.y, s.x + s.width, s.y + s.height), 5, s.fill, s.rim or None, 3)
    return np.array(image)


@functools.cache
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def draw(family: AnyFamily, view: View) -> list[Shape]:
    """The picture of a view: the near side of the table is the viewer's."""
    seat = family.seat(view)
    shapes = [Shape(0, 0, WIDTH, HEIGHT, _TABLE), Shape(12, 0, 0, _HEADER, _INK, text=_title(view), size=15, left=True)]
    if not seat.frames:
        return shapes + list(_text(str(view)))
    frame, head = seat.frames[-1], seat.head(view)
    if frame["kind"] == "battle":
        return shapes + list(_battle(seat, head, frame))
    return shapes + list(_building(seat, head, frame))


def _title(view: View) -> str:
    first = str(view).partition("\n\n")[0].replace("\n", " · ")
    return first if first.startswith(view.edition.name) else f"{view.edition.name} · {first}"


def _text(text: str) -> Iterator[Shape]:
    """A position in words."""
    for n, line in enumerate(text.splitlines()[:34]):
        yield Shape(12, _HEADER + n * 17, 0, 17, _INK, text=line or " ", size=13, left=True)


def _battle(seat: Seat, head: Json, frame: Json) -> Iterator[Shape]:
    """Two hands and two boards, and what lies between them."""
    river = "river" in frame
    between = 78 if river else 0
    row = (HEIGHT - _HEADER - between - 5 * _GAP) / 4
    left, width = _PANEL + _GAP, WIDTH - _PANEL - 2 * _GAP
    near, far = seat.player, 1 - seat.player
    y = float(_HEADER)
    for player, part in ((far, "hand"), (far, "rows"), (-1, "river"), (near, "rows"), (near, "hand")):
        if part == "river":
            if river:
                cards = list(range(frame["river"], len(head["cards"])))
                yield Shape(12, y, 0, between, _PALE, text=f"deck {len(cards)}", size=16, left=True)
                yield from _cards(head, cards[:10], left, y, width, between, 10)
                y += between + _GAP
            continue
        side = frame["sides"][str(player)]
        if part == "rows":
            yield Shape(left, y, width, row, _FELT)
            yield from _rows(seat, head, side["rows"], left, y, width, row)
        elif isinstance(side["hand"], int):
            for n in range(side["hand"]):
                yield Shape(left + n * width / 8 + 3, y + 2, width / 8 - 6, row - 4, _BACK)
        else:
            cards = [seat.things[thing] for thing in side["hand"]]
            yield from _cards(head, cards, left, y, width, row, 8 if head["hidden"] else 10)
        y += row + _GAP
    for player, y in ((far, _HEADER), (near, HEIGHT - 2 * row - 2 * _GAP)):
        yield from _panel(player, frame, y, 2 * row + _GAP)


def _panel(player: int, frame: Json, y: float, height: float) -> Iterator[Shape]:
    """What is known of a player besides cards."""
    side, to_move = frame["sides"][str(player)], frame["player"] == player
    yield Shape(_GAP, y, _PANEL - _GAP, height, _FELT, _GOLD if to_move else "")
    yield Shape(20, y + 10, 0, 26, _GOLD if to_move else _INK, text=f"player {player}", size=18, left=True)
    yield Shape(20, y + 42, 0, 44, _INK, text=str(side["health"]), size=38, left=True)
    yield Shape(80, y + 48, 0, 40, _PALE, text="health", size=14, left=True)
    facts = {
        "mana": "/".join(map(str, side["mana"])) if side.get("mana") else None,
        "deck": side.get("deck"),
        "next draw": side.get("draw"),
        "next rune": side.get("rune") or None,
        "draws left": side.get("draws"),
        "burns left": side.get("burns"),
    }
    shown = [(name, value) for name, value in facts.items() if value is not None]
    for n, (name, value) in enumerate(shown):
        yield Shape(20, y + 96 + n * 24, 0, 22, _PALE, text=name, size=14, left=True)
        yield Shape(100, y + 96 + n * 24, 40, 22, _INK, text=str(value), size=16)


def _rows(seat: Seat, head: Json, rows: Json, left: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """The creatures of a player, lane by lane."""
    share = width / head["lanes"]
    for lane, creatures in rows.items():
        start = left + int(lane) * share
        slots = head["slots"] or max(8, len(creatures))
        if int(lane) > 0:
            yield Shape(start - 1, y, 2, height, _TABLE)
        for n, (thing, attack, defense, keywords, state, *_) in enumerate(creatures):
            face = {**head["cards"][seat.things[thing]], "attack": attack, "defense": defense, "keywords": keywords}
            cell = share / slots
            corner = start + n * cell + 4, y + 6
            yield from _card(face, *corner, min(cell, 130) - 8, height - 12, _RIMS.get(state, ""), played=True)


def _cards(
    head: Json, cards: Sequence[int], left: float, y: float, width: float, height: float, most: int
) -> Iterator[Shape]:
    """Cards in rows, with room for at least this many to a row."""
    cell = width / max(most, len(cards), 1)
    for n, card in enumerate(cards):
        yield from _card(head["cards"][card], left + n * cell + 3, y + 2, cell - 6, height - 4)


def _card(
    face: Json, x: float, y: float, width: float, height: float, rim: str = "", played: bool = False
) -> Iterator[Shape]:
    """A card: what it costs, what it is called, and its numbers, as far as there is room."""
    yield Shape(x, y, width, height, _FACES[face["type"]], rim)
    if not played:
        yield Shape(x, y, 24, 20, "#35568c")
        yield Shape(x, y, 24, 20, _INK, text=str(face.get("cost", 0)), size=14)
    if "spell" in face:
        numbers, name = "/".join(f"+{n}" if len(face["power"]) > 1 else f"{n}" for n in face["power"]), face["spell"]
    else:
        sign = "" if face["type"] == "creature" else "+"
        numbers, name = f"{face.get('attack', 0):{sign}}/{face.get('defense', 0):{sign}}", face.get("name", "")
        if "most" in face and face["most"] > face["defense"]:
            numbers += f" ({face['most']})"
    yield Shape(
        x,
        y + height - 24,
        width,
        22,
        _PRINT,
        text=numbers or " ",
        size=16 if width > 60 else 12 if len(numbers) < 6 else 10,
    )
    if height >= 100:
        for n, line in enumerate(textwrap.wrap(name, max(4, int(width / 7)))[:2]):
            yield Shape(x, y + 26 + n * 15, width, 15, _PRINT, text=line, size=12)
        effects = [f"{what} {face[key]:+}" for key, what in _EFFECTS.items() if face.get(key)]
        for above, text in enumerate((face.get("keywords", ""), "  ".join(effects))):
            if text and not (above and played and "mana" not in face):
                yield Shape(x, y + height - 42 - above * 16, width, 16, "#7a4b12", text=text, size=11)
    else:
        small = name if "spell" in face else face.get("keywords", "") or " "
        yield Shape(x, y + height / 2 - 12, width, 16, _PRINT, text=small, size=11)


def _building(seat: Seat, head: Json, frame: Json) -> Iterator[Shape]:
    """The cards to choose from, and those chosen so far."""
    chosen = [card for each in seat.frames for card in [each["picks"][seat.player]] if card is not None]
    counts = Counter(chosen)
    said = f"{len(chosen)} of {head['deck_size']} cards"
    if not frame["offer"]:
        for card, face in enumerate(head["cards"]):
            x, y = 12.0 + card % 20 * 47, _HEADER + card // 20 * 92
            yield from _card(face, x, y, 43, 86, _GOLD if counts[card] else "")
            if counts[card]:
                yield Shape(x + 26, y + 2, 16, 18, _PRINT, text=f"x{counts[card]}", size=12)
        yield Shape(12, HEIGHT - 46, 0, 20, _PALE, text=said, size=15, left=True)
        return
    n = len(frame["offer"])
    for place, card in enumerate(frame["offer"]):
        x = WIDTH / 2 + (place - n / 2) * 200 + 10
        yield Shape(x, _HEADER + 16, 180, 24, _GOLD, text=f"PICK {place}", size=16)
        yield from _card(head["cards"][card], x, _HEADER + 44, 180, 220)
    yield Shape(12, 330, 0, 20, _PALE, text=said, size=15, left=True)
    for place, (card, copies) in enumerate(sorted(counts.items())):
        face = head["cards"][card]
        text = f"{copies} x {face.get('name') or face['number']}"
        yield Shape(12 + place % 4 * 236, 364 + place // 4 * 30, 0, 24, _INK, text=text, size=15, left=True)
