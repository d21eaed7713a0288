"""Passwords: stored as salted slow hashes, and checked in the same time whether or not the name is known. Guessing is
slowed down by counting failed logins.

A hash is a text, ``scrypt$14$8$1$SALT$KEY``: the base-2 logarithm of scrypt's N, its r and p, then base64.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from cardrome.wording import counted

LOG_N, R, P = 14, 8, 1
"""The cost of new hashes: 16 MiB and a few hundredths of a second."""
SALT_BYTES = 16
KEY_BYTES = 32

REPORT_SECONDS = 10.0
"""Seconds between two reports about what clients do over and over, such as failed logins."""

LOCKED_SECONDS = 1.0
"""Seconds between two logins that are checked although too many have failed."""

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no i, l, o, 0, 1: passwords are read aloud and typed


def hash_password(password: str) -> str:
    """The text to store for a password, different each time."""
    salt = secrets.token_bytes(SALT_BYTES)
    key = _derive(password, _Hash(LOG_N, R, P, salt, b"\0" * KEY_BYTES))
    encoded = (base64.b64encode(part).decode("ascii") for part in (salt, key))
    return "$".join(["scrypt", str(LOG_N), str(R), str(P), *encoded])


def verify_password(password: str, stored: str) -> bool:
    """Whether this is the password of a stored hash. No password fits a malformed hash."""
    parsed = _parse(stored)
    return parsed is not None and hmac.compare_digest(_derive(password, parsed), parsed.key)


def needs_rehash(stored: str) -> bool:
    """Whether a hash was made with other costs than today's."""
    parsed = _parse(stored)
    return parsed is None or (parsed.log_n, parsed.r, parsed.p, len(parsed.key)) != (LOG_N, R, P, KEY_BYTES)


def random_password() -> str:
    """A password of 59 random bits that is easy to read aloud and type, such as ``k7mp-xw2q-9dha``."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


@dataclass(frozen=True)
class Credentials:
    """What a login to an account is checked against."""

    account: int
    password_hash: str = field(repr=False)

    @property
    def mark(self) -> str:
        """Changes with the password and tells nothing about it."""
        return hashlib.sha256(self.password_hash.encode()).hexdigest()


class PasswordChecker:
    """Checks logins, even of clients that reconnect several times a second.

    A check is as slow as scrypt, so it belongs in a worker thread; use few of them, since each check takes 16 MiB and a
    core. A password that was right before is recognised at once, until the account's hash changes.
    """

    def __init__(
        self,
        find: Callable[[str], Credentials | None],
        replace_hash: Callable[[Credentials, str], None] | None = None,
    ) -> None:
        """``find`` looks up a name; ``replace_hash`` replaces a hash that was made with other costs."""
        self._find = find
        self._replace_hash = replace_hash
        self._key = secrets.token_bytes(32)
        self._nobody = hash_password(secrets.token_hex(16))
        self._seen: dict[int, bytes] = {}

    def knows(self, name: str) -> bool:
        """Whether an account has this name."""
        return self._find(name) is not None

    def check(self, name: str, password: str) -> int | None:
        """The account that this name and password belong to, or None."""
        found = self._find(name)
        if found is None:
            verify_password(password, self._nobody)  # or the time taken would tell which names exist
            return None
        mark = self._mark(password, found.password_hash)
        if hmac.compare_digest(self._seen.get(found.account, b""), mark):
            return found.account
        if not verify_password(password, found.password_hash):
            return None
        self._seen[found.account] = mark
        if self._replace_hash is not None and needs_rehash(found.password_hash):
            self._replace_hash(found, hash_password(password))
        return found.account

    def _mark(self, password: str, stored: str) -> bytes:
        """What to remember of a right password: worthless without this process's key, and void for any other hash."""
        text = hashlib.sha256(stored.encode()).digest() + _bytes(password)
        return hmac.digest(self._key, text, "sha256")


class _Hash(NamedTuple):
    log_n: int
    r: int
    p: int
    salt: bytes
    key: bytes


def _parse(stored: str) -> _Hash | None:
    try:
        kind, *costs, salt, key = stored.split("$")
        log_n, r, p = (int(cost) for cost in costs)
        found = _Hash(log_n, r, p, base64.b64decode(salt, validate=True), base64.b64decode(key, validate=True))
    except (ValueError, binascii.Error):
        return None
    # Bounds, so that a damaged text cannot ask for all memory. An empty key would fit every password.
    usable = kind == "scrypt" and 1 <= log_n <= 20 and 1 <= r <= 32 and 1 <= p <= 16 and 16 <= len(found.key) <= 64
    return found if usable else None


def _derive(password: str, of: _Hash) -> bytes:
    n = 1 << of.log_n
    memory = 128 * of.r * (n + of.p + 2) + (1 << 20)
    return hashlib.scrypt(_bytes(password), salt=of.salt, n=n, r=of.r, p=of.p, maxmem=memory, dklen=len(of.key))


def _bytes(password: str) -> bytes:
    # Whatever comes over the network, this must not raise: the traceback would show the password.
    return password.encode("utf-8", "surrogatepass")


class FailedLogins:
    """Failed logins of the last minute, by account and address, and what the log says about them.

    A team whose password is being guessed can log in from elsewhere, and everybody else from the same address. Even
    from there it gets in, though perhaps not at once: one login a second is still checked.
    """

    def __init__(self, allowed: int, log: Callable[[str], None]) -> None:
        """``allowed`` is how many an account may have from an address in a minute."""
        self._allowed = allowed
        self._log = log
        self.counts: Counter[str] = Counter()
        """All failed logins by account, those that were not checked included; "" for names that nobody has."""
        self._times: dict[tuple[str | None, str], deque[float]] = {}
        self._checked: dict[tuple[str | None, str], float] = {}
        """When a login was last allowed although too many had failed."""
        self._untold: Counter[tuple[str | None, str]] = Counter()
        self._told = time.monotonic()

    def may_try(self, name: str | None, address: str) -> bool:
        """Whether a login may be checked now. The name is None for all that belong to nobody."""
        self.forget()
        key, now = (name, address), time.monotonic()
        times = self._times.get(key)
        if times is None or len(times) < self._allowed:
            return True
        if now - max(times[-1], self._checked.get(key, 0.0)) < LOCKED_SECONDS:
            return False
        self._checked[key] = now
        return True

    def add(self, name: str | None, address: str) -> None:
        """A login failed, or was refused because too many had."""
        self.counts[name or ""] += 1
        times = self._times.setdefault((name, address), deque(maxlen=self._allowed))
        if len(times) < self._allowed:  # those that were not checked do not prolong the minute
            times.append(time.monotonic())
            if len(times) == 1:
                self._log(f"a login as {name or 'a team that does not exist'} from {address} failed")
                return
        self._untold[name, address] += 1

    def forget(self) -> None:
        """Forget failures of more than a minute ago, and report what came since the last report."""
        now = time.monotonic()
        for key, times in list(self._times.items()):
            while times and times[0] < now - 60:
                times.popleft()
            if not times:
                del self._times[key]
                self._checked.pop(key, None)
        if now - self._told > REPORT_SECONDS:
            self.report()

    def report(self) -> None:
        """One line for each account and address, however many logins failed."""
        self._told = time.monotonic()
        for (name, address), count in self._untold.items():
            who = name or "teams that do not exist"
            self._log(f"{counted(count, 'more login')} as {who} from {address} failed")
        self._untold.clear()
