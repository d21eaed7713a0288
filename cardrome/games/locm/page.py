"""What the page of a LOCM game shows: frames to step through, and a log that points at them. `page.js` draws it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from cardrome.escaping import printable
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.replay import LocmMoment, LocmReplay, LocmRerun
from cardrome.games.locm.protocol.sides import card_at
from cardrome.games.locm.protocol.story import decks, deeds, result_line
from cardrome.games.locm.rules.cards import TYPE_NAMES, abilities_text

Json = dict[str, Any]

_NAME, _ANSWER = 60, 400
"""Characters shown of a player's name and of an answer."""


def page_data(replay: LocmReplay) -> Json:
    """What the page shows, ready for JSON: the result, all cards, the frames and the log."""
    first = LocmGame(replay.rule_set, replay.dealt)
    rerun, frames = LocmRerun(replay), _LocmFrames()
    for moment in rerun:
        frames.add(moment)
    frames.finish()
    return {
        "edition": replay.edition,
        "lanes": replay.rule_set.lanes,
        "slots": replay.rule_set.lane_slots,
        "runes": replay.rule_set.rune_step,
        "deal": replay.deal,
        "players": [printable(name, _NAME) for name in replay.players],
        "winner": replay.winner,
        "result": result_line(replay),
        "difference": None if rerun.difference is None else str(rerun.difference),
        "processes": msgspec.to_builtins(replay.processes),
        "cards": [_card(first, index) for index in range(first.deals[0].n_cards)],
        "frames": frames.frames,
        "log": frames.log,
    }


class _LocmFrames:
    """Collects the frames of a game: the draft round by round, both decks, then each turn and each action in it."""

    def __init__(self) -> None:
        self.frames: list[Json] = []
        self.log: list[Json] = []
        self._building: list[LocmMoment] = []
        self._battle = False

    def add(self, moment: LocmMoment) -> None:
        """Add what one call brought."""
        if moment.call.phase != "battle":
            self._building.append(moment)
            if len(self._building) % 2 == 0:
                self._draft_round(self._building[-2].before, moment.after)
            return
        if not self._battle:
            self._battle = True
            self._decks(moment.before)
        self._turn(moment)

    def finish(self) -> None:
        """The game is over. Decks are shown even if it ended before the battle."""
        if self._building and not self._battle:
            self._decks(self._building[-1].after)

    def _draft_round(self, before: LocmGame, after: LocmGame) -> None:
        if before.edition.constructed:  # the whole deck is one answer: there are no rounds
            return
        n = len(self.frames)
        offer = before.deals[0].offers[n].tolist()
        self.frames.append({"kind": "draft", "round": n, "offer": offer, "picks": _picks(before, after, n)})

    def _decks(self, game: LocmGame) -> None:
        self.log.append({"kind": "decks", "frame": len(self.frames)})
        self.frames.append({"kind": "decks", "decks": decks(game)})

    def _turn(self, moment: LocmMoment) -> None:
        game, player, answer = moment.before, moment.call.player, moment.recorded.answer
        done: list[Json] = []
        self.log.append(
            {
                "kind": "turn",
                "turn": game.turn,
                "player": player,
                "call": moment.own_number,
                "ms": moment.recorded.ms,
                "answer": None if answer is None else printable(answer, _ANSWER),
                "ignored": moment.effect.ignored,
                "frame": len(self.frames),
                "deeds": done,
            }
        )
        self._board(game, player)
        for deed in deeds(moment):
            words = ", ".join([deed.words, *deed.consequences])
            done.append({"action": deed.action, "words": words, "frame": len(self.frames)})
            self._board(deed.after, player)

    def _board(self, game: LocmGame, player: int) -> None:
        sides = [_side(game, p) for p in (0, 1)]
        self.frames.append({"kind": "battle", "turn": game.turn, "player": player, "sides": sides})


def _picks(before: LocmGame, after: LocmGame, n: int) -> list[int | None]:
    """The card index that each player took in a draft round; None if the game ended before they had one."""
    if after.phase == "battle":
        # The last pick is shuffled into the deck by now: it is the card that is there once more than before.
        return [next((Counter(now) - Counter(then)).elements()) for then, now in zip(decks(before), decks(after))]
    players = after.state.players
    taken = zip(players["n_deck"].tolist(), players["deck"]["card"][:, n].tolist())
    return [card if count > n else None for count, card in taken]


def _values(record: Any) -> Json:
    """All fields of a record as plain values. Asking NumPy for one field at a time takes ten times as long."""
    return dict(zip(record.dtype.names, record.item(), strict=True))


def _card(game: LocmGame, index: int) -> Json:
    card = card_at(game, index)
    assert card is not None  # a game hides nothing
    attack, defense = card.strength.split("/")
    return {
        "name": card.label,
        "type": TYPE_NAMES[card.type],
        "cost": card.cost,
        "attack": attack,
        "defense": defense,
        "keywords": card.keywords,
        "effects": card.effects,
    }


def _side(game: LocmGame, p: int) -> Json:
    values = _values(game.state.players[p])
    slots = game.edition.lane_slots
    board = values["board"].tolist()
    return {
        "health": values["health"],
        "mana": values["mana"],
        "max_mana": values["max_mana"],
        "bonus": values["bonus_mana"],
        "rune": values["rune"],
        "draw": values["next_draw"],
        "deck": values["n_deck"],
        "hand": [[number, card] for card, number in values["hand"][: values["n_hand"]].tolist()],
        "lanes": [
            [_creature(*creature) for creature in board[lane * slots : lane * slots + n]]
            for lane, n in enumerate(values["n_lane"][: game.edition.lanes].tolist())
        ],
    }


def _creature(
    attack: int, defense: int, order: int, card: int, number: int, abilities: int, can_attack: int, *_: int
) -> Json:
    return {
        "id": number,
        "card": card,
        "attack": attack,
        "defense": defense,
        "keywords": _keywords(abilities),
        "ready": bool(can_attack),
    }


def _keywords(abilities: int) -> str:
    return abilities_text(abilities).replace("-", "")
