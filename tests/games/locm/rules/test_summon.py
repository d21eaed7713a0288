"""SUMMON: creatures enter the board, and in 1.5 their clones. Positions are set up by hand; player 0 acts."""

from __future__ import annotations

import pytest

from cardrome.games.locm.rules.cards import LANE_1, LANE_2
from tests.games.locm.rules.table import ALL, WITH_RUNES, WITHOUT_RUNES, Table, creature, red

# --- SUMMON --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_summon(name: str) -> None:
    t = Table(name)
    first, played, last = t.hold(0, "1/1"), t.hold(0, creature("3/4 GW", cost=5)), t.hold(0, "2/2")
    assert t.summon(played)
    assert t[played] == "3/4 GW"
    assert (t.me.mana, t.me.max_mana) == (7, 12)
    assert t.hand(0) == [first, last]
    assert (t.me.n_played, t.me.deck[0].id) == (1, played)
    c = t.find(played)
    assert (c.can_attack, c.has_attacked, c.touched) == (0, 0, 0)
    assert not t.attack(played)


@pytest.mark.parametrize("name", ALL)
def test_summoned_with_charge_it_attacks_at_once(name: str) -> None:
    t = Table(name)
    card = t.hold(0, "3/4 C")
    t.summon(card)
    assert t.attack(card)
    assert t.health == (30, 27)
    assert not t.attack(card)


@pytest.mark.parametrize("name", ALL)
def test_effects_of_a_summoned_creature(name: str) -> None:
    t = Table(name)
    card = t.hold(0, creature("1/1", my_health=2, opponent_health=-3, card_draw=2))
    t.summon(card)
    assert t.health == (32, 27)
    assert t.me.next_draw == 3


def test_a_summoned_creature_can_kill_its_owner() -> None:
    t = Table()
    t.me.health = 2
    t.summon(t.hold(0, creature("1/1", my_health=-2)))
    assert t.winner == 1


def test_summon_into_the_lane_named() -> None:
    t = Table("locm-1.2")
    a, b = t.hold(0, "1/1"), t.hold(0, "2/2")
    t.summon(a, 1)
    t.summon(b, 0)
    assert (t.board(0, 0), t.board(0, 1)) == ([b], [a])
    assert t.find(a).order < t.find(b).order, "the order of summoning is kept for the display"


def test_the_dead_leave_and_the_others_move_up() -> None:
    t = Table("locm-1.2")
    ids = [t.place(1, f"{i}/{i}") for i in (1, 2, 3)]
    other = t.place(1, "4/4", lane=1)
    t.use(t.hold(0, red("0/-2")), ids[1])
    assert t.board(1, 0) == [ids[0], ids[2]]
    assert t.board(1, 1) == [other]
    assert [t[i] for i in ids] == ["1/1", None, "3/3"]
    assert not t.foe.board[2].tobytes().strip(b"\0"), "the place behind them is blank"


# --- Clones (1.5) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_lane1_clones_beside(name: str) -> None:
    t = Table(name)
    card = t.hold(0, creature("2/3 G", cost=3, area=LANE_1, my_health=1, opponent_health=-2, card_draw=1))
    t.summon(card, 1)
    assert t.board(0, 0) == []
    original, clone = t.board(0, 1)
    assert original == card
    assert t[clone] == "2/3 G"
    assert t.find(clone).order == t.find(original).order + 1
    assert t.health == (32, 26), "effects count twice"
    assert (t.me.next_draw, t.me.mana, t.me.n_played) == (3, 9, 1)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_lane2_clones_into_the_other_lane(name: str) -> None:
    for lane in (0, 1):
        t = Table(name)
        card = t.hold(0, creature("2/3", area=LANE_2, opponent_health=-3))
        t.summon(card, lane)
        assert t.board(0, lane) == [card]
        assert len(t.board(0, 1 - lane)) == 1
        assert t.foe.health == 24


@pytest.mark.parametrize("name", WITHOUT_RUNES)
@pytest.mark.parametrize(("area", "full_lane", "creatures"), [(LANE_1, 0, 2), (LANE_2, 1, 3)])
def test_no_room_no_clone(name: str, area: int, full_lane: int, creatures: int) -> None:
    t = Table(name)
    for _ in range(creatures):
        t.place(0, "1/1", lane=full_lane)
    card = t.hold(0, creature("2/3", area=area, my_health=1, opponent_health=-2, card_draw=1))
    t.summon(card, 0)
    assert len(t.board(0, full_lane)) == 3
    assert t.health == (31, 28), "effects count once"
    assert t.me.next_draw == 2
    assert t.state.clones == 0


def test_effects_of_original_and_clone_add_up() -> None:
    """Twice 3 damage is six: one card for five lost, and here the end."""
    t = Table("locm-1.5")
    t.me.health = 6
    t.summon(t.hold(0, creature("1/1", area=LANE_1, my_health=-3)))
    assert (t.me.health, t.me.next_draw, t.winner) == (0, 2, 1)


@pytest.mark.parametrize("area", [LANE_1, LANE_2])
def test_clones_have_charge_too(area: int) -> None:
    t = Table("locm-1.5")
    card = t.hold(0, creature("2/3 C", area=area))
    t.summon(card)
    assert t.attack(card)
    assert t.attack(card + 1)
    assert t.foe.health == 26


def test_clone_ids_beside_their_original() -> None:
    t = Table("locm-1.5")
    cards = [t.hold(0, creature("2/3", area=LANE_2), card_id=i) for i in (88, 64)]
    for card in cards:
        t.summon(card)
    assert t.board(0, 0) == [88, 64]
    assert t.board(0, 1) == [89, 65]


def test_clone_ids_of_2022_count_from_61_for_both_players() -> None:
    t = Table("locm-1.5-2022")
    for i in (28, 24):
        t.summon(t.hold(0, creature("2/3", area=LANE_2), card_id=i))
    assert t.board(0, 1) == [61, 62]
    t.end_turn()
    t.summon(t.hold(1, creature("2/3", area=LANE_1), card_id=38), 1)
    assert t.board(1, 1) == [38, 63]
    assert t.state.clones == 3


def test_the_number_of_a_clone_that_died_is_not_given_again() -> None:
    t = Table("locm-1.5-2022")
    t.summon(t.hold(0, creature("2/3", area=LANE_1), card_id=1))
    t.end_turn()
    t.use(t.hold(1, red("0/-3")), 61)
    t.end_turn()
    t.summon(t.hold(0, creature("2/3", area=LANE_1), card_id=2), 1)
    assert t.board(0, 0) == [1]
    assert t.board(0, 1) == [2, 62]


@pytest.mark.parametrize("name", WITH_RUNES)
def test_area_means_nothing_before_1_5(name: str) -> None:
    t = Table(name)
    t.summon(t.hold(0, creature("2/3", area=LANE_1)))
    assert t.me.n_lane[0] == 1
