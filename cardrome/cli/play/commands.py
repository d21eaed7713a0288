"""`cardrome play`: the command, and the conversation with the person who plays."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import folded
from cardrome.cli.options import (
    DEFAULT_EDITION,
    DealSeedOption,
    EditionArgument,
    LanguageOption,
    OptionalEditionOption,
    chosen_edition,
    chosen_language,
    examples,
    series_seed,
)

if TYPE_CHECKING:
    from rich.text import Text

    from cardrome.arena.duel import Duel, UnfinishedGame
    from cardrome.games.frames import Json

_COMMANDS = {
    "undo": ("undo", "u", "annuler"),
    "hint": ("hint", "h", "conseil"),
    "auto": ("auto", "a"),
    "board": ("board", "b", "plateau"),
    "help": ("help", "?", "aide"),
    "resign": ("resign", "abandonner"),
    "save": ("save", "s", "enregistrer"),
    "again": ("again", "rejouer"),
    "swap": ("swap", "inverser"),
    "quit": ("quit", "q", "exit", "quitter"),
}
_WORDS = {word: command for command, spellings in _COMMANDS.items() for word in spellings}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog=examples(
            "play", "play tapdeck --opponent greedy", "play locm-1.5 --seat 1 --seed 7", "play --resume kept.json"
        )
    )(play)


def play(
    edition: EditionArgument = None,
    edition_option: OptionalEditionOption = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            "--opponent",
            "-o",
            metavar="AGENT",
            help="A built-in agent, policy:FILE, or module:Class. By default the second strongest.",
        ),
    ] = None,
    seat: Annotated[int, typer.Option("--seat", min=0, max=1, metavar="SEAT", help="0 moves first, 1 second.")] = 0,
    seed: DealSeedOption = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Keep the game in this file: a replay in the end, or to go on with."
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with an unfinished game.")
    ] = None,
    lang: LanguageOption = None,
) -> None:
    """Play against an agent, in the terminal.

    Moves are typed by number, or as bots write them (`ATTACK 3 -1`); `help` lists the other commands. Moves can also be
    piped in, one a line: then the first that is not legal ends the command with exit code 2. A game that is left can be
    kept and resumed.
    """
    from cardrome.arena.duel import SEATS, Duel, usual_opponent
    from cardrome.games.family import find_family

    language = chosen_language(lang)
    if save is not None:
        _check_new(save)
    if resume is not None:
        duel = Duel.resume(_read(resume))
    else:
        name = chosen_edition(edition, edition_option, DEFAULT_EDITION)
        family = find_family(name)
        chosen = family.editions[name]
        number = series_seed(seed)
        deal = family.deal(chosen, {"seed": str(number)})
        duel = Duel(chosen, deal, SEATS[seat], opponent or usual_opponent(family))
    _Sitting(duel, language, save or resume).run()


def _check_new(file: Path) -> None:
    """Refuse a file that could not be written when the game is over."""
    from cardrome.errors import CallerError

    folder = file.absolute().parent
    if file.exists():
        raise CallerError(f"--save {file}: the file exists already")
    if not folder.is_dir():
        raise CallerError(f"--save {file}: there is no folder {file.parent}")
    if not os.access(folder, os.W_OK):
        raise CallerError(f"--save {file}: nothing can be written to {file.parent}")


def _read(path: Path) -> UnfinishedGame:
    import msgspec

    from cardrome.arena.duel import UnfinishedGame
    from cardrome.errors import CallerError
    from cardrome.wording import json_problem, unreadable

    try:
        return msgspec.json.decode(path.read_bytes(), type=UnfinishedGame)
    except OSError as error:
        raise CallerError(unreadable(path, error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        data = path.read_bytes()[:200]
        hint = "; `cardrome replay show` shows replays" if b'"cardrome-replay"' in data else ""
        raise CallerError(f"{path} is not an unfinished game: {json_problem(error)}{hint}") from None


class _Left(Exception):
    """The person leaves the game."""


class _Sitting:
    """A person at the terminal."""

    def __init__(self, duel: Duel, language: str, file: Path | None) -> None:
        from cardrome.cli.console import screen
        from cardrome.cli.play.view import WIDTH

        self._language, self._file = language, file
        self._interactive = sys.stdin.isatty()
        self._out = screen(width=WIDTH, soft_wrap=True)
        self._line = 0
        self._brief = False  # whether it was said how to see more than a brief list of moves
        self._moves: list[Json] = []
        self._sit(duel)

    def _sit(self, duel: Duel) -> None:
        from cardrome.cli.play.view import Screen

        self._duel, self._view = duel, Screen(duel, self._language)
        self.t = self._view.t

    def run(self) -> None:
        """Play, until the person has enough."""
        from cardrome.errors import CallerError

        try:
            if self._interactive:
                import readline  # noqa: F401 - arrow keys and history for `input`
            seed = self._duel.deal.seed
            self._say(self.t("terminal.begin", opponent=self._duel.opponent, seed=seed))
            self._advance()
            while True:
                try:
                    self._obey(self._ask())
                except CallerError as error:
                    if not self._interactive:
                        self._keep()
                        raise CallerError(f"line {self._line}: {error}") from None
                    self._say(str(error), "red")
        except (_Left, EOFError):
            self._keep()
        except KeyboardInterrupt:
            self._say()
            if self._file is None and self._duel.to_move is not None:
                self._file = self._new_name()
            self._keep()
            raise

    # Talking

    def _say(self, text: str | Text = "", style: str = "") -> None:
        if isinstance(text, str):
            text = "\n".join(folded(line, sys.stdout) for line in text.split("\n"))
        self._out.print(text, style=style, markup=False)

    def _ask(self) -> str:
        over = self._duel.to_move is None
        prompt = self.t("terminal.after") if over else f"[{self._numbers()}]"
        if self._interactive:
            return input(f"{prompt}> ").strip()
        if over and self._file is not None:
            raise EOFError
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self._line += 1
        self._say(f"> {line.strip()}")
        return line.strip()

    def _numbers(self) -> str:
        most = max(map(self._number, self._moves))
        return f"1-{most}" if most > 1 else "1"

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = _WORDS.get(word.lower())
        if not line:
            self._show()
        elif command is None:
            self._play(line)
        elif command == "quit":
            self._quit()
        elif command == "save":
            self._save(rest)
        elif command in ("again", "swap"):
            self._again(command == "swap")
        else:
            getattr(self, f"_{command}")()

    def _help(self) -> None:
        self._say(self.t("terminal.help"))
        for command, spellings in _COMMANDS.items():
            self._say(f"  {spellings[0]:<8} {self.t(f'terminal.help-{command}')}")

    def _board(self) -> None:
        self._show(everything=True)

    def _number(self, move: Json) -> int:
        return self._view.number(self._moves, move)

    # Playing

    def _play(self, line: str) -> None:
        from cardrome.errors import IllegalAction

        seen = len(self._duel.seat.frames)
        if line.isdecimal() and self._moves:
            self._duel.play(self._numbered(int(line)))
        else:
            try:
                self._duel.play(line)
            except IllegalAction:
                if line == line.upper():
                    raise
                self._duel.play(line.upper())
        self._advance(seen)

    def _numbered(self, number: int) -> int:
        from cardrome.errors import IllegalAction

        known: dict[int, int] = {self._number(move): move["code"] for move in self._moves}
        if number not in known:
            raise IllegalAction(self.t("terminal.no-move", n=number, most=max(known, default=0)))
        return known[number]

    def _undo(self) -> None:
        action = self._duel.undo()
        self._say(self.t("terminal.undone", action=action))
        self._show()

    def _hint(self) -> None:
        action, agent = self._duel.hint()
        move = next(move for move in self._moves if move["code"] == action.code)
        self._say(self.t("terminal.hint", agent=agent, number=self._number(move), action=action), "bold magenta")

    def _auto(self) -> None:
        seen = len(self._duel.seat.frames)
        self._duel.complete()
        self._advance(seen)

    def _resign(self) -> None:
        self._duel.resign()
        self._show()

    def _again(self, swap: bool) -> None:
        from cardrome.arena.duel import SEATS, Duel
        from cardrome.errors import IllegalAction

        old = self._duel
        if old.to_move is not None:
            raise IllegalAction(self.t("terminal.not-over"))
        self._file = None
        self._sit(Duel(old.edition, old.deal, SEATS[old.player ^ swap], old.opponent))
        self._advance()

    def _advance(self, seen: int = 0) -> None:
        """Let the opponent answer, and show what happened since some frames."""
        shown = self._duel.seat.frames[:seen]
        self._duel.answer()
        self._say()
        frames = self._duel.seat.frames
        for line in self._view.story(frames[len(shown) :]) if shown else ():
            self._say(line)
        self._show(everything=not shown)
        if self._duel.to_move is None and self._file is not None:
            self._keep()

    def _show(self, everything: bool = False) -> None:
        """Show the position and the moves: what does not fit on the screen only when everything is asked for."""
        from rich.text import Text

        board = list(self._view.board())
        for line in board:
            self._say(line)
        if self._duel.to_move is None:
            self._say(self._view.result())
            self._moves = []
            return
        self._moves = self._duel.seat.moves(self._duel.game.view(self._duel.player))
        moves = list(self._view.moves(self._moves))
        if not everything:
            if self._moves[0]["kind"] == "choose":
                return
            if self._interactive and "text" in self._moves[0] and len(board) + len(moves) >= self._out.height:
                moves = list(self._view.brief(self._moves))
                if not self._brief:
                    moves.append(Text(f"      {self.t('terminal.brief')}", "dim"))
                self._brief = True
        for line in moves:
            self._say(line)

    # Keeping

    def _quit(self) -> None:
        unfinished = self._duel.to_move is not None and self._duel.game.actions
        if self._interactive and unfinished and self._file is None:
            answer = input(f"{self.t('terminal.ask-save')} ").strip().lower()
            if answer[:1] not in ("n",):
                self._file = self._new_name()
        raise _Left

    def _save(self, name: str) -> None:
        from cardrome.errors import CallerError

        path = Path(name).expanduser() if name else self._file or self._new_name()
        if path.exists() and path != self._file:
            raise CallerError(f"{path} exists already; give another name")
        self._file = path
        self._keep()

    def _new_name(self) -> Path:
        stem = f"cardrome-{self._duel.edition.name}-{self._duel.deal.seed}"
        return next(path for n in range(1, 1_000_000) if not (path := Path(f"{stem}-{n}.json")).exists())

    def _keep(self) -> None:
        """Write the file, if there is to be one, and say how to go on."""
        import msgspec

        from cardrome.games.replay_files import write_replays, write_whole

        over, file = self._duel.to_move is None, self._file
        if over and not self._duel.has_replay:
            self._say(self.t("terminal.no-replay"))
        elif file is None:
            self._say("" if over else self.t("terminal.not-saved"))
        elif over:
            write_replays(file, [self._duel.replay()])
            self._say(self.t("terminal.saved", file=file, command=f"cardrome replay show {shlex.quote(str(file))}"))
        else:
            write_whole(file, [msgspec.json.format(msgspec.json.encode(self._duel.unfinished())), b"\n"])
            self._say(self.t("terminal.kept", file=file, command=f"cardrome play --resume {shlex.quote(str(file))}"))
