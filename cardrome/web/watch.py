"""Watching: replay files that visitors bring, example games of every edition, and the page on which any game is shown.

A file that was uploaded stays in memory under an address made of its content, so it can be shared while the server
runs; the oldest make room for new ones. Files are hostile: what they unpack to is bounded, and they are read and played
again in threads of their own, two at a time.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import re
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardrome.errors import CallerError, InvalidRecording
from cardrome.escaping import printable
from cardrome.games.analysis import page_additions
from cardrome.games.family import edition_names, find_family
from cardrome.games.replay_files import decode_replay, recordings_in
from cardrome.games.replays import Replay
from cardrome.web import words
from cardrome.web.app import Part, language_of, respond
from cardrome.web.home import FEATURED, featured_first
from cardrome.web.play.origins import ORIGINS
from cardrome.web.replay import STYLES
from cardrome.web.security import RateLimit

UPLOAD = 16 << 20
"""Bytes of a file, as it is sent."""
UNPACKED = 96 << 20
"""Bytes that a file may unpack to."""
GAMES = 1000
"""Games of one file that can be watched; the rest is left out."""
SHELF = 128 << 20
"""Bytes of compressed games that are kept in all."""
ANALYSED = 200
"""Turns of a game that is analysed for visitors; longer ones are left to the command line."""
EXAMPLE_SEED = 7
_KEPT = {"Cache-Control": "private, max-age=3600"}

T = TypeVar("T")


@dataclass(frozen=True)
class ListedGame:
    """A game of a file, as it is listed."""

    edition: str
    players: tuple[str, ...]
    winner: int | None
    turns: int


@dataclass(frozen=True)
class ReplayFile:
    """A file that somebody uploaded."""

    name: str
    games: tuple[ListedGame, ...]
    packed: tuple[bytes, ...]
    more: bool
    """It held more games than are kept."""


class UnreadableFile(Exception):
    """A file that cannot be shown: a text of the site says why, and a line for experts what exactly."""

    def __init__(self, key: str, detail: str = "") -> None:
        super().__init__(key)
        self.key, self.detail = key, detail


class Shelf:
    """The files that were uploaded, by their address; the oldest make room for new ones."""

    def __init__(self, room: int = SHELF) -> None:
        self.room = room
        self._files: OrderedDict[str, ReplayFile] = OrderedDict()

    def put(self, data: bytes, file: ReplayFile) -> str:
        """Keep a file; returns its address, which is always the same for the same content."""
        key = hashlib.sha256(data).hexdigest()[:16]
        self._files[key] = file
        self._files.move_to_end(key)
        while len(self._files) > 1 and sum(sum(map(len, each.packed)) for each in self._files.values()) > self.room:
            self._files.popitem(last=False)
        return key

    def find(self, key: str) -> ReplayFile:
        """The file at an address; an error page if there is none, or none any more."""
        if key not in self._files:
            raise HTTPException(404)
        return self._files[key]


def read_file(name: str, data: bytes) -> ReplayFile:
    """Read an uploaded file. `UnreadableFile` says what is wrong with it."""
    name = re.split(r"[/\\]", printable(name, 200))[-1] or "replay"
    if not data.strip():
        raise UnreadableFile("watch.empty")
    games: list[ListedGame] = []
    packed: list[bytes] = []
    size = 0
    try:
        for _, recorded in recordings_in(name, data):
            size += len(recorded)
            if size > UNPACKED:
                raise UnreadableFile("watch.too-long")
            if len(games) == GAMES:
                return ReplayFile(name, tuple(games), tuple(packed), more=True)
            replay = decode_replay(recorded)
            players = tuple(printable(player, 60) for player in replay.players)
            games.append(ListedGame(replay.edition, players, replay.winner, replay.turns))
            packed.append(zlib.compress(recorded))
    except InvalidRecording as error:
        raise UnreadableFile("watch.unreadable", printable(str(error), 300)) from None
    if not games:
        raise UnreadableFile("watch.empty")
    return ReplayFile(name, tuple(games), tuple(packed), more=False)


@functools.lru_cache(maxsize=32)
def example(edition: str) -> Replay:
    """A game between the two best built-in agents of an edition, always the same."""
    from cardrome.arena.play import play_one
    from cardrome.arena.players.player import BotSettings, parse_player

    family = find_family(edition)
    first, second = _best_agents(edition)
    deal = family.deal(family.editions[edition], {"seed": str(EXAMPLE_SEED)})
    specs = parse_player(first, family, 0), parse_player(second, family, 1)
    return play_one(edition, specs, deal, 0, BotSettings())


def _best_agents(edition: str) -> tuple[str, str]:
    """Two of the best built-in agents, the better one first; not the very best, which takes its time."""
    names = list(find_family(edition).agents)
    return names[-2:][0], names[-3:][0]


def show_replay(
    request: Request,
    replay: Replay,
    back: str = "/watch",
    data: dict[str, Any] | None = None,
    playable: bool = True,
) -> Response:
    """The page on which a game is watched, for every part of the site; call it in a thread, it plays the game again.

    ``back`` is where its arrow leads; ``data`` is the replay's page data where it is at hand. One can play on from any
    moment of it, if it is ``playable``.
    """
    family = find_family(replay.edition)
    try:
        data = data or family.page_data(replay)
    except CallerError as error:
        raise HTTPException(422, str(error)) from None
    title = f"{' v '.join(printable(name, 60) for name in replay.players)} · {replay.edition}"
    template = "watch/story.html" if "lines" in data else "watch/game.html"
    values: dict[str, Any] = {"title": title, "result": family.result_line(replay), "data": data, "styles": STYLES}
    values |= {"home": "/", "back": back, "play": ORIGINS.address(replay) if playable else None}
    can = family.has_analysis and data.get("frames")
    return respond(request, template, **values, analyse=f"/watch/analysis/{ORIGINS.keep(replay)}" if can else None)


def part() -> Part:
    """The routes under ``/watch``."""
    shelf, limit, thinking = Shelf(), RateLimit(rate=0.5, burst=20), RateLimit(rate=0.1, burst=10)
    readers = ThreadPoolExecutor(2, thread_name_prefix="watch")

    async def work(job: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(readers, functools.partial(job, *arguments))

    async def index(request: Request) -> Response:
        listed = words.edition_list(language_of(request), featured_first())
        editions = [{**each, "players": _best_agents(each["name"])} for each in listed]
        return respond(request, "watch/index.html", editions=editions, megabytes=UPLOAD >> 20)

    async def upload(request: Request) -> Response:
        limit.check(request)
        data = await request.body()
        try:
            file = await work(read_file, request.query_params.get("name", ""), data)
        except UnreadableFile as error:
            say = words.text(language_of(request), error.key, n=UNPACKED >> 20)
            return JSONResponse({"error": say, "detail": error.detail}, 422)
        return JSONResponse({"address": f"/watch/{shelf.put(data, file)}"})

    async def file_or_example(request: Request) -> Response:
        name = request.path_params["name"]
        if name in edition_names():
            return await work(lambda: show_replay(request, example(name), data=_example_data(name)))
        file = shelf.find(name)
        if len(file.games) > 1:
            return respond(request, "watch/file.html", file=file, address_of_file=f"/watch/{name}")
        return await work(_show, request, file, 0, "/watch")

    async def data(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in edition_names():
            raise HTTPException(404)
        found = await work(_example_data, name)
        return Response(msgspec.json.encode(found), media_type="application/json", headers=_KEPT)

    async def game(request: Request) -> Response:
        name, number = request.path_params["name"], request.path_params["number"]
        file = shelf.find(name)
        if not 1 <= number <= len(file.games):
            raise HTTPException(404)
        return await work(_show, request, file, number - 1, f"/watch/{name}")

    async def analysis(request: Request) -> Response:
        thinking.check(request)
        try:
            found = await work(_analysis, request.path_params["key"])
        except CallerError as error:
            raise HTTPException(422, str(error)) from None
        return Response(found, media_type="application/json", headers=_KEPT)

    routes = [
        Route("/watch", index),
        Route("/watch/files", upload, methods=["POST"]),
        Route("/watch/analysis/{key}", analysis),
        Route("/watch/{name}", file_or_example),
        Route("/watch/{name}/data", data),
        Route("/watch/{name}/{number:int}", game),
    ]

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        readers.submit(_example_data, next(iter(FEATURED)))  # the home page shows it, to the first visitor too
        yield
        readers.shutdown(wait=False, cancel_futures=True)

    return Part("watch", routes, body=UPLOAD, lifespan=lifespan)


@functools.cache
def _example_data(edition: str) -> dict[str, Any]:
    return find_family(edition).page_data(example(edition))


@functools.lru_cache(64)
def _analysis(key: str) -> bytes:
    """What an agent thinks of a game that was shown, for its page: it is asked once."""
    replay = ORIGINS.find(key)
    if replay is None:
        raise HTTPException(404)
    family = find_family(replay.edition)
    data = family.page_data(replay)
    turns = sum(frame["deed"]["kind"] == "turn" for frame in data["frames"])  # a file may lie about their number
    if turns > ANALYSED:
        raise CallerError(f"{turns} turns are too many to be analysed here")
    return msgspec.json.encode(page_additions(data, family.analyse(replay)))


def _show(request: Request, file: ReplayFile, place: int, back: str) -> Response:
    return show_replay(request, decode_replay(zlib.decompress(file.packed[place])), back)
