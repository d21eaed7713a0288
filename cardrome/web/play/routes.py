"""The addresses under ``/play``: see the contract in `cardrome.web.play`."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardrome.arena.duel import SEATS, Duel
from cardrome.errors import CallerError, IllegalAction
from cardrome.escaping import printable
from cardrome.games.family import AnyFamily, families, find_family
from cardrome.games.frames import NAME
from cardrome.games.replay_files import encode_replay
from cardrome.web import words
from cardrome.web.app import PageError, Part, language_of, respond
from cardrome.web.home import featured_first
from cardrome.web.play.games import Full, Games, RunningGame
from cardrome.web.play.origins import ORIGINS
from cardrome.web.security import RateLimit
from cardrome.web.session import visitor
from cardrome.web.watch import show_replay
from cardrome.wording import counted, json_problem

_JSON = "application/json"
_FRESH = {"Cache-Control": "no-store"}
_CHOSEN = "locm-1.2"

LONGEST = 5_000
"""Actions of a game that goes on: far more than usual ones have, few enough to be shown again."""


class Moment(msgspec.Struct, forbid_unknown_fields=True):
    """A moment of a replay that was watched here."""

    replay: str
    frame: int


class NewGame(msgspec.Struct, forbid_unknown_fields=True, rename={"moment": "from"}):
    """What a person wants to play."""

    edition: str
    opponent: str
    seat: Literal[0, 1] | None = None
    seed: int | str | None = None
    moment: Moment | None = None


class Change(msgspec.Struct, forbid_unknown_fields=True):
    """Something to be done in the state that the page knows."""

    at: int


class Move(Change):
    """Take an action."""

    code: int


class Undo(Change):
    """Take back some."""

    n: int = 1


class Drop(Change):
    """Put back a card."""

    card: int


class Rematch(msgspec.Struct, forbid_unknown_fields=True):
    """The same deal again."""

    swap: bool = False


B = TypeVar("B")


def part(games: Games | None = None) -> Part:
    """The part of the site in which people play."""
    table = games or Games()
    return Part("play", _Pages(table).routes(), lifespan=table.open)


class _Pages:
    """The endpoints."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._few = RateLimit(1, 30)
        """For what makes a game, or looks through a whole one."""
        self._many = RateLimit(60, 300)

    def routes(self) -> list[Route]:
        """All of them."""
        post, game = ["POST"], "/play/games/{id}"
        return [
            Route("/play", self._lobby),
            Route("/play/games", self._new, methods=post),
            Route(game, self._whole),
            Route(f"{game}/moves", self._move, methods=post),
            Route(f"{game}/undo", self._undo, methods=post),
            Route(f"{game}/drop", self._drop, methods=post),
            Route(f"{game}/complete", self._complete, methods=post),
            Route(f"{game}/hint", self._hint, methods=post),
            Route(f"{game}/resign", self._resign, methods=post),
            Route(f"{game}/rematch", self._rematch, methods=post),
            Route(f"{game}/replay", self._replay),
            Route("/play/{id}", self._table),
            Route("/play/{id}/watch", self._watch),
        ]

    # Pages

    async def _lobby(self, request: Request) -> Response:
        language = language_of(request)
        shown = [family for family in families() if family.has_frames]
        asked = request.query_params.get("edition", "")
        known = {name for family in shown for name in family.editions}
        origin = None
        if "from" in request.query_params:
            self._few.check(request)
            origin = await asyncio.to_thread(_origin, request.query_params)
        asked = asked if origin is None else origin["edition"]
        running = [game for game in self._games.of(visitor(request)) if game.duel.to_move is not None]
        return respond(
            request,
            "play/lobby.html",
            families=[_family(family, language) for family in shown],
            chosen=asked if asked in known else _CHOSEN,
            origin=origin,
            games=[_entry(game, language) for game in running],
        )

    async def _table(self, request: Request) -> Response:
        game = self._find(request)
        whole = await self._games.run(game, game.whole)
        return respond(request, "play/table.html", id=game.id, data=msgspec.json.decode(whole))

    async def _watch(self, request: Request) -> Response:
        self._few.check(request)
        game = self._find(request)
        return await self._done(game, lambda: show_replay(request, game.duel.replay(), f"/play/{game.id}"))

    # Games

    async def _new(self, request: Request) -> Response:
        self._few.check(request)
        wanted = _read(await request.body(), NewGame)
        return await self._begin(request, partial(_duel, wanted))

    async def _rematch(self, request: Request) -> Response:
        self._few.check(request)
        duel = self._find(request).duel
        swap = _read(await request.body() or b"{}", Rematch).swap
        again = partial(Duel, duel.edition, duel.deal, SEATS[duel.player ^ swap], duel.opponent, duel.person)
        return await self._begin(request, again)

    async def _begin(self, request: Request, make: Callable[[], Duel]) -> Response:
        try:
            game = await self._games.add(visitor(request), make)
        except CallerError as error:
            raise HTTPException(400, json_problem(error)) from None
        except Full as error:
            raise HTTPException(503, str(error)) from None
        return JSONResponse({"id": game.id}, 201, _FRESH)

    async def _whole(self, request: Request) -> Response:
        game = self._find(request)
        return Response(await self._games.run(game, game.whole), headers=_FRESH, media_type=_JSON)

    async def _move(self, request: Request) -> Response:
        return await self._change(request, Move, lambda duel, move: duel.play(move.code))

    async def _undo(self, request: Request) -> Response:
        return await self._change(request, Undo, _take_back)

    async def _drop(self, request: Request) -> Response:
        return await self._change(request, Drop, lambda duel, drop: duel.drop(drop.card))

    async def _complete(self, request: Request) -> Response:
        return await self._change(request, Change, lambda duel, _: duel.complete())

    async def _change(self, request: Request, kind: type[Change], act: Callable[[Duel, Any], object]) -> Response:
        game = self._find(request)
        posted = _read(await request.body(), kind)
        answer = await self._done(game, lambda: game.change(posted.at, lambda duel: act(duel, posted)))
        return Response(answer, headers=_FRESH, media_type=_JSON)

    async def _hint(self, request: Request) -> Response:
        game = self._find(request)
        action, agent = await self._done(game, game.duel.hint)
        return JSONResponse({"code": action.code, "text": str(action), "agent": agent}, headers=_FRESH)

    async def _resign(self, request: Request) -> Response:
        game = self._find(request)
        answer = await self._done(game, lambda: game.change(None, Duel.resign))
        return Response(answer, headers=_FRESH, media_type=_JSON)

    async def _replay(self, request: Request) -> Response:
        self._few.check(request)
        game = self._find(request)
        data = await self._done(game, lambda: encode_replay(game.duel.replay()))
        name = f"cardrome-{game.duel.edition.name}-{game.id[:8]}.json"
        return Response(
            data, headers={**_FRESH, "Content-Disposition": f'attachment; filename="{name}"'}, media_type=_JSON
        )

    def _find(self, request: Request) -> RunningGame:
        self._many.check(request)
        game = self._games.find(visitor(request), request.path_params["id"])
        if game is None:
            raise PageError(404, "play.gone")
        return game

    async def _done(self, game: RunningGame, work: Callable[[], B]) -> B:
        try:
            return await self._games.run(game, work)
        except IllegalAction as error:
            raise HTTPException(409 if game.duel.to_move is None else 422, str(error)) from None
        except CallerError as error:
            raise HTTPException(409, str(error)) from None


