"""Recorded games of random lines, right and wrong, for whoever needs replays."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from hypothesis import strategies as st

from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.replay import ANSWER_LIMIT, LocmRecorder, LocmReplay
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import find_edition
from tests.games.locm.protocol.play import FIXED_LIST, editions

HOSTILE = "</script>\x1b[2J\u202e\"';&\ud800"


def play(edition: str = "locm-1.2", seed: int = 1, faults: float = 0.0, **overrides: str) -> LocmReplay:
    """A game of random lines; with some chance an answer is missing, wrong, or too long."""
    choices = random.Random(seed)
    recorder = LocmRecorder(find_edition(edition), LocmDeal(seed, overrides), ("Ann", "Bob"))
    while recorder.call is not None:
        ms = choices.choice([None, choices.randrange(1000)])
        if choices.random() < faults:
            wrong = choices.choice([None, "", "JUMP 1", "SUMMON", "PICK 7", HOSTILE, "x" * (ANSWER_LIMIT + 1)])
            if wrong is None:
                recorder.no_answer(choices.choice(["timeout", "crash"]), "gone", ms)
            else:
                recorder.answer(wrong, ms)
        else:
            recorder.answer(_line(recorder.dialogue.game, recorder.call.phase, choices), ms)
    return recorder.replay()


def _line(game: LocmGame, phase: str, choices: random.Random) -> str:
    if phase == "draft":
        return f"PICK {choices.randrange(3)}"
    if phase == "constructed":
        return "PASS"
    table, actions = game.copy(), []
    while table.to_move == game.current and table.turn == game.turn:
        codes = table.legal_codes()
        code = choices.choice(codes[1:] or codes)
        actions.append(f"{table.action_text(code)} on we go")
        table.push(code)
    return "; ".join([*actions, "ATTACK 99 99"])


def changed(replay: LocmReplay, **fields: Any) -> LocmReplay:
    """A replay in which some fields are different."""
    return msgspec.structs.replace(replay, **fields)


seeds = st.integers(-(1 << 63), (1 << 63) - 1)


@st.composite
def replays(draw: st.DrawFn) -> LocmReplay:
    """A game of any edition, with or without a fault."""
    edition = draw(editions)
    listed = "1.5" in edition and draw(st.booleans())
    return play(edition, draw(seeds), draw(st.sampled_from([0.0, 0.02, 0.2])), **(FIXED_LIST if listed else {}))
