"""Text from outside, made safe to show."""

from __future__ import annotations

from cardrome.escaping import encodable, printable


def test_what_a_terminal_would_obey_is_spelled_out() -> None:
    assert printable("\x1b[2J\n") == "\\x1b[2J\\n"


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    assert encodable("a\ud800b") == "a?b"
