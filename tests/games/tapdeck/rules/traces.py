"""What happens in a match of random players, as hashes that another process can compare.

As a program: a seed and a number of commands on each line of the input, the trace of that match on a line of output.
"""

from __future__ import annotations

import hashlib
import json
import sys

from cardrome.games.tapdeck.protocol.game import TapdeckGame
from tests.games.tapdeck.rules.play import TICK, RandomMatch, Setting


def trace(seed: int, commands: int) -> list[str]:
    """Every command with a hash of the reply and the whole state behind it; the deck of the seed comes first."""
    random_match = RandomMatch(seed)
    if seed % 2:  # every other match on a generated deck
        edition = random_match.setting.edition
        deck = TapdeckGame(edition, seed)
        text = deck.command(0, "GET_DECK").split("\n", 2)[2]
        random_match = RandomMatch(seed, Setting(edition, text.rstrip("\n")))
    match = random_match.match
    lines = [_hash(match.decks.tobytes())]
    for _ in range(commands):
        seat, line = random_match.next()
        reply = ""
        if line == TICK:
            match.end_turn()
        else:
            reply = match.command(seat, line)
        lines.append(f"{seat} {line}: {_hash(reply.encode() + match.states.tobytes())}")
    return lines


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


if __name__ == "__main__":
    for question in sys.stdin:
        print(json.dumps(trace(*json.loads(question))), flush=True)
