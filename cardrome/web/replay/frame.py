"""What the pages of all replays share: one self-contained file that loads nothing and needs no server.

Names, answers and messages come from strangers. They reach the page in two ways only: escaped as HTML, or inside a
block of JSON that the script puts on the page as text.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import re
from importlib import resources
from typing import Any

import msgspec

from cardrome.escaping import printable
from cardrome.games.family import find_family
from cardrome.games.replays import Replay

_NAME = 60
"""Characters shown of a player's name."""


def replay_page(replay: Replay) -> str:
    """The page of a replay: the common frame with its family's style and script, and the data that they show."""
    family = find_family(replay.edition)
    data = family.page_data(replay)
    title = " v ".join(printable(name, _NAME) for name in replay.players) + f" · {replay.edition}"
    style, script = (_part(f"replay/frame.{kind}") + _part(f"replay/{family.name}.{kind}") for kind in ("css", "js"))
    return _fill(
        _part("replay.html", "templates"),
        {
            "policy": f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'",
            "title": html.escape(title),
            "result": html.escape(family.result_line(replay)),
            "style": style,
            "script": script,
            "data": embedded(data),
        },
    )


def embedded(data: Any) -> str:
    """JSON that may stand inside a script element: nothing in it can end the element or open a comment."""
    text = msgspec.json.encode(data).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


@functools.cache
def _part(name: str, folder: str = "static") -> str:
    return resources.files("cardrome.web").joinpath(folder, name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """How a content security policy names an inline part: nothing else on the page may run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _fill(template: str, values: dict[str, str]) -> str:
    """Fill in all gaps at once, so that nothing filled in is taken for a gap."""
    return re.sub(r"\[\[(\w+)\]\]", lambda gap: values[gap[1]], template)
