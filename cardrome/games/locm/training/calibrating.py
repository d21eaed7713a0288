"""Games from which chances are calibrated: agents against themselves, and what `analyse` says of some positions."""

from __future__ import annotations

from collections.abc import Callable

from cardrome.engine.random import player_seed
from cardrome.engine.records import new_records
from cardrome.games.learning.calibration import Rated
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.agents.search.turn import Line
from cardrome.games.locm.analysis import Reviewer
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import PASS, LocmEdition

EVERY = 4
"""One turn in so many is looked at."""
HANDS = 200
AGENT = "search-fast"


def rater(edition: LocmEdition) -> Callable[[int], Rated]:
    """Plays the game of a seed, and rates the ends of some turns."""
    reviewer = Reviewer(edition, AGENT, HANDS)

    def rate(seed: int) -> Rated:
        game = LocmGame(edition, LocmDeal(seed))
        agents = [AGENTS[AGENT].new(player_seed(seed, seat)) for seat in range(2)]
        found: list[tuple[float, int]] = []
        while game.to_move is not None:
            seat = game.to_move
            view = game.view(seat)
            code = agents[seat].act(view)
            if game.phase == "battle" and code == PASS and (game.turn + seed) // 2 % (EVERY // 2) == 0:  # both players'
                _, chances = reviewer.review(view, new_records(Line), game.turn)
                found.append((float(chances.mean()), seat))
            game.try_play(int(code))
        return [(chance, float(seat == game.winner)) for chance, seat in found]

    return rate
