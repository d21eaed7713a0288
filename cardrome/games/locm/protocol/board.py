"""Positions drawn as text, for a terminal of 100 columns: what ``print(game)`` shows.

A view is seen from its viewer's side, a game from player 0's: the other player is on top, and the cards lie as they
would on a table.
"""

from __future__ import annotations

import textwrap
from collections import Counter

from cardrome.games.game import Ending
from cardrome.games.locm.protocol.game import LocmPosition, LocmView
from cardrome.games.locm.rules.cards import (
    AREA_NAMES,
    CREATURE_CARD,
    FIXED_CARDS,
    HIDDEN,
    TYPE_NAMES,
    abilities_text,
    fixed_card_records,
)
from cardrome.games.locm.rules.edition import BOARD_SIZE, DECK_SIZE, SUMMON, USE
from cardrome.games.locm.rules.state import BATTLE, Creature, Held

WIDTH = 98
_CELL = 15
_POOL_CELL = 49
_READY = "▸"
_BARS = " ▁▂▃▄▅▆▇█"
_COSTLY = 12
"""The last column of the mana curve; no card of the referees costs more."""


def draw(position: LocmPosition) -> str:
    """A position as a picture: the table in battle, the offers or the pool and the decks before it."""
    cards = _Cards(position)
    if position.state.phase == BATTLE:
        body = _battle(position, cards)
    elif position.edition.constructed:
        body = _constructed(position, cards)
    else:
        body = _draft(position, cards)
    return "\n".join(line.rstrip() for line in [_header(position), "", *body])


class _Cards:
    """The cards of a deal in words."""

    def __init__(self, position: LocmPosition) -> None:
        deal = position.deals[0]
        self.table = deal.cards
        n = int(deal.n_cards)
        fixed = fixed_card_records()
        # Generated cards have no names. A pool may also consist of fixed cards, which have.
        numbers = self.table["number"][:n].astype(int)
        in_range = bool(n and numbers.min() >= 1 and numbers.max() <= len(fixed))
        self.named = in_range and bool((fixed[numbers - 1] == self.table[:n]).all())

    def name(self, index: int) -> str:
        """The name of a card, or its number where cards have none."""
        number = int(self.table[index].number)
        return FIXED_CARDS[number - 1].name if self.named else f"#{number}"

    def strength(self, index: int) -> str:
        """Attack and defense; those of an item are changes."""
        card = self.table[index]
        return f"{card.attack}/{card.defense}" if card.type == CREATURE_CARD else f"{card.attack:+}/{card.defense:+}"

    def effects(self, index: int) -> str:
        """What the card does to the players, and how far it reaches."""
        card = self.table[index]
        parts = []
        if card.my_health:
            parts.append(f"you {card.my_health:+}")
        if card.opponent_health:
            parts.append(f"opponent {card.opponent_health:+}")
        if card.card_draw:
            parts.append(f"draw {card.card_draw}")
        if card.area:
            parts.append(AREA_NAMES[card.area])
        return ", ".join(parts)


def _letters(abilities: int) -> str:
    return abilities_text(abilities).replace("-", "")


def _header(position: LocmPosition) -> str:
    outcome = position.outcome
    if outcome is not None and outcome.winner is not None:
        loser = 1 - outcome.winner
        reason = "could not draw" if outcome.ending is Ending.DRAW else f"is down to {position.health[loser]} health"
        what = f"turn {position.turn} · player {outcome.winner} wins, player {loser} {reason}"
    elif position.phase == "battle":
        what = f"turn {position.turn} · player {position.current} to move"
    else:
        n = int(position.state.players[position.current].n_deck)
        what = f"{position.phase} · card {n + 1} of {DECK_SIZE} · player {position.current} to choose"
    seen = f" · as player {position.viewer} sees it" if isinstance(position, LocmView) else ""
    return f"{position.edition.name} · {what}{seen}"


def _bottom(position: LocmPosition) -> int:
    """The player on the near side of the table."""
    return position.viewer if isinstance(position, LocmView) else 0


# Battle


