"""A learning curve as a picture: reads the log of a training run, writes an SVG file.

python examples/train/curve.py runs/battle/log.jsonl curve.svg
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 380, 56, 48, 120, 44
COLOURS = ("#0b6e4f", "#b3541e", "#3b5b92", "#7a3b8f")


def draw(rows: list[dict[str, Any]], title: str, steps_are: str = "steps") -> str:
    """Rows have ``steps`` and ``wins``: for each opponent the share of games won, and the ends of its interval."""
    last = max(row["steps"] for row in rows) or 1
    unit, name = (1e6, f"million {steps_are}") if last >= 1e6 else (1e3, f"thousand {steps_are}")
    curves = {opponent: row["wins"][opponent] for row in rows for opponent in row["wins"]}

    def x(steps: float) -> float:
        return LEFT + steps / last * (WIDTH - LEFT - RIGHT)

    def y(share: float) -> float:
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif"'
        ' font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="26" font-size="16" fill="#222">{title}</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 0.9, 1):
        out.append(f'<path d="M{LEFT} {y(share):.1f}H{WIDTH - RIGHT}" stroke="#ccc" stroke-dasharray="3 3"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(share) + 4:.1f}" text-anchor="end" fill="#555">{share:.0%}</text>')
    for k in range(5):
        steps = last * k / 4
        out.append(
            f'<text x="{x(steps):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#555">'
            f"{steps / unit:.2g}</text>"
        )
    out.append(f'<text x="{x(last / 2):.1f}" y="{HEIGHT - 8}" text-anchor="middle" fill="#555">{name}</text>')
    for colour, (opponent, final) in zip(COLOURS, curves.items(), strict=False):
        points = [(x(row["steps"]), *map(y, row["wins"][opponent])) for row in rows if opponent in row["wins"]]
        line = " ".join(f"{px:.1f},{value:.1f}" for px, value, _, _ in points)
        band = [f"{px:.1f},{low:.1f}" for px, _, low, _ in points] + [
            f"{px:.1f},{high:.1f}" for px, _, _, high in reversed(points)
        ]
        out.append(f'<polygon points="{" ".join(band)}" fill="{colour}" opacity="0.18"/>')
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(
            f'<text x="{WIDTH - RIGHT + 8}" y="{points[-1][1] + 4:.1f}" fill="{colour}">'
            f"{opponent} {final[0]:.0%}</text>"
        )
    return "\n".join([*out, "</svg>", ""])


def read_log(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    log, picture = map(Path, sys.argv[1:])
    picture.write_text(draw(read_log(log), "Games won against"), encoding="utf-8")
