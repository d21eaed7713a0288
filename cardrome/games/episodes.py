"""Many games side by side, for learners: one kernel call takes an action in each and goes on to the next decision.

Kernels of a family do the work (`Stepper`); here is what all families share: seeds, seats, opponents, threads, and
opponents that are Python code, for which a kernel stops and is called again with their answers.

An episode depends on its seed alone: the deal follows from it, and so do the seat, the opponent out of a mixture, and
all chance in what agents decide. Seeds are those of a series (`Family.seeds`): the episodes of a learner with seed s
are played on the deals of ``cardrome match --seed s``, one after the other.
"""

from __future__ import annotations

import abc
import copy
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt

from cardrome.engine.kernel import kernel
from cardrome.engine.random import player_seed
from cardrome.engine.records import Integers, Record, f8, flag, i1, i2, i4, i8, new_records
from cardrome.errors import CallerError
from cardrome.games.agents import Agent, AgentKind, take_turn
from cardrome.games.encoding import Encoding, Floats
from cardrome.games.game import Game, Position

if TYPE_CHECKING:
    from cardrome.games.family import AnyFamily, Kernel

NEW, DECIDING, ASKING, OVER = range(4)
"""What an episode waits for: its beginning, the learner, somebody in Python, its end to be noticed."""

PHASES = ("deck building", "battle")
"""The phases of a game, in which different people may decide."""

BOTH = 2
"""The learner's seat where they decide for both players."""

LEARNER = -1
"""Who decides: the learner, or else a place in the roster of agents; from `OUTSIDE` on, somebody in Python."""
OUTSIDE = 64

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When an episode that is over begins anew: instead of the next step, at the end of the same step, when told to."""

STEP, RESUME, BEGIN, LOOK, SPY = range(5)
"""What a kernel is asked for: a step of all episodes, answers to those that ask, a beginning of those that are new, or
just what there is to see, for whoever it is shown to or for the other player."""


class Episode(Record):
    """What is kept of an episode beside its game."""

    seed: i8
    """Of its deal."""
    random: Annotated[Integers, "i8", 2]
    """The generators of those who decide for the learner's seat, and for the other."""
    potential: f8
    """What the position was worth when the learner last decided; where they have both seats, to player 0."""
    next_seed: i8
    """All of the next episode, which begins without asking Python."""
    next_chance: i8
    number: i4
    """Counts the episodes played here, from 1."""
    steps: i4
    """Decisions of the learner."""
    illegal: i4
    """How many of them were illegal."""
    opponent: i2
    next_opponent: i2
    asked: i2
    """Who is to answer, counted from `OUTSIDE`."""
    learner: i1
    """The learner's seat."""
    next_learner: i1
    laid_out: flag
    """The next episode is ready to begin."""
    status: i1
    seat: i1
    """Who is to decide."""
    winner: i1
    """-1 unless the game is over; 2 for a draw."""
    last_winner: i1
    """That of the episode before."""


POTENTIALS = 8
"""Most potentials that a family has."""


class Terms(Record):
    """What holds for all episodes."""

    autoreset: i1
    decides: Annotated[Integers, "i1", 2]
    """In which phases (deck building, battle) the learner decides."""
    stand_in: Annotated[Integers, "i2", 2]
    """Who decides for the learner's seat in the others, and for the opponent's; -1: the opponent."""
    other: Annotated[Integers, "i2", 2]
    max_turns: i4
    """Turns after which an episode is cut off; 0: never."""
    first: Annotated[Integers, "i2", 2]
    """The number of the first action of each phase; -1: they have none."""
    by_number: flag
    """Cards on offer stand in the order of their numbers."""
    deck_size: i4
    """Cards of a deck that is made for each game."""
    win: f8
    """The reward for winning; losing costs as much."""
    score: f8
    """The reward for the highest score, where there are scores."""
    discount: f8
    shaped: flag
    """Some potential counts."""
    potentials: Annotated[np.ndarray[Any, Any], "f8", POTENTIALS]
    """How much each potential counts."""


@kernel
def begin_episode(episode: Episode) -> None:
    """The next episode begins, as it was laid out."""
    episode.number += 1
    episode.seed = episode.next_seed
    episode.learner = episode.next_learner
    episode.opponent = episode.next_opponent
    chance = int(episode.next_chance)
    episode.random[0] = player_seed(chance, 0)
    episode.random[1] = player_seed(chance, 1)
    episode.steps = 0
    episode.illegal = 0
    episode.last_winner = episode.winner
    episode.winner = -1
    episode.laid_out = False


