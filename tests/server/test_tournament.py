"""A tournament: who plays whom, on which deck, what is counted, and what it is worth."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from cardrome.games.tapdeck.protocol.commands import ERROR_LINES
from cardrome.games.tapdeck.rules.scoring import tournament_points
from cardrome.server.tournament import PastScores, shuffle
from tests.server.in_memory import STRIKE, TEAMS, TURNS, InMemoryEvent, matches_of, plan_of, whose_turn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "e.toml"


def test_every_pair_plays_twice_once_with_each_first(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS)
    talks = {team: cup.talk(team) for team in TEAMS}
    cup.tick()
    tournament = cup.recorded.begun[0]
    assert sorted(match.players for match in tournament.matches) == sorted(itertools.permutations([1, 2, 3], 2))
    assert [match.id for match in tournament.matches] == list(range(1, 7))
    for team, talk in talks.items():
        ids = matches_of(talk)
        assert ids == sorted(ids)
        assert len(ids) == 4
        assert sum(whose_turn(talk, match) for match in ids) == 2
        assert all(cup.accounts[team] in tournament.matches[number - 1].players for number in ids)


def test_all_matches_have_the_same_deck_and_turn_together(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS)
    talks = [cup.talk(team) for team in TEAMS]
    cup.tick()
    for left in range(TURNS, 0, -1):
        decks = set()
        for talk in talks:
            for match in matches_of(talk):
                mine, remaining = talk.say(f"GET_TURN_INFO {match}\n").split()[1:]
                assert int(remaining) == left
                if mine == b"1":
                    decks.add(talk.say(f"GET_DECK {match}\n"))
        assert len(decks) == 1
        assert decks.pop().startswith(b"OK\n120\n")
        cup.tick()


def begun(path: Path, seed: int, teams: list[str], tournaments: int = 1) -> list[tuple[object, ...]]:
    """The decks and the matches of the first tournaments."""
    cup = InMemoryEvent(plan_of(path), teams, seed)
    for team in teams:
        cup.talk(team)
    while len(cup.recorded.begun) < tournaments:
        cup.tick()
    return [(each.deck_lines, [(m.id, m.players) for m in each.matches]) for each in cup.recorded.begun]


def test_a_seed_fixes_decks_and_match_ids(path: Path) -> None:
    first = begun(path, 7, TEAMS, 3)
    assert begun(path, 7, TEAMS, 3) == first
    assert len({each[0] for each in first}) == 3
    assert begun(path, 8, TEAMS)[0][0] != first[0][0]
    assert begun(path, 7, [*TEAMS, "dan"])[0][0] == first[0][0]  # the deck does not depend on who plays
    orders = {tuple(players for _, players in begun(path, seed, TEAMS)[0][1]) for seed in range(20)}  # type: ignore[attr-defined]
    assert len(orders) > 10


def test_a_deck_file_is_every_tournaments_deck(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path, STRIKE), TEAMS)
    for team in TEAMS:
        cup.talk(team)
    cup.tick(20)
    assert len(cup.recorded.begun) > 2
    assert {each.deck_lines for each in cup.recorded.begun} == {tuple(STRIKE.splitlines())}


def test_shuffling_depends_on_the_seed_alone() -> None:
    pairs = list(itertools.permutations(range(1, 4), 2))
    shuffle(pairs, 2026)
    assert pairs == [(3, 2), (2, 1), (2, 3), (1, 2), (3, 1), (1, 3)]
    assert sorted(pairs) == sorted(itertools.permutations(range(1, 4), 2))


def test_what_each_player_did_is_counted(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS[:2])
    talks = {1: cup.talk("ann"), 2: cup.talk("bob")}
    cup.tick()
    first, second = cup.recorded.begun[0].matches[0].players
    one, two = talks[first], talks[second]
    one.say(
        "GET_HP 1\nDRAW_CARD 1\nDRAW_CARD 1\nDRAW_CARD 1\nNO\nGET_HP 99\nGET_HP 1 1\n"
    )  # the last three are not counted for a match
    two.say("GET_HP 1\nGET_TURN_INFO 1\n")
    cup.tick()
    two.say("GET_HP 1\n")  # asks, and does nothing
    team = two.session.team
    assert team is not None
    cup.event.leave(team)
    cup.tick()
    assert cup.event.arrive(second, "again") is team
    cup.tick()
    two.say("FINISH_BLOCK 1\n")
    cup.tick()
    one.say("GET_FINAL_SCORE 1\nGET_HP 1\n")  # after the end
    result = next(each for each in cup.recorded.results if each.id == 1)
    assert (result.first, result.second) == (first, second)
    assert (result.end_reason, result.turns_played) == ("turns", TURNS)
    counts = result.counts_first
    assert (counts.commands, counts.errors, counts.idle_turns, counts.disconnects) == (4, 1, 1, 0)
    counts = result.counts_second
    assert (counts.commands, counts.errors, counts.idle_turns, counts.disconnects) == (4, 1, 1, 1)


def test_only_the_last_connection_lost_is_a_disconnect(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS[:2])
    team = cup.talk("ann").session.team
    cup.talk("ann"), cup.talk("bob")
    cup.tick()
    assert team is not None
    cup.event.leave(team)
    assert all(match.disconnects == [0, 0] for match in cup.recorded.begun[0].matches)
    cup.event.leave(team)
    assert [sum(match.disconnects) for match in cup.recorded.begun[0].matches] == [1, 1]


def test_a_death_at_the_end_of_the_turn_counts_that_turn(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path, STRIKE, rules={"turns": 10}), TEAMS[:2])
    talks = {1: cup.talk("ann"), 2: cup.talk("bob")}
    cup.tick()
    first, _ = cup.recorded.begun[0].matches[0].players
    assert talks[first].say("DRAW_CARD 1\nPLAY_CARD 1 1 -1\n") == b"OK\n1 C 10 1 1 0 0\nOK\n"
    cup.tick(2)
    assert talks[first].say("ATTACK 1 1\n") == b"OK\n"
    cup.tick(2)
    [result] = cup.recorded.results
    assert (result.id, result.end_reason, result.turns_played) == (1, "health", 4)
    assert (result.counts_first.idle_turns, result.counts_second.idle_turns) == (0, 2)
    assert cup.phase == "playing"  # the other match goes on
    assert talks[first].say("GET_FINAL_SCORE 1\nGET_TURN_INFO 1\n") == b"OK\n40 -10\n" + ERROR_LINES[932]


def test_points(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path, STRIKE, rules={"turns": 4}), TEAMS)
    talks = {number: cup.talk(team) for team, number in cup.accounts.items()}
    cup.tick()
    tournament = cup.recorded.begun[0]
    for match in tournament.matches:
        if 1 in match.players:  # ann strikes wherever they begin
            talks[match.players[0]].say(f"DRAW_CARD {match.id}\n")
            if match.players[0] == 1:
                talks[1].say(f"PLAY_CARD {match.id} 1 -1\n")
    cup.tick(2)
    for match in tournament.matches:
        if match.players[0] == 1:
            assert talks[1].say(f"ATTACK {match.id} 1\n") == b"OK\n"
    cup.tick(2)
    scores: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for result in cup.recorded.results:
        scores[result.first].append(result.score_first)
        scores[result.second].append(result.score_second)
    assert sorted(scores[1]) == [15, 15, 40, 40]
    assert sorted(scores[2]) == sorted(scores[3]) == [-10, 15, 15, 15]
    # No score is below -10; 2 scores are below each of the 8 of 15; 10 scores are below each of the 2 of 40.
    expected = {1: 2 * 2**1.5 + 2 * 10**1.5, 2: 3 * 2**1.5, 3: 3 * 2**1.5}
    assert cup.event.totals == pytest.approx(expected)
    assert tournament_points(list(scores.values())) == pytest.approx(list(expected.values()))


def test_past_scores_are_found_by_match_id() -> None:
    past = PastScores()
    assert past.find(1) is None
    past.add(3, np.array([[1, 2, 40, -10], [2, 1, 15, 15]]))
    past.add(10, np.array([[5, 6, 7, 8]]))
    found = {number: past.find(number) for number in range(-1, 13)}
    assert {number: row for number, row in found.items() if row is not None} == {
        3: (1, 2, 40, -10),
        4: (2, 1, 15, 15),
        10: (5, 6, 7, 8),
    }
    assert past.find(10**30) is None
