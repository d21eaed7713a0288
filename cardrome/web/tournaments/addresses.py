"""Where the pages of a tournament are, from its own root: on the site, and as files of a report."""

from __future__ import annotations

import re
from typing import Protocol
from urllib.parse import urlencode

from cardrome.tournament.games import GameKey

SETTINGS_FILE = "tournament.toml"
"""The settings that play the tournament again."""
TABLE_FILE = "games.csv"
"""All games for other programs."""


def slug(name: str) -> str:
    """A name as part of an address and of a file name."""
    return re.sub(r"[^\w.-]", "_", name).lstrip(".") or "_"


def game_slug(key: GameKey) -> str:
    """A game as part of an address."""
    return f"{slug(key.edition)}/{key.a}-{key.b}-{key.pair}-{key.game}"


class Addresses(Protocol):
    """Every page links others by these; what a place does not have is None."""

    index: str
    replays: str
    """The list of games to begin watching with."""

    def edition(self, edition: str) -> str:
        """The page of an edition."""

    def bot(self, entrant: int) -> str:
        """The page of a bot."""

    def meeting(self, edition: str | None, one: int, other: int, page: int = 1) -> str:
        """The games of two bots, in one edition or in all."""

    def game(self, key: GameKey) -> str | None:
        """The page about a game."""

    def watch(self, key: GameKey) -> str:
        """The page where a game is watched."""


class SiteAddresses:
    """Pages that a server makes when they are asked for."""

    index = ""
    replays = "games"

    def edition(self, edition: str) -> str:
        """The page of an edition."""
        return f"editions/{slug(edition)}"

    def bot(self, entrant: int) -> str:
        """The page of a bot."""
        return f"bots/{entrant}"

    def meeting(self, edition: str | None, one: int, other: int, page: int = 1) -> str:
        """The games of two bots: a list with filters."""
        wanted = {"one": one, "other": other, "edition": edition, "page": page if page > 1 else None}
        return f"games?{urlencode({name: value for name, value in wanted.items() if value is not None})}"

    def game(self, key: GameKey) -> str | None:
        """The page about a game."""
        return f"games/{game_slug(key)}"

    def watch(self, key: GameKey) -> str:
        """The page where a game is watched."""
        return f"games/{game_slug(key)}/watch"


class FileAddresses:
    """Files of a report."""

    index = "index.html"
    replays = "replays/index.html"

    def __init__(self, edition: str | None) -> None:
        """``edition`` is the only one of the tournament; None if there are several."""
        self._edition = edition

    def edition(self, edition: str) -> str:
        """The page of an edition."""
        return f"editions/{slug(edition)}.html"

    def bot(self, entrant: int) -> str:
        """The page of a bot."""
        return f"bots/{entrant}.html"

    def meeting(self, edition: str | None, one: int, other: int, page: int = 1) -> str:
        """The games of two bots in one edition; for all together, the page of the first, at its results."""
        edition = edition or self._edition
        if edition is None:
            return f"bots/{one}.html#{other}"
        low, high = sorted((one, other))
        return f"games/{slug(edition)}/{low}-{high}{'' if page == 1 else f'-page{page}'}.html"

    def game(self, key: GameKey) -> str | None:
        """Reports have no pages about single games, only replays."""
        return None

    def watch(self, key: GameKey) -> str:
        """The page of a game's replay."""
        return f"replays/{game_slug(key)}.html"
