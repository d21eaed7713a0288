"""Text that somebody else wrote, made safe for a terminal and for a file."""

from __future__ import annotations


def printable(text: str, limit: int = 200) -> str:
    """Text fit for a terminal: one line, nothing that moves the cursor or hides."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


def encodable(text: str) -> str:
    """Text fit for a file: lone surrogates, as they come from bytes that are not UTF-8, become question marks."""
    return text.encode("utf-8", "replace").decode()
