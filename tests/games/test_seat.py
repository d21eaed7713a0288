"""A person at a seat: their moves are the legal ones, forecasts come true, and nothing hidden reaches them."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cardrome
from cardrome.games.family import edition_names, find_family
from cardrome.games.game import Action, Game
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import EDITIONS, SUMMON, USE
from cardrome.games.seat import Seat
from tests.games.toy import FAMILY as PEBBLES
from tests.games.toy import Heap, PebbleGame, Pebbles
from tests.games.whole_frames import whole
from tests.properties.test_views import change_what_is_hidden, shown_rounds

SEEDS = st.integers(0, (1 << 62) - 1)
STEPS = st.integers(0, 160)


class Watched:
    """A game that is played by chance, and what both players see of it."""

    def __init__(self, edition: str, seed: int, steps: int) -> None:
        self.game = cardrome.new_game(edition, seed=seed)
        self.seats = [find_family(edition).seat(self.game.view(p)) for p in (0, 1)]
        self.chance = random.Random(seed)
        for _ in range(steps):
            if self.game.is_over:
                break
            self.play(self.some_action())

    def some_action(self) -> Action:
        legal = self.game.legal_actions
        busy = [action for action in legal if action not in ("PASS", "END_TURN")]
        return self.chance.choice(busy if busy and self.chance.random() < 0.8 else legal)

    def play(self, action: Action) -> None:
        play(self.game, self.seats, action)


def play(game: Game, seats: list[Seat], action: Action) -> None:
    player, before = game.to_move, [game.view(seat.player) for seat in seats]
    assert player is not None
    assert game.try_play(action.code)
    for seat, view in zip(seats, before, strict=True):
        seat.add(player, action, view, game.view(seat.player))


@st.composite
def watched(draw: st.DrawFn, editions: tuple[str, ...] = tuple(edition_names())) -> Watched:
    """A game of any edition, at any stage."""
    return Watched(draw(st.sampled_from(editions)), draw(SEEDS), draw(STEPS))


@settings(max_examples=25)
@given(watched())
def test_moves_are_the_legal_actions_of_whoever_is_to_move(match: Watched) -> None:
    for seat in match.seats:
        moves = seat.moves(match.game.view(seat.player))
        legal = match.game.legal_actions if match.game.to_move == seat.player else []
        assert [(move["code"], move["text"]) for move in moves] == [(action.code, str(action)) for action in legal]
        assert seat.frames[-1]["kind"] in ("draft", "battle") if legal else True


@settings(max_examples=50)
@given(watched())
def test_what_a_move_was_said_to_do_is_what_it_does(match: Watched) -> None:
    assume(not match.game.is_over)
    player = match.game.to_move
    assert player is not None
    seat = match.seats[player]
    moves = {move["code"]: move for move in seat.moves(match.game.view(player))}
    action, shown = match.some_action(), len(seat.frames)
    match.play(action)
    move = moves[action.code]
    if move["kind"] in ("pick", "choose"):
        n = len([frame for frame in seat.frames if frame["kind"] == "draft" and frame["picks"][player] is not None])
        chosen = [frame for frame in seat.frames if frame["kind"] == "draft"][n - 1]
        assert (chosen["picks"][player], chosen["picks"][1 - player]) == (move["card"], None)
        return
    deeds = [frame["deed"] for frame in seat.frames[shown:]]
    if move["kind"] == "pass":
        # What the end of a turn brings is shown there, or when the next one begins.
        assert move.get("changes", []) == [change for deed in deeds for change in deed.get("changes", [])]
    else:
        deed = deeds[0]
        assert {"text": str(action), **deed} == deed
        told = {"changes": [], **deed}
        assert {"changes": [], **move} == {"code": action.code, **{key: told[key] for key in told if key != "player"}}


@settings(max_examples=40)
@given(watched(tuple(EDITIONS)), st.integers(0, 1), SEEDS)
def test_nothing_that_is_hidden_changes_a_byte_of_what_is_sent(match: Watched, viewer: int, seed: int) -> None:
    """Other cards in the opponent's hand and deck, other orders, seeds and offers to come: all looks the same."""
    game, mover = match.game, match.game.to_move
    assert isinstance(game, LocmGame)
    other = change_what_is_hidden(game, viewer, random.Random(seed), shown_rounds(game))
    action = None if mover is None else match.some_action()
    if action is not None and mover != viewer:
        if game.phase == "battle" and game.edition.rules[0].action_kind[action.code] in (SUMMON, USE):
            # The card that the opponent plays is open the moment they play it.
            place = int(game.edition.rules[0].action_source[action.code])
            other.state.players[1 - viewer].hand[place] = game.state.players[1 - viewer].hand[place]
        elif game.phase == "battle":
            action = None if action == "PASS" else action  # or the viewer would draw, and see something new
        else:
            action = None  # the opponent's choice itself is hidden
    sent = []
    for each in (game, other):
        seat = find_family(game.edition.name).seat(each.view(viewer))
        sent.append([sent_now(each, seat)])
        if action is not None:
            phase = each.phase
            play(each, [seat], action)
            # The second player's pick brings the next offer, the last of all cards the first hands.
            if phase == each.phase and (phase != "draft" or viewer == 0):
                sent[-1].append(sent_now(each, seat))
    assert sent[0] == sent[1]


def sent_now(game: Game, seat: Seat) -> bytes:
    view = game.view(seat.player)
    parts: list[Any] = [seat.head(view), seat.since([]), seat.things, seat.moves(view)]
    return msgspec.json.encode(parts)


@settings(max_examples=20)
@given(watched(), SEEDS, st.integers(1, 12))
def test_going_back_and_hearing_only_what_is_new(match: Watched, seed: int, steps: int) -> None:
    assume(not match.game.is_over)
    player = match.game.to_move
    assert player is not None
    seat = match.seats[player]
    page = whole({"frames": seat.since([])[1]})
    marks = []
    for _ in range(steps):
        if match.game.to_move != player:
            break
        known, saved = list(seat.frames), (seat.mark(), match.game.copy())
        action = match.some_action()
        play(match.game, [seat], action)
        first, news = seat.since(known)
        page = whole({"frames": [*page[:first], *news]})
        assert page == whole({"frames": seat.since([])[1]})
        marks.append((saved, known))
    for (mark, game), known in reversed(marks):
        if game.to_move == player and match.game.to_move == player:
            seat.rewind(mark)
            assert seat.frames == known
        match.game = game


def test_a_game_that_draws_nothing_has_moves_by_their_text() -> None:
    seat = PEBBLES.seat(view := PebbleGame(Pebbles(), Heap(0)).view(0))
    assert seat.frames == []
    assert seat.moves(view)[1] == {"code": 2, "text": "TAKE 2", "kind": "action"}
