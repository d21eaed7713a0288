"""Games recorded under the original referees, replayed byte for byte: inputs, executed actions, results."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.golden import RecordedFault, RecordedGame, absent, read_games, replay
from tests.paths import GOLDEN, ROOT

FILES = {"1.0-golden.jsonl.gz": 210, "1.2-golden.jsonl.gz": 204, "1.5-golden.jsonl.gz": 204}
CHUNKS = 6


@functools.cache
def games(name: str) -> list[RecordedGame]:
    return list(read_games(GOLDEN / name))


def test_all_games_are_there() -> None:
    assert {path.name: len(games(path.name)) for path in sorted(GOLDEN.iterdir())} == FILES
    assert sum(FILES.values()) == 618


def test_what_the_games_cover() -> None:
    editions = {game.edition.name for name in FILES for game in games(name)}
    assert editions == {
        "locm-1.0",
        "locm-1.0-wood1",
        "locm-1.0-wood2",
        "locm-1.0-wood3",
        "locm-1.0-multi",
        "locm-1.0-multi-wood1",
        "locm-1.0-multi-wood2",
        "locm-1.0-multi-wood3",
        "locm-1.2",
        "locm-1.5",
    }
    faults = {game.error.kind for name in FILES for game in games(name) if isinstance(game.error, RecordedFault)}
    assert faults == {"timeout", "draft", "wrong-card-count", "unknown-command", "bad-arguments"}


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", FILES)
def test_replays_are_identical(name: str, chunk: int) -> None:
    differences = {game.game: replay(game) for game in games(name)[chunk::CHUNKS]}
    assert {number: str(found) for number, found in differences.items() if found is not None} == {}


@pytest.mark.parametrize("name", FILES)
def test_time_limits(name: str) -> None:
    """The time granted for every recorded call. The answers alone lead through the game."""
    compared = 0
    for game in games(name):
        dialogue = Dialogue(LocmGame(game.edition, game.deal))
        for number, recorded in enumerate(game.turns):
            assert dialogue.call is not None
            assert recorded.ms is not absent
            assert (game.game, number, dialogue.call.limit_ms) == (game.game, number, recorded.ms)
            dialogue.answer(recorded.out)
            compared += 1
    assert compared > 4000


INTERPRETED_SAMPLE = """
import json, sys
from pathlib import Path
from cardrome.games.locm.protocol.golden import read_games, replay
from cardrome.engine.kernel import INTERPRETED
assert INTERPRETED
for name, wanted in json.load(sys.stdin).items():
    for game in read_games(Path(sys.argv[1], name)):
        if game.game in wanted:
            print(name, game.game, replay(game))
assert "numba" not in sys.modules
"""


def sample(name: str) -> list[Any]:
    """Games of a file for the interpreter, which is slow: three without a fault, and at least one of each edition."""
    whole = [game for game in games(name) if game.error is None]
    first = {game.edition.name: game for game in reversed(whole)}
    chosen = [*first.values(), *whole[:: len(whole) // 2]]
    return [game.game for game in whole if game in chosen]


def test_a_sample_in_the_interpreter() -> None:
    wanted = {name: sample(name) for name in FILES}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", INTERPRETED_SAMPLE, str(GOLDEN)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [f"{name} {game} None" for name, chosen in wanted.items() for game in chosen]


# --- The check can fail -------------------------------------------------------------------------------------------


def sound_game(name: str = "1.2-golden.jsonl.gz") -> RecordedGame:
    """A game that ended in battle without a fault; a copy, to be damaged."""
    wanted = next(game for game in games(name) if game.error is None and len(game.turns) > 70)
    copy = msgspec.json.decode(msgspec.json.encode(wanted), type=RecordedGame)
    assert replay(copy) is None
    return copy


def change_input(game: RecordedGame) -> None:
    game.turns[70].lines[0] = game.turns[70].lines[0].replace(" ", "  ", 1)


def drop_space(game: RecordedGame) -> None:
    game.turns[0].lines[4] = game.turns[0].lines[4].rstrip()


def drop_line(game: RecordedGame) -> None:
    game.turns[70].lines.pop()


def add_line(game: RecordedGame) -> None:
    game.turns[70].lines.append("one more")


def change_answer(game: RecordedGame) -> None:
    next(call for call in game.turns if call.done).out = "PASS"


def change_executed(game: RecordedGame) -> None:
    done = next(call.done for call in game.turns if call.done)
    assert isinstance(done, list)
    done.pop()


def change_ignored(game: RecordedGame) -> None:
    game.turns[65].ignored = 99


def change_player(game: RecordedGame) -> None:
    game.turns[61].p = 0


def change_phase(game: RecordedGame) -> None:
    game.turns[61].phase = "draft"


def end_early(game: RecordedGame) -> None:
    game.turns.pop()


def end_late(game: RecordedGame) -> None:
    game.turns.append(game.turns[-1])


def change_scores(game: RecordedGame) -> None:
    assert isinstance(game.scores, list)
    game.scores.reverse()


def change_winner(game: RecordedGame) -> None:
    assert isinstance(game.winner, int)
    game.winner = 1 - game.winner


def add_fault(game: RecordedGame) -> None:
    game.error = RecordedFault(0, "timeout")


def change_health(game: RecordedGame) -> None:
    assert isinstance(game.final_health, list)
    game.final_health[0] += 1


def change_derived_seed(game: RecordedGame) -> None:
    assert isinstance(game.seeds, dict)
    game.seeds["shufflePlayer0Seed"] = "1"


def change_seed(game: RecordedGame) -> None:
    game.params = {"seed": "123"}
    game.seeds = absent


@pytest.mark.parametrize(
    ("damage", "where"),
    [
        (change_input, "call 70 .*line 1"),
        (drop_space, "call 0 .*line 5"),
        (drop_line, "call 70 .*got"),
        (add_line, "call 70 .*got no line"),
        (change_answer, "executed actions: .*got \\[\\]"),
        (change_executed, "executed actions"),
        (change_ignored, "call 65 .*ignored actions: expected 99"),
        (change_player, "call 61 .*got a battle call to player 1"),
        (change_phase, "call 61 .*got a battle call"),
        (end_early, "expected the end of the game"),
        (end_late, "got the end of the game"),
        (change_scores, "scores: expected"),
        (change_winner, "winner: expected"),
        (add_fault, "error: expected .*timeout.* got None"),
        (change_health, "final health: expected"),
        (change_derived_seed, "seed shufflePlayer0Seed: expected 1, got"),
        (change_seed, "call 0 .*line 5"),
    ],
)
def test_a_damaged_game_is_found(damage: Callable[[RecordedGame], None], where: str) -> None:
    game = sound_game()
    damage(game)
    found = str(replay(game))
    assert re.search(where, found), found


def test_the_build_matters() -> None:
    """A contest game replayed as the multi build differs."""
    game = sound_game("1.0-golden.jsonl.gz")
    game.build = "multi" if game.build == "contest" else "contest"
    assert replay(game) is not None


def test_1_5_games_have_the_newer_ids() -> None:
    game = next(g for g in games("1.5-golden.jsonl.gz") if g.error is None)
    older = msgspec.structs.replace(game, build="2022")
    assert older.edition.name == "locm-1.5-2022"
    found = str(replay(older))
    assert "battle" in found
