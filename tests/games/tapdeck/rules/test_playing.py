"""Playing cards: prices, targets, and what each spell does."""

from __future__ import annotations

import pytest

from tests.games.tapdeck.rules.position import Position, battlefield

MINE, THEIRS = "5 C 1 3 6 0 4", "7 C 1 3 6 0 4"
ALL_KINDS = "11 C 1 1 1 0 0\n12 H 0 1 0 0 -1\n13 D 1 0 0 0 -1\n14 T 1 0 0 0 -1\n15 B 1 1 0 0 -1\n16 I 0 0 0 0 -1"


def with_hand(hand: str, **numbers: int) -> Position:
    """One creature each (5 and 7), and the first player has also these cards, in hand."""
    position = battlefield(MINE, THEIRS, rest=hand, **numbers)
    position.draw(len(hand.splitlines()))
    return position


def test_a_creature_enters_the_board_asleep_with_the_card_s_values() -> None:
    position = with_hand("6 C 2 3 4 0 1")
    assert position.say("PLAY_CARD 6 -1") == "OK\n"
    assert position.data("GET_BOARD") == ["2 1", "5 C 1 3 6 0 4 1", "6 C 2 3 4 0 1 0", "7 C 1 3 6 0 4 1"]
    assert position.data("GET_HANDS") == ["0 0"]


def test_the_price_is_paid_from_tapped_mana() -> None:
    position = with_hand("6 C 2 3 4 3 1\n8 C 1 1 1 2 0")
    assert position.refused("PLAY_CARD 6 -1") == 901
    assert position.say("ADD_MANA 5") == "OK\n"
    assert position.data("GET_CURRENT_MANA") == ["4"]
    position.ok("PLAY_CARD 6 -1")
    assert position.data("GET_CURRENT_MANA") == ["1"]
    assert position.refused("PLAY_CARD 8 -1") == 901


def test_mana_that_is_left_is_lost_with_the_turn() -> None:
    position = with_hand("6 C 2 3 4 3 1")
    position.ok("ADD_MANA 5")
    position.end_turn()
    assert position.data("GET_CURRENT_MANA") == ["0"]
    position.end_turn()
    assert position.data("GET_CURRENT_MANA") == ["0"]
    position.ok("FINISH_BLOCK")
    assert position.refused("PLAY_CARD 6 -1") == 901


@pytest.mark.parametrize(("amount", "health"), [(2, 5), (3, 6), (100, 6), (0, 3)])
@pytest.mark.parametrize("target", [5, 7])
def test_heal_lifts_a_creature_up_to_its_most(amount: int, health: int, target: int) -> None:
    position = with_hand(f"9 H 0 {amount} 0 0 -1")
    assert position.say(f"PLAY_CARD 9 {target}") == "OK\n"
    assert position.creature(target) == f"1 {health} 6"


def test_heal_lifts_a_player_up_to_the_initial_health() -> None:
    position = with_hand("8 D 5 0 0 0 -1\n9 H 0 3 0 0 -1\n10 H 0 100 0 0 -1\n6 D 1 0 0 0 -1\n4 H 0 1 0 0 -1")
    position.ok("PLAY_CARD 8 -5")
    assert position.data("GET_HP") == ["10 5 10"]
    position.ok("PLAY_CARD 9 -5")
    assert position.data("GET_HP") == ["10 8 10"]
    position.ok("PLAY_CARD 10 -5")
    assert position.data("GET_HP") == ["10 10 10"]
    position.ok("PLAY_CARD 6 -6", "PLAY_CARD 4 -6")
    assert position.data("GET_HP") == ["10 10 10"]


@pytest.mark.parametrize("target", [5, 7])
def test_damage_hurts_any_creature_and_kills_at_zero(target: int) -> None:
    position = with_hand("8 D 2 0 0 0 -1\n9 D 1 0 0 0 -1")
    position.ok(f"PLAY_CARD 8 {target}")
    assert position.creature(target) == "1 1 6"
    position.ok(f"PLAY_CARD 9 {target}")
    assert position.creature(target) == ""


@pytest.mark.parametrize(("target", "health", "scores"), [("-6", (10, 0), (40, -10)), ("-5", (0, 10), (-10, 40))])
def test_damage_that_takes_a_player_s_last_health_ends_the_match_in_mid_turn(
    target: str, health: tuple[int, int], scores: tuple[int, int]
) -> None:
    position = with_hand("8 D 99 0 0 0 -1")
    assert position.say(f"PLAY_CARD 8 {target}") == "OK\n"
    outcome = position.match.outcome
    assert outcome is not None
    assert (outcome.ending, position.health(), outcome.scores) == ("health", health, scores)
    for seat in range(2):
        assert position.refused("GET_BOARD", seat) == 932
        assert position.refused("ATTACK 5", seat) == 932
        assert position.match.command(seat, "GET_FINAL_SCORE") == f"OK\n{scores[seat]} {scores[1 - seat]}\n"


@pytest.mark.parametrize("target", [5, 7])
def test_buff_raises_attack_health_and_the_most_health(target: int) -> None:
    position = with_hand("8 B 2 3 0 0 -1\n9 H 0 100 0 0 -1")
    position.ok(f"PLAY_CARD 8 {target}")
    assert position.creature(target) == "3 6 9"
    position.ok(f"PLAY_CARD 9 {target}")
    assert position.creature(target) == "3 9 9"


