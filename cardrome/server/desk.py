"""What a page may ask of a running event on behalf of teams and the operator, from threads of its own.

Whatever the operator orders is stored first, and then the event is told to look at its store: when a call returns, the
order holds, and a killed server would remember it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

import msgspec

from cardrome.games.tapdeck.protocol.commands import INTERNAL_ERROR, TOO_MANY_LOGINS
from cardrome.server.passwords import PasswordChecker, random_password
from cardrome.server.store.accounts import Account
from cardrome.server.store.control import Orders
from cardrome.server.store.store import EventStore

if TYPE_CHECKING:
    from cardrome.server.connection import Lobby

OPERATOR = "the operator"
"""How the operator's logins are counted; no team can have a name with white space."""


class Refused(Exception):
    """A login was refused: ``locked`` if there were too many, ``away`` if it could not be checked."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class TeamAccount(msgspec.Struct, frozen=True):
    """A team as the operator sees it."""

    name: str
    active: bool
    connections: int
    failed: int
    """Failed logins."""


class EventDesk:
    """The counter of an event. Coroutines run in any event loop; the other methods wait: call them in a thread."""

    def __init__(self, store: EventStore, lobby: Lobby, checker: PasswordChecker, look: Callable[[], None]) -> None:
        """``look`` tells the event that something has changed in its store, and returns when it knows."""
        self._store = store
        self._lobby = lobby
        self._teams = checker
        self._operators = PasswordChecker(store.control.credentials)
        self._look = look
        self.loop: asyncio.AbstractEventLoop | None = None
        """The event's."""

    # Logging in

    async def team(self, name: str, password: str, address: str) -> int:
        """The account of a team; `Refused` if the password is wrong. Failures count like those of its programs."""
        return await self._check(self._teams, name, password, address)

    async def operator(self, password: str, address: str) -> int:
        """Return 0 if this is the operator's password; otherwise `Refused`."""
        return await self._check(self._operators, OPERATOR, password, address)

    async def _check(self, checker: PasswordChecker, name: str, password: str, address: str) -> int:
        if self.loop is None or self.loop.is_closed():
            raise Refused("away")
        asked: Future[tuple[int | None, int]] = asyncio.run_coroutine_threadsafe(
            self._lobby.check(checker, name, password, address), self.loop
        )
        account, code = await asyncio.wrap_future(asked)
        if account is None:
            raise Refused({TOO_MANY_LOGINS: "locked", INTERNAL_ERROR: "away"}.get(code, "wrong"))
        return account

    def mark(self, team: str | None) -> str | None:
        """Changes with the password of a team, or of the operator if None; None if they cannot log in at all."""
        found = self._store.control.credentials() if team is None else self._store.accounts.credentials(team)
        return None if found is None else found.mark

    # The operator's orders

    def orders(self) -> Orders:
        """What holds now."""
        return self._store.control.orders()

    def pause(self, paused: bool) -> None:
        """Let no tournament begin, or go on."""
        self._store.control.pause(paused)
        self._look()

    def announce(self, text: str) -> None:
        """Show a message to everybody."""
        self._store.control.announce(text)
        self._look()

    def withdraw(self, announcement: int) -> None:
        """Take a message back."""
        self._store.control.withdraw(announcement)
        self._look()

    def add_team(self, name: str) -> str:
        """Add a team, or bring a removed one back; returns its password, which cannot be read again."""
        password = random_password()
        self._store.accounts.add(name, password)
        self._look()
        return password

    def reset_password(self, name: str) -> str:
        """Give a team another password, and return it. Open connections stay."""
        password = random_password()
        self._store.accounts.change_password(name, password)
        return password

    def remove_team(self, name: str) -> None:
        """Remove a team and cut its connections; its results stay."""
        self._store.accounts.remove(name)
        self._look()

    def teams(self) -> tuple[list[TeamAccount], int]:
        """All teams by name, and the failed logins with names that nobody has."""
        counts = dict(self._lobby.failures.counts)
        here = {team.name: team.connections for team in list(self._lobby.event.teams.values())}
        found = [self._team(account, here, counts) for account in self._store.accounts.all()]
        return found, counts.get("", 0)

    @property
    def failed_operator_logins(self) -> int:
        """Failed logins of the operator."""
        return self._lobby.failures.counts[OPERATOR]

    @staticmethod
    def _team(account: Account, here: dict[str, int], failed: dict[str, int]) -> TeamAccount:
        return TeamAccount(account.name, account.active, here.get(account.name, 0), failed.get(account.name, 0))
