"""Series on disk: what was played is not lost when the program ends, however it ends.

A folder holds ``series.json``, which says what is played, and ``games.jsonl``, to which each finished pair is appended
as one line. A line that was cut off by the end of the program is dropped; every other is kept.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import numpy as np

from cardrome.engine.bulk import DRAWN, Games, mirrored_games
from cardrome.errors import CallerError

FORMAT = 2

COLUMNS = ("winner", "turns", "actions", "score_a", "score_b", "ending")
"""What is saved of a game."""

Row = tuple[int, int, int, int, int, int]


class SavedOpenings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which book the deals come from."""

    name: str
    digest: str


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What fixes every game of a series, and how many pairs of it were last asked for."""

    format: int = FORMAT
    cardrome: str = msgspec.field(default_factory=lambda: version("cardrome"))
    edition: str
    players: tuple[str, str]
    seed: int | None
    """None if the deals come from a book."""
    openings: SavedOpenings | None = None
    asked_pairs: int


class SavedPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of ``games.jsonl``."""

    pair: int
    seed: int
    games: tuple[Row, Row]


def saved_seed(folder: Path) -> int | None:
    """The seed of the series in a folder, so that a command without ``--seed`` can go on; None if there is none."""
    parameters = _read_parameters(folder / "series.json")
    return None if parameters is None else parameters.seed


class SavedSeries:
    """A series' folder, open for reading what was played and adding to it. One process at a time has it."""

    def __init__(self, folder: str | Path, parameters: Parameters, seeds: np.ndarray[Any, Any]) -> None:
        """Open or begin a series; ``seeds`` are the main seeds of the deals asked for."""
        self.folder = Path(folder)
        self._seeds = seeds
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.folder / "games.jsonl", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise CallerError(f"cannot save to {self.folder}: {error.strerror}") from None
        try:
            self._lock()
            self._begin(parameters)
            self.games = self._read()
        except BaseException:
            self.close()
            raise
        self._pairs = len(self.games) // 2

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes have the folder."""
        os.close(self._file)

    def append(self, games: Games) -> None:
        """Add finished pairs, in order, behind those already there."""
        encoder = msgspec.json.Encoder()
        lines = b"".join(encoder.encode(line) + b"\n" for line in self._lines(games))
        rest = memoryview(lines)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            raise CallerError(f"cannot save to {self.folder}: {error.strerror}") from None
        # Ctrl-C right here makes the next call write the same pairs again; reading skips those it has seen.
        self._pairs += len(games) // 2

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CallerError(f"{self.folder}: another process is playing this series") from None

    def _begin(self, wanted: Parameters) -> None:
        """Check that the folder holds the series that is wanted, or make it so if it holds none."""
        path = self.folder / "series.json"
        found = _read_parameters(path)
        if found is None:
            if os.fstat(self._file).st_size:
                raise CallerError(f"{self.folder} has games.jsonl but no series.json: not a saved series")
        else:
            _compare(self.folder, found, wanted)
        if found != wanted:
            # A new file takes the old one's place at once: whenever the program ends, one of them is there, whole.
            fresh = self.folder / "series.json.new"
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(wanted), indent=2) + b"\n")
            os.replace(fresh, path)

    def _read(self) -> Games:
        """The saved games of the pairs asked for."""
        path = self.folder / "games.jsonl"
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):  # the program ended while writing this line
            os.ftruncate(self._file, whole)
        decoder = msgspec.json.Decoder(SavedPair)
        results = mirrored_games(self._seeds)
        found: list[Row] = []
        seeds, pairs = self._seeds.tolist(), 0
        for number, line in enumerate(text[:whole].splitlines(), 1):
            if pairs == len(seeds):
                break
            try:
                saved = decoder.decode(line)
                for game in saved.games:
                    self._check(game)
            except msgspec.DecodeError as error:
                raise CallerError(f"{path}, line {number}: damaged ({error}); cut the file off before it") from None
            if saved.pair < pairs:
                continue
            if saved.pair > pairs or saved.seed != seeds[pairs]:
                raise CallerError(
                    f"{path}, line {number}: not the next pair of this series; cut the file off before it"
                )
            found += saved.games
            pairs += 1
        games = results[: 2 * pairs].view(np.recarray)
        if found:
            for name, column in zip(COLUMNS, np.array(found, np.int64).T, strict=True):
                games[name] = column
        return games

    def _check(self, game: Row) -> None:
        """A saved game has one of the results there are."""
        if not 0 <= game[0] <= DRAWN:
            raise msgspec.ValidationError(f"the winner of a game is {game[0]}")

    def _lines(self, games: Games) -> Iterator[SavedPair]:
        """Finished pairs as they are written."""
        rows = list(zip(*(games[name].tolist() for name in COLUMNS), strict=True))
        for k, seed in enumerate(games.seed[::2].tolist()):
            yield SavedPair(self._pairs + k, seed, (rows[2 * k], rows[2 * k + 1]))


def _read_parameters(path: Path) -> Parameters | None:
    """What ``series.json`` says; None if it is not there."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CallerError(f"{path}: {error.strerror}") from None
    try:
        stated = msgspec.json.decode(text, type=dict[str, Any]).get("format")
        if stated != FORMAT:
            raise CallerError(f"{path}: format {stated!r}; this version of cardrome reads format {FORMAT}")
        return msgspec.json.decode(text, type=Parameters)
    except msgspec.DecodeError as error:
        raise CallerError(f"{path}: not a saved series: {error}") from None


def _compare(folder: Path, found: Parameters, wanted: Parameters) -> None:
    """Refuse to mix the games of two series."""
    for name in ("edition", "players", "seed", "openings", "cardrome"):
        there, here = (_shown(getattr(parameters, name)) for parameters in (found, wanted))
        if there != here:
            what = "version of cardrome" if name == "cardrome" else name
            raise CallerError(
                f"{folder} holds a series with another {what}: {there}, not {here}; "
                "ask for that one, or save to another folder"
            )


def _shown(value: object) -> str:
    if isinstance(value, SavedOpenings):
        return f"a book with digest {value.digest[:12]}"  # its name may change, its deals may not
    if isinstance(value, tuple):
        return " v ".join(map(str, value))
    return "none" if value is None else str(value)
