"""What the page of a Tapdeck match shows: every turn, every command, and what the end of a turn brings."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cardrome.errors import CallerError
from cardrome.escaping import printable
from cardrome.games.frames import NAME, TEXT, Json, deltas, outcome
from cardrome.games.tapdeck.frames import TapdeckFrames, head, things
from cardrome.games.tapdeck.protocol.game import TapdeckDeal, TapdeckGame, is_query
from cardrome.games.tapdeck.protocol.replay import ReplayEvent, TapdeckReplay
from cardrome.games.tapdeck.protocol.rerun import TapdeckMoment, TapdeckRerun
from cardrome.games.tapdeck.protocol.story import result_line
from cardrome.games.tapdeck.rules.actions import END_TURN, FINISH_BLOCK, action_code


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


def game_at(replay: TapdeckReplay, frame: int) -> TapdeckGame:
    """The match at a frame of the page."""
    game = TapdeckGame(replay.rule_set, TapdeckDeal(0, "\n".join(replay.deck)))
    frames = TapdeckFrames()
    for moment in TapdeckRerun(replay) if frame >= 0 else ():
        frames.add(moment)
        # A turn's first frame shows it before anything is done in it.
        if frame < len(frames.frames) - (frames.frames[-1]["deed"]["kind"] != "turn"):
            return game
        for code in codes_of(moment):
            game.try_play(code)
        if frame < len(frames.frames):
            return game
    raise CallerError(f"there is no frame {frame} to go on from")


def codes_of(moment: TapdeckMoment) -> Iterator[int]:
    """The actions that a command was. Any command that is not about blocking ends that phase, even one refused."""
    kind = None if moment.command is None else moment.command.kind
    if kind not in (None, FINISH_BLOCK) and moment.before.blocking and not moment.after.blocking:
        yield action_code(FINISH_BLOCK, 0, 0)
    if moment.command is None:
        yield action_code(END_TURN, 0, 0)
    elif moment.code == 0 and not is_query(moment.command.kind):
        yield action_code(moment.command.kind, moment.command.first, moment.command.second)


def _event(event: ReplayEvent) -> Json:
    when = None if event.finished_at is None else f"{event.finished_at:%Y-%m-%d %H:%M:%S %Z}"
    return {"name": printable(event.name, NAME), "tournament": event.tournament, "match": event.match_id, "at": when}
