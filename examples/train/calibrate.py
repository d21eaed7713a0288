"""Make the chances of `cardrome analyse` honest: of positions called 70 %, about 70 % should be won.

    python examples/train/calibrate.py locm-1.2 locm-1.5 --games 3000

For each edition (all, if none is named), the searching agent plays against itself, and a quarter of its turns are rated
as `analyse` rates them. A slope and an offset of the logit are fitted to half of the games; the other half says how
reliable the chances are then. Both go into a file beside the agents' weights, with a mark of the weights for which they
hold: after training, run this again. 3,000 games take three to five minutes of one core.

``--picture FILE`` draws the tables of all editions in that file; with ``--games 0`` it does nothing else.
"""

from __future__ import annotations

import argparse
import functools
import math
import os
import sys
from pathlib import Path

import msgspec

from cardrome.games.family import find_family
from cardrome.games.learning.calibration import FILE, Calibration, calibrate, rate_games, read_calibrations
from cardrome.games.locm.agents.search import brain as locm
from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.locm.training import calibrating as locm_games
from cardrome.games.tapdeck.agents.search import brain as tapdeck
from cardrome.games.tapdeck.rules.edition import TAPDECK
from cardrome.games.tapdeck.training import calibrating as tapdeck_matches

SIDE, LEFT, TOP, GAP, FOOT, COLUMNS = 180, 44, 62, 52, 46, 4
BEFORE, AFTER = "#a08b6c", "#0b6e4f"


def draw(calibrations: dict[str, Calibration]) -> str:
    """A panel for each edition: what was said and what was won, before and after; a larger dot is more positions."""
    rows = -(-len(calibrations) // COLUMNS)
    columns = min(COLUMNS, len(calibrations))
    width, height = max(420, LEFT + columns * (SIDE + GAP)), TOP + rows * (SIDE + FOOT)
    title = "Chances that were told, and games that were won"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif"'
        ' font-size="11">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="22" font-size="15" fill="#222">{title}</text>',
        f'<circle cx="18" cy="38" r="4" fill="none" stroke="{BEFORE}" stroke-width="1.5"/>',
        f'<text x="28" y="42" fill="#555">as the search says</text><circle cx="148" cy="38" r="4" fill="{AFTER}"/>',
        '<text x="158" y="42" fill="#555">corrected; all from games that were not used for the fit</text>',
    ]
    for k, (name, found) in enumerate(calibrations.items()):
        left, top = LEFT + k % COLUMNS * (SIDE + GAP), TOP + k // COLUMNS * (SIDE + FOOT)
        out.append(f'<g transform="translate({left} {top})">')
        out += [f'<text x="{SIDE / 2}" y="{SIDE + 30}" text-anchor="middle" fill="#222">{name}</text>']
        out += [f'<path d="M0 {SIDE}L{SIDE} 0" stroke="#999" stroke-dasharray="3 3"/>']
        for share in (0, 0.5, 1):
            out.append(f'<path d="M0 {SIDE * (1 - share)}h{SIDE}M{SIDE * share} 0v{SIDE}" stroke="#ddd"/>')
            out.append(f'<text x="-6" y="{SIDE * (1 - share) + 4}" text-anchor="end" fill="#555">{share:.0%}</text>')
            out.append(f'<text x="{SIDE * share}" y="{SIDE + 14}" text-anchor="middle" fill="#555">{share:.0%}</text>')
        most = max(row[3] for row in found.reliability)
        for before, after, won, positions in found.reliability:
            size = 2 + 4 * math.sqrt(positions / most)
            for x, style in ((before, f'fill="none" stroke="{BEFORE}" stroke-width="1.5"'), (after, f'fill="{AFTER}"')):
                out.append(f'<circle cx="{SIDE * x:.1f}" cy="{SIDE * (1 - won):.1f}" r="{size:.1f}" {style}/>')
        out.append("</g>")
    return "\n".join([*out, "</svg>", ""])


def table(found: Calibration) -> str:
    """The reliability table as text."""
    lines = ["as said   told    won  positions"]
    lines += [f"{before:7.1%} {told:6.1%} {won:6.1%} {n:10}" for before, told, won, n in found.reliability]
    return "\n".join(lines)


def rated_edition(name: str, games: int, seed: int, jobs: int) -> Calibration:
    """Play the games of an edition, and fit its chances to them."""

    def report(done: int) -> None:
        print(f"\r{name}: {done} of {games} games", end="", file=sys.stderr, flush=True)

    if name == TAPDECK.name:
        brain, new_rater = tapdeck.learned_brain(), functools.partial(tapdeck_matches.rater, TAPDECK)
    else:
        edition = EDITIONS[name]
        brain, new_rater = locm.brain_of(edition), functools.partial(locm_games.rater, edition)
    return calibrate(brain, rate_games(new_rater, find_family(name).seeds(seed, games), jobs, report))


def main() -> None:
    folders = {**dict.fromkeys(EDITIONS, locm.WEIGHTS), TAPDECK.name: tapdeck.WEIGHTS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("editions", nargs="*", choices=[*folders, []], metavar="EDITION")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=20261116)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--picture", type=Path)
    args = parser.parse_args()
    for name in (args.editions or folders) if args.games else ():
        found = rated_edition(name, args.games, args.seed, args.jobs)
        print(f"\n{name}: slope {found.slope}, offset {found.offset}\n{table(found)}")
        known = {**read_calibrations(folders[name]), name: found}  # another process may have added an edition
        ordered = {each: known[each] for each in folders if each in known}
        file = Path(str(folders[name])) / FILE
        file.write_bytes(msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n")
    if args.picture is not None:
        known = read_calibrations(locm.WEIGHTS) | read_calibrations(tapdeck.WEIGHTS)
        args.picture.write_text(draw(known), encoding="utf-8")


if __name__ == "__main__":
    main()
