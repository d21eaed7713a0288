"""Positions drawn as text, for a terminal of 80 columns, indented a little: what ``print(game)`` shows.

A view is seen from its viewer's side, a game from player 0's: the other player is on top, and the cards lie as they
would on a table.
"""

from __future__ import annotations

import textwrap
from collections import Counter

from cardrome.games.game import Ending
from cardrome.games.locm.protocol.game import LocmPosition, LocmView
from cardrome.games.locm.protocol.sides import BoardCreature, card_at
from cardrome.games.locm.rules.cards import CREATURE_CARD, TYPE_NAMES, Card
from cardrome.games.locm.rules.edition import BOARD_SIZE, SUMMON, USE

WIDTH = 76
_CELL = 11
_POOL_CELL = 39
_READY = "▸"
_BARS = " ▁▂▃▄▅▆▇█"
_COSTLY = 12
"""The last column of the mana curve; no card of the referees costs more."""


def draw(position: LocmPosition) -> str:
    """A position as a picture: the table in battle, the offers or the pool and the decks before it."""
    if position.phase == "battle":
        body = _battle(position)
    elif position.edition.constructed:
        body = _constructed(position)
    else:
        body = _draft(position)
    return "\n".join(line.rstrip() for line in [*_header(position), "", *body])


def _header(position: LocmPosition) -> list[str]:
    outcome = position.outcome
    if outcome is not None and outcome.winner is not None:
        loser = 1 - outcome.winner
        reason = "could not draw" if outcome.ending is Ending.DRAW else f"is down to {position.health[loser]} health"
        what = f"turn {position.turn} · player {outcome.winner} wins, player {loser} {reason}"
    elif position.phase == "battle":
        what = f"turn {position.turn} · player {position.current} to move"
    else:
        n = int(position.state.players[position.current].n_deck)
        what = f"{position.phase} · card {n + 1} of {position.edition.deck_size} · player {position.current} to choose"
    seen = f" · as player {position.viewer} sees it" if isinstance(position, LocmView) else ""
    line = f"{position.edition.name} · {what}{seen}"
    if len(line) <= WIDTH:
        return [line]
    first, dot, _ = line[:WIDTH].rpartition(" · ")
    return [first, line[len(first + dot) :]]


def _bottom(position: LocmPosition) -> int:
    """The player on the near side of the table."""
    return position.viewer if isinstance(position, LocmView) else 0


# Battle


def _battle(position: LocmPosition) -> list[str]:
    near = _bottom(position)
    far = 1 - near
    return [
        *_player(position, far),
        "",
        _rule(position, "┌┬╥┐", titled=position.edition.lanes > 1),
        *_row(position, far),
        _rule(position, "├┼╫┤"),
        *_row(position, near),
        _rule(position, "└┴╨┘"),
        "",
        *_player(position, near),
    ]


def _player(position: LocmPosition, p: int) -> list[str]:
    """A player's numbers, their hand and what they did."""
    player = position.state.players[p]
    mana = f"mana {player.mana}/{player.max_mana}" + (" (bonus)" if player.bonus_mana else "")
    parts = [f"player {p}", f"health {player.health}", mana, f"deck {player.n_deck}", f"hand {player.n_hand}"]
    parts.append(f"next draw {player.next_draw}")
    lines = [_mark(position.to_move == p) + "   ".join(parts)]
    if position.edition.rune_step:
        runes = " ".join(str(rune) for rune in range(player.rune, 0, -position.edition.rune_step))
        lines.append(f"    runes {runes or 'none'}")
    return [*lines, *_hand(position, p), *_performed(position, p)]


def _mark(ready: bool) -> str:
    return f"{_READY} " if ready else "  "


