"""Matches played by a simple script or at random, for whoever needs one to look at."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from hypothesis import strategies as st

from cardrome.games.tapdeck.protocol.commands import SYNTAX, Command
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckPosition
from cardrome.games.tapdeck.protocol.replay import TapdeckRecorder, TapdeckReplay
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

SMALL = TapdeckEdition(initial_health=6, turns=8, draws=3, deck_size=14)
MISTAKES = ["DRAW_CARD", "ATTACK 1001", "PLAY_CARD 7 7", "BLOCK 1 2", "ADD_MANA 999999999999999999", "GET_FINAL_SCORE"]


Mover = Callable[[TapdeckGame], Iterable[str]]
"""The commands of a turn, each chosen when those before it have been carried out."""


def script(seed: int, mistakes: float = 0.0) -> Mover:
    """Blocks what it survives, draws, plays whatever the tapped mana allows, attacks with the rest."""
    choices = random.Random(seed)

    def turn(match: TapdeckGame) -> Iterator[str]:
        for line in _sensible(match, choices):
            while choices.random() < mistakes:
                yield choices.choice(MISTAKES)
            yield line

    return turn


def _sensible(match: TapdeckGame, choices: random.Random) -> Iterator[str]:
    me = int(match.states[0].current)
    now = match
    for attacker in now.board(1 - me):
        able = [each for each in match.board(me) if each.awake and each.health > attacker.attack]
        if attacker.attacks and able:
            yield f"BLOCK {attacker.card.id} {choices.choice(able).card.id}"
    yield "DRAW_CARD"
    yield choices.choice(["DRAW_CARD", "BURN_CARD", "DRAW_CARD"])
    spent = False
    while True:
        now = match
        if match.outcome is not None:
            return
        playable = [card for card in now.hand(me) if card.cost <= now.mana]
        targets = {card.id: _target(now, me, card.kind) for card in playable}
        playable = [card for card in playable if targets[card.id] is not None]
        if playable:
            best = max(playable, key=lambda card: (card.cost, card.id))
            yield f"PLAY_CARD {best.id} {targets[best.id]}"
            continue
        if spent:
            break
        spent = True
        for creature in now.board(me):
            if creature.awake and creature.card.mana:
                yield f"ADD_MANA {creature.card.id}"
    for creature in match.board(me):
        if creature.awake and creature.attack and choices.random() < 0.8:
            yield f"ATTACK {creature.card.id}"
    if len(now.hand(me)) > 8:
        yield f"DISCARD_CARD {now.hand(me)[0].id}"


def _target(now: TapdeckPosition, me: int, kind: str) -> int | None:
    """What to play a card on; None if there is nothing."""
    if kind in "CT":
        return -1 if kind == "C" else -5
    if kind == "D":
        theirs = now.board(1 - me)
        return theirs[0].card.id if theirs else -6
    if kind == "H":
        return -5 if now.health[me] < now.edition.initial_health else None
    board = now.board(me if kind == "B" else 1 - me)
    return board[0].card.id if board else None


def record_match(
    edition: TapdeckEdition, seed: int, players: tuple[str, str], movers: tuple[Mover, Mover]
) -> TapdeckReplay:
    """Play a match to its end and write it down."""
    recorder = TapdeckRecorder(edition, seed, players)
    while (player := recorder.game.to_move) is not None:
        for line in movers[player](recorder.game):
            recorder.command(player, line)
            if recorder.game.is_over:
                break
        recorder.end_turn()
    return recorder.replay()


@functools.cache
def play(
    seed: int = 1,
    mistakes: float = 0.1,
    edition: TapdeckEdition = TAPDECK,
    players: tuple[str, str] = ("Ann", "Bob"),
) -> TapdeckReplay:
    """A recorded match."""
    return record_match(edition, seed, players, (script(seed, mistakes), script(seed + 1, mistakes)))


def changed(replay: TapdeckReplay, **fields: Any) -> TapdeckReplay:
    """A replay in which some fields are different."""
    return msgspec.structs.replace(replay, **fields)


@st.composite
def streams(draw: st.DrawFn) -> TapdeckReplay:
    """A match of random commands: from either player, of cards there and not there, and legal ones between them."""
    recorder = TapdeckRecorder(SMALL, draw(st.integers(0, 50)), ("Ann", "Bob"))
    ids = st.sampled_from([int(card.id) for card in recorder.game.decks["cards"][0][:14]])
    numbers = ids | ids | st.sampled_from([-1, -5, -6, 0, 1001, 10**30, -(10**30)])
    words = st.sampled_from([syntax for syntax in SYNTAX.values() if syntax.arguments])
    for _ in range(SMALL.turns):
        for _ in range(draw(st.integers(0, 8))):
            codes = recorder.game.legal_codes()
            codes = [code for code in codes if action_kind(code) != END_TURN]
            if draw(st.integers(0, 3)) and codes:
                player = recorder.game.to_move
                assert player is not None
                recorder.command(player, recorder.game.action_text(draw(st.sampled_from(codes))))
            else:
                syntax = draw(words)
                values: list[int] = [draw(numbers) for _ in range(syntax.arguments - 1)]
                recorder.execute(draw(st.integers(0, 1)), Command(syntax.kind, 77, *values))
        recorder.end_turn()
    return recorder.replay()
