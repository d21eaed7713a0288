"""Positions of a match drawn as text, for a terminal of 100 columns. Player 0 is on the near side of the table."""

from __future__ import annotations

from collections.abc import Sequence

from cardrome.games.tapdeck.protocol.game import TapdeckCreature, TapdeckPosition
from cardrome.games.tapdeck.rules.cards import TapdeckCard

WIDTH = 98
_ROW = 4
_CELL = 22
_NEXT_CARDS = 8
"""Cards of the deck that are shown."""
_MOVES = "▸"
_AWAKE, _ASLEEP = "▸", " "
_SPELLS = {"H": "heal", "D": "damage", "T": "take", "B": "buff", "I": "deactivate"}
LEGEND = f"{_AWAKE} awake · » attacks · × blocked · (1) cost · 2/3(4) attack/health(most) · m2 mana when tapped"


def draw(position: TapdeckPosition) -> str:
    """A position as a picture: both players with hands and boards, and the deck between them."""
    lines = [header(position), ""]
    lines += [*_player_lines(position, 1), "", *_deck_lines(position), "", *_player_lines(position, 0)]
    if position.creatures():
        lines += ["", f"  {LEGEND}"]
    return "\n".join(line.rstrip() for line in lines)


def header(position: TapdeckPosition) -> str:
    """Whose turn it is, its phase, and what the player still has."""
    if position.is_over:
        return f"the match is over · health {position.health[0]} and {position.health[1]}"
    phase = "blocking" if position.blocking else "acting"
    draws, burns = position.draws_left, position.burns_left
    return (
        f"turn {position.turn} · {position.turns_left} left · player {position.current} {phase} · "
        f"mana {position.mana} · draws left {draws} · burns left {burns}"
    )


def spell_words(card: TapdeckCard) -> str:
    """What a spell does."""
    amount = {"H": f" {card.health}", "D": f" {card.attack}", "T": f" {card.attack}", "I": ""}
    return _SPELLS[card.kind] + amount.get(card.kind, f" +{card.attack}/+{card.health}")


def card_words(card: TapdeckCard) -> str:
    """What a card is and does."""
    if card.kind != "C":
        return spell_words(card)
    gives = f", gives {card.mana} mana" if card.mana else ""
    return f"creature {_strength(card.attack, card.health, card.max_health)}{gives}"


def _strength(attack: int, health: int, max_health: int) -> str:
    return f"{attack}/{health}" + (f"({max_health})" if health != max_health else "")


def _player_lines(position: TapdeckPosition, p: int) -> list[str]:
    hand, board = position.hand(p), position.board(p)
    mark = _MOVES if not position.is_over and position.current == p else " "
    health = f"health {position.health[p]} of {position.edition.initial_health}"
    lines = [f"{mark} player {p}   {health}   hand {len(hand)} of {position.edition.hand_limit}   board {len(board)}"]
    shown = [
        _cells("board", [_creature(creature) for creature in board]),
        _cells("hand", [_card(card) for card in hand]),
    ]
    for part in shown if p == 0 else reversed(shown):
        lines += part
    return lines


def _deck_lines(position: TapdeckPosition) -> list[str]:
    deck = position.deck
    left = f"  ── deck: {len(deck)} cards left ".ljust(WIDTH, "─")
    more = [f"… {len(deck) - _NEXT_CARDS} more"] if len(deck) > _NEXT_CARDS else []
    return [left, *_cells("next", [*(_card(card) for card in deck[:_NEXT_CARDS]), *more]), "  " + "─" * (WIDTH - 2)]


def _cells(title: str, cells: Sequence[str]) -> list[str]:
    """Cells in rows, the title before the first."""
    rows = [cells[i : i + _ROW] for i in range(0, len(cells), _ROW)] or [["  none"]]
    return [
        f"    {title if i == 0 else '':<6}" + "".join(f"{cell:<{_CELL}}" for cell in row) for i, row in enumerate(rows)
    ]


def _card(card: TapdeckCard) -> str:
    """A card in a hand or the deck: id, cost, and what it is."""
    gives = f" m{card.mana}" if card.kind == "C" and card.mana else ""
    what = _strength(card.attack, card.health, card.max_health) + gives if card.kind == "C" else spell_words(card)
    return f"  {card.id:<4} ({card.cost}) {what}"


def _creature(creature: TapdeckCreature) -> str:
    """A creature on the board: awake or not, id, present strength, mana, and whether it attacks."""
    gives = f" m{creature.card.mana}" if creature.card.mana else ""
    attacks = (" »" if creature.attacks else "") + ("×" if creature.blocked else "")
    strength = _strength(creature.attack, creature.health, creature.max_health)
    return f"{_AWAKE if creature.awake else _ASLEEP} {creature.card.id:<4} {strength}{gives}{attacks}"