def _hand(position: LocmPosition, p: int) -> list[str]:
    """A hand, one card a line, with a mark if it can be played; hidden cards are only counted."""
    hand = position.players[p].hand
    hidden = sum(held.card is None for held in hand)
    if hidden:
        return [f"    {' '.join('?' * hidden)}   unknown"]
    playable, width = _playable(position) if position.to_move == p else set(), 23 if _named(position) else 4
    return [
        f" {_mark(i in playable)}{held.id:>3} {_card_words(held.card, width)}"
        for i, held in enumerate(hand)
        if held.card is not None
    ]


def _named(position: LocmPosition) -> bool:
    """Cards have names, which need more room than numbers."""
    first = card_at(position, 0)
    return first is not None and first.name != ""


def _playable(position: LocmPosition) -> set[int]:
    """The cards in the hand of the player to move that can be played, by their places."""
    rules = position.edition.rules[0]
    codes = [code for code in position.legal_codes() if rules.action_kind[code] in (SUMMON, USE)]
    return {int(rules.action_source[code]) for code in codes}


def _card_words(card: Card, width: int) -> str:
    parts = [
        f"({card.cost:>2})",
        f"{_colour(card):<5}",
        f"{card.strength:>7}",
        f"{card.keywords:<6}",
        f"{card.label:<{width}}",
        card.effects,
    ]
    return " ".join(parts)


def _colour(card: Card) -> str:
    """The colour of an item; a creature has none."""
    return "" if card.type == CREATURE_CARD else TYPE_NAMES[card.type]


def _performed(position: LocmPosition, p: int) -> list[str]:
    actions = ", ".join(action.split(" ", 1)[1] for action in position.performed[p])
    when = "this turn" if position.current == p else "last turn"
    return (
        textwrap.wrap(f"{when}: {actions}", WIDTH, initial_indent="    ", subsequent_indent="      ") if actions else []
    )


def _rule(position: LocmPosition, corners: str, titled: bool = False) -> str:
    """A line of the board's frame."""
    left, cross, border, right = tuple(corners)
    lane = cross.join(["─" * _CELL] * position.edition.lane_slots)
    titles = [f"─ lane {i} " if titled else "" for i in range(position.edition.lanes)]
    return left + border.join(title + lane[len(title) :] for title in titles) + right


def _row(position: LocmPosition, p: int) -> list[str]:
    """One side of the board, place by place."""
    lines, slots, name_lines = [], position.edition.lane_slots, 2 if _named(position) else 1
    cells = [[""] * (2 + name_lines)] * BOARD_SIZE
    taken: Counter[int] = Counter()
    for creature in position.players[p].board:
        cells[creature.lane * slots + taken[creature.lane]] = _creature(creature, name_lines)
        taken[creature.lane] += 1
    for row in zip(*cells, strict=True):
        lanes = ["│".join(text.ljust(_CELL) for text in row[i : i + slots]) for i in range(0, BOARD_SIZE, slots)]
        lines.append("│" + "║".join(lanes) + "│")
    return lines


def _creature(creature: BoardCreature, name_lines: int) -> list[str]:
    """A creature's place: id (marked if it can attack) and strength, keywords, name."""
    number, strength = (
        f"{_READY if creature.can_attack else ' '}{creature.id} ",
        f"{creature.attack}/{creature.defense}",
    )
    names = textwrap.wrap(creature.card.label, _CELL - 1, max_lines=name_lines, placeholder="…")
    names += [""] * (name_lines - len(names))
    return [
        f"{number}{strength:>{_CELL - 1 - len(number)}} ",
        f"{creature.keywords:>{_CELL - 1}} ",
        *(f" {name}" for name in names),
    ]


# Draft


def _draft(position: LocmPosition) -> list[str]:
    """The offers side by side, then the decks so far."""
    t = min(position.deck_size(_chooser(position)), position.edition.deck_size - 1)
    shown = position.deals[0].offers[t, : position.edition.offer_size].tolist()
    offers = [_offer(k, card_at(position, index)) for k, index in enumerate(shown)]
    width = 24
    lines = ["┌" + "┬".join(["─" * width] * len(offers)) + "┐"]
    lines += ["│" + "│".join(text.ljust(width) for text in row) + "│" for row in zip(*offers, strict=True)]
    lines.append("└" + "┴".join(["─" * width] * len(offers)) + "┘")
    return lines + _decks(position)


