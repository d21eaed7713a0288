"""A replay as a page: one self-contained file that loads nothing and needs no server.

The game says what there is to see (`Family.page_data`) and brings the style and script that show it, `page.css` and
`page.js` in its package; of a game without them the page tells the story in words. Names, answers and messages come
from strangers; they reach the page escaped as HTML, or as JSON that the script turns into text nodes.
"""

from __future__ import annotations

from cardrome.escaping import printable
from cardrome.games.family import find_family
from cardrome.games.replays import Replay
from cardrome.web.templates import inlined, render


def replay_page(replay: Replay) -> str:
    """The page of a replay. `CallerError` if the game is too long for one."""
    family = find_family(replay.edition)
    data = family.page_data(replay)
    values = {
        "title": f"{' v '.join(printable(name, 60) for name in replay.players)} · {replay.edition}",
        "result": family.result_line(replay),
        "data": data,
    }
    shared = "cardrome.web", "static/replay"
    if "lines" in data:
        return render("story.html", **values, **inlined(shared, scripts=False))
    return render("replay.html", **values, **inlined(shared, (family.package, "page")))
