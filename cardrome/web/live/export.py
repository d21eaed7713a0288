"""A whole event as a folder of files: the pages that were live, every replay, and all results as JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from cardrome.arena.secret import published_commitment
from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.errors import CallerError
from cardrome.games.replay_files import decode_replay, write_whole
from cardrome.server.event import is_over
from cardrome.server.settings import EventPlan
from cardrome.server.snapshot import Load, Snapshot, TeamRow, TournamentRow
from cardrome.server.store.records import EventTournament, StoredEvent, TeamStanding
from cardrome.server.store.store import EventStore
from cardrome.web import words
from cardrome.web.live.app import tournament_values
from cardrome.web.live.matches import StoredMatches
from cardrome.web.live.view import scoreboard, shown_name
from cardrome.web.modules import joined
from cardrome.web.replay import replay_page
from cardrome.web.templates import alone, asset, render
from cardrome.wording import unwritable

_STYLES = ("tokens", "furniture", "site", "cards/card", "live/small", "live/scoreboard", "live/pages")


def export_event(
    plan: EventPlan,
    store: EventStore,
    folder: Path,
    over: bool,
    language: str = "en",
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[int, list[int]]:
    """Write all finished tournaments to a folder; returns the number of matches, and the ids of those left out.

    The secret that decks follow from is among the results if the event is ``over``, or if it is by its settings. Of
    matches whose transcripts cannot be read there are only the results.
    """
    stored = store.event()
    if stored is None:
        raise CallerError(f"{store.name} holds no event yet")
    begun = store.tournaments()
    finished = [each for each in begun if each.finished_at is not None]
    standings = store.standings()
    secret = str(stored.secret) if over or is_over(plan, begun) else None
    snapshot = _snapshot(plan, stored, finished, standings, secret)
    for name in ("tournaments", "matches"):
        try:
            (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CallerError(unwritable(folder, error)) from None
    event = shown_name(stored.name)
    common = {"t": partial(words.text, language), "language": language, "event": event, "suffix": ".html"}
    numbers = [each.number for each in finished]
    data = {"board": scoreboard(snapshot, None), "feature": []}
    style = "".join(asset(f"static/{name}.css") for name in _STYLES)
    index = alone(style, joined("web/static/live/export.js"))
    values = {"numbers": numbers, "teams": snapshot.teams, "secret": secret, "commitment": snapshot.commitment}
    _write(folder / "index.html", render("live/export_index.html", **common, **index, **values, data=data))
    _write(folder / "event.json", _event_json(snapshot, stored, store, finished, standings))
    if secret is not None:
        store.note_published()
    matches = StoredMatches(store)
    done = 0
    missing: list[int] = []
    for number in numbers:
        rows = matches.matches(number)
        for row in rows:
            place = folder / "matches" / str(row.match_id)
            try:
                transcript = matches.transcript(row.match_id)
                replay = None if transcript is None else decode_replay(transcript)
            except DatabaseUnavailable:
                raise
            except CallerError:  # damaged: the others can still be shown
                transcript = replay = None
            if transcript is None or replay is None:
                missing.append(row.match_id)
                continue
            _write(place.with_suffix(".json"), transcript)
            _write(place.with_suffix(".html"), replay_page(replay))
            done += 1
            progress(done)
        values = tournament_values(event, number, rows, None) | {
            "finished": True,
            "missing": missing,
            "earlier": number - 1 if number - 1 in numbers else None,
            "later": number + 1 if number + 1 in numbers else None,
        }
        page = render("live/export_tournament.html", **(common | values), **alone(style, ""))
        _write(folder / "tournaments" / f"{number}.html", page)
    return done, missing


def _write(path: Path, text: str | bytes) -> None:
    write_whole(path, [text.encode() if isinstance(text, str) else text])


def _snapshot(
    plan: EventPlan,
    stored: StoredEvent,
    finished: list[EventTournament],
    standings: list[TeamStanding],
    secret: str | None,
) -> Snapshot:
    """The event as the live page would show it now."""
    rows: list[TeamRow] = []
    for place, team in enumerate(standings, 1):
        rank = rows[-1].rank if rows and rows[-1].total == team.total else place
        rows.append(TeamRow(rank, team.name, 0, team.total, team.points))
    return Snapshot(
        event=stored.name,
        phase="pause" if secret is None else "over",
        commitment=published_commitment(stored.secret),
        secret=secret,
        tick=0,
        turn_seconds=plan.settings.server.turn_seconds,
        tournament=finished[-1].number if finished else None,
        planned_tournaments=plan.settings.event.tournaments,
        turns_left=None,
        matches=sum(each.matches for each in finished),
        matches_running=0,
        tournaments=tuple(
            TournamentRow(each.number, "finished", len(each.roster), each.matches, each.attempts) for each in finished
        ),
        teams=tuple(rows),
        load=Load(0, 0.0, 0.0, 0.0, 0.0, 0, 0),
    )


def _event_json(
    snapshot: Snapshot,
    stored: StoredEvent,
    store: EventStore,
    finished: list[EventTournament],
    standings: list[TeamStanding],
) -> bytes:
    """Everything but the transcripts."""
    names = store.accounts.names()
    played = [
        {
            "number": each.number,
            "deck": each.deck_text.splitlines(),
            "teams": [names[account] for account in each.roster],
            "attempts": each.attempts,
            "started_at": each.started_at,
            "finished_at": each.finished_at,
            "matches": [
                msgspec.structs.asdict(match) | {"first": names[match.first], "second": names[match.second]}
                for match in store.matches(each.number)
            ],
        }
        for each in finished
    ]
    data = {
        "event": stored.name,
        "commitment": snapshot.commitment,
        "secret": snapshot.secret,
        "rules": msgspec.json.decode(stored.rules_text),
        "standings": [{"team": row.name, "total": row.total, "points": row.points} for row in standings],
        "tournaments": played,
    }
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"
