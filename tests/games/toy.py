"""Pebbles, a third game family in one file: it proves that the house asks "which game?" nowhere but in `games`.

A heap holds 10 to 29 pebbles, as the seed says. Players take one, two or three in turn; whoever takes the last wins.
`register("tests.games.toy:FAMILY")` is all it takes to play it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from cardrome.errors import IllegalAction, InvalidDeal
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.family import Family
from cardrome.games.game import Ending, Game, Outcome, Position, View
from cardrome.games.replays import ProcessEnds, Recorder, ReplayRecord, Rerun, first_difference


@dataclass(frozen=True)
class Pebbles:
    """The one edition."""

    name: str = "pebbles"
    summary: str = "take one, two or three; the last one wins"


@dataclass(frozen=True)
class Heap:
    """A deal: the seed fixes the heap."""

    seed: int

    def params(self) -> dict[str, str]:
        return {"seed": str(self.seed)}


class PebblePosition(Position):
    """A heap, and whose turn it is."""

    phase, turn = "taking", 0
    players: Sequence[Any] = ()

    def __init__(self, left: int, turn: int = 0) -> None:
        self.edition, self.left, self.turn = Pebbles(), left, turn

    @property
    def to_move(self) -> int | None:
        return self.turn % 2 if self.left else None

    @property
    def outcome(self) -> Outcome | None:
        winner = 1 - self.turn % 2
        return None if self.left else Outcome(winner, Ending.TURNS, (1 - winner, winner))

    def legal_codes(self) -> list[int]:
        return list(range(1, min(self.left, 3) + 1))

    def action_text(self, code: int) -> str:
        return f"TAKE {code}"

    def action_code(self, text: str) -> int:
        word, _, number = text.partition(" ")
        if word != "TAKE" or not number.isdecimal():
            raise IllegalAction(f"{text!r}: expected TAKE and a number")
        return int(number)

    def _facts(self) -> tuple[object, ...]:
        return self.left, self.turn

    def __str__(self) -> str:
        return "o" * self.left

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__ |= self.__dict__
        return twin


class PebbleView(View, PebblePosition):
    """Everything is open."""

    def determinize(self, rng: object) -> PebbleGame:
        game = PebbleGame(self.edition, Heap(0))
        game.left, game.turn, game.deal = self.left, self.turn, None
        return game


class PebbleGame(Game, PebblePosition):
    """A game to play."""

    def __init__(self, edition: Pebbles, deal: Heap) -> None:
        super().__init__(10 + deal.seed % 20)
        self._begin(deal)

    def try_play(self, code: int) -> bool:
        if code not in self.legal_codes():
            return False
        self.left, self.turn = self.left - code, self.turn + 1
        self.actions.append(code)
        return True

    def view(self, player: int) -> PebbleView:
        seen = PebbleView(self.left, self.turn)
        seen.viewer = player
        return seen

    def _save(self) -> tuple[int, int]:
        return self.left, self.turn

    def _restore(self, saved: tuple[int, int]) -> None:
        self.left, self.turn = saved


class PebbleReplay(ReplayRecord, frozen=True, kw_only=True):
    """What was taken, and what came of it."""

    edition: Literal["pebbles"] = "pebbles"
    seed: int
    players: tuple[str, str]
    taken: list[int]
    winner: int
    ending: Ending = Ending.TURNS

    @property
    def scores(self) -> tuple[int, int]:
        return 1 - self.winner, self.winner

    @property
    def turns(self) -> int:
        return len(self.taken)

    actions = turns


class PebbleRecorder(Recorder):
    """Writes down what is taken."""

    def __init__(self, edition: Pebbles, deal: Heap, players: tuple[str, str]) -> None:
        self.deal, self.players, self.game = deal, players, PebbleGame(edition, deal)

    def replay(self, processes: ProcessEnds | None = None) -> PebbleReplay:
        winner, taken = self.game.outcome.winner, self.game.actions
        return PebbleReplay(seed=self.deal.seed, players=self.players, taken=taken, winner=winner)


class PebbleRerun(Rerun[str]):
    """Takes the pebbles again."""

    def __init__(self, replay: PebbleReplay) -> None:
        self.replay, self.game = replay, PebbleGame(Pebbles(), Heap(replay.seed))

    def __iter__(self) -> Iterator[str]:
        legal = True
        for code in self.replay.taken:
            player = self.game.to_move
            legal = legal and self.game.try_play(code)
            yield f"turn {self.game.turn - 1}: player {player} takes {code}, {self.game.left} left"
        found = self.game.outcome
        self.difference = first_difference(
            [("legal", True, legal), ("winner", self.replay.winner, None if found is None else found.winner)]
        )


class Chance(Agent):
    """Takes any number."""

    def begin(self, seed: int) -> None:
        self.random = random.Random(seed)

    def act(self, view: PebbleView) -> str:
        return self.random.choice(view.legal_actions)


class Perfect(Agent):
    """Leaves a multiple of four."""

    def act(self, view: PebbleView) -> int:
        return view.left % 4 or 1


class PebbleFamily(Family[Pebbles, PebbleReplay]):
    """Everything the house needs to know of pebbles."""

    name, title = "pebbles", "Pebbles"
    editions = {"pebbles": Pebbles()}  # noqa: RUF012
    agents = {  # noqa: RUF012
        "chance": AgentKind("chance", "any number", Chance),
        "perfect": AgentKind("perfect", "wins what can be won", Perfect),
    }
    replay_type = PebbleReplay
    new_game: Any = PebbleGame
    record: Any = PebbleRecorder
    rerun: Any = PebbleRerun

    def deal(self, edition: Pebbles, params: Mapping[str, str]) -> Heap:
        try:
            return Heap(int(params["seed"]))
        except (KeyError, ValueError):
            raise InvalidDeal("expected a seed") from None

    def story(self, replay: PebbleReplay, rerun: Rerun[Any], *options: Any, **more: Any) -> Iterator[str]:
        yield from self.title_lines(replay)
        yield from rerun


FAMILY = PebbleFamily()
