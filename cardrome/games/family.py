"""Game families: everything that the rest of the project may know about a game.

A family is registered by naming it in `_BUILT_IN`, or, from outside the package, by `register`. It is imported when
it is first needed.
"""

from __future__ import annotations

import abc
import functools
import importlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from cardrome.engine.bulk import Games, PlayRange, deal_seeds, mirrored_games, play_games
from cardrome.errors import CallerError, IllegalAction, InvalidPosition, UnknownEdition
from cardrome.escaping import printable
from cardrome.games.agents import AgentKind, find_agent
from cardrome.games.game import Deal, Edition, Game, Position

if TYPE_CHECKING:  # as `later`: a process that plays a game needs none of this
    from msgspec.json import Decoder

    from cardrome.games.analysis import GameAnalysis, Report
    from cardrome.games.examiner import Examiner
    from cardrome.games.learning.encoding import Encoding
    from cardrome.games.learning.stepper import Stepper
    from cardrome.games.replays import Recorder, Replay, Rerun
    from cardrome.games.seat import Seat

_BUILT_IN = ("cardrome.games.locm.family:FAMILY", "cardrome.games.tapdeck.family:FAMILY")
_VARIABLE = "CARDROME_GAMES"
"""More families, separated by commas. An environment variable, so that worker processes know them too."""

E = TypeVar("E", bound=Edition)
"""The family's editions."""
R = TypeVar("R", bound="Replay")
"""Its replays."""

Kernel = np.recarray[Any, Any]
"""A built-in agent as bulk play takes it."""

Progress = Callable[[int], None]
"""Called with the number of finished pairs."""


