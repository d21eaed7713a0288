"""An event's settings file."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from cardrome.arena.secret import SEEDS
from cardrome.arena.storage.tomlfile import read_toml
from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.cards import cards_of, parse_deck
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition
from cardrome.wording import unreadable

Port = Annotated[int, Meta(ge=0, le=65535)]
_Count = Annotated[int, Meta(ge=1, le=1_000_000)]
_Seconds = Annotated[float, Meta(gt=0, le=86_400)]


class EventSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is played, and when."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    seed: Annotated[int, Meta(ge=0, lt=SEEDS)] | None = None
    """Fixes all decks and match ids, to repeat an event: too short to be a secret. By default, a long one is drawn."""
    store: str | None = None
    """A path or URL; by default, the settings file's name with .db."""
    tournaments: _Count | None = None
    """How many to play; by default they go on until ``ends_at``, or until the server is stopped."""
    starts_at: datetime.datetime | None = None
    ends_at: datetime.datetime | None = None
    """No tournament begins after this time; one that has begun is played to its end."""
    stay_seconds: Annotated[float, Meta(ge=0, le=31_536_000)] | None = None
    """How long the server stays up when the event is over; by default until it is stopped."""
    pause: Annotated[int, Meta(ge=0, le=86_400)] = 5
    """Turns between two tournaments, in addition to one that is always quiet."""
    roster: Literal["seen", "connected", "all"] = "seen"
    """Who plays in a tournament: all teams that ever logged in, those connected when it begins, or all accounts."""
    min_teams: Annotated[int, Meta(ge=2, le=500)] = 2


class ServerSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Where the server listens, and its limits."""

    host: str = "0.0.0.0"
    port: Port = 20_000
    page: bool = True
    page_host: str = "0.0.0.0"
    page_port: Port = 8_080
    address: Annotated[str, Meta(min_length=1, max_length=100)] | None = None
    """The name or address that the page tells teams to connect to; by default those of this machine."""
    turn_seconds: Annotated[float, Meta(ge=0.01, le=3_600)] = 1.0
    watch_delay: Annotated[int, Meta(ge=0, le=1_000)] = 3
    """Turns by which spectators are behind, so that nobody can coach a team from what they see."""
    connections: _Count = 1_000
    connections_per_address: _Count = 200
    connections_per_team: _Count = 10
    connections_before_login: _Count = 300
    """Connections that have not logged in; then one more cuts off the one that has taken longest."""
    commands_per_turn: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """Commands a team may send in a turn before it has to wait for the next one; 0 for no limit."""
    failed_logins_per_minute: _Count = 20
    """Of one team from one address; further logins are refused without being checked."""
    login_seconds: _Seconds = 10.0
    """The time to log in before a connection is closed."""
    unread_seconds: _Seconds = 10.0
    """How long a client may leave answers unread before it is disconnected."""
    line_bytes: Annotated[int, Meta(ge=64, le=65_536)] = 1_024


class RulesSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The numbers of every match, and its deck."""

    initial_health: int = TAPDECK.initial_health
    turns: int = TAPDECK.turns
    draws: int = TAPDECK.draws
    burns: int = TAPDECK.burns
    hand_limit: int = TAPDECK.hand_limit
    deck_size: int = TAPDECK.deck_size
    deck: str | None = None
    """A deck file for all tournaments; by default each has a new deck."""


class EventSettings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A whole settings file."""

    event: EventSection
    server: ServerSection = ServerSection()
    rules: RulesSection = RulesSection()

    @property
    def edition(self) -> TapdeckEdition:
        """The numbers of every match."""
        numbers = msgspec.structs.asdict(self.rules)
        numbers.pop("deck")
        return TapdeckEdition(**numbers)


class EventPlan(msgspec.Struct, frozen=True):
    """Settings that have been checked, with everything they refer to."""

    settings: EventSettings
    edition: TapdeckEdition
    store: str
    file: Path
    """The settings file; relative paths start from its folder."""
    deck: np.recarray[Any, Any] | None
    """The deck from the deck file; None if every tournament has its own."""

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from."""
        return self.file.parent

    @property
    def unsaved(self) -> Path:
        """Where results go that could not be stored."""
        return self.file.with_suffix(".unsaved")

    @property
    def rules_text(self) -> str:
        """The rules as JSON. The store refuses to continue an event with other rules."""
        numbers: dict[str, Any] = dict(self.edition.numbers())
        if self.deck is not None:
            numbers["deck"] = [str(card) for card in cards_of(self.deck)]
            del numbers["deck_size"]
        return msgspec.json.encode(numbers).decode()


