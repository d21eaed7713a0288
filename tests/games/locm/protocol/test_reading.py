"""Views built from text: what the text tells is all there, in every edition."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from cardrome.engine.kernel import INTERPRETED
from cardrome.errors import CallerError, SyntaxFault
from cardrome.games.agents import Agent
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.protocol.game import LocmGame, LocmView, game_at
from cardrome.games.locm.protocol.golden import read_games
from cardrome.games.locm.protocol.position import to_dict
from cardrome.games.locm.protocol.reading import Reader
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.games import KINDS, new_game
from tests.paths import GOLDEN

DRAFT_TEXT = """\
30 0 0 25 0
30 0 0 25 0
0 0
3
7 -1 0 0 2 2 2 -----W 0 0 0 -1 
44 -1 0 0 6 3 7 --D-L- 0 0 0 -1 
140 -1 0 1 2 0 3 ----L- 0 0 0 -1
"""  # noqa: W291 - card lines end with a space
BATTLE_TEXT = """\
30 1 25 25 1
30 1 25 25 1
5 0
5
7 1 0 0 2 2 2 -----W 0 0 0 -1 
44 3 0 0 6 3 7 --D-L- 0 0 0 -1 
140 5 0 1 2 0 3 ----L- 0 0 0 -1 
7 7 0 0 2 2 2 -----W 0 0 0 -1 
7 9 0 0 2 2 2 -----W 0 0 0 -1
"""  # noqa: W291


POOL_TEXT = "30 0 0 0\n30 0 0 0\n0 0\n"


def with_cards(text: str, cards: list[str]) -> str:
    """A message with other cards."""
    head = text.split("\n")[:3]
    return "\n".join([*head, str(len(cards)), *cards]) + "\n"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.gz")), ids=lambda path: path.name.split("-")[0])
def test_golden_inputs_are_written_again_to_the_byte(path: Path) -> None:
    seen = 0
    # A part of the games: every edition and every profile of bots is among them. The interpreter gets fewer.
    step = 35 if INTERPRETED else 7
    for game in itertools.islice(read_games(path), 0, None, step):
        readers = [Reader(game.edition), Reader(game.edition)]
        for call in game.turns:
            text = "\n".join(call.lines) + "\n"
            view = readers[call.p].read(text)
            assert view.input_text(view.viewer) == text
            assert view.phase == call.phase
            assert view.viewer == (0 if call.phase == "constructed" else call.p)
            seen += 1
            try:
                readers[call.p].answered(call.out or "")
            except SyntaxFault:
                assert game.error is not None
    assert seen > 4200 // step


def told(view: LocmView, game: LocmGame) -> dict[str, Any]:
    """A view without the fields that the module's docstring lists as not told."""
    data = to_dict(view)
    del data["summoned"]
    for player in data["players"]:
        for lane in player.get("board", ()):
            for creature in lane:
                del creature["touched"], creature["order"]
    foe = data["players"][1 - view.viewer]
    del foe["damage_taken"]
    if not game.edition.shows_actions:
        for name in ("mana", "next_draw", "played", "performed"):
            foe.pop(name, None)
    if not game.edition.shows_draw:
        for player in data["players"]:
            del player["shown_draw"]
    return data


def take_turn(game: LocmGame, reader: Reader, agent: Agent, rival: Agent) -> None:
    """One turn decided from the text alone, its view compared with the true one before every action."""
    player = game.current
    view = reader.read(game.input_text())
    own = game_at(view.edition, view.deals, view.states, view.performed)
    constructed = game.phase == "constructed"
    answer = []
    while True:
        true = game.view(player)
        if not constructed:
            assert view.viewer == player
            assert told(view, game) == told(true, game)
        assert view.legal_actions == true.legal_actions
        code = view.code_of(agent.act(view))
        if not game.edition.shows_actions and game.phase == "battle":
            # The hand limit makes the draw of the opponent's items matter, which the contest build does not show.
            true.states["players"]["next_draw"][0, 1 - player] = view.states["players"]["next_draw"][0, 1 - player]
        assert code == rival.act(true)
        answer.append(view.action_text(code))
        battle = game.phase == "battle"
        game.push(code)
        if game.current != player or game.winner is not None:
            break
        if battle or constructed:
            own.push(code)
            view.performed = own.performed
    reader.answered(";".join(answer))


@pytest.mark.parametrize(
    ("edition", "names"),
    [
        *((name, "greedy rule-based") for name in KINDS),
        *((name, "random greedy") for name in ("locm-1.2", "locm-1.5")),
    ],
)
def test_the_text_tells_all_that_decides(edition: str, names: str) -> None:
    kinds = [AGENTS[name] for name in names.split()]
    game = new_game(edition, seed=2)
    readers = [Reader(game.edition), Reader(game.edition)]
    agents = [kind.new(2) for kind in kinds]
    rivals = [kind.new(2) for kind in kinds]
    while game.to_move is not None:
        player = game.to_move
        take_turn(game, readers[player], agents[player], rivals[player])


@pytest.mark.parametrize("edition", ["locm-1.0-multi", "locm-1.2", "locm-1.5"])
def test_bonus_mana_is_read_also_when_mana_has_stopped_growing(edition: str) -> None:
    game = new_game(edition, seed=1)
    readers = [Reader(game.edition), Reader(game.edition)]
    late = 0
    while game.to_move is not None:
        player, turn = game.to_move, game.turn
        take_turn(game, readers[player], AGENTS["pass"].new(), AGENTS["pass"].new())  # who spends nothing keeps it
        if turn > 2 * game.edition.mana_cap:
            late += 1
            assert [side.max_mana for side in game.players] == [12, 13]
    assert late > 10


