"""Numbers as Java reads them: ``Integer.parseInt`` and ``Long.parseLong``."""

from __future__ import annotations

import re

_DECIMAL = re.compile(r"([+-]?)0*([0-9]*)")


def parse_java_integer(text: str, bits: int) -> int | None:
    """Parse a decimal number of this many bits, with an optional sign and any leading zeros; None if it is not one."""
    match = _DECIMAL.fullmatch(text)
    if match is None or not text[-1:].isdigit() or len(match[2]) > bits // 3:
        return None
    value = int(match[1] + (match[2] or "0"))
    return value if -(1 << bits - 1) <= value < 1 << bits - 1 else None
