"""Judging the answers of LOCM bots: can the referee read them, is every action legal, are they what was meant?

Whether an action is legal is for the rules to say; `why_illegal` asks them first, and then looks for the predicate that
said no.
"""

from __future__ import annotations

from cardrome.errors import IllegalAction, SyntaxFault
from cardrome.games.examiner import Examiner, Judgement, Remark, kinds, shown
from cardrome.games.locm.edges import EDGES, Supply
from cardrome.games.locm.protocol.answers import (
    KIND_NAMES,
    WRONG_CARD_COUNT,
    BotAction,
    parse_command,
    parse_constructed,
    parse_draft,
    split_parts,
)
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition
from cardrome.games.locm.protocol.replay import LocmRecorder
from cardrome.games.locm.rules.actions import NO_CREATURE, NOT_FOUND, find_in_hand, find_on_board
from cardrome.games.locm.rules.battle import has_room
from cardrome.games.locm.rules.cards import BLUE_ITEM, CREATURE_CARD, GREEN_ITEM, TYPE_NAMES, CardRecord
from cardrome.games.locm.rules.edition import ATTACK, BOARD_SIZE, PASS, SUMMON, LocmEdition
from cardrome.games.locm.rules.legal import attack_mask, board_mask, may_aim_at_board
from cardrome.games.locm.rules.state import Player
from cardrome.games.replays import Call

_COMMANDS = frozenset(KIND_NAMES.values())
_DECK_COMMANDS = frozenset({"PICK", "CHOOSE", "PASS"})

_ILLEGAL = {
    "game-over": "the game is decided already",
    "not-in-hand": "a card that is not in hand",
    "not-a-creature": "SUMMON of an item",
    "not-an-item": "USE of a creature",
    "not-enough-mana": "not enough mana",
    "no-such-lane": "a lane that does not exist",
    "lane-full": "a lane that is full",
    "needs-target": "an item without its target",
    "no-such-target": "a target that is not there",
    "wrong-target": "the wrong kind of target",
    "not-on-board": "an attacker that is not on the bot's own board",
    "cannot-attack": "an attacker that cannot attack yet",
    "has-attacked": "an attacker that has attacked already",
    "other-lane": "a target in another lane",
    "guards-first": "a target behind creatures with Guard",
}
_KINDS = kinds(
    errors={
        "lower-case": "Commands are upper case.",
        "unknown-command": "The line has a command that does not exist. The whole line is refused: the game is lost.",
        "bad-arguments": "A command's arguments cannot be read. The whole line is refused: the game is lost.",
        "deck-answer": "An answer in deck building is refused: the game is lost.",
        "wrong-card-count": "The deck has the wrong number of cards: the game is lost.",
        "empty-deck-answer": "An empty line answers a question of deck building: the game is lost.",
    },
    warnings={
        **{f"illegal-{why}": f"Illegal action, which the referee skips: {what}." for why, what in _ILLEGAL.items()},
        "empty-line": "An empty line. The original referee of 1.0 and 1.2 crashes on it; write PASS.",
        "lost-command": "A command stands in the text behind another and is not carried out. A ; separates commands.",
    },
    notes={
        "pass-in-the-middle": "PASS stands before other actions. It does not end the turn: they are carried out.",
        "free-text": "Text behind an action. Only viewers show it.",
    },
)


class LocmExaminer(Examiner):
    """Judges the answers of LOCM bots."""

    kinds = _KINDS
    edges = tuple(EDGES)
    opponents = ("random", "rule-based")  # one for surprises, one that plays to win

    def judge(self, game: LocmGame, call: Call, line: str) -> Judgement:
        """Judge an answer to a call."""
        return _judge_battle(game, line) if call.phase == "battle" else _judge_deck_building(game, line)

    def edge(self, name: str, game: LocmGame, seat: int) -> LocmRecorder | None:
        """A game that goes on from a rare position, set up with the cards of both decks."""
        assert game.deal is not None
        position = EDGES[name](Supply(game, seat))
        return None if position is None else LocmRecorder(game.edition, game.deal, game=position)


