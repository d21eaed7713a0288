"""Lists of legal actions, and what is legal when the match is over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from cardrome.games.tapdeck.rules.actions import ATTACK, END_TURN, FINISH_BLOCK, action_code
from cardrome.games.tapdeck.rules.legal import GAME_HAS_ENDED, legal_codes, refusal
from tests.games.tapdeck.rules.position import Position, battlefield


def in_action() -> Position:
    """Two creatures that may act, two spells that may be aimed at three creatures, and a card too dear."""
    spells = "10 H 0 2 0 0 -1\n11 D 1 0 0 0 -1\n12 C 1 1 1 50 0"
    return battlefield(f"1 C 1 2 2 0 0\n2 C 1 2 2 0 0\n{spells}", "3 C 1 2 2 0 0")


def in_blocking() -> Position:
    """Two attackers and two creatures that may block them."""
    position = battlefield("1 C 1 2 2 0 0\n2 C 1 2 2 0 0", "3 C 1 2 2 0 0\n4 C 1 2 2 0 0")
    position.ok("ATTACK 1", "ATTACK 2")
    position.end_turn()
    return position


@pytest.mark.parametrize(("set_up", "actions", "last"), [(in_action, 18, []), (in_blocking, 6, [FINISH_BLOCK])])
def test_a_list_without_room_leaves_actions_out_but_never_those_that_end_a_phase(
    set_up: Callable[[], Position], actions: int, last: list[int]
) -> None:
    match = set_up().match
    whole = match.legal_codes()
    assert len(whole) == actions
    ends = [action_code(kind, 0, 0) for kind in (*last, END_TURN)]
    lengths = []
    for room in range(6, actions + 6):
        paper = np.full(actions + 10, -1)
        n = legal_codes(match.edition.rules, match.decks, match.states, paper[:room], 0)
        listed = paper[:n].tolist()
        assert (paper[room:] == -1).all()
        assert [code for code in whole if code in listed] == listed
        assert listed[-len(ends) :] == ends
        lengths.append(n)
    assert lengths == sorted(lengths)
    assert lengths[-1] == actions


def test_nothing_is_legal_when_the_match_is_over() -> None:
    position = battlefield("1 C 10 2 2 0 0\n10 D 10 0 0 0 -1", "3 C 1 2 2 0 0")
    position.ok("PLAY_CARD 10 -6")
    match = position.match
    assert match.is_over
    assert match.legal_codes() == []
    rules, deck = match.edition.rules[0], match.decks[0]
    for kind in range(ATTACK + 1):
        assert refusal(rules, deck, match.state, action_code(kind, 1, 3)) == GAME_HAS_ENDED
