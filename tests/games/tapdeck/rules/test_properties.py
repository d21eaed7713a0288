"""What holds in every match, whatever the players do."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules import turn
from cardrome.games.tapdeck.rules.actions import (
    ADD_MANA,
    ATTACK,
    BLOCK,
    BURN_CARD,
    DISCARD_CARD,
    DRAW_CARD,
    END_TURN,
    FINISH_BLOCK,
    PLAY_CARD,
    action_code,
    action_kind,
)
from cardrome.games.tapdeck.rules.cards import cards_of
from tests.games.tapdeck.rules.play import TICK, RandomMatch

SEEDS = st.integers(0, 2**32)
LEFT_OPEN = {2, 3, 4, 913, 932, 933}
"""Refusals that leave blocking open, beside those of a block and of a question."""

BLOCKING = {BLOCK, FINISH_BLOCK, END_TURN}
"""Actions that are listed while blocking is open: any other would close it first."""


def where_cards_are(match: TapdeckGame) -> tuple[set[int], set[int], set[int]]:
    """The cards in the deck, in the hands and on the board, by their places in the deck as it was."""
    s = match.states[0]
    hands = [int(card) for seat in range(2) for card in s.hands[seat, : s.n_hand[seat]]]
    board = [int(creature.card) for creature in s.creatures[: s.n_creatures]]
    assert len({*hands, *board}) == len(hands) + len(board), "no card is in two places"
    return set(range(int(s.top), int(match.decks["n"][0]))), set(hands), set(board)


def played(random_match: RandomMatch, commands: int) -> Iterator[tuple[int, str, str]]:
    """Play at random; yields after every command, and gives (seat, line, reply)."""
    match = random_match.match
    for _ in range(commands):
        seat, line = random_match.next()
        if line == TICK:
            match.end_turn()
            yield seat, line, ""
        else:
            yield seat, line, match.command(seat, line)
        if match.outcome is not None:
            return


@given(SEEDS)
def test_cards_are_conserved_and_never_come_back(seed: int) -> None:
    random_match = RandomMatch(seed)
    everything = set(range(int(random_match.match.decks["n"][0])))
    gone: set[int] = set()
    deck = everything
    on_board: set[int] = set()
    for _ in played(random_match, 150):
        new_deck, hands, board = where_cards_are(random_match.match)
        assert not new_deck & (hands | board)
        now_gone = everything - new_deck - hands - board
        assert gone <= now_gone, "what is gone stays gone"
        assert new_deck <= deck, "nothing returns to the deck"
        assert on_board <= board | now_gone, "what was on the board stays there or is gone"
        gone, deck, on_board = now_gone, new_deck, board


@given(SEEDS)
def test_numbers_stay_in_their_bounds(seed: int) -> None:
    random_match = RandomMatch(seed)
    match, edition = random_match.match, random_match.setting.edition
    for _ in played(random_match, 150):
        s = match.states[0]
        assert all(0 <= health <= edition.initial_health for health in s.health)
        assert all(count <= edition.hand_limit for count in s.n_hand)
        assert s.mana >= 0
        assert s.draws_left >= 0
        assert 0 <= s.burns_left <= edition.burns
        creatures = s.creatures[: s.n_creatures]
        assert all(0 < each.health <= each.max_health and each.attack >= 0 for each in creatures)
        assert match.outcome is not None or s.health.min() > 0


@given(SEEDS)
def test_hands_and_boards_are_sorted_by_id(seed: int) -> None:
    random_match = RandomMatch(seed)
    match = random_match.match
    numbers = [card.id for card in cards_of(match.decks)]
    for _ in played(random_match, 100):
        s = match.states[0]
        for cards in (s.hands[0, : s.n_hand[0]], s.hands[1, : s.n_hand[1]], s.creatures["card"][: s.n_creatures]):
            ids = [numbers[card] for card in cards]
            assert ids == sorted(ids)


@given(SEEDS)
def test_a_refused_command_changes_nothing_but_an_open_blocking_phase(seed: int) -> None:
    random_match = RandomMatch(seed)
    match = random_match.match
    for _ in range(150):
        seat, line = random_match.next()
        if line == TICK:
            match.end_turn()
            continue
        before = match.states.copy()
        reply = match.command(seat, line)
        question = line.upper().startswith("GET_")
        if question:
            assert match.states.tobytes() == before.tobytes()
        elif reply.startswith("ERR"):
            code = int(reply.split()[1])
            if before["blocking"][0] and line.split()[0].upper() != "BLOCK" and code not in LEFT_OPEN:
                expected = TapdeckGame(match.edition, match.decks)
                expected.states[:] = before
                assert expected.command(seat, "FINISH_BLOCK") == "OK\n"
                assert match.states.tobytes() == expected.states.tobytes()
            elif code == 932 and before["ending"][0] == 0:
                # The attackers killed whoever commanded it.
                assert match.states[0].health[seat] == 0
            else:
                assert match.states.tobytes() == before.tobytes(), line


def candidates(match: TapdeckGame) -> list[int]:
    """All actions on the cards of a deck, on one that does not exist, and on every sort of target."""
    numbers = [0, *(card.id for card in cards_of(match.decks)), 1001]
    codes = [action_code(kind, 0, 0) for kind in (DRAW_CARD, BURN_CARD, FINISH_BLOCK, END_TURN)]
    codes += [action_code(kind, number, 0) for kind in (DISCARD_CARD, ADD_MANA, ATTACK) for number in numbers]
    codes += [action_code(BLOCK, *pair) for pair in itertools.product(numbers, numbers)]
    codes += [action_code(PLAY_CARD, *pair) for pair in itertools.product(numbers, [-16, -6, -5, -1, *numbers])]
    return codes


def accepted(match: TapdeckGame, codes: list[int]) -> set[int]:
    """What of this the player to move may do; the match stays as it is."""
    rules, states, scratch = match.edition.rules, match.states, match.states.copy()
    command = turn.command.bind(rules, match.decks, scratch)
    player, before, after = int(states[0].current), states.view(np.uint8), scratch.view(np.uint8)
    found = set()
    for code in codes:
        after[:] = before
        if command(0, player, code) == 0:
            found.add(code)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_listed_are_exactly_the_actions_that_are_accepted(seed: int) -> None:
    random_match = next(
        each for each in map(RandomMatch, itertools.count(1000 * seed)) if 2 < int(each.match.decks["n"][0]) <= 20
    )
    match = random_match.match
    everything = candidates(match)
    for _ in played(random_match, 100):
        if match.outcome is not None:
            assert match.legal_codes() == []
        elif random_match.chance.random() < 0.15:
            codes = match.legal_codes()
            assert len(set(codes)) == len(codes)
            assert action_kind(codes[-1]) == END_TURN
            blocking = bool(match.states[0].blocking)
            asked = [code for code in everything if not blocking or action_kind(code) in BLOCKING]
            assert set(codes) == accepted(match, asked)


@given(SEEDS)
@example(916)  # ends their turn with blocking open, and dies of it
def test_whatever_is_listed_succeeds(seed: int) -> None:
    random_match = RandomMatch(seed)
    match = random_match.match
    for _ in range(60):
        codes = match.legal_codes()
        if not codes:
            break
        assert match.act(random_match.chance.choice(codes)) == 0


@given(SEEDS)
def test_every_match_ends_in_time_with_scores_that_add_up(seed: int) -> None:
    random_match = RandomMatch(seed)
    match, edition = random_match.match, random_match.setting.edition
    turns = 0
    while match.outcome is None:
        seat, line = random_match.next()
        if line == TICK:
            turns += 1
            match.end_turn()
        else:
            match.command(seat, line)
    assert turns <= edition.turns
    outcome = match.outcome
    assert (turns == edition.turns) or outcome.ending == "health"
    assert (outcome.ending == "health") == (0 in match.health)
    assert match.health != (0, 0)
    assert sum(outcome.scores) == 3 * edition.initial_health


@given(SEEDS)
def test_a_copy_goes_on_like_the_original(seed: int) -> None:
    random_match = RandomMatch(seed)
    for _ in played(random_match, 40):
        pass
    match = random_match.match
    twin = TapdeckGame(match.edition, match.decks)
    twin.states[:] = match.states
    for _ in range(40):
        seat, line = random_match.next()
        if line == TICK:
            match.end_turn()
            twin.end_turn()
        else:
            assert match.command(seat, line) == twin.command(seat, line)
    assert np.array_equal(match.states, twin.states)
