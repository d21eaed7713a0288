"""An event: tournaments one after another, who plays in them, when, and after a restart."""

from __future__ import annotations

import datetime
from pathlib import Path

import msgspec
import pytest

from cardrome.games.tapdeck.protocol.commands import ERROR_LINES
from cardrome.server.event import LEAST_QUIET_AFTER_RESTART, Played
from cardrome.server.settings import EventPlan
from cardrome.server.store.records import EventTournament
from cardrome.server.tournament import LiveTournament
from tests.server.in_memory import STRIKE, TEAMS, TURNS, InMemoryEvent, matches_of, plan_of, whose_turn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "e.toml"


# Who plays


def test_a_team_that_comes_later_has_no_match_until_the_next_tournament(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS)
    cup.talk("ann"), cup.talk("bob")
    cup.tick()
    late = cup.talk("cy")
    assert late.say("GET_MY_MATCHES\n") == b"OK\n0\n\n"
    assert late.say("GET_TURN_INFO 1\nGET_FINAL_SCORE 1\n") == 2 * ERROR_LINES[930]
    cup.tick(TURNS)
    assert late.say("GET_MY_MATCHES\n") == b"OK\n0\n\n"
    cup.tick()
    assert len(matches_of(late)) == 4
    assert late.say("GET_FINAL_SCORE 1\n") == ERROR_LINES[930]


@pytest.mark.parametrize(
    ("roster", "first", "second"),
    [("seen", (1, 2), (1, 2)), ("connected", (1, 2), ()), ("all", (1, 2, 3), (1, 2, 3))],
)
def test_who_plays(path: Path, roster: str, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    cup = InMemoryEvent(plan_of(path, event={"roster": roster}), TEAMS)
    cup.talk("ann")
    bob = cup.talk("bob").session.team
    assert bob is not None
    cup.tick()
    assert cup.recorded.begun[0].roster == first
    cup.event.leave(bob)
    cup.tick(TURNS + 1)
    assert (cup.recorded.begun[1].roster if len(cup.recorded.begun) > 1 else ()) == second


@pytest.mark.parametrize("roster", ["seen", "connected", "all"])
def test_removed_accounts_no_longer_play(path: Path, roster: str) -> None:
    cup = InMemoryEvent(plan_of(path, event={"roster": roster}), TEAMS)
    for team in TEAMS:
        cup.talk(team)
    cup.tick()
    del cup.accounts["bob"]
    cup.tick(TURNS + 1)
    assert [each.roster for each in cup.recorded.begun] == [(1, 2, 3), (1, 3)]


def test_an_event_waits_for_enough_teams(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path, event={"min_teams": 3}), TEAMS)
    cup.talk("ann"), cup.talk("bob"), cup.talk("bob")
    cup.tick(10)
    assert cup.phase == "waiting"
    cup.talk("cy")
    cup.tick()
    assert cup.phase == "playing"


# What follows


@pytest.mark.parametrize("pause", [0, 1, 5])
def test_the_next_tournament_begins_after_a_quiet_turn_and_the_pause(path: Path, pause: int) -> None:
    cup = InMemoryEvent(plan_of(path, event={"pause": pause}), TEAMS[:2])
    ann = cup.talk("ann")
    cup.talk("bob")
    phases = []
    for _ in range(2 * (TURNS + 1 + pause)):
        cup.tick()
        phases.append(cup.phase)
    one = ["playing"] * TURNS + ["pause"] * (1 + pause)
    assert phases == one + one
    cup.tick()
    assert matches_of(ann) == [5, 6]
    assert cup.recorded.calls == [
        *("begin 1", "save 2 of 1", "finish 1"),
        *("begin 2", "save 2 of 2", "finish 2"),
        "begin 3",
    ]


