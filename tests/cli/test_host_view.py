"""The operator's view: what it shows, that it fits the terminal, and that names are never taken for markup."""

from __future__ import annotations

import io
from collections import deque

import msgspec
import pytest
from rich.console import Console

from cardrome.cli.host.view import HostView, plain_line, render
from cardrome.server.snapshot import Snapshot
from tests.web.live.live_event import HOSTILE, snapshot, standings

LOG = [f"12:00:{i:02} Team {i} connected" for i in range(20)]


WHERE = ["teams connect to 192.168.1.5 port 20000", "standings: http://192.168.1.5:8080/"]


def drawn(snapshot: Snapshot | None, log: list[str], width: int = 100, height: int = 30) -> str:
    console = Console(record=True, width=width, height=height, file=io.StringIO(), force_terminal=True)
    console.print(render(snapshot, log, height, WHERE))
    return console.export_text()


def test_it_says_how_the_event_is_doing() -> None:
    text = drawn(snapshot(teams=6, tournaments=2), LOG)
    for words in (
        "Spring Cup  playing",
        "Tournament 3 of 7",
        "41 turns left",
        "30 matches running",
        "of 6 teams connected",
        "1,234 commands/s, 3 refused/s",
        "tick lag 0.8 ms, worst 12 ms, 0 late of 100 ticks",
        "12:00:19 Team 19 connected",
        "Quiet Storm",
        *WHERE,
    ):
        assert words in text
    assert all(words in drawn(None, LOG) for words in WHERE)


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize("height", [12, 24, 30, 60])
@pytest.mark.parametrize("teams", [0, 1, 4, 40])
def test_it_fits_the_terminal(teams: int, width: int, height: int) -> None:
    event = snapshot(teams=teams, tournaments=12)
    long = msgspec.structs.replace(event, teams=(*event.teams, *standings([(HOSTILE[-1], 1, (1.0,))])))
    for log in ([], LOG, ["long " * 100]):
        for shown in (event, long):
            lines = drawn(shown, log, width, height).splitlines()
            assert len(lines) <= height
            assert all(len(line.rstrip()) <= width for line in lines)


def test_teams_that_do_not_fit_are_counted() -> None:
    text = drawn(snapshot(teams=40, tournaments=2), LOG, height=24)
    shown = text.count("●") + text.count("○")
    assert 5 < shown < 24
    assert f"and {40 - shown} more teams" in text
    assert "more" not in drawn(snapshot(teams=4), LOG)


def test_a_tournament_played_again_is_marked() -> None:
    text = drawn(snapshot(teams=4, tournaments=3), LOG)
    assert "T3*" in text
    assert "* played again after a restart" in text
    assert "restart" not in drawn(snapshot(teams=4, tournaments=2), LOG)


@pytest.mark.parametrize("name", ["[red]x", "[/]", "[link=https://a.example]x[/]", ":smile:", "a\\[b]"])
def test_names_and_messages_are_shown_as_they_are(name: str) -> None:
    event = msgspec.structs.replace(snapshot(event=name), teams=standings([(name, 1, (1.0,))]))
    assert drawn(event, [f"message of {name}"]).count(name) == 3
    assert name in plain_line(event)


def test_control_characters_do_not_reach_the_terminal() -> None:
    name = "\x1b[2J\x9b31m\u202eturned\n\r\x07"
    event = msgspec.structs.replace(snapshot(event=name), teams=standings([(name, 1, (1.0,))]))
    console = Console(width=100, file=io.StringIO(), color_system=None)
    console.print(render(event, [name], 30))
    file = console.file
    assert isinstance(file, io.StringIO)
    for text in (file.getvalue().replace("\n", ""), plain_line(event)):
        assert text.isprintable()
        assert "turned" in text


def test_it_can_be_drawn_again_and_again() -> None:
    current: list[Snapshot | None] = [None]
    log: deque[str] = deque(maxlen=3)
    view = HostView(lambda: current[0], log)
    console = Console(record=True, width=100, height=30, file=io.StringIO())
    console.print(view)
    assert "waiting for the event" in console.export_text()
    current[0] = snapshot()
    log.extend(LOG)
    console.print(view)
    text = console.export_text()
    assert "41 turns left" in text
    assert text.count("connected") == 3 + 1  # the messages, and the count of teams


def test_the_plain_line() -> None:
    event = snapshot(teams=4, tournaments=2)
    assert plain_line(event) == (
        "Spring Cup: playing, tournament 3 of 7, 41 turns left, 12 matches running, "
        f"{sum(team.connections > 0 for team in event.teams)} of 4 teams connected, "
        f"{event.load.connections} connections, 1,234 commands/s, 3 refused/s, "
        "tick lag 0.8 ms, worst 12 ms, 0 late, "
        f"first {event.teams[0].name} with {event.teams[0].total:g}"
    )
    assert "turns left" not in plain_line(snapshot(turns_left=None, phase="pause"))
