"""Text that somebody else wrote, made fit for a terminal and for a file."""

from __future__ import annotations


def printable(text: str, limit: int = 200) -> str:
    """A text that somebody else wrote, fit for a terminal: one line, nothing that moves the cursor or hides."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


def encodable(text: str) -> str:
    """A text fit for a file: half characters, as they come from bytes that are no UTF-8, become question marks."""
    return text.encode("utf-8", "replace").decode()
