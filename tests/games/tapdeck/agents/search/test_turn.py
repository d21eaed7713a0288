"""The search of one turn: wins are found, and blocks that save a player."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.engine.records import new_records
from cardrome.games.tapdeck.agents.plan import Plan
from cardrome.games.tapdeck.agents.search.turn import answer_blocks, least_damage
from cardrome.games.tapdeck.rules.actions import PLAY_CARD, action_kind, second_number
from cardrome.games.tapdeck.rules.state import BY_HEALTH
from tests.games.tapdeck.agents.helpers import kernels, new_agent, play_turn
from tests.games.tapdeck.agents.test_play import position

WINS = {
    # A spell for each way past the only blocker; 1 attacks, 2 gives the mana, 4 and 5 are the opponent's.
    "the blocker is put to sleep": ("1 C 5 3 3 0 0\n2 C 0 1 1 0 2\n4 C 9 9 9 0 0\n6 I 0 0 0 2 -1", "1 2", "4", 4),
    "the blocker is killed": ("1 C 5 3 3 0 0\n2 C 0 1 1 0 2\n4 C 9 1 1 0 0\n6 D 1 0 0 2 -1", "1 2", "4", 5),
    "an attacker is made stronger": ("1 C 2 3 3 0 0\n2 C 0 1 1 0 2\n6 B 3 0 0 2 -1", "1 2", "", 5),
    "the rest is done by a spell": ("1 C 3 3 3 0 0\n2 C 0 1 1 0 2\n6 D 2 0 0 2 -1", "1 2", "", 5),
    "the mana comes from whom the attack can do without": (
        "1 C 1 3 3 0 2\n2 C 4 1 1 0 2\n4 C 9 9 9 0 0\n6 I 0 0 0 2 -1",
        "1 2",
        "4",
        4,
    ),
}


@pytest.mark.parametrize("name", WINS)
def test_wins_are_found(name: str) -> None:
    deck, mine, theirs, health = WINS[name]
    match = position(deck, mine, theirs, their_health=health)
    codes = play_turn(match, new_agent("twig"))
    assert any(action_kind(code) == PLAY_CARD for code in codes)
    play_turn(match, new_agent("greedy"))
    assert match.outcome is not None
    assert match.outcome.winner == 1


def test_a_buff_goes_to_the_one_that_gets_past() -> None:
    # The strong one will be blocked: only the weak one's attack counts.
    match = position(
        "1 C 5 5 5 0 0\n2 C 1 5 5 0 0\n3 C 0 1 1 0 2\n4 C 0 9 9 0 0\n6 B 3 0 0 2 -1", "1 2 3", "4", their_health=4
    )
    codes = play_turn(match, new_agent("twig"))
    assert [second_number(code) for code in codes if action_kind(code) == PLAY_CARD] == [2]
    play_turn(match, new_agent("greedy"))
    assert match.outcome is not None
    assert match.outcome.winner == 1


def test_an_opponent_who_can_live_is_thought_to() -> None:
    rng = np.random.default_rng(3)
    (kernel, _), saved = kernels("search", "search"), 0
    for _ in range(60):
        lines = [f"{k + 1} C {rng.integers(1, 6)} 9 9 0 0" for k in range(8)]
        match = position("\n".join(lines), "1 2 3", "4 5 6 7 8", "4 5 6 7 8", my_health=int(rng.integers(4, 14)))
        answer = new_records(Plan)[0]
        s = match.states[0]
        answer_blocks(kernel[0].weights, match.edition.rules[0], match.decks[0], answer, s)
        doomed = least_damage(s) >= s.health[1]
        assert (answer.state.ending == BY_HEALTH) == doomed
        saved += not doomed
    assert 5 < saved < 60
