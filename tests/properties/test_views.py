"""No player sees what he may not know, and what is imagined instead could be so."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cardrome.games.locm.protocol.game import LocmGame, game_at
from cardrome.games.locm.rules.state import BATTLE
from tests.properties.invariants import all_ids, check_state, id_set
from tests.properties.scripts import SEEDS, Script, scripts

VIEWERS = st.integers(0, 1)
SHORT = Script("short draft of five", seed=1, chooser=2, patience=7, length=9)
"""In the draft of a variant, where scripts by chance seldom end."""


def shown_rounds(game: LocmGame) -> int:
    """How many draft offers have been shown so far: a round's offer is shown to both when the round begins."""
    if game.phase != "draft":
        return 30
    return int(game.state.players[1].n_deck) + 1


def is_asked(game: LocmGame, viewer: int) -> bool:
    """There is an input for him: in a draft both are asked before either is judged, and none after his own pick."""
    return not (game.phase == "draft" and viewer == 0 and game.current == 1)


def shuffle_within(rng: random.Random, records: Any) -> None:
    order = list(range(len(records)))
    rng.shuffle(order)
    records[:] = records[order]


def change_what_is_hidden(game: LocmGame, viewer: int, rng: random.Random, rounds: int) -> LocmGame:
    """The same game with other secrets: opponent's hand and deck, own deck order, seeds, offers to come."""
    other = game_at(game.edition, game.deals.copy(), game.states.copy(), game.performed)
    s, deal = other.state, other.deals[0]
    me, foe = s.players[viewer], s.players[1 - viewer]
    hidden = foe.hand[: foe.n_hand], foe.deck[30 - foe.n_deck :] if s.phase == BATTLE else foe.deck[: foe.n_deck]
    for part in hidden:
        for held in part:
            held.card = rng.randrange(int(deal.n_cards))
            held.id = rng.randrange(-128, 128)
    if s.phase == BATTLE:
        deck = me.deck[30 - me.n_deck :]
        ids = deck["id"].copy()
        shuffle_within(rng, deck)
        if game.edition.ids_by_deck_position:  # then the ids belong to the places
            deck["id"] = ids
    deal.shuffle_seed[:] = rng.randrange(1 << 62), rng.randrange(1 << 62)
    coming = deal.offers[rounds : game.edition.deck_size, : game.edition.offer_size]
    coming[:] = np.array([rng.randrange(160) for _ in range(coming.size)], np.uint8).reshape(coming.shape)
    return other


@example(SHORT, 0, 1)
@example(SHORT, 1, 1)
@given(scripts(), VIEWERS, st.integers(0, 1 << 32))
def test_the_view_hides(script: Script, viewer: int, secrets: int) -> None:
    game = script.played()
    other = change_what_is_hidden(game, viewer, random.Random(secrets), shown_rounds(game))
    assert other.view(viewer) == game.view(viewer)
    if is_asked(game, viewer):
        assert other.input_text(viewer) == game.input_text(viewer)


@given(scripts(), VIEWERS)
def test_a_view_shows_what_the_input_shows(script: Script, viewer: int) -> None:
    game = script.played()
    view = game.view(viewer)
    if is_asked(game, viewer):
        assert view.input_text(viewer) == game.input_text(viewer)
    if viewer == game.current:
        assert view.legal_codes() == game.legal_codes()
        assert view.legal_actions == game.legal_actions


@given(scripts(), VIEWERS, SEEDS)
def test_a_determinized_view_looks_the_same(script: Script, viewer: int, seed: int) -> None:
    view = script.played().view(viewer)
    before = view.copy()
    world = view.determinize(seed)
    assert world.view(viewer) == view
    assert view == before, "the view itself stays as it is"
    assert view.determinize(seed) == world


