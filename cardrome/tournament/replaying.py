"""The replay of a game of a tournament: as it was kept, or played again by the built-in agents from its deal."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from cardrome.arena.families import family_of, find_any_edition
from cardrome.arena.recording import record_game
from cardrome.arena.tapdeck_recording import planned
from cardrome.games.locm.agents.choose import player_seed
from cardrome.games.locm.agents.registry import find_agent
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import Edition
from cardrome.games.replays import AnyReplay, decode_any
from cardrome.games.tapdeck.agents.choose import player_seed as tapdeck_player_seed
from cardrome.games.tapdeck.agents.registry import find_tapdeck_agent
from cardrome.games.tapdeck.protocol.replay import Recorder, TapdeckReplay
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.tournament.records import DRAW, Entrant, GameRecord


def can_be_played_again(edition: str, a: Entrant, b: Entrant) -> bool:
    """Both are built-in agents, whose games follow from the deal."""
    family = family_of(find_any_edition(edition))
    return all(each.bot.agent is not None and family.kernel(each.bot.agent) is not None for each in (a, b))


def replay_of(record: GameRecord, entrants: Mapping[int, Entrant]) -> AnyReplay | None:
    """The replay of a game; None if it was not kept and cannot be played again with the same result."""
    if record.replay is not None:
        return decode_any(zlib.decompress(record.replay))
    key = record.key
    sides = entrants[key.a], entrants[key.b]
    if not can_be_played_again(key.edition, *sides):
        return None
    replay = _played_again(record, (sides[key.game], sides[1 - key.game]))
    # Another version of cardrome may have other agents of the same name.
    return replay if _winner(replay, key.game) == record.winner else None


def _played_again(record: GameRecord, players: tuple[Entrant, Entrant]) -> AnyReplay:
    """The game between built-in agents; the first of them has the first turn."""
    first = record.key.game
    edition = find_any_edition(record.key.edition)
    names = players[0].name, players[1].name
    agents = players[0].bot.agent or "", players[1].bot.agent or ""
    if isinstance(edition, Edition):
        kinds = find_agent(agents[0]), find_agent(agents[1])
        # An agent's own seed goes with A and B, not with the seat.
        seeds = player_seed(record.seed, first), player_seed(record.seed, 1 - first)
        return record_game(edition, Deal(record.seed), kinds, names, seeds)
    return _tapdeck_again(edition, record.seed, agents, names, first)


def _tapdeck_again(
    edition: TapdeckEdition, seed: int, agents: tuple[str, str], names: tuple[str, str], first: int
) -> TapdeckReplay:
    recorder = Recorder(edition, seed, names)
    players = [
        find_tapdeck_agent(agent).new(tapdeck_player_seed(seed, seat ^ first)) for seat, agent in enumerate(agents)
    ]
    while (player := recorder.match.to_move) is not None:
        for code in planned(recorder, players[player], names[player]):
            if action_kind(code) == END_TURN or recorder.match.outcome is not None:
                break
            recorder.act(code)
        recorder.end_turn()
    return recorder.replay()


def _winner(replay: AnyReplay, first: int) -> int:
    """0 for A, 1 for B, or a draw."""
    if isinstance(replay, TapdeckReplay):
        mine, other = replay.scores
        return DRAW if mine == other else (0 if mine > other else 1) ^ first
    return replay.winner ^ first
