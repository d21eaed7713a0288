"""An event in memory: no sockets, no clock, no store. Results are recorded at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardrome.server.event import Event, Played
from cardrome.server.session import Session, Stage
from cardrome.server.settings import EventPlan, read_plan
from cardrome.server.store.records import MatchResult
from cardrome.server.ticker import Ticker
from cardrome.server.tournament import LiveMatch, LiveTournament
from tests.server.processes import write_event

TURNS = 4
TEAMS = ["ann", "bob", "cy"]
STRIKE = "1 C 10 1 1 0 0\n2 C 0 1 1 0 0\n3 C 0 1 1 0 0\n"
"""A deck whose first card ends a match when it attacks."""


class ResultList:
    """Results in the order in which an event records them."""

    def __init__(self) -> None:
        self.event: Event | None = None
        self.calls: list[str] = []
        self.begun: list[LiveTournament] = []
        self.results: list[MatchResult] = []

    def begin(self, tournament: LiveTournament) -> None:
        self.calls.append(f"begin {tournament.number}")
        self.begun.append(tournament)

    def save(self, tournament: LiveTournament, matches: list[LiveMatch]) -> None:
        self.calls.append(f"save {len(matches)} of {tournament.number}")
        self.results += [tournament.result(match) for match in matches]

    def finish(self, tournament: LiveTournament) -> None:
        self.calls.append(f"finish {tournament.number}")
        assert self.event is not None
        self.event.count(Played(tournament.number, tournament.attempts, len(tournament.matches), tournament.points()))


class StoppedClock(Ticker):
    """The clock of a session whose ticks are made by hand."""

    def __init__(self) -> None:
        super().__init__(1.0, lambda: None, print)

    def serve_due(self) -> None:
        raise AssertionError("nothing is ever due")


class Talk:
    """One connection's conversation."""

    def __init__(self, event: InMemoryEvent, line_bytes: int = 1024) -> None:
        self.session = Session(event.event, line_bytes)
        self.sent = self.session.greeting
        self._event = event
        self._clock = StoppedClock()

    def hear(self, data: bytes | str) -> None:
        """Bytes come in."""
        self.session.receive(data.encode() if isinstance(data, str) else data)

    def serve(self) -> None:
        """Serve all lines that can be served."""
        session = self.session
        while True:
            if session.stage is Stage.CHECKING and session.credentials is not None:
                name, secret = session.credentials
                account = self._event.check(name, secret)
                self.sent += (
                    session.refuse() if account is None else session.admit(self._event.event.arrive(account, name))
                )
            elif session.has_work:
                self.sent += session.serve(self._clock)
            else:
                return

    def say(self, data: bytes | str) -> bytes:
        """The answer to some bytes."""
        before = len(self.sent)
        self.hear(data)
        self.serve()
        return self.sent[before:]


class InMemoryEvent:
    """An event and its conversations. Accounts are numbered from 1 on; the password of NAME is pw-NAME-7q."""

    def __init__(self, settings: Path | EventPlan, teams: list[str], seed: int | None = None) -> None:
        self.plan = settings if isinstance(settings, EventPlan) else read_plan(settings)
        self.accounts = {name: number for number, name in enumerate(teams, 1)}
        self.recorded = ResultList()
        self.log: list[str] = []
        given = self.plan.settings.event.seed if seed is None else seed
        self.event = Event(self.plan, given or 0, self.recorded, self.log.append)
        self.recorded.event = self.event
        self.event.everybody = lambda: tuple(self.accounts.values())
        self.event.on_new_turn = self._wake
        self._talks: list[Talk] = []
        self.turns_begun = 0

    @property
    def phase(self) -> str:
        return self.event.phase

    def check(self, name: str, secret: str) -> int | None:
        return self.accounts.get(name) if secret == f"pw-{name}-7q" else None

    def talk(self, team: str | None = None, line_bytes: int = 1024) -> Talk:
        """A new connection, logged in as a team if one is named."""
        talk = Talk(self, line_bytes)
        self._talks.append(talk)
        if team is not None:
            assert talk.say(f"{team}\npw-{team}-7q\n") == b"PASS\nOK\n"
        return talk

    def tick(self, times: int = 1) -> None:
        for _ in range(times):
            self.event.tick()
            for talk in self._talks:
                talk.serve()

    def _wake(self) -> None:
        self.turns_begun += 1
        for talk in self._talks:
            talk.sent += talk.session.wake()


def plan_of(path: Path, deck: str | None = None, **sections: Any) -> EventPlan:
    """The plan of a short event."""
    sections.setdefault("rules", {"turns": TURNS})
    return read_plan(write_event(path, deck=deck, **sections))


def matches_of(talk: Talk) -> list[int]:
    """The ids of GET_MY_MATCHES."""
    ok, count, ids, end = talk.say("GET_MY_MATCHES\n").split(b"\n")
    assert (ok, end) == (b"OK", b"")
    assert int(count) == len(ids.split())
    return [int(word) for word in ids.split()]


def whose_turn(talk: Talk, match: int) -> bool:
    """Whether it is this team's turn."""
    return talk.say(f"GET_TURN_INFO {match}\n").split()[1] == b"1"
