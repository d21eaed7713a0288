"""Answers of LOCM bots judged: every illegal action has its reason."""

from __future__ import annotations

import random

import pytest

from cardrome.games.examiner import Judgement
from cardrome.games.locm.examiner import EXAMINER, why_illegal
from cardrome.games.locm.protocol.answers import parse_command
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.replays import Call
from tests.games.locm.games import KINDS
from tests.games.locm.test_edges import edges


def judge(game: LocmPosition, line: str) -> Judgement:
    assert isinstance(game, LocmGame)
    return EXAMINER.judge(game, Call(0, "battle", None), line)


# Cards of 1.2: 1 to 116 are creatures (3: cost 1; 116: cost 12), 118 is green, 142 red, 154 blue; ids as below.
TABLE = {
    "edition": "locm-1.2",
    "turn": 10,
    "players": [
        {
            "mana": 5,
            "max_mana": 6,
            "hand": [
                {"card": 3, "id": 1},
                {"card": 116, "id": 3},
                {"card": 118, "id": 5},
                {"card": 142, "id": 7},
                {"card": 154, "id": 9},
            ],
            "board": [
                [{"card": 3, "id": 11}, {"card": 3, "id": 13, "can_attack": False}, {"card": 3, "id": 15}],
                [{"card": 3, "id": 17, "has_attacked": True}],
            ],
        },
        {
            "board": [
                [{"card": 3, "id": 2}, {"card": 3, "id": 4, "abilities": "G"}],
                [{"card": 3, "id": 6}],
            ]
        },
    ],
}


@pytest.mark.parametrize(
    ("action", "why", "text"),
    [
        ("SUMMON 77 0", "not-in-hand", "no card with id 77 is in your hand now (which holds 1, 3, 5, 7, 9)"),
        ("SUMMON 11 1", "not-in-hand", "on your board"),
        ("USE 2 -1", "not-in-hand", "on the opponent's board"),
        ("SUMMON 5 1", "not-a-creature", "a green item"),
        ("USE 1 11", "not-an-item", "SUMMON"),
        ("SUMMON 3 1", "not-enough-mana", "needs 12, has 5"),
        ("SUMMON 1 2", "no-such-lane", "lanes are 0 to 1"),
        ("SUMMON 1 -1", "no-such-lane", "lane -1 does not exist"),
        ("SUMMON 1 0", "lane-full", "lane 0 is full: 3 creatures"),
        ("USE 5 -1", "needs-target", "one of your creatures"),
        ("USE 7 -1", "needs-target", "a creature of the opponent"),
        ("USE 5 99", "no-such-target", "yours: 11, 13, 15, 17; the opponent's: 2, 4, 6"),
        ("USE 5 2", "wrong-target", "the opponent's creature, and a green item works on your own creatures"),
        ("USE 7 11", "wrong-target", "your own creature, and a red item works on the opponent's creatures"),
        ("USE 9 11", "wrong-target", "a blue item"),
        ("ATTACK 99 -1", "not-on-board", "11, 13, 15, 17"),
        ("ATTACK 1 -1", "not-on-board", "has to be summoned first"),
        ("ATTACK 2 -1", "not-on-board", "the opponent's"),
        ("ATTACK 13 4", "cannot-attack", "no Charge"),
        ("ATTACK 17 6", "has-attacked", "has attacked already"),
        ("ATTACK 11 6", "other-lane", "11 is in lane 0, 6 in lane 1"),
        ("ATTACK 11 99", "no-such-target", "2, 4, 6"),
        ("ATTACK 11 13", "wrong-target", "your own creature"),
        ("ATTACK 11 2", "guards-first", "guards in that lane must be attacked first: 4"),
        ("ATTACK 11 -1", "guards-first", "4"),
    ],
)
def test_why_an_action_is_illegal(action: str, why: str, text: str) -> None:
    game = from_dict(TABLE)
    illegal = why_illegal(game, parse_command(action, True))
    assert illegal is not None
    assert illegal.kind == f"illegal-{why}"
    assert illegal.kind in EXAMINER.kinds
    assert text in illegal.message


@pytest.mark.parametrize("action", ["PASS", "SUMMON 1 1", "USE 5 11", "USE 7 2", "USE 9 -1", "ATTACK 11 4"])
def test_legal_actions_have_no_reason(action: str) -> None:
    assert why_illegal(from_dict(TABLE), parse_command(action, True)) is None


def test_reasons_in_one_lane() -> None:
    side = {"mana": 1, "hand": [{"card": 3, "id": 41}], "board": [[3] * 6]}
    game = from_dict({"edition": "locm-1.0", "players": [side, {}]})
    illegal = why_illegal(game, parse_command("SUMMON 41", False))
    assert illegal is not None
    assert illegal.message.startswith("the board is full: 6 creatures")


def test_after_the_end_nothing_is_judged() -> None:
    game = from_dict({"edition": "locm-1.2", "winner": 1, "players": [{"health": 0, "board": [[3], []]}, {}]})
    assert judge(game, "ATTACK 1 -1;SUMMON 99 0") == Judgement(True)
    illegal = why_illegal(game, parse_command("ATTACK 1 -1", True))
    assert illegal is not None
    assert illegal.kind == "illegal-game-over"


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_not_legal_is_explained(kind: str) -> None:
    """No action that names anything near a position leaves the explanation without words, or contradicts the rules:
    all that are legal, and some of the others."""
    edition = EDITIONS[kind]
    for name, position in edges(edition).items():
        legal = {position.action_text(code) for code in position.legal_codes()}
        there = [held.id for side in position.players for held in side.hand]
        there += [creature.id for side in position.players for creature in side.board]
        ids = (*there, -2, -1, 0, 99)
        summon = "SUMMON {}" if not edition.summon_names_lane else "SUMMON {} {}"
        texts = {summon.format(a, lane) for a in ids for lane in range(-1, 3)}
        texts |= {f"{word} {a} {b}" for word in ("USE", "ATTACK") for a in ids for b in ids}
        for text in [*legal & texts, *random.Random(name).choices(sorted(texts), k=120)]:
            illegal = why_illegal(position, parse_command(text, edition.summon_names_lane))
            assert (illegal is None) == (text in legal)
            assert illegal is None or illegal.kind in EXAMINER.kinds


def test_an_answer_leaves_the_game_as_it_is() -> None:
    game = from_dict(TABLE)
    before = game.copy()
    judgement = judge(game, "ATTACK 11 4;SUMMON 1 1 hello;SUMMON 1 1")
    assert game == before
    assert judgement.actions == 2
    assert [remark.kind for remark in judgement.remarks] == ["free-text", "illegal-not-in-hand"]
