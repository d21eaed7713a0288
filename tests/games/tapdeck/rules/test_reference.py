"""The rules beside a second implementation that shares no code with them: the same reply to every command."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.games.tapdeck.rules.play import QUERIES, TICK, RandomMatch, Setting
from tests.games.tapdeck.rules.reference import GAME, GENERAL, ReferenceMatch

CHANGING = ["GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS"]
"""What is asked after every command, of both players; everything else after every turn."""


def reference_of(setting: Setting) -> ReferenceMatch:
    """The same match in the other implementation."""
    numbers = setting.edition
    return ReferenceMatch(
        setting.deck, numbers.initial_health, numbers.turns, numbers.draws, numbers.burns, numbers.hand_limit
    )


def compare(seed: int, commands: int) -> Counter[str]:
    """Play both; returns how often each first word of a reply came."""
    random_match = RandomMatch(seed)
    match, reference = random_match.match, reference_of(random_match.setting)
    replies: Counter[str] = Counter()
    after_the_end = 0
    for _ in range(commands):
        seat, line = random_match.next()
        if line == TICK:
            match.end_turn()
            reference.tick()
            said = ["the time is up"]
        else:
            expected = reference.command(seat, line)
            assert match.command(seat, line) == expected, f"seed {seed}, {line!r}"
            replies[" ".join(expected.split()[:2]) if expected.startswith("ERR") else line.split()[0].upper()] += 1
            said = [line]
        for query in QUERIES if line == TICK else CHANGING:
            assert match.command(0, query) == reference.command(0, query), f"seed {seed}, after {said}"
            assert match.command(1, query) == reference.command(1, query), f"seed {seed}, after {said}"
        outcome = match.outcome
        assert (outcome.ending if outcome else None) == reference.ended
        if outcome:
            assert match.health == tuple(side.health for side in reference.sides)
            assert outcome.scores == (reference.score(0), reference.score(1))
            replies[outcome.ending] += not after_the_end
            after_the_end += 1
            if after_the_end > 5:
                break
    return replies


def test_thousands_of_commands_have_the_same_replies() -> None:
    replies: Counter[str] = Counter()
    for seed in range(30):
        replies += compare(seed, 300)
    # The comparison is worth what it reaches: every command succeeds often, and every error is met.
    assert {word for word in replies if word.isupper() and " " not in word} >= {
        *QUERIES, "DRAW_CARD", "BURN_CARD", "DISCARD_CARD", "ADD_MANA", "PLAY_CARD", "ATTACK", "BLOCK", "FINISH_BLOCK",
    }  # fmt: skip
    assert all(replies[f"ERR {code}"] for code in GENERAL | GAME if code != 930), replies
    assert replies["health"] >= 3
    assert replies["turns"] >= 3
    assert replies["BLOCK"] >= 10


@given(st.integers(0, 2**32), st.integers(1, 120))
def test_any_match_has_the_same_replies(seed: int, commands: int) -> None:
    compare(seed, commands)
