"""What a language model answered: the actions that it means, or what is wrong with the answer.

Models wrap what they want to say in reasoning, Markdown, JSON and courtesy. The answer is looked for where it usually
is, from the end backwards, and taken only where it is plain: numbers in the middle of a sentence are left alone. What
cannot be read, or cannot be done, is explained in a sentence that a model can act on. The text may be hostile: whatever
its length and content, little time is spent on it, and nothing of it is repeated unescaped.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardrome.errors import CallerError
from cardrome.escaping import printable
from cardrome.games.family import find_family
from cardrome.games.game import Action, Game, View

LONGEST = 20_000
"""Characters that are looked at, the last ones of the answer."""
MOST_ACTIONS = 200
"""Actions of one answer."""
_LINES = 400
_QUOTED = 80
_DEPTH = 4
_DIGITS = 6

_KEYS = (
    *("actions", "action", "moves", "move", "choices", "choice", "answer"),
    *("cards", "card", "deck", "play", "pick", "option", "numbers", "number", "index"),
)
"""Where JSON objects have what was chosen, the likeliest first."""
_THOUGHTS = ("</think>", "</thinking>", "</reasoning>", "</thought>")
_FILLERS = frozenset(
    re.findall(
        r"\w+",
        """a action actions an and answer are at be best card cards choice choices choose d deck do final finally
        first go going here i id ill im is it let lets like ll m me move moves my next now number numbers ok okay
        option options order output pick picks play s select so sure take the then therefore this to turn use will
        with would""",
    )
)
"""Words that may stand around a number without changing what it means."""

_TOKEN = re.compile(r"-?\d+|[^\W\d_]+")
_DECORATION = re.compile(r"[*`\"“”'#\[\]{}()<>|\\]|\bboxed\b")
_LISTED = re.compile(r"^(?:[-•+]|\d{1,3}[.)])\s+(?=-?\d+[.)]?$)")
_ATTEMPT = re.compile(r"^[A-Za-z_]{3,}(?:\s+-?\d+){1,3}$")
_DECISION = re.compile(r"\b(?:answer|best|choice|choose|decide|decision|final|go with|going with)\b", re.IGNORECASE)
_NUMBERS = r"(\d{1,4}(?:\s*(?:,|;|&|and|then|->|→)\s*\d{1,4})*)"
_SAID = re.compile(
    r"(?<!not )(?<!n't )\b(?:(?:choose|pick|select|go with|going with)(?:\s+(?:action|option|move|number|card)s?)?"
    rf"|(?:action|answer|option|move|choice)s?(?:\s+is)?)\s*[:=]?\s*{_NUMBERS}\b(?!\s*(?:/|creature|card|mana|damage|health))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from an answer."""

    actions: tuple[Action, ...]
    """The actions that can be taken, one after the other, from the position that was asked about."""
    problem: str = ""
    """What is wrong with the answer, or with what follows these actions; empty if nothing is."""


class Unreadable(CallerError):
    """An answer that means no action; the message says why."""


def read_answer(view: View, numbered: Mapping[int, Action], named: Mapping[str, Sequence[int]], answer: str) -> Reading:
    """Read an answer to the question which actions to take in a view.

    ``numbered`` are the actions as they were listed, ``named`` the numbers by what else an action was called there.
    Numbers mean the list, in whatever order they are given; what becomes legal only on the way is named by its text.
    """
    if not numbered:
        return Reading((), "the game is over" if view.is_over else "it is not your turn")
    try:
        wishes = _Reader(numbered, named).wishes(answer)
    except Unreadable as error:
        return Reading((), str(error))
    return _carried_out(view, wishes)


def _carried_out(view: View, wishes: Sequence[str]) -> Reading:
    """The actions as far as they can be taken one after the other, and what is wrong with the first that cannot."""
    trial: Game = view.determinize(0)
    family, taken = find_family(view.edition.name), list[Action]()
    for place, wish in enumerate(wishes, 1):
        if trial.to_move != view.viewer:
            left = len(wishes) - place + 1
            over = "the game ended" if trial.is_over else "your turn ended"
            return Reading(tuple(taken), f"{over} with {taken[-1]}; {left} more in your answer left out")
        if why := family.why_illegal(trial, wish):
            which = f"action {place} of your answer, " if len(wishes) > 1 else ""
            return Reading(tuple(taken), f"{which}{printable(wish, _QUOTED)}, cannot be taken: {printable(why, 400)}")
        action = trial.legal_action(wish)
        trial.try_play(action.code)
        taken.append(action)
    return Reading(tuple(taken))


