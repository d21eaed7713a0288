"""Saved series: going on gives what an uninterrupted series gives, whatever happened to the process or the file."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from cardrome.arena.openings import parse_openings
from cardrome.arena.saved import Parameters, SavedSeries, saved_seed
from cardrome.arena.series import SeriesResult, play_series
from cardrome.arena.sprt import Decision, Sprt
from cardrome.engine.bulk import deal_seeds
from cardrome.errors import CallerError
from cardrome.games.locm.rules.edition import LOCM_12, find_edition
from tests.paths import ROOT

HASTY = "tests.arena.agents_here:Hasty"


def play(folder: Path | None, pairs: int = 60, **options: object) -> SeriesResult:
    return play_series(LOCM_12, "greedy", "random", pairs, 3, save=folder, **options)  # type: ignore[arg-type]


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
    assert len((tmp_path / "games.jsonl").read_bytes().splitlines()) == 60


def test_the_file_cut_off_anywhere_is_completed(tmp_path: Path) -> None:
    whole = play(tmp_path, 12)
    path = tmp_path / "games.jsonl"
    text = path.read_bytes()
    for length in range(0, len(text), 7):
        path.write_bytes(text[:length])
        assert same(play(tmp_path, 12), whole)
        assert path.read_bytes() == text


def test_a_pair_written_twice_counts_once(tmp_path: Path) -> None:
    play(tmp_path, 10)
    path = tmp_path / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines + lines[5:]))
    assert same(play(tmp_path, 20), play(None, 20))
    assert same(play(tmp_path, 20), play(None, 20))


@pytest.mark.parametrize(
    "line",
    [b"\n", b"{}\n", b'{"pair":4,"seed":1,"games":[[0,1,1,1,0,0],[0,1,1,1,0,0]]}\n', b"\0\0\0\n", b'{"pair":9}\n'],
)
def test_damage_in_the_middle_is_named(tmp_path: Path, line: bytes) -> None:
    play(tmp_path, 10)
    path = tmp_path / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = line
    path.write_bytes(b"".join(lines))
    with pytest.raises(CallerError, match=r"games\.jsonl, line 5: .*cut the file off before it"):
        play(tmp_path, 10)


def test_a_gap_is_named(tmp_path: Path) -> None:
    play(tmp_path, 10)
    path = tmp_path / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3] + lines[4:]))
    with pytest.raises(CallerError, match="line 4: not the next pair"):
        play(tmp_path, 10)


def test_other_parameters_are_refused(tmp_path: Path) -> None:
    play(tmp_path, 4)
    before = [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    book = parse_openings("1\n2\n", LOCM_12)
    for message, call in {
        "another edition: locm-1.2, not locm-1.5": (find_edition("locm-1.5"), "greedy", "random", 4, 3, None),
        "another players: greedy v random, not random v greedy": (LOCM_12, "random", "greedy", 4, 3, None),
        "another seed: 3, not 4": (LOCM_12, "greedy", "random", 4, 4, None),
        "another seed: 3, not none": (LOCM_12, "greedy", "random", 4, 3, book),
    }.items():
        *args, openings = call
        with pytest.raises(CallerError, match=message):
            play_series(*args, openings=openings, save=tmp_path)  # type: ignore[arg-type]
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == before


def test_another_book_is_refused_but_not_another_name(tmp_path: Path) -> None:
    books = [parse_openings(text, LOCM_12, name) for text, name in (("1\n2", "a"), ("1 # one\n2", "b"), ("1\n3", "a"))]
    first = play_series(LOCM_12, "greedy", "random", 3, 0, openings=books[0], save=tmp_path)
    again = play_series(LOCM_12, "greedy", "random", 3, 0, openings=books[1], save=tmp_path)
    assert first.games.tobytes() == again.games.tobytes()
    with pytest.raises(CallerError, match="another openings: a book with digest"):
        play_series(LOCM_12, "greedy", "random", 3, 0, openings=books[2], save=tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a saved series"),
        ("[]", "not a saved series"),
        ('{"format": 99}', "format 99; this version of cardrome reads format 2"),
        ('{"format": 2, "edition": 7}', "not a saved series"),
    ],
)
def test_a_strange_folder_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "series.json").write_text(text)
    with pytest.raises(CallerError, match=message):
        play(tmp_path)


def test_games_without_parameters_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text("precious\n")
    with pytest.raises(CallerError, match="not a saved series"):
        play(tmp_path)
    assert (tmp_path / "games.jsonl").read_text() == "precious\n"


def test_another_version_is_refused(tmp_path: Path) -> None:
    play(tmp_path, 4)
    path = tmp_path / "series.json"
    parameters = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode({**parameters, "cardrome": "0.0.1"}))
    with pytest.raises(CallerError, match=r"another version of cardrome: 0\.0\.1"):
        play(tmp_path, 4)


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CallerError, match="cannot save to"):
        play(tmp_path / "file" / "folder")


def test_one_process_at_a_time(tmp_path: Path) -> None:
    parameters = Parameters(edition="locm-1.2", players=("greedy", "random"), seed=3, asked_pairs=4)
    with (
        SavedSeries(tmp_path, parameters, deal_seeds(3, 4)),
        pytest.raises(CallerError, match="another process is playing this series"),
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
    saved = (tmp_path / "games.jsonl").read_bytes()
    assert len(saved.splitlines()) == len(stopped.games) // 2 < 200
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
    assert len((tmp_path / "games.jsonl").read_bytes().splitlines()) == len(part.games) // 2 >= 40
    assert same(play(tmp_path, 400), play(None, 400))


KILLED = """
import sys
from cardrome.arena.series import play_series
from cardrome.games.locm.rules.edition import LOCM_12
a, pairs, jobs, folder = sys.argv[1:]
if __name__ == "__main__":
    play_series(LOCM_12, a, "random", int(pairs), 3, int(jobs), lambda n: print(n, flush=True), save=folder)
"""


@pytest.mark.parametrize(
    ("a", "pairs", "jobs"), [("greedy", 20_000, 1), ("rule-based", 20_000, 2), (HASTY, 40, 1), (HASTY, 60, 2)]
)
def test_killed_again_and_again(tmp_path: Path, a: str, pairs: int, jobs: int) -> None:
    script = tmp_path / "play.py"
    script.write_text(KILLED)
    folder = tmp_path / "saved"
    command = [sys.executable, str(script), a, str(pairs), str(jobs), str(folder)]
    kills = 0
    for steps in (1, 3, 9, 40):
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
    again = play_series(LOCM_12, a, "random", pairs, 3, save=folder)
    whole = play_series(LOCM_12, a, "random", pairs, 3, jobs=2)
    assert same(again, whole)
