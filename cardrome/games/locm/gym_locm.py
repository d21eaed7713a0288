"""Observations in the layout of gym-locm 2.0, so that what was trained there can be evaluated here.

Its 145 battle actions are numbered as ours are, and its choices in deck building too; the order of the numbers that are
observed, and what each is divided by, follow its documentation.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardrome.games.learning.encoding import Column
from cardrome.games.locm.rules.cardgen import GENERATED_CARDS
from cardrome.games.locm.rules.cards import COSTS
from cardrome.games.locm.rules.edition import BOARD_SIZE, HAND_LIMIT, LocmEdition

NAME = "gym-locm"
ACTIONS = 145
"""Actions of a battle on two lanes of three places; other boards are unknown there."""

_TYPES = ("creature", "green", "red", "blue")
_KEYWORDS = ("breakthrough", "charge", "drain", "guard", "lethal", "ward")


def layouts(edition: LocmEdition, task: str) -> Mapping[str, tuple[Column, ...]]:
    """The layouts that gym-locm has for a task; it has none for whole matches."""
    if edition.n_actions != ACTIONS or task == "match":
        return {}
    if task == "battle":
        return {NAME: _battle(edition)}
    if task == "constructed":
        return {NAME: _cards("pool", GENERATED_CARDS, True)}
    offer, history = _cards("offer", edition.offer_size, False), _cards("picks", edition.deck_size, False)
    curve = tuple(Column("curve", cost, (("picks", 1),), 1) for cost in range(COSTS))
    return {
        NAME: offer,
        f"{NAME}-history": history + offer,
        f"{NAME}-curve": curve + offer,
        f"{NAME}-history-curve": curve + history + offer,
    }


def _cards(block: str, rows: int, area: bool) -> tuple[Column, ...]:
    """Cards: 16 numbers each, and the area in editions that have areas."""
    return tuple(column for row in range(rows) for column in _card(block, row, area))


def _card(block: str, row: int, area: bool) -> list[Column]:
    columns = [Column(block, row, ((name, 1),), 1) for name in _TYPES]
    columns += [Column(block, row, ((name, 1),), 12) for name in ("cost", "attack")]
    columns += [Column(block, row, (("defense", 1),), 12, -12)]
    columns += [Column(block, row, ((name, 1),), 12) for name in ("my_health", "opponent_health")]
    columns += [Column(block, row, (("card_draw", 1),), 2)]
    columns += [Column(block, row, ((name, 1),), 1) for name in _KEYWORDS]
    return [*columns, Column(block, row, (("lane", 1), ("both_lanes", 2)), 2)] if area else columns


def _battle(edition: LocmEdition) -> tuple[Column, ...]:
    """Both players, the viewer's hand, both boards by lanes."""
    mine = {"health": 30, "mana": 13, "rune": 30, "next_draw": 6}
    theirs = {"enemy_health": 30, "enemy_max_mana": 13, "enemy_rune": 30, "enemy_next_draw": 6}
    if edition.constructed:  # no runes
        del mine["rune"], theirs["enemy_rune"]
    columns = [Column("table", 0, ((name, 1),), by) for name, by in (mine | theirs).items()]
    columns += _cards("hand", HAND_LIMIT, edition.constructed)
    for block, more in ("board", ("can_attack",)), ("enemy_board", ()):
        for row in range(BOARD_SIZE):
            columns += [Column(block, row, ((name, 1),), 12) for name in ("attack", "defense")]
            columns += [Column(block, row, ((name, 1),), 1) for name in (*more, *_KEYWORDS)]
    return tuple(columns)
