"""The readable form of a match: exact round trips, positions set up by hand, and every way to get one wrong."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardrome
from cardrome.errors import InvalidPosition
from cardrome.games.game import Action, Ending, Outcome
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckView
from cardrome.games.tapdeck.protocol.position import from_dict, to_json
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.rules.play import TICK, RandomMatch
from tests.games.tapdeck.rules.position import EXAMPLE
from tests.profiles import examples

DECK = ["1 C 2 3 3 0 1", "2 C 1 1 1 0 0", "3 D 4 0 0 0 -1", "4 C 5 5 5 2 1", "5 C 1 2 2 0 0", "6 H 0 2 0 0 -1"]


def set_up(**fields: Any) -> TapdeckGame:
    """A game that goes on from a position set up by hand."""
    game = from_dict({"edition": "tapdeck", "rules": EXAMPLE.numbers(), "deck": DECK, **fields})
    assert isinstance(game, TapdeckGame)
    return game


def finish(game: TapdeckGame, choices: random.Random) -> list[bytes]:
    """Play at random to the end; returns the state behind every action."""
    states = []
    while not game.is_over:
        game.push(choices.choice(game.legal_actions))
        states.append(game.states.tobytes())
    return states


def choice_of(game: TapdeckGame, choices: random.Random) -> Action:
    """Any legal action, seldom the end of the turn."""
    actions = game.legal_actions
    return choices.choice(actions[:-1] if len(actions) > 1 and choices.random() < 0.9 else actions)


# Round trips


@examples(50)
@given(st.integers(0, 1 << 32), st.integers(0, 250))
def test_every_position_comes_back_as_it_was(seed: int, commands: int) -> None:
    random_match = RandomMatch(seed)
    match = random_match.match
    for _ in range(commands):
        player, line = random_match.next()
        if line == TICK:
            match.end_turn()
        else:
            match.command(player, line)
    for position in (match, match.view(0), match.view(1)):
        text = cardrome.to_json(position)
        again = cardrome.from_json(text)
        assert type(again) is type(position)
        assert again == position
        assert again.viewer == position.viewer
        assert again.outcome == position.outcome
        assert again.legal_actions == position.legal_actions
        assert cardrome.to_json(again) == text


@pytest.mark.parametrize("seed", range(6))
def test_a_loaded_game_goes_on_as_the_saved_one(seed: int) -> None:
    game = TapdeckGame(TapdeckEdition(turns=20, deck_size=50), seed)
    choices = random.Random(seed)
    for _ in range(25):
        game.push(choice_of(game, choices))
    twin = cardrome.from_json(cardrome.to_json(game))
    assert isinstance(twin, TapdeckGame)
    finish(game, random.Random(1))
    finish(twin, random.Random(1))
    assert twin == game
    assert twin.outcome == game.outcome
    assert twin.health == game.health


def test_a_new_game_is_one_again() -> None:
    game = cardrome.new_game("tapdeck", seed=7)
    again = cardrome.from_json(cardrome.to_json(game))
    assert again == game
    assert isinstance(again, TapdeckGame)
    assert again.deal is not None  # the deck itself


# Set up by hand


def test_an_edition_alone_is_the_first_turn_of_a_match() -> None:
    assert from_dict({"edition": "tapdeck"}) == TapdeckGame()
    game = from_dict({"edition": "tapdeck", "seed": 7})
    assert game == cardrome.new_game("tapdeck", seed=7)
    assert isinstance(game, TapdeckGame)
    assert game.deal is not None
    assert game.deal.params() == {"seed": "7"}


def test_rules_and_deck() -> None:
    game = set_up(rules={"initial_health": 30, "turns": 8})
    assert game.edition == TapdeckEdition(initial_health=30, turns=8)
    assert game.health == (30, 30)
    assert [str(card) for card in game.deck] == DECK


def test_hands_boards_and_what_is_left_of_the_deck() -> None:
    game = set_up(hands=[[3], [2]], board=[{"card": 1, "owner": 0, "awake": True}], blocking=False, mana=3)
    assert [[card.id for card in player.hand] for player in game.players] == [[3], [2]]
    creature = game.players[0].board[0]
    assert (creature.id, creature.attack, creature.health, creature.max_health) == (1, 2, 3, 3)
    assert (creature.awake, creature.attacks, creature.blocked) == (True, 0, False)
    assert [card.id for card in game.deck] == [4, 5, 6]
    assert (game.mana, game.draws_left, game.burns_left, game.phase) == (3, 2, 2, "acting")
    assert set(game.legal_actions) == {
        "DRAW_CARD", "BURN_CARD", "DISCARD_CARD 3", "PLAY_CARD 3 -5", "PLAY_CARD 3 -6", "PLAY_CARD 3 1",
        "ADD_MANA 1", "ATTACK 1", "END_TURN",
    }  # fmt: skip
    assert (game.deal, game.actions) == (None, [])


def test_cards_may_be_gone() -> None:
    game = set_up(hands=[[2], []], drawn=5)
    assert [card.id for card in game.deck] == [6]
    assert set_up(drawn=0) == set_up()


def test_turn_and_health_say_whose_turn_it_is_and_whether_it_is_over() -> None:
    assert (set_up(turn=5).to_move, set_up(turn=6).to_move) == (1, 0)
    assert set_up(health=[0, 4]).outcome == Outcome(1, Ending.HEALTH, (-4, 34))
    assert set_up(turn=60, health=[7, 4]).outcome == Outcome(0, Ending.TURNS, (18, 12))
    assert set_up(turn=60).outcome == Outcome(None, Ending.TURNS, (15, 15))


def test_attackers_wait_to_be_blocked() -> None:
    board = [{"card": 1, "owner": 0, "attacks": 1}, {"card": 2, "owner": 1, "awake": True}]
    game = set_up(turn=1, board=board)
    assert game.legal_actions == ["BLOCK 1 2", "FINISH_BLOCK", "END_TURN"]
    game.push("FINISH_BLOCK")
    assert game.health == (10, 8)


def test_attacks_of_this_turn_are_counted_on() -> None:
    board = [{"card": 1, "owner": 0, "attacks": 1}, {"card": 2, "owner": 0, "awake": True}]
    game = set_up(board=board, blocking=False)
    game.push("ATTACK 2")
    assert [creature.attacks for creature in game.players[0].board] == [1, 2]


def test_creatures_are_as_their_cards_say_unless_told_otherwise() -> None:
    game = set_up(board=[{"card": 4, "owner": 1, "attack": 0, "health": 2, "max_health": 9}])
    (creature,) = game.players[1].board
    assert (creature.attack, creature.health, creature.max_health) == (0, 2, 9)


def test_cards_are_sorted_however_they_are_written() -> None:
    one = set_up(hands=[[3, 1], []], board=[{"card": 5, "owner": 1}, {"card": 2, "owner": 0}])
    two = set_up(hands=[[1, 3], []], board=[{"card": 2, "owner": 0}, {"card": 5, "owner": 1}])
    assert one == two


def test_a_viewer_makes_a_view() -> None:
    view = from_dict({"edition": "tapdeck", "deck": DECK, "viewer": 1})
    assert isinstance(view, TapdeckView)
    assert view.viewer == 1
    assert json.loads(to_json(view))["viewer"] == 1


def test_a_position_set_up_by_hand_can_be_played_to_its_end() -> None:
    for seed in range(20):
        game = set_up(
            turn=30,
            health=[3, 4],
            hands=[[3], [6]],
            board=[{"card": n, "owner": n % 2, "awake": True} for n in (1, 2, 4, 5)],
        )
        finish(game, random.Random(seed))
        assert game.outcome is not None


# What is refused


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hands": [[1, 9], []]}, "hands[0][1]: the deck has no card 9"),
        ({"hands": [[1], [1]]}, "hands[1][0]: card 1 is also at hands[0][0]"),
        ({"hands": [[1], []], "board": [{"card": 1, "owner": 0}]}, "board[0].card: card 1 is also at hands[0][0]"),
        ({"hands": [[], [4]], "drawn": 3}, "hands[1][0]: card 4 is still in the deck, of which 3 cards are drawn"),
        ({"hands": [[1, 2], []], "rules": {"hand_limit": 1}}, "hands[0]: 2 cards; the limit is 1"),
        ({"hands": [[0], []]}, "hands[0][0]: expected a number from 1 to 1000, got 0"),
        ({"drawn": 7}, "drawn: 7 cards of a deck of 6"),
        ({"drawn": -1}, "drawn: expected a number from 0 to 1000 or null, got -1"),
        ({"turn": 61}, "turn: 61, but the match has 60 turns"),
        ({"turn": "x"}, 'turn: expected a number from 0 to 10000, got "x"'),
        ({"health": [31, 3]}, "health[0]: 31, but nobody has more than 30"),
        ({"health": [3, -1]}, "health[1]: expected a number from 0 to 1000000, got -1"),
        ({"health": [0, 0]}, "health: both players are dead"),
        ({"health": [3]}, "health: expected a list of 2 or null, got a list of 1"),
        ({"mana": 1 << 40}, "mana: expected a number from 0 to 1000000"),
        ({"board": [{"card": 3, "owner": 0}]}, "board[0].card: card 3 is not a creature"),
        ({"board": [{"card": 1}]}, "board[0].owner: missing"),
        ({"board": [{"card": 1, "owner": 2}]}, "board[0].owner: expected 0 or 1, got 2"),
        ({"board": [{"card": 1, "owner": 0, "health": 4}]}, "board[0].health: 4 of at most 3"),
        ({"board": [{"card": 1, "owner": 0, "health": 0}]}, "board[0].health: expected a number from 1 to 1000000"),
        ({"board": [{"card": 1, "owner": 0, "awake": 1}]}, "board[0].awake: expected true or false, got 1"),
        ({"board": [{"card": 1, "owner": 0, "attacks": 1}]}, "board[0].attacks: its owner cannot be attacking"),
        (
            {"board": [{"card": 1, "owner": 1, "attacks": 1}], "blocking": False},
            "board[0].attacks: its owner cannot be attacking",
        ),
        ({"board": [{"card": 1, "owner": 1, "blocked": True}]}, "board[0].blocked: only an attacker is blocked"),
        ({"board": [{"card": 1, "owner": 0, "atack": 4}]}, "board[0].atack: unknown key; did you mean attack?"),
        ({"rules": {"luck": 4}}, "rules.luck: unknown key; known: initial_health, turns"),
        ({"rules": {"turn": 4}}, "rules.turn: unknown key; did you mean turns?"),
        ({"rules": {"turns": 7}}, "rules.turns is 7; it must be even"),
        ({"rules": {"draws": -1}}, "rules.draws is -1; allowed are 0 to 1000"),
        ({"rules": {"draws": "2"}}, 'rules.draws: expected a number or null, got "2"'),
        ({"deck": [*DECK, "7 X 1 1 1 0 0"]}, "deck[6]: card '7 X 1 1 1 0 0': type 'X'"),
        ({"deck": ["1 C 1 1"]}, "deck[0]: card '1 C 1 1': 4 fields"),
        ({"deck": [DECK[0], DECK[0]]}, "deck: two cards have the id 1"),
        ({"deck": [5]}, "deck[0]: expected a text, got 5"),
        ({"seed": -1}, "seed: expected a number from 0 to "),
        ({"viewer": 2}, "viewer: expected 0 or 1 or null, got 2"),
        ({"version": 2}, "version: expected 1, got 2"),
        ({"format": "fen"}, 'format: expected "cardrome-position", got "fen"'),
        ({"colour": 1}, "colour: unknown key"),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        cardrome.from_json(json.dumps({"edition": "tapdeck", "deck": DECK, **fields}))
    assert str(caught.value).startswith(message)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@examples(75)
@given(st.data())
def test_any_damage_is_read_or_refused_never_worse(data: st.DataObject) -> None:
    """Put any JSON into any place of a real position: it is a valid position again, or `InvalidPosition`."""
    game = TapdeckGame(TapdeckEdition(deck_size=20), 3)
    choices = random.Random(4)
    for _ in range(40):
        game.push(choice_of(game, choices))
    assert not game.is_over
    whole: Any = json.loads(to_json(game))
    place, last = whole, data.draw(st.sampled_from(sorted(whole)))
    while isinstance(place[last], (dict, list)) and place[last] and data.draw(st.booleans()):
        place = place[last]
        last = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else list(range(len(place)))))
    place[last] = data.draw(json_values)
    try:
        position = cardrome.from_json(json.dumps(whole))
    except InvalidPosition:
        return
    assert cardrome.from_json(cardrome.to_json(position)) == position
    if isinstance(position, TapdeckGame):
        finish(position, choices)
        assert position.outcome is not None
