"""What a strong agent thinks of a game that was played: every turn beside the one it prefers, and the decks.

Chances are those of the player whose turn it is, from 0 to 1, based on what that player could know. Costs are
differences of chances: never below 0, since a better rated turn that was played becomes the preferred one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from cardrome.errors import CallerError
from cardrome.wording import json_problem, unreadable

if TYPE_CHECKING:
    from cardrome.games.replays import Replay

_Player = Annotated[int, Meta(ge=0, le=1)]
Chance = Annotated[float, Meta(ge=0, le=1)]
Report = Callable[[int], None]
"""Called with the number of turns that have been looked at."""


WORTH_TELLING = 0.01
"""The least cost that is worth reporting: anything smaller is within the uncertainty."""


class Move(msgspec.Struct, frozen=True):
    """An action: as a bot writes it, in words, and as a deed of `cardrome.games.frames`, for pages, without changes."""

    action: str
    words: str
    deed: dict[str, Any] = {}


class TurnAnalysis(msgspec.Struct, frozen=True):
    """One turn of a player."""

    turn: int
    player: _Player
    played: tuple[Move, ...]
    preferred: tuple[Move, ...]
    """What the agent would have played; the same as `played` where it found nothing better."""
    chance_before: Chance
    """Of the player to win, if they play on as the agent prefers."""
    chance_after: Chance
    """Of the player to win after what they played."""
    cost: Chance
    """The difference between the two."""
    error: float
    """The standard error of the cost, from the imagined hands on which both were tried."""
    missed_win: bool = False
    """The turn could have won the game, and did not."""
    fault: str = ""
    """The kind of fault that ended the game here, if any: it costs all there was to win."""


class Pick(msgspec.Struct, frozen=True):
    """A card that a player took, and the one that the agent would have taken."""

    number: int | None
    """The round of the draft, from 1 on; None where the whole deck was built at once."""
    taken: str
    preferred: str
    cost: float
    """What the choice costs in chance to win an even game."""


class DeckAnalysis(msgspec.Struct, frozen=True):
    """A player's deck beside the one that the agent would have built from the same cards."""

    player: _Player
    chance: Chance
    """To win an otherwise even game against the agent's deck."""
    costs: tuple[str, ...]
    """What the columns of the curves stand for."""
    curve: tuple[int, ...]
    """Cards by their cost."""
    preferred_curve: tuple[int, ...]
    """The same of the agent's deck from the same cards."""
    usual_curve: tuple[float, ...]
    """And of its decks on average."""
    picks: tuple[Pick, ...]
    """The choices that cost anything, in the order in which they were made."""


class GameAnalysis(msgspec.Struct, frozen=True):
    """A whole game."""

    edition: str
    players: tuple[str, str]
    winner: _Player | None
    result: str
    """Who won and why, in words."""
    agent: str
    """Whose opinion it is."""
    calibrated: bool
    """Chances were fitted to games: of positions that are called 70 %, about 70 % are won."""
    turns: tuple[TurnAnalysis, ...]
    decks: tuple[DeckAnalysis, ...]
    difference: str | None = None
    """Where the replay, played again, departs from its recording. Nothing beyond that place was looked at."""

    def worst(self, n: int) -> list[TurnAnalysis]:
        """The turns that cost most, the worst first; fewer if fewer are worth telling."""
        return sorted([turn for turn in self.turns if turn.cost >= WORTH_TELLING], key=lambda turn: -turn.cost)[:n]

    def curve(self) -> dict[int, float]:
        """The chance of player 0 at the start of each turn, and in the end if the game has a winner.

        Whose turn has ended and whose begins see the same board and know different hands: it is the mean of what the
        two can say, as far as their turns were looked at.
        """
        said: dict[int, list[float]] = {}
        for turn in self.turns:
            for number, chance in ((turn.turn, turn.chance_before), (turn.turn + 1, turn.chance_after)):
                said.setdefault(number, []).append(chance if turn.player == 0 else 1 - chance)
        curve = {number: round(sum(chances) / len(chances), 4) for number, chances in sorted(said.items())}
        if curve and self.winner is not None and self.difference is None:
            curve[max(curve)] = 1.0 - self.winner
        return curve

    def plain(self) -> dict[str, Any]:
        """All of it, ready for JSON, and the curve."""
        curve = [{"turn": turn, "chance": chance} for turn, chance in self.curve().items()]
        return {**msgspec.to_builtins(self), "curve": curve}


def advice(turn: TurnAnalysis) -> str:
    """What would have been better, in a sentence; nothing if the agent agrees."""
    if turn.fault:
        return f"the game was lost by a fault ({turn.fault})"
    if turn.played == turn.preferred:
        return ""
    wanted, done = ([move.words for move in moves] for moves in (turn.preferred, turn.played))
    if turn.missed_win:
        return f"a win was there: {_listed(wanted)}"
    more, less = _without(wanted, done), _without(done, wanted)
    if not more and not less:
        return f"the same actions in another order: {_listed(wanted)}"
    if not wanted:
        return "doing nothing was better"
    if not more:
        return f"better without: {_listed(less)}"
    return _listed(more) + (f", instead of: {_listed(less)}" if less else ", as well")


def _without(these: Sequence[str], those: Sequence[str]) -> list[str]:
    """The first actions less the others, in order."""
    spent = Counter(those)
    left = []
    for each in these:
        if spent[each] > 0:
            spent[each] -= 1
        else:
            left.append(each)
    return left


def _listed(words: Iterable[str]) -> str:
    return "; ".join(words)


def add_to_page(data: dict[str, Any], analysis: GameAnalysis) -> None:
    """Give page data what the viewer draws of an analysis, if it has frames: the curve, and what was better each turn.

    ``evaluation`` is the chance of player 0 at each frame, None where nothing is known.
    """
    frames = data.get("frames")
    if not frames:
        return
    turns, curve = {turn.turn: turn for turn in analysis.turns}, analysis.curve()
    evaluation: list[float | None] = [None] * len(frames)
    for n, frame in enumerate(frames):
        deed = frame["deed"]
        if deed["kind"] == "turn":
            evaluation[n] = curve.get(frame["turn"])
            turn = turns.get(frame["turn"])
            if turn is not None and turn.cost >= WORTH_TELLING:
                better = [move.deed for move in turn.preferred] or [{"kind": "pass"}]
                text = "; ".join(move.action for move in turn.preferred)
                deed["review"] = {"cost": turn.cost, "better": better, "text": text}
    if curve and evaluation[-1] is None:
        evaluation[-1] = curve[max(curve)]
    data["evaluation"] = evaluation


def page_additions(data: dict[str, Any], analysis: GameAnalysis) -> dict[str, Any]:
    """What `add_to_page` adds to page data, for a page that has the rest: the curve, and reviews by frame."""
    add_to_page(data, analysis)
    noted = [(n, frame["deed"].get("review")) for n, frame in enumerate(data.get("frames", ()))]
    return {"evaluation": data.get("evaluation"), "reviews": [each for each in noted if each[1] is not None]}


def read_analysis(file: Path, replay: Replay) -> GameAnalysis:
    """What ``cardrome analyse --json`` wrote about a replay. `CallerError` if it is something else."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=GameAnalysis)
    except OSError as error:
        raise CallerError(unreadable(file, error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CallerError(f"{file} is not what `cardrome analyse --json` writes: {json_problem(error)}") from None
    facts = found.edition, found.players, found.winner
    if facts != (replay.edition, replay.players, replay.winner):
        raise CallerError(f"{file} is the analysis of another game: {found.edition}, {' v '.join(found.players)}")
    return found
