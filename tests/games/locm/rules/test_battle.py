"""The battle, rule by rule. Positions are set up by hand; player 0 acts."""

from __future__ import annotations

from typing import Any

import pytest

from cardrome.games.locm.rules.cards import LANE_1, LANE_2
from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.locm.rules.state import NOBODY
from tests.games.locm.rules.table import OPPONENT, Table, blue, creature, fixed, green, red

WITH_RUNES = ["locm-1.0", "locm-1.0-multi", "locm-1.2"]
WITHOUT_RUNES = ["locm-1.5", "locm-1.5-2022"]
ALL = WITH_RUNES + WITHOUT_RUNES
WITH_BONUS = ["locm-1.0-multi", "locm-1.2", "locm-1.5", "locm-1.5-2022"]


def hurt(t: Table, damage: int, p: int = 1) -> None:
    """Player 0 hurts a player by a card without a cost."""
    effect = {"opponent_health": -damage} if p == 1 else {"my_health": -damage}
    assert t.use(t.hold(0, blue("0/0", **effect)))


def heal(t: Table, amount: int) -> None:
    """Player 0 heals player 1."""
    assert t.use(t.hold(0, blue("0/0", opponent_health=amount)))


# --- Start of a turn ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_start_turn_passes_the_turn(name: str) -> None:
    t = Table(name, turn=10)
    t.end_turn()
    assert (t.state.current, t.state.turn) == (1, 11)
    t.end_turn()
    assert (t.state.current, t.state.turn) == (0, 12)


@pytest.mark.parametrize("name", ALL)
def test_creatures_rest_and_get_ready(name: str) -> None:
    t = Table(name)
    mine, theirs = t.place(0, "1/1"), t.place(1, "1/1")
    t.attack(mine)
    assert (t.find(mine).can_attack, t.find(mine).has_attacked) == (0, 1)
    t.end_turn()
    assert (t.find(mine).can_attack, t.find(mine).has_attacked) == (0, 0)
    assert (t.find(theirs).can_attack, t.find(theirs).has_attacked) == (1, 0)
    t.end_turn()
    assert t.attack(mine)


@pytest.mark.parametrize("name", ALL)
def test_an_unused_attack_does_not_last(name: str) -> None:
    t = Table(name)
    t.place(0, "1/1")
    t.end_turn()
    assert t.me.board[0].can_attack == 0


@pytest.mark.parametrize("name", ALL)
def test_shown_draw_of_the_player_to_move_is_what_he_drew(name: str) -> None:
    t = Table(name)
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.shown_draw, t.foe.next_draw, t.foe.n_hand, t.foe.n_deck) == (3, 1, 3, 7)


@pytest.mark.parametrize("name", ALL)
def test_shown_draw_of_the_opponent_is_of_the_end_of_his_turn(name: str) -> None:
    """Cards he will draw by his own doing are in it, those caused afterwards are not."""
    t = Table(name)
    t.use(t.hold(0, blue("0/0", card_draw=2)))
    assert (t.me.next_draw, t.me.shown_draw) == (3, 1)
    t.end_turn()
    assert t.me.shown_draw == 3
    t.use(t.hold(1, blue("0/0", opponent_health=-10)))
    assert (t.me.next_draw, t.me.shown_draw) == (5, 3)
    t.end_turn()
    assert (t.me.next_draw, t.me.shown_draw, t.me.n_hand) == (1, 5, 5)


# --- Mana ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_mana_grows_by_one_and_fills_up(name: str) -> None:
    t = Table(name)
    t.foe.max_mana, t.foe.mana = 4, 1
    t.end_turn()
    assert (t.foe.max_mana, t.foe.mana) == (5, 5)


@pytest.mark.parametrize("name", ALL)
def test_mana_cap(name: str) -> None:
    t = Table(name)
    for before, after in ((11, 12), (12, 12)):
        t.foe.max_mana, t.foe.mana = before, 3
        t.end_turn()
        assert (t.foe.max_mana, t.foe.mana) == (after, after)
        t.end_turn()


@pytest.mark.parametrize("name", WITH_BONUS)
@pytest.mark.parametrize(
    ("max_mana", "left", "expected"),
    [
        (5, 1, (6, 1)),  # some mana left: the bonus stays
        (5, 0, (5, 0)),  # all spent: lost, and the maximum stands still
        (12, 2, (13, 1)),  # the bonus raises the cap
        (13, 2, (13, 1)),
        (12, 0, (12, 0)),
        (13, 0, (12, 0)),  # at the cap the maximum goes down
    ],
)
def test_bonus_mana(name: str, max_mana: int, left: int, expected: tuple[int, int]) -> None:
    t = Table(name)
    t.foe.max_mana, t.foe.mana, t.foe.bonus_mana = max_mana, left, 1
    t.end_turn()
    assert (t.foe.max_mana, t.foe.bonus_mana) == expected
    assert t.foe.mana == t.foe.max_mana


