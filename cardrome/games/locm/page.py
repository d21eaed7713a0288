"""What the page of a LOCM game shows: the draft or the building of the decks, then every action of the battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from cardrome.errors import SyntaxFault
from cardrome.escaping import printable
from cardrome.games.frames import NAME, TEXT, Json, deltas, outcome
from cardrome.games.locm.examiner import why_illegal
from cardrome.games.locm.protocol.answers import BotAction, parse_command, parse_constructed, split_parts
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.replay import LocmMoment, LocmReplay, LocmRerun
from cardrome.games.locm.protocol.sides import BoardCreature, card_at
from cardrome.games.locm.protocol.story import decks, result_line
from cardrome.games.locm.rules.cards import TYPE_NAMES, abilities_text
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import ATTACK, DECK_SIZE, PASS, SUMMON, LocmEdition
from cardrome.games.replays import ReplayFault


def page_data(replay: LocmReplay) -> Json:
    """What the page shows, ready for JSON: the result, all cards, and the frames, each without what stays the same."""
    edition = replay.rule_set
    first = LocmGame(edition, replay.dealt)
    rerun = LocmRerun(replay)
    frames = _LocmFrames(rerun)
    for moment in rerun:
        frames.add(moment)
    frames.finish()
    return {
        "edition": replay.edition,
        "deal": replay.deal,
        "players": [printable(name, NAME) for name in replay.players],
        "result": result_line(replay),
        "outcome": outcome(replay),
        "difference": None if rerun.difference is None else printable(str(rerun.difference), TEXT),
        "processes": msgspec.to_builtins(replay.processes),
        "health": edition.start_health,
        "runes": list(range(edition.top_rune, 0, -edition.rune_step)) if edition.rune_step else [],
        "lanes": edition.lanes,
        "slots": edition.lane_slots,
        "hidden": True,
        "cards": [_card(first, index) for index in range(first.deals[0].n_cards)],
        "things": frames.things,
        "frames": list(deltas(frames.frames)),
    }


class _LocmFrames:
    """Collects the frames of a game."""

    def __init__(self, rerun: LocmRerun) -> None:
        self.frames: list[Json] = []
        self.things: dict[int, int] = {}
        self._rerun = rerun
        self._building: list[LocmMoment] = []
        self._last: LocmGame | None = None
        """The game at the end of the last turn."""

    @property
    def _fault(self) -> ReplayFault | None:
        """What lost a player the game, as the recording says: playing again cannot tell a crash from a timeout."""
        found, said = self._rerun.dialogue.fault, self._rerun.replay.fault
        return said if found is not None and said is not None and said.player == found.player else found

    def add(self, moment: LocmMoment) -> None:
        """Add what one call brought."""
        if moment.call.phase != "battle":
            self._building.append(moment)
            if len(self._building) % 2 == 0:
                (self._built if moment.before.edition.constructed else self._draft_round)(*self._building[-2:])
            return
        if self._last is None:
            self.frames.append({"kind": "decks", "decks": decks(moment.before), "deed": {"kind": "decks"}})
        self._turn(moment)

    def finish(self) -> None:
        """The game is over. Decks are shown even if it ended before the battle."""
        if self._last is None:
            deed = {"kind": "decks"} if self._fault is None else self._wrong(self._building[-2:][self._fault.player])
            self.frames.append({"kind": "decks", "decks": decks(self._rerun.dialogue.game), "deed": deed})

    # Deck building

    def _draft_round(self, first: LocmMoment, second: LocmMoment) -> None:
        n, both = len(self.frames), (first, second)
        self._picked(n, first.before.deals[0].offers[n].tolist(), _picks(first.before, second.after, n), both)

    def _built(self, first: LocmMoment, second: LocmMoment) -> None:
        """The decks as they were built, card by card, side by side."""
        chosen = [_chosen(moment) for moment in (first, second)]
        for n in range(max(map(len, chosen))):
            picks = [cards[n] if n < len(cards) else None for cards in chosen]
            self._picked(n, [], picks, (first, second) if n == 0 else ())

    def _picked(self, n: int, offer: list[int], picks: list[int | None], said: tuple[LocmMoment, ...]) -> None:
        deed: Json = {"kind": "pick"}
        if any(moment.recorded.ms is not None for moment in said):
            deed["times"] = [moment.recorded.ms for moment in said]
        texts = [_say((moment.recorded.answer or "").split(";")[0], 1) for moment in said]
        if any(texts):
            deed["says"] = texts
        self.frames.append({"kind": "draft", "round": n, "offer": offer, "picks": picks, "deed": deed})

    # Battle

    def _turn(self, moment: LocmMoment) -> None:
        game, player = moment.before, moment.call.player
        deed: Json = {"kind": "turn", "player": player, "call": moment.own_number, "changes": self._start(game, player)}
        if moment.recorded.ms is not None:
            deed["ms"] = moment.recorded.ms
        self._board(game, deed)
        if self._fault is not None:
            self._board(game, self._wrong(moment))
        elif game.winner is None:
            for deed, after in _deeds(moment):
                self._board(after, {"player": player, **deed})
                game = after
        self._last = game

    def _start(self, game: LocmGame, player: int) -> list[list[Any]]:
        """What the start of a turn brought."""
        if self._last is None:
            return []
        drawn = len(game.players[player].hand) - len(self._last.players[player].hand)
        return [*([["draws", player, drawn]] if drawn > 0 else []), *_changes(self._last, game, {})]

    def _wrong(self, moment: LocmMoment) -> Json:
        """The answer that ended the game by a fault."""
        assert self._fault is not None
        answer, fault = moment.recorded.answer, self._fault
        deed = {"kind": "fault", "player": fault.player, "fault": printable(fault.kind, NAME)}
        deed["reason"] = printable(fault.message, TEXT)
        return deed if answer is None else {**deed, "text": printable(answer, TEXT)}

    def _board(self, game: LocmGame, deed: Json) -> None:
        sides = {str(p): self._side(game, p) for p in (0, 1)}
        self.frames.append(
            {"kind": "battle", "turn": game.turn, "player": game.current, "sides": sides, "deed": _filled(deed)}
        )

    def _side(self, game: LocmGame, p: int) -> Json:
        values = _values(game.state.players[p])
        slots, mine = game.edition.lane_slots, p == game.current
        board, hand = values["board"].tolist(), values["hand"][: values["n_hand"]].tolist()
        rows = {
            str(lane): [_creature(mine, *creature) for creature in board[lane * slots : lane * slots + n]]
            for lane, n in enumerate(values["n_lane"][: game.edition.lanes].tolist())
        }
        self.things |= {number: card for card, number in hand}
        self.things |= {creature[4]: creature[3] for creature in board if creature[2]}
        return {
            "health": values["health"],
            "mana": [values["mana"], values["max_mana"]],
            "rune": values["rune"],
            "draw": values["next_draw"],
            "deck": values["n_deck"],
            "hand": [number for _, number in hand],
            "rows": rows,
        }


def _filled(deed: Json) -> Json:
    return {key: value for key, value in deed.items() if value not in (None, "", [])}


# Actions


def _deeds(moment: LocmMoment) -> Iterator[tuple[Json, LocmGame]]:
    """What a turn's answer did, part by part, with the game then; illegal actions change nothing."""
    game, edition, told = moment.before, moment.before.edition, 0
    results = iter(moment.effect.after)
    for part in split_parts(moment.recorded.answer or ""):
        command = parse_command(part, edition.summon_names_lane)
        deed: Json = {"say": _say(part, _arguments(command, edition))}
        if command.kind == PASS:
            if deed["say"]:
                told += 1
                yield {"kind": "pass", **deed}, game
            continue
        illegal = why_illegal(game, command)
        if illegal is not None:
            if game.winner is None:
                reason = illegal.kind.removeprefix("illegal-")
                told += 1
                yield {"kind": "illegal", "text": printable(part, TEXT), "reason": reason, **deed}, game
            continue
        after = next(results, None)
        if after is None:  # the game is decided: nothing more is carried out
            return
        told += 1
        yield {**_told(game, command, after), "text": printable(part, TEXT), **deed}, after
        game = after
    if not told:
        yield {"kind": "pass"}, game


