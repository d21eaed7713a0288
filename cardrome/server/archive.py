"""The final scores of all matches of an event: they are told for ever, so they are kept small."""

from __future__ import annotations

import bisect
from typing import Any

import numpy as np


class ScoreArchive:
    """Scores by match id. The ids of a tournament follow one another, so four numbers a match are all it takes."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._blocks: list[np.ndarray[Any, Any]] = []

    def add(self, first_match_id: int, rows: np.ndarray[Any, Any]) -> None:
        """Add a tournament: for each match, by id, both accounts and both scores. Later ones have larger ids."""
        self._starts.append(first_match_id)
        self._blocks.append(rows.astype(np.int32))

    def find(self, match_id: int) -> tuple[int, int, int, int] | None:
        """First player, second player and their scores; None if there was no such match."""
        block = bisect.bisect_right(self._starts, match_id) - 1
        if block < 0:
            return None
        index = match_id - self._starts[block]
        if index >= len(self._blocks[block]):
            return None
        first, second, score_first, score_second = self._blocks[block][index].tolist()
        return first, second, score_first, score_second