def test_a_lost_bonus_does_not_come_back() -> None:
    t = Table("locm-1.2")
    t.foe.max_mana, t.foe.mana, t.foe.bonus_mana = 13, 0, 1
    for _ in range(3):
        t.end_turn()
        assert (t.foe.max_mana, t.foe.bonus_mana) == (12, 0)


def test_no_bonus_no_loss() -> None:
    t = Table("locm-1.2")
    t.me.max_mana = t.me.mana = 5
    t.use(t.hold(0, blue("0/-1", cost=5)))
    assert t.me.mana == 0
    t.end_turn()
    t.end_turn()
    assert (t.me.max_mana, t.me.mana) == (6, 6)


# --- Drawing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_a_card_is_drawn_from_the_top_to_the_end_of_the_hand(name: str) -> None:
    t = Table(name)
    t.hold(1, "1/1")
    top, second = int(t.foe.deck[20].id), int(t.foe.deck[21].id)
    t.foe.next_draw = 2
    t.end_turn()
    assert t.hand(1)[1:] == [top, second]
    assert t.foe.n_deck == 8


@pytest.mark.parametrize("name", ALL)
def test_a_full_hand_draws_nothing(name: str) -> None:
    t = Table(name)
    for _ in range(7):
        t.hold(1, "1/1")
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.n_hand, t.foe.n_deck, t.foe.health) == (8, 9, 30)
    assert t.foe.next_draw == 1, "the draws that found no room are lost"


@pytest.mark.parametrize("name", WITH_RUNES)
def test_empty_deck_breaks_a_rune(name: str) -> None:
    t = Table(name, deck=0)
    t.end_turn()
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (25, 20, 1)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_every_card_owed_breaks_a_rune_even_with_a_full_hand(name: str) -> None:
    t = Table(name, deck=0)
    for _ in range(8):
        t.hold(1, "1/1")
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.health, t.foe.rune, t.foe.n_hand) == (15, 10, 8)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_the_deck_runs_out_in_the_middle_of_drawing(name: str) -> None:
    t = Table(name, deck=1)
    t.foe.next_draw = 2
    t.end_turn()
    assert (t.foe.n_hand, t.foe.n_deck, t.foe.health, t.foe.rune) == (1, 0, 25, 20)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_without_runes_an_empty_deck_kills(name: str) -> None:
    t = Table(name, deck=0)
    t.foe.health, t.foe.rune = 4, 0
    t.end_turn()
    assert (t.foe.health, t.winner, t.state.current) == (0, 0, 1)
    assert not t.apply(0), "nothing can be done any more"


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_empty_deck_costs_ten_health_per_card(name: str) -> None:
    t = Table(name, deck=1)
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.health, t.foe.n_hand) == (10, 1)
    assert (t.foe.next_draw, t.foe.damage_taken) == (1, 0), "this damage brings no card"


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_a_full_hand_saves_from_the_empty_deck(name: str) -> None:
    t = Table(name, deck=0)
    for _ in range(8):
        t.hold(1, "1/1")
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.health, t.foe.n_hand) == (30, 8)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_an_empty_deck_can_kill(name: str) -> None:
    t = Table(name, deck=0)
    t.foe.health = 10
    t.end_turn()
    assert (t.foe.health, t.winner) == (0, 0)


@pytest.mark.parametrize("name", WITH_RUNES)
@pytest.mark.parametrize(("turn", "health", "cards"), [(98, 30, 1), (99, 25, 0), (100, 25, 0)])
def test_turn_limit_with_runes(name: str, turn: int, health: int, cards: int) -> None:
    """From the 51st own turn on (turns 100 and 101) every draw breaks a rune, though the deck has cards."""
    t = Table(name, turn=turn)
    t.end_turn()
    assert (t.foe.health, t.foe.n_hand, t.foe.n_deck) == (health, cards, 10 - cards)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_turn_limit_without_runes(name: str) -> None:
    """Ten damage a turn, once, and cards are drawn as ever."""
    for turn, health in ((98, 30), (99, 20)):
        t = Table(name, turn=turn)
        t.foe.next_draw = 2
        t.end_turn()
        assert (t.foe.health, t.foe.n_hand, t.foe.next_draw) == (health, 2, 1)


def test_turn_limit_and_empty_deck_add_up_without_runes() -> None:
    t = Table("locm-1.5", deck=0, turn=99)
    t.end_turn()
    assert t.foe.health == 10


def test_turn_limit_hurts_a_full_hand_too() -> None:
    t = Table("locm-1.5", deck=0, turn=99)
    for _ in range(8):
        t.hold(1, "1/1")
    t.end_turn()
    assert t.foe.health == 20


@pytest.mark.parametrize(("name", "last"), [("locm-1.0", 110), ("locm-1.2", 110), ("locm-1.5", 104)])
def test_two_idle_players(name: str, last: int) -> None:
    """Player 0 loses at turn 110 with runes (30, 25, ... 0) and on battle call 105 without."""
    t = Table(name, deck=25, turn=0)
    while t.winner == NOBODY:
        for p in range(2):  # hands are thrown away, so that they are never full
            player = t.state.players[p]
            if player.n_hand:
                player.hand[player.n_hand - 1].card = player.hand[player.n_hand - 1].id = 0
                player.n_hand -= 1
            player.n_deck, player.next_draw = 25, 1
        t.end_turn()
    assert (t.state.turn, t.winner, t.me.health) == (last, 1, 0)


