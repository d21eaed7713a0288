"""ATTACK: on the player, and fights with all keywords. Positions are set up by hand; player 0 acts."""

from __future__ import annotations

from typing import Any

import pytest

from cardrome.games.locm.rules.cards import LANE_1
from tests.games.locm.rules.table import ALL, Table, creature


@pytest.mark.parametrize("name", ALL)
def test_attack_the_player(name: str) -> None:
    t = Table(name)
    a = t.place(0, "4/1")
    assert t.attack(a)
    assert t.health == (30, 26)
    assert t[a] == "4/1"
    assert (t.find(a).can_attack, t.find(a).has_attacked) == (0, 1)


@pytest.mark.parametrize("name", ALL)
def test_an_attack_of_zero_is_an_attack(name: str) -> None:
    t = Table(name)
    a = t.place(0, "0/1 D")
    assert t.attack(a)
    assert t.health == (30, 30)
    assert not t.attack(a)


def test_drain_on_the_player() -> None:
    t = Table()
    t.attack(t.place(0, "4/1 D"))
    assert t.health == (34, 26)


def test_drain_comes_before_the_damage() -> None:
    """Own health first, then the opponent's: both are changed even if they die."""
    t = Table()
    t.foe.health = 3
    t.attack(t.place(0, "4/1 D"))
    assert (t.health, t.winner) == ((34, -1), 0)


FIGHTS = [
    # attacker, defender, attacker after, defender after, change of own health, change of the opponent's
    ("5/5 B", "2/3", "5/3 B", None, 0, -2),
    ("3/3 BL", "2/6", "3/1 BL", None, 0, 0),
    ("3/3 BL", "1/2", "3/2 BL", None, 0, -1),
    ("6/6 D", "1/1", "6/5 D", None, 6, 0),
    ("6/6 BD", "1/1", "6/5 BD", None, 6, -5),
    ("4/4 BDL", "2/2 W", "4/2 BDL", "2/2", 0, 0),
    ("0/4", "2/2 W", "0/2", "2/2 W", 0, 0),
    ("4/4 W", "3/3 L", "4/4", None, 0, 0),
    ("2/9", "1/5 L", None, "1/3 L", 0, 0),
    ("2/9", "0/5 L", "2/9", "0/3 L", 0, 0),
]
"""The fights of the table of worked edge cases."""

MORE_FIGHTS = [
    ("2/2", "3/5", None, "3/3", 0, 0),
    ("5/1", "1/1", None, None, 0, 0),  # both strike at once
    ("3/3", "2/3", "3/1", None, 0, 0),  # exactly enough
    ("5/1 BD", "2/2", None, None, 5, -3),  # a dying attacker still has its effects
    ("3/1 L", "2/9", None, None, 0, 0),
    ("3/5 L", "0/9 W", "3/5 L", "0/9", 0, 0),  # Lethal needs damage
    ("0/5 L", "1/1", "0/4 L", "1/1", 0, 0),
    ("0/5 D", "1/1", "0/4 D", "1/1", 0, 0),
    ("3/3 W", "0/5", "3/3 W", "0/2", 0, 0),  # a strike of 0 leaves the Ward alone
    ("3/3 W", "2/5 W", "3/3", "2/5", 0, 0),
    ("3/3 B", "1/3", "3/2 B", None, 0, 0),  # no excess
    ("3/3 B", "1/4", "3/2 B", "1/1", 0, 0),
    ("3/9", "4/9 BD", "3/5", "4/6 BD", 0, 0),  # the defender's Breakthrough and Drain do nothing
    ("2/1 W", "5/5 L", "2/1", "5/3 L", 0, 0),
    ("2/2 BCDGLW", "2/2 BCDGLW", "2/2 BCDGL", "2/2 BCDGL", 0, 0),
]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("fight", FIGHTS + MORE_FIGHTS, ids=lambda fight: f"{fight[0]} hits {fight[1]}")
def test_fight(name: str, fight: tuple[Any, ...]) -> None:
    attacker, defender, attacker_after, defender_after, mine, theirs = fight
    t = Table(name)
    a, d = t.place(0, attacker), t.place(1, defender)
    assert t.attack(a, d)
    assert (t[a], t[d]) == (attacker_after, defender_after)
    assert t.health == (30 + mine, 30 + theirs)


def test_fight_in_the_second_lane() -> None:
    t = Table("locm-1.2")
    t.place(0, "9/9")
    bystander = t.place(1, "9/9")
    a, d = t.place(0, "2/2", lane=1), t.place(1, "1/3", lane=1)
    assert t.attack(a, d)
    assert (t[a], t[d], t[bystander]) == ("2/1", "1/1", "9/9")


def test_breakthrough_breaks_runes() -> None:
    t = Table()
    a, d = t.place(0, "9/9 B"), t.place(1, "0/2")
    t.attack(a, d)
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (23, 20, 2)


def test_breakthrough_can_win() -> None:
    t = Table()
    t.foe.health = 5
    t.attack(t.place(0, "9/9 B"), t.place(1, "0/2"))
    assert t.winner == 0


def test_a_clone_fights_for_itself() -> None:
    t = Table("locm-1.5")
    card = t.hold(0, creature("2/3 C", area=LANE_1))
    t.summon(card)
    d = t.place(1, "1/4")
    assert t.attack(card + 1, d)
    assert (t[card], t[card + 1], t[d]) == ("2/3 C", "2/2 C", "1/2")
    assert t.attack(card, d)
    assert t[d] is None