def test_deactivate_puts_a_creature_to_sleep_without_mana() -> None:
    position = with_hand("8 I 0 0 0 0 -1\n9 I 0 0 0 0 -1")
    position.ok("PLAY_CARD 8 5")
    assert not position.awake(5)
    assert position.data("GET_CURRENT_MANA") == ["0"]
    position.ok("PLAY_CARD 9 5")  # asleep already: nothing happens, but the spell is cast
    assert position.data("GET_HANDS") == ["0 0"]


def test_a_spell_that_is_cast_is_gone() -> None:
    position = with_hand("8 H 0 1 0 0 -1")
    position.ok("PLAY_CARD 8 5")
    assert position.refused("PLAY_CARD 8 5") == 906
    assert position.data("GET_HANDS") == ["0 0"]


WRONG = ["0", "-1", "-5", "-6", "-2", "-4", "-7", "-999", "5", "7", "11", "999", "1001"]
RIGHT = {11: {"-1"}, 12: {"-5", "-6", "5", "7"}, 13: {"-5", "-6", "5", "7"}, 14: {"-5"}, 15: {"5", "7"}, 16: {"5", "7"}}


@pytest.mark.parametrize("card", RIGHT)
@pytest.mark.parametrize("target", WRONG)
def test_targets_of_every_kind_of_card(card: int, target: str) -> None:
    position = with_hand(ALL_KINDS)
    if target in RIGHT[card]:
        position.ok(f"PLAY_CARD {card} {target}")
    elif card in (11, 14) or int(target) <= 0:
        assert position.refused(f"PLAY_CARD {card} {target}") == 915
    else:
        assert position.refused(f"PLAY_CARD {card} {target}") == 916


@pytest.mark.parametrize("spell", ["H 0 1 0", "D 1 0 0", "B 1 1 0", "I 0 0 0"])
def test_a_card_that_left_the_board_is_no_target(spell: str) -> None:
    position = with_hand(f"8 D 9 0 0 0 -1\n9 {spell} 0 -1\n10 C 1 1 1 0 0")
    position.ok("PLAY_CARD 8 7")
    assert position.refused("PLAY_CARD 9 7") == 916
    assert position.refused("PLAY_CARD 9 9") == 916, "itself, in hand"
    assert position.refused("PLAY_CARD 9 10") == 916, "a creature in hand"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("PLAY_CARD 999 999", 900),
        ("PLAY_CARD 0 -1", 900),
        ("PLAY_CARD -1 -1", 900),
        ("PLAY_CARD 1001 -1", 900),
        ("PLAY_CARD 7 999", 903),  # on the opponent's board
        ("PLAY_CARD 3 999", 903),  # in the opponent's hand
        ("PLAY_CARD 5 999", 906),  # on one's own board
        ("PLAY_CARD 4 999", 906),  # in the deck
        ("PLAY_CARD 2 999", 906),  # gone
        ("PLAY_CARD 8 999", 915),  # a creature has no target, the price is looked at last
        ("PLAY_CARD 9 -1", 915),
        ("PLAY_CARD 9 999", 916),
        ("PLAY_CARD 8 -1", 901),
        ("PLAY_CARD 9 5", 901),
        ("ADD_MANA 999", 900),
        ("ADD_MANA 7", 903),
        ("ADD_MANA 3", 903),
        ("ADD_MANA 8", 912),  # in hand
        ("ADD_MANA 4", 912),
        ("ADD_MANA 2", 912),
        ("ADD_MANA 6", 905),
        ("ATTACK 999", 900),
        ("ATTACK -1", 900),
        ("ATTACK 7", 903),
        ("ATTACK 3", 903),
        ("ATTACK 8", 912),
        ("ATTACK 4", 912),
        ("ATTACK 2", 912),
        ("ATTACK 6", 905),
    ],
)
def test_the_first_of_several_reasons_is_given_and_nothing_changes(line: str, code: int) -> None:
    theirs = f"{THEIRS}\n3 C 1 1 1 1 0"
    position = battlefield(
        MINE, theirs, rest="8 C 1 1 1 9 0\n9 H 0 1 0 9 -1\n6 C 1 1 1 0 0\n2 C 1 1 1 0 0\n4 C 1 1 1 0 0"
    )
    position.draw(4)
    position.play(6)
    position.ok("DISCARD_CARD 2")
    assert position.refused(line) == code


def test_a_dead_creature_is_nobody_s_even_if_it_was_the_opponent_s() -> None:
    position = with_hand("8 D 9 0 0 0 -1")
    position.ok("PLAY_CARD 8 7")
    assert position.refused("PLAY_CARD 7 -1") == 906
    assert position.refused("DISCARD_CARD 7") == 906
    assert position.refused("ADD_MANA 7") == 912
    assert position.refused("ATTACK 7") == 912


def test_cards_the_opponent_discarded_or_cast_are_nobody_s() -> None:
    position = with_hand("8 H 0 1 0 0 -1\n9 C 1 1 1 0 0")
    position.ok("PLAY_CARD 8 5", "DISCARD_CARD 9")
    position.end_turn()
    position.ok("FINISH_BLOCK")
    assert [position.refused(f"DISCARD_CARD {card}") for card in (8, 9)] == [906, 906]
    assert [position.refused(f"ATTACK {card}") for card in (8, 9)] == [912, 912]


def test_spells_work_from_the_board_s_present_values() -> None:
    position = with_hand("8 B 100 100 0 0 -1\n9 B 100 100 0 0 -1\n10 D 100 0 0 0 -1")
    position.ok("PLAY_CARD 8 7", "PLAY_CARD 9 7")
    assert position.creature(7) == "201 203 206"
    position.ok("PLAY_CARD 10 7")
    assert position.creature(7) == "201 103 206"