def _arguments(command: BotAction, edition: LocmEdition) -> int:
    if command.kind == PASS:
        return 0
    return 1 if command.kind == SUMMON and not edition.summon_names_lane else 2


def _say(part: str, arguments: int) -> str:
    """The text behind an action: the bot's own words."""
    pieces = part.strip().split(" ", 1 + arguments)
    return printable(pieces[1 + arguments].strip(), TEXT) if len(pieces) > 1 + arguments else ""


def _told(game: LocmGame, command: BotAction, after: LocmGame) -> Json:
    kind, source, target = command
    if kind == SUMMON:
        return {"kind": "summon", "actor": source, "lane": target or 0, "changes": _changes(game, after, {})}
    board = _creatures(game)
    aim = None if target is None or target < 0 else target
    if kind == ATTACK:
        struck = {}
        if aim is not None:
            struck = {aim: board[source].attack, source: board[aim].attack}
        deed: Json = {"kind": "attack", "actor": source, "changes": _changes(game, after, struck)}
        return deed | ({"foe": 1 - game.current} if aim is None else {"target": aim})
    held = next(each.card for each in game.players[game.current].hand if each.id == source)
    assert held is not None  # a game hides nothing
    struck = dict.fromkeys(board, -held.defense) if held.defense < 0 else {}
    deed = {"kind": "use", "actor": source, "changes": _changes(game, after, struck)}
    if aim is None:
        return deed | ({"foe": 1 - game.current} if held.defense < 0 or held.opponent_health < 0 else {})
    return deed | {"target": aim}


