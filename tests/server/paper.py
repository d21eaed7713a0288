"""An event on paper: no sockets, no clock, no store. What it wants kept is noted, and kept at once."""

from __future__ import annotations

from pathlib import Path

from cardrome.server.event import Event, Played
from cardrome.server.session import Session, Stage
from cardrome.server.settings import EventPlan, read_plan
from cardrome.server.store.records import MatchResult
from cardrome.server.tournament import LiveMatch, LiveTournament


class Notes:
    """A keeper that notes what it is given."""

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
        self.event.kept(Played(tournament.number, tournament.attempts, len(tournament.matches), tournament.points()))


class StoppedClock:
    """The clock of a session whose ticks are made by hand."""

    due = float("inf")

    def serve_due(self) -> None:
        raise AssertionError("nothing is ever due")


class Talk:
    """One connection's conversation."""

    def __init__(self, paper: PaperEvent, line_bytes: int = 1024) -> None:
        self.session = Session(paper.event, line_bytes)
        self.sent = self.session.greeting
        self._paper = paper
        self._clock = StoppedClock()

    def hear(self, data: bytes | str) -> None:
        """Bytes come in."""
        self.session.receive(data.encode() if isinstance(data, str) else data)

    def serve(self) -> None:
        """Serve as far as it goes."""
        session = self.session
        while True:
            if session.stage is Stage.CHECKING and session.credentials is not None:
                name, secret = session.credentials
                account = self._paper.check(name, secret)
                self.sent += (
                    session.refuse() if account is None else session.admit(self._paper.event.arrive(account, name))
                )
            elif session.has_work:
                self.sent += session.serve(self._clock)
            else:
                return

    def say(self, data: bytes | str) -> bytes:
        """What is answered to some bytes."""
        before = len(self.sent)
        self.hear(data)
        self.serve()
        return self.sent[before:]


class PaperEvent:
    """An event and its conversations. Accounts are numbered from 1 on; anybody's password is pw-NAME-7q."""

    def __init__(self, settings: Path | EventPlan, teams: list[str], seed: int | None = None) -> None:
        self.plan = settings if isinstance(settings, EventPlan) else read_plan(settings)
        self.accounts = {name: number for number, name in enumerate(teams, 1)}
        self.notes = Notes()
        self.log: list[str] = []
        given = self.plan.settings.event.seed if seed is None else seed
        self.event = Event(self.plan, given or 0, self.notes, self.log.append)
        self.notes.event = self.event
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
        """A new connection, logged in as a team."""
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
