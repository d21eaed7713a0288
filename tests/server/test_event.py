"""An event: tournaments one after another, who plays in them, and what is told of them for ever."""

from __future__ import annotations

import datetime
import itertools
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from cardrome.games.tapdeck.protocol.errors import ERROR_LINES
from cardrome.games.tapdeck.rules.scoring import tournament_points
from cardrome.server.archive import ScoreArchive
from cardrome.server.event import LEAST_QUIET_AFTER_RESTART, Played
from cardrome.server.settings import EventPlan, read_plan
from cardrome.server.store.records import StoredTournament
from cardrome.server.tournament import LiveTournament, shuffle
from tests.server.events import write_event
from tests.server.paper import PaperEvent, Talk

TURNS = 4
TEAMS = ["ann", "bob", "cy"]
STRIKE = "1 C 10 1 1 0 0\n2 C 0 1 1 0 0\n3 C 0 1 1 0 0\n"
"""The first card ends a match when it attacks."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "e.toml"


def plan_of(path: Path, deck: str | None = None, **sections: Any) -> EventPlan:
    sections.setdefault("rules", {"turns": TURNS})
    return read_plan(write_event(path, deck=deck, **sections))


def matches_of(talk: Talk) -> list[int]:
    ok, count, ids, end = talk.say("GET_MY_MATCHES\n").split(b"\n")
    assert (ok, end) == (b"OK", b"")
    assert int(count) == len(ids.split())
    return [int(word) for word in ids.split()]


def whose_turn(talk: Talk, match: int) -> bool:
    return talk.say(f"GET_TURN_INFO {match}\n").split()[1] == b"1"


# Rows 3, 4, 87: what a tournament is


def test_every_pair_plays_twice_once_with_each_first(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS)
    talks = {team: paper.talk(team) for team in TEAMS}
    paper.tick()
    tournament = paper.notes.begun[0]
    assert sorted(match.players for match in tournament.matches) == sorted(itertools.permutations([1, 2, 3], 2))
    assert [match.id for match in tournament.matches] == list(range(1, 7))
    for team, talk in talks.items():
        ids = matches_of(talk)
        assert ids == sorted(ids)
        assert len(ids) == 4
        assert sum(whose_turn(talk, match) for match in ids) == 2
        assert all(paper.accounts[team] in tournament.matches[number - 1].players for number in ids)


def test_all_matches_have_the_same_deck_and_turn_together(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS)
    talks = [paper.talk(team) for team in TEAMS]
    paper.tick()
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
        paper.tick()


def begun(path: Path, seed: int, teams: list[str], tournaments: int = 1) -> list[tuple[object, ...]]:
    """What is drawn for the tournaments of an event."""
    paper = PaperEvent(plan_of(path), teams, seed)
    for team in teams:
        paper.talk(team)
    while len(paper.notes.begun) < tournaments:
        paper.tick()
    return [(each.deck_lines, [(m.id, m.players) for m in each.matches]) for each in paper.notes.begun]


def test_a_seed_fixes_decks_and_match_ids(path: Path) -> None:
    first = begun(path, 7, TEAMS, 3)
    assert begun(path, 7, TEAMS, 3) == first
    assert len({each[0] for each in first}) == 3
    assert begun(path, 8, TEAMS)[0][0] != first[0][0]
    assert begun(path, 7, [*TEAMS, "dan"])[0][0] == first[0][0]  # whoever plays, the deck is the seed's
    orders = {tuple(players for _, players in begun(path, seed, TEAMS)[0][1]) for seed in range(20)}  # type: ignore[attr-defined]
    assert len(orders) > 10


def test_a_deck_file_is_every_tournaments_deck(path: Path) -> None:
    paper = PaperEvent(plan_of(path, STRIKE), TEAMS)
    for team in TEAMS:
        paper.talk(team)
    paper.tick(20)
    assert len(paper.notes.begun) > 2
    assert {each.deck_lines for each in paper.notes.begun} == {tuple(STRIKE.splitlines())}


def test_shuffling_is_fixed_for_all_times() -> None:
    pairs = list(itertools.permutations(range(1, 4), 2))
    shuffle(pairs, 2026)
    assert pairs == [(3, 2), (2, 1), (2, 3), (1, 2), (3, 1), (1, 3)]
    assert sorted(pairs) == sorted(itertools.permutations(range(1, 4), 2))


# Rows 11, 96: who is in it


def test_a_team_that_comes_later_has_no_match_until_the_next_tournament(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS)
    paper.talk("ann"), paper.talk("bob")
    paper.tick()
    late = paper.talk("cy")
    assert late.say("GET_MY_MATCHES\n") == b"OK\n0\n\n"
    assert late.say("GET_TURN_INFO 1\nGET_FINAL_SCORE 1\n") == 2 * ERROR_LINES[930]
    paper.tick(TURNS)
    assert late.say("GET_MY_MATCHES\n") == b"OK\n0\n\n"
    paper.tick()
    assert len(matches_of(late)) == 4
    assert late.say("GET_FINAL_SCORE 1\n") == ERROR_LINES[930]


@pytest.mark.parametrize(
    ("roster", "first", "second"),
    [("seen", (1, 2), (1, 2)), ("connected", (1, 2), ()), ("all", (1, 2, 3), (1, 2, 3))],
)
def test_who_plays(path: Path, roster: str, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    paper = PaperEvent(plan_of(path, event={"roster": roster}), TEAMS)
    paper.talk("ann")
    bob = paper.talk("bob").session.team
    assert bob is not None
    paper.tick()
    assert paper.notes.begun[0].roster == first
    paper.event.leave(bob)
    paper.tick(TURNS + 1)
    assert (paper.notes.begun[1].roster if len(paper.notes.begun) > 1 else ()) == second


@pytest.mark.parametrize("roster", ["seen", "connected", "all"])
def test_removed_accounts_play_no_more(path: Path, roster: str) -> None:
    paper = PaperEvent(plan_of(path, event={"roster": roster}), TEAMS)
    for team in TEAMS:
        paper.talk(team)
    paper.tick()
    del paper.accounts["bob"]
    paper.tick(TURNS + 1)
    assert [each.roster for each in paper.notes.begun] == [(1, 2, 3), (1, 3)]


def test_it_waits_for_enough_teams(path: Path) -> None:
    paper = PaperEvent(plan_of(path, event={"min_teams": 3}), TEAMS)
    paper.talk("ann"), paper.talk("bob"), paper.talk("bob")
    paper.tick(10)
    assert paper.phase == "waiting"
    paper.talk("cy")
    paper.tick()
    assert paper.phase == "playing"


# Rows 12, 21, 22, 23, 84, 85, 86: what follows


@pytest.mark.parametrize("pause", [0, 1, 5])
def test_the_next_tournament_begins_after_a_quiet_turn_and_the_pause(path: Path, pause: int) -> None:
    paper = PaperEvent(plan_of(path, event={"pause": pause}), TEAMS[:2])
    ann = paper.talk("ann")
    paper.talk("bob")
    phases = []
    for _ in range(2 * (TURNS + 1 + pause)):
        paper.tick()
        phases.append(paper.phase)
    one = ["playing"] * TURNS + ["pause"] * (1 + pause)
    assert phases == one + one
    paper.tick()
    assert matches_of(ann) == [5, 6]
    assert paper.notes.calls == [
        *("begin 1", "save 2 of 1", "finish 1"),
        *("begin 2", "save 2 of 2", "finish 2"),
        "begin 3",
    ]


def test_a_tournament_that_ends_in_mid_turn(path: Path) -> None:
    plan = plan_of(path, STRIKE, event={"pause": 1}, rules={"turns": 10})
    paper = PaperEvent(plan, TEAMS[:2])
    talks = [paper.talk("ann"), paper.talk("bob")]
    paper.tick()
    for turn, commands in enumerate(
        ["DRAW_CARD {0}\nPLAY_CARD {0} 1 -1\n", "", "ATTACK {0} 1\n", "FINISH_BLOCK {0}\n"]
    ):
        for talk in talks:
            for match in (1, 2):
                if whose_turn(talk, match) and (turn % 2 == 0 or commands):
                    # Both seats do the same on the match they begin.
                    for line in commands.format(match).splitlines():
                        assert talk.say(line + "\n").startswith(b"OK")
        if turn < 3:
            paper.tick()
    assert paper.phase == "pause"
    assert paper.notes.calls == ["begin 1"]  # kept with the next tick
    scores = {talk.say("GET_FINAL_SCORE 1\nGET_FINAL_SCORE 2\n") for talk in talks}
    assert scores == {b"OK\n40 -10\nOK\n-10 40\n", b"OK\n-10 40\nOK\n40 -10\n"}
    assert talks[0].say("GET_TURN_INFO 1\nGET_HP 1\nDRAW_CARD 2\n") == 3 * ERROR_LINES[932]
    paper.event.save_ended()
    paper.event.save_ended()
    assert paper.notes.calls == ["begin 1", "save 2 of 1", "finish 1"]
    for result in paper.notes.results:
        assert (result.end_reason, result.turns_played) == ("health", 4)
        assert {result.health_first, result.health_second} == {0, 10}
    paper.tick()
    assert paper.phase == "pause"
    paper.tick()
    assert paper.phase == "playing"
    assert paper.notes.calls[3:] == ["begin 2"]


def test_ended_matches_stay_listed_until_the_next_tournament_and_scores_are_told_for_ever(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS[:2])
    ann, bob = paper.talk("ann"), paper.talk("bob")
    paper.tick()
    assert ann.say("GET_FINAL_SCORE 1\n") == ERROR_LINES[933]
    assert bob.say("GET_FINAL_SCORE 1\n") == ERROR_LINES[933]
    paper.tick(TURNS)
    assert matches_of(ann) == [1, 2]
    assert ann.say("GET_FINAL_SCORE 1\n") == b"OK\n15 15\n"
    assert ann.say("GET_TURN_INFO 1\n") == ERROR_LINES[932]
    paper.tick(50 * (TURNS + 1))
    assert matches_of(ann) == [101, 102]
    for match in range(1, 101):
        assert ann.say(f"GET_FINAL_SCORE {match}\n") == b"OK\n15 15\n"
        assert bob.say(f"GET_HP {match}\nATTACK {match} 1\n") == 2 * ERROR_LINES[932]
    assert ann.say("GET_FINAL_SCORE 103\nGET_FINAL_SCORE 0\nGET_FINAL_SCORE -1\n") == 3 * ERROR_LINES[930]


def test_wait_in_the_last_turn_and_in_the_pause_ends_with_the_next_tournament(path: Path) -> None:
    paper = PaperEvent(plan_of(path, event={"pause": 2}), TEAMS[:2])
    ann, bob = paper.talk("ann"), paper.talk("bob")
    assert ann.say("WAIT\n") == b"OK\n"  # before the first
    paper.tick()
    assert ann.sent.endswith(b"OK\nOK\nOK\n")
    paper.tick(TURNS - 1)
    assert ann.say("WAIT\n") == b"OK\n"
    paper.tick(2)
    assert bob.say("WAIT\nGET_MY_MATCHES\n") == b"OK\n"
    seen = len(ann.sent), len(bob.sent)
    paper.tick()
    assert (len(ann.sent), len(bob.sent)) == seen
    paper.tick()
    assert ann.sent[seen[0] :] == b"OK\n"
    assert bob.sent[seen[1] :] == b"OK\nOK\n2\n3 4\n"


def test_wait_after_the_last_tournament_ends_with_the_event(path: Path) -> None:
    paper = PaperEvent(plan_of(path, event={"tournaments": 1}), TEAMS[:2])
    ann = paper.talk("ann")
    paper.talk("bob")
    paper.tick(TURNS + 1)
    assert ann.say("WAIT\n") == b"OK\n"
    seen = len(ann.sent)
    paper.tick()
    assert paper.phase == "over"
    assert ann.sent[seen:] == b"OK\n"
    calls = list(paper.notes.calls)
    paper.tick(10)
    assert paper.notes.calls == calls == ["begin 1", "save 2 of 1", "finish 1"]
    assert paper.log[-1] == "the event is over: all tournaments are played"


# When


def local(**ago: float) -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC) - datetime.timedelta(**ago)


def at(plan: EventPlan, **times: datetime.datetime) -> EventPlan:
    event = msgspec.structs.replace(plan.settings.event, **times)
    return msgspec.structs.replace(plan, settings=msgspec.structs.replace(plan.settings, event=event))


def test_nothing_begins_before_its_time(path: Path) -> None:
    paper = PaperEvent(at(plan_of(path), starts_at=local(hours=-1)), TEAMS)
    for team in TEAMS:
        paper.talk(team)
    paper.tick(10)
    assert paper.phase == "waiting"
    paper.event.plan = at(plan_of(path), starts_at=local(hours=1))
    paper.tick()
    assert paper.phase == "playing"


def test_no_tournament_begins_after_the_end_and_the_one_being_played_is_finished(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS)
    for team in TEAMS:
        paper.talk(team)
    paper.tick(2)
    paper.event.plan = at(plan_of(path), ends_at=local(seconds=1))
    paper.tick(TURNS - 1)
    assert paper.phase == "pause"
    assert paper.notes.calls[-1] == "finish 1"
    paper.tick()
    assert paper.phase == "over"
    assert len(paper.notes.begun) == 1


# Going on after a restart


def interrupted(path: Path, attempts: int = 2) -> tuple[StoredTournament, LiveTournament]:
    """A second tournament as a store has it, and as it was begun."""
    paper = PaperEvent(plan_of(path), TEAMS)
    for team in TEAMS:
        paper.talk(team)
    paper.tick(TURNS + 2)
    live = paper.notes.begun[1]
    stored = StoredTournament(
        number=live.number,
        seed=live.seed,
        deck_text="\n".join(live.deck_lines),
        rules_text="{}",
        first_match_id=live.first_match_id,
        roster=live.roster,
        started_at=0,
        finished_at=None,
        attempts=attempts,
    )
    return stored, live


def test_an_interrupted_tournament_is_played_again_with_the_same_matches(path: Path) -> None:
    stored, before = interrupted(path)
    paper = PaperEvent(plan_of(path), TEAMS)
    paper.event.resume([Played(1, 1, 6, {1: 10.0, 2: 5.0, 3: 0.0})], {1, 2, 3}, 13, stored)
    paper.tick(LEAST_QUIET_AFTER_RESTART - 1)
    assert paper.phase == "pause"
    paper.tick()
    again = paper.event.tournament
    assert again is not None
    assert (again.number, again.attempts, again.deck_lines) == (2, 2, before.deck_lines)
    assert [(m.id, m.players) for m in again.matches] == [(m.id, m.players) for m in before.matches]
    paper.tick(TURNS + 1)
    assert paper.notes.calls == ["save 6 of 2", "finish 2", "begin 3"]  # it was begun in the store before
    assert paper.notes.begun[0].first_match_id == 13
    assert [each.number for each in paper.event.played] == [1, 2]
    # All scores equal: no score is smaller than another, and nobody gains a point.
    assert paper.event.totals == {1: 10.0, 2: 5.0, 3: 0.0}


def test_after_a_restart_between_tournaments_teams_have_time_to_come_back(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS)
    paper.event.resume([Played(1, 1, 6, {1: 10.0})], {1, 2, 3}, 7, None)
    paper.tick(LEAST_QUIET_AFTER_RESTART - 1)
    assert paper.phase == "pause"
    paper.tick()
    assert paper.notes.begun[0].number == 2
    assert paper.notes.begun[0].first_match_id == 7
    assert paper.notes.begun[0].roster == (1, 2, 3)  # they have been seen


def test_an_interrupted_tournament_is_finished_even_when_the_event_is_over(path: Path) -> None:
    stored, _ = interrupted(path)
    paper = PaperEvent(at(plan_of(path), ends_at=local(hours=1)), TEAMS)
    paper.event.resume([Played(1, 1, 6, {})], set(), 13, stored)
    paper.tick(LEAST_QUIET_AFTER_RESTART + TURNS + 1)
    assert paper.notes.calls == ["save 6 of 2", "finish 2"]
    assert paper.phase == "over"


# Counts and limits


def test_what_each_player_did_is_counted(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS[:2])
    talks = {1: paper.talk("ann"), 2: paper.talk("bob")}
    paper.tick()
    first, second = paper.notes.begun[0].matches[0].players
    one, two = talks[first], talks[second]
    one.say(
        "GET_HP 1\nDRAW_CARD 1\nDRAW_CARD 1\nDRAW_CARD 1\nNO\nGET_HP 99\nGET_HP 1 1\n"
    )  # the last three are no match's
    two.say("GET_HP 1\nGET_TURN_INFO 1\n")
    paper.tick()
    two.say("GET_HP 1\n")  # looks, and does nothing
    team = two.session.team
    assert team is not None
    paper.event.leave(team)
    paper.tick()
    assert paper.event.arrive(second, "again") is team
    paper.tick()
    two.say("FINISH_BLOCK 1\n")
    paper.tick()
    one.say("GET_FINAL_SCORE 1\nGET_HP 1\n")  # after the end
    result = next(each for each in paper.notes.results if each.id == 1)
    assert (result.first, result.second) == (first, second)
    assert (result.end_reason, result.turns_played) == ("turns", TURNS)
    counts = result.counts_first
    assert (counts.commands, counts.errors, counts.idle_turns, counts.disconnects) == (4, 1, 1, 0)
    counts = result.counts_second
    assert (counts.commands, counts.errors, counts.idle_turns, counts.disconnects) == (4, 1, 1, 1)


def test_only_the_last_connection_lost_is_a_disconnect(path: Path) -> None:
    paper = PaperEvent(plan_of(path), TEAMS[:2])
    team = paper.talk("ann").session.team
    paper.talk("ann"), paper.talk("bob")
    paper.tick()
    assert team is not None
    paper.event.leave(team)
    assert all(match.disconnects == [0, 0] for match in paper.notes.begun[0].matches)
    paper.event.leave(team)
    assert [sum(match.disconnects) for match in paper.notes.begun[0].matches] == [1, 1]


def test_a_death_at_the_end_of_the_turn_counts_that_turn(path: Path) -> None:
    paper = PaperEvent(plan_of(path, STRIKE, rules={"turns": 10}), TEAMS[:2])
    talks = {1: paper.talk("ann"), 2: paper.talk("bob")}
    paper.tick()
    first, _ = paper.notes.begun[0].matches[0].players
    assert talks[first].say("DRAW_CARD 1\nPLAY_CARD 1 1 -1\n") == b"OK\n1 C 10 1 1 0 0\nOK\n"
    paper.tick(2)
    assert talks[first].say("ATTACK 1 1\n") == b"OK\n"
    paper.tick(2)
    [result] = paper.notes.results
    assert (result.id, result.end_reason, result.turns_played) == (1, "health", 4)
    assert (result.counts_first.idle_turns, result.counts_second.idle_turns) == (0, 2)
    assert paper.phase == "playing"  # the other match goes on
    assert talks[first].say("GET_FINAL_SCORE 1\nGET_TURN_INFO 1\n") == b"OK\n40 -10\n" + ERROR_LINES[932]


def test_a_limit_of_commands_holds_for_the_team_and_the_turn(path: Path) -> None:
    paper = PaperEvent(plan_of(path, server={"commands_per_turn": 3}), TEAMS[:2])
    one, two, bob = paper.talk("ann"), paper.talk("ann"), paper.talk("bob")
    paper.tick()
    assert one.say("NO\n\n \nNO\n") == 2 * ERROR_LINES[2]
    assert two.say("NO\nDRAW_CARD 1\nDRAW_CARD 2\n") == ERROR_LINES[2] + ERROR_LINES[6]
    assert one.say("WAIT\n") == ERROR_LINES[6]
    assert bob.say("NO\n") == ERROR_LINES[2]
    seen = len(one.sent), len(two.sent)
    paper.tick()
    assert one.sent[seen[0] :] == b"OK\n"
    assert two.sent[seen[1] :].startswith(b"OK\n")  # and what was piped behind is served in this turn
    assert two.sent[seen[1] + 3 :].count(b"\n") >= 1
    assert two.say("NO\nNO\nNO\n") == 2 * ERROR_LINES[2] + ERROR_LINES[6]


def test_points_are_those_of_the_scoring_section(path: Path) -> None:
    paper = PaperEvent(plan_of(path, STRIKE, rules={"turns": 4}), TEAMS)
    talks = {number: paper.talk(team) for team, number in paper.accounts.items()}
    paper.tick()
    tournament = paper.notes.begun[0]
    for match in tournament.matches:
        if 1 in match.players:  # ann strikes wherever she begins
            talks[match.players[0]].say(f"DRAW_CARD {match.id}\n")
            if match.players[0] == 1:
                talks[1].say(f"PLAY_CARD {match.id} 1 -1\n")
    paper.tick(2)
    for match in tournament.matches:
        if match.players[0] == 1:
            assert talks[1].say(f"ATTACK {match.id} 1\n") == b"OK\n"
    paper.tick(2)
    scores: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for result in paper.notes.results:
        scores[result.first].append(result.score_first)
        scores[result.second].append(result.score_second)
    assert sorted(scores[1]) == [15, 15, 40, 40]
    assert sorted(scores[2]) == sorted(scores[3]) == [-10, 15, 15, 15]
    # -10 is nobody's better; above it are 8 scores of 15, with 2 below each; above those are 2 of 40, with 10 below.
    expected = {1: 2 * 2**1.5 + 2 * 10**1.5, 2: 3 * 2**1.5, 3: 3 * 2**1.5}
    assert paper.event.totals == pytest.approx(expected)
    assert tournament_points(list(scores.values())) == pytest.approx(list(expected.values()))


def test_an_archive_finds_only_what_is_in_it() -> None:
    archive = ScoreArchive()
    assert archive.find(1) is None
    archive.add(3, np.array([[1, 2, 40, -10], [2, 1, 15, 15]]))
    archive.add(10, np.array([[5, 6, 7, 8]]))
    found = {number: archive.find(number) for number in range(-1, 13)}
    assert {number: row for number, row in found.items() if row is not None} == {
        3: (1, 2, 40, -10),
        4: (2, 1, 15, 15),
        10: (5, 6, 7, 8),
    }
    assert archive.find(10**30) is None