@kernel
def side_of(episode: Episode, seat: int) -> int:
    """0 for the learner's seat, 1 for the other; where the learner has both, player 0's counts as theirs."""
    return seat if episode.learner == BOTH else int(seat != episode.learner)


@kernel
def decider(terms: Terms, episode: Episode, phase: int, seat: int) -> int:
    """Who decides for a seat in a phase."""
    if terms.decides[phase] and (seat == episode.learner or episode.learner == BOTH):
        return LEARNER
    who = int(terms.stand_in[phase] if side_of(episode, seat) == 0 else terms.other[phase])
    return who if who >= 0 else int(episode.opponent)


@kernel
def seat_shown(episode: Episode) -> int:
    """Whose observation it is: that of whoever is to decide, and in the end the learner's."""
    return int(episode.learner) if episode.status == OVER and episode.learner < BOTH else int(episode.seat)


@kernel
def due(terms: Terms, episode: Episode, request: int) -> bool:
    """The request is for this episode; one that is over begins anew if that is to happen by itself."""
    if request == STEP and episode.status == OVER and terms.autoreset == NEXT_STEP:
        episode.status = NEW
    if request >= LOOK:
        return True
    wanted = ASKING if request == RESUME else NEW
    return episode.status != OVER if request == STEP else episode.status == wanted


@kernel
def settle(
    terms: Terms,
    episode: Episode,
    worth: float,
    g: int,
    rewards: Integers,
    terminated: Integers,
    truncated: Integers,
) -> None:
    """The learner is to decide, or the episode is over: reward what has happened since they last decided.

    ``worth`` is what the position is worth to them, 0 when the game is over.
    """
    if episode.steps > 0:  # what happens before their first decision is not of their making
        rewards[g] += terms.discount * worth - episode.potential
    episode.potential = worth
    if episode.status == OVER:
        terminated[g] = episode.winner >= 0
        truncated[g] = episode.winner < 0
        if episode.winner == episode.learner:
            rewards[g] += terms.win
        elif episode.winner == 1 - episode.learner:
            rewards[g] -= terms.win


def blank_rows(stepper: Stepper) -> Floats:
    """Memory for the observations of n episodes, and one more, which stays blank."""
    return np.zeros((stepper.n + 1) * stepper.encoding.size, np.float32)


class Sheet:
    """What a kernel writes: an observation and a mask for each episode."""

    run: Callable[[int, int, int, int], int]
    """The kernel that writes to it."""

    def __init__(self, stepper: Stepper) -> None:
        self.memory = blank_rows(stepper)
        self.observations: Floats = self.memory[: stepper.n * stepper.encoding.size].reshape(stepper.n, -1)
        self.masks: npt.NDArray[np.int8] = np.zeros((stepper.n, stepper.encoding.n_actions), np.int8)
        self.run = stepper.bind(self)
        self._users = self._count()

    def _count(self) -> tuple[int, int]:
        return sys.getrefcount(self.memory), sys.getrefcount(self.masks)

    @property
    def idle(self) -> bool:
        """Nobody else holds what was written, or a view of it: it may be overwritten."""
        return self._count() == self._users


class Stepper(abc.ABC):
    """A family's memory for n games, and the kernels that step them."""

    potentials: ClassVar[tuple[str, ...]] = ()
    """The names of what rewards can be shaped by, in the order of `Terms.potentials`."""
    offers = False
    """Learners choose among cards on offer."""

    def __init__(self, family: AnyFamily, encoding: Encoding, n: int) -> None:
        self.family, self.encoding, self.n = family, encoding, n
        self.terms = new_records(Terms)
        self.episodes = new_records(Episode, n)
        self.actions = np.zeros(n, np.int64)
        self.rewards = np.zeros(n, np.float64)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_memory = blank_rows(self)
        self.finals: Floats = self.final_memory[: n * encoding.size].reshape(n, -1)
        """The last observations of episodes that began anew in the same step."""

    @abc.abstractmethod
    def enrol(self, kernels: Sequence[Kernel], outside: bool, threads: int) -> None:
        """Take in the built-in agents, whether there are others, and memory for threads: before anything is bound."""

    @abc.abstractmethod
    def bind(self, sheet: Sheet) -> Callable[[int, int, int, int], int]:
        """The kernel that writes to a sheet: asked for something, as one of the threads, for a range of episodes.

        It returns how many of these wait for an answer, and above 32 bits how many began. Actions are numbers of the
        encoding; answers may be codes of the engine as well, as ``-1 - code``.
        """

    @abc.abstractmethod
    def game(self, i: int) -> Game:
        """The game of an episode as it stands, to look at or to play on: a copy."""

    @abc.abstractmethod
    def code_of(self, i: int, action: int) -> int:
        """The engine's code of an action in an episode, by its number; -1 if it names a row with nothing in it."""

    @abc.abstractmethod
    def place(self, i: int, position: Any) -> None:
        """Put a position of the family into the place of an episode."""


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


