"""The pages of a tournament: what each template is given, on the site and in a report alike."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt

from cardrome.engine.bulk import DRAWN
from cardrome.escaping import printable
from cardrome.tournament.games import GameKey, GameTable, Ints, PlayedGame, has_scores
from cardrome.tournament.results.summary import EntrantLine, Section, Summary
from cardrome.web.tournaments.addresses import SETTINGS_FILE, TABLE_FILE, Addresses
from cardrome.web.tournaments.figures import Seats, axis_of, cells, time_bars

ROWS = 100
"""Games on one page of a list, both games of a pair on the same."""
SHOWN = 8
"""Games to watch on the first page."""


class Page(NamedTuple):
    """A template and its values."""

    template: str
    values: dict[str, Any]


class GameLine(NamedTuple):
    """A game in a list."""

    key: GameKey
    first: int
    """Who had the first turn; ``second`` had the other seat."""
    second: int
    winner: int | None
    score: str | None
    turns: int
    fault: str | None
    culprit: int | None
    seed: int | None
    """None while deals are a secret."""
    watch: str | None
    """Where it can be watched."""


class TournamentPages:
    """Makes the values of all pages of a tournament at one moment."""

    def __init__(
        self,
        summary: Summary,
        games: GameTable,
        to: Addresses,
        watchable: Callable[[Sequence[GameKey]], Collection[GameKey]],
    ) -> None:
        """``watchable`` says which of some games can be watched."""
        self.summary = summary
        self.games = games
        self.to = to
        self.several = len(summary.by_edition) > 1
        self.names = {entrant.id: printable(entrant.name, 64) for entrant in summary.entrants}
        self._by_id = {entrant.id: entrant for entrant in summary.entrants}
        self._watchable = watchable
        self._seats: dict[str | None, Seats] = {}

    def _page(self, name: str, /, **values: Any) -> Page:
        shared = {
            "summary": self.summary,
            "several": self.several,
            "names": self.names,
            "departed": {entrant.id for entrant in self.summary.entrants if not entrant.active},
            "to": self.to,
            "settings_file": SETTINGS_FILE,
            "table_file": TABLE_FILE,
        }
        return Page(f"tournaments/{name}.html", shared | values)

    def index(self) -> Page:
        """The first page: standings, the matrix, and where everything else is."""
        summary = self.summary
        latest = {failure.entrant: failure for failure in reversed(summary.failures)}
        faults = [
            (entrant, each, sum(each.faults.values()), latest.get(entrant))
            for entrant, each in summary.behaviours.items()
            if each.faults
        ]
        ranks = {line.entrant: line.rank for line in summary.overall.standings}
        times = [(entrant, each) for entrant, each in summary.behaviours.items() if each.answers]
        return self._page(
            "tournament",
            **self._tables(summary.overall),
            sections=(*summary.by_edition, summary.overall) if self.several else summary.by_edition,
            lines=self._to_watch(),
            faults=sorted(faults, key=lambda row: (-row[2], row[0])),
            times=sorted(times, key=lambda row: (ranks.get(row[0], 0), row[0])),
        )

    def edition(self, section: Section) -> Page:
        """The tables of one edition."""
        return self._page("edition", **self._tables(section))

    def _tables(self, section: Section) -> dict[str, Any]:
        played = bool(section.standings)
        return {
            "section": section,
            "axis": axis_of(section.standings) if played else None,
            "rows": cells(section, self._seats_of(section)) if played else [],
        }

    def _seats_of(self, section: Section) -> Seats:
        edition = section.edition if self.several else None
        if edition not in self._seats:
            self._seats[edition] = Seats(self.games if edition is None else self.games.of_editions([edition]))
        return self._seats[edition]

    def bot(self, entrant: EntrantLine) -> Page:
        """A bot: its versions, ranks, results, times and faults."""
        summary, number = self.summary, entrant.id
        sections = (summary.overall, *summary.by_edition) if self.several else (summary.overall,)
        elo = {line.entrant: line for line in summary.overall.standings}
        versions = [(each, elo.get(each.id)) for each in summary.entrants if each.bot == entrant.bot]
        behaviour = summary.behaviours.get(number)
        results = [
            (other, section.edition, rate, section.matrix.games[row][column], *seats.rates(number, other))
            for section in summary.by_edition
            if number in section.matrix.entrants
            for seats in [self._seats_of(section)]
            for row in [section.matrix.entrants.index(number)]
            for column, other in enumerate(section.matrix.entrants)
            if (rate := section.matrix.rate[row][column]) is not None
        ]
        order = {line.entrant: place for place, line in enumerate(summary.overall.standings)}
        failures = [each for each in summary.failures if each.entrant == number]
        keys = [GameKey(each.edition, each.a, each.b, each.pair, each.game) for each in failures]  # type: ignore[arg-type]
        shown = self._watchable(keys)
        return self._page(
            "bot",
            entrant=entrant,
            versions=versions if len(versions) > 1 else [],
            ranks=[(section, line) for section in sections for line in section.standings if line.entrant == number],
            results=sorted(results, key=lambda row: order[row[0]]),
            behaviour=behaviour,
            bars=time_bars(behaviour.histogram) if behaviour else [],
            failures=[
                (each, self.to.watch(key) if key in shown else self.to.game(key))
                for each, key in zip(failures, keys, strict=True)
            ],
        )

    # Games

    def meeting(self, edition: str, section: Section, one: int, other: int, places: Ints, rows: int) -> Iterator[Page]:
        """The pages that list the games of two bots in one edition, so many on each."""
        matrix, pages = section.matrix, math.ceil(len(places) / rows)
        rate = matrix.rate[matrix.entrants.index(one)][matrix.entrants.index(other)]
        again = self.command(GameKey(edition, one, other, 0, 0), "SEED")
        for page in range(1, pages + 1):
            yield self._page(
                "meeting",
                edition=edition,
                one=one,
                other=other,
                count=len(places),
                rate=rate,
                page=page,
                pages=[(each, self.to.meeting(edition, one, other, each)) for each in _neighbours(page, pages)],
                lines=self.lines(places[(page - 1) * rows : page * rows]),
                again=again,
            )

    def chosen(self, choice: Choice) -> Page:
        """A list of the games that a reader asked for."""
        places = choice.places(self.games)
        last = max(math.ceil(len(places) / ROWS), 1)
        page = min(choice.page, last)
        return self._page(
            "games",
            choice=choice,
            count=len(places),
            page=page,
            pages=[(each, f"games?{choice.query(each)}") for each in _neighbours(page, last)],
            lines=self.lines(places[(page - 1) * ROWS : page * ROWS]),
            bots=sorted(self.names.items(), key=lambda item: item[1].lower()),
            fault_options=[(kind, printable(kind, 64)) for kind in sorted(self.games.fault_kinds)],
            edition_options=[(name, printable(name, 64)) for name in self.summary.editions],
        )

    def replays(self, keys: Sequence[GameKey]) -> Page:
        """The list of games that can be watched."""
        return self._page("replays", lines=self.lines(self._places(keys)))

    def game(self, record: PlayedGame) -> Page:
        """All that is known of a game."""
        key = record.key
        (line,) = self.lines(self._places([key]))
        again = self.command(key, str(record.seed)) if self.summary.seed is not None else None
        sides = [(record.behaviours[side], record.stderr[side].strip("\n")) for side in (key.game, 1 - key.game)]
        return self._page("game", record=record, line=line, again=again, sides=sides)

    def _to_watch(self) -> list[GameLine]:
        """A few games that are worth a look."""
        keys = chosen_games(self.summary, self.games, 1, SHOWN // 2, 4 * SHOWN)
        shown = self._watchable(keys)
        return self.lines(self._places([key for key in keys if key in shown][:SHOWN]))

    def _places(self, keys: Sequence[GameKey]) -> Ints:
        """Where games are in the table, in the order of the keys."""
        games, found = self.games, []
        editions = {name: place for place, name in enumerate(games.editions)}
        for key in keys:
            same = games["edition"] == editions[key.edition]
            for name, value in (("a", key.a), ("b", key.b), ("pair", key.pair), ("first", key.game)):
                same &= games[name] == value
            found.append(int(np.argmax(same)))
        return np.array(found, np.int64)

    def lines(self, places: Ints) -> list[GameLine]:
        """Games as lines of a list."""
        games = self.games
        keys = games.where(places).keys() if len(places) else []
        shown = self._watchable(keys) if keys else ()
        dealt = self.summary.seed is not None
        scored = {name for name in games.editions if has_scores(name)}
        columns = ("seed", "winner", "turns", "fault_of", "fault_kind", "score_a", "score_b")
        values = zip(keys, *(games[name][places].tolist() for name in columns), strict=True)
        lines = []
        for key, seed, winner, turns, fault_of, kind, score_a, score_b in values:
            sides, scores = (key.a, key.b), (score_a, score_b)
            lines.append(
                GameLine(
                    key,
                    sides[key.game],
                    sides[1 - key.game],
                    None if winner == DRAWN else sides[winner],
                    f"{scores[key.game]} : {scores[1 - key.game]}" if key.edition in scored else None,
                    turns,
                    None if fault_of < 0 else games.fault_kinds[kind],
                    None if fault_of < 0 else sides[fault_of],
                    seed if dealt else None,
                    self.to.watch(key) if key in shown else None,
                )
            )
        return lines

    def command(self, key: GameKey, seed: str) -> str:
        """The command line that plays a game again, to be given where the tournament's settings are."""
        a, b = (each.agent or f"bot:{each.command}" for each in (self._by_id[key.a], self._by_id[key.b]))
        words = ["cardrome", "replay", "record", a, b, "--edition", key.edition, "--seed", seed]
        return shlex.join([*words, *(["--swap"] if key.game else []), "--out", "game.json"])


