"""A tournament's results for other programs and for other people's pages: CSV, Markdown, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardrome.errors import CallerError
from cardrome.games.replay_files import write_whole
from cardrome.tournament.results.game_table import GameTable
from cardrome.tournament.results.pair_results import Ints
from cardrome.tournament.results.summary_records import Section, Summary

GAME_COLUMNS = (
    "edition", "a", "b", "pair", "game", "deal", "first", "winner", "points_a", "score_a", "score_b", "turns",
    "actions", "fault_of", "fault_kind", "finished_at", "answers_a", "total_ms_a", "worst_ms_a", "first_ms_a",
    "answers_b", "total_ms_b", "worst_ms_b", "first_ms_b",
)  # fmt: skip
"""Of games.csv and of the Parquet file. ``winner`` is empty for a draw, what a game does not have is empty."""

_BLOCK = 20_000
"""Games that are written at a time."""


def write_csv(folder: Path, summary: Summary, games: GameTable) -> None:
    """Write standings.csv, matrix.csv and games.csv, each of which appears complete or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallerError(f"{folder}: {error.strerror}") from None
    write_whole(folder / "standings.csv", _lines(_standings(summary)))
    write_whole(folder / "matrix.csv", _lines(_matrix(summary)))
    write_whole(folder / "games.csv", _lines(_game_rows(summary, games)))


def write_json(path: Path, summary: Summary) -> None:
    """Write the whole summary."""
    write_whole(path, [summary.to_json().encode()])


def write_markdown(path: Path, summary: Summary) -> None:
    """Write the standings as a table for a README or a forum."""
    write_whole(path, [markdown(summary).encode()])


def write_parquet(path: Path, summary: Summary, games: GameTable) -> None:
    """Write all games as a Parquet file. It needs pyarrow, which `pip install cardrome[parquet]` brings."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise CallerError("Parquet needs pyarrow: pip install 'cardrome[parquet]'") from None
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(_arrow_table(pyarrow, summary, games), buffer, compression="zstd")
    write_whole(path, [buffer.getvalue()])


def markdown(summary: Summary) -> str:
    """The standings, and those of each edition if there are several."""
    several = len(summary.by_edition) > 1
    sections = (summary.overall, *summary.by_edition) if several else (summary.overall,)
    lines = [f"## {_plain(summary.name)}", ""]
    lines += [f"{summary.games:,} games, {summary.schedule}, {', '.join(summary.editions)}, seed {summary.seed}", ""]
    for section in sections:
        if several:
            lines += [f"### {section.edition or 'All editions'}", ""]
        lines += [*_table(summary, section), ""]
    return "\n".join(lines)


def _table(summary: Summary, section: Section) -> Iterator[str]:
    names = {entrant.id: entrant.name for entrant in summary.entrants}
    yield "| # | bot | Elo | 95 % | ranks | won | games |"
    yield "| ---: | --- | ---: | :---: | :---: | ---: | ---: |"
    for line in section.standings:
        ranks = f"{line.rank_low}" if line.rank_low == line.rank_high else f"{line.rank_low}–{line.rank_high}"
        yield (
            f"| {line.rank} | {_plain(names[line.entrant])} | {line.elo:+.0f} | {line.low:+.0f} to {line.high:+.0f} "
            f"| {ranks} | {line.rate:.1%} | {line.games:,} |"
        )


def _plain(text: str) -> str:
    """A text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>()#|~!&@:])", r"\\\1", text)


