"""Many games side by side, for learners: one kernel call takes an action in each and goes on to the next decision.

Kernels of a family do the work (`Stepper`); here is what is decided outside of them: seeds, seats, opponents, threads,
and the answers of opponents in Python, for which a kernel stops and is called again.

An episode depends on its seed alone: the deal follows from it, and so do the seat, the opponent drawn from a mixture,
and all randomness in what agents decide. Seeds are those of a series (`Family.seeds`): the episodes of a learner with
seed s are played on the deals of ``cardrome match --seed s``, one after the other.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError
from cardrome.games.agents import Agent, AgentKind, take_turn
from cardrome.games.game import Game, Position
from cardrome.games.learning.encoding import Encoding, Floats
from cardrome.games.learning.opponents import Cast, Decider, Mixture, Rivals
from cardrome.games.learning.stepper import Sheet, Stepper
from cardrome.games.learning.stepping import (
    ASKING,
    BEGIN,
    BOTH,
    DECIDING,
    LOOK,
    NEW,
    NEXT_STEP,
    OUTSIDE,
    RESUME,
    SPY,
    STEP,
    Terms,
    side_of,
)

if TYPE_CHECKING:
    from cardrome.games.family import AnyFamily

PHASES = ("deck building", "battle")
"""The phases of a game, in which different people may decide."""


class Observer:
    """What a learner sees of any position: for agents that decide by a policy, and for tests."""

    def __init__(self, family: AnyFamily, encoding: Encoding) -> None:
        self.encoding = encoding
        self._stepper = family.stepper(family, encoding, 1)
        self._stepper.enrol([], True, 1)
        self._sheet = Sheet(self._stepper)

    def observe(self, position: Position, seat: int | None = None) -> tuple[Floats, npt.NDArray[np.int8]]:
        """The observation of the player to move, and their mask: of a game, or of their view, which gives the same.

        Of a game, also what the other ``seat`` sees; the mask means nothing then.
        """
        seat = position.to_move if seat is None else seat
        if position.is_over or seat is None or position.viewer not in (None, seat):
            raise CallerError(
                "there is nothing to decide: the game is over, or the view is not that of the player to move"
            )
        stepper = self._stepper
        stepper.place(0, position)
        stepper.episodes["status"], stepper.episodes["seat"] = DECIDING, seat
        self._sheet.run(LOOK, 0, 0, 1)
        return self._sheet.observations[0].copy(), self._sheet.masks[0].copy()

    def code_of(self, action: int) -> int:
        """The engine's code of an action in the position last observed."""
        return self._stepper.code_of(0, action)


SEATS = (0, 1, BOTH, "alternate", "random")
"""Where learners may sit."""


@dataclass(frozen=True)
class Setting:
    """How episodes are played."""

    opponent: Mixture = "random"
    stand_ins: tuple[Decider | None, Decider | None] = (None, None)
    """Who decides in the learner's place, in deck building and in battle, where the learner does not; None for the
    opponent."""
    others: tuple[Decider | None, Decider | None] = (None, None)
    """Who decides in the opponent's place instead of the opponent."""
    seat: int | str = "alternate"
    deals: Sequence[int] | None = None
    """Seeds of the deals to play; None for new ones all the time."""
    max_turns: int = 0
    win: float = 1.0
    potentials: Mapping[str, float] = field(default_factory=dict)
    """How much each of the family's potentials counts."""
    score: float = 0.0
    """How much the score counts at the end, in families that have scores."""
    sort_cards: bool = False
    """Show cards on offer in the order of their numbers."""
    discount: float = 1.0
    autoreset: int = NEXT_STEP


