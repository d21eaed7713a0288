"""What the page of a Tapdeck match shows: every turn, every command, and what the end of a turn brings."""

from __future__ import annotations

import msgspec

from cardrome.escaping import printable
from cardrome.games.frames import NAME, TEXT, Json, deltas, outcome
from cardrome.games.tapdeck.frames import TapdeckFrames, head, things
from cardrome.games.tapdeck.protocol.replay import ReplayEvent, TapdeckReplay, TapdeckRerun
from cardrome.games.tapdeck.protocol.story import result_line


def page_data(replay: TapdeckReplay) -> Json:
    """What the page shows, ready for JSON: the result, the deck, and the frames, each without what stays the same.

    `CallerError` if the match is too long for a page.
    """
    rerun, frames = TapdeckRerun(replay), TapdeckFrames()
    for moment in rerun:
        frames.add(moment)
    difference = rerun.difference
    return {
        **head(rerun.game),
        "players": [printable(name, NAME) for name in replay.players],
        "rules": msgspec.to_builtins(replay.rules),
        "event": None if replay.event is None else _event(replay.event),
        "omitted": replay.omitted,
        "result": result_line(replay),
        "outcome": outcome(replay),
        "difference": None if difference is None else printable(str(difference), TEXT),
        "processes": None,
        "things": things(rerun.game),
        "frames": list(deltas(frames.frames)),
    }


def _event(event: ReplayEvent) -> Json:
    when = None if event.finished_at is None else f"{event.finished_at:%Y-%m-%d %H:%M:%S %Z}"
    return {"name": printable(event.name, NAME), "tournament": event.tournament, "match": event.match_id, "at": when}