def _lines(rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def _harmless(text: str) -> str:
    """A text that spreadsheets take for one: they compute whatever begins like a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _names(summary: Summary) -> dict[int, str]:
    return {entrant.id: _harmless(entrant.name) for entrant in summary.entrants}


def _sections(summary: Summary) -> Iterator[tuple[str, Section]]:
    if len(summary.by_edition) != 1:
        yield "all", summary.overall
    for section in summary.by_edition:
        yield section.edition or "all", section


def _standings(summary: Summary) -> Iterator[Sequence[Any]]:
    by_id = {entrant.id: entrant for entrant in summary.entrants}
    names = _names(summary)
    yield (
        "edition", "forfeits", "rank", "rank_low", "rank_high", "bot", "version", "author", "elo", "elo_low",
        "elo_high", "games", "points", "rate",
    )  # fmt: skip
    for edition, section in _sections(summary):
        for counted, lines in (("counted", section.standings), ("left out", section.without_forfeits or ())):
            for line in lines:
                who = by_id[line.entrant]
                yield (
                    edition, counted, line.rank, line.rank_low, line.rank_high, names[line.entrant],
                    _harmless(who.version), _harmless(who.author), f"{line.elo:.2f}", f"{line.low:.2f}",
                    f"{line.high:.2f}", line.games, f"{line.points:g}", f"{line.rate:.6f}",
                )  # fmt: skip


def _matrix(summary: Summary) -> Iterator[Sequence[Any]]:
    """A row for each two who met, in both directions: programs like that better than a square."""
    names = _names(summary)
    yield "edition", "bot", "opponent", "rate", "low", "high", "games"
    for edition, section in _sections(summary):
        matrix = section.matrix
        for i, one in enumerate(matrix.entrants):
            for j, other in enumerate(matrix.entrants):
                rate, low, high = matrix.rate[i][j], matrix.low[i][j], matrix.high[i][j]
                if rate is not None:
                    numbers = (f"{rate:.6f}", f"{low:.6f}", f"{high:.6f}", matrix.games[i][j])
                    yield (edition, names[one], names[other], *numbers)


def _game_rows(summary: Summary, games: GameTable) -> Iterator[Sequence[Any]]:
    yield GAME_COLUMNS
    names = _names(summary)
    for first in range(0, len(games), _BLOCK):
        columns = _game_columns(names, games, np.arange(first, min(first + _BLOCK, len(games))))
        yield from zip(*(columns[name] for name in GAME_COLUMNS), strict=True)


def _game_columns(names: dict[int, str], games: GameTable, places: Ints) -> dict[str, list[Any]]:
    """Some games as lists, None for what a game does not have."""
    a, b = ([names[entrant] for entrant in column[places].tolist()] for column in (games.a, games.b))
    first, winner, fault = (column[places].tolist() for column in (games.game, games.winner, games.fault_of))
    kinds = games.fault_kind[places].tolist()
    columns: dict[str, list[Any]] = {
        "edition": [games.editions[edition] for edition in games.edition[places].tolist()],
        "a": a,
        "b": b,
        "pair": games.pair[places].tolist(),
        "game": first,
        "deal": games.seed[places].tolist(),
        "first": [(one, other)[seat] for one, other, seat in zip(a, b, first, strict=True)],
        "winner": [(one, other, None)[who] for one, other, who in zip(a, b, winner, strict=True)],
        "points_a": games.points[places].tolist(),
        "turns": games.turns[places].tolist(),
        "actions": games.actions[places].tolist(),
        "fault_of": [None if who < 0 else (one, other)[who] for one, other, who in zip(a, b, fault, strict=True)],
        "fault_kind": [None if kind < 0 else games.fault_kinds[kind] for kind in kinds],
        "finished_at": games.finished_at[places].tolist(),
    }
    for name in ("score_a", "score_b"):
        values = getattr(games, name)[places].tolist()
        columns[name] = [None if value != value else int(value) for value in values]
    for side in "ab":
        conduct = getattr(games, f"conduct_{side}")[places]
        for place, name in enumerate(("answers", "total_ms", "worst_ms", "first_ms")):
            columns[f"{name}_{side}"] = [None if value < 0 else value for value in conduct[:, place].tolist()]
    return columns


def _arrow_table(pyarrow: Any, summary: Summary, games: GameTable) -> Any:
    names = {entrant.id: entrant.name for entrant in summary.entrants}
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    kinds = {
        **dict.fromkeys(GAME_COLUMNS, pyarrow.int64()),
        **dict.fromkeys(("edition", "a", "b", "first", "winner", "fault_of", "fault_kind"), text),
        **dict.fromkeys(("points_a", "finished_at"), pyarrow.float64()),
    }
    schema = pyarrow.schema([(name, kinds[name]) for name in GAME_COLUMNS])
    columns = _game_columns(names, games, np.arange(len(games)))
    arrays = [pyarrow.array(columns[name], kinds[name]) for name in GAME_COLUMNS]
    facts = {"tournament": summary.name, "seed": str(summary.seed), "settings": summary.settings}
    return pyarrow.table(arrays, schema=schema.with_metadata(facts))
