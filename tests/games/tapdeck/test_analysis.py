"""What the searching agents think of turns of Tapdeck."""

from __future__ import annotations

import pytest

from cardrome.errors import CallerError
from cardrome.games.analysis import add_to_page
from cardrome.games.tapdeck.analysis import analyse
from cardrome.games.tapdeck.page import page_data
from tests.arena.games import play
from tests.games.tapdeck.protocol.scripted import play as play_script


def test_a_whole_match() -> None:
    replay = play("greedy", "rule-based", "tapdeck", seed=6)
    seen: list[int] = []
    found = analyse(replay, "search-fast", report=seen.append)
    assert [turn.turn for turn in found.turns] == list(range(replay.turns_played))
    assert seen == [turn.turn + 1 for turn in found.turns]
    for turn in found.turns:
        assert turn.player == turn.turn % 2
        assert 0 <= turn.chance_after <= turn.chance_before <= 1
        assert turn.cost == pytest.approx(turn.chance_before - turn.chance_after)
        assert turn.cost > 0 or turn.played == turn.preferred
    assert len(found.worst(3)) == 3
    assert found.curve()[replay.turns_played] == 1 - replay.winner
    assert found.difference is None
    assert analyse(replay, "search-fast", player=1).turns == found.turns[1::2]
    data = page_data(replay)
    add_to_page(data, found)
    assert data["evaluation"][-1] == 1 - replay.winner
    assert sum("review" in frame["deed"] for frame in data["frames"]) == sum(turn.cost >= 0.01 for turn in found.turns)


def test_what_the_agent_plays_itself_costs_little() -> None:
    replay = play("search-fast", "search-fast", "tapdeck", seed=5)
    turns = analyse(replay, "search-fast").turns
    assert sum(turn.played == turn.preferred for turn in turns) > len(turns) * 0.9


def test_refused_commands_are_no_part_of_a_turn() -> None:
    replay = play_script(2)
    found = analyse(replay, "search-fast")
    done = sum(len(turn.played) for turn in found.turns)
    assert 0 < done <= (replay.actions or 0)


def test_agents_that_do_not_search_have_no_opinion() -> None:
    with pytest.raises(CallerError, match="'rule-based' cannot analyse games; agents that search can: search-fast"):
        analyse(play_script(2), "rule-based")
