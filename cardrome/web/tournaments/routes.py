"""The tournaments of the site: live from their stores, for as long as they are played."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import wraps

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.errors import CallerError
from cardrome.games.family import find_family
from cardrome.games.replays import Replay
from cardrome.tournament.games import GameKey
from cardrome.tournament.results.exports import games_csv
from cardrome.web.app import PageError, Part, respond
from cardrome.web.security import RateLimit
from cardrome.web.tournaments.addresses import SETTINGS_FILE, TABLE_FILE, SiteAddresses, slug
from cardrome.web.tournaments.pages import Choice, Page, TournamentPages
from cardrome.web.tournaments.stores import Moment, ShownTournament
from cardrome.web.watch import show_replay

_Endpoint = Callable[[Request, ShownTournament, Moment], Response]


def part(tournaments: dict[str, ShownTournament]) -> Part:
    """The tournaments of some stores as a part of the site."""

    @asynccontextmanager
    async def closing() -> AsyncIterator[None]:
        yield
        for each in tournaments.values():
            each.close()

    return Part("tournaments", routes(tournaments), lifespan=closing)


def routes(tournaments: dict[str, ShownTournament]) -> list[BaseRoute]:
    """The pages of tournaments. They are made in threads: databases and games take their time."""
    watching = RateLimit(2, 20)  # playing a game again may take a second

    def overview(request: Request) -> Response:
        return respond(request, "tournaments/list.html", tournaments=[_Entry(each) for each in tournaments.values()])

    def of(endpoint: _Endpoint) -> Callable[[Request], Response]:
        @wraps(endpoint)
        def found(request: Request) -> Response:
            tournament = tournaments.get(request.path_params["id"])
            if tournament is None:
                raise PageError(404, "site.error-404")
            try:
                moment = tournament.moment()
                if moment is None:
                    raise PageError(404, "tournaments.not-yet")
                return endpoint(request, tournament, moment)
            except DatabaseUnavailable:
                raise PageError(503, "tournaments.unavailable") from None

        return found

    def watch(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
        watching.check(request)
        key = _key(request, moment)
        replay = _replay(tournament, key)
        try:
            data = find_family(replay.edition).page_data(replay)
        except DatabaseUnavailable:
            raise
        except CallerError:  # damaged, too long for a page, or of another version
            raise PageError(404, "tournaments.not-kept") from None
        known = moment.summary.seed is not None  # deals are a secret until all games are played
        if not known:
            data.pop("deal", None)
        return show_replay(request, replay, f"/tournaments/{tournament.id}/{SiteAddresses().game(key)}", data, known)

    def replay_file(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
        watching.check(request)
        key = _key(request, moment)
        if moment.summary.seed is None:
            raise PageError(403, "tournaments.secret-deal")
        return _download(msgspec.json.encode(_replay(tournament, key)), "application/json", "replay.json")

    root = "/tournaments/{id}"
    game = f"{root}/games/{{edition}}/{{a:int}}-{{b:int}}-{{pair:int}}-{{game:int}}"
    return [
        Route("/tournaments", overview),
        Route(root, of(_index)),
        Route(f"{root}/", of(_index)),
        Route(f"{root}/stamp", of(_stamp)),
        Route(f"{root}/{SETTINGS_FILE}", of(_settings)),
        Route(f"{root}/{TABLE_FILE}", of(_table)),
        Route(f"{root}/editions/{{edition}}", of(_edition)),
        Route(f"{root}/bots/{{bot:int}}", of(_bot)),
        Route(f"{root}/games", of(_games)),
        Route(game, of(_game)),
        Route(f"{game}/watch", of(watch)),
        Route(f"{game}/replay.json", of(replay_file)),
    ]


class _Entry:
    """A tournament in the list: what its store holds, or why that cannot be told."""

    def __init__(self, tournament: ShownTournament) -> None:
        self.id = tournament.id
        self.pulse, self.problem, self.running = None, "", False
        try:
            self.pulse = tournament.pulse()
            moment = tournament.moment()
            self.running = moment is not None and moment.is_running
        except CallerError as error:
            self.problem = str(error)


def _pages(tournament: ShownTournament, moment: Moment) -> TournamentPages:
    return TournamentPages(moment.summary, moment.games, SiteAddresses(), tournament.watchable)


def _respond(request: Request, tournament: ShownTournament, moment: Moment, page: Page) -> Response:
    return respond(
        request,
        page.template,
        report=False,
        up=f"/tournaments/{tournament.id}/",
        stamp="" if moment.summary.is_over else moment.stamp,
        running=moment.is_running,
        speed=moment.speed if moment.is_running else None,
        **page.values,
    )


def _index(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    return _respond(request, tournament, moment, _pages(tournament, moment).index())


def _stamp(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    return JSONResponse({"stamp": moment.stamp}, headers={"Cache-Control": "no-store"})


def _settings(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    return _download(moment.summary.settings.encode(), "application/toml", SETTINGS_FILE)


def _table(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{TABLE_FILE}"', "Cache-Control": "no-store"}
    return StreamingResponse(games_csv(moment.summary, moment.games), media_type="text/csv", headers=headers)


def _edition(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    for section in moment.summary.by_edition:
        if slug(section.edition or "") == request.path_params["edition"]:
            return _respond(request, tournament, moment, _pages(tournament, moment).edition(section))
    raise PageError(404, "site.error-404")


def _bot(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    for entrant in moment.summary.entrants:
        if entrant.id == request.path_params["bot"]:
            return _respond(request, tournament, moment, _pages(tournament, moment).bot(entrant))
    raise PageError(404, "site.error-404")


def _games(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    choice = Choice.asked(request.query_params)
    return _respond(request, tournament, moment, _pages(tournament, moment).chosen(choice))


def _game(request: Request, tournament: ShownTournament, moment: Moment) -> Response:
    record = tournament.store().game(_key(request, moment))
    if record is None:
        raise PageError(404, "site.error-404")
    return _respond(request, tournament, moment, _pages(tournament, moment).game(record))


def _key(request: Request, moment: Moment) -> GameKey:
    """The game that an address names; it must be one that this moment has."""
    given = request.path_params
    numbers = [given[name] for name in ("a", "b", "pair", "game")]
    for place, name in enumerate(moment.games.editions):
        if slug(name) == given["edition"] and all(number < 1 << 31 for number in numbers):
            columns = zip(("a", "b", "pair", "first"), numbers, strict=True)
            same = moment.games["edition"] == place
            for column, number in columns:
                same &= moment.games[column] == number
            if same.any():
                return GameKey(name, *numbers)
    raise PageError(404, "site.error-404")


def _replay(tournament: ShownTournament, key: GameKey) -> Replay:
    replay = tournament.replay(key)
    if replay is None:
        raise PageError(404, "tournaments.not-kept")
    return replay


def _download(content: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=kind, headers=headers)