Policy = Callable[[Floats, npt.NDArray[np.int8]], Any]
"""Decides for a seat in many episodes at once: from observations and masks, the number of each action."""

Decider = str | AgentKind | Agent | type[Agent] | Policy
"""Who decides: an agent by name or as an object, or a policy."""


class Cast:
    """Those who decide besides the learner, by their places: built-in agents, and Python code from `OUTSIDE` on."""

    def __init__(self, family: AnyFamily) -> None:
        self.family = family
        self.kernels: list[Kernel] = []
        self.outside: list[AgentKind | Policy] = []

    def place(self, who: Decider) -> int:
        """Where somebody is in the roster, where they are put unless they are there."""
        kind = self._kind(who)
        if isinstance(kind, AgentKind) and kind.kernel is not None:
            for place, kernel in enumerate(self.kernels):
                if kernel is kind.kernel:
                    return place
            if len(self.kernels) == OUTSIDE:
                raise CallerError(f"more than {OUTSIDE} different built-in agents")
            self.kernels.append(kind.kernel)
            return len(self.kernels) - 1
        self.outside.append(kind)
        return OUTSIDE + len(self.outside) - 1

    def _kind(self, who: Decider) -> AgentKind | Policy:
        if isinstance(who, str):
            return self.family.find_agent(who)
        if isinstance(who, AgentKind):
            return who
        if isinstance(who, Agent):
            return AgentKind(type(who).__name__, "", lambda: copy.deepcopy(who))
        if isinstance(who, type) and issubclass(who, Agent):
            return AgentKind(who.__name__, "", who)
        if callable(who):
            return who
        raise CallerError(f"{who!r} cannot play: expected an agent, the name of one, or a policy")


Mixture = Decider | Sequence[Decider] | Mapping[Any, float]
"""Opponents: one, several that are met equally often, or several with weights."""


class Rivals:
    """The opponents: whoever is met in an episode is drawn by weight."""

    def __init__(self, cast: Cast, opponent: Mixture) -> None:
        if isinstance(opponent, Mapping):
            weights = dict(opponent)
        elif isinstance(opponent, Sequence) and not isinstance(opponent, str):
            weights = dict.fromkeys(opponent, 1.0)
        else:
            weights = {opponent: 1.0}
        numbers = np.array(list(weights.values()), np.float64)
        if not len(numbers) or not np.all(numbers > 0) or not np.all(np.isfinite(numbers)):
            raise CallerError(f"opponents {opponent!r}: at least one is needed, and weights above 0")
        self.places = np.array([cast.place(who) for who in weights], np.int16)
        self.odds = np.cumsum(numbers) / numbers.sum()

    def draw(self, seeds: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
        """Whom to meet in the episodes with these seeds."""
        if len(self.places) == 1:
            return self.places
        # Other bits than those that a seat is drawn by.
        places = np.searchsorted(self.odds, (seeds >> 8 & 0xFFFFFF) / 0x1000000, side="right")
        return self.places[np.minimum(places, len(self.places) - 1)]


SEATS = (0, 1, BOTH, "alternate", "random")
"""Where learners may sit."""


@dataclass(frozen=True)
class Setting:
    """How episodes are played."""

    opponent: Mixture = "random"
    stand_ins: tuple[Decider | None, Decider | None] = (None, None)
    """Who decides in the learner's place, in deck building and in battle, where the learner does not; None: whoever
    the opponent is."""
    others: tuple[Decider | None, Decider | None] = (None, None)
    """Who decides in the opponent's place instead of the opponent."""
    seat: int | str = "alternate"
    deals: Sequence[int] | None = None
    """Seeds of the deals to play; None: new ones all the time."""
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
        plain = self.records.view(np.ndarray)  # whose columns are found much faster than those of a record array
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
        self._sheets = [*self._sheets[-3:], sheet]  # who keeps all observations needs no more than the newest here
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

    # Whoever is Python code

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
        """The next action of an agent, who is asked once a turn."""
        planned = self._planned.setdefault(i, [])
        if not planned:
            record = self.records[i]
            met, agent = self._agents.get((i, number)) or (0, kind.make())
            if met != record.number:
                agent.begin(int(record.random[side_of(record, record.seat)]))
                self._agents[i, number] = int(record.number), agent
            planned += [action.code for action in take_turn(self.game(i), agent, kind.name)]
        return planned.pop(0)
