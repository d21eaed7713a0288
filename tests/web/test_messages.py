"""The texts of the pages: every one exists in every language, is asked for somewhere, and has the same blanks."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any, get_args

from cardrome.games.frames import Json
from cardrome.games.game import Ending
from cardrome.games.locm.examiner import EXAMINER
from cardrome.games.locm.family import FAMILY as LOCM
from cardrome.games.locm.rules.cards import KEYWORD_LETTERS, TYPE_NAMES
from cardrome.games.tapdeck.family import FAMILY as TAPDECK
from cardrome.games.tapdeck.protocol.replay import CODES
from cardrome.server.store.accounts import Reason

WEB = Path(str(resources.files("cardrome.web")))
LANGUAGES = ("en", "fr")
MESSAGES: dict[str, Json] = {
    language: json.loads((WEB / "messages" / f"{language}.json").read_text(encoding="utf-8")) for language in LANGUAGES
}
SOURCES = "".join(
    path.read_text(encoding="utf-8")
    for folder in (WEB, WEB.parent / "cli")
    for path in sorted(folder.rglob("*"))
    if path.suffix in (".js", ".html", ".py")
)
"""Modules, templates and Python, of pages and of the command line: all of them may ask for a text."""
SOURCES_OF_PAGES = "".join(
    path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*")) if path.suffix in (".js", ".html")
)


def forms(message: Any) -> list[str]:
    return list(message.values()) if isinstance(message, dict) else [message]


def test_all_languages_have_the_same_texts() -> None:
    assert {path.stem for path in (WEB / "messages").iterdir()} == set(LANGUAGES)
    for language in LANGUAGES:
        assert list(MESSAGES[language]) == list(MESSAGES["en"])
        assert all(form.strip() for message in MESSAGES[language].values() for form in forms(message))


def test_a_text_has_the_same_blanks_in_every_language() -> None:
    for key in MESSAGES["en"]:
        written = [form for language in LANGUAGES for form in forms(MESSAGES[language][key])]
        assert len({frozenset(re.findall(r"\{(\w+)\}", form)) for form in written}) == 1, key


def test_no_line_of_french_begins_with_a_mark() -> None:
    wrong = re.compile(r" [:;?!»]|« ")
    assert [form for message in MESSAGES["fr"].values() for form in forms(message) if wrong.search(form)] == []


def test_marks_before_which_french_has_a_space_are_in_the_texts() -> None:
    assert re.findall(r"""[;:] \{\{ t\(|join\("[;:] "\)""", SOURCES_OF_PAGES) == []


def test_every_agent_is_introduced() -> None:
    introduced = {key for key in MESSAGES["en"] if key.startswith("agent.")}
    assert introduced == {f"agent.{family.name}.{agent}" for family in (LOCM, TAPDECK) for agent in family.agents}


def test_texts_are_sorted_by_key() -> None:
    assert list(MESSAGES["en"]) == sorted(MESSAGES["en"])


def test_every_text_that_is_asked_for_exists_and_the_other_way_round() -> None:
    """A key is written out, or begun: `tab.${name}` in a module, "site.nav-" ~ name in a template, f"..." in Python."""
    known = set(MESSAGES["en"])
    parts = "|".join(sorted({key.split(".")[0] for key in known}))
    quoted = set(re.findall(rf'"((?:{parts})\.[\w.-]*[\w])"', SOURCES))
    started = set(re.findall(rf'[`"]((?:{parts})\.[\w.-]*)(?:\$?\{{|" ~)', SOURCES))
    assert known - quoted - {key for key in known if key.startswith(tuple(started))} == set()
    assert {key for key in quoted - known if not key.endswith((".html", ".js", ".css", ".json", ".py"))} == set()
    assert {start for start in started if not any(key.startswith(start) for key in known)} == set()


def test_whatever_a_game_may_say_has_a_text() -> None:
    """What pages look up by a name that comes from Python."""
    known = set(MESSAGES["en"])
    reasons = {kind.removeprefix("illegal-") for kind in EXAMINER.kinds if kind.startswith("illegal-")}
    assert {f"illegal.{reason}" for reason in reasons | {str(code) for code in CODES if code}} == {
        key for key in known if key.startswith("illegal.")
    }
    assert {f"keyword.{letter}" for letter in KEYWORD_LETTERS} | {
        f"help.{letter}" for letter in KEYWORD_LETTERS
    } <= known
    assert {f"type.{name}" for name in TYPE_NAMES} | {f"numbered.{name}" for name in TYPE_NAMES} <= known
    assert {f"result.{ending}" for ending in Ending} <= known
    assert {f"live.problem-{reason}" for reason in get_args(Reason)} == {
        key for key in known if key.startswith("live.problem-")
    }
    both = ["attack", "pass", "play", "decks"]
    tapdeck = ["declare", "draw", "burn", "discard", "tap", "block", "finish", "time", "query"]
    assert {f"deed.{kind}" for kind in both + tapdeck} <= known