class _Later:
    """An attribute that is imported when it is first asked for."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, family: AnyFamily | None, owner: type) -> Any:
        if family is None:
            return self
        module, _, name = self.path.partition(":")
        value = getattr(importlib.import_module(f"{family.package}.{module}"), name)
        setattr(family, self.name, value)  # found first from now on
        return value


def later(path: str) -> Any:
    """What ``module:name`` in the game's package names, imported when it is first asked for.

    Families list these among their methods: a process that only plays need not import what describes, checks or shows a
    game.
    """
    return _Later(path)


class Family(abc.ABC, Generic[E, R]):
    """One game: its editions and agents, how it is played, recorded, verified, told and shown."""

    name: ClassVar[str]
    """What programs call it."""
    title: ClassVar[str]
    """What people call it."""
    editions: Mapping[str, E]
    """Its rule sets by name."""
    agents: Mapping[str, AgentKind]
    """The built-in agents by name, the weakest first."""
    replay_type: type[R]
    """What its replays are, a msgspec struct."""

    has_programs: ClassVar[bool] = False
    """Programs can play on standard input and output."""
    no_programs: ClassVar[str] = "programs cannot play this game"
    """The message for people who try anyway."""
    has_draws: ClassVar[bool] = False
    """Games can be drawn: half a point for each player."""
    has_scores: ClassVar[bool] = False
    """Players have scores that say more than who won."""
    has_secrets: ClassVar[bool] = True
    """Players do not know everything: views hide cards."""
    has_frames: ClassVar[bool] = False
    """Pages draw its games: `page_data` and `seat` give frames."""
    has_analysis: ClassVar[bool] = False
    """An agent can say what it thinks of a game: `analyse`."""
    examiner: Examiner | None = None
    """Judges the answers of programs, for `check-bot`; None in families without programs."""

    @property
    def package(self) -> str:
        """The package of the game: its kernels, and the script of its page."""
        return type(self).__module__.rpartition(".")[0]

    # Playing

    def find_agent(self, name: str, edition: E | None = None) -> AgentKind:
        """The built-in agent of that name, or what ``policy:FILE`` or ``module:Class`` names.

        Given the edition to be played, an agent that cannot play it is refused.
        """
        kind = find_agent(name, self.agents)
        if edition is not None and kind.check is not None:
            kind.check(edition)
        return kind

    @abc.abstractmethod
    def deal(self, edition: E, params: Mapping[str, str]) -> Deal:
        """The deal with these parameters; `InvalidDeal` says what is wrong with them."""

    def seeds(
        self, seed: int | npt.NDArray[np.int64], pairs: int, start: int | npt.NDArray[np.int64] = 0
    ) -> npt.NDArray[np.int64]:
        """The seeds of a series' deals, from pair ``start`` on. A longer series begins with the same seeds.

        Given arrays of seeds and numbers, and one pair, the seed of each.
        """
        return deal_seeds(seed, pairs, start)

    @abc.abstractmethod
    def new_game(self, edition: E, deal: Deal) -> Game:
        """A new game."""

    @abc.abstractmethod
    def record(self, edition: E, deal: Deal, players: tuple[str, str]) -> Recorder:
        """A recorder for a new game: it asks the players call by call and keeps their answers."""

    def play_bulk(
        self,
        edition: E,
        agents: tuple[Kernel, Kernel],
        seeds: npt.NDArray[np.int64],
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Games:
        """Play a mirrored pair of games between built-in agents for each deal seed, on some threads.

        Games 2k and 2k+1 of the result are those of seed k. ``progress`` is called, in the calling thread, with the
        number of finished pairs. Ctrl-C raises `Interrupted` with the finished games.
        """
        games = mirrored_games(np.asarray(seeds, np.int64))
        both: npt.NDArray[Any] = np.concatenate(agents)
        play_games(games, lambda: self.bulk_player(edition, both, games), jobs, progress)
        return games

    def bulk_player(self, edition: E, agents: npt.NDArray[Any], games: Games) -> PlayRange:
        """What plays and fills in a range of games, with memory of its own; for families with compiled agents."""
        raise CallerError(f"{self.title} has no compiled agents")

    def why_illegal(self, game: Any, action: str) -> str:
        """Why the player to move may not take an action, given as text; empty if they may."""
        try:
            game.legal_action(action)
        except IllegalAction as error:
            return str(error)
        return ""

    # Learning

    def encoding(self, edition: E, task: str) -> Encoding:
        """What a learner sees and does in an edition; a task says in which phases of the game they decide."""
        raise CallerError(f"{self.title} has no encoding for learners")

    def variant(self, edition: E, deck_size: int | None = None, alternatives: int | None = None) -> E:
        """An edition with decks of another size, or with another number of cards to choose from: for learners only."""
        if deck_size is not None:
            raise CallerError(f"deck_size: the decks of {edition.name} have one size")
        if alternatives is not None:
            raise CallerError(f"alternatives: {edition.name} offers no cards to choose from")
        return edition

    def stepper(self, family: AnyFamily, encoding: Encoding, n: int) -> Stepper:
        """Memory for n games that learners play side by side, and the kernels that step them."""
        raise CallerError(f"{self.title} has no kernels for learners")

    # Replays

    @abc.abstractmethod
    def rerun(self, replay: R) -> Rerun[Any]:
        """Play a replay again, step by step."""

    def title_lines(self, replay: R) -> list[str]:
        """Which game it was, between whom, and how it ended."""
        names = [f"player {p}: {printable(name)}" for p, name in enumerate(replay.players)]
        return [self.identity(replay), *names, self.result_line(replay)]

    def result_line(self, replay: R) -> str:
        """Who won, and why."""
        result = "a draw" if replay.winner is None else f"player {replay.winner} wins"
        return f"{result} ({replay.ending}) · scores {replay.scores[0]} and {replay.scores[1]}"

    def identity(self, replay: R) -> str:
        """What identifies a game: its deal, or where it was played."""
        return replay.edition

    @abc.abstractmethod
    def story(
        self,
        replay: R,
        rerun: Rerun[Any],
        turn: int | None = None,
        player: int | None = None,
        boards: bool = False,
        each: bool = False,
    ) -> Iterator[str]:
        """A replay in words, line by line: all of it, or the turns of one number or one player.

        ``boards`` draws the position at every turn, ``each`` after every action.
        """

    def inputs(self, replay: R, player: int) -> Iterator[bytes]:
        """What a player was sent, call by call; nothing in families without programs."""
        return iter(())

    def page_data(self, replay: R) -> dict[str, Any]:
        """What a page shows of a replay, as plain data: the story, unless the family has more to show."""
        return {"lines": list(self.story(replay, self.rerun(replay)))}

    def analyse(
        self, replay: R, agent: str = "search", player: int | None = None, report: Report | None = None
    ) -> GameAnalysis:
        """What a built-in agent thinks of a game: of each turn, or one player's, and of the decks.

        ``report`` is called with the number of turns that have been looked at.
        """
        raise CallerError(f"{self.title} has no analysis yet")

    def game_at(self, replay: R, frame: int) -> Game:
        """The game at a frame of a replay's page, with its deal and all actions so far: to go on from there."""
        raise CallerError(f"{self.title} cannot be played on from a moment of a replay")

    def seat(self, view: Any) -> Seat:
        """What a person who joins a game in play is shown, from the view of their seat."""
        from cardrome.games.seat import Seat

        return Seat(view)

    # Reference

    def cards(self, edition: E, deal: Deal) -> Sequence[Any]:
        """The cards of a game, as records that JSON can hold."""
        return []

    def deals_cards(self, edition: E) -> bool:
        """Every game has cards of its own, which follow from its deal."""
        return True

    def card_rows(self, edition: E, deal: Deal) -> Iterable[Mapping[str, str]]:
        """The cards of a game as a table for people: a row each, by column."""
        return []

    def card_data(self, edition: E, deal: Deal) -> list[dict[str, Any]]:
        """The cards of a game as pages draw them; nothing in families whose pages are words."""
        return []

    def edition_facts(self, edition: E) -> Mapping[str, Any]:
        """An edition's numbers and switches by name."""
        return {"name": edition.name, "summary": edition.summary}

    def edition_size(self, edition: E) -> str:
        """How large an edition's game is, in a few words: board, cards, actions."""
        return ""

    def rulebook(self, edition: E, language: str) -> str:
        """The rules of an edition for beginners: Markdown, in a language of `cardrome.games.rulebooks`.

        A title, a sentence that says what is special about it, and the rest, with a blank line between. A picture whose
        address is ``example:NAME`` stands for the frames of `example`; its text says the same.
        """
        return f"# {self.title}: {edition.name}\n\n{edition.summary}\n"

    def reminder(self, edition: E) -> str:
        """The rules of an edition in short, for players who need them in few words, such as language models."""
        return f"{self.title}, {edition.name}: {edition.summary}.\n"

    def example(self, edition: E, name: str) -> dict[str, Any]:
        """A worked example of the rulebook as a page plays it: the head and the frames of `cardrome.games.frames`."""
        raise CallerError(f"the rulebook of {edition.name} has no example {name!r}")

    def position_from(self, data: Any) -> Position:
        """A position from plain data, as `position_json` writes it or people do."""
        raise InvalidPosition(f"positions of {self.title} cannot be saved")

    def position_json(self, position: Any) -> str:
        """A position as JSON for people: complete, so that reading it gives back an equal one."""
        raise InvalidPosition(f"positions of {self.title} cannot be saved")

    @functools.cached_property
    def decoder(self) -> Decoder[R]:
        """Reads the family's replays."""
        import msgspec

        return msgspec.json.Decoder(self.replay_type)


