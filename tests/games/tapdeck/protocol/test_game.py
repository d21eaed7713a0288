"""One match for people and programs: played by actions or by commands, looked at, copied, viewed."""

from __future__ import annotations

import pytest

from cardrome.errors import CallerError, IllegalAction, InvalidDeal
from cardrome.games.tapdeck.protocol.commands import GET_HP, Command, read_command
from cardrome.games.tapdeck.protocol.game import TapdeckGame, is_query
from cardrome.games.tapdeck.protocol.story import draw
from cardrome.games.tapdeck.rules.actions import ATTACK, DRAW_CARD, FINISH_BLOCK, PLAY_CARD, action_code
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition
from tests.games.tapdeck.rules.position import EXAMPLE

DECK = "1 D 10 0 0 0 -1\n2 C 10 1 1 0 1\n3 C 1 1 1 0 1"

# The wire


def lethal_attack() -> TapdeckGame:
    """The second player is about to die of an attack; his blocking is open."""
    match = TapdeckGame(EXAMPLE, DECK)
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
    match = TapdeckGame(EXAMPLE, DECK)
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


@pytest.mark.parametrize("seed", [-1, 1 << 62])
def test_a_seed_has_62_bits(seed: int) -> None:
    with pytest.raises(InvalidDeal, match=f"seed {seed}; "):
        TapdeckGame(EXAMPLE, seed)


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
    match = TapdeckGame(EXAMPLE, DECK)
    assert match.command(0, " draw_card\r\n") == "OK\n1 D 10 0 0 0 -1\n"
    assert match.command(0, "DRAW_CARD 0") == "ERR 4 too many arguments\n"
    assert match.command(0, "PLAY_CARD 1") == "ERR 3 bad format\n"
    assert match.command(0, "SURRENDER") == "ERR 2 unknown command\n"
    assert match.command(0, "GET_HP\u00a0") == "ERR 2 unknown command\n"
    assert match.command(0, "\udcff") == "ERR 3 bad format\n"


@pytest.mark.parametrize("line", ["", "  \t\r\n"])
def test_nothing_is_no_command(line: str) -> None:
    with pytest.raises(CallerError, match="expected a command"):
        TapdeckGame(EXAMPLE, DECK).command(0, line)


def test_questions_and_actions() -> None:
    assert is_query(GET_HP)
    assert not is_query(DRAW_CARD)


# Actions


def test_actions_are_the_commands_of_the_wire_and_the_end_of_the_turn() -> None:
    game = TapdeckGame(EXAMPLE, DECK)
    assert game.legal_actions == ["FINISH_BLOCK", "END_TURN"]
    game.push("finish_block")
    assert game.legal_actions == ["DRAW_CARD", "BURN_CARD", "END_TURN"]
    game.push("DRAW_CARD")
    game.push(" END_TURN ")
    assert (game.turn, game.to_move) == (1, 1)
    assert [game.pop() for _ in range(3)] == ["END_TURN", "DRAW_CARD", "FINISH_BLOCK"]
    assert game == TapdeckGame(EXAMPLE, DECK)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("GET_HP", "'GET_HP' asks and does nothing; it is not an action"),
        ("wait", "'wait' names no match and is not an action; END_TURN ends a turn"),
        ("GET_MY_MATCHES", "'GET_MY_MATCHES' names no match and is not an action"),
        ("SURRENDER", "'SURRENDER': unknown command"),
        ("ATTACK", "'ATTACK': bad format"),
        ("ATTACK 1 2 3", "'ATTACK 1 2 3': too many arguments"),
        ("", "expected a command"),
        ("ATTACK 1", "'ATTACK 1' is not legal here; legal: "),
        ("ATTACK " + "9" * 50, "is not legal here"),
    ],
)
def test_what_is_no_action_is_refused(text: str, message: str) -> None:
    game = TapdeckGame(EXAMPLE, DECK)
    with pytest.raises(IllegalAction) as caught:
        game.push(text)
    assert message in str(caught.value)
    assert game == TapdeckGame(EXAMPLE, DECK)


def test_what_is_not_legal_can_be_tried_and_changes_nothing() -> None:
    game = TapdeckGame(EXAMPLE, DECK)
    assert not game.try_play(action_code(ATTACK, 2, 0))
    assert game == TapdeckGame(EXAMPLE, DECK)
    assert game.try_play(action_code(FINISH_BLOCK, 0, 0))
    assert game.actions == [action_code(FINISH_BLOCK, 0, 0)]


# Looking


def test_the_players_of_a_match() -> None:
    game = lethal_attack()
    first, second = game.players
    assert repr(first) == "<player 0: 10 health, 0 mana, 1 cards, 1 creatures>"
    assert repr(second) == "<player 1: 10 health, 0 mana, 0 cards, 0 creatures>"
    assert [card.id for card in first.hand] == [1]
    assert [creature.card.id for creature in first.board] == [2]
    game.end_turn()
    assert (second.health, game.scores) == (0, (40, -10))
    game = TapdeckGame(EXAMPLE, DECK)
    game.states["mana"] = 3
    assert [side.mana for side in game.players] == [3, 0]


def test_a_copy_goes_its_own_way() -> None:
    game = lethal_attack()
    for position in (game.view(1), game.snapshot()):
        twin = position.copy()
        assert type(twin) is type(position)
        assert twin == position
        assert str(twin) == str(position) == draw(game)
        twin.states["health"][:] = 1
        assert position.health == (10, 10)


# Views


def test_everybody_sees_everything_but_only_the_one_to_move_has_actions() -> None:
    game = TapdeckGame(EXAMPLE, 3)
    for action in ("FINISH_BLOCK", "DRAW_CARD", "DRAW_CARD"):
        game.push(action)
    first, second = game.view(0), game.view(1)
    assert (first.viewer, second.viewer) == (0, 1)
    assert first.hand(0) == second.hand(0) == game.hand(0) != []
    assert first.deck == second.deck == game.deck
    assert first.legal_actions == game.legal_actions
    assert second.legal_actions == []


def test_what_happens_to_a_view_does_not_happen_to_the_match() -> None:
    game = TapdeckGame(EXAMPLE, 3)
    view = game.view(0)
    view.states["health"][:] = 1
    assert game.health == (10, 10)
    game.push("FINISH_BLOCK")
    game.push("DRAW_CARD")
    assert view.hand(0) == []


def test_a_match_can_be_tried_out_from_a_view() -> None:
    game = TapdeckGame(EXAMPLE, 3)
    game.push("FINISH_BLOCK")
    game.push("DRAW_CARD")
    trial = game.view(0).determinize(1)
    assert trial == game
    trial.push("DRAW_CARD")
    assert (len(trial.hand(0)), len(game.hand(0))) == (2, 1)
    trial.pop()
    assert trial == game