def test_a_tournament_that_ends_in_mid_turn(path: Path) -> None:
    plan = plan_of(path, STRIKE, event={"pause": 1}, rules={"turns": 10})
    cup = InMemoryEvent(plan, TEAMS[:2])
    talks = [cup.talk("ann"), cup.talk("bob")]
    cup.tick()
    for turn, commands in enumerate(
        ["DRAW_CARD {0}\nPLAY_CARD {0} 1 -1\n", "", "ATTACK {0} 1\n", "FINISH_BLOCK {0}\n"]
    ):
        for talk in talks:
            for match in (1, 2):
                if whose_turn(talk, match) and (turn % 2 == 0 or commands):
                    # Both teams do the same in the match in which they have the first turn.
                    for line in commands.format(match).splitlines():
                        assert talk.say(line + "\n").startswith(b"OK")
        if turn < 3:
            cup.tick()
    assert cup.phase == "pause"
    assert cup.recorded.calls == ["begin 1"]  # saved at the next tick
    scores = {talk.say("GET_FINAL_SCORE 1\nGET_FINAL_SCORE 2\n") for talk in talks}
    assert scores == {b"OK\n40 -10\nOK\n-10 40\n", b"OK\n-10 40\nOK\n40 -10\n"}
    assert talks[0].say("GET_TURN_INFO 1\nGET_HP 1\nDRAW_CARD 2\n") == 3 * ERROR_LINES[932]
    cup.event.save_ended()
    cup.event.save_ended()
    assert cup.recorded.calls == ["begin 1", "save 2 of 1", "finish 1"]
    for result in cup.recorded.results:
        assert (result.end_reason, result.turns_played) == ("health", 4)
        assert {result.health_first, result.health_second} == {0, 10}
    cup.tick()
    assert cup.phase == "pause"
    cup.tick()
    assert cup.phase == "playing"
    assert cup.recorded.calls[3:] == ["begin 2"]


def test_ended_matches_stay_listed_until_the_next_tournament_and_scores_can_always_be_asked(
    path: Path,
) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS[:2])
    ann, bob = cup.talk("ann"), cup.talk("bob")
    cup.tick()
    assert ann.say("GET_FINAL_SCORE 1\n") == ERROR_LINES[933]
    assert bob.say("GET_FINAL_SCORE 1\n") == ERROR_LINES[933]
    cup.tick(TURNS)
    assert matches_of(ann) == [1, 2]
    assert ann.say("GET_FINAL_SCORE 1\n") == b"OK\n15 15\n"
    assert ann.say("GET_TURN_INFO 1\n") == ERROR_LINES[932]
    cup.tick(50 * (TURNS + 1))
    assert matches_of(ann) == [101, 102]
    for match in range(1, 101):
        assert ann.say(f"GET_FINAL_SCORE {match}\n") == b"OK\n15 15\n"
        assert bob.say(f"GET_HP {match}\nATTACK {match} 1\n") == 2 * ERROR_LINES[932]
    assert ann.say("GET_FINAL_SCORE 103\nGET_FINAL_SCORE 0\nGET_FINAL_SCORE -1\n") == 3 * ERROR_LINES[930]


def test_wait_in_the_last_turn_and_in_the_pause_ends_with_the_next_tournament(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path, event={"pause": 2}), TEAMS[:2])
    ann, bob = cup.talk("ann"), cup.talk("bob")
    assert ann.say("WAIT\n") == b"OK\n"  # before the first
    cup.tick()
    assert ann.sent.endswith(b"OK\nOK\nOK\n")
    cup.tick(TURNS - 1)
    assert ann.say("WAIT\n") == b"OK\n"
    cup.tick(2)
    assert bob.say("WAIT\nGET_MY_MATCHES\n") == b"OK\n"
    seen = len(ann.sent), len(bob.sent)
    cup.tick()
    assert (len(ann.sent), len(bob.sent)) == seen
    cup.tick()
    assert ann.sent[seen[0] :] == b"OK\n"
    assert bob.sent[seen[1] :] == b"OK\nOK\n2\n3 4\n"


def test_wait_after_the_last_tournament_ends_with_the_event(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path, event={"tournaments": 1}), TEAMS[:2])
    ann = cup.talk("ann")
    cup.talk("bob")
    cup.tick(TURNS + 1)
    assert ann.say("WAIT\n") == b"OK\n"
    seen = len(ann.sent)
    cup.tick()
    assert cup.phase == "over"
    assert ann.sent[seen:] == b"OK\n"
    calls = list(cup.recorded.calls)
    cup.tick(10)
    assert cup.recorded.calls == calls == ["begin 1", "save 2 of 1", "finish 1"]
    assert cup.log[-2:] == ["the event is over: all tournaments are played", "the secret of its decks: 1"]


# When


def local(**ago: float) -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC) - datetime.timedelta(**ago)


def at(plan: EventPlan, **times: datetime.datetime) -> EventPlan:
    event = msgspec.structs.replace(plan.settings.event, **times)
    return msgspec.structs.replace(plan, settings=msgspec.structs.replace(plan.settings, event=event))


