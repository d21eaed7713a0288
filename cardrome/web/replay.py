"""A replay as a page: one self-contained file that loads nothing and needs no server.

The game says what there is to see (`page_data`) and brings the style and script that show it. Names, answers and
messages come from strangers; they reach the page escaped as HTML, or as JSON that the script turns into text nodes.
"""

from __future__ import annotations

from cardrome.games.family import find_family
from cardrome.games.replays import Replay
from cardrome.web.templates import inlined, render


def replay_page(replay: Replay) -> str:
    """The page of a replay. `CallerError` if the game is too long for one."""
    family = find_family(replay.edition)
    data = family.page_data(replay)
    shown_by = ("cardrome.web", "static/story") if family.page_package is None else (family.page_package, "page")
    return render(
        "replay.html",
        title=f"{' v '.join(data['players'])} · {data['edition']}",
        data=data,
        **inlined(("cardrome.web", "static/replay"), shown_by),
    )
