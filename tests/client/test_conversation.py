"""The client's side of the protocol, byte by byte."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.client import requests
from cardrome.client.conversation import LONGEST_LINE, Conversation
from cardrome.client.errors import BadReply, CommandRefused, RefusalCode, refusal, was_refused
from cardrome.errors import CallerError, CardromeError
from cardrome.games.tapdeck.protocol.commands import ERROR_LINES, MEANINGS
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.cards import TapdeckCard
from tests.client.table_talk import logged_in

CARD = TapdeckCard(3, "C", 1, 2, 2, 5, 0)
REPLIES: list[tuple[requests.Request[Any], bytes, Any]] = [
    (requests.wait(), b"OK\nOK\n", None),
    (requests.my_matches(), b"OK\n5\n3 5 7 11 20\n", (3, 5, 7, 11, 20)),
    (requests.my_matches(), b"OK\n0\n\n", ()),
    (requests.final_score(123), b"OK\n10 -10\n", (10, -10)),
    (requests.turn_info(511), b"OK\n0 15\n", (False, 15)),
    (requests.hp(89), b"OK\n10 4 8\n", (10, 4, 8)),
    (requests.card_limits(3), b"OK\n2 2 10\n", (2, 2, 10)),
    (requests.current_mana(12), b"OK\n3\n", 3),
    (requests.deck(722), b"OK\n1\n3 C 1 2 2 5 0\n", (CARD,)),
    (requests.deck(722), b"OK\n0\n", ()),
    (requests.hands(51), b"OK\n1 0\n3 C 1 2 2 5 0\n", ((CARD,), ())),
    (requests.board(12), b"OK\n0 1\n3 C 1 2 2 5 0 1\n", ((), ((CARD, True),))),
    (requests.attackers(100), b"OK\n1\n3 C 1 2 2 5 0\n", (CARD,)),
    (requests.draw_card(611), b"OK\n3 C 1 2 2 5 0\n", CARD),
    (requests.burn_card(702), b"OK\n", None),
]


def test_commands_as_they_are_sent() -> None:
    lines = [request.encode() for request, _, _ in REPLIES]
    assert lines[0] == b"WAIT\n"
    assert lines[3] == b"GET_FINAL_SCORE 123\n"
    assert requests.play_card(51, 13, -6).encode() == b"PLAY_CARD 51 13 -6\n"
    assert requests.block(17, 5, 7).encode() == b"BLOCK 17 5 7\n"
    assert requests.action(9, actions.action_code(actions.ATTACK, 5, 0)).encode() == b"ATTACK 9 5\n"
    assert requests.action(9, actions.action_code(actions.DRAW_CARD, 0, 0)).encode() == b"DRAW_CARD 9\n"


@given(st.lists(st.sampled_from(range(len(REPLIES))), max_size=12), st.integers(1, 40), st.booleans())
def test_replies_are_told_apart_however_they_are_cut(chosen: list[int], size: int, refuse: bool) -> None:
    conversation = logged_in()
    text = b""
    expected: list[Any] = []
    for number in chosen:
        request, reply, meaning = REPLIES[number]
        conversation.send(request)
        text += reply
        expected.append(meaning)
        if refuse:
            conversation.send(request)
            text += ERROR_LINES[932]
            expected.append("refused")
    for start in range(0, len(text), size):
        assert conversation.receive(text[start : start + size]) == b""
    found = ["refused" if isinstance(reply, CommandRefused) else reply for reply in conversation.done]
    assert found == expected
    assert conversation.due == 0
    assert conversation.between_replies


def test_forced_waiting_ends_with_an_ok() -> None:
    conversation = logged_in()
    for request in (requests.hp(1), requests.burn_card(1), requests.wait()):
        conversation.send(request)
    conversation.receive(ERROR_LINES[6])
    assert not conversation.done
    assert not conversation.between_replies
    conversation.receive(b"OK\nOK\n" + ERROR_LINES[6] + b"OK\n")
    first, second, third = conversation.done
    assert was_refused(first, RefusalCode.COMMANDS_LIMIT)
    assert second is None
    assert was_refused(third, RefusalCode.COMMANDS_LIMIT)


def test_a_refusal_tells_its_code_its_name_and_its_meaning() -> None:
    assert sorted(RefusalCode) == sorted(MEANINGS)
    for code, line in ERROR_LINES.items():
        error = refusal(line.decode())
        assert isinstance(error, CardromeError)
        assert error.code == code == RefusalCode[error.name]
        # What the protocol says is the meaning, behind the name in the protocol's spelling if it is there.
        spelling = error.name.replace("_", "").lower()
        assert MEANINGS[code].lower() in (error.meaning.lower(), f"{spelling} {error.meaning.lower()}")
        assert str(error) == f"{code} {error.name}: {error.meaning}" == str(CommandRefused(code))
    assert refusal("ERR 913 not now").meaning == "not now"
    unknown = refusal("ERR 777 SomethingNew in a later version")
    assert (unknown.code, unknown.name, str(unknown)) == (777, "", "777: SomethingNew in a later version")
    assert was_refused(unknown) is False
    assert not was_refused("OK", RefusalCode.NOT_YOUR_TURN)


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (requests.hp(1), b"WHAT\n"),
        (requests.hp(1), b"ERR\n"),
        (requests.hp(1), b"ERR x\n"),
        (requests.hp(1), b"ERR 1 bad login or password\n"),
        (requests.hp(1), b"OK\n1 2\n"),
        (requests.hp(1), b"OK\n1 2 x\n"),
        (requests.hp(1), b"OK\n1 2 99999999999999999999\n"),
        (requests.hp(1), b"OK\n1 2 3\nmore\n"),
        (requests.turn_info(1), b"OK\n2 3\n"),
        (requests.my_matches(), b"OK\n3\n1 2\n"),
        (requests.deck(1), b"OK\n1000000\n"),
        (requests.deck(1), b"OK\n-1\n"),
        (requests.deck(1), b"OK\n1\n3 C 1 2 2 5\n"),
        (requests.deck(1), b"OK\n1\n3 X 1 2 2 5 0\n"),
        (requests.deck(1), b"OK\n1\n3 C 1 2 2 99999 0\n"),
        (requests.deck(1), b"OK\n1\n0 C 1 2 2 5 0\n"),
        (requests.board(1), b"OK\n1 0\n3 C 1 2 2 5 0 2\n"),
        (requests.board(1), b"OK\n1 0\n3 H 1 2 2 5 -1 0\n"),
        (requests.wait(), b"OK\nERR 5 internal error\n"),
        (requests.hp(1), b"x" * (LONGEST_LINE + 1)),
        (requests.hp(1), b"x" * (LONGEST_LINE + 1) + b"\n"),
    ],
)
def test_replies_that_no_server_sends(request_: requests.Request[object], reply: bytes) -> None:
    conversation = logged_in()
    conversation.send(request_)
    with pytest.raises(BadReply):
        conversation.receive(reply)


@given(st.binary(max_size=300), st.integers(0, 1 << 20))
def test_noise_is_a_bad_reply_or_none(noise: bytes, seed: int) -> None:
    conversation = logged_in()
    for _ in range(3):
        conversation.send(random.Random(seed).choice(REPLIES)[0])
    with contextlib.suppress(BadReply):
        conversation.receive(b"OK\n" + noise)
    assert len(conversation.done) <= 3


def test_login() -> None:
    refused = Conversation("a", "b")
    assert refused.receive(b"LOGIN\r\n") == b"a\n"
    with pytest.raises(CommandRefused) as caught:
        refused.receive(b"PASS\nERR 1 bad login or password\n")
    assert caught.value.code == RefusalCode.BAD_LOGIN
    with pytest.raises(BadReply):
        Conversation("a", "b").receive(b"HTTP/1.1 400 Bad Request\n")
    with pytest.raises(BadReply):
        Conversation("a", "b").receive(b"OK\n")
    for login, password in (("", "b"), ("a\nb", "c"), ("a", " ")):
        with pytest.raises(CallerError):
            Conversation(login, password)


def test_the_cache_of_cards_is_bounded() -> None:
    assert requests._card.cache_parameters()["maxsize"] is not None
