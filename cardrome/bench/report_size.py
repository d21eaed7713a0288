"""How long a report takes and how large it is, for 40 bots and 100,000 games made up from known strengths.

    python -m cardrome.bench.report_size --bots 40 --pairs 64 --folder /tmp/report-size

writes the store, then the summary, the pages and the exports, and prints the seconds, files and bytes of each. Results
are random, so that no game has to be played; a few real games stand in for all replays.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from cardrome.arena.play import play_one
from cardrome.arena.players.behaviour import Behaviour
from cardrome.arena.players.player import BotSettings, PlayerSpec
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.replay_files import pack_replay
from cardrome.tournament.games import GameKey, GameTable, PlayedGame, Side
from cardrome.tournament.results.exports import write_csv, write_json, write_markdown, write_parquet
from cardrome.tournament.results.summary import summarize
from cardrome.tournament.schedule.pairing import deal_seed
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.store import TournamentStore
from cardrome.web.tournaments.report import write_report

EDITION = "locm-1.2"
SEED = 2026
FAULTS = ("timeout", "crash", "syntax")
STDERR = "thread 'main' panicked at src/main.rs:118\nindex out of bounds: the len is 6 but the index is 7\n"
KINDS = ("falcon", "otter", "badger", "heron", "lynx", "marten", "raven", "stoat")


def made_up_name(number: int) -> str:
    return f"{KINDS[number % len(KINDS)]}-{number // len(KINDS) + 1}"


def make_store(path: Path, bots: int, pairs: int, replay_pairs: int = 1) -> int:
    """A store of a finished round robin; returns the number of games."""
    rng = np.random.default_rng(SEED)
    strengths = rng.normal(0, 150, bots)
    care = rng.uniform(0, 0.01, bots)
    pace = rng.uniform(1, 60, bots)
    agents = PlayerSpec(0, "rule-based", "rule-based"), PlayerSpec(1, "greedy", "greedy")
    replays = [pack_replay(play_one(EDITION, agents, LocmDeal(k), 0, BotSettings())) for k in range(min(pairs, 8))]
    seeds = [deal_seed(SEED, EDITION, pair) for pair in range(pairs)]
    clock = itertools.count(1_750_000_000)

    def behaviour(bot: int, fault: str | None) -> Behaviour:
        times = Counter(int(ms) for ms in rng.exponential(pace[bot], 20))
        return Behaviour(1, {120: 1}, dict(sorted(times.items())), {} if fault is None else {fault: 1})

    def games(a: int, b: int) -> Iterator[PlayedGame]:
        chance = 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
        for pair, game in itertools.product(range(pairs), (0, 1)):
            side: Side = 1 if game else 0
            lost = next((k for k, bot in enumerate((a, b)) if rng.random() < care[bot]), None)
            won = rng.random() < chance + (0.03 if game == 0 else -0.03)
            winner = (0 if won else 1) if lost is None else 1 - lost
            kept = pair < replay_pairs or lost is not None
            kind = None if lost is None else FAULTS[int(rng.integers(len(FAULTS)))]
            yield PlayedGame(
                key=GameKey(EDITION, a + 1, b + 1, pair, side),
                seed=seeds[pair],
                winner=winner,  # type: ignore[arg-type]
                turns=int(rng.integers(8, 60)),
                actions=int(rng.integers(30, 200)),
                fault_of=lost,  # type: ignore[arg-type]
                fault_kind=kind,
                fault_message="" if lost is None else "no answer within 200 ms",
                behaviours=(behaviour(a, kind if lost == 0 else None), behaviour(b, kind if lost == 1 else None)),
                stderr=(STDERR if lost == 0 else "", STDERR if lost == 1 else ""),
                replay=replays[pair % len(replays)] if kept else None,
                finished_at=float(next(clock)),
            )

    count = 0
    with TournamentStore.open(path) as store:
        growing = f'{{"pairs":{pairs},"rounds":null,"editions":["{EDITION}"]}}'
        store.register("The great made-up cup", SEED, '{"schedule":"round-robin","limits":{}}', growing)
        sections = [BotSection(name=made_up_name(k), command=f"./bot{k}", author=f"team {k % 13}") for k in range(bots)]
        store.enter(sections)
        for a in range(bots):
            count += store.save(GameTable.of_records([record for b in range(a + 1, bots) for record in games(a, b)]))
    return count


def timed(what: str, call: Callable[[], object]) -> None:
    start = time.perf_counter()
    call()
    print(f"{what:<22} {time.perf_counter() - start:6.1f} s")


def sizes(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return f"{len(files):,} files, {sum(path.stat().st_size for path in files) / 1e6:,.1f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--bots", type=int, default=40)
    parser.add_argument("--pairs", type=int, default=64)
    parser.add_argument("--replay-pairs", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / "cup.db"
    if not path.exists():
        timed("store", lambda: make_store(path, options.bots, options.pairs))
    with TournamentStore.open(path, claim=False) as store:
        start = time.perf_counter()
        snapshot = store.snapshot()
        games = snapshot.games
        print(f"{'read the games':<22} {time.perf_counter() - start:6.1f} s   {len(games):,} games")
        start = time.perf_counter()
        summary = summarize(snapshot)
        print(f"{'summary':<22} {time.perf_counter() - start:6.1f} s")
        site, tables = options.folder / "site", options.folder / "tables"
        timed(
            "pages",
            lambda: write_report(site, store, summary, games, replay_pairs=options.replay_pairs, jobs=options.jobs),
        )
        print(f"{'':<22} {sizes(site)}")
        timed("CSV", lambda: write_csv(tables, summary, games))
        timed("JSON", lambda: write_json(tables / "summary.json", summary))
        timed("Markdown", lambda: write_markdown(tables / "standings.md", summary))
        timed("Parquet", lambda: write_parquet(tables / "games.parquet", summary, games))
        for table in sorted(tables.iterdir()):
            print(f"  {table.name:<20} {table.stat().st_size / 1e6:6.2f} MB")
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
