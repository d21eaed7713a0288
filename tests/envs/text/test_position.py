"""Positions as text: all that a seat may know, nothing else, and every legal action with a number."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import cardrome
from cardrome.envs.text import PositionText
from cardrome.games.family import edition_names, families, find_family, register
from cardrome.games.locm.protocol.game import LocmGame
from tests.properties.test_views import change_what_is_hidden, shown_rounds

EDITIONS = edition_names()


def played(edition: str, seed: int, steps: int) -> Any:
    """A game some steps on, the player to move not knowing better than chance, but not passing early."""
    game, chance = cardrome.new_game(edition, seed=seed), random.Random(seed)
    for _ in range(steps):
        if game.is_over:
            break
        legal = game.legal_codes()
        game.push(chance.choice(legal[1:] if len(legal) > 1 and chance.random() < 0.7 else legal))
    return game


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_legal_action_has_a_number_and_is_read_back(edition: str) -> None:
    for steps in (0, 17, 61, 75, 90, 130):
        game = played(edition, steps, steps)
        if game.is_over:
            continue
        text = PositionText(game.view(game.to_move))
        assert [str(action) for action in text.actions.values()] == [str(action) for action in game.legal_actions]
        assert len(text.position) < 8000
        assert [number for number in text.actions if f"\n{number}: " not in text.position] == []
        for number, action in list(text.actions.items())[:: 1 + len(text.actions) // 12]:
            assert text.read(str(number)).actions == (action,)
            assert text.read(f"Then {action}.").actions == (action,)


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name.startswith("locm")])
def test_what_is_hidden_changes_no_byte(edition: str) -> None:
    for steps in (1, 30, 70, 110):
        game = played(edition, steps, steps)
        assert isinstance(game, LocmGame)
        other = change_what_is_hidden(game, viewer := steps % 2, random.Random(steps), shown_rounds(game))
        texts = [PositionText(each.view(viewer)) for each in (game, other)]
        assert texts[0].position == texts[1].position
        assert texts[0].rules == texts[1].rules


def test_a_position_reads_like_this() -> None:
    from tests.envs.text.test_answers import battle

    text = battle().position
    assert "Opponent: health 12, mana 10/10, hand 0, deck 0, runes 10 5\n  lane 0: Shiny Prowler #4 1/2 GL" in text
    assert "  lane 1: Psyshroom #9 2/3, ready\n  hand:\n    Slimer #31, cost 1, 2/1, you +1\n" in text
    assert "\n6: USE 35 4 = use Cursed Sword #35 on Shiny Prowler #4: Shiny Prowler #4 dies\n" in text


def test_the_own_deck_is_known_without_its_order() -> None:
    game = played("locm-1.2", 3, 61)
    mine = [held.card.name for held in game.players[0].deck]
    line = next(line for line in PositionText(game.view(0)).position.splitlines() if line.startswith("Your deck"))
    told = [name for n, name in re.findall(r"[:;] (?:(\d+)x )?([^;(]+) \(", line) for _ in range(int(n or 1))]
    assert sorted(told) == sorted(mine)


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
def test_the_opponents_turn_is_told(edition: str) -> None:
    family = find_family(edition)
    game, agents = cardrome.new_game(edition, seed=4), [family.agents["greedy"].new(p) for p in (0, 1)]
    seat, since, stateless, watched = family.seat(game.view(0)), 0, [], []
    while not game.is_over and game.turn < 12:
        player = game.to_move
        assert player is not None
        if player == 0:
            stateless.append(PositionText(game.view(0)).position)
            watched.append(PositionText(game.view(0), seat, since).position)
            since = len(seat.frames)
        before = game.view(0)
        action = game.legal_action(agents[player].act(game.view(player)))
        game.push(action)
        seat.add(player, action, before, game.view(0))
    deeds = r"^  the opponent: (summon|play) \S+"
    assert sum(bool(re.search(deeds, text, re.M)) for text in watched) > 3
    assert any(re.search(deeds, text, re.M) for text in stateless) == (edition != "tapdeck")
    assert all("the opponent: " in text for text in watched if "summon" in text.partition("Actions:")[0])


@pytest.mark.parametrize(
    ("family", "edition"), [(family, edition) for family in families() for edition in family.editions.values()]
)
def test_the_rules_in_short(family: Any, edition: Any) -> None:
    text = family.reminder(edition)
    assert 1000 < len(text) < 3000
    assert not re.search(r"\{[{%]|[%}]\}|\n\n\n|  ", text)
    facts = family.edition_facts(edition)
    health = facts.get("start_health", facts.get("initial_health"))
    assert f"from {health} health to 0" in text
    if "league" in facts:
        assert ("USE id" in text) == (facts["league"] > 2)
        assert ("L Lethal" in text) == (facts["league"] > 3)
        assert ("Runes" in text) == (facts["rune_step"] > 0)
        assert ("same lane" in text) == (facts["lanes"] > 1)
        assert ("bonus mana" in text) == (facts["bonus_mana"] > 0)
        assert ("twin" in text) == facts["area_effects"]


def test_the_whole_deck_of_tapdeck_stands_with_the_rules() -> None:
    game = cardrome.new_game("tapdeck", seed=3)
    text = PositionText(game.view(0))
    assert len(re.findall(r"^#\d+ ", text.rules, re.M)) == 120
    assert "Deck, 120 cards left" in text.position


def test_the_end_is_told() -> None:
    game = played("locm-1.2", 5, 2000)
    assert game.outcome is not None
    told = [PositionText(game.view(p)).position for p in (0, 1)]
    assert "won by you" in told[game.outcome.winner]
    assert "lost by you" in told[1 - game.outcome.winner]


def test_a_family_that_draws_nothing_is_told_by_its_own_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "")
    register("tests.games.toy:FAMILY")
    text = PositionText(cardrome.new_game("pebbles", seed=3).view(0))
    board, actions = text.position.split("Actions:\n")
    assert board == "pebbles, taking. You are player 0.\nooooooooooooo\n"
    assert actions == "0: TAKE 1\n1: TAKE 2\n2: TAKE 3\n"
    assert text.read("take 2").actions == ("TAKE 2",)
    assert text.read("2").actions == ("TAKE 3",)
    assert text.rules.startswith("Pebbles, pebbles: take one")