@given(scripts(), VIEWERS, SEEDS)
def test_a_determinized_state_is_a_possible_one(script: Script, viewer: int, seed: int) -> None:
    game = script.played()
    world = game.view(viewer).determinize(seed)
    s, true = world.state, game.state
    check_state(world.edition, world.deals[0], s)
    me, true_me = s.players[viewer], true.players[viewer]
    if s.phase == BATTLE:
        foe = s.players[1 - viewer]
        assert {int(i) for i in all_ids(foe)} == id_set(game.edition, 1 - viewer)
        first = 30 - me.n_deck
        if game.edition.ids_by_deck_position:
            assert me.deck["id"][first:].tolist() == true_me.deck["id"][first:].tolist()
            assert sorted(me.deck["card"][first:].tolist()) == sorted(true_me.deck["card"][first:].tolist())
            drawn = foe.n_hand + foe.n_played
            assert sorted(all_ids(foe)[:drawn]) == sorted(id_set(game.edition, 1 - viewer))[:drawn]
        else:
            assert sorted(me.deck[first:].tolist()) == sorted(true_me.deck[first:].tolist())
    else:
        assert me.tobytes() == true_me.tobytes()


def deck_of(player: Any, battle: bool) -> list[int]:
    """All cards of a player, wherever they are."""
    hand, deck = player.hand["card"], player.deck["card"]
    parts = (hand[: player.n_hand], deck[: player.n_played], deck[30 - player.n_deck :])
    return [int(card) for part in parts for card in part] if battle else deck[: player.n_deck].tolist()


def can_be_drafted(cards: list[int], offers: list[list[int]]) -> bool:
    """Every card can be the pick of a round of its own (a matching, by augmenting paths)."""
    taken: dict[int, int] = {}

    def place(k: int, tried: set[int]) -> bool:
        for t, offer in enumerate(offers):
            if cards[k] in offer and t not in tried:
                tried.add(t)
                if t not in taken or place(taken[t], tried):
                    taken[t] = k
                    return True
        return False

    return all(place(k, set()) for k in range(len(cards)))


DRAFTED = st.sampled_from(
    ["locm-1.0-wood3", "locm-1.0-wood1", "locm-1.0", "locm-1.0-multi", "locm-1.2", "short draft of five"]
)


@example(SHORT, 1, 1)
@example(replace(SHORT, length=40), 1, 1)
@given(scripts(DRAFTED), VIEWERS, SEEDS)
def test_imagined_drafts_are_explained_by_the_offers(script: Script, viewer: int, seed: int) -> None:
    game = script.played()
    world = game.view(viewer).determinize(seed)
    battle = game.phase == "battle"
    offers = world.deals[0].offers[: game.edition.deck_size, : game.edition.offer_size]
    known = shown_rounds(game)
    assert offers[:known].tolist() == game.deals[0].offers[: len(offers[:known]), : offers.shape[1]].tolist()
    for p in range(2):
        cards = deck_of(world.state.players[p], battle)
        if battle:
            assert can_be_drafted(cards, offers.tolist())
        else:
            assert all(card in offers[t] for t, card in enumerate(cards))


CONSTRUCTED = st.sampled_from(["locm-1.5", "locm-1.5-2022", "short 1.5"])


@given(scripts(CONSTRUCTED), VIEWERS, SEEDS)
def test_imagined_decks_are_legal(script: Script, viewer: int, seed: int) -> None:
    game = script.played()
    world = game.view(viewer).determinize(seed)
    for p in range(2):
        cards = deck_of(world.state.players[p], game.phase == "battle")
        assert len(cards) == len(deck_of(game.state.players[p], game.phase == "battle"))
        assert all(0 <= card < 120 for card in cards)
        assert not cards or max(Counter(cards).values()) <= 2


@given(scripts(), VIEWERS, SEEDS, scripts(low=1, high=120))
def test_a_determinized_game_can_be_played_on(script: Script, viewer: int, seed: int, rest: Script) -> None:
    game = script.played()
    assume(game.winner is None)
    world = game.view(viewer).determinize(seed)
    if viewer == game.current:
        assert world.legal_codes() == game.legal_codes()
    for _ in rest.actions(world):
        check_state(world.edition, world.deals[0], world.state)
