"""The keywords of environments, and what they mean for the episodes played."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from cardrome.errors import CallerError
from cardrome.games.family import find_family
from cardrome.games.learning.encoding import Encoding
from cardrome.games.learning.episodes import Episodes, Setting
from cardrome.games.learning.opponents import Decider, Mixture
from cardrome.games.learning.stepping import BOTH, NEXT_STEP

SMALL = 64
"""Episodes below which observations are copied rather than written to new memory."""
WORTH_A_THREAD = 256
"""Episodes that keep a thread busy long enough to be worth waking."""

VECTOR_KEYS = {"flat": "observation", "rllib": "observations"}
"""Forms of observations with a vector and the mask: what the vector is called. RLlib looks for a name of its own."""


def open_episodes(
    n: int = 1,
    *,
    edition: str,
    task: str,
    opponent: Mixture = "random",
    deck_builder: Decider | tuple[Decider, Decider] | None = "random",
    pilot: Decider | None = None,
    seat: int | str = "alternate",
    reward: str | Mapping[str, float] = "win",
    discount: float = 1.0,
    deals: Sequence[int] | None = None,
    max_turns: int | None = None,
    deck_size: int | None = None,
    alternatives: int | None = None,
    sort_cards: bool = False,
    autoreset: int = NEXT_STEP,
    threads: int | None = None,
) -> Episodes:
    """Episodes of a task in an edition.

    - ``opponent``: an agent's name, ``policy:FILE``, ``module:Class``, an `Agent`, a policy, several of these,
      or several with weights.
    - ``deck_builder``: who builds both decks where the learner does not, or the learner's deck and the opponent's;
      None: the opponent builds them.
    - ``pilot``: who plays the learner's battles where the learner does not; None: the opponent.
    - ``seat``: 0 (moves first), 1, ``"alternate"`` or ``"random"``.
    - ``reward``: ``"win"`` is 1 for a win and -1 for a loss; the name of a potential adds its change to that; a mapping
      gives weights, as in ``{"win": 1, "health": 0.5}``. ``discount`` is that of the potentials. ``"score"`` is the
      score at the end, as a part of the highest there is, in games that have scores.
    - ``deals``: the seeds of the deals to play; None: new ones all the time.
    - ``max_turns``: turns of both players after which an episode is cut off; None: never.
    - ``deck_size``: cards of a deck, where not as many as the rules say; in LOCM, fewer.
    - ``alternatives``: cards to choose from in each round of a draft, where not three.
    - ``sort_cards``: the cards of a draft's offers stand in the order of their numbers, and not as they were dealt.
    """
    family = find_family(edition)
    rules = family.editions[edition]
    for name, value in (("deck_size", deck_size), ("alternatives", alternatives)):
        if not isinstance(value, int | None):
            raise CallerError(f"{name} is {value!r}; expected a whole number")
    rules = family.variant(rules, deck_size, alternatives)
    encoding = family.encoding(rules, task)
    if isinstance(reward, Mapping):
        weights = dict(reward)
    else:  # a potential alone would be worth nothing
        weights = {reward: 1.0} if reward == "score" else {"win": 1.0, reward: 1.0}
    ours, theirs = deck_builder if isinstance(deck_builder, tuple) else (deck_builder, deck_builder)
    builds = encoding.task != "battle"
    setting = Setting(
        opponent=opponent,
        stand_ins=(ours, pilot),
        others=(None if builds else theirs, None),
        seat=seat,
        deals=deals,
        max_turns=_turns(max_turns),
        win=weights.pop("win", 0.0),
        score=weights.pop("score", 0.0),
        sort_cards=sort_cards,
        potentials=weights,
        discount=discount,
        autoreset=autoreset,
    )
    if threads is None:
        threads = min(len(os.sched_getaffinity(0)), n // WORTH_A_THREAD)
    return Episodes(family.stepper(family, encoding, n), setting, threads)


def _turns(max_turns: int | None) -> int:
    if max_turns is not None and max_turns < 1:
        raise CallerError(f"max_turns is {max_turns}; expected at least 1, or None for no limit")
    return max_turns or 0


RENDER_MODES = ("ansi", "html", "rgb_array")
"""How positions are shown: as text, as an SVG element, as pixels."""


def checked_mode(mode: str | None) -> str | None:
    """A way to show positions, or none."""
    if mode is not None and mode not in RENDER_MODES:
        raise CallerError(f"render_mode {mode!r}; expected one of {', '.join(RENDER_MODES)}")
    return mode


def rendered(episodes: Episodes, i: int, mode: str) -> Any:
    """The position of an episode as its learner sees it; where they have both seats, as the player to move does."""
    learner, to_move = episodes.records["learner"][i], episodes.records["seat"][i]
    view = episodes.game(i).view(int(to_move if learner == BOTH else learner))
    if mode == "ansi":
        return str(view)
    from cardrome.games.drawing import draw, pixels, svg

    shapes = draw(episodes.family, view)
    return svg(shapes) if mode == "html" else pixels(shapes)


def observed(encoding: Encoding, form: str, flat: Any, masks: Any) -> Any:
    """Observations in the form that was asked for."""
    if form in VECTOR_KEYS:
        return {VECTOR_KEYS[form]: flat, "action_mask": masks}
    if form == "structured":
        return {**encoding.split(flat), "action_mask": masks}
    return encoding.laid_out(form, flat) if form in encoding.layouts else flat
