"""`cardrome host accounts`: the teams of an event."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import print_json
from cardrome.cli.options import JsonOption, examples

if TYPE_CHECKING:
    from cardrome.server.settings import EventPlan
    from cardrome.server.store.store import EventStore

group = typer.Typer(help="Add, list and remove the teams of an event.", no_args_is_help=True)

_Event = Annotated[Path, typer.Argument(help="The event's settings file, TOML.", metavar="EVENT.toml")]
_Team = Annotated[str, typer.Argument(metavar="TEAM", help="The name that the team logs in with.")]
_FromInput = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input instead of generating one.")
]


def _store(event: Path) -> EventStore:
    from cardrome.server.settings import read_plan
    from cardrome.server.store.store import EventStore

    plan = read_plan(event)
    return EventStore.open(plan.store, claim=False, base=plan.folder)


def begun_store(event: Path) -> tuple[EventPlan, EventStore]:
    """The settings and the store of an event that was begun: reading it must not make one."""
    from cardrome.arena.storage.database import NothingThere
    from cardrome.server.settings import read_plan
    from cardrome.server.store.store import EventStore

    plan = read_plan(event)
    try:
        return plan, EventStore.open(plan.store, claim=False, base=plan.folder, create=False)
    except NothingThere as error:
        raise NothingThere(f"{error}: the event has neither teams nor games yet") from None


def _password(from_input: bool) -> str:
    """A password: read from standard input, or a new one that is shown this once."""
    if not from_input:
        from cardrome.server.passwords import random_password

        return random_password()
    import getpass

    if sys.stdin.isatty():
        return getpass.getpass("password: ")
    return sys.stdin.readline().rstrip("\r\n")


def _tell(name: str, password: str, from_input: bool) -> None:
    print(name if from_input else f"{name} {password}")


@group.command(epilog=examples("host accounts add event.toml red blue"))
def add(
    event: _Event,
    teams: Annotated[list[str], typer.Argument(metavar="TEAM", help="The teams' names.")],
    password_stdin: _FromInput = False,
) -> None:
    """Add accounts, and print their passwords.

    There is one for each name. A password cannot be shown again.
    """
    from cardrome.errors import CallerError
    from cardrome.escaping import printable
    from cardrome.server.store.accounts import name_problem

    if password_stdin and len(teams) > 1:
        raise CallerError("--password-stdin works for one team at a time")
    for team in teams:  # before any is added
        if (problem := name_problem(team)) is not None:
            raise CallerError(f"team {printable(team, 60)!r}: {problem}")
    with _store(event) as store:
        for team in teams:
            password = _password(password_stdin)
            store.accounts.add(team, password)
            _tell(team, password, password_stdin)


@group.command("list", epilog=examples("host accounts list event.toml"))
def list_accounts(event: _Event, as_json: JsonOption = False) -> None:
    """List the accounts."""
    from cardrome.arena.storage.database import NothingThere

    try:
        with begun_store(event)[1] as store:
            accounts = store.accounts.all()
    except NothingThere:
        accounts = []
    if as_json:
        print_json(accounts)
        return
    if not accounts:
        print(f"no accounts yet: cardrome host accounts add {event} TEAM", file=sys.stderr)
    for account in accounts:
        print(f"{account.name}{'' if account.active else '  (removed)'}")


@group.command(
    epilog=examples(
        "host accounts passwd event.toml red", "host accounts passwd event.toml red --password-stdin < file"
    )
)
def passwd(event: _Event, team: _Team, password_stdin: _FromInput = False) -> None:
    """Give a team another password. Open connections stay."""
    with _store(event) as store:
        password = _password(password_stdin)
        store.accounts.change_password(team, password)
        _tell(team, password, password_stdin)


@group.command(epilog=examples("host accounts remove event.toml red"))
def remove(event: _Event, team: _Team) -> None:
    """Remove a team. Its results are kept; a running event cuts its connections."""
    with _store(event) as store:
        what = store.accounts.remove(team)
    print(f"{team} is removed" if what == "deleted" else f"{team} is removed; its results are kept")


@group.command(epilog=examples("host accounts operator event.toml"))
def operator(event: _Event, password_stdin: _FromInput = False) -> None:
    """Give the operator's page a password. Without one, nobody can open it."""
    with _store(event) as store:
        password = _password(password_stdin)
        store.control.change_password(password)
    if not password_stdin:
        print(password)


@group.command("import", epilog=examples("host accounts import event.toml teams.csv"))
def import_accounts(
    event: _Event,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV file with name,password on each line.")],
) -> None:
    """Add accounts from a CSV file. Existing accounts get the password in the file."""
    with _store(event) as store:
        done = store.accounts.import_csv(file)
    again = f", {done.reactivated} added again" if done.reactivated else ""
    print(f"{done.added} added, {done.updated} updated{again}")
