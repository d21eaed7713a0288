"""Draft offers, choosing, shuffles, ids and first hands, before and up to the first turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, OFFER_LIMIT, LocmEdition, find_edition, variant
from cardrome.games.locm.rules.state import BATTLE, DECK_BUILDING, NOBODY, new_states

OFFERS = (Path(__file__).parent / "data" / "draft-offers.txt").read_text().splitlines()
SHUFFLED_42 = "22 10 11 12 1 5 16 3 15 13 28 7 8 24 19 4 18 6 14 2 23 21 27 26 25 0 17 29 9 20"
SHUFFLED_0 = "9 28 7 16 8 20 4 1 29 24 21 22 6 10 14 15 12 23 19 17 26 27 5 11 3 13 2 25 18 0"
DRAFTED = [name for name, edition in EDITIONS.items() if not edition.constructed]
CONSTRUCTED = [name for name, edition in EDITIONS.items() if edition.constructed]


class Building:
    """A game in deck building."""

    def __init__(self, edition: LocmEdition, deal: LocmDeal) -> None:
        self.edition = edition
        self.deals = deal.lay_out(edition)
        self.states = new_states()
        self.states.view(np.uint8)[:] = 0xAA  # whatever was there before
        actions.new_game(edition.rules, self.states, 0)

    @property
    def state(self) -> Any:
        return self.states[0]

    def choose(self, action: int) -> bool:
        return bool(actions.apply(self.edition.rules, self.deals, self.states, 0, 0, action))

    def number(self, held: Any) -> int:
        return int(self.deals[0].cards[held.card].number)

    def build(self, plan: Any) -> Building:
        """Choose ``plan(player, k)`` until the battle begins."""
        while self.state.phase == DECK_BUILDING:
            p = int(self.state.current)
            assert self.choose(plan(p, int(self.state.players[p].n_deck)))
        return self

    def drawn(self, p: int) -> list[tuple[int, int]]:
        """Card number and id of all cards of a player, in the order of their deck before the first draw."""
        player = self.state.players[p]
        cards = [player.hand[i] for i in range(player.n_hand)]
        cards += [player.deck[i] for i in range(30 - player.n_deck, 30)]
        return [(self.number(held), int(held.id)) for held in cards]


def built(name: str, deal: LocmDeal) -> Building:
    """Everyone takes the first offer, or the first card of which they have no two copies."""
    edition = find_edition(name)
    return Building(edition, deal).build((lambda p, k: k // 2) if edition.constructed else (lambda p, k: 0))


@pytest.mark.parametrize("line", OFFERS, ids=lambda line: line.split(" |")[0])
def test_draft_offers(line: str) -> None:
    head, *triples = line.split(" | ")
    name, parameter = head.split()
    key, _, value = parameter.partition("=")
    deal = LocmDeal.from_params({"seed": "7", key: value}).lay_out(find_edition(name))[0]
    numbers = deal.cards["number"][deal.offers[:, :3]]
    assert [" ".join(map(str, triple)) for triple in numbers] == triples


def test_offers_are_the_same_for_both_1_0_builds_and_1_2() -> None:
    offers = [
        LocmDeal(5).lay_out(find_edition(n))[0].offers.tolist() for n in ("locm-1.0", "locm-1.0-multi", "locm-1.2")
    ]
    assert offers[0] == offers[1] == offers[2]


@pytest.mark.parametrize("name", DRAFTED)
def test_offers_come_from_a_pool_of_at_most_60_allowed_cards(name: str) -> None:
    edition = find_edition(name)
    for seed in range(20):
        offers = LocmDeal(seed).lay_out(edition)[0].offers
        assert not offers[:, 3:].any()
        offers = offers[:, :3]
        assert set(offers.ravel().tolist()) <= set(edition.allowed_cards)
        assert len(set(offers.ravel().tolist())) <= 60
        assert all(len(set(triple.tolist())) == 3 for triple in offers)


@pytest.mark.parametrize("name", ["locm-1.0-wood3", "locm-1.2"])
def test_a_variant_has_the_offers_of_its_edition_cut_or_continued(name: str) -> None:
    edition, deal = find_edition(name), LocmDeal(4)
    most = deal.lay_out(variant(edition, alternatives=OFFER_LIMIT))[0].offers
    assert most[:, :3].tolist() == deal.lay_out(edition)[0].offers[:, :3].tolist()
    assert set(most.ravel().tolist()) <= set(edition.allowed_cards)
    assert all(len(set(offer)) == OFFER_LIMIT for offer in most.tolist())
    for rounds, n in ((30, 1), (30, 2), (10, 3), (12, 5), (5, OFFER_LIMIT)):
        offers = deal.lay_out(variant(edition, rounds, n))[0].offers
        assert offers[:rounds, :n].tolist() == most[:rounds, :n].tolist()
        assert not offers[rounds:].any()
        assert not offers[:, n:].any()


@pytest.mark.parametrize("name", EDITIONS)
def test_a_new_game_is_an_empty_table(name: str) -> None:
    edition = find_edition(name)
    s = Building(edition, LocmDeal(1)).state
    assert (s.phase, s.current, s.winner, s.turn, s.summoned, s.clones) == (DECK_BUILDING, 0, NOBODY, -1, 0, 0)
    for player in s.players:
        assert (player.health, player.rune, player.max_mana, player.n_deck) == (30, edition.top_rune, 0, 0)
        assert not player.board.tobytes().strip(b"\0")
        assert not player.hand.tobytes().strip(b"\0")
        assert not player.deck.tobytes().strip(b"\0")


def test_the_draft_goes_round_by_round() -> None:
    game = Building(find_edition("locm-1.2"), LocmDeal(42))
    assert game.choose(1)  # player 0 takes card 116, player 1 the same offer's card 40
    assert game.state.current == 1
    assert game.choose(2)
    assert game.state.current == 0
    assert [game.number(p.deck[0]) for p in game.state.players] == [116, 40]
    assert [int(p.deck[0].id) for p in game.state.players] == [-1, -1]
    assert [int(p.n_deck) for p in game.state.players] == [1, 1]
    assert not game.choose(3)
    assert not game.choose(-1)


def test_both_players_can_take_the_same_card() -> None:
    game = built("locm-1.2", LocmDeal(42))
    assert sorted(number for number, _ in game.drawn(0)) == sorted(number for number, _ in game.drawn(1))


def test_construction_is_one_player_after_the_other() -> None:
    game = Building(find_edition("locm-1.5"), LocmDeal(42))
    for k in range(29):
        assert game.choose(k)
        assert game.state.current == 0
    assert not game.choose(120)
    assert not game.choose(-1)
    assert game.choose(0)
    assert (game.state.current, game.state.phase) == (1, DECK_BUILDING)
    for _ in range(2):
        assert game.choose(119)
    assert not game.choose(119), "a third copy"
    game.build(lambda p, k: k)
    assert game.state.phase == BATTLE


@pytest.mark.parametrize(("seed", "order"), [(42, SHUFFLED_42), (0, SHUFFLED_0)])
def test_shuffle(seed: int, order: str) -> None:
    """The deck in order of picking, shuffled as Java does: index 0 is drawn first."""
    groups = ",".join(f"{t + 1} {t + 41} {t + 81}" for t in range(30))
    params = {"predefinedDraftIds": groups, "shufflePlayer0Seed": str(seed), "shufflePlayer1Seed": str(seed)}
    game = Building(find_edition("locm-1.2"), LocmDeal(1, params)).build(lambda p, k: p)
    for p in range(2):
        assert [number for number, _ in game.drawn(p)] == [int(k) + 1 + 40 * p for k in order.split()]


@pytest.mark.parametrize("name", DRAFTED)
def test_ids_by_deck_position(name: str) -> None:
    game = built(name, LocmDeal(42))
    for p in range(2):
        assert [card_id for _, card_id in game.drawn(p)] == [2 * i + p + 1 for i in range(30)]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("locm-1.5", range(0, 60, 2), range(60, 120, 2)),
        ("locm-1.5-2022", range(1, 31), range(31, 61)),
    ],
)
def test_ids_by_order_of_choice(name: str, first: range, second: range) -> None:
    game = Building(find_edition(name), LocmDeal(42)).build(lambda p, k: 3 * k + p)
    for p, ids in enumerate((first, second)):
        cards = game.drawn(p)
        # Card 3k + p was chosen k-th; the shuffle moves it together with its id.
        assert dict(cards) == {3 * k + p: ids[k] for k in range(30)}
        assert [card_id for _, card_id in cards] != list(ids)


def test_ids_by_order_of_choice_are_shuffled_like_the_cards() -> None:
    deal = LocmDeal(1, {"shufflePlayer0Seed": "42", "shufflePlayer1Seed": "0"})
    order = [SHUFFLED_42, SHUFFLED_0]
    for name, base, step, player_step in (("locm-1.5", 0, 2, 60), ("locm-1.5-2022", 1, 1, 30)):
        game = built(name, deal)
        for p in range(2):
            assert [i for _, i in game.drawn(p)] == [base + step * int(k) + player_step * p for k in order[p].split()]


def test_first_hand_of_1_2() -> None:
    """Both players always take the first offer of seed 42; number and id as the referee's first inputs show them."""
    game = built("locm-1.2", LocmDeal(42))
    assert game.drawn(0)[:5] == [(28, 1), (28, 3), (114, 5), (114, 7), (88, 9)]
    assert game.drawn(1)[:6] == [(108, 2), (75, 4), (35, 6), (137, 8), (37, 10), (28, 12)]


