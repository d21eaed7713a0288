"""Train the network of Tapdeck's searching agents: ``python -m cardrome.games.tapdeck.training --folder run``."""

from __future__ import annotations

import argparse
import functools
import os
from pathlib import Path

from cardrome.games.tapdeck.training.pipeline import Run


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("training"), help="what is found there is not done again")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the usual number of games, to try it out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    Run(options.folder, options.seed, options.scale, options.jobs, functools.partial(print, flush=True)).run()
    print(f"the network is the last file in {options.folder}")


if __name__ == "__main__":
    main()
