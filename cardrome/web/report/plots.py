"""Plots of a report, as SVG that stands inside a page: it takes the page's colours, light or dark, and its font.

Matplotlib writes style attributes, which the pages' security policy forbids. They become attributes of the elements,
and the colours become classes that the style sheet knows.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

from cardrome.escaping import printable
from cardrome.tournament.records import TIME_BINS
from cardrome.tournament.results.summary_records import Standing

_COLOURS = {"ink": "#010000", "soft": "#020000", "line": "#030000", "accent": "#040000", "bar": "#050000"}
_CLASSES = {colour: name for name, colour in _COLOURS.items()}
_DROPPED = ("font", "font-family", "font-weight", "stroke-linejoin", "-inkscape-font-specification")
_WIDTH = 380
"""Points: what a phone shows without making it smaller."""
_NAME = 18
_PITCH = 17
"""Points from one bot to the next."""
_TALL = 15
"""With more bots the scale is drawn at both ends."""


def ratings_plot(standings: Sequence[Standing], names: dict[int, str]) -> str:
    """Elo with 95% intervals, the best at the top."""
    count = len(standings)
    labels = [printable(names[line.entrant], _NAME) for line in standings]
    both_ends = count > _TALL
    top, bottom = (22 if both_ends else 6), 32
    height = top + _PITCH * count + bottom
    figure = _figure(_WIDTH, height)
    left = (10 + 6.4 * max(map(len, labels))) / _WIDTH
    axes = figure.add_axes((left, bottom / height, 0.97 - left, _PITCH * count / height))
    rows = range(count)
    low, high = [line.low for line in standings], [line.high for line in standings]
    axes.axvline(0, color=_COLOURS["line"], linewidth=1)
    axes.hlines(rows, low, high, colors=_COLOURS["accent"], linewidth=2.2)
    axes.plot([line.elo for line in standings], rows, "o", color=_COLOURS["ink"], markersize=3.6)
    axes.set_ylim(count - 0.5, -0.5)
    span = max(max(high) - min(low), 50)
    axes.set_xlim(min(low) - span * 0.03, max(high) + span * 0.03)
    axes.set_yticks([])
    _tidy(axes)
    axes.grid(axis="x", color=_COLOURS["line"], linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("Elo", fontsize=9.5, color=_COLOURS["soft"], labelpad=1)
    if both_ends:
        axes.tick_params(top=True, labeltop=True)
    for row, label in enumerate(labels):
        axes.text(
            -0.02,
            row,
            label,
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="center",
            fontsize=10.5,
            color=_COLOURS["ink"],
            parse_math=False,
        )
    return _svg(figure, "Elo of all bots with 95 % intervals")


def times_plot(times: Sequence[int], name: str) -> str:
    """How long answers took: the share of each bin, from the first to the last that has any."""
    filled = [place for place, count in enumerate(times) if count]
    bins = range(min(filled), max(filled) + 1) if filled else range(1)
    bins = range(max(bins[0] - 1, 0), min(bins[-1] + 2, TIME_BINS))
    total = max(sum(times), 1)
    figure = _figure(_WIDTH, 160)
    axes = figure.add_axes((0.02, 0.2, 0.96, 0.7))
    shares = [100 * times[place] / total for place in bins]
    axes.bar(range(len(bins)), shares, width=0.86, color=_COLOURS["bar"])
    axes.set_yticks([])
    axes.set_xticks(range(len(bins)), [bin_name(place) for place in bins])
    axes.set_xlim(-0.6, len(bins) - 0.4)
    axes.set_ylim(0, max([*shares, 1]) * 1.02)
    _tidy(axes)
    for place, share in enumerate(shares):
        if share:
            text = f"{share:.0f} %" if share >= 1 else "<1 %"
            axes.annotate(
                text,
                (place, share),
                (0, 2),
                textcoords="offset points",
                ha="center",
                fontsize=9,
                color=_COLOURS["ink"],
                annotation_clip=False,
            )
    axes.set_xlabel("time of an answer", fontsize=9.5, color=_COLOURS["soft"], labelpad=2)
    return _svg(figure, f"How long answers of {name} took")


def bin_name(place: int) -> str:
    """What a bin of answer times holds, in few letters."""
    if place == TIME_BINS - 1:
        return "more"
    return f"<{1 << place} ms" if place < 10 else f"<{(1 << place) / 1000:.0f} s"


def _figure(width: float, height: float) -> Any:
    # Matplotlib takes half a second to load, which only a report should pay for.
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72), facecolor="none")
    FigureCanvasSVG(figure)
    return figure


def _tidy(axes: Any) -> None:
    axes.set_facecolor("none")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_COLOURS["line"])
    axes.tick_params(colors=_COLOURS["soft"], labelsize=9, length=2, width=0.6)


def _svg(figure: Any, title: str) -> str:
    """The figure as an element of a page."""
    import matplotlib

    text = io.StringIO()
    # Texts stay texts, so what the font of the measuring machine cannot draw does not matter.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "cardrome"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    whole = text.getvalue()
    body = whole[whole.index("<svg") :]
    body = re.sub(r"\s*<metadata>.*?</metadata>|<style.*?</style>|<defs>\s*</defs>", "", body, flags=re.DOTALL)
    # In what stands between tags, < and > are escaped: a name cannot look like one.
    body = re.sub(r"<[^<>]+>", lambda tag: _without_style(tag[0]), body)
    body = re.sub(r"\s*\n\s*", " ", body).replace("> <", "><")
    head = re.sub(r' (width|height)="[^"]*pt"', "", body[: body.index(">")])
    label = escape(title)
    return f'{head} class="plot" role="img" aria-label="{label}">{body[body.index(">") + 1 :].strip()}'


def _without_style(tag: str) -> str:
    """A tag with attributes and classes instead of a style, and without a name that nothing refers to."""
    tag = re.sub(r' id="(?![mph][0-9a-f]{10}")[^"]*"', "", tag)
    found = re.search(r' style="([^"]*)"', tag)
    if found is None:
        return tag
    attributes, classes = [], []
    for item in found[1].split(";"):
        key, _, value = (part.strip() for part in item.partition(":"))
        if key in ("fill", "stroke") and value in _CLASSES:
            classes.append(f"{key[0]}-{_CLASSES[value]}")
        elif key and key not in _DROPPED:
            attributes.append(f' {key}="{value}"')
    named = f' class="{" ".join(classes)}"' if classes else ""
    return tag.replace(found[0], named + "".join(attributes))
