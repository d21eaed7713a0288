"""LOCM replays in words."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from cardrome.escaping import printable
from cardrome.games.game import Ending
from cardrome.games.locm.protocol.replay import LocmReplay, LocmRerun
from cardrome.games.locm.protocol.story import card_name, story, title_lines
from cardrome.games.replays import ProcessEnd
from tests.games.locm.games import new_game
from tests.games.locm.protocol.recorded import changed, play, replays
from tests.profiles import examples


@given(replays())
@examples(30)
def test_any_replay_can_be_told_in_words(replay: LocmReplay) -> None:
    lines = list(story(replay, LocmRerun(replay), boards=True))
    assert all(line.isprintable() for line in lines)
    assert f"player {replay.winner} wins" in lines[3]
    turns = [moment.before.turn for moment in LocmRerun(replay) if moment.call.phase == "battle"]
    assert [int(line.split()[1]) for line in lines if line.startswith("turn ")] == turns


def told(replay: LocmReplay, **options: Any) -> list[str]:
    return list(story(replay, LocmRerun(replay), **options))


def test_one_turn_one_player_or_every_action() -> None:
    replay = play(seed=4)
    whole = told(replay)
    turns = [line for line in whole if line.startswith("turn ")]
    third = told(replay, turn=3)
    assert third[1] == turns[3]
    assert [line for line in third if line.startswith(("turn ", "deck ", "player "))] == [turns[3]]
    own = told(replay, player=1)
    assert [line for line in own if line.startswith("turn ")] == turns[1::2]
    assert [line for line in own if line.startswith("deck ")] == [
        line for line in whole if line.startswith("deck of player 1")
    ]
    done = sum(len(moment.effect.done) for moment in LocmRerun(replay))
    assert done > 0
    boards, each = (sum("deck" in line for line in told(replay, **{name: True})) for name in ("boards", "each"))
    assert each - boards == (boards - sum("deck" in line for line in whole)) // len(turns) * done


def test_a_player_who_could_not_draw_is_dead_at_the_start_of_their_turn() -> None:
    replay = play("locm-1.5", seed=1)
    assert replay.ending is Ending.DRAW
    lines = told(replay)
    assert lines[3].startswith(f"player {replay.winner} wins: player {1 - replay.winner} could not draw · ")
    assert lines[-1] == "    dead at the start of the turn"


def test_how_the_players_processes_ended() -> None:
    replay = changed(play(seed=4), processes=(ProcessEnd(exit_code=1, stderr="Oh no:\n\x1b[2J"), ProcessEnd(signal=9)))
    assert title_lines(replay)[4:] == [
        "player 0's process ended with exit code 1",
        "player 0's standard error ended with:",
        "    Oh no:",
        f"    {printable(chr(27) + '[2J')}",
        "player 1's process was ended by signal 9",
    ]
    assert title_lines(changed(replay, processes=(None, ProcessEnd())))[4:] == []


def test_cards_have_a_name_or_a_number() -> None:
    assert card_name(new_game("locm-1.2", seed=1), 0) == "Slimer"
    assert card_name(new_game("locm-1.5", seed=1), 7) == "#7"