EXAMINER = LocmExaminer()


def _judge_deck_building(game: LocmGame, line: str) -> Judgement:
    edition, offered = game.edition, game.offered()
    if edition.constructed:
        expected = (
            f"{edition.deck_size} cards, as CHOOSE number;CHOOSE number;... with at most {edition.max_copies} of each"
        )
    else:
        numbers = ", ".join(map(str, offered))
        expected = f"PICK 0 to PICK {len(offered) - 1} (or CHOOSE with {numbers}), nothing before it"
    if line == "":
        return Judgement(False, (Remark("empty-deck-answer", "the line is empty", expected),))
    try:
        if edition.constructed:
            parse_constructed(line, offered, edition.deck_size, edition.max_copies)
        else:
            parse_draft(line, offered)
    except SyntaxFault as fault:
        kind = "wrong-card-count" if fault.kind == WRONG_CARD_COUNT else "deck-answer"
        if any(word.isalpha() and word.upper() in _DECK_COMMANDS - {word} for word in line.split()):
            kind = "lower-case"
        return Judgement(False, (Remark(kind, str(fault), expected),))
    remarks: list[Remark] = []
    for part in split_parts(line) if edition.constructed else [line]:
        remarks += _text_remarks(part, 0 if part.startswith("PASS") else 1, _DECK_COMMANDS)
    return Judgement(True, tuple(remarks))


def _judge_battle(game: LocmGame, line: str) -> Judgement:
    remarks = [Remark("empty-line", "the line is empty", "PASS")] if line == "" else []
    parts = split_parts(line)
    commands: list[BotAction] = []
    faults: list[Remark] = []
    for part in parts:
        try:
            commands.append(parse_command(part, game.edition.summon_names_lane))
        except SyntaxFault:
            faults.append(_syntax_remark(part, game.edition))
    if faults:
        return Judgement(False, tuple(faults))
    for number, (part, command) in enumerate(zip(parts, commands, strict=True)):
        arguments = 0 if command.kind == PASS else 1 if command.target is None else 2
        remarks += _text_remarks(part, arguments, _COMMANDS)
        if command.kind == PASS and any(later.kind != PASS for later in commands[number + 1 :]):
            message = f"PASS is part {number + 1} of {len(parts)}"
            remarks.append(Remark("pass-in-the-middle", message, "PASS alone, or no PASS at all"))
    # The actions are carried out on a copy, as the referee does; each is judged when its turn comes.
    table, actions = game.copy(), 0
    for part, command in zip(parts, commands, strict=True):
        if command.kind == PASS or table.winner is not None:  # after the end the referee looks at nothing
            continue
        illegal = why_illegal(table, command)
        if illegal is None:
            table.try_play(table.find_code(*command))
            actions += 1
        else:
            legal = [action for action in table.legal_actions if action.code != PASS]
            expected = f"one of {', '.join(legal[:8])}{', ...' if len(legal) > 8 else ''}" if legal else "PASS"
            remarks.append(Remark(illegal.kind, f"{shown(part)}: {illegal.message}", expected))
    return Judgement(True, tuple(remarks), actions)


def _syntax_remark(part: str, edition: LocmEdition) -> Remark:
    """What is wrong with a part that cannot be read."""
    word, _, rest = part.partition(" ")
    if word not in _COMMANDS:
        head = (part.split() or [part])[0]  # Unicode has spaces that the referee does not trim
        if head in _COMMANDS:
            return Remark("unknown-command", f"{shown(part)}: {head} is not followed by a space", f"{head} ")
        if head.upper() in _COMMANDS:
            return Remark("lower-case", f"{shown(part)}: commands are upper case", head.upper())
        message = f"{shown(part)}: there is no command {shown(head)}"
        if head in _DECK_COMMANDS:
            message = f"{shown(part)}: {head} belongs to deck building, and this is the battle"
        return Remark("unknown-command", message, "SUMMON, ATTACK, USE or PASS, with ; between them")
    form = "id target"
    if word == KIND_NAMES[SUMMON]:
        form = "id lane" if edition.summon_names_lane else "id"
    wanted, got = len(form.split()), len(rest.split())
    if "  " in f" {rest}":
        message = "there are two spaces where there must be one"
    elif got < wanted:
        message = f"{word} takes {wanted} number{'s' if wanted > 1 else ''}, got {got}"
    else:
        message = "not a whole number in the 32-bit range"
    return Remark("bad-arguments", f"{shown(part)}: {message}", f"{word} {form}")