def _creatures(game: LocmGame) -> dict[int, BoardCreature]:
    return {creature.id: creature for side in game.players for creature in side.board}


def _changes(before: LocmGame, after: LocmGame, struck: dict[int, int]) -> list[list[Any]]:
    """What is different now, in the order in which it is shown. ``struck`` is the damage that each creature took."""
    was, now = _creatures(before), _creatures(after)
    changes: list[list[Any]] = [["enters", thing] for thing in now if thing not in was]
    for thing, old in was.items():
        new = now.get(thing)
        if new is not None and (old.attack, old.defense, old.abilities) != (new.attack, new.defense, new.abilities):
            gained = "".join(sorted(set(new.keywords) - set(old.keywords)))
            lost = "".join(sorted(set(old.keywords) - set(new.keywords)))
            changes.append(["creature", thing, old.attack, new.attack, old.defense, new.defense, gained, lost])
    changes += [["dies", thing, struck.get(thing, 0)] for thing in was if thing not in now]
    for p in (0, 1):
        if before.health[p] != after.health[p]:
            changes.append(["health", p, before.health[p], after.health[p]])
    for p in (0, 1):
        rune, step = before.players[p].rune, before.edition.rune_step
        if after.players[p].rune != rune and step:
            changes += [["rune", p, broken] for broken in range(rune, after.players[p].rune, -step)]
    return changes


# Positions


def _picks(before: LocmGame, after: LocmGame, n: int) -> list[int | None]:
    """The card index that each player took in a draft round; None if the game ended before they had one."""
    if after.phase == "battle":
        # The last pick is shuffled into the deck by now: it is the card that is there once more than before.
        return [next((Counter(now) - Counter(then)).elements()) for then, now in zip(decks(before), decks(after))]
    players = after.state.players
    taken = zip(players["n_deck"].tolist(), players["deck"]["card"][:, n].tolist())
    return [card if count > n else None for count, card in taken]


def _chosen(moment: LocmMoment) -> list[int]:
    """The cards of a constructed deck, in the order in which they were chosen; none if the answer is wrong."""
    game, answer = moment.before, moment.recorded.answer
    try:
        return [] if answer is None else parse_constructed(answer, game.offered(), DECK_SIZE, game.edition.max_copies)
    except SyntaxFault:
        return []


def _values(record: Any) -> Json:
    """All fields of a record as plain values. Asking NumPy for one field at a time takes ten times as long."""
    return dict(zip(record.dtype.names, record.item(), strict=True))


def _card(game: LocmGame, index: int) -> Json:
    card = card_at(game, index)
    assert card is not None  # a game hides nothing
    values = {
        "number": card.number,
        "name": card.name,
        "type": TYPE_NAMES[card.type],
        "cost": card.cost,
        "attack": card.attack,
        "defense": card.defense,
        "keywords": card.keywords,
        "my": card.my_health,
        "foe": card.opponent_health,
        "draw": card.card_draw,
        "area": card.area,
    }
    return {key: value for key, value in values.items() if value or key == "number"}


def _creature(
    mine: bool,
    attack: int,
    defense: int,
    order: int,
    card: int,
    number: int,
    abilities: int,
    can_attack: int,
    has_attacked: int,
    *_: int,
) -> list[Any]:
    state = "" if not mine else "ready" if can_attack else "spent" if has_attacked else "sick"
    return [number, attack, defense, abilities_text(abilities).replace("-", ""), state]


def card_data(edition: LocmEdition, deal: LocmDeal) -> list[Json]:
    """The cards of a game as pages draw them: those that the edition allows, or those that the deal generates."""
    game = LocmGame(edition, deal)
    places = range(game.deals[0].n_cards) if edition.generated_cards else edition.allowed_cards
    return [_card(game, place) for place in places]
