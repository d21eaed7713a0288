"""The examples of the rulebook as a page plays them: frames, made by the engine."""

from __future__ import annotations

from cardrome.games.frames import Json, deltas
from cardrome.games.rulebooks import example_data
from cardrome.games.tapdeck.frames import TapdeckFrames, head, things
from cardrome.games.tapdeck.protocol.game import TapdeckGame, command_of
from cardrome.games.tapdeck.protocol.position import from_dict
from cardrome.games.tapdeck.protocol.rerun import TapdeckMoment
from cardrome.games.tapdeck.rulebook import PACKAGE, example_position
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TapdeckEdition


def example(edition: TapdeckEdition, name: str) -> Json:
    """What a page shows of an example: what stays the same, the deck, and the frames as deltas."""
    game = from_dict(example_position(edition, name))
    assert isinstance(game, TapdeckGame)
    frames = TapdeckFrames()
    frames.begin_turn(game)
    for action in example_data(PACKAGE)[name]["actions"]:
        before, code = game.copy(), game.action_code(action)
        game.push(code)
        command = None if action_kind(code) == END_TURN else command_of(code)
        frames.add(TapdeckMoment(0, before.turn, before.current, command, 0, b"", before, game.copy()))
        if not game.is_over:
            frames.begin_turn(game)
    return {**head(game), "things": things(game), "frames": list(deltas(frames.frames))}
