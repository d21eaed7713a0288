"""What the page of a LOCM game shows: the draft or the building of the decks, then every action of the battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from cardrome.errors import CallerError, SyntaxFault
from cardrome.escaping import printable
from cardrome.games.frames import NAME, TEXT, Json, deltas, outcome
from cardrome.games.locm.examiner import why_illegal
from cardrome.games.locm.frames import Look, board, head, told, turn_start
from cardrome.games.locm.protocol.answers import BotAction, parse_command, parse_constructed, split_parts
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.replay import LocmMoment, LocmReplay, LocmRerun
from cardrome.games.locm.protocol.story import decks, result_line
from cardrome.games.locm.rules.edition import PASS, SUMMON, LocmEdition
from cardrome.games.replays import ReplayFault


def page_data(replay: LocmReplay) -> Json:
    """What the page shows, ready for JSON: the result, all cards, and the frames, each without what stays the same."""
    rerun = LocmRerun(replay)
    frames = _LocmFrames(rerun)
    return {
        **head(LocmGame(replay.rule_set, replay.dealt)),
        "deal": replay.deal,
        "players": [printable(name, NAME) for name in replay.players],
        "result": result_line(replay),
        "outcome": outcome(replay),
        "difference": None if rerun.difference is None else printable(str(rerun.difference), TEXT),
        "processes": msgspec.to_builtins(replay.processes),
        "things": frames.things,
        "frames": list(deltas(frames.frames)),
    }


def game_at(replay: LocmReplay, frame: int) -> LocmGame:
    """The game at a frame of the page. While decks are built from a pool, that is its beginning."""
    rerun = LocmRerun(replay)
    played = _LocmFrames(rerun).played
    if not 0 <= frame < len(played):
        raise CallerError(f"there is no frame {frame} to go on from")
    game = LocmGame(replay.rule_set, replay.dealt)
    for code in rerun.dialogue.game.actions[: played[frame]]:
        game.try_play(code)
    return game


class _LocmFrames:
    """The frames of a game, which is played again for them."""

    def __init__(self, rerun: LocmRerun) -> None:
        self.frames: list[Json] = []
        self.played: list[int] = []
        """For each frame, how many actions of the game had been taken."""
        self.things: dict[int, int] = {}
        self._rerun = rerun
        self._building: list[LocmMoment] = []
        self._last: Look | None = None
        """The end of the last turn."""
        for moment in rerun:
            self._add(moment)
        self._finish()

    @property
    def _fault(self) -> ReplayFault | None:
        """What lost a player the game, as the recording says: playing again cannot tell a crash from a timeout."""
        found, said = self._rerun.dialogue.fault, self._rerun.replay.fault
        return said if found is not None and said is not None and said.player == found.player else found

    def _add(self, moment: LocmMoment) -> None:
        """Add what one call brought."""
        if moment.call.phase != "battle":
            self._building.append(moment)
            if len(self._building) % 2 == 0:
                (self._built if moment.before.edition.constructed else self._draft_round)(*self._building[-2:])
            return
        if self._last is None:
            self._decks(moment.before, {"kind": "decks"})
        self._turn(moment)

    def _finish(self) -> None:
        """The game is over. Decks are shown even if it ended before the battle."""
        if self._last is None:
            deed = {"kind": "decks"} if self._fault is None else self._wrong(self._building[-2:][self._fault.player])
            self._decks(self._rerun.dialogue.game, deed)

    def _show(self, frame: Json, played: int) -> None:
        self.frames.append(frame)
        self.played.append(played)

    def _decks(self, game: LocmGame, deed: Json) -> None:
        self._show({"kind": "decks", "decks": decks(game), "deed": deed}, len(game.actions))

    # Deck building

    def _draft_round(self, first: LocmMoment, second: LocmMoment) -> None:
        n, both, game = len(self.frames), (first, second), first.before
        offer = game.deals[0].offers[n, : game.edition.offer_size].tolist()
        self._picked(n, offer, _picks(game, second.after, n), both)

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
        played = len(said[1].after.actions) if offer else 0
        self._show({"kind": "draft", "round": n, "offer": offer, "picks": picks, "deed": deed}, played)

    # Battle

    def _turn(self, moment: LocmMoment) -> None:
        game, player = moment.before, moment.call.player
        deed = {**turn_start(self._last, Look(game)), "call": moment.own_number}
        if moment.recorded.ms is not None:
            deed["ms"] = moment.recorded.ms
        self._board(game, deed)
        if self._fault is not None:
            self._board(game, self._wrong(moment))
        elif game.winner is None:
            for deed, after in _deeds(moment):
                self._board(after, {"player": player, **deed})
                game = after
        self._last = Look(game)

    def _wrong(self, moment: LocmMoment) -> Json:
        """The answer that ended the game by a fault."""
        assert self._fault is not None
        answer, fault = moment.recorded.answer, self._fault
        deed = {"kind": "fault", "player": fault.player, "fault": printable(fault.kind, NAME)}
        deed["reason"] = printable(fault.message, TEXT)
        return deed if answer is None else {**deed, "text": printable(answer, TEXT)}

    def _board(self, game: LocmGame, deed: Json) -> None:
        self._show(board(game, deed, self.things), len(game.actions))


# Actions


def _deeds(moment: LocmMoment) -> Iterator[tuple[Json, LocmGame]]:
    """What a turn's answer did, part by part, with the game then; illegal actions change nothing."""
    game, edition, said = moment.before, moment.before.edition, 0
    results = iter(moment.effect.after)
    for part in split_parts(moment.recorded.answer or ""):
        command = parse_command(part, edition.summon_names_lane)
        deed: Json = {"say": _say(part, _arguments(command, edition))}
        if command.kind == PASS:
            if deed["say"]:
                said += 1
                yield {"kind": "pass", **deed}, game
            continue
        illegal = why_illegal(game, command)
        if illegal is not None:
            if game.winner is None:
                reason = illegal.kind.removeprefix("illegal-")
                said += 1
                yield {"kind": "illegal", "text": printable(part, TEXT), "reason": reason, **deed}, game
            continue
        after = next(results, None)
        if after is None:  # the game is decided: nothing more is carried out
            return
        said += 1
        yield {**told(Look(game), command, Look(after)), "text": printable(part, TEXT), **deed}, after
        game = after
    if not said:
        yield {"kind": "pass"}, game


def _arguments(command: BotAction, edition: LocmEdition) -> int:
    if command.kind == PASS:
        return 0
    return 1 if command.kind == SUMMON and not edition.summon_names_lane else 2


def _say(part: str, arguments: int) -> str:
    """The text behind an action: the bot's own words."""
    pieces = part.strip().split(" ", 1 + arguments)
    return printable(pieces[1 + arguments].strip(), TEXT) if len(pieces) > 1 + arguments else ""


# Deck building


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
        return (
            []
            if answer is None
            else parse_constructed(answer, game.offered(), game.edition.deck_size, game.edition.max_copies)
        )
    except SyntaxFault:
        return []
