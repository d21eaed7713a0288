"""Matches played by a simple script, for whoever needs one to look at."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator

from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckPosition
from cardrome.games.tapdeck.protocol.replay import TapdeckReplay, record_match
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

MISTAKES = ["DRAW_CARD", "ATTACK 1001", "PLAY_CARD 7 7", "BLOCK 1 2", "ADD_MANA 999999999999999999", "GET_FINAL_SCORE"]


def script(seed: int, mistakes: float = 0.0) -> Callable[[TapdeckGame], Iterator[str]]:
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


@functools.cache
def play(
    seed: int = 1,
    mistakes: float = 0.1,
    edition: TapdeckEdition = TAPDECK,
    players: tuple[str, str] = ("Ann", "Bob"),
) -> TapdeckReplay:
    """A recorded match."""
    return record_match(edition, seed, players, (script(seed, mistakes), script(seed + 1, mistakes)))
