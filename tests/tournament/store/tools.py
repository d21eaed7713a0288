"""Stores with made-up games."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from cardrome.arena.players.behaviour import Behaviour
from cardrome.tournament.games import GameKey, GameTable, PlayedGame
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.store import TournamentStore

EDITION = "locm-1.2"


def agent(name: str, version: str = "1") -> BotSection:
    return BotSection(name, agent="greedy", version=version)


def enter(store: TournamentStore, count: int) -> list[int]:
    return [entrant.id for entrant in store.enter([agent(f"bot{k}") for k in range(count)])]


def played(key: GameKey) -> PlayedGame:
    """A game between agents, the same whenever it is played."""
    return PlayedGame(
        key=key,
        seed=-(key.pair + 1) << 40,
        winner=(key.a + key.b + key.pair + key.game) % 3,  # type: ignore[arg-type]
        turns=20 + key.pair % 50,
        actions=100 + key.a,
        finished_at=1_700_000_000.125 + key.pair,
    )


def behaviour(worst: int = 40, fault: str | None = None) -> Behaviour:
    return Behaviour(1, {300: 1}, {1: 8, worst: 1}, {} if fault is None else {fault: 1})


def with_fault(key: GameKey, kind: str = "timeout", of: Any = 0) -> PlayedGame:
    """A game of two programs, of which one loses by a fault."""
    return msgspec.structs.replace(
        played(key),
        winner=1 - of,
        score_a=31,
        score_b=-4,
        ending=3,
        fault_of=of,
        fault_kind=kind,
        fault_message=f"no answer within {key.pair} ms",
        behaviours=(behaviour(40 + key.pair, None if of else kind), behaviour(3, kind if of else None)),
        stderr=("warning: é\n", ""),
        replay=bytes(range(256)),
    )


def keys(pairing: Pairing) -> list[GameKey]:
    pairs = range(pairing.first_pair, pairing.first_pair + pairing.pairs)
    return [GameKey(pairing.edition, pairing.a, pairing.b, pair, game) for pair in pairs for game in (0, 1)]


def table(*records: PlayedGame) -> GameTable:
    return GameTable.of_records(records)


def stored(store: TournamentStore) -> list[PlayedGame | None]:
    """All games in the order of the table, with everything that is kept of them."""
    return list(map(store.game, store.games().keys()))


def rows(games: GameTable) -> list[Any]:
    """The rows of a table in the order of their keys, whatever numbers editions and kinds of faults have."""
    editions, kinds = np.array(games.editions), np.array([*games.fault_kinds, ""])
    facts = [name for name in games.rows.dtype.names or () if name not in ("edition", "fault_kind", "answers")]
    names = editions[games["edition"]].tolist(), kinds[games["fault_kind"]].tolist()
    return sorted(zip(names[0], games.rows[facts].tolist(), names[1], games["answers"].tolist(), strict=True))
