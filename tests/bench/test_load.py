"""The load generator and the throughput measure against a real server, in small and without a look at the clock."""

from __future__ import annotations

from cardrome.arena.event_loop import run
from cardrome.bench.flood import flood
from cardrome.bench.load import load
from cardrome.bench.server import event_server, measure
from cardrome.bench.spectators import watch


def test_every_command_of_many_teams_is_answered() -> None:
    teams = [f"team{i}" for i in range(6)]
    event = 'pause = 600\nroster = "connected"\nmin_teams = 6'
    with event_server(teams, "turn_seconds = 0.3", "turns = 100", event) as server:
        report = run(load(server.port, teams, 1.5))
    assert (report.teams, report.matches, report.unanswered) == (6, 30, 0)
    assert report.turns >= 1
    assert 0 < report.refused < report.commands
    assert 0 < report.median_ms <= report.p99_ms <= report.worst_ms


def test_throughput_is_measured_beside_an_echo() -> None:
    found = measure(0.2)
    assert min(found.pipelined, found.one_at_a_time, found.echo_pipelined, found.echo_one_at_a_time) > 0


def test_spectators_get_every_turn_of_a_match() -> None:
    found = watch(3, 1.0)
    assert found.ticks > 0
    assert found.messages > 0


def test_a_flood_is_measured_and_costs_little_memory() -> None:
    found = flood("blank lines", 1.0)
    assert found.ticks > 0
    assert found.memory_mb < 30
