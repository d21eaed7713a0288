"""A match restored from a server's replies continues exactly as on the server."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.client.errors import BadReply, CommandRefused, RefusalCode
from cardrome.client.match import Look, Memory, TeamMatch, edition_of, position_of
from cardrome.client.requests import Board, BoardCard, CardLimits, Hands, Health, TurnInfo
from cardrome.games.tapdeck.protocol.commands import FIRST_QUERY, GET_FINAL_SCORE
from cardrome.games.tapdeck.protocol.game import TapdeckPosition
from cardrome.games.tapdeck.protocol.table import Table
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.cards import TapdeckCard
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.legal import MAX_ACTIONS, legal_codes
from tests.client.table_talk import TableTalk

EDITION = TapdeckEdition(initial_health=60, turns=24, draws=3, burns=1, hand_limit=7, deck_size=70)


def legal(table: Table) -> list[int]:
    codes = np.zeros(MAX_ACTIONS, np.int64)
    n = legal_codes(table.edition.rules, table.deck, table.states, codes, 0)
    return [int(code) for code in codes[:n]]


def table_of(position: TapdeckPosition) -> Table:
    table = Table(position.edition, position.decks, 1)
    table.states[:] = position.states
    return table


def any_code(chance: random.Random, table: Table) -> int:
    """Mostly a legal action, sometimes nonsense; never the end of the turn."""
    codes = legal(table)[:-1]
    if codes and chance.random() < 0.8:
        # By kind first, and rarely one that wastes cards: attacks and blocks are hard to restore.
        kinds = sorted({actions.action_kind(code) for code in codes})
        weights = [
            1 if kind in (actions.DISCARD_CARD, actions.BURN_CARD, actions.FINISH_BLOCK) else 8 for kind in kinds
        ]
        kind = chance.choices(kinds, weights)[0]
        return chance.choice([code for code in codes if actions.action_kind(code) == kind])
    return actions.action_code(chance.randint(1, 8), chance.randint(1, 1000), chance.choice([-1, -5, -6, 0, 5, 77]))


def agree(one: Table, other: Table) -> None:
    """Both answer every question of both players alike, and allow the same actions."""
    assert legal(one) == legal(other)
    for kind in range(FIRST_QUERY, GET_FINAL_SCORE + 1):
        for player in range(2):
            assert one.command(0, player, kind) == other.command(0, player, kind)


def obey(table: Table, code: int) -> int:
    player, kind = int(table.states[0].current), actions.action_kind(code)
    return table.command(0, player, kind, actions.first_number(code), actions.second_number(code))[1]


def same_to_the_end(chance: random.Random, table: Table, copy: Table, turns: int) -> None:
    """Play both to the end: the same commands get the same replies."""
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
def test_at_the_start_of_a_turn_replies_are_enough(seed: int) -> None:
    chance = random.Random(seed)
    table = Table(EDITION, deck_from_seed(EDITION.deck_size, seed), 1)
    play(chance, table, chance.randint(0, EDITION.turns - 1))
    if table.outcome(0) is not None:
        return
    look = TableTalk(table).look()
    copy = table_of(position_of(look))
    assert copy.edition.draws == EDITION.draws
    agree(table, copy)
    for _ in range(20):
        code = chance.choice(legal(table)[:-1] or [actions.action_code(actions.FINISH_BLOCK, 0, 0)])
        assert obey(table, code) == obey(copy, code)
        agree(table, copy)


@given(st.integers(0, 1 << 30))
def test_with_memory_any_moment_can_be_restored(seed: int) -> None:
    chance = random.Random(seed)
    table = Table(EDITION, deck_from_seed(EDITION.deck_size, seed), 1)
    memory = Memory()
    talk = TableTalk(table)
    for _ in range(chance.randint(0, EDITION.turns - 1)):
        memory.note_cards(talk.look())
        play(chance, table, 1)
        if table.outcome(0) is not None:
            return
    memory.new_turn()
    memory.note_cards(talk.look())
    for _ in range(chance.randint(0, 12)):
        code = any_code(chance, table)
        refused = obey(table, code)
        if refused:
            memory.note_refused(code, refused)
        else:
            memory.note(code)
        if table.outcome(0) is not None:
            return
    copy = table_of(position_of(talk.look(), memory, EDITION))
    same_to_the_end(chance, table, copy, EDITION.turns)


def card(number: int, kind: str = "C", attack: int = 1, health: int = 2) -> TapdeckCard:
    return TapdeckCard(number, kind, attack, health, max(health, 2), 1, 1 if kind == "C" else -1)


LOOK = Look(
    Health(10, 4, 8),
    CardLimits(2, 1, 10),
    3,
    (card(9), card(3)),
    Hands((card(5),), (card(4),)),
    Board((BoardCard(card(8), True),), (BoardCard(card(2, attack=90_000), False),)),
    (card(2, attack=90_000),),
    TurnInfo(True, 7),
)


def test_a_match_joined_late_is_counted_from_the_first_look() -> None:
    position = position_of(LOOK)
    edition, deck, states = position.edition, position.decks, position.states
    assert (edition.turns, edition.initial_health, edition.draws, edition.burns) == (8, 10, 2, 1)
    assert (states[0].turn, states[0].current, states[0].blocking, states[0].top) == (1, 1, 1, 4)
    assert list(states[0].health) == [8, 4]
    assert deck["cards"][0, :6]["id"].tolist() == [2, 4, 5, 8, 9, 3]
    assert states["creatures"][0, :2]["attack"].tolist() == [90_000, 1]  # more than a printed card can have
    assert edition_of(LOOK, turns=60, draws=5).turns == 60


def test_blocking_is_open_while_there_are_attackers() -> None:
    over = Memory(blocking_over=True)
    assert position_of(LOOK, over).states[0].blocking == 1
    assert position_of(LOOK._replace(attackers=()), over).states[0].blocking == 0
    assert position_of(LOOK._replace(attackers=())).states[0].blocking == 1


def test_replies_that_contradict_each_other() -> None:
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
            position_of(wrong)
    assert position_of(LOOK, edition=replace(EDITION, turns=8)).edition.initial_health == 60


def look_at(left: int) -> Look:
    return LOOK._replace(turn=TurnInfo(True, left), attackers=())


ATTACK_8 = actions.action_code(actions.ATTACK, 8, 0)


def test_what_a_match_remembers() -> None:
    match = TeamMatch(5, sure=False)
    assert not match.to_move
    match.note_turn(TurnInfo(True, 7))
    assert match.to_move
    assert match.position(look_at(7)).states[0].blocking == 1
    assert match.note_sent([ATTACK_8], [None], TurnInfo(True, 7))
    assert match.memory.ordered == [8]
    # Still the same turn: what was done is remembered, and draws made since do not change the edition.
    match.note_turn(TurnInfo(True, 7))
    seen = match.position(look_at(7)._replace(limits=LOOK.limits._replace(draws=0)))
    assert seen.states[0].blocking == 0
    assert (seen.edition.turns, seen.edition.draws) == (8, 2)
    match.note_unanswered([ATTACK_8])
    assert not match.sure
    match.note_turn(TurnInfo(False, 6))
    assert match.sure
    assert match.memory.ordered == []
    assert 9 in match.memory.printed
    # More turns left than before: the tournament was started again.
    match.note_turn(TurnInfo(True, 60))
    assert match.memory.printed == {}
    assert match.position(look_at(60)).edition.turns == 60


def test_a_plan_that_the_next_turns_overtook() -> None:
    refused = CommandRefused(RefusalCode.NOT_YOUR_TURN)
    match = TeamMatch(5, sure=True)
    match.note_turn(TurnInfo(True, 7))
    assert not match.note_sent([ATTACK_8], [refused], TurnInfo(False, 6))
    assert (match.sure, match.to_move, match.memory.ordered) == (True, False, [])
    # Two turns later it is the team's turn again, in which the attack may have been ordered.
    match.note_turn(TurnInfo(True, 5))
    assert not match.note_sent([ATTACK_8], [None], TurnInfo(True, 3))
    assert (match.sure, match.to_move, match.memory.ordered) == (False, True, [8])
    # Whose turn it is now cannot be told: the server makes the team wait.
    assert not match.note_sent([ATTACK_8], [None], CommandRefused(RefusalCode.COMMANDS_LIMIT))
    assert (match.sure, match.to_move) == (False, False)
    match.note_turn(TurnInfo(True, 1))
    assert not match.sure
    assert not match.note_sent([ATTACK_8], [refused], CommandRefused(RefusalCode.GAME_HAS_ENDED))
    assert match.ended
