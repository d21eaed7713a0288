"""The secret that everything dealt in a tournament or an event follows from.

It is drawn at the beginning and long enough that no deal betrays it. A commitment to it, its hash, can be published at
once, and the secret itself at the end: then everybody can check that the deals were fixed from the start.
"""

from __future__ import annotations

import hashlib
import secrets

BITS = 256
SEEDS = 1 << 62
"""Seeds that people give to repeat something are smaller, and no secrets; practically all drawn secrets are larger."""


def draw_secret() -> int:
    """A new secret."""
    return secrets.randbits(BITS)


def is_public(secret: int) -> bool:
    """Whether it is a seed that somebody chose, which is too short to hide."""
    return secret < SEEDS


def derived(secret: int, kind: str, *what: object) -> int:
    """A number of 62 bits that follows from a secret and some words, the same on every machine and in every version.

    It is a cryptographic hash: without the secret, a derived number tells nothing about the others.
    """
    text = " ".join(["cardrome", kind, str(secret), *map(str, what)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 2


def published_commitment(secret: int) -> str | None:
    """The commitment to a secret; None for a seed that somebody chose, since it could be found by trying."""
    return None if is_public(secret) else commitment(secret)


def commitment(secret: int) -> str:
    """The SHA-256 of the secret's decimal digits, in hexadecimal: ``printf %s SECRET | sha256sum``."""
    return hashlib.sha256(str(secret).encode()).hexdigest()
