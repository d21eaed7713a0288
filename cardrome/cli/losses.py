"""What a bot lost in a series, and why: told after `cardrome match`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardrome.arena.result import Loss, lost_by_reason
from cardrome.escaping import printable
from cardrome.games.game import Ending
from cardrome.wording import counted

if TYPE_CHECKING:
    from cardrome.arena.result import SeriesResult
    from cardrome.arena.storage.recent import Kept

COMMAND = "    cardrome "
"""How a line with a command to type begins."""
_WORDS: dict[str, str] = {
    Ending.HEALTH: "with no health left",
    Ending.DRAW: "with no card left to draw",
    Ending.TURNS: "behind when the turns were over",
}
_STDERR_LINES = 8
"""The last ones that are shown."""


@dataclass(frozen=True)
class LostGames:
    """The games that one player of a series lost."""

    name: str
    played: int
    losses: list[Loss]
    analysed: bool
    """`cardrome analyse` can explain games of this family."""

    @property
    def faults(self) -> list[Loss]:
        """The first game that was lost by each kind of fault."""
        first: dict[str, Loss] = {}
        for loss in self.losses:
            if loss.replay.fault is not None:
                first.setdefault(loss.reason, loss)
        return list(first.values())

    @property
    def example(self) -> Loss | None:
        """A lost game to look at: one that no fault ended, if there is one."""
        return min(self.losses, key=lambda loss: (loss.replay.fault is not None, loss.number), default=None)

    def first_faults(self, kept: Kept | None) -> list[dict[str, Any]]:
        """The first fault of each kind as plain data, and where its replay is."""
        return [
            {
                "player": self.name,
                "kind": loss.reason,
                "message": loss.replay.fault.message if loss.replay.fault is not None else "",
                "stderr": _stderr(loss),
                "game": loss.number,
                "replay": None if kept is None else {"file": str(kept.file), "game": kept.places[loss.number]},
            }
            for loss in self.faults
        ]

    def lines(self, kept: Kept | None) -> Iterator[tuple[str, str]]:
        """Lines for people, each with a style. Those that begin with `COMMAND` must not be broken."""
        if not self.losses:
            return
        counts = lost_by_reason(self.losses)
        reasons = ", ".join(f"{count} {_WORDS.get(reason, f'by {reason}')}" for reason, count in counts.items())
        yield f"{self.name} lost {len(self.losses)} of {counted(self.played, 'game')}: {reasons}", ""
        for loss, fault in zip(self.faults, self.first_faults(kept), strict=True):
            yield (
                printable(f"first {loss.reason} of {self.name}, in game {loss.number}: {fault['message']}", 1000),
                "red",
            )
            for line in fault["stderr"].splitlines()[-_STDERR_LINES:]:
                yield f"  stderr: {printable(line)}", "red"
            if kept is not None:
                yield "  show it:", ""
                yield _command("replay show", kept, loss), ""
        if kept is not None and self.example is not None:
            yield f"  watch game {self.example.number}:", ""
            yield f"{_command('replay html', kept, self.example)} --out lost.html", ""
            if self.analysed:
                yield "  why was it lost:", ""
                yield f"{_command('analyse', kept, self.example)} --player {self.example.seat}", ""


def lost_games(result: SeriesResult, player: int) -> LostGames:
    """What A (0) or B (1) lost in the games of this run."""
    name = (result.a, result.b)[player]
    if result.a == result.b:
        name = f"{name} ({'AB'[player]})"
    return LostGames(name, len(result.replays), result.losses(player), result.family.has_analysis)


def _stderr(loss: Loss) -> str:
    end = None if loss.replay.processes is None else loss.replay.processes[loss.seat]
    return "" if end is None else end.stderr


def _command(name: str, kept: Kept, loss: Loss) -> str:
    return f"{COMMAND}{name} {shlex.quote(str(kept.file))} --game {kept.places[loss.number]}"
