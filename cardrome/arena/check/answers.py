"""Judging one answer of a bot: can the referee read it, is every action legal, is it what its writer meant?"""

from __future__ import annotations

from dataclasses import dataclass

from cardrome.arena.check.findings import Remark
from cardrome.arena.check.illegal import why_illegal
from cardrome.errors import SyntaxFault
from cardrome.games.locm.protocol.answers import (
    KIND_NAMES,
    WRONG_CARD_COUNT,
    Command,
    parse_command,
    parse_constructed,
    parse_draft,
    split_parts,
)
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import DECK_SIZE, PASS, SUMMON, Edition
from cardrome.games.replays import Call

_COMMANDS = frozenset(KIND_NAMES.values())
_DECK_COMMANDS = frozenset({"PICK", "CHOOSE", "PASS"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What there is to say about an answer."""

    line: str
    readable: bool
    """The referee understands the line. One that it does not understand loses the game."""
    remarks: tuple[Remark, ...]
    played: int = 0
    """How many actions were carried out."""


def judge_answer(game: LocmGame, call: Call, raw: bytes) -> Judgement:
    """Judge the answer to a call. The game is left as it is."""
    line = raw.decode("utf-8", "replace")
    remarks = []
    if not raw.isascii():
        known = "the line has letters beyond ASCII" if "\ufffd" not in line else "the line is no valid UTF-8"
        remarks.append(Remark("non-ascii", known, "ASCII: not every viewer and referee shows anything else"))
    if call.phase == "battle":
        return _judge_battle(game, line, remarks)
    return _judge_deck_building(game, line, remarks)


def _judge_deck_building(game: LocmGame, line: str, remarks: list[Remark]) -> Judgement:
    edition = game.edition
    if edition.constructed:
        expected = f"{DECK_SIZE} cards, as CHOOSE number;CHOOSE number;... with at most {edition.max_copies} of each"
    else:
        offered = game.offered()
        numbers = ", ".join(map(str, offered))
        expected = f"PICK 0 to PICK {len(offered) - 1} (or CHOOSE with {numbers}), nothing before it"
    if line == "":
        remarks.append(Remark("empty-deck-answer", "the line is empty", expected))
        return Judgement(line, False, tuple(remarks))
    try:
        if edition.constructed:
            parse_constructed(line, game.offered(), DECK_SIZE, edition.max_copies)
        else:
            parse_draft(line, offered)
    except SyntaxFault as fault:
        kind = "wrong-card-count" if fault.kind == WRONG_CARD_COUNT else "deck-answer"
        if any(word.isalpha() and word.upper() in _DECK_COMMANDS - {word} for word in line.split()):
            kind = "lower-case"
        remarks.append(Remark(kind, str(fault), expected))
        return Judgement(line, False, tuple(remarks))
    for part in split_parts(line) if edition.constructed else [line]:
        remarks += _text_remarks(part, 0 if part.startswith("PASS") else 1, _DECK_COMMANDS)
    return Judgement(line, True, tuple(remarks))


def _judge_battle(game: LocmGame, line: str, remarks: list[Remark]) -> Judgement:
    edition = game.edition
    if line == "":
        remarks.append(Remark("empty-line", "the line is empty", "PASS"))
    parts = split_parts(line)
    commands: list[Command] = []
    faults: list[Remark] = []
    for part in parts:
        try:
            commands.append(parse_command(part, edition.summon_names_lane))
        except SyntaxFault as fault:
            faults.append(_syntax_remark(part, fault, edition))
    if faults:
        return Judgement(line, False, (*remarks, *faults))
    for number, (part, command) in enumerate(zip(parts, commands, strict=True)):
        arguments = 0 if command.kind == PASS else 1 if command.target is None else 2
        remarks += _text_remarks(part, arguments, _COMMANDS)
        if command.kind == PASS and any(later.kind != PASS for later in commands[number + 1 :]):
            message = f"PASS is part {number + 1} of {len(parts)}"
            remarks.append(Remark("pass-in-the-middle", message, "PASS alone, or no PASS at all"))
    played = _play(game, parts, commands, remarks)
    return Judgement(line, True, tuple(remarks), played)


def _play(game: LocmGame, parts: list[str], commands: list[Command], remarks: list[Remark]) -> int:
    """Carry the actions out on a copy, as the referee does; each is judged when its turn comes."""
    table = game.copy()
    played = 0
    for part, command in zip(parts, commands, strict=True):
        if command.kind == PASS or table.winner is not None:  # after the end the referee looks at nothing
            continue
        illegal = why_illegal(table, command)
        if illegal is None:
            table.try_play(table.find_code(*command))
            played += 1
        else:
            legal = [action for action in table.legal_actions if action.code != PASS]
            expected = f"one of {', '.join(legal[:8])}{', ...' if len(legal) > 8 else ''}" if legal else "PASS"
            remarks.append(Remark(f"illegal-{illegal.why}", f"{shown(part)}: {illegal.message}", expected))
    return played


def _syntax_remark(part: str, fault: SyntaxFault, edition: Edition) -> Remark:
    """What is wrong with a part that cannot be read."""
    word, _, rest = part.partition(" ")
    if word not in _COMMANDS:
        head = (part.split() or [part])[0]  # Unicode has spaces that the referee does not trim
        if head in _COMMANDS:
            return Remark("unknown-command", f"{shown(part)}: something else than a space follows {head}", f"{head} ")
        if head.upper() in _COMMANDS:
            return Remark("lower-case", f"{shown(part)}: commands are upper case", head.upper())
        message = f"{shown(part)}: there is no command {shown(head)}"
        if head in _DECK_COMMANDS:
            message = f"{shown(part)}: {head} belongs to the deck building, and this is the battle"
        return Remark("unknown-command", message, "SUMMON, ATTACK, USE or PASS, with ; between them")
    form = "id" if word == KIND_NAMES[SUMMON] and not edition.summon_names_lane else "id target"
    if word == KIND_NAMES[SUMMON] and edition.summon_names_lane:
        form = "id lane"
    wanted = len(form.split())
    if "  " in f" {rest}":
        message = "there are two spaces where there must be one"
    elif len(rest.split()) < wanted:
        message = f"{word} takes {wanted} number{'s' if wanted > 1 else ''}, and there are {len(rest.split())}"
    else:
        message = "not a whole number in the 32-bit range"
    return Remark("bad-arguments", f"{shown(part)}: {message}", f"{word} {form}")


def _text_remarks(part: str, arguments: int, commands: frozenset[str]) -> list[Remark]:
    """Text behind an action: harmless, unless somebody meant it to be an action."""
    pieces = part.split(" ", 1 + arguments)
    text = pieces[1 + arguments].strip() if len(pieces) > 1 + arguments else ""
    if not text:
        return []
    words = set(text.replace(";", " ").split())
    if words & commands:
        return [Remark("lost-command", f"{shown(text)} stands behind an action, as its text", "a ; before each action")]
    return [Remark("free-text", f"{shown(text)} stands behind an action, as its text")]


def shown(text: str) -> str:
    """What a bot wrote, fit to stand in a message."""
    return repr(text if len(text) <= 120 else text[:117] + "...")
