"""One match for people and programs: played by actions or by commands, looked at, copied, viewed."""

from __future__ import annotations

import pytest

from cardrome.errors import CallerError
from cardrome.games.tapdeck.protocol.commands import GET_HP, Command, read_command
from cardrome.games.tapdeck.protocol.game import TapdeckGame, is_query
from cardrome.games.tapdeck.rules.actions import ATTACK, DRAW_CARD, FINISH_BLOCK, PLAY_CARD
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

DECK = "1 D 10 0 0 0 -1\n2 C 10 1 1 0 1\n3 C 1 1 1 0 1"

# The wire


def lethal_attack() -> TapdeckGame:
    """The second player is about to die of an attack; his blocking is open."""
    match = TapdeckGame(deck=DECK)
    for line in ("DRAW_CARD", "DRAW_CARD", "PLAY_CARD 2 -1"):
        assert match.command(0, line).startswith("OK\n")
    match.end_turn()
    match.end_turn()
    assert match.command(0, "ATTACK 2") == "OK\n"
    match.end_turn()
    return match


def test_a_refused_command_can_end_a_match() -> None:
    reply, code, ended = lethal_attack().execute(1, Command(DRAW_CARD))
    assert (reply.split()[:2], code, ended) == ([b"ERR", b"932"], 932, True)


def test_the_end_is_told_once() -> None:
    match = lethal_attack()
    assert match.execute(1, Command(FINISH_BLOCK)) == (b"OK\n", 0, True)
    assert match.execute(1, Command(FINISH_BLOCK))[1:] == (932, False)
    assert match.execute(0, Command(GET_HP))[1:] == (932, False)


def test_numbers_of_any_size_reach_the_rules() -> None:
    match = TapdeckGame(deck=DECK)
    command = read_command(b"ATTACK 0 " + b"9" * 500)
    assert isinstance(command, Command)
    assert match.execute(0, command)[1] == 900
    assert match.table.command(0, 0, ATTACK, -(10**100))[1] == 900
    match.command(0, "DRAW_CARD")
    assert match.table.command(0, 0, PLAY_CARD, 1, 10**100)[1] == 916
    assert match.table.command(0, 0, PLAY_CARD, 1, -(10**100))[1] == 915


def test_a_deck_comes_from_a_seed_a_text_or_an_array() -> None:
    edition = TapdeckEdition(deck_size=30)
    assert TapdeckGame(edition, 5).decks.tobytes() == deck_from_seed(30, 5).tobytes()
    assert TapdeckGame(edition, DECK).decks.tobytes() == parse_deck(DECK).tobytes()
    assert TapdeckGame(TAPDECK, parse_deck(DECK)).command(0, "GET_DECK").splitlines()[1] == "3"


def test_a_match_tells_whose_turn_it_is() -> None:
    match = TapdeckGame(TapdeckEdition(turns=2), DECK)
    assert (match.to_move, match.turn) == (0, 0)
    match.end_turn()
    assert (match.to_move, match.turn) == (1, 1)
    match.end_turn()
    assert match.to_move is None
    match.end_turn()
    assert match.table.turn == 2


def test_commands_in_text_have_no_match_id() -> None:
    match = TapdeckGame(deck=DECK)
    assert match.command(0, " draw_card\r\n") == "OK\n1 D 10 0 0 0 -1\n"
    assert match.command(0, "DRAW_CARD 0") == "ERR 4 too many arguments\n"
    assert match.command(0, "PLAY_CARD 1") == "ERR 3 bad format\n"
    assert match.command(0, "SURRENDER") == "ERR 2 unknown command\n"
    assert match.command(0, "GET_HP\u00a0") == "ERR 2 unknown command\n"
    assert match.command(0, "\udcff") == "ERR 3 bad format\n"


@pytest.mark.parametrize("line", ["", "  \t\r\n"])
def test_nothing_is_no_command(line: str) -> None:
    with pytest.raises(CallerError, match="a command is expected"):
        TapdeckGame(deck=DECK).command(0, line)


def test_questions_and_actions() -> None:
    assert is_query(GET_HP)
    assert not is_query(DRAW_CARD)
