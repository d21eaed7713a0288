"""Passwords: kept as salted slow hashes, checked in the same time whether or not the name is known.

A hash is a text, ``scrypt$14$8$1$SALT$KEY``: the base-2 logarithm of scrypt's N, its r and p, then base64.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

LOG_N, R, P = 14, 8, 1
"""What new hashes cost: 16 MiB and a few hundredths of a second."""
SALT_BYTES = 16
KEY_BYTES = 32

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no i, l, o, 0, 1: they are read to people over a table


def hash_password(password: str) -> str:
    """The text to store for a password; another one each time."""
    salt = secrets.token_bytes(SALT_BYTES)
    key = _derive(password, _Hash(LOG_N, R, P, salt, b"\0" * KEY_BYTES))
    encoded = (base64.b64encode(part).decode("ascii") for part in (salt, key))
    return "$".join(["scrypt", str(LOG_N), str(R), str(P), *encoded])


def verify_password(password: str, stored: str) -> bool:
    """Whether this is the password of a stored hash. A text that is no hash fits no password."""
    parsed = _parse(stored)
    return parsed is not None and hmac.compare_digest(_derive(password, parsed), parsed.key)


def needs_rehash(stored: str) -> bool:
    """Whether a hash was made with other costs than new ones are."""
    parsed = _parse(stored)
    return parsed is None or (parsed.log_n, parsed.r, parsed.p, len(parsed.key)) != (LOG_N, R, P, KEY_BYTES)


def random_password() -> str:
    """A password of 59 random bits that can be read aloud and typed, such as ``k7mp-xw2q-9dha``."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


@dataclass(frozen=True)
class Credentials:
    """What is known about an account that may log in."""

    account: int
    password_hash: str = field(repr=False)


class PasswordChecker:
    """Checks logins, several times a second for accounts that reconnect without end.

    A check takes as long as scrypt does, so it belongs in a worker thread; in few of them, since each takes 16 MiB and
    a processor. A password that was right before is recognised at once, until the account's hash changes.
    """

    def __init__(
        self,
        find: Callable[[str], Credentials | None],
        replace_hash: Callable[[Credentials, str], None] | None = None,
    ) -> None:
        """``find`` looks a name up; ``replace_hash`` stores a new hash for one that was made with other costs."""
        self._find = find
        self._replace_hash = replace_hash
        self._key = secrets.token_bytes(32)
        self._nobody = hash_password(secrets.token_hex(16))
        self._seen: dict[int, bytes] = {}

    def check(self, name: str, password: str) -> int | None:
        """The account that may log in with these, or None."""
        found = self._find(name)
        if found is None:
            verify_password(password, self._nobody)  # or the time taken would tell which names there are
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
        """What is remembered of a right password: worthless without this process's key, void for any other hash."""
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
    # Bounds, lest a damaged text ask for all memory. An empty key would fit every password.
    usable = kind == "scrypt" and 1 <= log_n <= 20 and 1 <= r <= 32 and 1 <= p <= 16 and 16 <= len(found.key) <= 64
    return found if usable else None


def _derive(password: str, of: _Hash) -> bytes:
    n = 1 << of.log_n
    memory = 128 * of.r * (n + of.p + 2) + (1 << 20)
    return hashlib.scrypt(_bytes(password), salt=of.salt, n=n, r=of.r, p=of.p, maxmem=memory, dklen=len(of.key))


def _bytes(password: str) -> bytes:
    # A password from the network may hold anything; none makes this raise, and so appear in a traceback.
    return password.encode("utf-8", "surrogatepass")
