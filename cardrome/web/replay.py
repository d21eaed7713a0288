"""A replay as a page: one self-contained file that loads nothing and needs no server.

The game says what there is to see (`Family.page_data`), in frames that look alike for all games
(`cardrome.games.frames`); the viewer in `static/replay` draws them. Of a game without frames the page tells the
story in words. Names, answers and messages come from strangers; they reach the page escaped as HTML, or as JSON that
the script turns into text nodes.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from cardrome.escaping import printable
from cardrome.games.analysis import GameAnalysis, add_to_page
from cardrome.games.family import find_family
from cardrome.games.replays import Replay
from cardrome.web import words
from cardrome.web.modules import joined
from cardrome.web.templates import alone, asset, render

if TYPE_CHECKING:
    from markupsafe import Markup

STYLES = (
    "tokens",
    "furniture",
    "cards/card",
    "match/match",
    "match/decks",
    "replay/log",
    "replay/timeline",
    "match/wide",
)
"""The viewer's style sheets. The last one is for large screens, and has the last word."""


def replay_page(replay: Replay, analysis: GameAnalysis | None = None) -> str:
    """The page of a replay, with the curve of its analysis if there is one. `CallerError` if the game is too long."""
    values = page_values(replay)
    if analysis is not None:
        add_to_page(values["data"], analysis)
    furniture = _story() if "lines" in values["data"] else _viewer()
    # English for those without scripts; the viewer speaks whatever its reader does.
    nowhere = dict.fromkeys(("home", "back", "play", "analyse"))
    return render("replay.html", t=partial(words.text, "en"), **nowhere, **values, **furniture)


def page_values(replay: Replay) -> dict[str, Any]:
    """What a page shows of a replay: its title, its result in words, and the data for the viewer."""
    family = find_family(replay.edition)
    return {
        "title": f"{' v '.join(printable(name, 60) for name in replay.players)} · {replay.edition}",
        "result": family.result_line(replay),
        "data": family.page_data(replay),
    }


@functools.cache
def _viewer() -> Mapping[str, Markup]:
    return alone(style_of(*STYLES), joined("web/static/replay/page.js"))


@functools.cache
def _story() -> Mapping[str, Markup]:
    return alone(style_of("tokens", "furniture"), "")


def style_of(*names: str) -> str:
    """Style sheets of the package as one."""
    return "".join(asset(f"static/{name}.css") for name in names)
