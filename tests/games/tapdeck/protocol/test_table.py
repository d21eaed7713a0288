"""Matches side by side, and one match for people."""

from __future__ import annotations

import pytest

from cardrome.errors import CallerError
from cardrome.games.tapdeck.protocol.commands import GET_HP, GET_TURN_INFO, Command, read_command
from cardrome.games.tapdeck.protocol.table import Table, TapdeckGame, TapdeckOutcome, is_query
from cardrome.games.tapdeck.rules.actions import ATTACK, DRAW_CARD, FINISH_BLOCK, PLAY_CARD
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

DECK = "1 D 10 0 0 0 -1\n2 C 10 1 1 0 1\n3 C 1 1 1 0 1"


def three_matches() -> Table:
    return Table(TapdeckEdition(turns=6), parse_deck(DECK), 3)


def test_matches_do_not_touch_each_other() -> None:
    table = three_matches()
    before = table.states.copy()
    assert table.command(1, 0, DRAW_CARD) == (b"OK\n1 D 10 0 0 0 -1\n", 0, False)
    assert table.states[0].tobytes() == before[0].tobytes()
    assert table.states[2].tobytes() == before[2].tobytes()
    assert table.command(2, 0, DRAW_CARD) == (b"OK\n1 D 10 0 0 0 -1\n", 0, False)


def test_matches_change_turn_together_and_the_ended_stay_ended() -> None:
    table = three_matches()
    table.command(1, 0, DRAW_CARD)
    assert table.command(1, 0, PLAY_CARD, 1, -6) == (b"OK\n", 0, True)
    assert table.ended().tolist() == [1]
    frozen = table.states[1].tobytes()
    for left in (5, 4, 3, 2, 1):
        assert table.tick() == 2
        assert table.command(0, 0, GET_TURN_INFO)[0] == f"OK\n{1 - left % 2} {left}\n".encode()
    assert table.tick() == 0
    assert table.ended().tolist() == [0, 1, 2]
    assert table.states[1].tobytes() == frozen
    assert table.turn == 6


def test_outcomes() -> None:
    table = three_matches()
    table.command(1, 0, DRAW_CARD)
    table.command(1, 0, PLAY_CARD, 1, -5)
    assert table.outcome(0) is None
    assert table.outcome(1) == TapdeckOutcome("health", (0, 10), (-10, 40))
    for _ in range(6):
        table.tick()
    assert table.outcome(0) == TapdeckOutcome("turns", (10, 10), (15, 15))


@pytest.mark.parametrize(("scores", "winner"), [((40, -10), 0), ((-10, 40), 1), ((15, 15), None), ((14, 16), 1)])
def test_the_winner_has_the_higher_score(scores: tuple[int, int], winner: int | None) -> None:
    assert TapdeckOutcome("turns", (1, 1), scores).winner == winner


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
    assert TapdeckGame(edition, 5).deck.tobytes() == deck_from_seed(30, 5).tobytes()
    assert TapdeckGame(edition, DECK).deck.tobytes() == parse_deck(DECK).tobytes()
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
