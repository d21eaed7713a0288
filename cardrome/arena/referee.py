"""The referee: one game between two players, on the clock, with whatever they do wrong as a typed result."""

from __future__ import annotations

import time

from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import Player
from cardrome.errors import BotFailure
from cardrome.games.locm.agents.choose import player_seed
from cardrome.games.locm.protocol.replay import Replay, Transcript
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import Edition


def play_game(
    edition: Edition,
    deal: Deal,
    players: tuple[Player, Player],
    clock: Clock = Clock(),  # noqa: B008 - frozen
    seeds: tuple[int, int] | None = None,
) -> Replay:
    """Play a game to its end, whatever the players do; processes are killed also when the referee is interrupted.

    The seeds are for the chance in the players' own decisions; by default they follow from the deal's.
    """
    transcript = Transcript(edition, deal, (players[0].name, players[1].name))
    asked = [False, False]
    try:
        for seat, player in enumerate(players):
            player.begin(player_seed(deal.seed, seat) if seeds is None else seeds[seat])
        while (call := transcript.call) is not None:
            seconds = clock.seconds(call, first=not asked[call.player])
            asked[call.player] = True
            start = time.monotonic()
            try:
                line = players[call.player].ask(transcript.dialogue, call, seconds)
            except BotFailure as failure:
                transcript.no_answer(failure.kind, str(failure), _ms(start))
            else:
                transcript.answer(line, _ms(start))
    finally:
        ends = players[0].end(), players[1].end()
    return transcript.replay(ends if any(end is not None for end in ends) else None)


def _ms(start: float) -> int:
    return round((time.monotonic() - start) * 1000)
