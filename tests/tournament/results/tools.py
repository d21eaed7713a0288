"""Made-up entrants and games."""

from __future__ import annotations

import numpy as np

from cardrome.engine.bulk import DRAWN
from cardrome.tournament.games import Entrant, GameKey, GameTable, PlayedGame, blank_rows
from cardrome.tournament.settings import BotSection

EDITION = "locm-1.2"
Row = tuple[int, int, int, int, float, bool]
"""Two entrants, the pair, who has the first turn, the points of the first entrant, and whether it was a forfeit."""


def games(*rows: Row, editions: tuple[str, ...] = (EDITION,)) -> GameTable:
    """Games, in turn of each of the editions."""
    made = blank_rows(len(rows))
    for place, (a, b, pair, first, points, forfeit) in enumerate(rows):
        row = made[place]
        row["edition"], row["a"], row["b"], row["pair"], row["first"] = place % len(editions), a, b, pair, first
        row["winner"] = {1.0: 0, 0.5: DRAWN, 0.0: 1}[points]
        if forfeit:
            row["fault_of"], row["fault_kind"] = int(points > 0), 0
    return GameTable(made, editions, ("crash",))


def ids(count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.arange(count, dtype=np.int64)


def entrants(*names: str) -> list[Entrant]:
    return [
        Entrant(id=k, bot=BotSection(name, agent="greedy"), active=True, problem=None) for k, name in enumerate(names)
    ]


def ended(*games: tuple[int, int, int] | tuple[int, int, int, int]) -> GameTable:
    """Games of A, B, the winner, and perhaps the side whose fault decided."""
    return GameTable.of_records(
        [
            PlayedGame(
                key=GameKey(EDITION, a, b, pair, 0),
                seed=0,
                winner=winner,  # type: ignore[arg-type]
                turns=9,
                actions=9,
                fault_of=fault[0] if fault else None,  # type: ignore[arg-type]
                fault_kind="crash" if fault else None,
                finished_at=0.0,
            )
            for pair, (a, b, winner, *fault) in enumerate(games)
        ]
    )
