"""Writes docs/envs/: a page for each environment, with the tables of what is observed and done as the encodings say."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardrome.envs import ENVIRONMENTS
from cardrome.errors import CallerError
from cardrome.games.family import find_family
from cardrome.games.learning.encoding import Block, Encoding

FOLDER = Path(__file__).parent / "envs"


@dataclass(frozen=True)
class Page:
    """What a page says besides its tables."""

    about: str
    example: str
    reward: str
    ends: str
    versions: str = "- v0: the first."


SHAPING = (
    " `reward=` adds a shaping potential, or weighs several ([keywords](../envs.md#keywords)): `health` "
    "is the difference in health over 32, `board` that in {strength} on the board over 64, `hand` that in"
    " cards in hand over 8. A step adds `discount` times the potential after it minus the potential "
    "before it, and the end of a game is worth nothing: with the learner's own discount the best policy "
    "stays the best."
)
FOUGHT = "1 for a win, -1 for a loss, at the end; 0 before." + SHAPING.format(strength="attack and defense")
BUILT = "1 for a win, -1 for a loss, at the end, when agents have played the battle; 0 for every choice before."
CUT = "An episode is truncated after `max_turns` turns of both players, if that is given; never by itself."

PAGES = {
    "cardrome/Battle-v0": Page(
        "The battle of Legends of Code and Magic, in any edition. Both decks are built by `deck_builder`,"
        " at random unless told otherwise; the learner plays cards and attacks, one action a step. The "
        "opponent's turn is part of the step that ends the learner's.",
        'env = gymnasium.make("cardrome/Battle-v0", opponent="greedy", deck_builder="greedy")\n'
        "observation, info = env.reset(seed=1)\n"
        'attacks = observation["action_mask"].nonzero()[0]\n'
        "observation, reward, terminated, truncated, info = env.step(attacks[-1])",
        FOUGHT,
        f"The game is over when a player has no health left, or by the rules of the edition for games that last. {CUT}",
    ),
    "cardrome/Draft-v0": Page(
        "The draft of Legends of Code and Magic: thirty rounds, in each the choice of a card out of three"
        " that both players are offered. Then the battle is played by `pilot` with the learner's deck and"
        " by the opponent with theirs, inside the last step. What the opponent chooses is not "
        "seen.\n\nThree keywords make other drafts of it. `deck_size` (5 to 30) and `alternatives` (1 to 10) "
        "say how many rounds there are and how many cards each offers, to both players; the battle has decks of "
        "that size. The blocks `offer` and `picks` have as many rows as that, and there are as many actions as "
        "alternatives. The deals stay: fewer rounds or cards are the first ones of each deal, and further cards "
        "are drawn from the same pool behind the three that there are anyway. A size that is used for the first "
        "time is compiled, once, in a few seconds. "
        "`sort_cards=True` shows the cards of an offer in the order of their numbers, so that the place of a card "
        "says nothing new. The "
        'history of picks is always there, as the block `picks`; `observation="gym-locm"` leaves it out '
        "([other forms](../envs-pettingzoo.md#gym-locm)).",
        'env = gymnasium.make("cardrome/Draft-v0", deck_size=10, alternatives=5, sort_cards=True)\n'
        "observation, info = env.reset(seed=1)\n"
        "terminated = False\n"
        "while not terminated:\n"
        "    observation, reward, terminated, truncated, info = env.step(1)\n"
        "assert abs(reward) == 1",
        BUILT,
        f"After the last choice, with the battle. {CUT}",
    ),
    "cardrome/Constructed-v0": Page(
        "Deck building in the 1.5 editions of Legends of Code and Magic: thirty choices out of a pool of "
        "120 cards that are new in every game, each card at most twice. Then the battle is played by "
        "`pilot` with the learner's deck and by the opponent with theirs, inside the last step. `deck_size` (5 to 30) "
        "is another number of choices.",
        'env = gymnasium.make("cardrome/Constructed-v0", observation="structured")\n'
        "observation, info = env.reset(seed=1)\n"
        'assert observation["pool"].shape == (120, 19)',
        BUILT,
        f"After the last choice, with the battle. {CUT}",
    ),
    "cardrome/Match-v0": Page(
        "A whole game of Legends of Code and Magic: deck building and the battle in one episode. Observations have the "
        "blocks of both phases; those of the other phase are all zero. The actions of the battle come first. "
        "`deck_size`, `alternatives` and `sort_cards` are those of the [draft](draft.md).",
        'env = gymnasium.make("cardrome/Match-v0", edition="locm-1.5", opponent="greedy")\n'
        "observation, info = env.reset(seed=1)\n"
        'assert observation["action_mask"].sum() == 120',
        FOUGHT,
        f"As in a battle. {CUT}",
    ),
    "cardrome/Tapdeck-v0": Page(
        "A whole match of Tapdeck, in which nothing is hidden. Boards and hands may grow beyond the rows "
        "that there are: then the first cards by id are seen, the others are counted but cannot be named. "
        "`deck_size` is another number of cards than 120 in the deck that both draw from.",
        'env = gymnasium.make("cardrome/Tapdeck-v0", opponent="greedy", reward="score")\n'
        "observation, info = env.reset(seed=1)\n"
        'observation, reward, terminated, truncated, info = env.step(observation["action_mask"].argmax())',
        "1 for a win, -1 for a loss, 0 for a draw, at the end; 0 before."
        + SHAPING.format(strength="attack and health")
        + '\n\n`reward="score"` rewards the end alone, with the score of the match over the highest there'
        " is (four times the health at the beginning): from -0.25 to 1. As a weight it adds to the "
        "others.",
        f"The match is over when a player has no health left, or after its last turn. {CUT}",
    ),
}


def pages() -> dict[Path, str]:
    """All pages by their paths."""
    return {FOLDER / f"{name.split('/')[1][:-3].lower()}.md": "\n".join(_page(name)) + "\n" for name in ENVIRONMENTS}


def _page(name: str) -> Iterator[str]:
    page, keywords = PAGES[name], ENVIRONMENTS[name]
    encodings = list(_encodings(keywords["edition"], keywords["task"]))
    names = ", ".join(f"`{each.edition.name}`" for each in encodings)
    yield f"# {name}\n"
    yield _wrapped(page.about)
    yield _wrapped(
        f"Editions: {names}. Unless told otherwise, `{keywords['edition']}`. The keywords, and all that "
        "environments have in common, are in [envs.md](../envs.md)."
    )
    yield f"```python\nimport gymnasium\nimport cardrome.envs\n\n{page.example}\n```\n"
    yield "## Observation\n"
    yield _wrapped(
        'Places are those in the flat vector; with `observation="structured"` every block is an array of '
        "its own. A value is that of the game, kept within its bounds, and divided as the tables say."
    )
    shown: set[Any] = set()
    groups = _grouped(encodings, lambda each: each.row)
    for group in groups:
        yield from _observation(group, len(groups) > 1, shown)
    yield "## Actions\n"
    yield _wrapped(
        "Rows are those of the observation. Where an action has a row and a target, all targets of the "
        "first row come first. `action_mask` marks what is legal."
    )
    groups = _grouped(encodings, lambda each: each.ranges)
    for group in groups:
        yield from _actions(group, len(groups) > 1)
    yield f"## Reward\n\n{_wrapped(page.reward)}"
    yield f"## Termination\n\n{_wrapped(page.ends)}"
    yield f"## Versions\n\n{page.versions}"


def _wrapped(text: str) -> str:
    """Paragraphs in lines of 120 characters."""
    fill = textwrap.TextWrapper(120, break_long_words=False, break_on_hyphens=False).fill
    return "".join(fill(each) + "\n\n" for each in text.split("\n\n"))[:-1]


def _encodings(edition: str, task: str) -> Iterator[Encoding]:
    """The encodings of all editions that have the task, that edition's first."""
    family = find_family(edition)
    for name in sorted(family.editions, key=lambda each: each != edition):
        try:
            yield family.encoding(family.editions[name], task)
        except CallerError:
            continue