def _read(body: bytes, kind: type[B]) -> B:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError as error:
        raise HTTPException(400, json_problem(error)) from None


def _duel(wanted: NewGame) -> Duel:
    family = find_family(wanted.edition)
    edition = family.editions[wanted.edition]
    if not family.has_frames:
        raise CallerError(f"{family.title} has no board to play on in the browser")
    if wanted.opponent not in family.agents:  # what is not built in would be a module to be imported
        raise CallerError(f"unknown opponent {wanted.opponent!r}; known: {', '.join(family.agents)}")
    if wanted.moment is not None:
        return _played_on(wanted, wanted.moment)
    seed = wanted.seed if wanted.seed is not None else int(family.seeds(secrets.randbits(62), 1)[0])
    seat = wanted.seat if wanted.seat is not None else secrets.choice(SEATS)
    return Duel(edition, family.deal(edition, {"seed": str(seed)}), seat, wanted.opponent)


def _played_on(wanted: NewGame, moment: Moment) -> Duel:
    """A game that goes on from a moment of a replay, by default for whoever is to move there."""
    replay = ORIGINS.find(moment.replay)
    if replay is None or replay.edition != wanted.edition:
        raise CallerError("the replay to go on from is not here any more")
    game = find_family(replay.edition).game_at(replay, moment.frame)
    if game.to_move is None or game.deal is None:
        raise CallerError("the game is over at that moment")
    if len(game.actions) > LONGEST:
        raise CallerError(f"{len(game.actions)} actions are too many to go on from")
    seat = wanted.seat if wanted.seat is not None else SEATS[game.to_move]
    return Duel(game.edition, game.deal, seat, wanted.opponent, actions=game.actions)


def _take_back(duel: Duel, undo: Undo) -> None:
    if not 1 <= undo.n <= duel.undoable:
        raise CallerError(f"{counted(duel.undoable, 'action')} can be taken back")
    for _ in range(undo.n):
        duel.undo()


def _origin(query: Mapping[str, str]) -> dict[str, Any] | None:
    """The moment to go on from that an address names, for the page; None if it names none."""
    key, at = query.get("from", ""), query.get("at", "0")
    replay = ORIGINS.find(key)
    if replay is None or not at.isdecimal() or len(at) > 9:
        return None
    try:
        game = find_family(replay.edition).game_at(replay, int(at))
    except CallerError:
        return None
    players = [printable(name, NAME) for name in replay.players]
    turn = max(game.turn, 0)
    return {
        "replay": key,
        "frame": int(at),
        "edition": replay.edition,
        "players": players,
        "turn": turn,
        "player": game.to_move,
    }


def _family(family: AnyFamily, language: str) -> dict[str, Any]:
    return {
        "name": family.name,
        "title": family.title,
        "editions": words.edition_list(language, [name for name in featured_first() if name in family.editions]),
        "agents": [
            {
                "name": name,
                "summary": words.agent_line(language, family, name),
                "editions": [each for each, edition in family.editions.items() if kind.plays(edition)],
            }
            for name, kind in family.agents.items()
        ],
    }


def _entry(game: RunningGame, language: str) -> dict[str, Any]:
    duel = game.duel
    title = words.edition_title(language, duel.edition.name)
    where = {"id": game.id, "edition": duel.edition.name, "title": title, "turn": max(duel.game.turn, 0)}
    return {**where, "opponent": duel.opponent, "seat": duel.player}
