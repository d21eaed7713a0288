"""Whatever a bot writes, the referee's conversation goes on or ends with a fault: it never raises."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import find_edition
from tests.properties.invariants import check_state
from tests.properties.scripts import ANY_EDITION, SEEDS

FAULTS = {"timeout", "draft", "wrong-card-count", "unknown-command", "bad-arguments"}

WORDS = ["PASS", "SUMMON", "ATTACK", "USE", "PICK", "CHOOSE", "pass", "Summon", "PASSX", "", "NULL", "-1", "{}", "\0"]
SPACES = [" ", "  ", "\t", "", ";", " ; ", "\u00a0", "\u2003", "\n", "\r", "\x1f", "\x85"]
INTEGERS = st.one_of(
    st.integers(-2, 130).map(str),
    st.sampled_from(["+5", "-0", "007", "+", "-", "--1", "1e3", "0x1", "1.0", "٣", "1_0", "²", "1x", " 1", "1 "]),
    st.sampled_from([str(n) for n in (2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63, 2**64, 10**40)]),
    st.integers(300, 6000).map(lambda n: "9" * n),
)
COMMANDS = st.one_of(
    st.builds(
        lambda word, *rest: word + "".join(rest),
        st.sampled_from(WORDS),
        st.sampled_from(SPACES),
        INTEGERS,
        st.sampled_from(SPACES),
        INTEGERS,
        st.text(max_size=5),
    ),
    st.text(max_size=40),
    st.text("PASUMONTCKEIH0123456789 -+;", max_size=40),
)
GARBAGE = st.one_of(
    st.none(),
    st.text(),
    st.lists(COMMANDS, max_size=8).map(";".join),
    st.integers(0, 10_000).map(lambda n: ";" * n),
    st.integers(1, 2_000).map(lambda n: "PASS;" * n),
    st.integers(1, 500).map(lambda n: "ATTACK 1 -1;SUMMON 2 0;USE 3 -1;" * n),
    st.integers(1, 10_000).map(lambda n: "x" * n),
    st.sampled_from(["", " ", ";", " ; ", "PASS", "PICK 0", "PICK 3", "PASS\tx", "\ufeffPASS", "PASS\ud800"]),
)


def check(dialogue: Dialogue) -> None:
    """What is true between any two calls."""
    game = dialogue.game
    check_state(game.edition, game.deals[0], game.state)
    assert dialogue.over == (dialogue.winner is not None) == (dialogue.scores is not None)
    if dialogue.over:
        assert dialogue.winner in (0, 1)
        assert dialogue.outcome is not None
        assert dialogue.outcome.winner == dialogue.winner
    else:
        assert dialogue.call is not None
        assert dialogue.call.text.endswith("\n")
        assert dialogue.call.player in (0, 1)
    if dialogue.fault is not None:
        assert dialogue.fault.kind in FAULTS
        assert dialogue.scores is not None
        assert dialogue.scores[dialogue.fault.player] == -1
        assert len(dialogue.fault.message) < 500


def begin(edition: str, seed: int) -> Dialogue:
    return Dialogue(LocmGame(find_edition(edition), LocmDeal(seed)))


def to_the_battle(dialogue: Dialogue) -> None:
    while dialogue.call is not None and dialogue.call.phase != "battle":
        dialogue.answer("PASS")


@given(ANY_EDITION, SEEDS, st.lists(GARBAGE, min_size=1, max_size=6))
def test_garbage_in_deck_building(edition: str, seed: int, answers: list[str | None]) -> None:
    dialogue = begin(edition, seed)
    for line in answers:
        if dialogue.over:
            break
        dialogue.answer(line)
        check(dialogue)


@given(ANY_EDITION, SEEDS, st.lists(GARBAGE, min_size=1, max_size=6))
def test_garbage_in_battle(edition: str, seed: int, answers: list[str | None]) -> None:
    dialogue = begin(edition, seed)
    to_the_battle(dialogue)
    for line in answers:
        if dialogue.over:
            break
        dialogue.answer(line)
        check(dialogue)


def well_formed(dialogue: Dialogue, rng: random.Random) -> str:
    """A turn that the referee understands: legal actions, repeated ones and ones that mean nothing."""
    game = dialogue.game.copy()
    parts = []
    for _ in range(rng.randrange(12)):
        codes = game.legal_codes()
        kind = rng.randrange(6)
        if kind == 0 or len(codes) < 2:
            word = rng.choice(["ATTACK", "USE", "SUMMON"])
            parts.append(f"{word} {rng.randrange(-2, 130)} {rng.randrange(-2, 130)} so there")
        elif kind == 1 and parts:
            parts.append(rng.choice(parts))
        else:
            code = rng.choice(codes[1:])
            parts.append(game.action_text(code))
            game.push(code)
    return rng.choice([";", " ; ", ";;PASS;"]).join(parts)


def mutated(line: str, rng: random.Random) -> str:
    """One character left out, put in or changed."""
    at = rng.randrange(len(line) + 1)
    middle = rng.choice(["", " ", ";", "-", "9", "\t", "é", "\0", "PASS"])
    return line[:at] + middle + line[at + rng.randrange(2) :]


@given(ANY_EDITION, SEEDS, st.integers(0, 1 << 32), st.integers(0, 40))
def test_invariants_under_well_formed_answers(edition: str, seed: int, chooser: int, turns: int) -> None:
    dialogue, rng = begin(edition, seed), random.Random(chooser)
    to_the_battle(dialogue)
    for _ in range(turns):
        if dialogue.over:
            break
        line = well_formed(dialogue, rng)
        effect = dialogue.answer(line)
        commands = [part for part in line.split(";") if part.strip() and part.strip() != "PASS"]
        assert len(effect.done) + effect.ignored <= len(commands)
        assert dialogue.fault is None
        check(dialogue)


@given(ANY_EDITION, SEEDS, st.integers(0, 1 << 32), st.integers(1, 40))
def test_invariants_under_mutated_answers(edition: str, seed: int, chooser: int, turns: int) -> None:
    dialogue, rng = begin(edition, seed), random.Random(chooser)
    to_the_battle(dialogue)
    for turn in range(turns):
        if dialogue.over:
            break
        line = well_formed(dialogue, rng)
        dialogue.answer(mutated(line, rng) if turn % 3 == 2 else line)
        check(dialogue)


@given(ANY_EDITION, SEEDS, st.integers(0, 1 << 32))
def test_a_whole_game_ends(edition: str, seed: int, chooser: int) -> None:
    dialogue, rng = begin(edition, seed), random.Random(chooser)
    calls = 0
    while not dialogue.over:
        battle = dialogue.call is not None and dialogue.call.phase == "battle"
        dialogue.answer(well_formed(dialogue, rng) if battle else "PASS")
        calls += 1
    check(dialogue)
    assert dialogue.fault is None
    assert dialogue.scores in ((1, 0), (0, 1))
    assert calls <= 60 + 112, "the turn limit ends every game"
