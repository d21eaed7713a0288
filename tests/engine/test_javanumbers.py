"""Numbers as Java reads them."""

import pytest

from cardrome.engine.javanumbers import parse_java_integer


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("+7", 7),
        ("007", 7),
        ("-" + "0" * 9000 + "5", -5),
        ("2147483647", 2147483647),
        ("-2147483648", -2147483648),
        ("2147483648", None),
        ("-2147483649", None),
        ("9" * 9000, None),
        ("", None),
        ("+", None),
        ("-", None),
        ("--1", None),
        ("1_000", None),
        (" 1", None),
        ("1\n", None),
        ("0x10", None),
        ("1.0", None),
        ("٣", None),
    ],
)
def test_32_bits(text: str, value: int | None) -> None:
    assert parse_java_integer(text, 32) == value


def test_64_bits() -> None:
    assert parse_java_integer(str(-(1 << 63)), 64) == -(1 << 63)
    assert parse_java_integer(str((1 << 63) - 1), 64) == (1 << 63) - 1
    assert parse_java_integer(str(1 << 63), 64) is None
