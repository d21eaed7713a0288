"""The pages of a report: the values that each template is given, and where the pages lie in the report's folder."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Collection, Iterator
from typing import Any

from cardrome.arena.statistics import Estimate
from cardrome.engine.bulk import DRAWN
from cardrome.escaping import printable
from cardrome.tournament.games import GameKey, GameTable, Ints, has_scores
from cardrome.tournament.results.summary import EntrantLine, Section, Summary
from cardrome.web.report.plots import ratings_plot, times_plot
from cardrome.web.templates import inlined, render

GENERATOR = "cardrome tournament report"
"""Written into every page. A folder is taken for a report if its index.html has it."""

SETTINGS_FILE = "tournament.toml"
"""The settings that play the tournament again, in the report's folder."""

ROWS = 400
"""Games on one page, both games of a pair on the same: browsers show that many at once."""

_SCHEDULES = {"round-robin": "Round robin", "gauntlet": "Gauntlet", "swiss": "Swiss tournament", "ladder": "Ladder"}


# Where pages lie, from the report's folder


def edition_path(edition: str) -> str:
    """The page of an edition."""
    return f"editions/{_file_name(edition)}.html"


def pairing_path(edition: str, one: int, other: int, number: int = 1) -> str:
    """The page that lists the games of two bots; with many games there are several, numbered from 1."""
    low, high = sorted((one, other))
    suffix = "" if number == 1 else f"-page{number}"
    return f"games/{_file_name(edition)}/{low}-{high}{suffix}.html"


def replay_path(key: GameKey) -> str:
    """The page of a game's replay."""
    return f"replays/{_file_name(key.edition)}/{key.a}-{key.b}-{key.pair}-{key.game}.html"


def _file_name(edition: str) -> str:
    return re.sub(r"[^\w.-]", "_", edition).lstrip(".") or "_"


# What pages show


