"""The log of a match: what it keeps, what it counts, and that it cannot be made to grow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.tapdeck.protocol.commands import GET_HP, GET_TURN_INFO, SYNTAX, Command
from cardrome.games.tapdeck.protocol.matchlog import MOST, REFUSED_LIMIT, LogEntry, MatchLog
from cardrome.games.tapdeck.protocol.replay import CODES, parse_entry
from cardrome.games.tapdeck.rules import actions

DRAW, BLOCK = Command(actions.DRAW_CARD, 5), Command(actions.BLOCK, 5, 1, 2)
PLAY = Command(actions.PLAY_CARD, 123, 319, -1)

numbers = (
    st.integers(-(10**40), 10**40) | st.integers(-20, 1100) | st.sampled_from([2**63, -(2**63) - 1, MOST, -MOST - 1])
)


@st.composite
def entries(draw: st.DrawFn) -> LogEntry:
    syntax = draw(st.sampled_from([syntax for syntax in SYNTAX.values() if syntax.arguments]))
    given_numbers = [draw(numbers) for _ in range(syntax.arguments - 1)]
    command = Command(syntax.kind, draw(numbers), *given_numbers)
    return LogEntry(draw(st.integers(0, 9_999)), draw(st.integers(0, 1)), draw(st.sampled_from(sorted(CODES))), command)


def clipped(entry: LogEntry) -> LogEntry:
    first, second = (max(-MOST, min(MOST, number)) for number in entry.command[2:])
    return entry._replace(command=Command(entry.command.kind, 0, first, second))


@given(st.lists(entries(), max_size=20))
def test_entries_come_back_without_the_match_and_with_twelve_digits(added: list[LogEntry]) -> None:
    log = MatchLog()
    for entry in added:
        log.add(*entry)
    assert list(log) == [clipped(entry) for entry in added]
    assert log.since(len(added) // 2) == list(log)[len(added) // 2 :]
    assert len(log) == len(added)
    assert log.lines() == [entry.text() for entry in log]
    assert [parse_entry(line) for line in log.lines()] == list(log)
    assert log.omitted == [0, 0]


def test_the_lines() -> None:
    log = MatchLog()
    log.add(0, 0, 0, PLAY)
    log.add(1, 1, 900, Command(actions.ATTACK, 123, 10**500))
    log.add(1, 0, 913, Command(GET_HP, 123))
    assert log.lines() == ["0 0 0 PLAY_CARD 319 -1", "1 1 900 ATTACK 999999999999", "1 0 913 GET_HP"]


@pytest.mark.parametrize("flood", [Command(GET_HP, 1), DRAW, BLOCK, PLAY])
def test_a_flood_of_refused_commands_is_only_counted(flood: Command) -> None:
    log = MatchLog()
    for _ in range(REFUSED_LIMIT + 500):
        log.add(3, 1, 913, flood)
    assert len(log) == REFUSED_LIMIT
    assert log.omitted == [0, 500]
    log.add(3, 0, 907, DRAW)  # the other player is not affected
    log.add(3, 1, 0, DRAW)  # nor is what is accepted
    assert len(log) == REFUSED_LIMIT + 2


def test_what_may_have_closed_the_blocking_phase_is_always_kept() -> None:
    log = MatchLog()
    for turn in range(0, 200, 2):
        for _ in range(100):
            log.add(turn, 0, 910, BLOCK)  # refused, and leaves blocking open
            log.add(turn, 0, 911, Command(actions.FINISH_BLOCK, 5))
            log.add(turn, 0, 933, Command(GET_TURN_INFO, 5))
        for _ in range(100):
            log.add(turn, 0, 905, PLAY)
    kept = [entry.turn for entry in log if entry.code == 905]
    assert sorted(set(kept)) == list(range(0, 200, 2))
    assert len(log) == REFUSED_LIMIT + 100 - _within_the_limit(kept)
    assert log.omitted == [100 * 400 - len(log), 0]


def _within_the_limit(kept: list[int]) -> int:
    """Exempt entries do not use up the limit; here every turn has exactly one."""
    return 100 - len(set(kept))


def test_not_your_turn_closes_nothing_and_gets_no_exemption() -> None:
    log = MatchLog()
    for turn in range(5_000):
        log.add(turn, 1, 913, DRAW)
    assert len(log) == REFUSED_LIMIT


def test_nothing_is_kept_behind_the_end() -> None:
    log = MatchLog()
    log.add(3, 0, 932, DRAW)  # the command that closed the blocking phase and thereby the match
    log.close()
    log.add(3, 1, 932, DRAW)
    log.add(4, 0, 932, Command(GET_HP, 1))
    assert log.lines() == ["3 0 932 DRAW_CARD"]
    assert log.omitted == [0, 0]
