"""A person at a seat of a LOCM game: the draft or the building of their deck, then every action of the battle."""

from __future__ import annotations

from cardrome.games.frames import Json
from cardrome.games.game import Action
from cardrome.games.locm.frames import Look, board, head, told, turn_start
from cardrome.games.locm.protocol.answers import KIND_NAMES, parse_command
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.locm.protocol.story import decks
from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.edition import ATTACK, DECK_SIZE, SUMMON
from cardrome.games.seat import Seat

_PASS = 0


class LocmSeat(Seat):
    """What one player sees of a LOCM game."""

    def head(self, view: LocmView) -> Json:  # type: ignore[override]
        """The board, the cards, the size of a deck, and how many copies of a card it may have."""
        return {**head(view), "deck_size": view.edition.deck_size, "copies": view.edition.max_copies}

    def begin(self, view: LocmView) -> None:  # type: ignore[override]
        """The choices so far and the next one, or the board."""
        if view.phase == "battle":
            self._battle(view, turn_start(None, Look(view)))
            return
        chosen = view.state.players[self.player].deck[: view.deck_size(self.player)]
        for n, card in enumerate(chosen["card"].tolist()):
            self._choice(view, n, card)
        self._offer(view)

    def add(self, player: int, action: Action, before: LocmView, after: LocmView) -> None:  # type: ignore[override]
        """Show an action: the player's own choice of a card, or anything in battle."""
        if before.phase == "battle":
            self._act(player, action, before, after)
            return
        if player == self.player:
            n = before.deck_size(player)
            self.frames.pop()  # the question that is answered now
            self._choice(before, n, action.code if before.edition.constructed else _offers(before, n)[action.code])
        if after.phase == "battle":
            both = [deck if p == self.player else [] for p, deck in enumerate(decks(after))]
            self._show({"kind": "decks", "decks": both, "deed": {"kind": "decks"}})
            self._battle(after, turn_start(None, Look(after)))
        else:
            self._offer(after)

    def moves(self, view: LocmView) -> list[Json]:  # type: ignore[override]
        """The legal moves; in battle with what each would change, whatever the hidden cards are."""
        if view.phase != "battle":
            return [self._building_move(view, action) for action in view.legal_actions]
        trial, before, found = view.copy(), Look(view), []
        apply = actions.apply.bind(view.edition.rules, trial.deals, trial.states)
        for action in view.legal_actions:
            trial.mirror(view)
            apply(0, 0, action.code)
            after = Look(trial)
            if action.code == _PASS:
                deed = {"kind": "pass", "changes": turn_start(before, after)["changes"]}
            else:
                deed = told(before, parse_command(action, view.edition.summon_names_lane), after)
            if not deed["changes"]:
                del deed["changes"]
            found.append({"code": action.code, "text": str(action), **deed})
        return found

    def recalled(self, view: LocmView) -> list[Json]:  # type: ignore[override]
        """What the opponent did in their last turn."""
        foe, found = 1 - self.player, []
        for shown in view.performed[foe]:
            text = shown.partition(" ")[2]
            kind, source, target = parse_command(text, view.edition.summon_names_lane)
            deed: Json = {"player": foe, "kind": KIND_NAMES[kind].lower(), "actor": source, "text": text}
            if kind == SUMMON:
                deed["lane"] = target or 0
            elif target is not None and target >= 0:
                deed["target"] = target
            elif kind == ATTACK:
                deed["foe"] = self.player
            found.append(deed)
        return found

    def rest(self, view: LocmView) -> list[int]:  # type: ignore[override]
        """The cards left in the player's deck, once there is one."""
        if view.phase != "battle":
            return []
        n = view.deck_size(self.player)
        cards: list[int] = view.state.players[self.player].deck["card"].tolist()
        return sorted(cards[DECK_SIZE - n :])

    # Deck building

    def _offer(self, view: LocmView) -> None:
        if view.to_move == self.player:
            n = view.deck_size(self.player)
            picks = {"round": n, "offer": _offers(view, n), "picks": [None, None]}
            self._show({"kind": "draft", **picks, "deed": {"kind": "offer"}})

    def _choice(self, view: LocmView, n: int, card: int) -> None:
        picks = [card if p == self.player else None for p in (0, 1)]
        self._show({"kind": "draft", "round": n, "offer": _offers(view, n), "picks": picks, "deed": {"kind": "pick"}})

    def _building_move(self, view: LocmView, action: Action) -> Json:
        move = {"code": action.code, "text": str(action)}
        if view.edition.constructed:
            return {**move, "kind": "choose", "card": action.code}
        offers = _offers(view, view.deck_size(self.player))
        return {**move, "kind": "pick", "choice": action.code, "card": offers[action.code]}

    # Battle

    def _act(self, player: int, action: Action, before: LocmView, after: LocmView) -> None:
        if action.code != _PASS:
            deed = told(Look(before), parse_command(action, before.edition.summon_names_lane), Look(after))
            self._battle(after, {"player": player, **deed, "text": str(action)})
            return
        if self.frames[-1]["deed"]["kind"] == "turn":
            self._battle(before, {"player": player, "kind": "pass"})
        self._battle(after, turn_start(Look(before), Look(after)))

    def _battle(self, view: LocmView, deed: Json) -> None:
        self._show(board(view, deed, self.things))


def _offers(view: LocmView, n: int) -> list[int]:
    """The cards of a draft round; none where the whole pool is to choose from."""
    offers: list[int] = (
        [] if view.edition.constructed else view.deals["offers"][0, n, : view.edition.offer_size].tolist()
    )
    return offers