def _text_remarks(part: str, arguments: int, commands: frozenset[str]) -> list[Remark]:
    """Text after an action: harmless, unless it was meant to be an action."""
    pieces = part.split(" ", 1 + arguments)
    text = pieces[1 + arguments].strip() if len(pieces) > 1 + arguments else ""
    if not text:
        return []
    if set(text.replace(";", " ").split()) & commands:
        return [Remark("lost-command", f"{shown(text)} stands behind an action, as its text", "a ; before each action")]
    return [Remark("free-text", f"{shown(text)} stands behind an action, as its text")]


# Illegal actions


def explain(game: LocmGame, action: str) -> str:
    """Why the player to move may not take an action, given as text; empty if they may."""
    if game.phase == "battle":
        try:
            command = parse_command(action.strip(), game.edition.summon_names_lane)
        except SyntaxFault:
            remark = _syntax_remark(action.strip(), game.edition)
            return f"{remark.message}; expected {remark.expected}"
        illegal = why_illegal(game, command)
        return "" if illegal is None else illegal.message
    try:
        code = game.action_code(action)
    except IllegalAction as error:
        return str(error)
    if code in game.legal_codes():
        return ""
    return f"the deck has {game.edition.max_copies} copies of this card already, which is the most"


def why_illegal(position: LocmPosition, command: BotAction) -> Remark | None:
    """Why the player to move may not take an action now; None if they may."""
    if command.kind == PASS or position.find_code(*command) in position.legal_codes():
        return None
    me, foe = (position.state.players[p] for p in (position.current, 1 - position.current))
    if position.winner is not None:
        why, message = "game-over", "the game is decided already"
    else:
        explain = _why_no_attack if command.kind == ATTACK else _why_no_card
        why, message = explain(position, me, foe, command)
    return Remark(f"illegal-{why}", message)


def _why_no_card(position: LocmPosition, me: Player, foe: Player, command: BotAction) -> tuple[str, str]:
    """Why a card cannot be summoned or used."""
    source, summon = command.source, command.kind == SUMMON
    hand_index = find_in_hand(me, source)
    if hand_index == NOT_FOUND:
        return "not-in-hand", _where_instead(me, foe, source)
    card = position.deals[0].cards[me.hand[hand_index].card]
    creature = card.type == CREATURE_CARD
    if summon and not creature:
        return "not-a-creature", f"card {source} is {_kind(card)}, not a creature; items are played with USE"
    if creature and not summon:
        return "not-an-item", f"card {source} is a creature, not an item; creatures are played with SUMMON"
    if card.cost > me.mana:
        return "not-enough-mana", f"not enough mana: needs {card.cost}, has {me.mana}"
    return _why_not_here(position, me, command) if summon else _why_not_on_target(position, me, foe, card, command)


def _why_not_here(position: LocmPosition, me: Player, command: BotAction) -> tuple[str, str]:
    """The card could be summoned, but not into this lane."""
    lane, lanes = command.target or 0, position.edition.lanes
    if not 0 <= lane < lanes:
        known = "the only lane is 0" if lanes == 1 else f"lanes are 0 to {lanes - 1}"
        return "no-such-lane", f"lane {lane} does not exist: {known}"
    assert not has_room(position.edition.rules[0], me, lane), "nothing else can be wrong with a SUMMON"
    where = f"lane {lane}" if lanes > 1 else "the board"
    return "lane-full", f"{where} is full: {me.n_lane[lane]} creatures stand there, which is the most"


