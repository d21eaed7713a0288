"""Plots of a report, as SVG elements that take the page's font and colours, light or dark.

Matplotlib writes style attributes, which the pages' security policy forbids. They become presentation attributes, and
colours become classes of the style sheet.
"""

from __future__ import annotations

import io
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from cardrome.arena.players.behaviour import TIME_BINS
from cardrome.escaping import printable
from cardrome.tournament.results.ratings import Rating

_COLOURS = {"ink": "#010000", "soft": "#020000", "line": "#030000", "accent": "#040000", "bar": "#050000"}
_CLASSES = {colour: name for name, colour in _COLOURS.items()}
_NAMESPACE = "http://www.w3.org/2000/svg"
_DROPPED = ("font", "font-family", "font-weight", "stroke-linejoin", "-inkscape-font-specification")
_WIDTH = 380
"""Points: what fits on a phone at full size."""
_NAME = 18
"""Characters of a name."""
_PITCH = 17
"""Points from one bot to the next."""
_TALL = 15
"""With more bots than this the scale is drawn at both ends."""


def ratings_plot(standings: Sequence[Rating], names: Mapping[int, str]) -> Markup:
    """Elo with 95% intervals, the best bot at the top."""
    count = len(standings)
    labels = [printable(names[line.entrant], _NAME) for line in standings]
    both_ends = count > _TALL
    top, bottom = (22 if both_ends else 6), 32
    height = top + _PITCH * count + bottom
    figure = _figure(_WIDTH, height)
    left = (10 + 6.4 * max(map(len, labels))) / _WIDTH
    axes = figure.add_axes((left, bottom / height, 0.97 - left, _PITCH * count / height))
    rows = range(count)
    low, high = [line.elo.low for line in standings], [line.elo.high for line in standings]
    axes.axvline(0, color=_COLOURS["line"], linewidth=1)
    axes.hlines(rows, low, high, colors=_COLOURS["accent"], linewidth=2.2)
    axes.plot([line.elo.value for line in standings], rows, "o", color=_COLOURS["ink"], markersize=3.6)
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
    return _svg(figure, "Elo of all bots with 95% intervals")


def times_plot(times: Sequence[int], name: str) -> Markup:
    """How long a bot's answers took: the share of each bin, from the first to the last that has any."""
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
            text = f"{share:.0f}%" if share >= 1 else "<1%"
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
    axes.set_xlabel("answer time", fontsize=9.5, color=_COLOURS["soft"], labelpad=2)
    return _svg(figure, f"How long the answers of {name} took")


def bin_name(place: int) -> str:
    """A short label for a bin of answer times."""
    if place == TIME_BINS - 1:
        return "more"
    return f"<{1 << place} ms" if place < 10 else f"<{(1 << place) / 1000:.0f} s"


def _figure(width: float, height: float) -> Any:
    # Matplotlib takes half a second to import, which only a report should pay for.
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


def _svg(figure: Any, title: str) -> Markup:
    """The figure as an element of a page."""
    import matplotlib

    text = io.StringIO()
    # Texts stay texts, so it does not matter what the fonts of this machine can draw.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "cardrome"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    root = ET.fromstring(text.getvalue())
    _clean(root)
    for size in ("width", "height"):  # the style sheet decides
        del root.attrib[size]
    root.attrib |= {"xmlns": _NAMESPACE, "class": "plot", "role": "img", "aria-label": title}
    return Markup(ET.tostring(root, encoding="unicode"))  # the XML writer has escaped names


def _clean(element: ET.Element) -> None:
    """Leave out metadata, style sheets and indentation, and namespaces, which HTML does without."""
    _restyle(element)
    element.tag = element.tag.rpartition("}")[2]
    element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    element.text, element.tail = (text if text and text.strip() else None for text in (element.text, element.tail))
    for child in list(element):
        if child.tag.endswith(("}metadata", "}style")):
            element.remove(child)
        else:
            _clean(child)


def _restyle(element: ET.Element) -> None:
    """Replace an element's style by attributes and classes, and drop an id that nothing refers to."""
    if not re.fullmatch("[mph][0-9a-f]{10}", element.get("id", "")):
        element.attrib.pop("id", None)
    classes = []
    for item in element.attrib.pop("style", "").split(";"):
        key, _, value = (part.strip() for part in item.partition(":"))
        if key in ("fill", "stroke") and value in _CLASSES:
            classes.append(f"{key[0]}-{_CLASSES[value]}")
        elif key and key not in _DROPPED:
            element.set(key, value)
    if classes:
        element.set("class", " ".join(classes))