def test_nothing_begins_before_its_time(path: Path) -> None:
    cup = InMemoryEvent(at(plan_of(path), starts_at=local(hours=-1)), TEAMS)
    for team in TEAMS:
        cup.talk(team)
    cup.tick(10)
    assert cup.phase == "waiting"
    cup.event.plan = at(plan_of(path), starts_at=local(hours=1))
    cup.tick()
    assert cup.phase == "playing"


def test_no_tournament_begins_after_the_end_and_the_one_being_played_is_finished(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS)
    for team in TEAMS:
        cup.talk(team)
    cup.tick(2)
    cup.event.plan = at(plan_of(path), ends_at=local(seconds=1))
    cup.tick(TURNS - 1)
    assert cup.phase == "pause"
    assert cup.recorded.calls[-1] == "finish 1"
    cup.tick()
    assert cup.phase == "over"
    assert len(cup.recorded.begun) == 1


# After a restart


def interrupted(path: Path, attempts: int = 2) -> tuple[EventTournament, LiveTournament]:
    """A second tournament, as it is stored and as it was begun."""
    cup = InMemoryEvent(plan_of(path), TEAMS)
    for team in TEAMS:
        cup.talk(team)
    cup.tick(TURNS + 2)
    live = cup.recorded.begun[1]
    stored = EventTournament(
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
    cup = InMemoryEvent(plan_of(path), TEAMS)
    cup.event.resume([Played(1, 1, 6, {1: 10.0, 2: 5.0, 3: 0.0})], {1, 2, 3}, 13, stored)
    cup.tick(LEAST_QUIET_AFTER_RESTART - 1)
    assert cup.phase == "pause"
    cup.tick()
    again = cup.event.tournament
    assert again is not None
    assert (again.number, again.attempts, again.deck_lines) == (2, 2, before.deck_lines)
    assert [(m.id, m.players) for m in again.matches] == [(m.id, m.players) for m in before.matches]
    cup.tick(TURNS + 1)
    assert cup.recorded.calls == ["save 6 of 2", "finish 2", "begin 3"]  # 2 was stored when it first began
    assert cup.recorded.begun[0].first_match_id == 13
    assert [each.number for each in cup.event.played] == [1, 2]
    # All scores are equal, so nobody gains a point.
    assert cup.event.totals == {1: 10.0, 2: 5.0, 3: 0.0}


def test_after_a_restart_between_tournaments_teams_have_time_to_come_back(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path), TEAMS)
    cup.event.resume([Played(1, 1, 6, {1: 10.0})], {1, 2, 3}, 7, None)
    cup.tick(LEAST_QUIET_AFTER_RESTART - 1)
    assert cup.phase == "pause"
    cup.tick()
    assert cup.recorded.begun[0].number == 2
    assert cup.recorded.begun[0].first_match_id == 7
    assert cup.recorded.begun[0].roster == (1, 2, 3)  # they had logged in before


def test_an_interrupted_tournament_is_finished_even_when_the_event_is_over(path: Path) -> None:
    stored, _ = interrupted(path)
    cup = InMemoryEvent(at(plan_of(path), ends_at=local(hours=1)), TEAMS)
    cup.event.resume([Played(1, 1, 6, {})], set(), 13, stored)
    cup.tick(LEAST_QUIET_AFTER_RESTART + TURNS + 1)
    assert cup.recorded.calls == ["save 6 of 2", "finish 2"]
    assert cup.phase == "over"


# Limits


def test_a_limit_of_commands_holds_for_the_team_and_the_turn(path: Path) -> None:
    cup = InMemoryEvent(plan_of(path, server={"commands_per_turn": 3}), TEAMS[:2])
    one, two, bob = cup.talk("ann"), cup.talk("ann"), cup.talk("bob")
    cup.tick()
    assert one.say("NO\n \n") == ERROR_LINES[2]  # a blank line counts, and has no answer
    assert two.say("NO\n\nDRAW_CARD 1\nDRAW_CARD 2\n") == ERROR_LINES[2] + ERROR_LINES[6]
    assert one.say("WAIT\n") == ERROR_LINES[6]
    assert bob.say("NO\n") == ERROR_LINES[2]
    seen = len(one.sent), len(two.sent)
    cup.tick()
    assert one.sent[seen[0] :] == b"OK\n"
    assert two.sent[seen[1] :].startswith(b"OK\n")  # and the lines behind it are served in this turn
    assert two.sent[seen[1] + 3 :].count(b"\n") >= 1
    assert two.say("NO\nNO\nNO\n") == 2 * ERROR_LINES[2] + ERROR_LINES[6]