def _grouped(encodings: list[Encoding], key: Callable[[Encoding], Any]) -> list[list[Encoding]]:
    groups: dict[Any, list[Encoding]] = {}
    for each in encodings:
        groups.setdefault(key(each), []).append(each)
    return list(groups.values())


def _heading(group: list[Encoding]) -> str:
    return "### In " + ", ".join(f"`{each.edition.name}`" for each in group) + "\n"


def _observation(group: list[Encoding], several: bool, shown: set[Any]) -> Iterator[str]:
    """The blocks, and the columns of those that were not shown before."""
    encoding = group[0]
    if several:
        yield _heading(group)
    yield f"{encoding.size} numbers.\n"
    yield "| block | shape | places | what it holds |\n| --- | --- | --- | --- |"
    for block in encoding.blocks:
        shape = " × ".join(map(str, block.shape))
        yield f"| `{block.name}` | {shape} | {block.start} to {block.stop - 1} | {block.meaning} |"
    yield ""
    alike: dict[Any, list[Block]] = {}
    for block in encoding.blocks:
        alike.setdefault(block.features, []).append(block)
    for features, blocks in alike.items():
        if features in shown:
            continue
        shown.add(features)
        yield "The columns of " + ", ".join(f"`{block.name}`" for block in blocks) + ":\n"
        yield "| | column | meaning | bounds | divided by |\n| --- | --- | --- | --- | --- |"
        for place, (name, feature) in enumerate(features):
            yield f"| {place} | `{name}` | {feature.meaning} | {feature.low} to {feature.high} | {feature.scale} |"
        yield ""


def _actions(group: list[Encoding], several: bool) -> Iterator[str]:
    encoding = group[0]
    if several:
        yield _heading(group)
    yield f"{encoding.n_actions} actions.\n"
    yield "| numbers | action | which |\n| --- | --- | --- |"
    first = 0
    for each in encoding.ranges:
        numbers = f"{first} to {first + each.count - 1}" if each.count > 1 else f"{first}"
        yield f"| {numbers} | `{each.name}` | {each.meaning} |"
        first += each.count
    yield ""


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
