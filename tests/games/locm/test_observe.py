"""What a learner sees of LOCM is what the view says, every number of it, and nothing that is hidden."""

from __future__ import annotations

import functools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.learning.encoding import Encoding
from cardrome.games.learning.episodes import Observer
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import LocmEdition
from tests.properties.scripts import KNOWN, VARIANTS, Script, scripts
from tests.properties.test_views import change_what_is_hidden, shown_rounds


@functools.cache
def observer(edition: LocmEdition, task: str) -> Observer:
    return Observer(FAMILY, FAMILY.encoding(edition, task))


def tasks(game: LocmGame) -> list[str]:
    """The tasks in which somebody decides here."""
    return ["match", "battle" if game.phase == "battle" else game.phase]


def seen(encoding: Encoding, flat: np.ndarray, prefix: str = "") -> dict[str, list[dict[str, float]]]:
    """An observation as the game's own numbers, by block, row and name."""
    found = {}
    for block in encoding.blocks:
        rows = flat[block.start : block.stop].reshape(-1, len(block.features))
        found[block.name] = [
            {name: float(value) * feature.scale for (name, feature), value in zip(block.features, row, strict=True)}
            for row in rows
        ]
    return found


@given(scripts(), st.integers(0, 1 << 32))
def test_nothing_hidden_is_seen(script: Script, secrets: int) -> None:
    game = script.played()
    if game.to_move is None:
        return
    viewer = game.to_move
    other = change_what_is_hidden(game, viewer, random.Random(secrets), shown_rounds(game))
    for task in tasks(game):
        look = observer(game.edition, task)
        observation, mask = look.observe(game)
        for position in (other, game.view(viewer)):
            same, as_legal = look.observe(position)
            assert observation.tobytes() == same.tobytes()
            assert mask.tobytes() == as_legal.tobytes()


@pytest.mark.parametrize("edition", ["locm-1.0", "locm-1.2", "locm-1.5", *VARIANTS])
@pytest.mark.parametrize(("built", "actions"), [(0, 0), (0.52, 0), (0.99, 0), (1, 0), (1, 12), (1, 20)])
def test_nothing_hidden_is_seen_in_positions_full_of_secrets(edition: str, built: float, actions: int) -> None:
    """When a part of both decks is built, and some actions later."""
    length = int(built * 2 * KNOWN[edition].deck_size) + actions
    game = Script(edition, seed=6, chooser=4, patience=7, length=length).played()
    assert game.to_move is not None
    look = observer(game.edition, tasks(game)[1])
    observation, mask = look.observe(game)
    for secrets in range(3):
        other = change_what_is_hidden(game, game.to_move, random.Random(secrets), shown_rounds(game))
        changed = other.state.tobytes() != game.state.tobytes()
        assert changed == (length > 0), "the opponent has cards that were changed"
        same, as_legal = look.observe(other)
        assert (observation.tobytes(), mask.tobytes()) == (same.tobytes(), as_legal.tobytes())


@given(scripts())
def test_masks_are_the_legal_actions_and_numbers_are_in_bounds(script: Script) -> None:
    game = script.played()
    if game.to_move is None:
        return
    for task in tasks(game):
        look = observer(game.edition, task)
        observation, mask = look.observe(game)
        first = game.edition.n_actions if task == "match" and game.phase != "battle" else 0
        assert (np.flatnonzero(mask) - first).tolist() == game.legal_codes()
        low, high = look.encoding.bounds()
        assert ((low <= observation) & (observation <= high)).all()


@given(scripts(low=70))
def test_a_battle_is_seen_as_it_is(script: Script) -> None:
    game = script.played()
    if game.to_move is None or game.phase != "battle":
        return
    seat = game.to_move
    look = observer(game.edition, "battle")
    blocks = seen(look.encoding, look.observe(game)[0])
    s, cards = game.state, game.deals["cards"][0]
    for name, p in (("board", seat), ("enemy_board", 1 - seat)):
        for row, creature in zip(blocks[name], s.players[p].board, strict=True):
            assert row["present"] == (creature.order > 0)
            assert row["attack"] == min(creature.attack, 32)
            assert row["defense"] == min(creature.defense, 32)
            letters = ("breakthrough", "charge", "drain", "guard", "lethal", "ward")
            assert sum(int(row[letter]) << k for k, letter in enumerate(letters)) == creature.abilities
            assert row["can_attack"] == creature.can_attack
    me = s.players[seat]
    for i, row in enumerate(blocks["hand"]):
        if i >= me.n_hand:
            assert not any(row.values())
        else:
            card = cards[me.hand[i].card]
            kinds = [row[kind] for kind in ("creature", "green", "red", "blue")]
            assert kinds == [kind == card["type"] for kind in range(4)]
            assert row["cost"] == card["cost"]
            assert row["attack"] == card["attack"]
            assert row["defense"] == max(card["defense"], -32)
    deck = me.deck[30 - me.n_deck :]["card"]
    assert blocks["deck"][0]["cost"] == cards["cost"][deck].sum()
    assert blocks["deck"][0]["creature"] == (cards["type"][deck] == 0).sum()
    foe = s.players[1 - seat]
    assert blocks["enemy_played"][0]["cost"] == cards["cost"][foe.deck[: foe.n_played]["card"]].sum()
    table = blocks["table"][0]
    assert table["health"] == min(max(me.health, -32), 64)
    assert table["enemy_hand"] == foe.n_hand
    assert (table["mana"], table["max_mana"], table["second"]) == (min(me.mana, 16), min(me.max_mana, 16), seat)


@pytest.mark.parametrize(
    ("edition", "task"), [("locm-1.2", "draft"), ("locm-1.5", "constructed"), ("short draft of five", "draft")]
)
def test_deck_building_is_seen_as_it_is(edition: str, task: str) -> None:
    game = Script(edition, seed=5, chooser=9, patience=7, length=17).played()
    look = observer(game.edition, task)
    blocks = seen(look.encoding, look.observe(game)[0])
    me, cards = game.state.players[game.current], game.deals["cards"][0]
    picks = me.deck[: me.n_deck]["card"]
    assert blocks["table"][0]["picks"] == me.n_deck > 0
    assert [row["picks"] for row in blocks["curve"]] == np.bincount(cards["cost"][picks], minlength=13).tolist()
    assert blocks["deck"][0]["cost"] == cards["cost"][picks].sum()
    if task == "draft":
        offer = game.deals["offers"][0, me.n_deck, : game.edition.offer_size]
        assert [row["cost"] for row in blocks["offer"]] == cards["cost"][offer].tolist()
        assert [row["cost"] for row in blocks["picks"]][: me.n_deck] == cards["cost"][picks].tolist()
        assert len(blocks["picks"]) == game.edition.deck_size
    else:
        assert [row["cost"] for row in blocks["pool"]] == cards["cost"][:120].tolist()
        assert [row["copies"] for row in blocks["pool"]] == np.bincount(picks, minlength=120).tolist()
