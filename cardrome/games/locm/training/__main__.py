"""Train the searching agents of an edition: ``python -m cardrome.games.locm.training locm-1.2 --folder run``."""

from __future__ import annotations

import argparse
import functools
import os
from pathlib import Path

from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.locm.training.pipeline import Run, Schedule


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", choices=list(EDITIONS))
    parser.add_argument(
        "--folder", type=Path, default=Path("training"), help="where steps are kept; a run goes on there"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the usual number of games, to try it out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    folder = options.folder / options.edition
    schedule = Schedule().scaled(options.scale)
    edition = EDITIONS[options.edition]
    Run(edition, folder, schedule, options.seed, options.jobs, functools.partial(print, flush=True)).run()
    print(f"the brain is the last file in {folder}")


if __name__ == "__main__":
    main()
