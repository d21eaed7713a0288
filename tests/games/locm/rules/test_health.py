"""Health: runes, cards for damage, winning. Positions are set up by hand; player 0 acts."""

from __future__ import annotations

import pytest

from cardrome.games.locm.rules.state import NOBODY
from tests.games.locm.rules.table import ALL, WITH_RUNES, WITHOUT_RUNES, Table, blue, heal, hurt

# --- Runes and damage draw -----------------------------------------------------------------------------------------


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


# --- Winning -------------------------------------------------------------------------------------------------------


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
