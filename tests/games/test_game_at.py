"""Going on from any frame of a replay: the game there is the one that the frame shows."""

from __future__ import annotations

import pytest

from cardrome.errors import CallerError
from cardrome.games.family import find_family
from cardrome.games.locm.protocol.game import LocmGame
from tests.games.locm.test_page import recorded
from tests.games.tapdeck.protocol.scripted import play
from tests.games.whole_frames import whole


@pytest.mark.parametrize("edition", ["locm-1.0-wood1", "locm-1.2", "locm-1.5"])
def test_locm(edition: str) -> None:
    family, replay = find_family(edition), recorded(edition)
    frames = whole(family.page_data(replay))
    for n, frame in list(enumerate(frames))[::17]:
        game = family.game_at(replay, n)
        assert isinstance(game, LocmGame)
        if frame["kind"] != "battle":
            built = [len(game.players[p].deck) for p in (0, 1)]
            constructed = 0 if frame["kind"] == "draft" else 30
            assert game.phase == "battle" or built == [frame["round"] + 1] * 2 or built == [constructed] * 2
            continue
        assert (game.turn, game.to_move) == (frame["turn"], frame["player"] if n < len(frames) - 1 else None)
        for side in game.players:
            shown = frame["sides"][str(side.number)]
            assert (side.health, [held.id for held in side.hand]) == (shown["health"], shown["hand"])
            assert sorted(each.id for each in side.board) == sorted(c[0] for row in shown["rows"].values() for c in row)
    with pytest.raises(CallerError, match="no frame"):
        family.game_at(replay, len(frames))
    with pytest.raises(CallerError, match="no frame"):
        family.game_at(replay, -1)


@pytest.mark.parametrize("mistakes", [0.0, 0.6])
def test_tapdeck(mistakes: float) -> None:
    family, replay = find_family("tapdeck"), play(mistakes=mistakes)
    frames = whole(family.page_data(replay))
    for n, frame in list(enumerate(frames))[::37]:
        game = family.game_at(replay, n)
        assert (game.turn, game.to_move) == (frame["turn"], frame["player"])
        assert game.phase == {"block": "blocking", "act": "acting"}[frame["phase"]]
        for side in game.players:
            shown = frame["sides"][str(side.number)]
            assert (side.health, [card.id for card in side.hand]) == (shown["health"], shown["hand"])
            assert [each.id for each in side.board] == [row[0] for row in shown["rows"]["0"]]
    with pytest.raises(CallerError, match="no frame"):
        family.game_at(replay, len(frames))
    with pytest.raises(CallerError, match="no frame"):
        family.game_at(replay, -1)
