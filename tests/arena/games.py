"""Games between players of any kind, for tests."""

from __future__ import annotations

from typing import Any, cast

from cardrome.arena.play import play_game
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import AgentPlayer, BotSettings, Player, make_player, parse_player
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.family import find_family
from cardrome.games.locm.family import FAMILY as LOCM
from cardrome.games.locm.protocol.replay import LocmReplay
from cardrome.games.replays import Difference, Replay

PATIENT = Clock(scale=100)


def find_player(text: str) -> Player:
    """The player of LOCM that a text means."""
    return make_player(parse_player(text, LOCM), LOCM, BotSettings())


def play(
    first: str | Player | Agent,
    second: str | Player | Agent,
    edition: str = "locm-1.2",
    seed: int = 7,
    clock: Clock = PATIENT,
    names: tuple[str, str] | None = None,
) -> Any:
    """Play a game and make sure that it can be played again."""
    family = find_family(edition)
    chosen = family.editions[edition]
    players = []
    for seat, player in enumerate((first, second)):
        if isinstance(player, Agent):
            kind = AgentKind(type(player).__name__, "", lambda agent=player: agent)  # type: ignore[misc]
            player = AgentPlayer(kind)
        elif isinstance(player, str):
            player = make_player(parse_player(player, family, seat), family, BotSettings())
        if names is not None:
            player.name = names[seat]
        players.append(player)
    replay = play_game(family, chosen, family.deal(chosen, {"seed": str(seed)}), (players[0], players[1]), clock)
    assert verify(replay) is None
    return replay


def play_locm(*args: Any, **keywords: Any) -> LocmReplay:
    """The same, for games of LOCM."""
    return cast(LocmReplay, play(*args, **keywords))


def verify(replay: Replay) -> Difference | None:
    """Play a replay again."""
    return find_family(replay.edition).rerun(replay).verify()
