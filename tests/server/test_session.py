"""A connection's conversation, whatever bytes arrive in whatever pieces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.tapdeck.protocol.commands import ERROR_LINES, SYNTAX
from cardrome.server import session as sessions
from cardrome.server.session import Session, Stage
from cardrome.server.ticker import Ticker
from tests.server.in_memory import InMemoryEvent, StoppedClock, Talk
from tests.server.processes import write_event

LINE_BYTES = 64
TEAMS = ["ann", "bob"]

_numbers = st.integers(-10, 1100) | st.integers() | st.sampled_from([1, 2, -1, -5, -6])
_command = st.builds(
    lambda word, numbers: b" ".join([word, *(str(number).encode() for number in numbers)]),
    st.sampled_from([*SYNTAX, b"wait", b"draw_card", b"NO"]),
    st.lists(_numbers, max_size=4),
)
_line = st.one_of(
    _command,
    st.sampled_from([b"DRAW_CARD 1", b"DRAW_CARD 2", b"WAIT", b"GET_MY_MATCHES", b"GET_DECK 1", b""]),
    st.binary(max_size=2 * LINE_BYTES),
    st.text("\t\r \v\f", max_size=5).map(str.encode),
)
_lines = st.lists(_line, max_size=30).map(b"\n".join)
_cuts = st.lists(st.integers(0, 500), max_size=10)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_event(tmp_path_factory.mktemp("session") / "e.toml", rules={"turns": 10})


def conversation(settings: Path, data: bytes, cuts: list[int], logged_in: bool) -> bytes:
    """Everything that is sent to a client that says this, in these pieces."""
    cup = InMemoryEvent(settings, TEAMS)
    for team in TEAMS:
        cup.talk(team)
    cup.tick()
    talk = cup.talk("ann" if logged_in else None, LINE_BYTES)
    start = 0
    for end in [*sorted(cuts), len(data)]:
        talk.hear(data[start:end])
        start = max(start, end)
        talk.serve()
        check_bounds(talk)
    return heard_out(talk)


def heard_out(talk: Talk) -> bytes:
    for _ in range(200):
        if talk.session.stage is not Stage.WAITING:
            break
        # Wake the client without a tick, so that the match stands still.
        talk.sent += talk.session.wake()
        talk.serve()
    return talk.sent


def check_bounds(talk: Talk) -> None:
    """Unless the client waits, all that is kept is the beginning of a line."""
    session = talk.session
    if not session.has_line:
        assert len(session._data) - session._at <= LINE_BYTES


@given(data=_lines, cuts=_cuts, logged_in=st.booleans())
def test_the_answers_are_the_same_however_the_bytes_are_cut(
    settings: Path, data: bytes, cuts: list[int], logged_in: bool
) -> None:
    whole = conversation(settings, data, [], logged_in)
    assert conversation(settings, data, cuts, logged_in) == whole
    assert conversation(settings, data, list(range(len(data))), logged_in) == whole


@given(data=_lines)
def test_every_line_that_is_not_blank_is_answered_once(settings: Path, data: bytes) -> None:
    sent = conversation(settings, data + b"\n", [], logged_in=True)
    lines = [line for line in data.split(b"\n") if line.strip(b" \t\r")]
    too_long = [k for k, line in enumerate(lines) if len(line) > LINE_BYTES]
    if len(too_long) > sessions.LONG_LINES_ALLOWED:
        lines = lines[: too_long[sessions.LONG_LINES_ALLOWED] + 1]
    waits = sum(re.fullmatch(rb"\s*wait\s*", line, re.IGNORECASE) is not None for line in lines)
    replies = re.findall(rb"^(?:OK|ERR .*)$", sent.removeprefix(b"LOGIN\nPASS\nOK\n"), re.MULTILINE)
    assert len(replies) == len(lines) + waits


@given(data=st.binary(max_size=2000), cuts=_cuts)
def test_random_bytes_only_fail(settings: Path, data: bytes, cuts: list[int]) -> None:
    sent = conversation(settings, data, cuts, logged_in=False)
    assert re.fullmatch(rb"LOGIN\n(PASS\n)?(ERR [13] .*\n)?", sent)


def test_nothing_is_kept_of_a_line_without_end(settings: Path) -> None:
    talk = InMemoryEvent(settings, TEAMS).talk("ann")
    for _ in range(1000):
        talk.hear(b"x" * 10_000)
        talk.serve()
        assert not talk.session._data
        assert not talk.session.has_line
    assert talk.say(b"\nNO\n") == ERROR_LINES[2]


def test_a_session_with_unserved_lines_says_so(settings: Path) -> None:
    talk = InMemoryEvent(settings, TEAMS).talk("ann")
    talk.say(b"WAIT\n")
    talk.hear(b"N")
    assert not talk.session.has_line
    talk.hear(b"O\nNO\n")
    assert talk.session.has_line
    assert not talk.session.has_work
    talk.session.wake()
    assert talk.session.has_work
    talk.serve()
    assert not talk.session.has_line
    assert talk.sent.count(ERROR_LINES[2]) == 2


def test_blank_lines_cost_as_much_as_commands(settings: Path) -> None:
    cup = InMemoryEvent(settings, TEAMS)
    session = cup.talk("ann").session
    session.receive(b"\n \n" * 1000 + b"NO\n")
    answers = []
    while session.has_work:
        answers.append(session.serve(StoppedClock()))
    assert answers == [b""] * (2001 // sessions.LINES_AT_ONCE) + [ERROR_LINES[2]]
    assert cup.event.commands == 2001


def test_blank_lines_do_not_keep_a_connection_that_does_not_log_in(settings: Path) -> None:
    cup = InMemoryEvent(settings, TEAMS)
    assert cup.talk().say(b"\n" * sessions.BLANK_BEFORE_LOGIN + b"ann\n") == b"PASS\n"
    for line in (b"", b"ann\n"):
        talk = cup.talk()
        assert talk.say(line + b"\n" * 100).endswith(ERROR_LINES[3])
        assert talk.session.stage is Stage.CLOSED


def test_a_flood_is_served_in_portions(settings: Path) -> None:
    session = InMemoryEvent(settings, TEAMS).talk("ann").session
    session.receive(b"NO\n" * 1000)
    assert session.serve(StoppedClock()).count(b"\n") == sessions.LINES_AT_ONCE
    assert session.has_work


def test_large_answers_are_served_in_portions(settings: Path) -> None:
    cup = InMemoryEvent(settings, TEAMS)
    talks = [cup.talk(team) for team in TEAMS]
    cup.tick()
    for talk in talks:
        talk.session.receive(b"GET_DECK 1\n" * 100)
        sent = talk.session.serve(StoppedClock())
        if sent.startswith(b"OK"):
            assert sessions.BYTES_AT_ONCE <= len(sent) < sessions.BYTES_AT_ONCE + 10_000
            assert talk.session.has_work


def test_lines_behind_a_password_wait_for_its_check(settings: Path) -> None:
    cup = InMemoryEvent(settings, TEAMS)
    session = Session(cup.event)
    session.receive(b"ann\nsecret\nGET_MY_MATCHES\n")
    assert session.serve(StoppedClock()) == b"PASS\n"
    assert session.stage is Stage.CHECKING
    assert session.credentials == ("ann", "secret")
    assert not session.has_work
    assert session.serve(StoppedClock()) == b""
    assert session.admit(cup.event.arrive(1, "ann")) == b"OK\n"
    assert session.credentials is None
    assert session.serve(StoppedClock()) == b"OK\n0\n\n"


def test_nothing_is_served_after_a_refusal(settings: Path) -> None:
    session = Session(InMemoryEvent(settings, TEAMS).event)
    session.receive(b"ann\nsecret\nGET_MY_MATCHES\n")
    session.serve(StoppedClock())
    assert session.refuse() == b"ERR 1 bad login or password\n"
    assert session.stage is Stage.CLOSED
    assert not session.has_work
    assert session.serve(StoppedClock()) == b""
    assert session.wake() == b""


def test_a_login_that_cannot_be_checked_is_not_a_bad_password(settings: Path) -> None:
    session = Session(InMemoryEvent(settings, TEAMS).event)
    session.receive(b"ann\nsecret\n")
    session.serve(StoppedClock())
    assert session.refuse(5) == b"ERR 5 internal error, sorry...\n"


def test_a_bug_costs_one_answer(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = InMemoryEvent(settings, TEAMS)
    talk = cup.talk("ann")

    def broken(*_: object) -> bytes:
        raise ZeroDivisionError("oops")

    with monkeypatch.context() as patch:
        patch.setattr(cup.event, "_my_matches", broken)
        assert talk.say("GET_MY_MATCHES\n") == b"ERR 5 internal error, sorry...\n"
    assert talk.say("GET_MY_MATCHES\n") == b"OK\n0\n\n"
    assert "oops" in cup.log[-1]


def test_a_due_tick_comes_before_the_command(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = InMemoryEvent(settings, TEAMS)
    for team in TEAMS:
        cup.talk(team)
    cup.tick()
    session = cup.talk("ann").session
    now = 0.0
    monkeypatch.setattr(sessions, "monotonic", lambda: now)

    class Clock(Ticker):
        def serve_due(self) -> None:
            self.due += 1
            cup.event.tick()

    clock = Clock(1.0, cup.event.tick, print)
    clock.due = 1.0
    session.receive(b"GET_TURN_INFO 1\n")
    assert session.serve(clock).endswith(b" 10\n")
    now = 1.0
    session.receive(b"GET_TURN_INFO 1\nGET_TURN_INFO 1\n")
    assert re.fullmatch(rb"OK\n(\d) 9\nOK\n\1 9\n", session.serve(clock))
