"""What leaves the event for spectators: some turns late while a tournament is played, everything when it is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrome.server.broadcast import Broadcast, Transmitter
from tests.server.in_memory import STRIKE, InMemoryEvent, matches_of, plan_of, whose_turn

NAMES = {1: "ann", 2: "bob"}


@pytest.mark.parametrize("delay", [0, 2])
def test_spectators_are_some_turns_behind(tmp_path: Path, delay: int) -> None:
    cup = InMemoryEvent(
        plan_of(tmp_path / "event.toml", STRIKE.replace("C 10", "C 2"), rules={"turns": 8}), ["ann", "bob"]
    )
    cup.event.is_paused = lambda: True
    transmitter = Transmitter(delay)
    talk, other = cup.talk("ann"), cup.talk("bob")
    cup.tick(3)
    transmitter.take(cup.event.tournament, NAMES)
    assert transmitter.broadcast is None
    cup.event.is_paused = lambda: False
    cup.tick()
    seen: list[Broadcast] = []
    for _ in range(8):
        transmitter.take(cup.event.tournament, NAMES)
        transmitter.take(cup.event.tournament, NAMES)
        assert transmitter.broadcast is not None
        seen.append(transmitter.broadcast)
        match = next(number for number in matches_of(talk) if whose_turn(talk, number))
        talk.say(f"DRAW_CARD {match}\nPLAY_CARD {match} 1 -1\nATTACK {match} 1\n")
        cup.tick()
    transmitter.take(cup.event.tournament, NAMES)
    assert transmitter.broadcast is not None
    assert [each.turn for each in seen] == [max(turn - delay, 0) for turn in range(8)]
    assert (transmitter.broadcast.turn, transmitter.broadcast.over) == (8, True)
    # In both matches, the creature that was played in the first turns strikes later: spectators learn of it in time.
    tournament = cup.event.tournament
    assert tournament is not None
    for number, each in enumerate(seen):
        recording = each.recording(0)
        recording.advance(each.turn)
        assert recording.board()["health"] == each.health[0].tolist()
        assert recording.turn == max(number - delay, 0)
    assert seen[-1].health.min() < 10
    final = transmitter.broadcast
    assert final.points() == tournament.points()
    assert not final.running.any()
    assert seen[0].running.all()
    assert set(seen[0].points().values()) == {0.0}
    assert other.session.team is not None