class Choice(NamedTuple):
    """Which games a reader wants to see."""

    one: int | None = None
    other: int | None = None
    result: str = ""
    """``won`` or ``lost`` by the first bot, ``first`` or ``second`` seat, ``drawn``, or anything."""
    fault: str = ""
    """``any``, ``none``, or a kind of fault; or anything."""
    edition: str = ""
    page: int = 1

    @classmethod
    def asked(cls, query: Any) -> Choice:
        """What the query of an address asks for. What makes no sense is taken for nothing."""

        def number(name: str) -> int | None:
            text = query.get(name, "")
            return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

        words = {name: query.get(name, "") for name in ("result", "fault", "edition")}
        return cls(one=number("one"), other=number("other"), page=max(number("page") or 1, 1), **words)

    def query(self, page: int) -> str:
        """The query of the same choice on another page."""
        wanted = self._replace(page=page)._asdict()
        return urlencode({name: value for name, value in wanted.items() if value not in (None, "") or name == "page"})

    def places(self, games: GameTable) -> Ints:
        """The rows of these games, the latest first."""
        kept: npt.NDArray[np.bool_] = np.ones(len(games), np.bool_)
        for bot in (self.one, self.other):
            if bot is not None:
                kept &= (games["a"] == bot) | (games["b"] == bot)
        if self.edition:
            wanted = [place for place, name in enumerate(games.editions) if name == self.edition]
            kept &= np.isin(games["edition"], wanted)
        drawn = games["winner"] == DRAWN
        winner = np.where(games["winner"] == 0, games["a"], games["b"])
        first_won = ~drawn & (games["winner"] == games["first"])
        kept &= {
            "drawn": drawn,
            "first": first_won,
            "second": ~drawn & ~first_won,
            "won": ~drawn & (winner == self.one),
            "lost": ~drawn & (winner != self.one),
        }.get(self.result if self.one is not None or self.result not in ("won", "lost") else "", True)
        if self.fault in ("any", "none"):
            kept &= games.forfeit == (self.fault == "any")
        elif self.fault:
            kinds = [place for place, kind in enumerate(games.fault_kinds) if kind == self.fault]
            kept &= np.isin(games["fault_kind"], kinds)
        places = np.flatnonzero(kept)
        return places[np.argsort(-games["finished_at"][places], kind="stable")]


def chosen_games(summary: Summary, games: GameTable, pairs: int, faults: int, limit: int) -> list[GameKey]:
    """The games to be watched first: some faults, then the first pairs of each pairing, best bots first."""
    found = [
        GameKey(failure.edition, failure.a, failure.b, failure.pair, failure.game)  # type: ignore[arg-type]
        for failure in summary.failures[: min(faults, limit)]
    ]
    rank = {line.entrant: line.rank for line in summary.overall.standings}
    pairings = sorted(games.pairings(), key=lambda each: (rank[each[1]] + rank[each[2]], each[:3]))
    # Pair by pair, so that every pairing has one before the limit lets any have two.
    for number in range(pairs):
        for _, _, _, places in pairings:
            found += [games.key(place) for place in places[2 * number : 2 * number + 2].tolist()]
    return list(dict.fromkeys(found))[:limit]


def _neighbours(page: int, pages: int) -> list[int]:
    """The pages that a list links: the first, the last, and those around this one."""
    return [each for each in range(1, pages + 1) if each in (1, pages) or abs(each - page) <= 3]