AnyFamily = Family[Any, Any]

_families: dict[str, AnyFamily] = {}


def register(path: str) -> None:
    """Add a family from outside the package: ``module:NAME`` of a `Family`. Processes started later know it too."""
    known = os.environ.get(_VARIABLE, "").split(",")
    if path not in known:
        os.environ[_VARIABLE] = ",".join([*filter(None, known), path])


def families() -> list[AnyFamily]:
    """All families."""
    return list(_each_family())


def _each_family() -> Iterator[AnyFamily]:
    """The families one by one, each imported when it is asked for."""
    for path in (*_BUILT_IN, *filter(None, os.environ.get(_VARIABLE, "").split(","))):
        if path not in _families:
            _families[path] = _load(path)
        yield _families[path]


def _load(path: str) -> AnyFamily:
    module, _, name = path.partition(":")
    try:
        family = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise CallerError(f"game family {path!r} in {_VARIABLE}: {error}") from None
    if not isinstance(family, Family):
        raise CallerError(f"game family {path!r} in {_VARIABLE}: {name} is not a Family")
    return family


def edition_names() -> list[str]:
    """The names of all editions of all families."""
    return [name for family in families() for name in family.editions]


def find_family(edition: str) -> AnyFamily:
    """The family that has an edition of this name."""
    for family in _each_family():
        if edition in family.editions:
            return family
    raise UnknownEdition(edition, edition_names())


def find_edition(name: str) -> Any:
    """The edition of this name, of whatever family."""
    return find_family(name).editions[name]


def as_edition(given: str | Edition) -> Edition:
    """An edition that may be given by its name."""
    if isinstance(given, str):
        return find_edition(given)
    if not isinstance(getattr(given, "name", None), str):
        raise CallerError(f"{given!r} is not an edition; expected one, or a name such as 'locm-1.2'")
    return given


def new_game(edition: str | Edition = "locm-1.2", seed: int | None = None, **params: object) -> Game:
    """A new game of an edition, given by name or as an object; without a seed, a random one.

    Deal parameters (``draftChoicesSeed=...``, ``deck=...``) override what follows from the seed.
    """
    chosen = as_edition(edition)
    family = find_family(chosen.name)
    given = {name: str(value) for name, value in params.items()}
    if seed is None:
        seed = int(family.seeds(int.from_bytes(os.urandom(8)) >> 1, 1)[0])
    return family.new_game(chosen, family.deal(chosen, {"seed": str(seed), **given}))


def from_json(text: str | bytes) -> Position:
    """A position of any family from JSON, complete or written by hand. `InvalidPosition` says where it is wrong."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidPosition(f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise InvalidPosition(f"expected a JSON object, got {type(data).__name__}")
    name = data.get("edition")
    if not isinstance(name, str):
        raise InvalidPosition(f"edition: expected the name of an edition, got {name!r}")
    try:
        family = find_family(name)
    except UnknownEdition as error:
        raise InvalidPosition(f"edition: {error}") from None
    return family.position_from(data)


def to_json(position: Position) -> str:
    """A position as JSON for people: complete, so that `from_json` gives back an equal one."""
    return find_family(position.edition.name).position_json(position)
