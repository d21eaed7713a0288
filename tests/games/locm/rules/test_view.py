"""What a view shows and hides, and what a determinization makes of it. tests/properties has the general laws."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.cards import HIDDEN
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, LocmEdition, find_edition
from cardrome.games.locm.rules.state import BATTLE, new_states
from cardrome.games.locm.rules.view import SCRATCH_SIZE, fill_in_place, hide_in_place

Pair = tuple[Any, Any]


def begun(edition: LocmEdition, choices: int, seed: int = 5) -> Pair:
    """A game after so many choices of deck building."""
    deals, states = LocmDeal(seed).lay_out(edition), new_states()
    actions.new_game(edition.rules, states, 0)
    for _ in range(choices):
        k = int(states[0].players[states[0].current].n_deck)
        assert actions.apply(edition.rules, deals, states, 0, 0, 119 - k if edition.constructed else k % 3)
    return deals, states


def play_some(edition: LocmEdition, pair: Pair, turns: int) -> None:
    """Some turns, each with the last three legal actions one after the other."""
    deals, states = pair
    codes = np.zeros(161, np.int16)
    for _ in range(turns):
        for _ in range(3):
            n = actions.legal_codes(edition.rules, deals, states, codes, 0, 0)
            actions.apply(edition.rules, deals, states, 0, 0, int(codes[n - 1]))
        actions.apply(edition.rules, deals, states, 0, 0, 0)


def view(edition: LocmEdition, pair: Pair, viewer: int) -> Pair:
    deals, states = pair[0].copy(), pair[1].copy()
    hide_in_place(edition.rules, deals, states, 0, 0, viewer)
    return deals, states


def determinize(edition: LocmEdition, pair: Pair, viewer: int, seed: int) -> Pair:
    deals, states = pair[0].copy(), pair[1].copy()
    fill_in_place(edition.rules, deals, states, np.zeros(SCRATCH_SIZE, np.int16), 0, 0, viewer, seed)
    return deals, states


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("viewer", [0, 1])
def test_battle_view(name: str, viewer: int) -> None:
    edition = find_edition(name)
    game = begun(edition, 60)
    play_some(edition, game, 12)
    assert game[1][0].phase == BATTLE
    deals, states = view(edition, game, viewer)
    me, foe = states[0].players[viewer], states[0].players[1 - viewer]
    true_me, true_foe = game[1][0].players[viewer], game[1][0].players[1 - viewer]
    assert true_foe.n_played > 0
    assert (foe.n_hand, foe.n_deck, foe.n_played) == (true_foe.n_hand, true_foe.n_deck, true_foe.n_played)
    assert set(foe.hand["card"][: foe.n_hand].tolist()) <= {HIDDEN}
    assert set(foe.hand["id"][: foe.n_hand].tolist()) <= {-1}
    assert set(foe.deck["card"][30 - foe.n_deck :].tolist()) <= {HIDDEN}
    assert set(foe.deck["id"][30 - foe.n_deck :].tolist()) <= {-1}
    assert foe.deck[: foe.n_played].tolist() == true_foe.deck[: foe.n_played].tolist(), "played cards are seen"
    assert foe.board.tobytes() == true_foe.board.tobytes()
    assert me.hand.tobytes() == true_me.hand.tobytes()
    first = 30 - me.n_deck
    assert me.deck["card"][first:].tolist() == sorted(true_me.deck["card"][first:].tolist())
    assert sorted(me.deck["id"][first:].tolist()) == sorted(true_me.deck["id"][first:].tolist())
    assert deals[0].shuffle_seed.tolist() == [0, 0]
    assert deals[0].offers.tolist() == game[0][0].offers.tolist(), "all offers have been seen by now"
    assert deals[0].cards.tobytes() == game[0][0].cards.tobytes()


@pytest.mark.parametrize("viewer", [0, 1])
def test_draft_view(viewer: int) -> None:
    edition = find_edition("locm-1.2")
    game = begun(edition, 2 * 10 + viewer)  # round 10, the viewer is to choose
    deals, states = view(edition, game, viewer)
    me, foe = states[0].players[viewer], states[0].players[1 - viewer]
    assert me.tobytes() == game[1][0].players[viewer].tobytes(), "one's own picks, in their order"
    assert foe.n_deck == 10 + viewer
    assert set(foe.deck["card"][: foe.n_deck].tolist()) == {HIDDEN}
    assert not foe.deck[foe.n_deck :].tobytes().strip(b"\0")
    assert deals[0].offers[:11].tolist() == game[0][0].offers[:11].tolist()
    assert set(deals[0].offers[11:, :3].ravel().tolist()) == {HIDDEN}


def test_a_player_who_has_picked_does_not_see_the_next_offer_yet() -> None:
    """The offer of a round is shown when the round begins, to both at once."""
    edition = find_edition("locm-1.2")
    game = begun(edition, 2 * 10 + 1)  # round 10: player 0 has picked, player 1 is to choose
    deals, _ = view(edition, game, 0)
    assert set(deals[0].offers[11, :3].tolist()) == {HIDDEN}


@pytest.mark.parametrize("choices", [0, 17, 30, 45])
@pytest.mark.parametrize("viewer", [0, 1])
def test_construction_view(viewer: int, choices: int) -> None:
    edition = find_edition("locm-1.5")
    game = begun(edition, choices)
    deals, states = view(edition, game, viewer)
    foe = states[0].players[1 - viewer]
    assert set(foe.deck["card"][: foe.n_deck].tolist()) <= {HIDDEN}
    assert states[0].players[viewer].tobytes() == game[1][0].players[viewer].tobytes()
    assert deals[0].cards.tobytes() == game[0][0].cards.tobytes()


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("viewer", [0, 1])
def test_determinizations_differ_and_repeat(name: str, viewer: int) -> None:
    edition = find_edition(name)
    game = begun(edition, 60)
    play_some(edition, game, 4)
    seen = view(edition, game, viewer)
    worlds = [determinize(edition, seen, viewer, seed) for seed in range(12)]
    assert len({states.tobytes() for _, states in worlds}) == 12
    assert len({deals.tobytes() for deals, _ in worlds}) == 12
    again = determinize(edition, seen, viewer, 3)
    assert again[1].tobytes() == worlds[3][1].tobytes()


def test_drafted_cards_are_imagined_from_the_offers() -> None:
    """What the opponent played explains some rounds; every other round gives one of its three cards."""
    edition = find_edition("locm-1.2")
    game = begun(edition, 60)
    seen = view(edition, game, 0)
    offers = game[0][0].offers[:, :3]
    imagined: Counter[int] = Counter()
    for seed in range(200):
        foe = determinize(edition, seen, 0, seed)[1][0].players[1]
        cards = [*foe.hand["card"][: foe.n_hand].tolist(), *foe.deck["card"][30 - foe.n_deck :].tolist()]
        assert len(cards) == 30
        imagined.update(cards)
    assert set(imagined) == set(offers.ravel().tolist()), "in the long run every offer comes up, and nothing else"


def test_a_played_card_can_be_explained_only_by_moving_another() -> None:
    """Cards 1, 2, 3 in every round but two: what was played must leave those two rounds their own cards."""
    edition = find_edition("locm-1.2")
    groups = ["1 2 3"] * 28 + ["1 40 41", "40 50 51"]
    deals, states = LocmDeal(1, {"predefinedDraftIds": ",".join(groups)}).lay_out(edition), new_states()
    actions.new_game(edition.rules, states, 0)
    for t in range(30):
        for _ in range(2):
            assert actions.apply(edition.rules, deals, states, 0, 0, 1 if t == 28 else 0)
    # Player 1 holds 28 times card 1 and twice card 40; say that they have played both of these.
    foe = states[0].players[1]
    foe.n_played, foe.n_deck, foe.n_hand = 2, 23, 5
    foe.deck["card"][:30] = 0
    foe.deck["card"][:2] = 39
    foe.deck["id"][:2] = 2, 4
    for seed in range(50):
        other = determinize(edition, view(edition, (deals, states), 0), 0, seed)[1][0].players[1]
        cards = [*other.hand["card"][:5].tolist(), *other.deck["card"][7:].tolist()]
        assert set(cards) <= {0, 1, 2}, "rounds 28 and 29 are taken by the two cards 40"


@pytest.mark.parametrize("name", ["locm-1.5", "locm-1.5-2022"])
def test_constructed_cards_are_imagined_from_the_pool(name: str) -> None:
    edition = find_edition(name)
    game = begun(edition, 60)
    seen = view(edition, game, 1)
    imagined: Counter[int] = Counter()
    for seed in range(200):
        foe = determinize(edition, seen, 1, seed)[1][0].players[0]
        cards = [*foe.hand["card"][: foe.n_hand].tolist(), *foe.deck["card"][30 - foe.n_deck :].tolist()]
        assert max(Counter(cards).values()) <= 2
        imagined.update(cards)
    assert set(imagined) == set(range(120))


def test_played_cards_may_have_ids_of_no_deck() -> None:
    """In positions that were set up by hand: they take no id from the imagined cards, and change none of them."""
    edition = find_edition("locm-1.2")
    deals, states = begun(edition, 60)
    foe = states[0].players[1]
    foe.n_played, foe.n_deck = 3, int(foe.n_deck) - 3
    imagined = []
    for ids in ((2, 4, 6), (2, -88, 100)):
        foe.deck["id"][:3] = ids
        other = determinize(edition, view(edition, (deals, states), 0), 0, 1)[1][0].players[1]
        imagined.append([*other.hand[: other.n_hand].tolist(), *other.deck[30 - other.n_deck :].tolist()])
    usual, found = imagined
    assert [card for card, _ in found] == [card for card, _ in usual]
    assert sorted(number for _, number in usual) == list(range(8, 8 + 2 * len(usual), 2))
    assert sorted(number for _, number in found) == list(range(4, 4 + 2 * len(found), 2))


def test_offers_to_come_are_imagined() -> None:
    edition = find_edition("locm-1.0-wood3")
    game = begun(edition, 20)
    seen = view(edition, game, 0)
    for seed in range(20):
        offers = determinize(edition, seen, 0, seed)[0][0].offers
        assert offers[:11].tolist() == game[0][0].offers[:11].tolist()
        offers = offers[:, :3]
        assert set(offers.ravel().tolist()) <= set(edition.allowed_cards)
        assert all(len(set(triple)) == 3 for triple in offers.tolist())