class Episodes:
    """n episodes side by side. ``sheet`` has the observations and masks of those who are to decide."""

    def __init__(self, stepper: Stepper, setting: Setting, threads: int = 1) -> None:
        self.stepper, self.setting, self.n = stepper, setting, stepper.n
        self.family, self.encoding, self.records = stepper.family, stepper.encoding, stepper.episodes
        self.actions, self.rewards, self.finals = stepper.actions, stepper.rewards, stepper.finals
        self.terminated, self.truncated = stepper.terminated, stepper.truncated
        self._cast = Cast(self.family)
        self._rivals = Rivals(self._cast, setting.opponent)
        self._enter(stepper.terms[0])
        self._refuse_blind_policies(stepper.terms[0])
        if setting.seat not in SEATS:
            raise CallerError(f"seat {setting.seat!r}; expected 0, 1, alternate or random")
        self._book = None if setting.deals is None else np.array(setting.deals, np.int64)
        if self._book is not None and not len(self._book):
            raise CallerError("deals: an empty book; expected the seeds of some deals")
        threads = max(1, min(threads, self.n))
        stepper.enrol(self._cast.kernels, bool(self._cast.outside), threads)
        self._ranges = [(k, k * self.n // threads, (k + 1) * self.n // threads) for k in range(threads)]
        self._base = np.zeros(self.n, np.int64)
        self._number = np.zeros(self.n, np.int64)
        plain = self.records.view(np.ndarray)  # its columns are found much faster than those of a record array
        self._columns = {name: plain[name] for name in plain.dtype.names or ()}
        self._agents: dict[tuple[int, int], tuple[int, Agent]] = {}
        self._planned: dict[int, list[int]] = {}
        self._sheets: list[Sheet] = []
        self.sheet = self._idle_sheet()

    def _enter(self, terms: Terms) -> None:
        """Fill in what holds for all episodes."""
        setting, known = self.setting, self.stepper.potentials
        terms.autoreset, terms.max_turns = setting.autoreset, setting.max_turns
        terms.win, terms.discount, terms.score = setting.win, setting.discount, setting.score
        if setting.score and not self.family.has_scores:
            raise CallerError(f"reward 'score': {self.family.title} has no scores")
        terms.by_number = setting.sort_cards
        if setting.sort_cards and not self.stepper.offers:
            raise CallerError(
                f"sort_cards: no cards are offered in the {self.encoding.task} of {self.encoding.edition.name}"
            )
        for phase in range(2):
            for places, who in ((terms.stand_in, setting.stand_ins[phase]), (terms.other, setting.others[phase])):
                places[phase] = -1 if who is None else self._cast.place(who)
        for name, weight in setting.potentials.items():
            if name not in known:
                raise CallerError(f"no potential {name!r}; {self.family.title} has {', '.join(known)}")
            terms.potentials[known.index(name)] = weight
        terms.shaped = any(terms.potentials)

    def _refuse_blind_policies(self, terms: Terms) -> None:
        """Policies decide by observations, which do not show every phase in every task."""
        for phase, name in enumerate(PHASES):
            places = {int(terms.other[phase]), -1 if terms.decides[phase] else int(terms.stand_in[phase])}
            if -1 in places:
                places |= set(self._rivals.places.tolist())
            deciders = [self._cast.outside[place - OUTSIDE] for place in places if place >= OUTSIDE]
            if terms.first[phase] < 0 and not all(isinstance(who, AgentKind) for who in deciders):
                raise CallerError(
                    f"a policy cannot decide in {name}: observations of the task {self.encoding.task!r} show nothing "
                    "of it; give an agent"
                )

    def begin(self, seeds: npt.NDArray[np.int64] | None = None, which: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin new episodes, all or those that ``which`` marks: the first ones of new seeds, or the next ones."""
        chosen = np.arange(self.n) if which is None else np.flatnonzero(which)
        if seeds is not None:
            self._base[chosen], self._number[chosen] = seeds, 0
            self._lay_out(chosen)
        self.records["status"][chosen] = NEW
        self._planned.clear()  # nobody is in the middle of a turn
        before, self.sheet = self.sheet, self._idle_sheet()
        if which is not None and self.sheet is not before:
            self.sheet.observations[:], self.sheet.masks[:] = before.observations, before.masks
        self._run(BEGIN)

    def step(self) -> None:
        """Take the action of ``actions`` in each episode, and go on to the learner's next decision."""
        self.sheet = self._idle_sheet()
        self._run(STEP)

    def states(self) -> Floats:
        """What both players see, for critics: the present observations, each with the other player's behind it."""
        self._spy.run(SPY, 0, 0, self.n)
        return np.concatenate([self.sheet.observations, self._spy.observations], axis=1)

    @functools.cached_property
    def _spy(self) -> Sheet:
        return Sheet(self.stepper)

    def game(self, i: int) -> Game:
        """The game of an episode as it stands: a copy."""
        return self.stepper.game(i)

    def _idle_sheet(self) -> Sheet:
        for sheet in self._sheets:
            if sheet.idle:
                return sheet
        sheet = Sheet(self.stepper)
        self._sheets = [*self._sheets[-3:], sheet]  # whoever keeps all observations needs only the newest sheets here
        return sheet

    def _run(self, request: int) -> None:
        result = self._call(request)
        begun = result >> 32
        while result & 0xFFFFFFFF:
            self._answer()
            result = self._call(RESUME)
            begun += result >> 32
        if begun:
            self._lay_out(np.flatnonzero(self._columns["laid_out"] == 0))

    def _call(self, request: int) -> int:
        """One call of the kernel, or one for each thread."""
        run = self.sheet.run
        if len(self._ranges) == 1:
            return run(request, 0, 0, self.n)
        waiting = [self._pool.submit(run, request, *each) for each in self._ranges[1:]]
        return sum([run(request, *self._ranges[0]), *(each.result() for each in waiting)])

    @functools.cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self._ranges) - 1, "episodes")

    def _lay_out(self, which: npt.NDArray[np.intp]) -> None:
        """Decide everything about the next episodes of some places."""
        number, base, columns = self._number[which], self._base[which], self._columns
        self._number[which] = number + 1
        seeds = self.family.seeds(base, 1, number)
        columns["next_chance"][which] = seeds
        columns["next_seed"][which] = seeds if self._book is None else self._book[seeds % len(self._book)]
        seat = self.setting.seat
        if isinstance(seat, str):
            seat = (base + number if seat == "alternate" else seeds >> 4) & 1  # type: ignore[assignment]
        columns["next_learner"][which] = seat
        columns["next_opponent"][which] = self._rivals.draw(seeds)
        columns["laid_out"][which] = 1

    # Opponents in Python

    def _answer(self) -> None:
        """Ask those who are to answer, and leave their actions where the kernel finds them."""
        asking = np.flatnonzero(self.records["status"] == ASKING)
        asked = self.records["asked"][asking]
        for number in np.unique(asked).tolist():
            who, places = self._cast.outside[number], asking[asked == number]
            if isinstance(who, AgentKind):
                for i in places.tolist():
                    self.actions[i] = -1 - self._next_code(who, number, i)
            else:
                self.actions[places] = who(self.sheet.observations[places], self.sheet.masks[places])

    def _next_code(self, kind: AgentKind, number: int, i: int) -> int:
        """The next action of an agent, which is asked once a turn."""
        planned = self._planned.setdefault(i, [])
        if not planned:
            record = self.records[i]
            met, agent = self._agents.get((i, number)) or (0, kind.make())
            if met != record.number:
                agent.begin(int(record.random[side_of(record, record.seat)]))
                self._agents[i, number] = int(record.number), agent
            planned += [action.code for action in take_turn(self.game(i), agent, kind.name)]
        return planned.pop(0)
