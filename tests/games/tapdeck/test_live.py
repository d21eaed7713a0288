"""What spectators are given of a match in play: what a replay shows later, in time, and nothing of the deck."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardrome.games.agents import take_turn
from cardrome.games.family import find_family
from cardrome.games.tapdeck.live import LiveRecording
from cardrome.games.tapdeck.page import page_data
from cardrome.games.tapdeck.protocol.replay import TapdeckRecorder, TapdeckReplay
from cardrome.games.tapdeck.rules.cards import cards_of, deck_of
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

EDITION = TapdeckEdition(turns=24)
DECK = deck_from_seed(EDITION.deck_size, 7)


def played(deck: Any = DECK, turns: int = 99) -> TapdeckRecorder:
    """A match between two agents, or its first turns."""
    recorder = TapdeckRecorder(EDITION, deck, ("ann", "bob"))
    agent = find_family("tapdeck").find_agent("greedy").new(1)
    while recorder.call is not None and recorder.game.turn < turns:
        recorder.command(recorder.game.current, "ATTACK 999")  # refused
        recorder.act(take_turn(recorder.agent_game(), agent, "greedy"))
    return recorder


def spectated(recorder: TapdeckRecorder, deck: Any = DECK) -> LiveRecording:
    return LiveRecording(EDITION, deck, recorder.log, ("ann", "bob"))


def whole(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Frames as they are shown, without what tells of the deck."""

    def merged(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
        both = {
            key: merged(before[key], value) if isinstance(value, dict) and isinstance(before.get(key), dict) else value
            for key, value in changes.items()
        }
        return before | both

    shown: dict[str, Any] = {}
    found = []
    for changes in frames:
        shown = merged({key: value for key, value in shown.items() if key != "deed"}, changes)
        sides = {p: {k: v for k, v in side.items() if k != "deck"} for p, side in shown["sides"].items()}
        found.append({key: value for key, value in shown.items() if key != "river"} | {"sides": sides})
    return found


@pytest.fixture(scope="module")
def match() -> TapdeckRecorder:
    return played()


def test_spectators_see_in_the_end_what_the_replay_shows(match: TapdeckRecorder) -> None:
    at_once, by_and_by = spectated(match), spectated(match)
    received: list[dict[str, Any]] = []
    for turn in range(EDITION.turns + 1):
        had = len(received)
        by_and_by.advance(turn)
        received += by_and_by.news(frames=had)["frames"]
        by_and_by.advance(turn)  # nothing new
    at_once.advance(EDITION.turns)
    replay = match.replay()
    assert isinstance(replay, TapdeckReplay)
    page = page_data(replay)
    assert received == at_once.frames == by_and_by.frames
    assert whole(received) == whole(page["frames"])
    assert by_and_by.outcome == page["outcome"]
    assert by_and_by.cards == page["cards"][: len(by_and_by.cards)]
    assert set(by_and_by.head()) | {"frames", "cards", "things", "outcome"} >= set(page) - {"rules", "result"}


def test_nothing_of_a_turn_is_shown_before_its_time(match: TapdeckRecorder) -> None:
    shown = spectated(match)
    shown.advance(5)
    assert {frame["deed"]["kind"] for frame in shown.frames} >= {"turn", "draw", "illegal"}
    assert max(frame.get("turn", 0) for frame in shown.frames) <= 5
    assert shown.outcome is None
    early = spectated(played(turns=5))
    early.advance(5)
    assert early.news() == shown.news()


def test_what_is_sent_does_not_depend_on_cards_that_are_still_in_the_deck() -> None:
    """The decks differ behind their tenth card; both players draw the first ones alike."""
    other = deck_of([*cards_of(DECK)[:10], *reversed(cards_of(DECK)[10:])])
    sent = []
    for deck in (DECK, other):
        recorder = TapdeckRecorder(EDITION, deck, ("ann", "bob"))
        shown = spectated(recorder, deck)
        for _ in range(5):
            for command in ("DRAW_CARD", "BURN_CARD", "GET_DECK", "ATTACK 999"):
                recorder.command(recorder.game.current, command)
            recorder.end_turn()
            shown.advance(recorder.game.turn)
        sent.append(json.dumps([shown.head(), shown.news(), shown.board()]))
        assert len(shown.cards) == recorder.game.top == 10
        recorder.command(recorder.game.current, "DRAW_CARD")
        recorder.end_turn()
        shown.advance(recorder.game.turn)
        sent.append(json.dumps(shown.news()))
    assert sent[0] == sent[2]
    assert sent[1] != sent[3]