class ReportPages:
    """Makes all pages of a report except the replays; ``replays`` are the games that have a replay page."""

    def __init__(self, summary: Summary, games: GameTable, replays: Collection[GameKey]) -> None:
        self.summary = summary
        self.games = games
        self.replays = replays
        self.several = len(summary.by_edition) > 1
        self.names = {entrant.id: printable(entrant.name, 64) for entrant in summary.entrants}
        self._shared = {
            "summary": summary,
            "several": self.several,
            "names": self.names,
            "departed": {entrant.id for entrant in summary.entrants if not entrant.active},
            "generator": GENERATOR,
            "edition_path": edition_path,
            "pairing_path": pairing_path,
            "meeting": _meeting,
            **inlined(("cardrome.web", "static/report")),
        }

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The path and the text of each page, and of the settings file."""
        yield "index.html", self._index()
        yield SETTINGS_FILE, self.summary.settings
        if self.several:
            for section in self.summary.by_edition:
                yield edition_path(section.edition or ""), self._edition(section)
        for entrant in self.summary.entrants:
            yield f"bots/{entrant.id}.html", self._bot(entrant)
        sections = {section.edition: section for section in self.summary.by_edition}
        for edition, one, other, places in self.games.pairings():
            yield from self._pairing(edition, sections[edition], one, other, places)

    def _index(self) -> str:
        summary = self.summary
        latest = {failure.entrant: failure for failure in reversed(summary.failures)}
        faults = [
            (entrant, each, sum(each.faults.values()), latest.get(entrant))
            for entrant, each in summary.behaviours.items()
            if each.faults
        ]
        ranks = {line.entrant: line.rank for line in summary.overall.standings}
        times = [(entrant, each) for entrant, each in summary.behaviours.items() if each.answers]

        def games_of(one: int, other: int) -> str:
            if self.several:
                return f"bots/{one}.html#{other}"
            return pairing_path(summary.overall.edition or "", one, other)

        return self._render(
            "index",
            schedule=_SCHEDULES.get(summary.schedule, summary.schedule),
            replays=len(self.replays),
            plot=self._plot(summary.overall),
            href=games_of,
            sections=(*summary.by_edition, summary.overall) if self.several else summary.by_edition,
            faults=sorted(faults, key=lambda row: (-row[2], row[0])),
            times=sorted(times, key=lambda row: (ranks.get(row[0], 0), row[0])),
            settings_file=SETTINGS_FILE,
        )

    def _edition(self, section: Section) -> str:
        href = functools.partial(pairing_path, section.edition or "")
        return self._render("edition", "../", section=section, plot=self._plot(section), href=href)

    def _bot(self, entrant: EntrantLine) -> str:
        summary, number = self.summary, entrant.id
        sections = (summary.overall, *summary.by_edition) if self.several else (summary.overall,)
        behaviour = summary.behaviours.get(number)
        results = [
            (other, section.edition, *met)
            for other in summary.overall.matrix.entrants
            for section in summary.by_edition
            if (met := _meeting(section, number, other))[0] is not None
        ]
        failures = [
            (each, self._replay(each.edition, each.a, each.b, each.pair, each.game))
            for each in summary.failures
            if each.entrant == number
        ]
        return self._render(
            "bot",
            "../",
            entrant=entrant,
            ranks=[(section, line) for section in sections for line in section.standings if line.entrant == number],
            results=results,
            behaviour=behaviour,
            plot=times_plot(behaviour.histogram, self.names[number]) if behaviour and behaviour.answers else None,
            failures=failures,
        )

    def _pairing(self, edition: str, section: Section, one: int, other: int, places: Ints) -> Iterator[tuple[str, str]]:
        """The pages that list the games of two bots; ``places`` are those of their games in the table."""
        pages = math.ceil(len(places) / ROWS)
        for page in range(1, pages + 1):
            listed = places[(page - 1) * ROWS : page * ROWS]
            yield (
                pairing_path(edition, one, other, page),
                self._render(
                    "pairing",
                    "../../",
                    edition=edition,
                    one=one,
                    other=other,
                    count=len(places),
                    share=_meeting(section, one, other)[0],
                    page=page,
                    pages=pages,
                    scored=has_scores(edition),
                    rows=self._rows(edition, listed),
                ),
            )

    def _rows(self, edition: str, places: Ints) -> Iterator[tuple[Any, ...]]:
        games, names = self.games, self.names
        columns = ("a", "b", "pair", "first", "seed", "winner", "turns", "fault_of", "fault_kind", "score_a", "score_b")
        values = zip(*(games[name][places].tolist() for name in columns), strict=True)
        for a, b, pair, game, seed, winner, turns, fault_of, fault_kind, score_a, score_b in values:
            sides = names[a], names[b]
            yield (
                pair,
                sides[game],
                None if winner == DRAWN else sides[winner],
                self._replay(edition, a, b, pair, game),
                f"{score_a} : {score_b}",
                turns,
                None if fault_of < 0 else games.fault_kinds[fault_kind],
                None if fault_of < 0 else sides[fault_of],
                seed,
            )

    def _replay(self, edition: str, a: int, b: int, pair: int, game: int) -> str | None:
        """Where the replay of a game is shown, if it has a page."""
        key = GameKey(edition, a, b, pair, game)  # type: ignore[arg-type]
        return replay_path(key) if key in self.replays else None

    def _plot(self, section: Section) -> str | None:
        return ratings_plot(section.standings, self.names) if section.standings else None

    def _render(self, page: str, up: str = "", /, **values: Any) -> str:
        """A page; ``up`` leads from its folder to the report's."""
        return render(f"report/{page}.html", up=up, **self._shared, **values)


def _meeting(section: Section, one: int, other: int) -> tuple[Estimate | None, int]:
    """What share of their games one bot won against another, and how many they played; None if they never met."""
    matrix = section.matrix
    if one not in matrix.entrants or other not in matrix.entrants:
        return None, 0
    row, column = matrix.entrants.index(one), matrix.entrants.index(other)
    return matrix.rate[row][column], matrix.games[row][column]