def read_plan(path: Path) -> EventPlan:
    """The event that a settings file describes; `CallerError` says what is wrong with it."""
    settings = read_toml(path, EventSettings)
    try:
        edition = settings.edition
    except CallerError as error:
        raise CallerError(f"{path}: rules.{error}") from None
    for key in ("starts_at", "ends_at"):
        time = getattr(settings.event, key)
        if time is not None and time.tzinfo is None:
            # A local time in TOML's sense: by the organiser's own clock.
            try:
                time = time.astimezone()
            except (ValueError, OverflowError, OSError):
                raise CallerError(f"{path}: event.{key}: {time} is out of range") from None
            section = msgspec.structs.replace(settings.event, **{key: time})
            settings = msgspec.structs.replace(settings, event=section)
    starts, ends = settings.event.starts_at, settings.event.ends_at
    if starts is not None and ends is not None and starts >= ends:
        raise CallerError(f"{path}: event.ends_at: {ends} is not after event.starts_at, {starts}")
    if settings.event.store is not None and not settings.event.store.strip():
        raise CallerError(f"{path}: event.store: expected a path or a URL, got nothing")
    if settings.server.page and settings.server.port and settings.server.port == settings.server.page_port:
        raise CallerError(f"{path}: server.port and server.page_port are both {settings.server.port}")
    file = path.resolve()
    deck = None
    if settings.rules.deck is not None:
        deck_file = file.parent / settings.rules.deck
        try:
            text = deck_file.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise CallerError(f"{path}: rules.deck: {unreadable(deck_file, error)}") from None
        except UnicodeDecodeError:
            raise CallerError(f"{path}: rules.deck: {deck_file} is not UTF-8 text") from None
        except ValueError:
            raise CallerError(f"{path}: rules.deck: {settings.rules.deck!r} is not a path") from None
        try:
            deck = parse_deck(text, str(deck_file))
        except CallerError as error:
            raise CallerError(f"{path}: rules.deck: {error}") from None
    return EventPlan(settings, edition, settings.event.store or f"{path.stem}.db", file, deck)


EXAMPLE = """\
# A live Tapdeck event. `cardrome host accounts add {file} TEAM` adds teams, `cardrome host {file}` starts the event.
# Lines that begin with # show the defaults.

[event]
name = "My event"
# seed = 2026             # repeats an event; by default a long secret is drawn, which no team can guess from a deck
# store = "event.db"      # a file beside this one, or postgresql+psycopg://user@host/database
# tournaments = 10        # how many to play; by default they go on until ends_at, or until Ctrl-C
# starts_at = 2030-05-01T10:00:00
# ends_at = 2030-05-01T18:00:00   # no tournament begins after this time
# stay_seconds = 600      # how long the server stays up when the event is over; by default until Ctrl-C
# pause = 5               # turns between two tournaments, in addition to one that is always quiet
# roster = "seen"         # who plays: "seen" (ever logged in), "connected" (when it begins) or "all" (accounts)
# min_teams = 2

[server]
# host = "0.0.0.0"
# port = 20000            # teams connect here
# page = true             # the event in a browser: standings, matches, pages for teams and the operator
# page_host = "0.0.0.0"
# page_port = 8080
# address = "cup.example.org"   # where the page tells teams to connect; by default the addresses of this machine
# turn_seconds = 1.0
# watch_delay = 3         # turns by which spectators are behind, so that nobody can coach a team from what they see
# connections = 1000      # at a time, all together
# connections_per_address = 200
# connections_per_team = 10
# connections_before_login = 300
# commands_per_turn = 0   # a team that sends more has to wait for the next turn; 0 for no limit
# failed_logins_per_minute = 20   # of one team from one address
# login_seconds = 10      # the time to log in
# unread_seconds = 10     # how long a client may leave answers unread before it is disconnected
# line_bytes = 1024       # the longest line a client may send

[rules]
# initial_health = 30     # even
# turns = 60              # both players together, even
# draws = 1               # in each turn
# burns = 1
# hand_limit = 10
# deck_size = 120
# deck = "deck.txt"       # a card on each line, ID TYPE AT HP HPMAX COST MANA, instead of a new deck each time
"""
"""What `cardrome host new` writes."""
