"""Made-up events for tests of the live page and of the terminal view."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any

import msgspec

from cardrome.server.snapshot import Load, Snapshot, TeamRow, TournamentRow
from cardrome.web.live.matches import MatchRow, TeamTournament

NAMES = """
Quiet Storm, Blue Lantern, Off By One, The Tappers, Null Pointers, Greedy Gnomes, Six of Hearts, Mana Leak,
Second Breakfast, Lucky Draw, Deck of Cards, Paper Tigers, Slow Loris, Hot Swap, Long Division, Cold Start,
Binary Bards, Stack Smashers, Late Night Compilers, Université du Nord, Łódź Crew, 東京カード, Rook Lift, Dry Run
"""

HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">",
    "</td></table><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "{{ status }}{% for %}",
    "__proto__",
    "[red]x[/red]",
    "\x1b[2J\u202eturned\x00",
    "a very long name that somebody chose to see whether the page would break " * 3,
]


def snapshot(teams: int = 4, tournaments: int = 1, seed: int = 1, **changes: Any) -> Snapshot:
    """An event that has finished some tournaments and is playing the next."""
    rng = random.Random(seed)
    known = [name.strip() for name in NAMES.split(",")]
    names = [known[i] if i < len(known) else f"Team {i + 1}" for i in range(teams)]
    made = {
        name: tuple(None if rng.random() < 0.04 else round(rng.uniform(0, 40), 1) for _ in range(tournaments))
        for name in names
    }
    rows = standings([(name, rng.choice([0, 1, 1, 1, 2, 3]), points) for name, points in made.items()])
    matches = teams * (teams - 1)
    played = tuple(TournamentRow(i + 1, "finished", teams, matches, 2 if i % 5 == 2 else 1) for i in range(tournaments))
    value = Snapshot(
        event="Spring Cup",
        phase="playing",
        commitment="7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451",
        secret=None,
        tick=100,
        turn_seconds=1.0,
        tournament=tournaments + 1,
        planned_tournaments=tournaments + 5,
        turns_left=41,
        matches=matches,
        matches_running=matches,
        tournaments=(*played, TournamentRow(tournaments + 1, "playing", teams, matches, 1)),
        teams=rows,
        load=Load(
            connections=sum(row.connections for row in rows),
            commands_per_second=1234.5,
            refused_per_second=3.2,
            last_lag_ms=0.84,
            worst_lag_ms=12.3,
            late_ticks=0,
            ticks=100,
        ),
        turns=60,
    )
    return msgspec.structs.replace(value, **changes)


def standings(teams: list[tuple[str, int, tuple[float | None, ...]]]) -> tuple[TeamRow, ...]:
    """The rows of teams given by name, connections and points, in order."""
    totals = [sum(p for p in points if p is not None) for _, _, points in teams]
    rows = [
        TeamRow(1 + sum(other > total for other in totals), name, connections, total, points)
        for (name, connections, points), total in zip(teams, totals, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.rank))


class Store:
    """Matches 1 to 3 belong to tournament 1; a request for match 99 blocks until `released`."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.released = threading.Event()
        self.names = HOSTILE[:3]

    def transcript(self, match_id: int) -> bytes | None:
        if match_id == 99:
            self.asked.set()
            self.released.wait()
        return b'{"match": %d}' % match_id if match_id in (1, 2, 3) else None

    def page(self, match_id: int) -> str | None:
        script = "<script>document.title = 'ran'</script>"
        return f"<!doctype html><title>Match {match_id}</title>{script}" if match_id in (1, 2, 3) else None

    def matches(self, number: int) -> list[MatchRow]:
        if number != 1:
            return []
        a, b, c = self.names
        return [
            MatchRow(1, a, b, 61.0, 0.0, "health", 33),
            MatchRow(2, b, a, 12.5, 12.5, "turns", 60),
            MatchRow(3, a, c, 4, 70, "health", 41),
        ]

    def tournaments_of(self, account: int) -> list[int]:
        return []

    def team(self, account: int, numbers: Sequence[int]) -> list[TeamTournament]:
        return []
