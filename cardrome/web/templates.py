"""The templates of all pages: one Jinja environment, and how numbers, times and names are written.

Values are escaped wherever a template shows them, and a value that was not given is an error. A page that has to stand
alone carries its style and script with it (`alone`); its content security policy names both by digest, so nothing
else on the page can run or be loaded.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from cardrome.escaping import printable
from cardrome.wording import counted

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context
    from markupsafe import Markup


def render(template: str, /, **values: Any) -> str:
    """Fill in a template of `cardrome/web/templates`."""
    return environment().get_template(template).render(values)


def load(*templates: str) -> None:
    """Compile templates now, for a process that has no time for it later."""
    for template in templates:
        environment().get_template(template)


@functools.cache
def environment() -> Environment:
    """The environment that all templates share; each is compiled once."""
    # Imported here because the terminal views use this module's numbers without ever showing a page.
    from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context

    def localized(written: Callable[..., str]) -> Callable[..., str]:
        @pass_context
        def filtered(context: Context, *values: Any) -> str:
            return written(*values).translate(_WRITTEN.get(context.get("language", ""), {}))

        return filtered

    made = Environment(
        loader=PackageLoader("cardrome.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.policies["json.dumps_function"] = _json
    made.filters |= {each.__name__: localized(each) for each in (elo, milliseconds, number, percent, points)}
    made.filters |= {each.__name__: each for each in (counted, printable, printable_lines, when)}
    made.globals["zip"] = zip
    return made


def _json(value: Any, **_: Any) -> str:
    """JSON for Jinja's `tojson` filter, which escapes whatever could end a script element or open a comment."""
    text = msgspec.json.encode(value).decode()
    return text.replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")  # line ends to JavaScript, not to JSON


# Pages that are one file


@functools.cache
def asset(path: str, package: str = "cardrome.web") -> str:
    """The text of a file that comes with a package."""
    return resources.files(package).joinpath(path).read_text(encoding="utf-8")


def alone(style: str, script: str) -> Mapping[str, Markup]:
    """Style, script and policy of a page that is one file for its template. Without a script, none may run."""
    from markupsafe import Markup

    style = re.sub(r"\s*\n\s*", "\n", style)
    policy = f"default-src 'none'; style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'"
    if script:
        policy += f"; script-src '{_digest(script)}'"
    # All three are our own: the files of the package, and digests of them.
    return {"style": Markup(style), "script": Markup(script), "policy": Markup(policy)}


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# Numbers, times and names, for people

_WRITTEN = {"fr": str.maketrans({",": "\u202f", ".": ",", "%": "\u202f%"})}
"""What other languages write instead of the signs that the functions below use."""


def number(value: int) -> str:
    """A count: `12,345`."""
    return f"{value:,}"


def percent(share: float, digits: int = 1) -> str:
    """A share between 0 and 1: `56.3%`."""
    return f"{100 * share:.{digits}f}%"


def points(value: float, digits: int | None = None) -> str:
    """Points with as many decimals as asked for, or as few as they need, two at most: `12`, `12.5`, `0.33`."""
    text = f"{round(value, 2) + 0.0:,.{2 if digits is None else digits}f}"  # adding 0.0 turns -0 into 0
    return text.rstrip("0").rstrip(".") if digits is None else text


def elo(value: float) -> str:
    """A rating with its sign, as typeset: `+120`, `−35`, `0`."""
    return "0" if abs(value) < 0.5 else f"{value:+.0f}".replace("-", "−")


def milliseconds(value: float) -> str:
    """A short time: `0.4 ms`, `12 ms`, `10.5 s`."""
    if value < 10 and value != int(value):
        return f"{value:.1f} ms"
    return f"{value:.0f} ms" if value < 10_000 else f"{value / 1000:.1f} s"


def when(seconds: float) -> str:
    """A moment, UTC: `2026-11-15 14:30`."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


def printable_lines(text: str) -> str:
    """Several lines that somebody else wrote, without characters that hide or reverse the text."""
    return "\n".join(printable(line.expandtabs(), 2000) for line in text.splitlines())