def _why_not_on_target(
    position: LocmPosition, me: Player, foe: Player, card: CardRecord, command: BotAction
) -> tuple[str, str]:
    """The item could be used, but not on this target."""
    target = NO_CREATURE if command.target is None else command.target
    if target == NO_CREATURE:
        assert card.type != BLUE_ITEM, "blue items may do without a target"
        whose = "one of your creatures" if card.type == GREEN_ITEM else "a creature of the opponent"
        return "needs-target", f"{_kind(card)} needs a target: {whose}, not -1 (only blue items take -1)"
    own = find_on_board(me, target) != NOT_FOUND
    if not own and find_on_board(foe, target) == NOT_FOUND:
        boards = f"yours: {_ids(position, me)}; the opponent's: {_ids(position, foe)}"
        return "no-such-target", f"no creature {target} stands on either board now ({boards})"
    assert not may_aim_at_board(int(card.type), own), "nothing else can be wrong with a USE"
    whose = "your own" if own else "the opponent's"
    right = "your own creatures" if card.type == GREEN_ITEM else "the opponent's creatures"
    return "wrong-target", f"wrong kind of target: {target} is {whose} creature, and {_kind(card)} works on {right}"


def _why_no_attack(position: LocmPosition, me: Player, foe: Player, command: BotAction) -> tuple[str, str]:
    rules = position.edition.rules[0]
    attacker, target = command.source, NO_CREATURE if command.target is None else command.target
    place = find_on_board(me, attacker)
    if place == NOT_FOUND:
        if find_in_hand(me, attacker) != NOT_FOUND:
            return "not-on-board", f"card {attacker} is in your hand: it has to be summoned first"
        if find_on_board(foe, attacker) != NOT_FOUND:
            return "not-on-board", f"creature {attacker} is the opponent's"
        return "not-on-board", f"no creature {attacker} stands on your board now ({_ids(position, me)})"
    creature = me.board[place]
    if not creature.can_attack:
        if creature.has_attacked:
            return "has-attacked", f"creature {attacker} has attacked already in this turn"
        reason = f"creature {attacker} cannot attack this turn: it was summoned in it and has no Charge"
        return "cannot-attack", reason
    lane = int(rules.lane_of[place])
    if target != NO_CREATURE:
        enemy = find_on_board(foe, target)
        if enemy == NOT_FOUND:
            if find_on_board(me, target) != NOT_FOUND:
                return "wrong-target", f"wrong kind of target: {target} is your own creature"
            standing = _ids(position, foe)
            return "no-such-target", f"no creature {target} stands on the opponent's board now ({standing})"
        if rules.lane_of[enemy] != lane:
            reason = f"target in another lane: {attacker} is in lane {lane}, {target} in lane {rules.lane_of[enemy]}"
            return "other-lane", reason
    # All that is left is Guard: the mask of what may be attacked holds the guards and nothing else.
    mask = attack_mask(rules, foe, lane) >> 1
    first = lane * int(rules.lane_slots)
    guards = [str(foe.board[first + k].id) for k in range(int(rules.lane_slots)) if mask >> k & 1]
    where = "in that lane " if position.edition.lanes > 1 else ""
    return "guards-first", f"guards {where}must be attacked first: {', '.join(guards)}"


def _where_instead(me: Player, foe: Player, card_id: int) -> str:
    """A card is not in hand; where else it is."""
    if find_on_board(me, card_id) != NOT_FOUND:
        return f"card {card_id} is not in your hand: it is on your board"
    if find_on_board(foe, card_id) != NOT_FOUND:
        return f"card {card_id} is not in your hand: it is on the opponent's board"
    held = ", ".join(str(me.hand[i].id) for i in range(me.n_hand)) or "nothing"
    return f"no card with id {card_id} is in your hand now (which holds {held})"


def _kind(card: CardRecord) -> str:
    return f"a {TYPE_NAMES[card.type]} item"


def _ids(position: LocmPosition, player: Player) -> str:
    mask = board_mask(position.edition.rules[0], player)
    return ", ".join(str(player.board[k].id) for k in range(BOARD_SIZE) if mask >> k & 1) or "nobody"
