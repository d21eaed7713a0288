"""A replay as a page: one self-contained file that loads nothing and needs no server.

The game says what there is to see (`page_data`) and brings the style and script that show it. Names, answers and
messages come from strangers; they reach the page escaped as HTML, or as JSON that the script turns into text nodes.
"""

from __future__ import annotations

from typing import Any

from cardrome.games.replays import AnyReplay
from cardrome.web.templates import inlined, render


def replay_page(replay: AnyReplay) -> str:
    """The page of a replay. `CallerError` if the game is too long for one."""
    package, data = _shown(replay)
    return render(
        "replay.html",
        title=f"{' v '.join(data['players'])} · {data['edition']}",
        data=data,
        **inlined(("cardrome.web", "static/replay"), (package, "page")),
    )


def _shown(replay: AnyReplay) -> tuple[str, dict[str, Any]]:
    """The package whose style and script show a replay, and the data for them."""
    from cardrome.games.locm import page as locm
    from cardrome.games.tapdeck import page as tapdeck
    from cardrome.games.tapdeck.protocol.replay import TapdeckReplay

    if isinstance(replay, TapdeckReplay):
        return "cardrome.games.tapdeck", tapdeck.page_data(replay)
    return "cardrome.games.locm", locm.page_data(replay)
