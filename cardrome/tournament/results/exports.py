"""A tournament's results for other programs and other people's pages: CSV, Markdown, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError
from cardrome.games.replay_files import write_whole
from cardrome.tournament.games import ANSWERS, GameTable, has_scores
from cardrome.tournament.results.summary import Section, Summary
from cardrome.wording import counted, unwritable

GAME_COLUMNS = (
    "edition", "a", "b", "pair", "game", "deal", "first", "winner", "points_a", "score_a", "score_b", "turns",
    "actions", "fault_of", "fault_kind", "finished_at", "answers_a", "total_ms_a", "worst_ms_a", "first_ms_a",
    "answers_b", "total_ms_b", "worst_ms_b", "first_ms_b",
)  # fmt: skip
"""Of games.csv and the Parquet file. ``winner`` is empty for a draw; whatever a game does not have is empty. The deal
is empty while it is a secret: other bots may still have to play on it."""

_BLOCK = 20_000
"""Games written at a time."""


def write_csv(folder: Path, summary: Summary, games: GameTable) -> None:
    """Write standings.csv, matrix.csv and games.csv; each file appears complete or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallerError(unwritable(folder, error)) from None
    write_whole(folder / "standings.csv", _lines(_standings(summary)))
    write_whole(folder / "matrix.csv", _lines(_matrix(summary)))
    write_whole(folder / "games.csv", games_csv(summary, games))


def games_csv(summary: Summary, games: GameTable) -> Iterator[bytes]:
    """The text of games.csv, piece by piece."""
    return _lines(_game_rows(summary, games))


def write_json(path: Path, summary: Summary) -> None:
    """Write the whole summary."""
    write_whole(path, [summary.to_json().encode()])


def write_markdown(path: Path, summary: Summary) -> None:
    """Write the standings as a table for a README or a forum."""
    write_whole(path, [markdown(summary).encode()])


def write_parquet(path: Path, summary: Summary, games: GameTable) -> None:
    """Write all games as a Parquet file. This needs pyarrow: `pip install cardrome[parquet]`."""
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
    lines += [
        f"{counted(summary.games, 'game')}, {summary.schedule}, {', '.join(summary.editions)}, {summary.seed_words}",
        "",
    ]
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
            f"| {line.rank} | {_plain(names[line.entrant])} | {line.elo.value:+.0f} "
            f"| {line.elo.low:+.0f} to {line.elo.high:+.0f} "
            f"| {ranks} | {line.rate:.1%} | {line.games:,} |"
        )


def _plain(text: str) -> str:
    """A text with everything escaped that Markdown would interpret."""
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
    """A text that spreadsheets take as text: they evaluate whatever begins like a formula."""
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
        for forfeits, lines in (("counted", section.standings), ("left out", section.without_forfeits or ())):
            for line in lines:
                who = by_id[line.entrant]
                yield (
                    edition, forfeits, line.rank, line.rank_low, line.rank_high, names[line.entrant],
                    _harmless(who.version), _harmless(who.author), f"{line.elo.value:.2f}",
                    f"{line.elo.low:.2f}", f"{line.elo.high:.2f}", line.games, f"{line.points:g}", f"{line.rate:.6f}",
                )  # fmt: skip


def _matrix(summary: Summary) -> Iterator[Sequence[Any]]:
    """A row for each two entrants who met, in both directions, which programs read more easily than a square."""
    names = _names(summary)
    yield "edition", "bot", "opponent", "rate", "low", "high", "games"
    for edition, section in _sections(summary):
        matrix = section.matrix
        for i, one in enumerate(matrix.entrants):
            for j, other in enumerate(matrix.entrants):
                rate = matrix.rate[i][j]
                if rate is not None:
                    numbers = (f"{rate.value:.6f}", f"{rate.low:.6f}", f"{rate.high:.6f}", matrix.games[i][j])
                    yield (edition, names[one], names[other], *numbers)


def _game_rows(summary: Summary, games: GameTable) -> Iterator[Sequence[Any]]:
    yield GAME_COLUMNS
    names = _names(summary)
    for first in range(0, len(games), _BLOCK):
        block = games.where(np.arange(first, min(first + _BLOCK, len(games))))
        columns = _game_columns(names, block, summary.seed is not None)
        yield from zip(*(columns[name] for name in GAME_COLUMNS), strict=True)


def _game_columns(names: dict[int, str], games: GameTable, dealt: bool) -> dict[str, list[Any]]:
    """Games as lists, with None for what a game does not have."""
    a, b = ([names[entrant] for entrant in games[side].tolist()] for side in "ab")
    first, winner, fault = (games[name].tolist() for name in ("first", "winner", "fault_of"))
    scored = np.isin(games["edition"], [place for place, name in enumerate(games.editions) if has_scores(name)])
    columns: dict[str, list[Any]] = {
        "edition": [games.editions[edition] for edition in games["edition"].tolist()],
        "a": a,
        "b": b,
        "game": first,
        "deal": games["seed"].tolist() if dealt else [None] * len(games),
        "first": [(one, other)[seat] for one, other, seat in zip(a, b, first, strict=True)],
        "winner": [(one, other, None)[who] for one, other, who in zip(a, b, winner, strict=True)],
        "points_a": games.points.tolist(),
        "score_a": _optional(games["score_a"], scored),
        "score_b": _optional(games["score_b"], scored),
        "fault_of": [None if who < 0 else (one, other)[who] for one, other, who in zip(a, b, fault, strict=True)],
        "fault_kind": [None if kind < 0 else games.fault_kinds[kind] for kind in games["fault_kind"].tolist()],
    }
    columns |= {name: games[name].tolist() for name in ("pair", "turns", "actions", "finished_at")}
    for place, side in enumerate("ab"):
        answers = games["answers"][:, place]
        for name in ANSWERS.names or ():
            columns[f"{name}_{side}"] = _optional(answers[name], answers["answers"] >= 0)
    return columns


def _optional(values: npt.NDArray[Any], known: npt.NDArray[np.bool_]) -> list[Any]:
    return [value if here else None for value, here in zip(values.tolist(), known.tolist(), strict=True)]


def _arrow_table(pyarrow: Any, summary: Summary, games: GameTable) -> Any:
    names = {entrant.id: entrant.name for entrant in summary.entrants}
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    kinds = {
        **dict.fromkeys(GAME_COLUMNS, pyarrow.int64()),
        **dict.fromkeys(("edition", "a", "b", "first", "winner", "fault_of", "fault_kind"), text),
        **dict.fromkeys(("points_a", "finished_at"), pyarrow.float64()),
    }
    schema = pyarrow.schema([(name, kinds[name]) for name in GAME_COLUMNS])
    columns = _game_columns(names, games, summary.seed is not None)
    arrays = [pyarrow.array(columns[name], kinds[name]) for name in GAME_COLUMNS]
    facts = {"tournament": summary.name, "seed": str(summary.seed), "settings": summary.settings}
    return pyarrow.table(arrays, schema=schema.with_metadata(facts))