def _battle(position: LocmPosition, cards: _Cards) -> list[str]:
    near = _bottom(position)
    far = 1 - near
    return [
        *_player(position, cards, far),
        "",
        _rule(position, "┌┬╥┐", titled=position.edition.lanes > 1),
        *_row(position, cards, far),
        _rule(position, "├┼╫┤"),
        *_row(position, cards, near),
        _rule(position, "└┴╨┘"),
        "",
        *_player(position, cards, near),
    ]


def _player(position: LocmPosition, cards: _Cards, p: int) -> list[str]:
    """A player's numbers, their hand and what they did."""
    player = position.state.players[p]
    mana = f"mana {player.mana}/{player.max_mana}" + (" (bonus)" if player.bonus_mana else "")
    parts = [f"player {p}", f"health {player.health}", mana, f"deck {player.n_deck}", f"hand {player.n_hand}"]
    if position.edition.rune_step:
        runes = " ".join(str(rune) for rune in range(player.rune, 0, -position.edition.rune_step))
        parts.append(f"runes {runes or 'none'}")
    parts.append(f"next draw {player.next_draw}")
    return [_mark(position.to_move == p) + "   ".join(parts), *_hand(position, cards, p), *_performed(position, p)]


def _mark(ready: bool) -> str:
    return f"{_READY} " if ready else "  "


def _hand(position: LocmPosition, cards: _Cards, p: int) -> list[str]:
    """A hand, one card a line, with a mark if it can be played; hidden cards are only counted."""
    player = position.state.players[p]
    held = [player.hand[i] for i in range(player.n_hand)]
    hidden = sum(each.card == HIDDEN for each in held)
    if hidden:
        return [f"    {' '.join('?' * hidden)}   unknown"]
    playable = _playable(position) if position.to_move == p else set()
    return [f"  {_mark(i in playable)}{_held(cards, each)}" for i, each in enumerate(held)]


def _playable(position: LocmPosition) -> set[int]:
    """The cards in the hand of the player to move that can be played, by their places."""
    rules = position.edition.rules[0]
    codes = [code for code in position.legal_codes() if rules.action_kind[code] in (SUMMON, USE)]
    return {int(rules.action_source[code]) for code in codes}


def _held(cards: _Cards, held: Held) -> str:
    card = cards.table[held.card]
    parts = [
        f"{held.id:>3}",
        f"cost {card.cost:>2}",
        f"{TYPE_NAMES[card.type]:<8}",
        f"{cards.strength(held.card):>7}",
        f"{_letters(card.abilities):<6}",
        cards.name(held.card).ljust(23 if cards.named else 4),
        cards.effects(held.card),
    ]
    return "  ".join(parts)


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


def _row(position: LocmPosition, cards: _Cards, p: int) -> list[str]:
    """One side of the board, place by place."""
    player = position.state.players[p]
    slots = position.edition.lane_slots
    cells = [_creature(cards, player.board[place]) for place in range(BOARD_SIZE)]
    lines = []
    for row in zip(*cells, strict=True):
        lanes = ["│".join(text.ljust(_CELL) for text in row[i : i + slots]) for i in range(0, BOARD_SIZE, slots)]
        lines.append("│" + "║".join(lanes) + "│")
    return lines


def _creature(cards: _Cards, creature: Creature) -> list[str]:
    """A creature's place: id (marked if it can attack) and strength, keywords, name."""
    name_lines = 2 if cards.named else 1
    if creature.order == 0:
        return [""] * (2 + name_lines)
    strength = f"{creature.attack}/{creature.defense}"
    names = textwrap.wrap(cards.name(creature.card), _CELL - 2)[:name_lines]
    names += [""] * (name_lines - len(names))
    return [
        f"{_READY if creature.can_attack else ' '}{creature.id:<3}{strength:>{_CELL - 5}} ",
        f"{_letters(creature.abilities):>{_CELL - 1}} ",
        *(f" {name}" for name in names),
    ]


# Draft


def _draft(position: LocmPosition, cards: _Cards) -> list[str]:
    """The offers side by side, then the decks so far."""
    t = min(int(position.state.players[_chooser(position)].n_deck), DECK_SIZE - 1)
    offers = [_offer(cards, k, int(index)) for k, index in enumerate(position.deals[0].offers[t])]
    width = 30
    lines = ["┌" + "┬".join(["─" * width] * len(offers)) + "┐"]
    lines += ["│" + "│".join(text.ljust(width) for text in row) + "│" for row in zip(*offers, strict=True)]
    lines.append("└" + "┴".join(["─" * width] * len(offers)) + "┘")
    return lines + _decks(position, cards)


