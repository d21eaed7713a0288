"""The replay of a game of a tournament: as it was kept, or played again by the built-in agents from its deal."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from cardrome.arena.play import play_one
from cardrome.arena.players.player import BotSettings, PlayerSpec
from cardrome.engine.bulk import DRAWN
from cardrome.games.family import find_family
from cardrome.games.replay_files import decode_replay
from cardrome.games.replays import Replay
from cardrome.tournament.records import Entrant, PlayedGame
from cardrome.tournament.work import is_bulk


def can_be_played_again(edition: str, a: Entrant, b: Entrant) -> bool:
    """Both are built-in agents, whose games follow from the deal."""
    return is_bulk(edition, _spec(a), _spec(b))


def _spec(entrant: Entrant) -> PlayerSpec:
    return PlayerSpec(entrant.id, entrant.name, entrant.bot.agent)


def replay_of(record: PlayedGame, entrants: Mapping[int, Entrant]) -> Replay | None:
    """The replay of a game; None if it was not kept and cannot be played again with the same result."""
    if record.replay is not None:
        kept: Replay = decode_replay(zlib.decompress(record.replay))
        return kept
    key = record.key
    a, b = entrants[key.a], entrants[key.b]
    if not can_be_played_again(key.edition, a, b):
        return None
    family = find_family(key.edition)
    deal = family.deal(family.editions[key.edition], {"seed": str(record.seed)})
    replay = play_one(key.edition, (_spec(a), _spec(b)), deal, key.game, BotSettings())
    winner = DRAWN if replay.winner is None else replay.winner ^ key.game
    # Another version of cardrome may have other agents of the same name.
    return replay if winner == record.winner else None
