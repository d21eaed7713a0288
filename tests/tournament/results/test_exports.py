from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow.parquet
import pytest

from cardrome.errors import CallerError
from cardrome.tournament.games import GameTable
from cardrome.tournament.results.exports import (
    GAME_COLUMNS,
    markdown,
    write_csv,
    write_json,
    write_markdown,
    write_parquet,
)
from cardrome.tournament.results.summary import Summary, summarize
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.small_cups import FAMILIES, HOSTILE, PROGRAMS, play

Cup = tuple[TournamentStore, Summary, GameTable]


@pytest.fixture(scope="module", params=[FAMILIES, PROGRAMS], ids=["families", "programs"])
def cup(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cup]:
    with play(tmp_path_factory.mktemp("cup"), request.param) as store:
        snapshot = store.snapshot()
        yield store, summarize(snapshot, replicates=50), snapshot.games


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_csv_has_every_game(cup: Cup, tmp_path: Path) -> None:
    store, summary, games = cup
    write_csv(tmp_path / "new" / "tables", summary, games)
    names = {entrant.id: entrant.name for entrant in summary.entrants}
    found = rows(tmp_path / "new" / "tables" / "games.csv")
    assert len(found) == len(games)
    for place, row in enumerate(found):
        key = games.key(place)
        record = store.game(key)
        assert record is not None
        sides = names[key.a], names[key.b]
        assert (row["edition"], row["a"], row["b"]) == (key.edition, *sides)
        assert (int(row["pair"]), int(row["game"]), int(row["deal"])) == (key.pair, key.game, record.seed)
        assert row["first"] == sides[key.game]
        assert row["winner"] == (*sides, "")[record.winner]
        assert row["score_a"] == (str(record.score_a) if key.edition == "tapdeck" else "")
        assert row["fault_kind"] == (record.fault_kind or "")
        for side, behaviour in zip("ab", record.behaviours, strict=True):
            told = [row[f"{name}_{side}"] for name in ("answers", "total_ms", "worst_ms", "first_ms")]
            known = behaviour and (
                behaviour.answers, behaviour.total_ms, behaviour.worst_ms, behaviour.worst_first_ms,
            )  # fmt: skip
            assert told == [str(value) for value in known or [""] * 4]


def test_csv_of_standings_and_matrix(cup: Cup, tmp_path: Path) -> None:
    _, summary, games = cup
    write_csv(tmp_path, summary, games)
    standings = [row for row in rows(tmp_path / "standings.csv") if row["forfeits"] == "counted"]
    several = len(summary.by_edition) > 1
    assert {row["edition"] for row in standings} == {*summary.editions, *(["all"] if several else [])}
    overall = [row for row in standings if row["edition"] == ("all" if several else summary.editions[0])]
    assert [float(row["elo"]) for row in overall] == [round(line.elo.value, 2) for line in summary.overall.standings]
    matrix = rows(tmp_path / "matrix.csv")
    assert len(matrix) == 6 * len({row["edition"] for row in standings})
    met = {(row["edition"], row["bot"], row["opponent"]): float(row["rate"]) for row in matrix}
    assert all(met[edition, b, a] == pytest.approx(1 - rate) for (edition, a, b), rate in met.items())


def test_names_that_look_like_formulas_are_no_formulas(cup: Cup, tmp_path: Path) -> None:
    _, summary, games = cup
    entrants = tuple(msgspec.structs.replace(each, name=f"=SUM({each.id})") for each in summary.entrants)
    write_csv(tmp_path, msgspec.structs.replace(summary, entrants=entrants), games)
    for name in ("standings.csv", "matrix.csv", "games.csv"):
        cells = [cell for row in rows(tmp_path / name) for cell in row.values()]
        assert any("SUM" in cell for cell in cells)
        assert not any(cell.startswith("=") for cell in cells)


def test_json_is_the_summary(cup: Cup, tmp_path: Path) -> None:
    _, summary, _ = cup
    write_json(tmp_path / "cup.json", summary)
    assert msgspec.json.decode((tmp_path / "cup.json").read_bytes()) == summary.to_data()


def test_markdown_shows_names_as_they_are(cup: Cup, tmp_path: Path) -> None:
    _, summary, _ = cup
    write_markdown(tmp_path / "cup.md", summary)
    text = (tmp_path / "cup.md").read_text()
    assert text == markdown(summary)
    tables = text.count("| ---: | --- |")
    assert tables == (1 if len(summary.by_edition) == 1 else 3)
    for line in text.splitlines():
        assert not line.startswith("|") or line.count("|") - line.count("\\|") == 8
    if any(entrant.name == HOSTILE for entrant in summary.entrants):
        assert HOSTILE not in text
        assert "\\<img src=x onerror=alert\\(1\\)\\>" in text


def test_parquet_has_every_game(cup: Cup, tmp_path: Path) -> None:
    _, summary, games = cup
    write_parquet(tmp_path / "games.parquet", summary, games)
    table = pyarrow.parquet.read_table(tmp_path / "games.parquet")
    assert tuple(table.column_names) == GAME_COLUMNS
    assert table.num_rows == len(games)
    assert table["deal"].to_pylist() == games["seed"].tolist()
    assert table["winner"].null_count == sum(section.drawn for section in summary.by_edition)
    assert table.schema.metadata[b"seed"] == str(summary.seed).encode()


def test_without_pyarrow_it_says_what_to_install(cup: Cup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CallerError, match=r"cardrome\[parquet\]"):
        write_parquet(tmp_path / "games.parquet", *cup[1:])
    assert not (tmp_path / "games.parquet").exists()


def test_the_same_store_gives_the_same_bytes(cup: Cup, tmp_path: Path) -> None:
    store = cup[0]
    for name in ("one", "other"):
        snapshot = store.snapshot()
        summary, games = summarize(snapshot, replicates=50), snapshot.games
        write_csv(tmp_path / name, summary, games)
        write_json(tmp_path / name / "cup.json", summary)
        write_parquet(tmp_path / name / "games.parquet", summary, games)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes()