# --- Runes and damage draw ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_RUNES)
@pytest.mark.parametrize(
    ("health", "damage", "rune", "draw"),
    [
        (30, 4, 25, 1),  # 26: above the rune
        (30, 5, 20, 2),  # 25: the rune breaks when health reaches it
        (30, 6, 20, 2),
        (26, 12, 10, 4),  # 14: three runes at once, three cards
        (30, 25, 0, 6),
        (30, 29, 0, 6),
    ],
)
def test_runes(name: str, health: int, damage: int, rune: int, draw: int) -> None:
    t = Table(name)
    t.foe.health = health
    hurt(t, damage)
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (health - damage, rune, draw)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_healing_restores_no_rune(name: str) -> None:
    t = Table(name)
    hurt(t, 6)
    heal(t, 10)
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (34, 20, 2)
    hurt(t, 8)
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (26, 20, 2)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_damage_to_oneself_breaks_runes(name: str) -> None:
    t = Table(name)
    hurt(t, 10, p=0)
    assert (t.me.health, t.me.rune, t.me.next_draw) == (20, 15, 3)
    t.end_turn()
    assert t.me.shown_draw == 3, "the opponent sees it"
    t.end_turn()
    assert (t.me.n_hand, t.me.shown_draw) == (3, 3)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_a_rune_broken_by_the_empty_deck_gives_no_card(name: str) -> None:
    t = Table(name, deck=0)
    t.foe.next_draw = 2
    t.end_turn()
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (20, 15, 1)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_damage_draw(name: str) -> None:
    """Lost 4, then 1, healed 3, then lost 5: ten lost, two cards more."""
    t = Table(name)
    for change, draw in ((-4, 1), (-1, 2), (3, 2), (-5, 3)):
        hurt(t, -change) if change < 0 else heal(t, change)
        assert t.foe.next_draw == draw
    assert (t.foe.damage_taken, t.foe.health) == (10, 23)
    t.end_turn()
    assert (t.foe.n_hand, t.foe.damage_taken, t.foe.next_draw) == (3, 0, 1)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_damage_is_counted_anew_from_each_own_turn(name: str) -> None:
    t = Table(name)
    hurt(t, 4)
    t.end_turn()
    t.end_turn()
    hurt(t, 4)
    assert (t.foe.next_draw, t.foe.damage_taken) == (1, 4)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_damage_to_oneself_counts(name: str) -> None:
    t = Table(name)
    hurt(t, 5, p=0)
    t.end_turn()
    t.use(t.hold(1, blue("0/0", opponent_health=-5)))
    assert (t.me.damage_taken, t.me.next_draw) == (10, 3)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_there_are_no_runes(name: str) -> None:
    t = Table(name)
    hurt(t, 4)
    assert (t.foe.rune, t.foe.next_draw) == (0, 1)


# --- Winning ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_health_has_no_upper_limit(name: str) -> None:
    t = Table(name)
    t.use(t.hold(0, blue("0/0", my_health=100)))
    assert t.health == (130, 30)


@pytest.mark.parametrize(("damage", "winner"), [(29, NOBODY), (30, 0), (31, 0)])
@pytest.mark.parametrize("name", ALL)
def test_win_check(name: str, damage: int, winner: int) -> None:
    t = Table(name)
    hurt(t, damage)
    assert t.winner == winner


@pytest.mark.parametrize("name", ALL)
def test_killing_oneself_loses(name: str) -> None:
    t = Table(name)
    hurt(t, 30, p=0)
    assert t.winner == 1


@pytest.mark.parametrize("name", ALL)
def test_if_both_are_dead_the_acting_player_wins(name: str) -> None:
    t = Table(name)
    t.use(t.hold(0, blue("0/0", my_health=-30, opponent_health=-30)))
    assert t.health == (0, 0)
    assert t.winner == 0


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_legal_after_the_end(name: str) -> None:
    t = Table(name)
    t.place(0, "1/1")
    t.hold(0, "1/1")
    hurt(t, 30)
    before = t.states.tobytes()
    assert not any(t.apply(code) for code in range(t.edition.n_actions))
    assert t.states.tobytes() == before


# --- SUMMON -------------------------------------------------------------------------------------------------------


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


# --- Clones (1.5) -------------------------------------------------------------------------------------------------


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


# --- ATTACK -------------------------------------------------------------------------------------------------------


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
    """Own health first, then the opponent's: both are changed even if he dies."""
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


# --- USE ----------------------------------------------------------------------------------------------------------


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


# --- Area (1.5) ---------------------------------------------------------------------------------------------------


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


# --- Touched creatures (what the display fades) -------------------------------------------------------------------


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