def test_a_fixed_list_of_cards_is_read_from_the_pool() -> None:
    game = new_game("locm-1.5", seed=3, predefinedCardListFile="cardlist.txt")
    readers = [Reader(game.edition), Reader(game.edition)]
    agents = [AGENTS["rule-based"].new(), AGENTS["greedy"].new()]
    while game.to_move is not None:
        player = game.to_move
        take_turn(game, readers[player], agents[player], agents[player])


def test_a_view_is_independent_of_later_messages() -> None:
    game = new_game("locm-1.2", seed=1)
    reader = Reader(game.edition)
    view = reader.read(game.input_text(0))
    before = view.copy()
    reader.answered("PICK 1")
    reader.read(game.input_text(0))
    assert view == before


def test_a_view_can_be_imagined_complete() -> None:
    for edition in ("locm-1.0", "locm-1.2", "locm-1.5-2022"):
        game = new_game(edition, seed=5)
        readers = [Reader(game.edition), Reader(game.edition)]
        agents = [AGENTS["greedy"].new(), AGENTS["greedy"].new()]
        while game.to_move is not None and game.turn < 12:
            player = game.to_move
            take_turn(game, readers[player], agents[player], agents[player])
        assert game.to_move is not None
        imagined = readers[game.to_move].read(game.input_text()).determinize(1)
        while imagined.to_move is not None:
            imagined.push(agents[0].act(imagined.view(imagined.to_move)))


def test_without_own_answers_the_own_deck_stays_unknown() -> None:
    view = Reader(EDITIONS["locm-1.2"]).read(BATTLE_TEXT)
    assert (view.viewer, view.turn, view.current) == (0, 0, 0)
    assert to_dict(view)["players"][0]["deck"] == ["?"] * 25
    assert view.legal_actions == ["PASS"]


def test_a_player_dead_at_the_start_of_his_turn_has_lost() -> None:
    view = Reader(EDITIONS["locm-1.2"]).read(BATTLE_TEXT.replace("30 1", "0 1", 1))
    assert view.winner == 1
    assert view.legal_actions == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 of the message: expected 5 fields"),
        ("hello\n", "line 1 of the message: expected 5 fields"),
        (DRAFT_TEXT.replace("30 0 0 25 0\n", "30 x 0 25 0\n", 1), "line 1 of the message: expected mana from"),
        (DRAFT_TEXT.replace("30 0", "30 999", 1), "line 1 of the message: expected mana from 0 to 127"),
        (DRAFT_TEXT.replace("0 0\n3", "9 0\n3"), "line 3 of the message: expected a hand of at most 8"),
        (DRAFT_TEXT.replace("\n3\n", "\n4\n"), "line 8 of the message: expected 12 fields"),
        (DRAFT_TEXT.replace("\n3\n", "\n2\n"), "line 7 of the message: expected the end of the message"),
        (DRAFT_TEXT.replace("--D-L-", "--DL--"), "line 6 of the message: expected abilities"),
        (DRAFT_TEXT.replace("44 -1", "200 -1"), "line 6: this game has no card number 200"),
        (DRAFT_TEXT.rsplit("140", 1)[0].replace("\n3\n", "\n2\n"), "expected 3 cards on offer, got 2"),
        (BATTLE_TEXT.replace("44 3 0", "44 3 1"), "line 6: there is no room for a creature in lane -1"),
        (BATTLE_TEXT.replace("5 0\n", "5 1\nfoo\n"), "line 4 of the message: expected a card number and an action"),
        (BATTLE_TEXT.replace("5 0\n", "5 1\n7 SUMMON 2\n"), "line 4 of the message: expected a card number"),
    ],
)
def test_a_wrong_message_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(CallerError) as caught:
        Reader(EDITIONS["locm-1.2"]).read(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("edition", "text", "message"),
    [
        ("locm-1.2", with_cards(BATTLE_TEXT, ["7 1 0 0 2 2 2 -----W 0 0 0 -1 "] * 9), "line 13: a hand holds 8 cards"),
        ("locm-1.5", with_cards(POOL_TEXT, ["7 -1 0 0 2 2 2 -----W 0 0 0 0 0 "] * 161), "at most 160 cards on offer"),
        (
            "locm-1.5",
            with_cards(POOL_TEXT, ["7 -1 0 0 2 2 -129 -----W 0 0 0 0 0 "]),
            "no card has defense -129",
        ),
        ("locm-1.5", with_cards(POOL_TEXT, ["7 -1 0 0 2 128 2 -----W 0 0 0 0 0 "]), "line 5: no card has attack 128"),
    ],
)
def test_more_than_a_game_holds_is_refused(edition: str, text: str, message: str) -> None:
    with pytest.raises(CallerError) as caught:
        Reader(EDITIONS[edition]).read(text)
    assert message in str(caught.value)


def test_a_draft_has_no_round_behind_the_last() -> None:
    reader = Reader(EDITIONS["locm-1.2"])
    for picks in range(31):
        text = DRAFT_TEXT.replace("30 0 0 25 0", f"30 0 {picks} 25 0")
        if picks == 30:
            with pytest.raises(CallerError, match="since all 30 cards are chosen"):
                reader.read(text)
        else:
            reader.read(text)
            reader.answered("PICK 1")


def test_a_losing_answer_is_refused() -> None:
    reader = Reader(EDITIONS["locm-1.2"])
    reader.read(DRAFT_TEXT)
    with pytest.raises(SyntaxFault):
        reader.answered("PICK 3")
