from __future__ import annotations

from types import SimpleNamespace

import msgspec

from cardrome.arena.players.behaviour import TIME_BINS, Behaviour, behaviour_in, total


def behaviour_of(*times: int, fault: str | None = None) -> Behaviour:
    """In seat 0 of a game in which the other seat took ages."""
    answers = list(times), [10**6] * 3
    ended = None if fault is None else SimpleNamespace(player=0, kind=fault)
    return behaviour_in(SimpleNamespace(answer_times=answers.__getitem__, fault=ended), 0)


def test_the_first_answer_is_counted_apart() -> None:
    assert behaviour_of() == Behaviour(1)
    assert behaviour_of(700) == Behaviour(1, {700: 1})
    found = behaviour_of(900, 0, 1, 3, 10**9)
    assert (found.answers, found.total_ms, found.worst_ms, found.worst_first_ms) == (5, 10**9 + 904, 10**9, 900)
    assert (found.mean_ms, found.start_ms) == ((10**9 + 4) / 4, 900)
    assert found.histogram == (1, 1, 1, *(0,) * (TIME_BINS - 4), 1)


def test_behaviours_add_up() -> None:
    games = [behaviour_of(100, 3, 3, fault="crash"), behaviour_of(50, 3, 9), behaviour_of(fault="timeout")]
    found = total([*games, behaviour_of(fault="crash")])
    assert found == Behaviour(4, {50: 1, 100: 1}, {3: 3, 9: 1}, {"crash": 2, "timeout": 1})
    assert list(found.faults) == ["crash", "timeout"]
    assert found.error_rate == 0.75
    assert total([total(games[:1]), total(games[1:])]) == total(games)
    assert total([]) == Behaviour()


def test_99_percent_of_answers_took_no_longer() -> None:
    assert Behaviour(1, {}, {5: 99, 900: 1}).p99_ms == 5
    assert Behaviour(1, {}, {5: 98, 900: 2}).p99_ms == 900
    assert Behaviour(1, {}, {7: 1}).p99_ms == 7
    assert Behaviour(1, {7: 1}).p99_ms == 0


def test_nothing_happened() -> None:
    nothing = Behaviour()
    assert (nothing.answers, nothing.mean_ms, nothing.p99_ms, nothing.error_rate) == (0, 0.0, 0, 0.0)
    assert nothing.histogram == (0,) * TIME_BINS


def test_a_behaviour_survives_being_written_down() -> None:
    found = total([behaviour_of(100, 3, 3, 12, fault="crash")])
    assert msgspec.json.decode(msgspec.json.encode(found), type=Behaviour) == found