class _Reader:
    """Finds the texts of the actions that an answer names."""

    def __init__(self, numbered: Mapping[int, Action], named: Mapping[str, Sequence[int]]) -> None:
        self._numbered, self._named = numbered, named
        self._arity: dict[str, int] = {}
        for action in numbered.values():
            verb, *rest = action.split()
            self._arity[verb] = max(self._arity.get(verb, 0), len(rest))
        verbs = "|".join(re.escape(verb).replace("_", "[_ ]") for verb in sorted(self._arity, key=len, reverse=True))
        # What is legal now in any case; others, which may become legal, where they look like nothing else.
        legal = rf"(?P<legal>(?i:{verbs or '$.'}))(?![\w-])(?P<numbers>(?:[\s,:]+-?\d+){{0,3}})"
        other = r"(?P<other>[A-Z]{3,}(?:\s+-?\d+){1,3}|[A-Za-z]+(?:_[A-Za-z]+)+(?:\s+-?\d+){0,3})"
        self._text = re.compile(rf"(?<![\w-])(?:{legal}|{other})(?!\w)")

    def wishes(self, answer: str) -> list[str]:
        """The texts of the actions, in order. `Unreadable` says why there are none."""
        text = answer[-LONGEST:]
        for tag in _THOUGHTS:
            text = text[text.lower().rfind(tag) + len(tag) :] if tag in text.lower() else text
        text = text.strip()
        if not text:
            raise Unreadable(f"the answer is empty; {self._advice()}")
        for data in _json_in(text):
            if (found := self._from_json(data)) is not None:
                return self._bounded(found)
        return self._bounded(self._from_lines(text.splitlines()))

    def _bounded(self, wishes: list[str]) -> list[str]:
        if len(wishes) > MOST_ACTIONS:
            raise Unreadable(f"the answer names {len(wishes)} actions; at most {MOST_ACTIONS} are taken at once")
        return wishes

    def _advice(self) -> str:
        number, action = next(iter(self._numbered.items()))
        return f"answer with the number of an action, such as {number}, or its text, such as {action}"

    # JSON

    def _from_json(self, data: Any, depth: int = 0) -> list[str] | None:
        """What plain data names; None if it is nothing of the kind."""
        if depth > _DEPTH or isinstance(data, bool):
            return None
        if isinstance(data, float) and data.is_integer():
            data = int(data)
        if isinstance(data, int):
            return [self._number(data)]
        if isinstance(data, str):
            return self._line(data) or self._from_lines(data.splitlines())
        if isinstance(data, list) and data:
            found = [self._from_json(each, depth + 1) for each in data[: MOST_ACTIONS + 1]]
            return None if None in found else [wish for each in found if each is not None for wish in each]
        if isinstance(data, dict):
            lower = {str(key).lower(): value for key, value in data.items()}
            key = next((key for key in _KEYS if lower.get(key) is not None), None)
            return None if key is None else self._from_json(lower[key], depth + 1)
        return None

    # Lines

    def _from_lines(self, lines: Sequence[str]) -> list[str]:
        """The last lines in a row that name actions; what stands before and behind them is talk.

        A line that says what was decided stands alone: those before it may list what there was to decide between.
        """
        found: list[list[str]] = []
        decided = False
        for line in reversed(lines[-_LINES:]):
            read = self._line(line)
            if found and ((decided and not _DECISION.search(line)) or (not read and line.strip(" \t`"))):
                break
            if read:
                found.append(read)
                decided = _DECISION.search(line) is not None
        if not found:
            quoted = printable(" ".join(" ".join(lines[-3:]).split()), _QUOTED)
            raise Unreadable(f"no action found in {quoted!r}; {self._advice()}")
        return [wish for read in reversed(found) for wish in read]

    def _line(self, line: str) -> list[str]:
        """The actions that a line names; none if it is talk."""
        if len(line) > LONGEST // 4:
            return []
        bare = " ".join(_DECORATION.sub(" ", line).replace("−", "-").split()).rstrip(".!")
        return (
            self._by_name(line)
            or self._mixed(bare)
            or self._by_text(bare)
            or self._by_numbers(_LISTED.sub("", bare))
            or [part.strip().upper() for part in bare.split(";") if _ATTEMPT.match(part.strip())]
            or self._said(bare)
        )

    def _by_name(self, line: str) -> list[str]:
        """What the list called an action."""
        name = key_of(line)
        numbers = self._named.get(name) or self._named.get(re.sub(r"^-?\d+ ", "", name))
        if numbers is None:
            return []
        if len(numbers) > 1:
            which = ", ".join(map(str, numbers))
            raise Unreadable(
                f"{printable(line.strip(), _QUOTED)!r} can mean any of the actions {which}; give the number"
            )
        return [self._number(numbers[0])]

    def _mixed(self, line: str) -> list[str]:
        """Numbers and texts side by side: between commas a number is an action, behind a text it is part of it."""
        parts = [part.strip() for part in re.split("[,;]", line)]
        numbers = [part for part in parts if part.isdecimal() and len(part) <= _DIGITS]
        texts = {part: self._by_text(part) for part in parts if part not in numbers}
        if not numbers or not texts or not all(self._complete(wishes) for wishes in texts.values()):
            return []
        return [wish for part in parts for wish in texts.get(part) or [self._number(int(part))]]

    def _complete(self, wishes: list[str]) -> bool:
        return bool(wishes) and all(wish.count(" ") == self._arity.get(wish.split()[0]) for wish in wishes)

    def _by_text(self, line: str) -> list[str]:
        """Actions by their text, in any case and with anything around them that is not another number."""
        found, plain = [], self._only_fillers(self._text.sub(" ", line))
        for match in self._text.finditer(line):
            if other := match["other"]:
                if other.split()[0].lower() not in _FILLERS:
                    found.append(" ".join(other.upper().split()))
                continue
            written = match["legal"]
            verb = next(each for each in self._arity if each.lower() == written.lower().replace(" ", "_"))
            numbers = re.findall(r"-?\d+", match["numbers"])[: self._arity[verb]]
            if written == verb or (self._arity[verb] and len(numbers) == self._arity[verb]):
                found.append(" ".join([verb, *numbers]))
            elif plain and not self._arity[verb]:
                found.append(verb)  # "pass" is a word of English, too
        return found

    def _only_fillers(self, line: str) -> bool:
        return all(token.lower() in _FILLERS for token in _TOKEN.findall(line) if not token[-1].isdecimal())

    def _by_numbers(self, line: str) -> list[str]:
        """Numbers with nothing around them but fillers."""
        tokens = _TOKEN.findall(line)
        numbers = [token for token in tokens if token[-1].isdecimal()]
        if not numbers or "/" in line or not self._only_fillers(line):
            return []
        return [self._number(int(number) if len(number) <= _DIGITS else -1, number) for number in numbers]

    def _said(self, line: str) -> list[str]:
        """Numbers that the line says are chosen, whatever else it says; the last such phrase counts."""
        phrases = _SAID.findall(line)
        return [self._number(int(number)) for number in re.findall(r"\d+", phrases[-1])] if phrases else []

    def _number(self, number: int, written: str = "") -> str:
        action = self._numbered.get(number)
        if action is None:
            known = list(self._numbered)
            whole = known == list(range(known[0], known[-1] + 1))
            which = f"they go from {known[0]} to {known[-1]}" if whole else f"there are {_some(known)}"
            raise Unreadable(f"there is no action {printable(written or str(number), 20)}; {which}")
        return str(action)


def _some(numbers: Sequence[int], most: int = 20) -> str:
    return ", ".join(map(str, numbers[:most])) + (", …" if len(numbers) > most else "")


def key_of(name: str) -> str:
    """A name without what people and models write in different ways: case, spaces, punctuation."""
    return " ".join(re.findall(r"-?\w+", name[:LONGEST].lower()))


def _json_in(text: str) -> Iterator[Any]:
    """Whatever in the text is JSON: all of it, what stands in fences, an object among other words."""
    blocks = [re.sub(r"^\w+\n", "", block) for block in text.split("```")[1::2][-4:]]
    pieces, end = [text, *reversed(blocks)], text.rfind("}") + 1
    pieces += [text[start:end] for start in (text.find("{"), text.rfind("{", 0, end)) if 0 <= start < end]
    for piece in pieces:
        with contextlib.suppress(ValueError, RecursionError):
            yield json.loads(piece)
