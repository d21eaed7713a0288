"""Matches side by side on one deck."""

from __future__ import annotations

import pytest

from cardrome.games.game import Ending, Outcome
from cardrome.games.tapdeck.protocol.commands import GET_TURN_INFO
from cardrome.games.tapdeck.protocol.table import Table
from cardrome.games.tapdeck.rules.actions import DRAW_CARD, PLAY_CARD
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

DECK = "1 D 10 0 0 0 -1\n2 C 10 1 1 0 1\n3 C 1 1 1 0 1"


def three_matches() -> Table:
    return Table(TapdeckEdition(initial_health=10, turns=6), parse_deck(DECK), 3)


def test_matches_do_not_touch_each_other() -> None:
    table = three_matches()
    before = table.states.copy()
    assert table.command(1, 0, DRAW_CARD) == (b"OK\n1 D 10 0 0 0 -1\n", 0, False)
    assert table.states[0].tobytes() == before[0].tobytes()
    assert table.states[2].tobytes() == before[2].tobytes()
    assert table.command(2, 0, DRAW_CARD) == (b"OK\n1 D 10 0 0 0 -1\n", 0, False)


def test_matches_change_turn_together_and_the_ended_stay_ended() -> None:
    table = three_matches()
    table.command(1, 0, DRAW_CARD)
    assert table.command(1, 0, PLAY_CARD, 1, -6) == (b"OK\n", 0, True)
    assert table.ended().tolist() == [1]
    frozen = table.states[1].tobytes()
    for left in (5, 4, 3, 2, 1):
        assert table.tick() == 2
        assert table.command(0, 0, GET_TURN_INFO)[0] == f"OK\n{1 - left % 2} {left}\n".encode()
    assert table.tick() == 0
    assert table.ended().tolist() == [0, 1, 2]
    assert table.states[1].tobytes() == frozen
    assert table.turn == 6


def test_outcomes() -> None:
    table = three_matches()
    table.command(1, 0, DRAW_CARD)
    table.command(1, 0, PLAY_CARD, 1, -5)
    assert table.outcome(0) is None
    assert table.outcome(1) == Outcome(1, Ending.HEALTH, (-10, 40))
    assert table.health(1) == (0, 10)
    assert table.turns_played(1) == 1
    assert table.scores().tolist() == [[15, 15], [-10, 40], [15, 15]]
    for _ in range(6):
        table.tick()
    assert table.outcome(0) == Outcome(None, Ending.TURNS, (15, 15))


@pytest.mark.parametrize(("health", "winner"), [((10, 0), 0), ((0, 10), 1), ((6, 6), None), ((5, 6), 1)])
def test_the_winner_has_the_higher_score(health: tuple[int, int], winner: int | None) -> None:
    table = three_matches()
    table.states[0].health[:] = health
    for _ in range(6):
        table.tick()
    outcome = table.outcome(0)
    assert outcome is not None
    assert outcome.winner == winner
