"""Ratings of checkpoints: all snapshots of a run, or any policies and agents, against each other.

    python examples/train/rate.py runs/battle/snapshots/*.npz --against greedy --against random

Plays a round robin of mirrored pairs and prints the ratings of Bradley and Terry, with 95 % intervals over pairs
(docs/ratings.md). For larger fields, name the files in a tournament's settings as agents: policy:FILE.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np

import cardrome
from cardrome.tournament.results.pairs import PairResults
from cardrome.tournament.results.ratings import rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="policy files")
    parser.add_argument("--against", action="append", default=[], help="an agent that plays too")
    parser.add_argument("--edition", default="locm-1.2")
    parser.add_argument("--pairs", type=int, default=20, help="mirrored pairs between any two")
    parser.add_argument("--seed", type=int, default=1, help="of the deals")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    args = parser.parse_args()
    names = [*(f"policy:{file}" for file in args.files), *args.against]
    a, b, points = [], [], []
    for i, k in combinations(range(len(names)), 2):
        series = cardrome.play_series(args.edition, names[i], names[k], args.pairs, args.seed, args.jobs)
        a += [i] * len(series.points)
        b += [k] * len(series.points)
        points += series.points.tolist()
    results = PairResults.of_pairs(np.arange(len(names)), np.array(a), np.array(b), np.array(points))
    for line in rate(results).ratings:
        elo = line.elo
        print(f"{line.rank:>3}  {elo.value:>+7.1f} ({elo.low:>+7.1f} to {elo.high:>+7.1f})  {names[line.entrant]}")


if __name__ == "__main__":
    main()
