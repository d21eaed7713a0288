"""The error lines of the wire."""

from __future__ import annotations

from cardrome.games.tapdeck.rules import legal

BAD_LOGIN = 1
UNKNOWN_COMMAND = 2
BAD_FORMAT = 3
TOO_MANY_ARGUMENTS = 4
INTERNAL_ERROR = 5
COMMANDS_LIMIT = 6
NOT_YOUR_MATCH = 930
GAME_HAS_NOT_ENDED = 933

MEANINGS: dict[int, str] = {
    BAD_LOGIN: "bad login or password",
    UNKNOWN_COMMAND: "unknown command",
    BAD_FORMAT: "bad format",
    TOO_MANY_ARGUMENTS: "too many arguments",
    INTERNAL_ERROR: "internal error, sorry...",
    COMMANDS_LIMIT: "commands limit reached, forced waiting activated",
    legal.NO_CARD_WITH_SUCH_ID: "NoCardWithSuchId you're trying to use a card with ID that is not known",
    legal.NOT_ENOUGH_MANA: "NotEnoughMana you don't have enough mana to play a card",
    legal.NOT_YOUR_CARD: "NotYourCard you're trying to operate on a card which you don't own",
    legal.INACTIVE_CARD: "InactiveCard you're performing an operation on a card which is not active",
    legal.CARD_NOT_IN_HAND: "CardNotInHand you cannot play a card that is not in your hand",
    legal.DRAW_LIMIT_EXCEEDED: "DrawLimitExceeded you have already reached the limit of cards to draw",
    legal.BURN_LIMIT_EXCEEDED: "BurnLimitExceeded you have already reached the limit of cards to burn",
    legal.NO_SUCH_ATTACKER: "NoSuchAttacker there is no such attacker",
    legal.BLOCKING_ALREADY_FINISHED: (
        "BlockingAlreadyFinished the blocking phase is over, you cannot block in this turn anymore"
    ),
    legal.CARD_NOT_ON_BOARD: "CardNotOnBoard the specified card is not on board",
    legal.NOT_YOUR_TURN: "NotYourTurn now it's time for your opponent to move",
    legal.WRONG_TARGET: "WrongTarget wrong target of the spell",
    legal.SPELL_TARGET_NOT_ON_BOARD: "SpellTargetNotOnBoard the target of the spell is not on board",
    legal.DECK_IS_EMPTY: "DeckIsEmpty the deck is empty so you cannot draw nor burn a card",
    legal.HAND_LIMIT_EXCEEDED: "HandLimitExceeded you cannot draw cards anymore",
    NOT_YOUR_MATCH: "NotYourMatch you are not a player in the match which has the given ID",
    legal.GAME_HAS_ENDED: "GameHasEnded you're trying to do something in a game which has already ended",
    GAME_HAS_NOT_ENDED: ("GameHasNotEndedYet you're trying to see the final score of the game which has not ended yet"),
}
"""Every error code with the words that follow it. Clients should read the number only."""

ERROR_LINES: dict[int, bytes] = {code: f"ERR {code} {words}\n".encode() for code, words in MEANINGS.items()}
"""The lines as they are sent."""
