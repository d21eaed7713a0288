"""The examples of the rulebook as a page plays them: frames, made by the engine."""

from __future__ import annotations

from cardrome.games.frames import Json, deltas
from cardrome.games.locm.frames import Look, board, head, told, turn_start
from cardrome.games.locm.protocol.answers import parse_command
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rulebook import PACKAGE, example_actions, example_position
from cardrome.games.locm.rules.edition import LocmEdition
from cardrome.games.rulebooks import example_data


def example(edition: LocmEdition, name: str) -> Json:
    """What a page shows of an example: what stays the same, the cards that occur, and the frames as deltas."""
    game, things = from_dict(example_position(edition, name)), dict[int, int]()
    assert isinstance(game, LocmGame)
    now = Look(game)
    frames = [board(game, turn_start(None, now), things)]
    for action in example_actions(edition, example_data(PACKAGE)[name]["actions"]):
        player, before = game.current, now
        game.push(action)
        now = Look(game)
        if action == "PASS":
            deed = turn_start(before, now)
        else:
            deed = {"player": player, **told(before, parse_command(action, edition.summon_names_lane), now)}
        frames.append(board(game, deed, things))
    data, used = head(game), sorted(set(things.values()))
    data["cards"] = [data["cards"][card] for card in used]
    return {**data, "things": {k: used.index(card) for k, card in things.items()}, "frames": list(deltas(frames))}
