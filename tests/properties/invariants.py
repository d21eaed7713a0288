"""What is true of every state that a game can come to."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.games.locm.rules.edition import LocmEdition
from cardrome.games.locm.rules.state import BATTLE, NOBODY


def is_blank(records: np.ndarray[Any, Any]) -> bool:
    return not records.tobytes().strip(b"\0")


def id_set(edition: LocmEdition, p: int) -> set[int]:
    """The ids that a player's cards have in battle."""
    return {edition.id_base + edition.id_step * k + edition.id_player_step * p for k in range(edition.deck_size)}


def check_state(edition: LocmEdition, deal: Any, s: Any) -> None:
    """All invariants of a state."""
    assert s.current in (0, 1)
    assert s.winner in (NOBODY, 0, 1)
    assert s.spare == 0
    assert s.spare2 == 0
    for p in range(2):
        check_player(edition, deal, s, p)
    if s.phase == BATTLE:
        dead = [p for p in range(2) if s.players[p].health <= 0]
        assert bool(dead) == (s.winner != NOBODY)
        if len(dead) == 1:
            assert s.winner == 1 - dead[0]
        elif dead:
            assert s.winner == s.current
        check_ids(edition, s)
        assert s.turn >= 0
        assert s.current == s.turn % 2
    else:
        assert s.turn == -1
        assert s.winner == NOBODY


def check_player(edition: LocmEdition, deal: Any, s: Any, p: int) -> None:
    player = s.players[p]
    n_hand, n_deck, n_played = int(player.n_hand), int(player.n_deck), int(player.n_played)
    assert player.spare == 0
    assert 0 <= n_hand <= 8
    assert 0 <= n_deck <= edition.deck_size
    assert 0 <= n_played <= edition.deck_size
    assert is_blank(player.hand[n_hand:])
    assert 0 <= player.mana <= player.max_mana <= edition.mana_cap + player.bonus_mana
    assert player.bonus_mana in ((0, edition.bonus_mana) if p == 1 else (0,))
    assert player.next_draw >= 1
    assert player.shown_draw >= 1
    if edition.rune_step:
        assert player.rune in (0, 5, 10, 15, 20, 25)
        assert player.rune == 0 or player.rune < player.health
        assert player.damage_taken == 0
    else:
        assert player.rune == 0
        assert player.damage_taken >= 0
    check_board(edition, deal, s, player)
    if s.phase == BATTLE:
        assert n_hand + n_deck + n_played == edition.deck_size
        assert is_blank(player.deck[n_played : 30 - n_deck])
        assert len({int(i) for i in all_ids(player)}) == edition.deck_size
        assert {int(i) for i in all_ids(player)} == id_set(edition, p)
    else:
        assert (n_hand, n_played, player.max_mana) == (0, 0, 0)
        assert set(player.deck["id"][:n_deck].tolist()) <= {-1}
        assert is_blank(player.deck[n_deck:])
    if edition.constructed:
        cards = [*player.hand["card"][:n_hand], *player.deck["card"][:n_played], *player.deck["card"][30 - n_deck :]]
        if s.phase != BATTLE:
            cards = [*player.deck["card"][:n_deck]]
        assert not cards or np.bincount(cards).max() <= edition.max_copies


def all_ids(player: Any) -> list[int]:
    """The ids of the cards in hand, in the deck and played."""
    hand, deck = player.hand["id"], player.deck["id"]
    return [*hand[: player.n_hand], *deck[: player.n_played], *deck[30 - player.n_deck :]]


def check_board(edition: LocmEdition, deal: Any, s: Any, player: Any) -> None:
    assert player.n_lane[1] == 0 or edition.lanes == 2
    for lane in range(edition.lanes):
        n, first = int(player.n_lane[lane]), lane * edition.lane_slots
        assert 0 <= n <= edition.lane_slots
        standing = player.board[first : first + n]
        assert is_blank(player.board[first + n : first + edition.lane_slots])
        assert (standing["defense"] > 0).all()
        assert (standing["attack"] >= 0).all()
        assert (standing["abilities"] >= 0).all()
        assert (standing["abilities"] < 64).all()
        orders = standing["order"].tolist()
        assert orders == sorted(set(orders)), "each lane from its oldest creature on"
        assert all(0 < order <= s.summoned for order in orders)
        assert (deal.cards["type"][standing["card"]] == 0).all()
        assert not (standing["can_attack"] & standing["has_attacked"]).any()


def check_ids(edition: LocmEdition, s: Any) -> None:
    """Creatures have ids of their own: those of their cards, or of clones."""
    for p in range(2):
        player = s.players[p]
        played = set(player.deck["id"][: player.n_played].tolist())
        creatures = [c for c in player.board if c.order > 0]
        originals = [int(c.id) for c in creatures if int(c.id) in played]
        clones = [int(c.id) for c in creatures if int(c.id) not in played]
        assert len(set(originals + clones)) == len(creatures)
        if not edition.area_effects:
            assert not clones
        elif edition.clone_id_step:
            assert all(clone - edition.clone_id_step in played for clone in clones)
        else:
            assert all(61 <= clone < 61 + s.clones for clone in clones)
    ids = [int(c.id) for p in range(2) for c in s.players[p].board if c.order > 0]
    assert len(set(ids)) == len(ids)
