"""USE: items on creatures, on the opponent, in 1.5 on whole lanes. Positions are set up by hand; player 0 acts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cardrome.games.locm.rules.cards import LANE_1, LANE_2
from cardrome.games.locm.rules.edition import EDITIONS, LOCM_15
from tests.games.locm.rules.table import ALL, OPPONENT, WITH_RUNES, WITHOUT_RUNES, Table, blue, fixed, green, red

# --- USE -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_use_pays_and_leaves_the_hand(name: str) -> None:
    t = Table(name)
    first, item = t.hold(0, "1/1"), t.hold(0, red("0/-1", cost=5))
    d = t.place(1, "2/2")
    assert t.use(item, d)
    assert t[d] == "2/1"
    assert (t.me.mana, t.hand(0), t.me.n_played, t.me.deck[0].id) == (7, [first], 1, item)


ON_ENEMIES = [
    (red("-2/-2"), "1/1 W", "0/1"),  # attack goes down, the Ward takes the damage
    (red("0/-2 BCDGLW"), "3/2 W", None),  # the Ward is taken away first
    (red("0/0 G"), "3/2 GW", "3/2 W"),
    (red("0/-2"), "3/5", "3/3"),
    (red("-5/0"), "3/5", "0/5"),  # attack is never below 0
    (red("0/-5"), "3/5", None),
    (red("-1/-1 W"), "3/5 GW", "2/4 G"),
    (blue("0/-3"), "2/4 W", "2/4"),
    (blue("0/-3"), "2/3", None),
    (blue("0/0"), "2/4 W", "2/4 W"),  # no damage, no Ward lost
]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("item", "before", "after"), ON_ENEMIES, ids=str)
def test_items_on_enemies(name: str, item: Any, before: str, after: str | None) -> None:
    t = Table(name)
    d = t.place(1, before)
    assert t.use(t.hold(0, item), d)
    assert t[d] == after
    assert t.health == (30, 30)


ON_OWN = [
    (green("4/0 W"), "1/1 W", "5/1 W"),
    (green("1/1 BG"), "1/1 G", "2/2 BG"),
    (green("0/3"), "1/1 W", "1/4 W"),
]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("item", "before", "after"), ON_OWN, ids=str)
def test_items_on_own_creatures(name: str, item: Any, before: str, after: str) -> None:
    t = Table(name)
    a = t.place(0, before)
    assert t.use(t.hold(0, item), a)
    assert t[a] == after


def test_a_green_item_that_hurts_kills() -> None:
    """No card does it, but the rule is the same for all items."""
    t = Table()
    a = t.place(0, "1/1")
    t.use(t.hold(0, green("0/-1")), a)
    assert t[a] is None


@pytest.mark.parametrize("name", ALL)
def test_charge_makes_a_new_creature_ready(name: str) -> None:
    t = Table(name)
    a = t.hold(0, "2/2")
    t.summon(a)
    assert not t.attack(a)
    t.use(t.hold(0, green("0/0 C")), a)
    assert t.attack(a)
    assert not t.attack(a)


@pytest.mark.parametrize("name", ALL)
def test_charge_gives_no_second_attack(name: str) -> None:
    t = Table(name)
    a = t.place(0, "2/2")
    t.attack(a)
    t.use(t.hold(0, green("0/0 C")), a)
    assert t[a] == "2/2 C"
    assert not t.attack(a)


def test_a_green_item_without_charge_makes_nobody_ready() -> None:
    t = Table()
    a = t.hold(0, "2/2")
    t.summon(a)
    t.use(t.hold(0, green("1/1 BDGLW")), a)
    assert not t.attack(a)


def test_taking_charge_away_takes_no_attack_away() -> None:
    t = Table()
    d = t.place(1, "1/1 C")
    t.foe.board[0].can_attack = 1
    t.use(t.hold(0, red("0/0 C")), d)
    assert t[d] == "1/1"
    assert t.find(d).can_attack == 1


@pytest.mark.parametrize("name", ALL)
def test_effects_of_an_item_on_a_creature(name: str) -> None:
    """The item's defense does not touch the player then."""
    t = Table(name)
    d = t.place(1, "2/9")
    t.use(t.hold(0, blue("0/-3", my_health=2, opponent_health=-1, card_draw=2)), d)
    assert t[d] == "2/6"
    assert t.health == (32, 29)
    assert t.me.next_draw == 3


@pytest.mark.parametrize("name", ALL)
def test_blue_item_at_the_opponent(name: str) -> None:
    t = Table(name)
    t.use(t.hold(0, blue("0/-3", my_health=2, opponent_health=-1, card_draw=2)))
    assert t.health == (32, 26)
    assert t.me.next_draw == 3


def test_blue_item_at_the_opponent_is_a_single_change() -> None:
    """-3 and +1 are -2: the rune at 25 does not break on the way."""
    t = Table("locm-1.2")
    t.foe.health = 28
    t.use(t.hold(0, blue("0/-3", opponent_health=1)))
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (26, 25, 1)
    t = Table("locm-1.5")
    t.use(t.hold(0, blue("0/-5", opponent_health=1)))
    assert (t.foe.damage_taken, t.foe.next_draw) == (4, 1)


def test_card_155_at_the_opponent() -> None:
    t = Table("locm-1.2")
    t.foe.health = 29
    t.use(t.hold(0, fixed(155)))
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (25, 20, 2)


def test_card_155_on_a_creature() -> None:
    t = Table("locm-1.2")
    d = t.place(1, "2/2")
    t.use(t.hold(0, fixed(155)), d)
    assert t[d] is None
    assert t.health == (30, 29)