def test_first_hand_of_1_5() -> None:
    game = built("locm-1.5", LocmDeal(42))
    assert game.drawn(0)[:5] == [(6, 24), (8, 34), (4, 18), (0, 0), (11, 44)]
    assert game.drawn(1)[:6] == [(13, 114), (11, 106), (3, 74), (6, 86), (12, 110), (10, 102)]


def test_first_hand_of_2022() -> None:
    """The same cards; ids 1 to 30 and 31 to 60 in order of choice."""
    game = built("locm-1.5-2022", LocmDeal(42))
    assert game.drawn(0)[:5] == [(6, 13), (8, 18), (4, 10), (0, 1), (11, 23)]
    assert game.drawn(1)[:6] == [(13, 58), (11, 54), (3, 38), (6, 44), (12, 56), (10, 52)]


@pytest.mark.parametrize("name", EDITIONS)
def test_the_battle_begins_with_player_0(name: str) -> None:
    edition = find_edition(name)
    s = built(name, LocmDeal(3)).state
    first, second = s.players
    assert (s.phase, s.current, s.turn, s.winner) == (BATTLE, 0, 0, NOBODY)
    assert (first.n_hand, first.n_deck, second.n_hand, second.n_deck) == (5, 25, 5, 25)
    assert (first.max_mana, first.mana, first.bonus_mana) == (1, 1, 0)
    assert (second.max_mana, second.mana, second.bonus_mana) == (edition.bonus_mana,) * 3
    assert (first.health, second.health, first.rune) == (30, 30, edition.top_rune)
    assert (first.next_draw, first.shown_draw, second.next_draw, second.shown_draw) == (1, 1, 1, 1)


@pytest.mark.parametrize("rounds", [10, 20])
def test_a_shorter_deck_is_drawn_from_as_any_other(rounds: int) -> None:
    game = Building(variant(find_edition("locm-1.2"), rounds), LocmDeal(3)).build(lambda p, k: 0)
    deal = game.deals[0]
    taken = sorted(deal.cards["number"][deal.offers[:rounds, 0]].tolist())
    for p in range(2):
        drawn = game.drawn(p)
        assert sorted(number for number, _ in drawn) == taken
        assert len({id for _, id in drawn}) == rounds


@pytest.mark.parametrize("name", CONSTRUCTED)
def test_the_same_deck_twice_differs_only_by_its_shuffle(name: str) -> None:
    game = built(name, LocmDeal(8))
    decks = [sorted(number for number, _ in game.drawn(p)) for p in range(2)]
    assert decks[0] == decks[1] == sorted([*range(15), *range(15)])
