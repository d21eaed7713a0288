"""The start of a turn: whose it is, who may attack, mana. Positions are set up by hand; player 0 acts."""

from __future__ import annotations

import pytest

from tests.games.locm.rules.table import ALL, WITH_BONUS, Table, blue

# --- Start of a turn -----------------------------------------------------------------------------------------------


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
def test_shown_draw_of_the_player_to_move_is_what_they_drew(name: str) -> None:
    t = Table(name)
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.shown_draw, t.foe.next_draw, t.foe.n_hand, t.foe.n_deck) == (3, 1, 3, 7)


@pytest.mark.parametrize("name", ALL)
def test_shown_draw_of_the_opponent_is_of_the_end_of_their_turn(name: str) -> None:
    """Cards they will draw by their own doing are in it, those caused afterwards are not."""
    t = Table(name)
    t.use(t.hold(0, blue("0/0", card_draw=2)))
    assert (t.me.next_draw, t.me.shown_draw) == (3, 1)
    t.end_turn()
    assert t.me.shown_draw == 3
    t.use(t.hold(1, blue("0/0", opponent_health=-10)))
    assert (t.me.next_draw, t.me.shown_draw) == (5, 3)
    t.end_turn()
    assert (t.me.next_draw, t.me.shown_draw, t.me.n_hand) == (1, 5, 5)


# --- Mana ----------------------------------------------------------------------------------------------------------


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
