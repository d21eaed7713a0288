"""What a page shows of a LOCM replay: its frames, and the log that points at them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardrome.escaping import printable
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.replay import LocmMoment, LocmRerun
from cardrome.games.locm.protocol.replay_format import LocmReplay
from cardrome.games.locm.protocol.story import card_name, decks, deeds, result_line
from cardrome.games.locm.rules.cards import AREA_NAMES, CREATURE_CARD, TYPE_NAMES, abilities_text

Json = dict[str, Any]

_NAME, _ANSWER = 60, 400
"""Characters shown of a player's name and of an answer."""


def page_data(replay: LocmReplay) -> Json:
    """What the page shows: the cards, a list of frames to step through, and a log that points at them."""
    first = LocmGame(replay.rule_set, replay.dealt)
    rerun = LocmRerun(replay)
    frames, log = _Story().told(rerun)
    difference = rerun.difference
    return {
        "edition": replay.edition,
        "lanes": replay.rule_set.lanes,
        "slots": replay.rule_set.lane_slots,
        "runes": replay.rule_set.rune_step,
        "deal": replay.deal,
        "players": [printable(name, _NAME) for name in replay.players],
        "winner": replay.winner,
        "result": result_line(replay),
        "difference": None if difference is None else str(difference),
        "processes": replay.processes,
        "cards": [_card(first, index) for index in range(first.deals[0].n_cards)],
        "frames": frames,
        "log": log,
    }


class _Story:
    """Tells a replay frame by frame: a draft round, the decks, the start of a turn, an action."""

    def __init__(self) -> None:
        self.frames: list[Json] = []
        self.log: list[Json] = []

    def told(self, moments: Iterable[LocmMoment]) -> tuple[list[Json], list[Json]]:
        """Frames and log."""
        building: list[LocmMoment] = []
        battle = False
        for moment in moments:
            if moment.call.phase != "battle":
                building.append(moment)
                if len(building) % 2 == 0:
                    self._choices(building[-2], moment)
                continue
            if not battle:
                battle = True
                self._decks(moment.before)
            self._turn(moment)
        if building and not battle:
            self._decks(building[-1].after)
        return self.frames, self.log

    def _choices(self, first: LocmMoment, second: LocmMoment) -> None:
        """A round of the draft. A deck that is constructed at once has no rounds to show."""
        game, after = first.before, second.after
        if game.edition.constructed:
            return
        n = int(game.state.players[0].n_deck)
        offer = [int(index) for index in game.deals[0].offers[n]]
        picks = [_pick(game, after, player, n) for player in (0, 1)]
        self.frames.append({"kind": "draft", "round": n, "offer": offer, "picks": picks})

    def _decks(self, game: LocmGame) -> None:
        self.log.append({"kind": "decks", "frame": len(self.frames)})
        self.frames.append({"kind": "decks", "decks": decks(game)})

    def _turn(self, moment: LocmMoment) -> None:
        game, player = moment.before, moment.call.player
        entry: Json = {
            "kind": "turn",
            "turn": game.turn,
            "player": player,
            "call": moment.own_number,
            "ms": moment.recorded.ms,
            "answer": _answer(moment),
            "ignored": moment.effect.ignored,
            "frame": len(self.frames),
            "deeds": [],
        }
        self.log.append(entry)
        self._battle(game, player)
        for deed in deeds(moment):
            entry["deeds"].append(
                {"action": deed.action, "words": ", ".join([deed.words, *deed.consequences]), "frame": len(self.frames)}
            )
            self._battle(deed.after, player)

    def _battle(self, game: LocmGame, player: int) -> None:
        sides = [_side(game, p) for p in (0, 1)]
        self.frames.append({"kind": "battle", "turn": game.turn, "player": player, "sides": sides})


def _answer(moment: LocmMoment) -> str | None:
    answer = moment.recorded.answer
    return None if answer is None else printable(answer, _ANSWER)


def _pick(before: LocmGame, after: LocmGame, player: int, n: int) -> int | None:
    """The card index a player took in a draft round; None if their answer, or the other's, ended the game."""
    if after.phase == "battle":
        # The last pick is shuffled into the deck by now: it is the card that is there once more than before.
        left = list(decks(after)[player])
        for index in decks(before)[player]:
            left.remove(index)
        return left[0]
    side = after.state.players[player]
    return int(side.deck[n].card) if side.n_deck > n else None


def _card(game: LocmGame, index: int) -> Json:
    card = game.deals[0].cards[index]
    effects = []
    if card.my_health:
        effects.append(f"you {card.my_health:+}")
    if card.opponent_health:
        effects.append(f"opponent {card.opponent_health:+}")
    if card.card_draw:
        effects.append(f"draw {card.card_draw}")
    if card.area:
        effects.append(AREA_NAMES[card.area])
    sign = "" if card.type == CREATURE_CARD else "+"
    return {
        "name": card_name(game, index),
        "type": TYPE_NAMES[card.type],
        "cost": int(card.cost),
        "attack": format(int(card.attack), sign),
        "defense": format(int(card.defense), sign),
        "keywords": abilities_text(card.abilities).replace("-", ""),
        "effects": ", ".join(effects),
    }


def _side(game: LocmGame, p: int) -> Json:
    player = game.state.players[p]
    slots = game.edition.lane_slots
    lanes = [
        [_creature(player.board[lane * slots + k]) for k in range(player.n_lane[lane])]
        for lane in range(game.edition.lanes)
    ]
    return {
        "health": int(player.health),
        "mana": int(player.mana),
        "max_mana": int(player.max_mana),
        "bonus": int(player.bonus_mana),
        "rune": int(player.rune),
        "draw": int(player.next_draw),
        "deck": int(player.n_deck),
        "hand": [[int(held.id), int(held.card)] for held in player.hand[: player.n_hand]],
        "lanes": lanes,
    }


def _creature(creature: Any) -> Json:
    return {
        "id": int(creature.id),
        "card": int(creature.card),
        "attack": int(creature.attack),
        "defense": int(creature.defense),
        "keywords": abilities_text(creature.abilities).replace("-", ""),
        "ready": bool(creature.can_attack),
    }