def _chooser(position: LocmPosition) -> int:
    """Whose choice is shown: the viewer's, or that of the player to move."""
    return position.viewer if isinstance(position, LocmView) else position.current


def _offer(k: int, card: Card | None) -> list[str]:
    if card is None:
        return [f" PICK {k}", " unknown", "", "", ""]
    return [
        f" PICK {k}   card {card.number}",
        f" {card.label}",
        f" cost {card.cost} {TYPE_NAMES[card.type]} {card.strength}",
        f" {card.keywords}",
        f" {card.effects}",
    ]


def _decks(position: LocmPosition) -> list[str]:
    """Both decks so far, each with its mana curve; a hidden one is only counted."""
    lines, size = [], position.edition.deck_size
    for p in (1 - _bottom(position), _bottom(position)):
        deck = position.players[p].deck
        known = [held.card for held in deck if held.card is not None]
        unknown = ", unknown" if len(known) < len(deck) else ""
        lines += ["", f"{_mark(position.to_move == p)}player {p}   {len(deck)} of {size} cards{unknown}"]
        if known:
            lines += _curve(known)
            lines += _names(known)
    return lines


def _curve(deck: list[Card]) -> list[str]:
    """How many cards of each cost."""
    counts = Counter(min(card.cost, _COSTLY) for card in deck)
    most = max(counts.values())
    columns = range(_COSTLY + 1)
    bars = "".join(f"  {_BARS[-(-8 * counts[cost] // most)] * 2}" for cost in columns)
    numbers = "".join(f"{counts[cost] or '':>4}" for cost in columns)
    costs = "".join(f"{cost:>4}" for cost in columns)
    return [f"         {bars}", f"    cards{numbers}", f"    cost {costs}"]


def _names(deck: list[Card]) -> list[str]:
    """The cards of a deck from cheap to expensive, equal ones counted."""
    counts = Counter(sorted(deck, key=lambda card: (card.cost, card.number)))
    names = [f"{n}× {card.label}" if n > 1 else card.label for card, n in counts.items()]
    return textwrap.wrap(", ".join(names), WIDTH, initial_indent="    ", subsequent_indent="    ")


# Constructed


def _constructed(position: LocmPosition) -> list[str]:
    """The pool in two columns, each card with its number of chosen copies; then the decks."""
    chosen = Counter(held.card for held in position.players[_chooser(position)].deck)
    pool = [card_at(position, index) for index in range(position.deals[0].n_cards)]
    cells = [_pool_card(card, chosen[card]) for card in pool if card is not None]
    rows = -(-len(cells) // 2)
    title = "   card cost strength".ljust(_POOL_CELL)
    lines = [f"{title}│{title}"]
    lines += ["│".join(cell.ljust(_POOL_CELL) for cell in cells[row::rows]) for row in range(rows)]
    lines += ["", "    g, r, b: an item's colour · y, o: health for you, the opponent · d: draws"]
    lines += ["    l1, l2: its area, lane1 or lane2"]
    return lines + _decks(position)


def _pool_card(card: Card, copies: int) -> str:
    parts = [
        f"{copies}×" if copies else "  ",
        f"#{card.number}".rjust(4),
        f"{card.cost:>2}",
        f"{_colour(card)[:1]:<1}",
        f"{card.strength:>7}",
        f"{card.keywords:<4}",
    ]
    effects = [
        f"y{card.my_health:+}" if card.my_health else "",
        f"o{card.opponent_health:+}" if card.opponent_health else "",
        f"d{card.card_draw}" if card.card_draw else "",
        f"l{card.area}" if card.area else "",
    ]
    return " ".join([*parts, *filter(None, effects)])