def _chooser(position: LocmPosition) -> int:
    """Whose choice is shown: the viewer's, or that of the player to move."""
    return position.viewer if isinstance(position, LocmView) else position.current


def _offer(cards: _Cards, k: int, index: int) -> list[str]:
    if index == HIDDEN:
        return [f" PICK {k}", " unknown", "", ""]
    card = cards.table[index]
    return [
        f" PICK {k}   card {card.number}",
        f" {cards.name(index)}",
        f" cost {card.cost}  {TYPE_NAMES[card.type]}  {cards.strength(index)} {_letters(card.abilities)}",
        f" {cards.effects(index)}",
    ]


def _decks(position: LocmPosition, cards: _Cards) -> list[str]:
    """Both decks so far, each with its mana curve; a hidden one is only counted."""
    lines = []
    for p in (1 - _bottom(position), _bottom(position)):
        player = position.state.players[p]
        deck = [int(player.deck[i].card) for i in range(player.n_deck)]
        known = [index for index in deck if index != HIDDEN]
        unknown = ", unknown" if len(known) < len(deck) else ""
        lines += ["", f"{_mark(position.to_move == p)}player {p}   {len(deck)} of {DECK_SIZE} cards{unknown}"]
        if known:
            lines += _curve(cards, known)
            lines += _names(cards, known)
    return lines


def _curve(cards: _Cards, deck: list[int]) -> list[str]:
    """How many cards of each cost."""
    counts = Counter(min(int(cards.table[index].cost), _COSTLY) for index in deck)
    most = max(counts.values())
    columns = range(_COSTLY + 1)
    bars = "".join(f"  {_BARS[-(-8 * counts[cost] // most)] * 2}" for cost in columns)
    numbers = "".join(f"{counts[cost] or '':>4}" for cost in columns)
    costs = "".join(f"{cost:>4}" for cost in columns)
    return [f"         {bars}", f"    cards{numbers}", f"    cost {costs}"]


def _names(cards: _Cards, deck: list[int]) -> list[str]:
    """The cards of a deck from cheap to expensive, equal ones counted."""
    counts = Counter(sorted(deck, key=lambda index: (int(cards.table[index].cost), index)))
    names = [f"{n}× {cards.name(index)}" if n > 1 else cards.name(index) for index, n in counts.items()]
    return textwrap.wrap(", ".join(names), WIDTH, initial_indent="    ", subsequent_indent="    ")


# Constructed


def _constructed(position: LocmPosition, cards: _Cards) -> list[str]:
    """The pool in two columns, each card with its number of chosen copies; then the decks."""
    player = position.state.players[_chooser(position)]
    chosen = Counter(int(player.deck[i].card) for i in range(player.n_deck))
    cells = [_pool_card(cards, index, chosen[index]) for index in range(position.deals[0].n_cards)]
    rows = -(-len(cells) // 2)
    title = "   card cost       strength".ljust(_POOL_CELL)
    lines = [f"{title}│{title}"]
    lines += ["│".join(cell.ljust(_POOL_CELL) for cell in cells[row::rows]) for row in range(rows)]
    lines += ["", "    y: your health, o: opponent's health, d: cards to draw; no colour: a creature"]
    return lines + _decks(position, cards)


def _pool_card(cards: _Cards, index: int, copies: int) -> str:
    card = cards.table[index]
    parts = [
        f"{copies}×" if copies else "  ",
        f"#{card.number}".rjust(4),
        f"{card.cost:>3}",
        f"{'' if card.type == CREATURE_CARD else TYPE_NAMES[card.type]:<5}",
        f"{cards.strength(index):>7}",
        f"{_letters(card.abilities):<6}",
        f"y{card.my_health:+}" if card.my_health else "   ",
        f"o{card.opponent_health:+}" if card.opponent_health else "   ",
        f"d{card.card_draw}" if card.card_draw else "  ",
        AREA_NAMES[card.area] if card.area else "",
    ]
    return " ".join(parts)
