"""Small tournaments for tests: written, run in this process, and read back."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import msgspec

from cardrome.tournament.executors import Ended, Executor, InlineExecutor
from cardrome.tournament.games import GameTable, PlayedGame
from cardrome.tournament.run import TournamentRun
from cardrome.tournament.settings import read_plan
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import Job
from tests.arena.bots import PYTHON

LOCM, TAPDECK = "locm-1.2", "tapdeck"
PATIENT = {"time_scale": 50.0}
"""Limits for programs: a busy machine must not fail a test."""


class Recorder:
    """Observes a run and remembers."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.rounds: list[tuple[int, int, int, int | None]] = []
        self.records: list[PlayedGame] = []

    def message(self, text: str) -> None:
        self.messages.append(text)

    def round(self, number: int, games: int, stored: int, planned: int | None) -> None:
        self.rounds.append((number, games, stored, planned))

    def played(self, games: GameTable) -> None:
        self.records += map(games.record, range(len(games)))


def agent(name: str, kind: str | None = None, **keys: Any) -> dict[str, Any]:
    return {"name": name, "agent": kind or name, **keys}


THREE = [agent("greedy"), agent("lucky", "random"), agent("random")]
"""Agents that both families have."""


FOUR = [*THREE, agent("other", "greedy")]


def program(folder: Path, name: str, text: str = PYTHON, **keys: Any) -> dict[str, Any]:
    """A program in Python in a folder of its own."""
    place = folder / "bots" / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "bot.py").write_text(text)
    return {"name": name, "command": f"{sys.executable} bot.py", "directory": f"bots/{name}", **keys}


def write_cup(folder: Path, bots: Iterable[dict[str, Any]], limits: dict[str, Any] | None = None, **keys: Any) -> Path:
    """The settings file of a cup."""
    section = {"name": "Cup", "seed": 5, "pairs": 2, **keys}
    lines = [f"[tournament]\n{_lines(section)}", f"[limits]\n{_lines(limits or PATIENT)}"]
    lines += [f"[[bots]]\n{_lines(bot)}" for bot in bots]
    file = folder / "cup.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def _lines(table: dict[str, Any]) -> str:
    # JSON's strings, numbers and lists are TOML's too.
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(each)}" for key, each in value.items()) + " }"
    return msgspec.json.encode(value).decode()


def run_cup(file: Path, executor: Callable[[Any], Executor] = InlineExecutor, *, store: str | None = None) -> Recorder:
    """Play a cup to its end."""
    plan = read_plan(file)
    watch = Recorder()
    with TournamentStore.open(store or plan.store, base=plan.folder) as opened:
        run = TournamentRun(plan, opened, watch)
        chosen = executor(run.settings)
        try:
            run.admit(chosen)
            run.run(chosen)
        finally:
            chosen.close()
    return watch


Game = tuple[str, str, str, int, int, int, int, int, int]


def stored_games(file: Path, store: str | None = None) -> set[Game]:
    """All that must be the same however a tournament was played: names, keys, seeds, winners, turns, actions."""
    plan = read_plan(file)
    with TournamentStore.open(store or plan.store, claim=False, base=plan.folder) as opened:
        names = {entrant.id: entrant.name for entrant in opened.entrants()}
        games = opened.games()
    columns = (games[name].tolist() for name in ("edition", "a", "b", "pair", "first", *_FACTS))
    return {
        (games.editions[edition], names[a], names[b], pair, first, *facts)
        for edition, a, b, pair, first, *facts in zip(*columns, strict=True)
    }


def keys_of(file: Path) -> set[tuple[str, str, str, int, int]]:
    return {game[:5] for game in stored_games(file)}


_FACTS = ("seed", "winner", "turns", "actions")


def records(file: Path) -> list[PlayedGame]:
    """All games, with everything that is kept of them."""
    plan = read_plan(file)
    with TournamentStore.open(plan.store, claim=False, base=plan.folder) as opened:
        games = opened.games()
        found = map(opened.game, games.keys())
        return [record for record in found if record is not None]


def processes_with(token: str) -> list[int]:
    """Processes that have a text in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if token.encode() in environment:
                found.append(int(entry.name))
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 200.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


class StopsAfter(InlineExecutor):
    """Asks the run to stop after some jobs."""

    def __init__(self, run: TournamentRun, jobs: int) -> None:
        super().__init__(run.settings)
        self._run, self._left = run, jobs

    def run(self, jobs: Iterable[Job]) -> Generator[list[Ended], None, None]:
        for batch in super().run(jobs):
            self._left -= 1
            if self._left == 0:
                self._run.stop()
            yield batch
