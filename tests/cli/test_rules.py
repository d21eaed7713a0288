"""`cardrome rules`: rulebooks in the terminal."""

from __future__ import annotations

import json

from cardrome.games.family import find_family
from tests.cli.runner import cardrome

ENGLISH = {"LC_ALL": "C.UTF-8"}


def test_rules_print_a_page_of_plain_text() -> None:
    done = cardrome("rules", "locm-1.2", env=ENGLISH)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout
    assert "### Breakthrough" in lines
    assert "example:" not in done.stdout
    assert any(line.startswith("▌ A 4/4 with Breakthrough attacks a 3/2") for line in lines)


def test_rules_speak_the_language_of_the_system_or_the_one_asked_for() -> None:
    french = cardrome("rules", "tapdeck", env={"LC_ALL": "fr_FR.UTF-8"}).stdout
    assert "## Un premier match, tour par tour" in french
    assert cardrome("rules", "tapdeck", "--lang", "fr", env=ENGLISH).stdout == french
    assert "## A first match, turn by turn" in cardrome("rules", "tapdeck", env={"LC_ALL": "de_DE.UTF-8"}).stdout


def test_rules_as_json_are_the_text_and_the_facts() -> None:
    told = json.loads(cardrome("rules", "locm-1.5", "--lang", "fr", "--json").stdout)
    family = find_family("locm-1.5")
    assert told["text"] == family.rulebook(family.editions["locm-1.5"], "fr")
    assert (told["edition"], told["language"], told["facts"]["start_health"]) == ("locm-1.5", "fr", 30)


def test_rules_without_an_edition_list_the_rulebooks() -> None:
    done = cardrome("rules", env=ENGLISH)
    assert "locm-1.0-wood3" in done.stdout
    assert "One open deck for both players" in done.stdout
    assert {each["edition"] for each in json.loads(cardrome("rules", "--json").stdout)} >= {"locm-1.2", "tapdeck"}


def test_rules_say_what_is_wrong() -> None:
    assert "expected en or fr" in cardrome("rules", "locm-1.2", "--lang", "de").stderr
    done = cardrome("rules", "locm-1.3")
    assert done.returncode == 2
    assert "locm-1.2" in done.stderr
