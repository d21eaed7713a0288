"""One game between two players of any kind: asked in turn, on the clock; any fault is a typed result."""

from __future__ import annotations

from typing import Any

from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import BotSettings, Player, PlayerSpec, make_player
from cardrome.arena.players.turns import give_turn
from cardrome.engine.bulk import DRAWN
from cardrome.engine.random import player_seed
from cardrome.errors import CallerError
from cardrome.games.family import AnyFamily, as_edition, find_family
from cardrome.games.game import ENDINGS, Deal, Edition
from cardrome.games.replays import Replay


def play_game(
    family: AnyFamily,
    edition: Edition,
    deal: Deal,
    players: tuple[Player, Player],
    clock: Clock = Clock(),
    first: int = 0,
) -> Replay:
    """Play a game to its end, whatever the players do; processes are killed also when the caller is interrupted.

    ``first`` says who of A (0) and B (1) has the first seat: the seed of a player's own chance goes with A and B.
    """
    recorder = family.record(edition, deal, (players[0].name, players[1].name))
    asked = [False, False]
    try:
        for seat, player in enumerate(players):
            give_turn(seat ^ first)
            player.begin(player_seed(deal.seed, seat ^ first))
        while (call := recorder.call) is not None:
            seconds = clock.seconds(call, first=not asked[call.player])
            asked[call.player] = True
            give_turn(call.player ^ first)
            players[call.player].answer(recorder, call, seconds)
    finally:
        ends = players[0].end(), players[1].end()
    return recorder.replay(ends if any(end is not None for end in ends) else None)


def play_one(
    edition: str | Edition, specs: tuple[PlayerSpec, PlayerSpec], deal: Deal, first: int, settings: BotSettings
) -> Replay:
    """One game of a pair between A and B on an edition, given by name or as an object; ``first`` has the first seat."""
    chosen = as_edition(edition)
    family = find_family(chosen.name)
    players = [make_player(spec, family, settings) for spec in specs]
    seated = players[first], players[1 - first]
    return play_game(family, chosen, deal, seated, settings.clock, first)


def fill(game: Any, replay: Replay) -> None:
    """Write the result of a game into its `GAME` record, which says who had the first seat."""
    first = int(game.first)
    game.winner = DRAWN if replay.winner is None else replay.winner ^ first
    game.score_a, game.score_b = replay.scores[first], replay.scores[1 - first]
    game.turns, game.actions = replay.turns, replay.actions
    game.ending = ENDINGS.index(replay.ending)


def refuse_one_that_ends_at_once(replay: Replay) -> None:
    """`CallerError`, with what it wrote to standard error, if a game was lost by a bot that never answered at all."""
    fault = replay.fault
    if fault is None or fault.kind not in ("no-start", "crash") or len(replay.answer_times(fault.player)) > 1:
        return
    end = None if replay.processes is None else replay.processes[fault.player]
    said = "" if end is None else f"\n{end.stderr.rstrip()}"
    raise CallerError(f"{replay.players[fault.player]} ends before its first answer: {fault.message}{said}")
