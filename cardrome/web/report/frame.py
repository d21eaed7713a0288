"""What all pages of a report share: the frame, and how names, numbers and times are written.

Whatever somebody else wrote goes through `shown` or `escape`. A page holds its style and script, and nothing else on it
may run or be loaded.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from importlib import resources

from cardrome.escaping import printable
from cardrome.tournament.results.summary_records import Interval, Summary

GENERATOR = "cardrome tournament report"
"""By this a folder's index.html is known as ours."""

_NAME = 64


def page(title: str, heading: str, body: str, *, lead: str = "", crumbs: Sequence[tuple[str | None, str]] = ()) -> str:
    """A page. Title and names of crumbs are plain texts; heading, lead and body are HTML."""
    policy, style, script = _shared()
    return _fill(
        _part("templates/report.html"),
        {
            "policy": policy,
            "style": style,
            "script": script,
            "title": escape(title),
            "crumbs": _crumbs(crumbs),
            "heading": heading,
            "lead": f'<p class="lead">{lead}</p>\n' if lead else "",
            "body": body,
        },
    )


def _crumbs(crumbs: Sequence[tuple[str | None, str]]) -> str:
    if not crumbs:
        return ""
    steps = [f'<a href="{where}">{shown(name)}</a>' if where else shown(name) for where, name in crumbs]
    return f'<nav class="crumbs" aria-label="Where this is">{" › ".join(steps)}</nav>\n'


@functools.cache
def _shared() -> tuple[str, str, str]:
    """Security policy, style and script."""
    style, script = (_part(f"static/report/report.{kind}") for kind in ("css", "js"))
    style = re.sub(r"\s*\n\s*", "\n", style)
    rules = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    return f"{rules}; img-src data:; base-uri 'none'; form-action 'none'", style, script


@functools.cache
def _part(name: str) -> str:
    return resources.files("cardrome.web").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _fill(template: str, values: dict[str, str]) -> str:
    """Fill in all gaps at once, so that nothing filled in is taken for a gap."""
    return re.sub(r"\[\[(\w+)\]\]", lambda gap: values[gap[1]], template)


def shown(text: str, limit: int = _NAME) -> str:
    """A name or another short text of somebody else as HTML: one line, nothing that hides or turns around."""
    return escape(printable(text, limit))


def shown_lines(text: str) -> str:
    """A text of several lines, as HTML that stands in a pre element."""
    return "\n".join(escape(printable(line.expandtabs(), 2000)) for line in text.splitlines())


class Names:
    """The names of entrants, ready for pages."""

    def __init__(self, summary: Summary) -> None:
        self.plain = {entrant.id: entrant.name for entrant in summary.entrants}
        self.html = {number: shown(name) for number, name in self.plain.items()}

    def link(self, entrant: int, up: str) -> str:
        """An entrant's name that leads to its page; ``up`` leads to the report's folder."""
        return f'<a href="{up}bots/{entrant}.html" title="{self.html[entrant]}"><bdi>{self.html[entrant]}</bdi></a>'


def file_name(edition: str) -> str:
    """An edition's name as part of a path."""
    return re.sub(r"[^\w.-]", "_", edition).lstrip(".") or "_"


def pairing_path(edition: str, one: int, other: int, number: int = 1) -> str:
    """Where the games of two entrants are listed, from the report's folder."""
    low, high = sorted((one, other))
    more = "" if number == 1 else f"-page{number}"
    return f"games/{file_name(edition)}/{low}-{high}{more}.html"


def table(heads: Iterable[str], rows: Iterable[str], kind: str = "sort") -> str:
    """A table in a box that scrolls sideways if need be; heads are whole th elements."""
    return (
        f'<div class="box" tabindex="0"><table class="{kind}"><thead><tr>{"".join(heads)}</tr></thead>\n<tbody>\n'
        f"{''.join(rows)}</tbody></table></div>\n"
    )


def head(text: str, kind: str = "", title: str = "", up: bool = False) -> str:
    """The head of a column; ``up``: its numbers are sorted from the least on."""
    attributes = (f' class="{kind}"' if kind else "") + (f' title="{title}"' if title else "")
    return f'<th scope="col"{attributes}{" data-up" if up else ""}>{text}</th>'


def percent(share: float, digits: int = 1) -> str:
    """A share for people."""
    return f"{100 * share:.{digits}f} %"


def signed(value: float) -> str:
    """An Elo rating, with a true minus."""
    return "0" if abs(value) < 0.5 else f"{value:+.0f}".replace("-", "−")


def when(seconds: float | None) -> str:
    """A time, UTC."""
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


def milliseconds(value: float) -> str:
    """A time that an answer took."""
    if value < 10 and value != int(value):
        return f"{value:.1f} ms"
    return f"{value:.0f} ms" if value < 10_000 else f"{value / 1000:.1f} s"


def counted(count: int, one: str, more: str | None = None) -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def range_bar(share: Interval) -> str:
    """A share and its interval as a small drawing: the whole width is 0 to 100 %, the stroke a half."""
    low, width = 100 * share.low, 100 * (share.high - share.low)
    return (
        '<svg class="range" viewBox="-2 0 104 10" preserveAspectRatio="none" aria-hidden="true">'
        '<path d="M0 5H100M50 0V10M0 3V7M100 3V7"/>'
        f'<rect x="{low:.1f}" y="2.5" width="{max(width, 0.5):.1f}" height="5"/>'
        f'<rect class="f-ink" x="{100 * share.value - 0.6:.1f}" y="0.5" width="1.2" height="9"/></svg>'
    )