def test_card_153_on_an_enemy_creature() -> None:
    t = Table("locm-1.2")
    d = t.place(1, "2/2 W")
    assert t.use(t.hold(0, fixed(153)), d)
    assert t.health == (35, 30)
    assert t[d] == "2/2 W"
    assert t.find(d).touched == 1


def test_items_reach_both_lanes() -> None:
    t = Table("locm-1.2")
    t.place(1, "1/1 G")
    d = t.place(1, "2/2", lane=1)
    assert t.use(t.hold(0, red("0/-1")), d)
    assert t[d] == "2/1"


# --- Area (1.5) ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_area_of_a_lane(name: str) -> None:
    """Dying creatures and those saved by their Ward count for the effects."""
    t = Table(name)
    dies, warded, lives = (t.place(1, text) for text in ("1/1", "1/1 W", "3/3"))
    other = t.place(1, "1/1", lane=1)
    t.use(t.hold(0, red("-1/-2", area=LANE_1, my_health=1, opponent_health=-2, card_draw=1)), lives)
    assert [t[c] for c in (dies, warded, lives, other)] == [None, "0/1", "2/1", "1/1"]
    assert t.board(1, 0) == [warded, lives]
    assert t.health == (33, 24)
    assert t.me.next_draw == 4


@pytest.mark.parametrize("name", WITHOUT_RUNES)
@pytest.mark.parametrize("lane", [0, 1])
def test_area_of_both_lanes(name: str, lane: int) -> None:
    t = Table(name)
    left = [t.place(1, text) for text in ("1/1", "1/1", "1/5")]
    right = [t.place(1, text, lane=1) for text in ("1/2", "1/3")]
    target = (left, right)[lane][0]
    t.use(t.hold(0, blue("0/-2", area=LANE_2, my_health=1, opponent_health=-1, card_draw=1)), target)
    assert [t[c] for c in left + right] == [None, None, "1/3", None, "1/1"]
    assert (t.board(1, 0), t.board(1, 1)) == ([left[2]], [right[1]])
    assert t.health == (35, 25)
    assert t.me.next_draw == 6


def test_both_lanes_are_one_where_there_is_no_other() -> None:
    """No edition has areas and one lane; one that has needs no new rule."""
    t = Table(replace(LOCM_15, lanes=1, lane_slots=6))
    theirs = [t.place(1, text) for text in ("1/1", "1/3")]
    t.use(t.hold(0, red("0/-2", area=LANE_2, opponent_health=-1)), theirs[0])
    assert [t[c] for c in theirs] == [None, "1/1"]
    assert t.health == (30, 28)


def test_area_of_a_green_item_is_the_own_side() -> None:
    t = Table("locm-1.5")
    mine = [t.place(0, "1/1"), t.place(0, "2/2 G"), t.place(0, "3/3", lane=1)]
    theirs = t.place(1, "1/1")
    t.use(t.hold(0, green("1/1 W", area=LANE_1)), mine[1])
    assert [t[c] for c in mine] == ["2/2 W", "3/3 GW", "3/3"]
    t.use(t.hold(0, green("1/1", area=LANE_2)), mine[2])
    assert [t[c] for c in mine] == ["3/3 W", "4/4 GW", "4/4"]
    assert t[theirs] == "1/1"


def test_a_whole_lane_can_die() -> None:
    t = Table("locm-1.5")
    ids = [t.place(1, "1/1") for _ in range(3)]
    t.use(t.hold(0, red("0/-1", area=LANE_1, opponent_health=-1)), ids[2])
    assert t.board(1, 0) == []
    assert t.foe.health == 27
    assert not t.foe.board.tobytes().strip(b"\0")


def test_area_effects_add_up() -> None:
    """Three times 2 damage is six: one card more."""
    t = Table("locm-1.5")
    ids = [t.place(1, "1/9") for _ in range(3)]
    t.use(t.hold(0, red("0/0", area=LANE_1, opponent_health=-2)), ids[0])
    assert (t.foe.damage_taken, t.foe.next_draw) == (6, 2)


@pytest.mark.parametrize("area", [LANE_1, LANE_2])
def test_area_is_ignored_at_the_opponent(area: int) -> None:
    t = Table("locm-1.5")
    d = t.place(1, "1/1")
    t.use(t.hold(0, blue("0/-3", area=area, my_health=1, opponent_health=-1, card_draw=1)), OPPONENT)
    assert t[d] == "1/1"
    assert t.health == (31, 26)
    assert t.me.next_draw == 2


@pytest.mark.parametrize("name", WITH_RUNES)
def test_items_have_no_area_before_1_5(name: str) -> None:
    t = Table(name)
    a, b = t.place(1, "1/2"), t.place(1, "1/2")
    t.use(t.hold(0, red("0/-1", area=LANE_1)), a)
    assert (t[a], t[b]) == ("1/1", "1/2")


# --- Touched creatures (what the display fades) --------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_who_is_touched(name: str) -> None:
    t = Table(name)
    a, b, idle = t.place(0, "1/9"), t.place(0, "1/9"), t.place(0, "1/9")
    d, e = t.place(1, "1/9"), t.place(1, "1/9")
    assert t.find(idle).touched == 0
    t.attack(a)
    t.attack(b, d)
    t.use(t.hold(0, blue("0/0")), e)
    assert [t.find(c).touched for c in (a, b, d, e, idle)] == [1, 1, 1, 1, 0]
    t.end_turn()
    t.end_turn()
    assert [t.find(c).touched for c in (a, b, d, e, idle)] == [1, 1, 1, 1, 0], "it stays so"


@pytest.mark.parametrize("name", EDITIONS)
def test_fading_is_of_the_editions_with_runes(name: str) -> None:
    assert EDITIONS[name].fades == (EDITIONS[name].rune_step > 0)
