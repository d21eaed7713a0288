"""A match rebuilt from a server's answers goes on exactly as the server's does."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.client.errors import BadReply
from cardrome.client.rebuild import Look, Memory, Rebuilt, edition_of, rebuild
from cardrome.client.requests import Board, BoardCreature, CardLimits, Hands, Health, TurnInfo
from cardrome.games.tapdeck.protocol.commands import FIRST_QUERY, GET_FINAL_SCORE
from cardrome.games.tapdeck.protocol.table import Table
from cardrome.games.tapdeck.rules import actions, entries
from cardrome.games.tapdeck.rules.cards import TapdeckCard
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.legal import MAX_ACTIONS
from tests.server.conversation import Conversation

EDITION = TapdeckEdition(initial_health=60, turns=24, draws=3, burns=1, hand_limit=7, deck_size=70)


def legal(table: Table) -> list[int]:
    codes = np.zeros(MAX_ACTIONS, np.int64)
    n = entries.legal_codes(table.edition.rules, table.deck, table.states, codes, 0)
    return [int(code) for code in codes[:n]]


def table_of(rebuilt: Rebuilt) -> Table:
    table = Table(rebuilt.edition, rebuilt.deck, 1)
    table.states[:] = rebuilt.states
    return table


def any_code(chance: random.Random, table: Table) -> int:
    """Mostly a legal action, sometimes nonsense; never the end of the turn."""
    codes = legal(table)[:-1]
    if codes and chance.random() < 0.8:
        # By kind first, and rarely what wastes cards: attacks and blocks are what must be rebuilt.
        kinds = sorted({actions.action_kind(code) for code in codes})
        weights = [
            1 if kind in (actions.DISCARD_CARD, actions.BURN_CARD, actions.FINISH_BLOCK) else 8 for kind in kinds
        ]
        kind = chance.choices(kinds, weights)[0]
        return chance.choice([code for code in codes if actions.action_kind(code) == kind])
    return actions.action_code(chance.randint(1, 8), chance.randint(1, 1000), chance.choice([-1, -5, -6, 0, 5, 77]))


def agree(one: Table, other: Table) -> None:
    """Both say the same to every question, to both players, and allow the same."""
    assert legal(one) == legal(other)
    for kind in range(FIRST_QUERY, GET_FINAL_SCORE + 1):
        for player in range(2):
            assert one.command(0, player, kind) == other.command(0, player, kind)


def obey(table: Table, code: int) -> int:
    player, kind = int(table.states[0].current), actions.action_kind(code)
    return table.command(0, player, kind, actions.first_number(code), actions.second_number(code))[1]


def same_to_the_end(chance: random.Random, table: Table, copy: Table, turns: int) -> None:
    """Play on at both: the same commands get the same replies."""
    for _ in range(turns):
        for _ in range(chance.randint(0, 12)):
            agree(table, copy)
            code = any_code(chance, table)
            assert obey(table, code) == obey(copy, code)
        agree(table, copy)
        table.tick()
        copy.tick()
        if table.outcome(0) is not None:
            assert copy.outcome(0) == table.outcome(0)
            return


def play(chance: random.Random, table: Table, turns: int) -> None:
    for _ in range(turns):
        for _ in range(chance.randint(0, 12)):
            obey(table, any_code(chance, table))
        table.tick()


@given(st.integers(0, 1 << 30))
def test_at_the_start_of_a_turn_answers_are_enough(seed: int) -> None:
    chance = random.Random(seed)
    table = Table(EDITION, deck_from_seed(EDITION.deck_size, seed), 1)
    play(chance, table, chance.randint(0, EDITION.turns - 1))
    if table.outcome(0) is not None:
        return
    look = Conversation(table).look()
    copy = table_of(rebuild(look))
    assert copy.edition.draws == EDITION.draws
    agree(table, copy)
    for _ in range(20):
        code = chance.choice(legal(table)[:-1] or [actions.action_code(actions.FINISH_BLOCK, 0, 0)])
        assert obey(table, code) == obey(copy, code)
        agree(table, copy)


@given(st.integers(0, 1 << 30))
def test_with_memory_any_moment_can_be_rebuilt(seed: int) -> None:
    chance = random.Random(seed)
    table = Table(EDITION, deck_from_seed(EDITION.deck_size, seed), 1)
    memory = Memory()
    conversation = Conversation(table)
    for _ in range(chance.randint(0, EDITION.turns - 1)):
        memory.note_cards(conversation.look())
        play(chance, table, 1)
        if table.outcome(0) is not None:
            return
    memory.new_turn()
    memory.note_cards(conversation.look())
    for _ in range(chance.randint(0, 12)):
        code = any_code(chance, table)
        refused = obey(table, code)
        if refused:
            memory.note_refused(code, refused)
        else:
            memory.note(code)
        if table.outcome(0) is not None:
            return
    copy = table_of(rebuild(conversation.look(), memory, EDITION))
    same_to_the_end(chance, table, copy, EDITION.turns)


def card(number: int, kind: str = "C", attack: int = 1, health: int = 2) -> TapdeckCard:
    return TapdeckCard(number, kind, attack, health, max(health, 2), 1, 1 if kind == "C" else -1)


LOOK = Look(
    TurnInfo(True, 7),
    Health(10, 4, 8),
    CardLimits(2, 1, 10),
    3,
    (card(9), card(3)),
    Hands((card(5),), (card(4),)),
    Board((BoardCreature(card(8), True),), (BoardCreature(card(2, attack=90_000), False),)),
    (card(2, attack=90_000),),
)


def test_a_match_joined_late_is_counted_from_the_first_look() -> None:
    edition, deck, states = rebuild(LOOK)
    assert (edition.turns, edition.initial_health, edition.draws, edition.burns) == (8, 10, 2, 1)
    assert (states[0].turn, states[0].current, states[0].blocking, states[0].top) == (1, 1, 1, 4)
    assert list(states[0].health) == [8, 4]
    assert deck["cards"][0, :6]["id"].tolist() == [2, 4, 5, 8, 9, 3]
    assert states["creatures"][0, :2]["attack"].tolist() == [90_000, 1]  # what is printed has less room
    assert edition_of(LOOK, turns=60, draws=5).turns == 60


def test_blocking_is_open_while_there_are_attackers() -> None:
    over = Memory(blocking_over=True)
    assert rebuild(LOOK, over).states[0].blocking == 1
    assert rebuild(LOOK._replace(attackers=()), over).states[0].blocking == 0
    assert rebuild(LOOK._replace(attackers=())).states[0].blocking == 1


def test_answers_that_contradict_each_other() -> None:
    for wrong in (
        LOOK._replace(deck=(card(8),)),
        LOOK._replace(attackers=(card(8),)),
        LOOK._replace(attackers=(card(2), card(2))),
        LOOK._replace(turn=TurnInfo(False, 7)),
        LOOK._replace(turn=TurnInfo(True, 0)),
        LOOK._replace(hp=Health(7, 4, 8)),
        LOOK._replace(limits=CardLimits(-1, 1, 10)),
        LOOK._replace(hands=Hands(tuple(card(n) for n in range(100, 300)), ())),
    ):
        with pytest.raises(BadReply):
            rebuild(wrong)
    assert rebuild(LOOK, edition=replace(EDITION, turns=8)).edition.initial_health == 60
