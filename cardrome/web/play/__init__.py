"""A person plays against an agent, in the browser. The server holds the game; this is what it tells the page.

**A game in play is a recording that grows**: head and frames have the shape of `Family.page_data` (see
`cardrome.games.frames`), seen from one seat. What the person may not know is not in it: the opponent's ``hand`` is a
number, decks are numbers, ``picks`` of the opponent are null and their deck in a ``decks`` frame is empty, ``things``
knows only cards that have been seen, and there are no seeds and no offers to come. ``GET /play/games/{id}`` answers

- the head: ``edition``, ``players`` (names by seat), ``health``, ``runes``, ``lanes``, ``slots``, ``hidden``,
  ``cards``, ``deck_size``, how many cards a player chooses (0 in games without deck building), and ``copies``, how
  many of one card they may choose from a pool;
- ``id``, ``seat`` (the person's, 0 or 1), ``opponent`` (the agent's name);
- and the state, which is the whole answer to every move:

  - ``at``: the number of this state. Send it back with the next post: it changes with everything that happens.
  - ``from`` and ``frames``: drop the frames from number ``from`` on, then append these (deltas, as in a replay; the
    first one continues frame ``from - 1``). After an undo ``frames`` may be empty.
  - ``things``: cards that became known, to be merged into those known already.
  - ``phase``: ``draft``, ``constructed``, ``battle``, ``blocking`` or ``acting``.
  - ``player``: who is to move, null when the game is over (the opponent has always answered already).
  - ``moves``: the legal moves; empty when the game is over.
  - ``undo``: how many of the person's actions can be taken back.
  - ``over``: the game is over, and ``outcome``: null, or ``winner`` (null: drawn), ``ending``, ``scores`` and ``fault``
    as in a replay (a person who resigned has the fault ``resigned``), and ``replay``, whether there is one to save.

**A move** is ``{"code": 17, "text": "ATTACK 3 -1", "kind": "attack", ...}`` with, as far as they apply, the fields of
the deed it would be: ``actor`` and ``target`` (things), ``foe`` (a player who is the target), ``lane``, and
``changes``, what it would do (the changes of a deed; left out if there are none). Kinds are those of deeds, except that
the move that ends a turn is ``pass`` in every game: ``pick`` (``choice``, its place in the offer, and ``card``, an
index into ``cards``), ``choose`` (``card``), ``summon``, ``use``, ``attack``, ``pass``; in Tapdeck ``block``,
``finish``, ``draw``, ``burn``, ``discard``, ``tap``, ``play``, ``cast``, ``declare``, ``pass``.

In deck building there is one ``draft`` frame for each card, as in a replay. The last one is the choice to be made:
``{"kind": "draft", "round": 4, "offer": [3, 17, 60], "picks": [null, null], "deed": {"kind": "offer"}}``, without an
offer where the whole pool is to choose from. A choice replaces it, with ``"picks": [17, null]`` and the deed ``pick``,
and adds the next.

**Endpoints**, JSON in and out, for the session whose cookie is sent; others' games are 404:

- ``POST /play/games`` ``{edition, opponent, seat?, seed?}`` → 201 ``{id}``; without ``seat`` by chance. With ``from``,
  ``{replay, frame}``, it goes on from a moment of a replay, without ``seat`` for whoever is to move there.
- ``GET /play/games/{id}`` → head and state, ``from`` is 0.
- ``POST /play/games/{id}/moves`` ``{code, at}`` → state. A turn that ends is answered with the opponent's deeds and the
  next own turn. A wrong ``at`` (stale, or posted twice) changes nothing and gets the whole state, ``from`` 0.
- ``POST /play/games/{id}/undo`` ``{at, n?}`` → state; takes back ``n`` actions (1) of the present turn.
- ``POST /play/games/{id}/drop`` ``{at, card}`` → state; while a deck is chosen from the pool, puts one copy back.
- ``POST /play/games/{id}/complete`` ``{at}`` → state; in deck building, a strong agent chooses the rest.
- ``POST /play/games/{id}/hint`` → ``{code, text, agent}``: what a strong agent would do.
- ``POST /play/games/{id}/resign`` → state.
- ``POST /play/games/{id}/rematch`` ``{swap?}`` → 201 ``{id}``: the same deal, with the seats swapped or not.
- ``GET /play/games/{id}/replay`` → the replay file, once the game is over.

Errors are 4xx with ``{"error": "a sentence"}`` and change nothing: 400 not understood, 404 no such game, 409 not now
(the game is over, nothing to take back), 422 a move that is not legal, 429 too many.

**Pages**: ``/play`` renders ``play/lobby.html`` with

- ``families``: each ``name``, ``title``, ``editions`` (``name``, ``title``, ``summary``) and ``agents``, the weakest
  first (``name``, ``summary``, and the ``editions`` they can play); and ``chosen``, the edition of ``?edition=``;
- ``origin``: null, or the moment to go on from that ``?from=…&at=…`` names: ``replay`` and ``frame`` to post as
  ``from``, ``edition``, ``players``, ``turn``, ``player`` (who is to move there);
- ``games``, this session's unfinished games (``id``, ``edition``, ``title``, ``opponent``, ``seat``, ``turn``).

``/play/{id}`` renders ``play/table.html`` with ``id`` and ``data``, what ``GET /play/games/{id}`` answers;
``/play/{id}/watch`` shows the finished game as everybody sees it. Games live in the server's memory: they survive a
reload of the page, not a restart of the server.
"""
