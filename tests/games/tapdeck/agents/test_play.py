"""How agents play: by legal actions, from any point of a turn, and not blind to what decides a match."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.errors import CallerError
from cardrome.games.agents import Agent
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.actions import ATTACK, BLOCK, BURN_CARD, END_TURN, PLAY_CARD, action_code, action_kind
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.agents.helpers import finish, new_agent, play_turn

SEED = st.integers(0, (1 << 62) - 1)
THINKING = ["greedy", "quick", "search-fast"]

EDITIONS = st.builds(
    TapdeckEdition,
    initial_health=st.integers(1, 15).map(lambda half: 2 * half),
    turns=st.integers(1, 10).map(lambda half: 2 * half),
    draws=st.integers(0, 5),
    burns=st.integers(0, 5),
    hand_limit=st.integers(1, 12),
    deck_size=st.integers(1, 60),
)


@pytest.mark.parametrize("name", ["random", "greedy", "quick", "twig"])
@given(edition=EDITIONS, deck=SEED, seed=SEED)
@settings(max_examples=25)
def test_only_legal_actions(name: str, edition: TapdeckEdition, deck: int, seed: int) -> None:
    match = TapdeckGame(edition, deck)
    finish(match, new_agent(name, seed), new_agent("greedy", seed))
    assert match.outcome is not None


@pytest.mark.parametrize("name", ["random", "greedy", "quick", "twig"])
@given(deck=SEED, seed=SEED)
@settings(max_examples=20)
def test_planning_from_the_middle_of_a_turn(name: str, deck: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    match, agent, other = TapdeckGame(deck=deck), new_agent(name, seed), new_agent("greedy")
    while match.to_move is not None:
        before = match.turn
        for _ in range(int(rng.integers(4))):  # somebody has begun the turn
            if match.turn == before and match.outcome is None:
                match.act(int(rng.choice(match.legal_codes()[:-1] or match.legal_codes())))
        if match.outcome is None and match.turn == before:
            play_turn(match, agent if match.to_move == 0 else other)


@pytest.mark.parametrize("name", [name for name in AGENTS if name != "search-max"])
def test_same_seed_same_plan_and_the_state_is_left_alone(name: str) -> None:
    match, other = TapdeckGame(deck=4), new_agent("greedy")
    for _ in range(8):
        before = match.states.tobytes()
        plans = [new_agent(name, 7).plan(match.view(0)) for _ in range(2)]
        assert plans[0] == plans[1]
        assert match.states.tobytes() == before
        play_turn(match, other)


def test_random_follows_its_seed() -> None:
    match = TapdeckGame(deck=4)
    plans = {tuple(new_agent("random", seed).plan(match.view(0))) for seed in range(20)}
    assert len(plans) > 5


def test_a_match_that_is_over_has_no_turn() -> None:
    match = TapdeckGame(TapdeckEdition(turns=2), 1)
    finish(match, new_agent("random"), new_agent("random"))
    with pytest.raises(CallerError, match="the match is over"):
        new_agent("greedy").plan(match.view(0))


# Positions made by hand: the cards are the first of the deck, in the order of their ids


def position(deck: str, mine: str, theirs: str = "", attacking: str = "", **health: int) -> TapdeckGame:
    """Player 1 is to move in his blocking phase; ``mine`` and ``theirs`` name creatures by their ids, all of them
    awake, and ``attacking`` those of the opponent that attack him. All other cards are in the deck."""
    match = TapdeckGame(deck=deck)
    state = match.states[0]
    cards = [line.split() for line in deck.splitlines()]
    state.current, state.turn, state.top = 1, 11, len((mine + " " + theirs).split())
    n = 0
    for place, (number, _, attack, _, hp, *_) in enumerate(cards):
        if number in mine.split() or number in theirs.split():
            creature = state.creatures[n]
            creature.card, creature.attack, creature.health, creature.max_health = place, int(attack), int(hp), int(hp)
            creature.owner, creature.active = int(number in mine.split()), 1
            if number in attacking.split():
                creature.active, creature.declared = 0, 1
            n += 1
    state.n_creatures = n
    state.health[1], state.health[0] = health.get("my_health", 10), health.get("their_health", 10)
    return match


def kinds(codes: list[int], kind: int) -> list[int]:
    return [code for code in codes if action_kind(code) == kind]


def agents() -> list[Agent]:
    return [new_agent(name) for name in THINKING]


@pytest.mark.parametrize("agent", agents())
def test_lethal_attack_is_found(agent: Agent) -> None:
    # Two blockers stop the two strongest; the third still does enough.
    match = position(
        "1 C 3 3 3 0 1\n2 C 3 3 3 0 1\n3 C 3 3 3 0 1\n4 C 9 9 9 0 0\n5 C 9 9 9 0 0", "1 2 3", "4 5", their_health=3
    )
    assert len(kinds(play_turn(match, agent), ATTACK)) == 3
    play_turn(match, new_agent("greedy"))
    assert match.outcome is not None
    assert match.outcome.winner == 1


@pytest.mark.parametrize("agent", agents())
def test_lethal_spell_is_found(agent: Agent) -> None:
    match = position("1 C 0 3 3 0 2\n4 C 9 9 9 0 0\n5 D 2 0 0 2 -1", "1", "4", their_health=2)
    match.states[0].top = 2
    codes = play_turn(match, agent)
    assert len(kinds(codes, PLAY_CARD)) == 1
    assert match.outcome is not None
    assert match.outcome.winner == 1


@pytest.mark.parametrize("name", ["rule-based", "search-fast"])
def test_a_blocker_is_put_to_sleep_for_the_finish(name: str) -> None:
    match = position("1 C 5 3 3 0 0\n2 C 0 1 1 0 1\n4 C 9 9 9 0 0\n5 I 0 0 0 1 -1", "1 2", "4", their_health=4)
    play_turn(match, new_agent(name))
    play_turn(match, new_agent("greedy"))
    assert match.outcome is not None
    assert match.outcome.winner == 1


@pytest.mark.parametrize("agent", agents())
def test_lethal_is_blocked(agent: Agent) -> None:
    # Blocking costs the better creature, but not blocking costs the match.
    match = position("1 C 2 2 2 0 0\n4 C 5 9 9 0 0", "1", "4", attacking="4", my_health=5)
    assert len(kinds(play_turn(match, agent), BLOCK)) == 1
    assert match.outcome is None


@pytest.mark.parametrize("agent", agents())
def test_a_block_that_only_wins_is_made(agent: Agent) -> None:
    match = position("1 C 4 6 6 0 0\n4 C 2 2 2 0 0", "1", "4", attacking="4")
    assert kinds(play_turn(match, agent), BLOCK) == [action_code(BLOCK, 4, 1)]


@pytest.mark.parametrize("agent", agents())
def test_who_would_die_keeps_his_blockers_awake(agent: Agent) -> None:
    match = position("1 C 3 3 3 0 3\n4 C 5 5 5 0 0\n6 C 1 1 1 3 0", "1", "4", my_health=4)
    match.states[0].creatures[1].active = 0
    codes = play_turn(match, agent)
    assert not kinds(codes, ATTACK)
    assert match.states[0].creatures[0].active == 1


@pytest.mark.parametrize("agent", agents())
def test_no_attack_in_the_very_last_turn(agent: Agent) -> None:
    match = position("1 C 3 3 3 0 0\n2 C 1 1 1 0 0", "1", "", their_health=3)
    match.states[0].turn = 59
    codes = play_turn(match, agent)
    assert not kinds(codes, ATTACK)
    assert not kinds(codes, BURN_CARD)
    assert action_kind(codes[-1]) == END_TURN
    assert match.outcome is not None
