"""The search of one turn: wins are found, and blocks that save a player."""

from __future__ import annotations

import pytest

from cardrome.engine.records import new_records
from cardrome.games.tapdeck.agents.plan import Plan
from cardrome.games.tapdeck.agents.search.answer import answer_blocks, least_damage
from cardrome.games.tapdeck.protocol.game import TapdeckGame
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


def test_a_win_of_several_steps_is_found() -> None:
    # All three blockers have to sleep, which is good for nothing in itself; there are better cards to play.
    deck = "1 C 4 3 3 0 0\n2 C 0 1 1 0 3\n3 C 9 9 9 0 0\n4 C 9 9 9 0 0\n5 C 9 9 9 0 0\n"
    deck += "6 I 0 0 0 1 -1\n7 I 0 0 0 1 -1\n8 I 0 0 0 1 -1\n10 C 9 9 9 1 0\n11 C 8 9 9 1 0\n12 C 7 9 9 1 0"
    match = position(deck, "1 2", "3 4 5", their_health=4, my_health=30)
    state = match.states[0]
    state.n_hand[1], state.top = 6, 11
    state.hands[1, :6] = range(5, 11)
    play_turn(match, new_agent("twig"))
    play_turn(match, new_agent("greedy"))
    assert match.outcome is not None
    assert match.outcome.winner == 1


def blocked(match: TapdeckGame) -> Plan:
    """The position after the blocks that the search expects."""
    kernel, _ = kernels("search", "search")
    answer = new_records(Plan)[0]
    answer_blocks(kernel[0].weights, match.edition.rules[0], match.decks[0], answer, match.states[0])
    return answer


def test_an_opponent_who_can_live_is_thought_to() -> None:
    # A blocker would rather kill the weak attacker, and survive; then nobody stops the second strong one.
    deck = "1 C 9 5 5 0 0\n2 C 9 5 5 0 0\n4 C 5 20 20 0 0\n5 C 5 20 20 0 0\n6 C 4 9 9 0 0"
    assert blocked(position(deck, "1 2", "4 5 6", "4 5 6", my_health=5)).state.health[1] == 1
    assert blocked(position(deck, "1 2", "4 5 6", "4 5 6", my_health=4)).state.ending == BY_HEALTH


def test_least_damage() -> None:
    deck = "1 C 9 5 5 0 0\n2 C 1 1 1 0 0\n4 C 5 9 9 0 0\n5 C 3 9 9 0 0\n6 C 4 9 9 0 0"
    assert least_damage(position(deck, "1 2", "4 5 6", "4 5 6").states[0]) == 3
    assert least_damage(position(deck, "1", "4 5 6", "4 6").states[0]) == 4
