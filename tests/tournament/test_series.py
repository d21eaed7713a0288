"""Saved series: going on gives what an uninterrupted series gives, whatever happened to the process or the file."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.openings import parse_openings
from cardrome.arena.result import SeriesResult
from cardrome.arena.series import play_series
from cardrome.arena.sprt import Decision, Sprt
from cardrome.errors import CallerError
from cardrome.games.locm.rules.edition import LOCM_12, LocmEdition, find_edition
from cardrome.tournament.series import SeriesStore, saved_seed
from tests.paths import ROOT

HASTY = "tests.arena.agents_here:Hasty"


def play(folder: Path | None, pairs: int = 60, **options: Any) -> SeriesResult:
    return saved(folder, LOCM_12, "greedy", "random", pairs, 3, **options)


def saved(
    folder: Path | None, edition: LocmEdition, a: str, b: str, pairs: int, seed: int, **options: Any
) -> SeriesResult:
    if folder is None:
        return play_series(edition, a, b, pairs, seed, **options)
    with SeriesStore.of(folder, edition.name, (a, b), seed, pairs, options.get("openings")) as store:
        return play_series(edition, a, b, pairs, seed, save=store, **options)


def stored_pairs(folder: Path) -> int:
    with SeriesStore.open(folder / "series.db") as store:
        return len(store.games()) // 2


def same(one: SeriesResult, other: SeriesResult) -> bool:
    return one.games.tobytes() == other.games.tobytes() and one.summary() == other.summary()


def test_saving_changes_nothing_and_going_on_plays_nothing_twice(tmp_path: Path) -> None:
    whole = play(None)
    assert same(play(tmp_path / "new" / "folder"), whole)
    seen: list[int] = []
    assert same(play(tmp_path / "new" / "folder", progress=seen.append), whole)
    assert seen == []


def test_more_pairs_extend_and_fewer_look_at_the_beginning(tmp_path: Path) -> None:
    play(tmp_path, 20)
    seen: list[int] = []
    assert same(play(tmp_path, 50, progress=seen.append), play(None, 50))
    assert min(seen) > 20
    assert same(play(tmp_path, 10), play(None, 10))
    assert same(play(tmp_path, 60, jobs=2), play(None, 60))
    assert stored_pairs(tmp_path) == 60


def test_a_gap_is_filled(tmp_path: Path) -> None:
    whole = play(tmp_path, 12)
    with sqlite3.connect(tmp_path / "series.db") as database:
        database.execute("DELETE FROM tournament_games WHERE pair = 5 AND first = 1")
    database.close()
    seen: list[int] = []
    assert same(play(tmp_path, 12, progress=seen.append), whole)
    assert min(seen) > 5
    assert stored_pairs(tmp_path) == 12


def test_other_parameters_are_refused(tmp_path: Path) -> None:
    play(tmp_path, 4)
    book = parse_openings("1\n2\n", LOCM_12)
    for message, call in {
        'edition is "locm-1.2" there and "locm-1.5" here': (find_edition("locm-1.5"), "greedy", "random", 4, 3, None),
        'players is ["greedy","random"] there and': (LOCM_12, "random", "greedy", 4, 3, None),
        "seed is 3 there and 4 here": (LOCM_12, "greedy", "random", 4, 4, None),
        "openings is null there and": (LOCM_12, "greedy", "random", 4, 3, book),
    }.items():
        *args, openings = call
        with pytest.raises(CallerError, match=f"holds a series with other settings: .*{re.escape(message)}"):
            saved(tmp_path, *args, openings=openings)  # type: ignore[arg-type]
    assert stored_pairs(tmp_path) == 4


def test_another_book_is_refused_but_not_another_name(tmp_path: Path) -> None:
    books = [parse_openings(text, LOCM_12, name) for text, name in (("1\n2", "a"), ("1 # one\n2", "b"), ("1\n3", "a"))]
    first = saved(tmp_path, LOCM_12, "greedy", "random", 3, 0, openings=books[0])
    again = saved(tmp_path, LOCM_12, "greedy", "random", 3, 0, openings=books[1])
    assert first.games.tobytes() == again.games.tobytes()
    with pytest.raises(CallerError, match="openings is"):
        saved(tmp_path, LOCM_12, "greedy", "random", 3, 0, openings=books[2])


@pytest.mark.parametrize("content", [b"precious", b"\0" * 5000])
def test_a_strange_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "series.db").write_bytes(content)
    with pytest.raises(CallerError, match=r"series\.db"):
        play(tmp_path)
    assert (tmp_path / "series.db").read_bytes() == content


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(tmp_path, 4)
    monkeypatch.setattr("cardrome.tournament.series.version", lambda name: "0.0.1")
    with pytest.raises(CallerError, match=r'cardrome is ".*" there and "0\.0\.1" here'):
        play(tmp_path, 4)


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CallerError, match="cannot be written: Not a directory"):
        play(tmp_path / "file" / "folder")


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with (
        SeriesStore.of(tmp_path, "locm-1.2", ("greedy", "random"), 3, 4, None),
        pytest.raises(CallerError, match="another process is running this series"),
    ):
        play(tmp_path, 4)
    play(tmp_path, 4)


def test_the_seed_can_be_asked_for(tmp_path: Path) -> None:
    assert saved_seed(tmp_path / "nowhere") is None
    play(tmp_path, 4)
    assert saved_seed(tmp_path) == 3


def test_a_test_is_not_part_of_what_is_saved(tmp_path: Path) -> None:
    test = Sprt(0, 30)
    stopped = play(tmp_path, 5000, sprt=test)
    assert stopped.sprt is not None
    assert stopped.sprt.decision is Decision.H1
    assert stored_pairs(tmp_path) == len(stopped.games) // 2 < 200
    assert same(play(tmp_path, 5000, sprt=test), stopped)
    assert same(play(tmp_path, 300), play(None, 300))
    assert same(play(tmp_path, 5000, sprt=test), stopped)
    assert same(play(None, 5000, sprt=test, jobs=2), stopped)


def test_ctrl_c_saves_the_finished_pairs(tmp_path: Path) -> None:
    def stop(finished: int) -> None:
        if finished >= 40:
            raise KeyboardInterrupt

    part = play(tmp_path, 400, progress=stop)
    assert part.interrupted
    assert stored_pairs(tmp_path) == len(part.games) // 2 >= 40
    assert same(play(tmp_path, 400), play(None, 400))


KILLED = """
import sys
if __name__ == "__main__":  # its processes need none of this
    from cardrome.arena.series import play_series
    from cardrome.games.locm.rules.edition import LOCM_12
    from cardrome.tournament.series import SeriesStore
    a, pairs, jobs, folder = sys.argv[1:]
    with SeriesStore.of(folder, "locm-1.2", (a, "random"), 3, int(pairs), None) as store:
        play_series(LOCM_12, a, "random", int(pairs), 3, int(jobs), lambda n: print(n, flush=True), save=store)
"""


@pytest.mark.parametrize(("a", "pairs", "jobs"), [("greedy", 8000, 1), (HASTY, 30, 2)])
def test_killed_again_and_again(tmp_path: Path, a: str, pairs: int, jobs: int) -> None:
    script = tmp_path / "play.py"
    script.write_text(KILLED)
    folder = tmp_path / "saved"
    command = [sys.executable, str(script), a, str(pairs), str(jobs), str(folder)]
    kills = 0
    for steps in (1, 5):
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        for _ in range(steps):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
    assert kills
    again = saved(folder, LOCM_12, a, "random", pairs, 3)
    whole = play_series(LOCM_12, a, "random", pairs, 3)
    assert same(again, whole)
